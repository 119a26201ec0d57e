//! Pointers at random, most of which lead somewhere, and what a tree says that they name.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;

/// Choices of which a pointer into any tree can be made.
#[derive(Clone, Debug)]
pub struct Way {
    steps: Vec<(Index, u8)>,
    wrong: String,
}

/// A way of up to `most` steps.
pub fn way(most: usize) -> impl Strategy<Value = Way> {
    (prop::collection::vec((any::<Index>(), any::<u8>()), 0..=most), super::document::key())
        .prop_map(|(steps, wrong)| Way { steps, wrong })
}

/// A reference token for a key.
fn escaped(key: &str) -> String {
    if key == "*" { "~2".to_owned() } else { key.replace('~', "~0").replace('/', "~1") }
}

impl Way {
    /// The pointer that it is in `tree`: down as long as there are items, sometimes by a `*`, sometimes beside them all.
    #[must_use]
    pub fn pointer(&self, tree: &Value) -> String {
        let mut here = Some(tree);
        let mut pointer = String::new();
        for &(index, kind) in &self.steps {
            let (token, next) = match here {
                Some(Value::Array(items)) if !items.is_empty() => {
                    let at = index.index(items.len());
                    (at.to_string(), items.get(at))
                }
                Some(Value::Object(members)) if !members.is_empty() => {
                    let (key, value) = members.iter().nth(index.index(members.len())).unwrap();
                    (escaped(key), Some(value))
                }
                _ if kind % 4 != 0 => break,
                _ => (escaped(&self.wrong), None),
            };
            let token = match kind % 16 {
                0 | 1 => "*".to_owned(),
                2 => escaped(&self.wrong),
                _ => token,
            };
            pointer.push('/');
            pointer.push_str(&token);
            here = next;
        }
        pointer
    }
}

/// What a pointer names, in the order of the tree.
#[must_use]
pub fn named<'t>(tree: &'t Value, pointer: &str) -> Vec<&'t Value> {
    let mut here = vec![tree];
    for token in pointer.split('/').skip(1) {
        let key = token.replace("~2", "*").replace("~1", "/").replace("~0", "~");
        let mut items = Vec::new();
        for value in here {
            match value {
                Value::Array(elements) if token == "*" => items.extend(elements),
                Value::Object(members) if token == "*" => items.extend(members.values()),
                Value::Array(elements) => {
                    let at: Option<usize> = token.parse().ok().filter(|at: &usize| at.to_string() == token);
                    items.extend(at.and_then(|at| elements.get(at)));
                }
                Value::Object(members) => items.extend(members.get(&key)),
                _ => {}
            }
        }
        here = items;
    }
    here
}

/// Whether a pointer has a `*` that takes each item.
#[must_use]
pub fn is_many(pointer: &str) -> bool {
    pointer.split('/').skip(1).any(|token| token == "*")
}
