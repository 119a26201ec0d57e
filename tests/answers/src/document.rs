//! Documents at random: a tree, and one of the texts that stand for it.

use proptest::prelude::*;
use serde_json::{Map, Value};

/// Keys of few kinds, so that pointers meet them, with everything that a pointer or JSON escapes.
pub fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec!["a", "b", "id", "", "0", "1", "~", "/", "*", "~1", "a/b", "é", "😀", "\"\\", "\n"])
            .prop_map(str::to_owned),
        1 => "\\PC{0,6}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-c \"\\\\/\u{0}\n\u{1f}é€😀]{0,8}",
        1 => "\\PC{0,40}",
    ]
}

/// A tree without floats, whose text would depend on the oracle.
pub fn tree() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// Bytes that decide, one after the other and around again, how a text is written where JSON leaves room.
pub fn style() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..24)
}

/// A text of `tree`, of one line.
#[must_use]
pub fn written(tree: &Value, style: &[u8]) -> String {
    let mut writer = Writer { style: style.iter().copied().cycle(), text: String::new() };
    writer.space();
    writer.value(tree);
    writer.space();
    writer.text
}

struct Writer<I> {
    style: I,
    text: String,
}

impl<I: Iterator<Item = u8>> Writer<I> {
    fn chance(&mut self, of: u8) -> bool {
        self.style.next().is_some_and(|byte| byte % of == 0)
    }

    fn space(&mut self) {
        if self.chance(4) {
            let tab = self.chance(2);
            self.text.push_str(if tab { "\t " } else { " " });
        }
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        for character in text.chars() {
            if matches!(character, '"' | '\\' | ..' ') || self.chance(7) {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    self.text.push_str(&format!("\\u{unit:04X}"));
                }
            } else {
                self.text.push(character);
            }
        }
        self.text.push('"');
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.text.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.separate(index);
                    self.value(item);
                    self.space();
                }
                self.space();
                self.text.push(']');
            }
            Value::Object(members) => {
                self.text.push('{');
                for (index, (key, value)) in members.iter().enumerate() {
                    self.separate(index);
                    self.string(key);
                    self.space();
                    self.text.push(':');
                    self.space();
                    self.value(value);
                    self.space();
                }
                self.space();
                self.text.push('}');
            }
            scalar => self.text.push_str(&scalar.to_string()),
        }
    }

    fn separate(&mut self, index: usize) {
        if index != 0 {
            self.text.push(',');
        }
        self.space();
    }
}
