//! Selected fields of a gzip body: nothing of it shows unless all of the body is complete and in order.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use plimsoll::json::{self, Counted, Fields, Pointers, Select, Slot, Value};
use plimsoll::{Coding, DefaultEngine, Head, Ingest, Limits, Next, Outcome, Policy, Reason};

const POINTERS: Pointers<'static, 3> =
    match Pointers::new(["/station/name", "/readings/1/celsius", "/station"]) {
        Ok(pointers) => pointers.require([true, true, false]),
        Err(_) => panic!("found when this is compiled"),
    };

const DOCUMENT: &str = "{ \"station\": {\"name\": \"Tr\\u00f8mso\"},\n \"readings\": [{\"celsius\": -3.5}, {\"celsius\": -4.25}] }";

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// Name, temperature and station, or nothing, and the outcome.
fn take(body: &[u8], size: usize, bytes: usize) -> (Outcome, Option<[String; 3]>) {
    let (mut bytes, mut slots) = (vec![0xff; bytes], [Slot::EMPTY; 3]);
    let fields = Fields::new(&mut bytes, &mut slots);
    let limits = json::Limits { depth: 8, ..json::Limits::DEVICE };
    let mut select = Select::<Counted<8>, _, 3>::of_fields(&POINTERS, limits, fields).unwrap();
    let (mut engine, mut output) = (DefaultEngine::new(), [0; 256]);
    let policy = Policy::strict(Limits { decoded: 256, ..Limits::SMALL_DEVICE });
    let head = Head::new(Coding::Gzip);
    let mut ingest = Ingest::flat(&head, &policy, &mut engine, &mut output, &mut select);
    for piece in body.chunks(size) {
        let Ok(next) = ingest.push(piece);
        if next == Next::Stop {
            break;
        }
    }
    let (outcome, _) = ingest.finish_flat();
    let selected = select.into_selected().map(|selected| {
        let name = selected.get(0).and_then(Value::as_str).unwrap();
        let celsius = selected.get(1).and_then(Value::as_number).unwrap().as_str();
        let station = selected.get(2).and_then(Value::as_json).unwrap();
        [name, celsius, station].map(str::to_owned)
    });
    (outcome, selected)
}

#[test]
fn a_complete_body_gives_its_fields_however_it_is_cut() {
    let body = gzip(DOCUMENT);
    for size in 1..=body.len() {
        let (outcome, selected) = take(&body, size, 40);
        assert!(outcome.is_complete());
        assert_eq!(selected.unwrap(), ["Trømso", "-4.25", "{\"name\":\"Tr\\u00f8mso\"}"]);
    }
}

#[test]
fn no_prefix_and_no_body_with_a_wrong_byte_gives_a_field() {
    let body = gzip(DOCUMENT);
    for end in 0..body.len() {
        let (outcome, selected) = take(&body[..end], 7, 40);
        assert!(!outcome.is_complete() && selected.is_none(), "{end}");
    }
    for at in body.len() - 8..body.len() {
        let mut wrong = body.clone();
        wrong[at] ^= 1;
        let (outcome, selected) = take(&wrong, 7, 40);
        assert!(!outcome.is_complete() && selected.is_none(), "{at}");
    }
    for trailing in [&b"\0"[..], b"x", &body] {
        let long = [&body, trailing].concat();
        for size in 1..=long.len() {
            let (outcome, selected) = take(&long, size, 40);
            assert!(!outcome.is_complete() && selected.is_none(), "{size}");
        }
    }
}

#[test]
fn what_the_selection_refuses_is_the_outcome() {
    let reason = |text: &str, bytes| {
        let (outcome, selected) = take(&gzip(text), 5, bytes);
        assert!(selected.is_none());
        outcome.rejection().map(|rejection| (rejection.reason(), rejection.at()))
    };
    // The name, 7 bytes, and the station, 22 without white space, are there before the temperature.
    assert_eq!(take(&gzip(DOCUMENT), 5, 7 + 22 + 5).0.rejection(), None);
    let last = DOCUMENT.find("-4.25").unwrap() as u64 + 4;
    assert_eq!(reason(DOCUMENT, 7 + 22 + 4), Some((Reason::RetainedLimit, Some(last))));
    assert_eq!(reason("{\"station\":{\"name\":1}}", 40), Some((Reason::MissingField, None)));
    let twice = "{\"station\":{\"name\":1},\"readings\":[],\"station\":2}";
    assert_eq!(reason(twice, 40), Some((Reason::DuplicateKey, Some(36))));
}
