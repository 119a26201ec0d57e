//! Streams of records: NDJSON made of real documents and of short ones, in chunks of 4 KiB. What they are compared
//! with is the same values in one array, checked as one document, and `serde_json`'s stream over the whole slice.

use core::hint::black_box;

use plimsoll_core::Inspect;
use plimsoll_json::{
    Assembler, Check, CheckRecords, Counted, Document as Machine, Framing, Limits, RecordLimits, Records,
    Tokenizer,
};
use plimsoll_subjects::corpora::{Corpora, Document};
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::json::CHUNK;
use crate::rounds::{Heading, Lane, Settings, Table, Task, Unit, measure};

const CHECK_RECORDS: &str = "plimsoll CheckRecords";
const ARRAY: &str = "plimsoll Check, the same in one array";
const SERDE_JSON: &str = "serde_json stream of IgnoredAny, whole slice";

/// Name, and what makes a task for NDJSON and for the same values in an array.
type Contestant = (&'static str, for<'a> fn(&'a [u8], &'a [u8]) -> Task<'a>);

const OURS: &[Contestant] = &[
    (CHECK_RECORDS, check_records),
    ("plimsoll Records of tokens", tokens),
    ("plimsoll Records of whole strings", whole),
    (ARRAY, array),
];

const PEERS: &[Contestant] = &[(SERDE_JSON, serde_json_stream)];

pub(crate) fn run(settings: &Settings) -> Table {
    let subjects = subjects(&Corpora::locate());
    let mut lanes = Vec::new();
    for (lines, array) in &subjects {
        for (contestants, ours) in [(OURS, true), (PEERS, false)] {
            for &(contestant, start) in contestants {
                lanes.push(Lane {
                    subject: lines.name.clone(),
                    contestant,
                    ours,
                    bytes: lines.bytes.len(),
                    task: start(&lines.bytes, array),
                });
            }
        }
    }
    let heading = Heading {
        kind: "records",
        about: "NDJSON, bytes of the body",
        unit: Unit::MegabytesPerSecond,
        references: &[ARRAY, SERDE_JSON],
        ordinary: None,
    };
    measure(heading, settings, lanes)
}

/// Each with the same values in an array.
fn subjects(corpora: &Corpora) -> Vec<(Document, Vec<u8>)> {
    let again = |record: &str| vec![record.to_owned(); (1 << 20) / (record.len() + 1)];
    [
        ("twitter, a status per line", values(corpora, "twitter", Some("statuses"))),
        ("github_events, an event per line", values(corpora, "github_events", None)),
        ("short records", again("{\"sensor\":\"boiler-3\",\"t\":1764518400,\"celsius\":81.25,\"ok\":true}")),
        ("{} again and again", again("{}")),
        ("1 again and again", again("1")),
    ]
    .map(|(name, records)| (lines(name, &records), format!("[{}]", records.join(",")).into_bytes()))
    .into()
}

/// The items of a corpus, or of the array in its member `key`, each as JSON without white space.
pub(crate) fn values(corpora: &Corpora, name: &str, key: Option<&str>) -> Vec<String> {
    let value: Value = serde_json::from_slice(&corpora.json(name).bytes).expect("a corpus is JSON");
    let items = key.map_or(&value, |key| &value[key]).as_array().expect("records");
    items.iter().map(Value::to_string).collect()
}

/// A line of NDJSON for each record.
pub(crate) fn lines(name: &str, records: &[String]) -> Document {
    Document::new(name, records.iter().map(|record| format!("{record}\n")).collect::<String>())
}

fn check_records<'a>(lines: &'a [u8], _array: &'a [u8]) -> Task<'a> {
    Box::new(|| {
        let (records, limits) = (RecordLimits::HOST, Limits::HOST);
        let Ok(mut check) = CheckRecords::<Counted<64>>::new(Framing::Lines, records, limits) else {
            return false;
        };
        lines.chunks(CHUNK).all(|chunk| check.inspect(chunk).is_ok()) && check.finish().is_ok()
    })
}

fn array<'a>(_lines: &'a [u8], array: &'a [u8]) -> Task<'a> {
    Box::new(|| {
        let Ok(mut check) = Check::<Counted<64>>::new(Limits::HOST) else { return false };
        array.chunks(CHUNK).all(|chunk| check.inspect(chunk).is_ok()) && check.finish().is_ok()
    })
}

fn tokens<'a>(lines: &'a [u8], _array: &'a [u8]) -> Task<'a> {
    Box::new(|| Tokenizer::<Counted<64>>::new(Limits::HOST).is_ok_and(|tokenizer| read(lines, tokenizer)))
}

fn whole<'a>(lines: &'a [u8], _array: &'a [u8]) -> Task<'a> {
    let mut scratch = vec![0; 64 << 10];
    Box::new(move || {
        Assembler::<Counted<64>>::new(Limits::HOST, &mut scratch)
            .is_ok_and(|assembler| read(lines, assembler))
    })
}

fn read(lines: &[u8], machine: impl Machine) -> bool {
    let mut records = Records::new(Framing::Lines, RecordLimits::HOST, machine);
    for chunk in lines.chunks(CHUNK) {
        let mut rest = chunk;
        while !rest.is_empty() {
            let Ok(step) = records.step(rest) else { return false };
            rest = &rest[step.consumed..];
            black_box(step.event);
        }
    }
    loop {
        match records.finish() {
            Ok(Some(_)) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

fn serde_json_stream<'a>(lines: &'a [u8], _array: &'a [u8]) -> Task<'a> {
    Box::new(|| {
        serde_json::Deserializer::from_slice(lines).into_iter::<IgnoredAny>().all(|record| record.is_ok())
    })
}
