//! Selection per record: each record is what a document of its own is, framed as the check of records has it, in every
//! cut.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use core::cell::RefCell;

use plimsoll_core::{Inspect, Reason, Rejection};
use plimsoll_json::{
    CheckRecords, Counted, Fields, Framing, Pointers, RecordFields, RecordLimits, Retained, SelectRecords,
    Skipped, Slot,
};
use plimsoll_tests_json::data;
use plimsoll_tests_json::feed::splits;
use plimsoll_tests_json::select::{self, LIMITS, Match, Recorder};

const RECORDS: RecordLimits = RecordLimits { bytes: 300, records: 40 };
const RETAINED: Retained = Retained { bytes: 64, matches: 8 };

/// What came of a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Run {
    /// The records that were complete, by index.
    records: Vec<(u64, Vec<Match>)>,
    skipped: Vec<Skipped>,
    result: Result<(), Rejection>,
    offset: u64,
    begun: u64,
    missing: Option<usize>,
}

#[derive(Clone, Copy)]
struct Stream<'a, const P: usize> {
    pointers: &'a Pointers<'a, P>,
    framing: Framing,
    records: RecordLimits,
    retained: Retained,
    skip: bool,
}

fn run<'a, const P: usize>(stream: Stream<'_, P>, pieces: impl IntoIterator<Item = &'a [u8]>) -> Run {
    let Stream { pointers, framing, records: limits, retained, skip } = stream;
    let mut bytes = vec![0xff; retained.bytes as usize];
    let mut slots = vec![Slot::EMPTY; retained.matches as usize];
    let records = RefCell::new(Vec::new());
    let skipped = RefCell::new(Vec::new());
    let fields = RecordFields::new(Fields::new(&mut bytes, &mut slots), |record, selected| {
        records.borrow_mut().push((record.index, select::shown(&selected)));
    });
    let room = fields.room();
    let select = SelectRecords::<Counted<64>, _, P>::new(pointers, framing, limits, LIMITS, room, fields);
    let select = select.unwrap();
    let (result, offset, begun, missing);
    if skip {
        let mut select = select.skip_refused(|record| skipped.borrow_mut().push(record));
        result = select::drive(&mut select, pieces, SelectRecords::offset);
        (offset, begun, missing) = (select.offset(), select.records(), select.missing());
    } else {
        let mut select = select;
        result = select::drive(&mut select, pieces, SelectRecords::offset);
        (offset, begun, missing) = (select.offset(), select.records(), select.missing());
    }
    Run { records: records.into_inner(), skipped: skipped.into_inner(), result, offset, begun, missing }
}

/// In every cut that matters; all of it must agree, and a visitor must be told how each record ended.
fn agree<const P: usize>(stream: Stream<'_, P>, body: &[u8]) -> Run {
    let name = body.escape_ascii().to_string();
    let whole = run(stream, [body]);
    for size in 1..10 {
        assert_eq!(run(stream, body.chunks(size)), whole, "{name} in {size}s");
    }
    for split in splits(body.len(), 300) {
        assert_eq!(run(stream, [&body[..split], &body[split..]]), whole, "{name} cut at {split}");
    }
    let Stream { pointers, framing, records, retained, skip } = stream;
    let mut recorder = Recorder::default();
    let select =
        SelectRecords::<Counted<64>, _, P>::new(pointers, framing, records, LIMITS, retained, &mut recorder);
    let result = if skip {
        select::drive(&mut select.unwrap().skip_refused(|_| {}), body.chunks(3), SelectRecords::offset)
    } else {
        select::drive(&mut select.unwrap(), body.chunks(3), SelectRecords::offset)
    };
    assert_eq!(result, whole.result);
    let complete: Vec<_> = whole.records.iter().map(|(_, matches)| matches.clone()).collect();
    assert_eq!(recorder.committed, complete, "{name}");
    // One that was refused for their number has no matches and is no record of the visitor's.
    let told = recorder.discarded + recorder.committed.len();
    assert!(told as u64 <= whole.begun && told >= complete.len() + whole.skipped.len(), "{name}");
    whole
}

/// Lines, or the same records as a sequence.
fn framed(lines: &[&str], framing: Framing) -> Vec<u8> {
    let join = |line: &&str| match framing {
        Framing::Lines => format!("{line}\n"),
        Framing::Sequence => format!("\u{1e}{line}\n"),
    };
    lines.iter().map(join).collect::<String>().into_bytes()
}

