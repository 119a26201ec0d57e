//! Units of JSON: a value of any kind, small, with any white space, as the items of one array.

use super::{Random, Unit};

/// A value.
#[derive(Clone)]
pub(crate) enum Value {
    /// A number or a literal.
    Plain(&'static str),
    Text(Vec<&'static str>),
    Array(Vec<Value>, &'static str),
    Object(Vec<(Vec<&'static str>, Value)>, &'static str),
}

const PLAIN: [&str; 20] = [
    "0",
    "1",
    "-1",
    "12",
    "123",
    "1234",
    "12345678",
    "0.5",
    "-0.25",
    "1e5",
    "1.5e-10",
    "1E+2",
    "-0",
    "0.123456789",
    "9007199254740993",
    "true",
    "false",
    "null",
    "1e1",
    "0e0",
];
/// Parts of a string: characters of each length, in and out of escapes.
const PARTS: [&str; 22] = [
    "a",
    "b",
    "c",
    "aa",
    "é",
    "€",
    "😀",
    "\\n",
    "\\\"",
    "\\\\",
    "\\u00e9",
    "\\u0061",
    "\\u20ac",
    "\\ud83d\\ude00",
    "abcdefgh",
    "abcdefghijklmnop",
    "*",
    "~",
    "ü",
    " ",
    "\u{7ff}",
    "\u{ffff}",
];
const SPACE: [&str; 8] = ["", "", "", " ", "\n", "\t", "  ", "\r\n    "];

impl Value {
    fn of_depth(random: &mut Random, depth: usize) -> Self {
        match random.below(if depth == 0 { 2 } else { 4 }) {
            0 => Self::Plain(random.one_of(&PLAIN)),
            1 => Self::Text(text(random)),
            2 => {
                let count = random.below(4);
                Self::Array(
                    (0..count).map(|_| Self::of_depth(random, depth - 1)).collect(),
                    random.one_of(&SPACE),
                )
            }
            _ => {
                let count = random.below(4);
                let member = |random: &mut Random| (text(random), Self::of_depth(random, depth - 1));
                Self::Object((0..count).map(|_| member(random)).collect(), random.one_of(&SPACE))
            }
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Plain(text) => *out += text,
            Self::Text(parts) => write_text(parts, out),
            Self::Array(items, space) => {
                *out += "[";
                for (index, item) in items.iter().enumerate() {
                    *out += if index > 0 { "," } else { "" };
                    *out += space;
                    item.write(out);
                }
                *out += space;
                *out += "]";
            }
            Self::Object(members, space) => {
                *out += "{";
                for (index, (key, value)) in members.iter().enumerate() {
                    *out += if index > 0 { "," } else { "" };
                    *out += space;
                    write_text(key, out);
                    *out += space;
                    *out += ":";
                    *out += space;
                    value.write(out);
                }
                *out += space;
                *out += "}";
            }
        }
    }

    /// Changes something in this value or in one that it holds.
    fn change(&mut self, random: &mut Random, depth: usize) {
        if random.below(5) == 0 {
            *self = Self::of_depth(random, depth);
            return;
        }
        match self {
            Self::Plain(text) => *text = random.one_of(&PLAIN),
            Self::Text(parts) => change_text(parts, random),
            Self::Array(items, space) => match random.below(4) {
                0 => *space = random.one_of(&SPACE),
                1 => items.push(Self::of_depth(random, depth.saturating_sub(1))),
                2 if !items.is_empty() => drop(items.remove(random.below(items.len()))),
                _ if !items.is_empty() => {
                    let at = random.below(items.len());
                    items[at].change(random, depth.saturating_sub(1));
                }
                _ => {}
            },
            Self::Object(members, space) => match random.below(5) {
                0 => *space = random.one_of(&SPACE),
                1 => members.push((text(random), Self::of_depth(random, depth.saturating_sub(1)))),
                2 if !members.is_empty() => drop(members.remove(random.below(members.len()))),
                3 if !members.is_empty() => {
                    let at = random.below(members.len());
                    change_text(&mut members[at].0, random);
                }
                _ if !members.is_empty() => {
                    let at = random.below(members.len());
                    members[at].1.change(random, depth.saturating_sub(1));
                }
                _ => {}
            },
        }
    }
}

fn text(random: &mut Random) -> Vec<&'static str> {
    let count = random.below(4);
    (0..count).map(|_| random.one_of(&PARTS)).collect()
}

fn change_text(parts: &mut Vec<&'static str>, random: &mut Random) {
    match random.below(4) {
        0 if !parts.is_empty() => drop(parts.remove(random.below(parts.len()))),
        1 if !parts.is_empty() => {
            let at = random.below(parts.len());
            parts[at] = random.one_of(&PARTS);
        }
        2 => parts.extend(parts.clone()),
        _ => parts.push(random.one_of(&PARTS)),
    }
    parts.truncate(64);
}

fn write_text(parts: &[&str], out: &mut String) {
    *out += "\"";
    parts.iter().for_each(|part| *out += part);
    *out += "\"";
}

impl Unit for Value {
    fn random(random: &mut Random) -> Self {
        Self::of_depth(random, 3)
    }

    fn changed(&self, random: &mut Random) -> Self {
        let mut changed = self.clone();
        changed.change(random, 3);
        changed
    }

    fn repeated(&self, size: usize) -> Vec<u8> {
        let mut unit = String::new();
        self.write(&mut unit);
        let mut out = format!("[{unit}");
        while out.len() < size {
            out += ",";
            out += &unit;
        }
        out += "]";
        out.into_bytes()
    }

    fn thought_of(size: usize) -> Vec<Vec<u8>> {
        let strings =
            ["\\n", "\\u00e9", "\\ud83d\\ude00", "éa", "é", "€", "😀"].map(|part| ["\"", part, "\""]);
        let arrays = [
            ["[", "{},", "{}]"],
            ["[", "\"\",", "1]"],
            ["[", "[[[[[[]]]]]],", "1]"],
            ["{\"a\":[", "[],", "1]}"],
        ];
        let repeated = |[head, unit, tail]: [&str; 3]| [head, &unit.repeat(size / unit.len()), tail].concat();
        strings.into_iter().chain(arrays).map(|parts| repeated(parts).into_bytes()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_and_every_change_of_one_is_json() {
        let mut random = Random(7);
        for _ in 0..200 {
            let mut value = Value::random(&mut random);
            for _ in 0..5 {
                let bytes = value.repeated(100);
                assert!(serde_json::from_slice::<serde_json::Value>(&bytes).is_ok(), "{bytes:?}");
                value = value.changed(&mut random);
            }
        }
    }
}
