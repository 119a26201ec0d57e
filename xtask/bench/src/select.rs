//! A few fields of a document, or of each record of a stream: by JSON Pointer in chunks of 4 KiB, against the check alone, bufjson's pointer evaluator
//! and `serde_json`'s parse into types that skip the rest, which has the whole slice. The rate counts bytes of the
//! document.

use core::cell::Cell;
use core::hint::black_box;

use bufjson::lexical::Token;
use bufjson::lexical::fixed::FixedAnalyzer;
use bufjson::pointer::{Evaluator, Group, Pointer};
use plimsoll_core::Inspect;
use plimsoll_json::{
    Check, CheckRecords, Counted, Fields, Framing, Limits, Pointers, RecordFields, RecordLimits, Select,
    SelectRecords, Slot,
};
use plimsoll_subjects::corpora::{Corpora, Document};
use serde::Deserialize;

use crate::json::CHUNK;
use crate::records;
use crate::rounds::{Heading, Lane, Settings, Table, Task, Unit, measure};

const CHECK: &str = "plimsoll Check";
const CHECK_RECORDS: &str = "plimsoll CheckRecords";
const SERDE_JSON_STREAM: &str = "serde_json stream of derived types, whole slice";
const BUFJSON: &str = "bufjson pointer evaluator, whole slice";
const SERDE_JSON: &str = "serde_json derived types, whole slice";

/// Three fields, one of them far inside.
const THREE: [&str; 3] =
    ["/search_metadata/query", "/search_metadata/count", "/statuses/50/user/screen_name"];

/// Two of each status.
const EACH: [&str; 2] = ["/statuses/*/id", "/statuses/*/user/screen_name"];

const THREE_FIELDS: &str = "twitter, three fields";
const EACH_STATUS: &str = "twitter, two fields of each status";
const EACH_RECORD: &str = "twitter, two fields of the status on each line";

/// The same two, of a status that is a record.
const OF_RECORD: [&str; 2] = ["/id", "/user/screen_name"];

pub(crate) fn run(settings: &Settings) -> Table {
    let corpora = Corpora::locate();
    let twitter = corpora.json("twitter");
    let lines = records::lines("twitter", &records::values(&corpora, "twitter", Some("statuses")));
    let line = |contestant, ours, task| Lane {
        subject: EACH_RECORD.to_owned(),
        contestant,
        ours,
        bytes: lines.bytes.len(),
        task,
    };
    let lane = |subject: &str, contestant, ours, task| Lane {
        subject: subject.to_owned(),
        contestant,
        ours,
        bytes: twitter.bytes.len(),
        task,
    };
    let lanes = vec![
        lane(THREE_FIELDS, "plimsoll Select", true, select(&twitter, THREE, 3)),
        lane(THREE_FIELDS, CHECK, true, check(&twitter)),
        lane(THREE_FIELDS, BUFJSON, false, bufjson(&twitter, &THREE, 3)),
        lane(THREE_FIELDS, SERDE_JSON, false, serde_json_three(&twitter)),
        lane(EACH_STATUS, "plimsoll Select", true, select(&twitter, EACH, 200)),
        lane(EACH_STATUS, CHECK, true, check(&twitter)),
        lane(EACH_STATUS, SERDE_JSON, false, serde_json_each(&twitter)),
        line("plimsoll SelectRecords", true, select_records(&lines, 100)),
        line(CHECK_RECORDS, true, check_records(&lines)),
        line(SERDE_JSON_STREAM, false, serde_json_records(&lines, 100)),
    ];
    let heading = Heading {
        kind: "select",
        about: "a few fields, bytes of the document",
        unit: Unit::MegabytesPerSecond,
        references: &[CHECK, BUFJSON, SERDE_JSON, CHECK_RECORDS, SERDE_JSON_STREAM],
        ordinary: None,
    };
    measure(heading, settings, lanes)
}

fn select<'a, const P: usize>(document: &'a Document, texts: [&'static str; P], matches: usize) -> Task<'a> {
    let pointers = Pointers::new(texts).expect("pointers");
    let (mut bytes, mut slots) = (vec![0; 16 << 10], vec![Slot::EMPTY; matches]);
    Box::new(move || {
        let fields = Fields::new(&mut bytes, &mut slots);
        let Ok(mut select) = Select::<Counted<64>, _, P>::of_fields(&pointers, Limits::HOST, fields) else {
            return false;
        };
        document.bytes.chunks(CHUNK).all(|chunk| select.inspect(chunk).is_ok())
            && select.finish().is_ok()
            && select.into_selected().is_some_and(|selected| black_box(selected).len() == matches)
    })
}

fn check(document: &Document) -> Task<'_> {
    Box::new(|| {
        let Ok(mut check) = Check::<Counted<64>>::new(Limits::HOST) else { return false };
        document.bytes.chunks(CHUNK).all(|chunk| check.inspect(chunk).is_ok()) && check.finish().is_ok()
    })
}

