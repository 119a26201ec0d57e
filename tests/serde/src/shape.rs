//! Documents made at random after the shape of a type, most of them right and some of them wrong in one place.

/// A generator of pseudo-random numbers, xorshift64*; or choices that stand in a byte string.
pub struct Random {
    state: u64,
    /// Choices that are still to be made, the next one last.
    drawn: Vec<u8>,
}

impl Random {
    /// From a seed that is not 0.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed, drawn: Vec::new() }
    }

    /// The choices of `bytes`, a byte for each; behind them, the numbers of the seed 1.
    #[must_use]
    pub fn drawn(bytes: &[u8]) -> Self {
        Self { state: 1, drawn: bytes.iter().rev().copied().collect() }
    }

    /// The next number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        if let Some(byte) = self.drawn.pop() {
            return usize::from(byte) % end;
        }
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        ((self.state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize) % end
    }

    /// Whether an event of this probability, one in `count`, happens.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// What a type asks for.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names of serde's data model")]
pub enum Shape {
    Unit,
    Bool,
    Char,
    /// A number, near the ends of this many bits.
    Integer(u32),
    Float,
    /// A string of about this many bytes.
    String(usize),
    Option(Box<Shape>),
    /// An array of about this many elements.
    Seq(Box<Shape>, usize),
    Tuple(Vec<Shape>),
    /// An object of about this many members, with keys of this shape.
    Map(Box<Shape>, Box<Shape>, usize),
    Struct(Vec<(&'static str, Shape)>),
    /// The variants, where `None` is a unit variant.
    Enum(Vec<(&'static str, Option<Shape>)>),
    Any,
}

impl Shape {
    /// Whether an object is asked for somewhere.
    #[must_use]
    pub fn has_object(&self) -> bool {
        match self {
            Self::Map(..) | Self::Struct(_) | Self::Enum(_) => true,
            Self::Option(shape) | Self::Seq(shape, _) => shape.has_object(),
            Self::Tuple(shapes) => shapes.iter().any(Self::has_object),
            _ => false,
        }
    }
}

/// A document in the making.
pub struct Maker<'r> {
    random: &'r mut Random,
    /// How seldom something is wrong: once in so many values.
    seldom: usize,
    /// The document.
    pub text: String,
}

const STRINGS: [&str; 18] = [
    "a",
    "b",
    "\\u00e9",
    "é",
    "€",
    "😀",
    "\\ud83d\\ude00",
    "\\\"",
    "\\\\",
    "\\/",
    "\\b\\f\\n\\r\\t",
    " ",
    "\\u0000",
    "zz",
    "\\uD83D\\uDE00",
    "0",
    "\u{7f}",
    "long text ",
];

const WRONG_STRINGS: [&str; 6] = ["\\ud800", "\\ude00\\ud83d", "\\x", "\n", "\\u12", "\\ud83d\\u0041"];

impl<'r> Maker<'r> {
    /// A document of `shape`.
    pub fn make(shape: &Shape, seldom: usize, random: &'r mut Random) -> Self {
        let mut maker = Self { random, seldom, text: String::new() };
        maker.space();
        maker.value(shape, 0);
        maker.space();
        if maker.random.one_in(seldom * 4) {
            maker.text.push_str([",", "]", "}", "x", "0", "\"", "null"][maker.random.below(7)]);
        }
        if maker.random.one_in(seldom * 4) {
            let mut cut = maker.random.below(maker.text.len());
            while !maker.text.is_char_boundary(cut) {
                cut -= 1;
            }
            maker.text.truncate(cut);
        }
        maker
    }

    fn space(&mut self) {
        if self.random.one_in(3) {
            self.text.push_str([" ", "\n", "\t ", "\r\n", "    "][self.random.below(5)]);
        }
    }

    fn string(&mut self, length: usize) {
        self.text.push('"');
        for _ in 0..self.random.below(length / 2 + 2) {
            self.text.push_str(STRINGS[self.random.below(STRINGS.len())]);
        }
        if self.random.one_in(self.seldom * 8) {
            self.text.push_str(WRONG_STRINGS[self.random.below(WRONG_STRINGS.len())]);
        }
        self.text.push('"');
    }

    fn integer(&mut self, bits: u32) {
        let signed = 1_u128 << (bits - 1);
        let unsigned = signed + (signed - 1);
        let near = self.random.below(3) as u128;
        match self.random.below(8) {
            0 => self.text.push_str(&unsigned.saturating_sub(near).to_string()),
            1 => self.text.push_str(&(signed - 1 + near).to_string()),
            2 => self.text.push_str(&format!("-{}", signed - 1 + near)),
            3 => self.text.push_str(&unsigned.saturating_add(near).to_string()),
            4 => self.text.push('0'),
            _ => self.text.push_str(&self.random.below(100).to_string()),
        }
        if self.random.one_in(self.seldom) {
            self.text.push_str(
                [".0", "e2", "E-1", ".", "e", "000000000000000000000000000000000000"][self.random.below(6)],
            );
        }
    }

    fn float(&mut self) {
        let text = [
            "0.5",
            "-1.25e3",
            "1e-400",
            "-0.0",
            "12345678901234567890",
            "0.1",
            "3.4028236e38",
            "1e400",
            "-7",
            "2.2250738585072011e-308",
            "16777217",
            "9007199254740993",
            "1E5",
        ];
        self.text.push_str(text[self.random.below(text.len())]);
    }

    /// Any value.
    fn any(&mut self, depth: usize) {
        match self.random.below(if depth < 4 { 9 } else { 6 }) {
            0 => self.text.push_str("null"),
            1 => self.text.push_str(["true", "false"][self.random.below(2)]),
            2 => self.integer(32),
            3 => self.float(),
            4 | 5 => self.string(8),
            6 => self.value(&Shape::Seq(Box::new(Shape::Any), 3), depth),
            7 => self.value(&Shape::Map(Box::new(Shape::String(6)), Box::new(Shape::Any), 3), depth),
            _ => self.text.push_str(["[]", "{}", "[[]]", "{\"\":{}}"][self.random.below(4)]),
        }
    }

    fn value(&mut self, shape: &Shape, depth: usize) {
        if self.random.one_in(self.seldom) && depth < 8 {
            return self.any(depth);
        }
        match shape {
            Shape::Unit => self.text.push_str("null"),
            Shape::Bool => self.text.push_str(["true", "false"][self.random.below(2)]),
            Shape::Char => {
                let text = STRINGS[self.random.below(STRINGS.len())];
                self.text.extend(["\"", text, "\""]);
            }
            Shape::Integer(bits) => self.integer(*bits),
            Shape::Float => self.float(),
            Shape::String(length) => self.string(*length),
            Shape::Option(_) if self.random.one_in(3) => self.text.push_str("null"),
            Shape::Option(some) => self.value(some, depth),
            Shape::Seq(element, length) => {
                let count = self.random.below(length + 2);
                self.list('[', ']', count, |maker, _| maker.value(element, depth + 1));
            }
            Shape::Tuple(shapes) => {
                let extra = usize::from(self.random.one_in(self.seldom));
                let count = shapes.len() + extra - usize::from(self.random.one_in(self.seldom));
                self.list('[', ']', count, |maker, index| {
                    maker.value(shapes.get(index).unwrap_or(&Shape::Any), depth + 1);
                });
            }
            Shape::Map(key, value, length) => {
                let count = self.random.below(length + 2);
                self.list('{', '}', count, |maker, _| {
                    if matches!(**key, Shape::String(_) | Shape::Char) {
                        maker.value_right(key);
                    } else {
                        maker.text.push('"');
                        maker.value_right(key);
                        maker.text.push('"');
                    }
                    maker.colon();
                    maker.value(value, depth + 1);
                });
            }
            Shape::Struct(fields) => self.object(fields, depth),
            Shape::Enum(variants) => {
                let (name, content) = &variants[self.random.below(variants.len())];
                let name = if self.random.one_in(self.seldom) { "Unknown" } else { name };
                match content {
                    None if !self.random.one_in(4) => self.text.extend(["\"", name, "\""]),
                    Some(_) if self.random.one_in(self.seldom) => self.text.extend(["\"", name, "\""]),
                    content => {
                        let count = 1 + usize::from(self.random.one_in(self.seldom))
                            - usize::from(self.random.one_in(self.seldom));
                        self.list('{', '}', count, |maker, _| {
                            maker.text.extend(["\"", name, "\""]);
                            maker.colon();
                            maker.value(content.as_ref().unwrap_or(&Shape::Unit), depth + 1);
                        });
                    }
                }
            }
            Shape::Any => self.any(depth),
        }
    }

    /// A value without anything wrong in it.
    fn value_right(&mut self, shape: &Shape) {
        let seldom = core::mem::replace(&mut self.seldom, usize::MAX / 16);
        self.value(shape, 0);
        self.seldom = seldom;
    }

    fn colon(&mut self) {
        self.space();
        self.text.push(':');
        self.space();
    }

    fn list(&mut self, begin: char, end: char, count: usize, mut item: impl FnMut(&mut Self, usize)) {
        self.text.push(begin);
        self.space();
        for index in 0..count {
            if index != 0 {
                self.text.push(',');
                self.space();
            }
            item(self, index);
            self.space();
        }
        if self.random.one_in(self.seldom * 16) {
            self.text.push(',');
        }
        self.text.push(end);
    }

    /// The members of a struct in any order, among others, some of them missing or twice.
    fn object(&mut self, fields: &[(&'static str, Shape)], depth: usize) {
        if self.random.one_in(self.seldom * 2) {
            return self
                .list('[', ']', fields.len(), |maker, index| maker.value(&fields[index].1, depth + 1));
        }
        let mut members: Vec<Option<&(&str, Shape)>> = fields.iter().map(Some).collect();
        if self.random.one_in(self.seldom) {
            members.remove(self.random.below(members.len()));
        }
        if self.random.one_in(self.seldom * 2) {
            members.push(Some(&fields[self.random.below(fields.len())]));
        }
        for _ in 0..self.random.below(3) {
            members.push(None);
        }
        for index in (1..members.len()).rev() {
            members.swap(index, self.random.below(index + 1));
        }
        self.list('{', '}', members.len(), |maker, index| match members[index] {
            Some((name, shape)) => {
                if maker.random.one_in(4) {
                    // The same name, its first letter escaped.
                    let first = u32::from(name.as_bytes()[0]);
                    maker.text.push_str(&format!("\"\\u{first:04x}{}\"", &name[1..]));
                } else {
                    maker.text.extend(["\"", name, "\""]);
                }
                maker.colon();
                maker.value(shape, depth + 1);
            }
            None => {
                maker.text.extend([
                    "\"",
                    ["other", "", "x\\u0041", "\\ud83d\\ude00"][maker.random.below(4)],
                    "\"",
                ]);
                maker.colon();
                maker.any(depth + 1);
            }
        });
    }
}