#[test]
fn each_record_is_selected_from_as_a_document_of_its_own() {
    let set = Pointers::new(["/id", "/v/*", ""]).unwrap();
    let lines = [
        "{\"id\":1,\"v\":[1,\"\\u00e9\"]}",
        " 17 ",
        "[]",
        "{\"v\":{\"id\":2}}\r",
        "\"x\"",
        "{\"\\u0069d\":null}",
    ];
    for framing in [Framing::Lines, Framing::Sequence] {
        for skip in [false, true] {
            let stream = Stream { pointers: &set, framing, records: RECORDS, retained: RETAINED, skip };
            let run = agree(stream, &framed(&lines, framing));
            assert_eq!(run.result, Ok(()));
            assert_eq!(run.records.len(), lines.len());
            for (line, (_, matches)) in lines.iter().zip(&run.records) {
                let alone = select::visit(&set, RETAINED, [line.trim().as_bytes()]);
                assert_eq!(alone.matches.as_ref(), Some(matches), "{line}");
            }
        }
    }
}

#[test]
fn a_record_that_is_refused_is_skipped_whole_or_ends_the_stream() {
    let set = Pointers::new(["/id", "/v"]).unwrap().require([true, false]);
    let good = "{\"id\":\"good\"}";
    let long = format!("{{\"id\":1,\"x\":\"{}\"}}", "x".repeat(300));
    let retained = format!("{{\"id\":\"{}\"}}", "y".repeat(65));
    for (bad, reason, at) in [
        ("{\"v\":[1,2]}", Reason::MissingField, None),
        ("{\"id\":1,\"id\":2}", Reason::DuplicateKey, Some(8)),
        ("{\"id\":1,}", Reason::JsonSyntax, Some(8)),
        ("{\"id\":1", Reason::IncompleteJson, None),
        (long.as_str(), Reason::RecordLimit, Some(300)),
        (retained.as_str(), Reason::RetainedLimit, Some(7 + 64)),
        ("{\"id\":1}2", Reason::TrailingDocument, Some(8)),
    ] {
        for framing in [Framing::Lines, Framing::Sequence] {
            let body = framed(&[good, bad, good], framing);
            let start = body.windows(bad.len()).position(|window| window == bad.as_bytes()).unwrap() as u64;
            for skip in [false, true] {
                let stream = Stream { pointers: &set, framing, records: RECORDS, retained: RETAINED, skip };
                let run = agree(stream, &body);
                let found = run.records.iter().map(|&(index, _)| index).collect::<Vec<_>>();
                let rejection = if skip {
                    assert_eq!((run.result, found), (Ok(()), vec![0, 2]));
                    assert_eq!(run.skipped.len(), 1);
                    run.skipped[0].rejection
                } else {
                    assert_eq!(found, [0]);
                    run.result.unwrap_err()
                };
                assert_eq!((rejection.reason(), rejection.record()), (reason, Some(1)), "{bad}");
                if let Some(at) = at {
                    assert_eq!(rejection.at(), Some(start + at), "{bad}");
                }
                if reason == Reason::MissingField && !skip {
                    assert_eq!(run.missing, Some(0));
                }
            }
        }
    }
}

#[test]
fn a_number_at_the_end_of_a_sequence_that_may_have_been_cut_is_not_committed() {
    let set = Pointers::new([""]).unwrap();
    for skip in [false, true] {
        let framing = Framing::Sequence;
        let stream = Stream { pointers: &set, framing, records: RECORDS, retained: RETAINED, skip };
        let run = agree(stream, b"\x1e1\n\x1e23\x1e45");
        assert_eq!(run.records.len(), 1);
        assert_eq!(run.skipped.len(), if skip { 2 } else { 0 });
    }
}

#[test]
fn what_a_record_retains_is_limited_for_each_and_too_many_records_end_the_stream() {
    let set = Pointers::new(["/a"]).unwrap();
    let line = "{\"a\":\"0123456789\"}";
    let framing = Framing::Lines;
    let retained = Retained { bytes: 10, matches: 1 };
    let records = RecordLimits { bytes: 300, records: 3 };
    let stream = Stream { pointers: &set, framing, records, retained, skip: true };
    assert_eq!(agree(stream, &framed(&[line; 3], framing)).records.len(), 3);
    let over = agree(stream, &framed(&[line; 4], framing));
    assert_eq!((over.records.len(), over.result.unwrap_err().reason()), (3, Reason::RecordCount));
    let tight = Stream { retained: Retained { bytes: 9, ..retained }, ..stream };
    assert_eq!(agree(tight, &framed(&[line; 3], framing)).skipped.len(), 3);
}

