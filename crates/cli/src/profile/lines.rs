//! The measures for machines: one line of JSON for each body, and one for the limits.

use serde_json::{Map, Value, json};

use super::measure::{Failed, Measures};
use super::quantity::{Quantity, Unit};
use super::summary::Row;
use crate::kind::Kind;

/// A body that was measured. What does not apply to it is absent.
pub(crate) fn body(name: &str, kind: &Kind, measures: &Measures) -> Value {
    let coding = match kind.head.coding {
        plimsoll::Coding::Gzip => "gzip",
        _ => "identity",
    };
    let mut line = Map::new();
    line.insert("file".to_owned(), json!(name));
    line.insert("coding".to_owned(), json!(coding));
    line.insert("media".to_owned(), json!(kind.media.as_str()));
    for quantity in Quantity::ALL {
        let traits = quantity.traits();
        let value = match quantity.of(measures) {
            Some(hundredths) if traits.unit == Unit::Ratio => json!(hundredths as f64 / 100.0),
            Some(value) => json!(value),
            None => continue,
        };
        line.insert(traits.name.to_owned(), value);
    }
    Value::Object(line)
}

/// A body that was not measured. It has a reason where it was rejected.
pub(crate) fn failed(name: &str, failed: &Failed) -> Value {
    let error = failed.to_string();
    match failed {
        Failed::Rejected(rejection) => {
            json!({ "file": name, "error": error, "reason": rejection.reason().as_str() })
        }
        Failed::Unread(_) => json!({ "file": name, "error": error }),
    }
}

/// The limits over all bodies, and the same as options.
pub(crate) fn limits(rows: &[Row<'_>], flags: &[String], measured: usize, failed: usize) -> Value {
    let limits =
        rows.iter().filter_map(|row| Some((row.quantity.traits().name.to_owned(), json!(row.limit?))));
    let limits: Map<_, _> = limits.collect();
    json!({ "measured": measured, "failed": failed, "limits": limits, "options": flags })
}