/// `matches` records, each of which has both fields.
fn select_records(lines: &Document, matches: usize) -> Task<'_> {
    let pointers = Pointers::new(OF_RECORD).expect("pointers").require([true; 2]);
    let (mut bytes, mut slots) = (vec![0; 256], [Slot::EMPTY; 2]);
    Box::new(move || {
        let found = Cell::new(0);
        let fields = RecordFields::new(Fields::new(&mut bytes, &mut slots), |_, selected| {
            found.set(found.get() + usize::from(black_box(selected).len() == 2));
        });
        let (records, limits, room) = (RecordLimits::HOST, Limits::HOST, fields.room());
        let made =
            SelectRecords::<Counted<64>, _, 2>::new(&pointers, Framing::Lines, records, limits, room, fields);
        let Ok(mut select) = made else { return false };
        lines.bytes.chunks(CHUNK).all(|chunk| select.inspect(chunk).is_ok())
            && select.finish().is_ok()
            && found.get() == matches
    })
}

fn check_records(lines: &Document) -> Task<'_> {
    Box::new(|| {
        let (records, limits) = (RecordLimits::HOST, Limits::HOST);
        let Ok(mut check) = CheckRecords::<Counted<64>>::new(Framing::Lines, records, limits) else {
            return false;
        };
        lines.bytes.chunks(CHUNK).all(|chunk| check.inspect(chunk).is_ok()) && check.finish().is_ok()
    })
}

fn bufjson<'a>(document: &'a Document, texts: &[&'static str], matches: usize) -> Task<'a> {
    let pointers: Vec<_> = texts.iter().map(|&text| Pointer::from_static(text)).collect();
    Box::new(move || {
        let parser = FixedAnalyzer::new(document.bytes.as_slice()).into_parser();
        let group = Group::from_pointers(pointers.iter().cloned());
        let mut evaluator = Evaluator::new(parser, group, true);
        let mut found = 0;
        loop {
            let event = evaluator.next_meaningful();
            let (is_match, token) = (event.is_match(), event.token());
            match token {
                Token::Eof => return found == matches,
                Token::Err => return false,
                _ if is_match => {
                    found += 1;
                    black_box(evaluator.content().literal());
                }
                _ => {}
            }
        }
    })
}

#[derive(Deserialize)]
struct Metadata {
    query: String,
    count: u32,
}

#[derive(Deserialize)]
struct User {
    screen_name: String,
}

/// All of them are read, for there is no other way to the one that is wanted.
#[derive(Deserialize)]
struct StatusOfUser {
    user: User,
}

#[derive(Deserialize)]
struct Three {
    statuses: Vec<StatusOfUser>,
    search_metadata: Metadata,
}

fn serde_json_three(document: &Document) -> Task<'_> {
    Box::new(|| {
        let Ok(three) = serde_json::from_slice::<Three>(black_box(&document.bytes)) else { return false };
        let Some(status) = three.statuses.get(50) else { return false };
        black_box((&three.search_metadata.query, three.search_metadata.count, &status.user.screen_name));
        true
    })
}

#[derive(Deserialize)]
struct Status {
    id: u64,
    user: User,
}

#[derive(Deserialize)]
struct Each {
    statuses: Vec<Status>,
}

fn serde_json_each(document: &Document) -> Task<'_> {
    Box::new(|| {
        let Ok(each) = serde_json::from_slice::<Each>(black_box(&document.bytes)) else { return false };
        each.statuses.iter().for_each(|status| _ = black_box((status.id, &status.user.screen_name)));
        true
    })
}

fn serde_json_records(lines: &Document, matches: usize) -> Task<'_> {
    Box::new(move || {
        let mut found = 0;
        for status in serde_json::Deserializer::from_slice(black_box(&lines.bytes)).into_iter::<Status>() {
            let Ok(status) = status else { return false };
            black_box((status.id, &status.user.screen_name));
            found += 1;
        }
        found == matches
    })
}
