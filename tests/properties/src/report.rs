//! The report.

use plimsoll::{Outcome, REPORT_MAX, Reason, Rejection, Verdict};
use serde_json::Value;

use crate::input::Input;

/// The keys of a report in the published order.
const KEYS: [&str; 12] = [
    "outcome",
    "stage",
    "reason",
    "limit",
    "unit",
    "at",
    "record",
    "encoded_bytes",
    "decoded_bytes",
    "lower_bound",
    "exposed_bytes",
    "cancelled",
];

/// The report of any outcome is one line of valid JSON with the published keys in their order and the outcome's
/// values, fits the published length, and is an error and not half a report in a buffer that is too short.
pub fn written(input: Input<'_>) {
    let mut numbers = input.body.chunks(8).map(|chunk| {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(bytes)
    });
    let mut number = || numbers.next().unwrap_or(0);
    let reason = Reason::ALL[input.dials[4] as usize % Reason::ALL.len()];
    let mut rejection =
        if reason.is_limit() { Rejection::limit_exceeded(reason, number()) } else { Rejection::new(reason) };
    if input.chosen(5, 0) {
        rejection = rejection.with_at(number());
    }
    if input.chosen(5, 1) {
        rejection = rejection.with_record(number());
    }
    let outcome = Outcome {
        verdict: match input.dials[6] % 4 {
            0 => Verdict::Complete,
            1 => Verdict::Preview,
            _ => Verdict::Rejected(rejection),
        },
        encoded_bytes: number(),
        decoded_bytes: number(),
        lower_bound: input.chosen(5, 2),
        exposed_bytes: number(),
        cancelled: input.chosen(5, 3),
    };

    let mut buffer = [0xFF; REPORT_MAX];
    let line = outcome.write_report(&mut buffer).expect("it fits").to_owned();
    assert!(!line.contains(['\n', '\r']), "{line}");
    let value: Value = serde_json::from_str(&line).expect("valid JSON");
    let found = value.as_object().expect("an object");
    let places: Vec<usize> =
        KEYS.iter().filter(|key| found.contains_key(**key)).map(|key| position(&line, key)).collect();
    assert_eq!(places.len(), found.len(), "keys that are not published: {line}");
    assert!(places.is_sorted(), "{line}");

    let refused = outcome.rejection();
    let limit = refused.and_then(|rejection| rejection.limit());
    let at = refused.filter(|_| limit.is_none()).and_then(|rejection| rejection.at());
    let verdict = match outcome.verdict {
        Verdict::Complete => "complete",
        Verdict::Preview => "preview",
        Verdict::Rejected(_) => "rejected",
    };
    for (key, expected) in [
        ("outcome", Some(Value::from(verdict))),
        ("stage", refused.map(|rejection| rejection.stage().as_str().into())),
        ("reason", refused.map(|rejection| rejection.reason().as_str().into())),
        ("limit", limit.map(|limit| limit.value.into())),
        ("unit", limit.map(|limit| limit.unit.as_str().into())),
        ("at", at.map(Value::from)),
        ("record", refused.and_then(|rejection| rejection.record()).map(Value::from)),
        ("encoded_bytes", Some(outcome.encoded_bytes.into())),
        ("decoded_bytes", Some(outcome.decoded_bytes.into())),
        ("lower_bound", Some(outcome.lower_bound.into())),
        ("exposed_bytes", Some(outcome.exposed_bytes.into())),
        ("cancelled", Some(outcome.cancelled.into())),
    ] {
        assert_eq!(found.get(key), expected.as_ref(), "{key}: {line}");
    }

    let room = input.wide_dial(7) as usize % (REPORT_MAX + 1);
    let short = outcome.write_report(&mut buffer[..room]).map(str::to_owned);
    assert_eq!(short.ok(), (room >= line.len()).then_some(line));
}

fn position(line: &str, key: &str) -> usize {
    line.find(&format!("\"{key}\":")).expect("the key is there")
}
