//! The measures for machines: one line of JSON for each body, and one for the limits.

use std::fmt;
use std::path::Path;

use serde_json::{Value, json};

use super::measure::{Failed, Measures};
use super::quantity::{Quantity, Unit};
use super::summary::Row;
use crate::kind::Kind;

/// An object whose members stay in order.
pub(crate) struct Line(Vec<(&'static str, Member)>);

enum Member {
    Value(Value),
    Line(Line),
}

impl Line {
    fn with(mut self, name: &'static str, value: Value) -> Self {
        self.0.push((name, Member::Value(value)));
        self
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, (name, member)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match member {
                Member::Value(value) => write!(f, "{comma}\"{name}\":{}", harmless(&value.to_string()))?,
                Member::Line(line) => write!(f, "{comma}\"{name}\":{line}")?,
            }
        }
        f.write_str("}")
    }
}

/// JSON without the control characters that a string may hold as they are, and that could steer a terminal.
fn harmless(json: &str) -> String {
    json.chars().fold(String::with_capacity(json.len()), |mut harmless, character| {
        if character.is_control() {
            harmless.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            harmless.push(character);
        }
        harmless
    })
}

/// A body that was measured. What does not apply to it is absent.
pub(crate) fn body(path: &Path, kind: &Kind, measures: &Measures) -> Line {
    let coding = match kind.head.coding {
        plimsoll::Coding::Gzip => "gzip",
        _ => "identity",
    };
    let line = Line(Vec::new())
        .with("file", json!(path.to_string_lossy()))
        .with("coding", json!(coding))
        .with("media", json!(kind.media.as_str()));
    Quantity::ALL.into_iter().fold(line, |line, quantity| {
        let traits = quantity.traits();
        match quantity.of(measures) {
            Some(hundredths) if traits.unit == Unit::Ratio => {
                line.with(traits.name, json!(hundredths as f64 / 100.0))
            }
            Some(value) => line.with(traits.name, json!(value)),
            None => line,
        }
    })
}

/// A body that was not measured. It has a reason where it was rejected.
pub(crate) fn failed(path: &Path, failed: &Failed) -> Line {
    let line =
        Line(Vec::new()).with("file", json!(path.to_string_lossy())).with("error", json!(failed.to_string()));
    match failed {
        Failed::Rejected(rejection) => line.with("reason", json!(rejection.reason().as_str())),
        Failed::Unread(_) => line,
    }
}

/// The limits over all bodies, and the same as options.
pub(crate) fn limits(rows: &[Row<'_>], flags: &[String], measured: usize, failed: usize) -> Line {
    let limits = rows.iter().filter_map(|row| Some((row.quantity.traits().name, row.limit?)));
    let limits = limits.map(|(name, limit)| (name, Member::Value(json!(limit)))).collect();
    let mut line = Line(Vec::new()).with("measured", json!(measured)).with("failed", json!(failed));
    line.0.push(("limits", Member::Line(Line(limits))));
    line.with("options", json!(flags))
}
