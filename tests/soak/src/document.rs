//! Random JSON documents, measured as they are written.

use std::fmt::Write;

use fastrand::Rng;

/// What a document has, in the units of the limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Measures {
    /// Bytes of the longest string, after unescaping.
    pub string: u32,
    /// Bytes of the longest key, after unescaping.
    pub key: u32,
    /// Bytes of the longest number.
    pub number: u32,
    /// Items of the fullest container.
    pub items: u32,
    /// Values, containers included.
    pub values: u32,
    /// Levels, where `[]` is 1.
    pub depth: u16,
}

impl Measures {
    /// The greater of each.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            string: self.string.max(other.string),
            key: self.key.max(other.key),
            number: self.number.max(other.number),
            items: self.items.max(other.items),
            values: self.values.max(other.values),
            depth: self.depth.max(other.depth),
        }
    }
}

/// Writes one document of some `size` bytes, without white space around it and without a line end, behind what `out`
/// has.
pub fn write(rng: &mut Rng, out: &mut String, size: usize) -> Measures {
    let until = out.len() + size;
    let mut writer = Writer { rng, out, until, measures: Measures::default() };
    writer.container(1);
    writer.measures
}

struct Writer<'w> {
    rng: &'w mut Rng,
    out: &'w mut String,
    /// No value begins behind this length.
    until: usize,
    measures: Measures,
}

/// No document is deeper.
pub const DEEPEST: u16 = 40;

impl Writer<'_> {
    fn value(&mut self, depth: u16) {
        match self.rng.u8(..8) {
            0..=2 if depth < DEEPEST => self.container(depth + 1),
            0..=3 => {
                self.measures.values += 1;
                let length = self.string();
                self.measures.string = self.measures.string.max(length);
            }
            4..=5 => {
                self.measures.values += 1;
                self.number();
            }
            6 => {
                self.measures.values += 1;
                self.out.push_str(["true", "false"][self.rng.usize(..2)]);
            }
            _ => {
                self.measures.values += 1;
                self.out.push_str("null");
            }
        }
    }

    /// A container whose own level is `depth`.
    fn container(&mut self, depth: u16) {
        self.measures.values += 1;
        self.measures.depth = self.measures.depth.max(depth);
        let object = self.rng.bool();
        self.out.push(if object { '{' } else { '[' });
        let wanted = if depth == 1 { u32::MAX } else { self.rng.u32(..6) };
        let mut items = 0;
        while items < wanted && self.out.len() < self.until {
            if items > 0 {
                self.out.push(',');
            }
            self.space();
            if object {
                let length = self.string();
                self.measures.key = self.measures.key.max(length);
                self.space();
                self.out.push(':');
                self.space();
            }
            self.value(depth);
            self.space();
            items += 1;
        }
        self.measures.items = self.measures.items.max(items);
        self.out.push(if object { '}' } else { ']' });
    }

    fn space(&mut self) {
        if self.rng.u8(..16) == 0 {
            self.out.push_str([" ", "\t", "  "][self.rng.usize(..3)]);
        }
    }

    /// Writes a string or key, and gives its length after unescaping.
    fn string(&mut self) -> u32 {
        self.out.push('"');
        let mut length = 0;
        for _ in 0..self.rng.u32(..24) {
            length += match self.rng.u8(..24) {
                0 => {
                    self.out.push_str(["\\n", "\\\"", "\\\\", "\\/", "\\b"][self.rng.usize(..5)]);
                    1
                }
                1 => {
                    self.out.push_str(["\\u0041", "\\u0000", "\\u007f"][self.rng.usize(..3)]);
                    1
                }
                2 => {
                    self.out.push_str(["\\u00e9", "é", "\\u0416"][self.rng.usize(..3)]);
                    2
                }
                3 => {
                    self.out.push_str(["\\u20AC", "€", "\\uffff"][self.rng.usize(..3)]);
                    3
                }
                4 => {
                    self.out.push_str(["\\ud83d\\ude00", "😀"][self.rng.usize(..2)]);
                    4
                }
                _ => {
                    self.out.push(char::from(self.rng.u8(b'a'..=b'z')));
                    1
                }
            };
        }
        self.out.push('"');
        length
    }

    fn number(&mut self) {
        let start = self.out.len();
        let written = match self.rng.u8(..4) {
            0 => write!(self.out, "{}", self.rng.i16(..)),
            1 => write!(self.out, "{}.{:03}", self.rng.i32(..), self.rng.u16(..1000)),
            2 => write!(self.out, "-0.{}e{}", self.rng.u64(..), self.rng.i8(..)),
            _ => write!(self.out, "{}", self.rng.u8(..)),
        };
        assert!(written.is_ok(), "a string takes everything");
        let length = u32::try_from(self.out.len() - start).expect("a number is short");
        self.measures.number = self.measures.number.max(length);
    }
}