#[test]
fn the_pointer_that_a_record_misses_is_told_by_its_index() {
    let set = Pointers::new(["/v", "/id", "/w"]).unwrap().require([true, true, false]);
    for (line, missing) in [("{}", Some(0)), ("{\"v\":1}", Some(1)), ("{\"id\":1,\"v\":2}", None)] {
        let (framing, skip) = (Framing::Lines, false);
        let stream = Stream { pointers: &set, framing, records: RECORDS, retained: RETAINED, skip };
        assert_eq!(agree(stream, &framed(&[line], framing)).missing, missing, "{line}");
    }
}

#[test]
fn a_carriage_return_that_may_not_stand_in_a_record_is_judged_with_the_byte_behind_it() {
    let set: Pointers<'_, 0> = Pointers::new([]).unwrap();
    for (line, at) in [("\"a\rb\"", 2), ("[1\r,nul\rl]", 7), ("[1\r2]", 3)] {
        for framing in [Framing::Lines, Framing::Sequence] {
            let body = framed(&[line], framing);
            let start = u64::from(framing == Framing::Sequence);
            let held = u64::from(framing == Framing::Lines && line.as_bytes()[at] == b'\r');
            let stream =
                Stream { pointers: &set, framing, records: RECORDS, retained: RETAINED, skip: false };
            let run = agree(stream, &body);
            let at = start + at as u64;
            assert_eq!(run.result, Err(Rejection::fault(Reason::JsonSyntax, at).with_record(0)), "{line:?}");
            assert_eq!(run.offset, at + held, "{line:?}");
        }
    }
}

/// With nothing to look for, the verdict is the check's.
#[test]
fn without_pointers_records_are_checked() {
    let set: Pointers<'_, 0> = Pointers::new([]).unwrap();
    let lines = ["{\"a\":[1,{}]}", "", "x", "1e", "\"\\ud800\"", "[1]\r", "{\"a\":1}\r\r", " 5"];
    for framing in [Framing::Lines, Framing::Sequence] {
        for count in 0..=lines.len() {
            let body = framed(&lines[..count], framing);
            let skipped = RefCell::new(Vec::new());
            let check = CheckRecords::<Counted<64>>::new(framing, RECORDS, LIMITS).unwrap();
            let mut check = check.skip_refused(|record| skipped.borrow_mut().push(record));
            let mut result = check.inspect(&body).map_err(|refusal| refusal.rejection);
            result = result.and_then(|()| check.finish());
            let stream = Stream { pointers: &set, framing, records: RECORDS, retained: RETAINED, skip: true };
            let run = agree(stream, &body);
            assert_eq!((run.result, run.begun), (result, check.records()));
            assert_eq!(run.skipped, *skipped.borrow());
            let strict = Stream { skip: false, ..stream };
            let mut check = CheckRecords::<Counted<64>>::new(framing, RECORDS, LIMITS).unwrap();
            let result = check.inspect(&body).map_err(|refusal| refusal.rejection);
            let result = result.and_then(|()| check.finish());
            let run = agree(strict, &body);
            assert_eq!((run.result, run.offset), (result, check.offset()));
        }
    }
}

#[test]
fn the_statuses_of_twitter_as_lines_give_what_serde_json_reads() {
    let (_, text) = data::real().remove(0);
    let value: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let statuses = value["statuses"].as_array().unwrap();
    let body: String = statuses.iter().map(|status| format!("{status}\n")).collect();
    let texts = ["/id", "/user/name", "/text"];
    let set = Pointers::new(texts).unwrap().require([true; 3]);
    let records = RecordLimits { bytes: 1 << 16, records: 1000 };
    let retained = Retained { bytes: 1 << 10, matches: 3 };
    let stream = Stream { pointers: &set, framing: Framing::Lines, records, retained, skip: false };
    for size in [1, 64, 4096] {
        let run = run(stream, body.as_bytes().chunks(size));
        assert_eq!(run.result, Ok(()));
        assert_eq!(run.records.len(), statuses.len());
        for ((_, matches), status) in run.records.iter().zip(statuses) {
            assert_eq!(matches.len(), 3);
            for (pointer, _, text) in matches {
                let expected = status.pointer(texts[*pointer]).unwrap();
                let expected = expected.as_str().map_or_else(|| expected.to_string(), str::to_owned);
                assert_eq!(core::str::from_utf8(text), Ok(expected.as_str()));
            }
        }
    }
}
