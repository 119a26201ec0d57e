//! The worst bodies: how often a byte is looked at, at most.

#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

use plimsoll_core::Inspect;

use super::counted::take;
use crate::{
    Assembler, Check, CheckRecords, Counted, Framing, Limits, Pointers, RecordLimits, Records, Retained,
    Select, Skipped, Tokenizer, Visit,
};

/// How often a byte of a document is looked at, at most; see the crate's documentation.
const DOCUMENT: usize = 4;

/// The same for a byte of a stream of records.
const RECORDS: usize = 6;

/// What the ends of a body may cost besides.
const EDGE: usize = 64;

const SIZE: usize = 1 << 10;

const PLENTY: Limits =
    Limits { string: 1 << 30, key: 1 << 30, number: 1 << 30, items: 1 << 30, values: 1 << 30, depth: 64 };

fn repeat(before: &str, unit: &str, behind: &str) -> Vec<u8> {
    [before, &unit.repeat(SIZE / unit.len()), behind].concat().into_bytes()
}

/// Documents that are all of one thing, whole and without their end.
fn documents() -> Vec<Vec<u8>> {
    let deep = ["[".repeat(63), "]".repeat(63)].concat();
    let mut documents = vec![
        repeat("\"", "a", "\""),
        repeat("\"", "\\n", "\""),
        repeat("\"", "a\\\"", "\""),
        repeat("\"", "\\u00e9", "\""),
        repeat("\"", "\\ud83d\\ude00", "\""),
        repeat("\"", "aaaaaaaaaaaaaaaaaaaa\\ud83d\\ude00", "\""),
        repeat("\"", "é", "\""),
        repeat("\"", "a€😀", "\""),
        repeat("", "1", ""),
        repeat("-0.", "1", "e1"),
        repeat("[", "1,", "1]"),
        repeat("[", "-1.5e-9 ,", "1]"),
        repeat("[", "\"\",", "1]"),
        repeat("[", "\"\\ud83d\\ude00\",", "1]"),
        repeat("[", "[],", "1]"),
        repeat("[", "true,null,", "1]"),
        repeat("[", &format!("{deep},"), "1]"),
        repeat("{", "\"\":{},", "\"\":0}"),
        repeat("{", "\"a\" : 1 ,\n", "\"\":0}"),
        repeat("{\"", "a", "\":0}"),
        repeat("", " ", "1"),
        repeat("", "\r\n\t ", "1"),
        repeat("[1", " \t", "]"),
    ];
    let cut: Vec<_> = documents.iter().map(|text| text[..text.len() - 2].to_vec()).collect();
    documents.extend(cut);
    // Wrong at the end, and half a pair.
    for end in [&b"\xff\""[..], b"\xf0\x9f\"", b"\\ud83d\"", b"\x01", b"\\x"] {
        documents.push([&b"\""[..], &vec![b'a'; SIZE], end].concat());
    }
    documents
}

/// Every limit in turn so that it is met early, half-way, and at the last byte.
fn limits() -> Vec<Limits> {
    let mut all = vec![PLENTY];
    for most in [0, 20, SIZE / 2, SIZE - 1] {
        let most = u32::try_from(most).unwrap();
        all.push(Limits { string: most, key: most, number: most, ..PLENTY });
        all.push(Limits { items: most, ..PLENTY });
        all.push(Limits { values: most, ..PLENTY });
    }
    all
}

const CUTS: [usize; 4] = [1, 7, 200, usize::MAX];

/// Runs over all documents, limits and cuts, and holds what was looked at against the bound.
fn each(bound: usize, bodies: &[Vec<u8>], mut run: impl FnMut(&[u8], Limits, usize)) {
    for body in bodies {
        for limits in limits() {
            for cut in CUTS {
                let _ = take();
                run(body, limits, cut);
                let looked = take();
                let (len, start) = (body.len(), String::from_utf8_lossy(&body[..40]));
                assert!(
                    looked <= bound * len + EDGE,
                    "{looked} for {len} bytes by {cut} of {start}, {limits:?}"
                );
            }
        }
    }
}

fn pieces(body: &[u8], cut: usize) -> impl Iterator<Item = &[u8]> {
    body.chunks(cut.min(body.len()))
}

#[test]
#[cfg_attr(miri, ignore = "counts, and would take an hour there")]
fn a_check_looks_at_a_byte_of_a_document_a_constant_number_of_times() {
    each(DOCUMENT, &documents(), |body, limits, cut| {
        let mut check = Check::<Counted<64>>::new(limits).unwrap();
        let _ = pieces(body, cut).try_for_each(|piece| check.inspect(piece));
    });
}

#[test]
#[cfg_attr(miri, ignore = "counts, and would take an hour there")]
fn a_tokenizer_and_an_assembler_do_so_too() {
    each(DOCUMENT, &documents(), |body, limits, cut| {
        let mut tokenizer = Tokenizer::<Counted<64>>::new(limits).unwrap();
        'all: for piece in pieces(body, cut) {
            let mut rest = piece;
            while !rest.is_empty() {
                let Ok(step) = tokenizer.step(rest) else { break 'all };
                rest = &rest[step.consumed..];
            }
        }
    });
    let mut scratch = vec![0; 2 * SIZE];
    for scratch_len in [2 * SIZE, SIZE / 2, 0] {
        each(DOCUMENT, &documents(), |body, limits, cut| {
            let mut assembler = Assembler::<Counted<64>>::new(limits, &mut scratch[..scratch_len]).unwrap();
            'all: for piece in pieces(body, cut) {
                let mut rest = piece;
                while !rest.is_empty() {
                    let Ok(step) = assembler.step(rest) else { break 'all };
                    rest = &rest[step.consumed..];
                }
            }
        });
    }
}

/// Is told of matches and keeps nothing.
struct Nobody;

impl Visit for Nobody {
    fn begin(&mut self, _pointer: usize, _kind: crate::Kind) {}
    fn scalar(&mut self, _text: &[u8]) {}
    fn raw(&mut self, _text: &[u8]) {}
    fn end(&mut self, _pointer: usize) {}
    fn commit(&mut self) {}
    fn discard(&mut self) {}
}

#[test]
#[cfg_attr(miri, ignore = "counts, and would take an hour there")]
fn a_selection_does_so_too_wherever_its_pointers_lead() {
    let retained = Retained { bytes: u32::MAX, matches: u32::MAX };
    for set in [["", "/*"], ["/nowhere", "/99999/0"], ["/*/*", "/a"]] {
        let pointers = Pointers::new(set).unwrap();
        each(DOCUMENT, &documents(), |body, limits, cut| {
            let mut select = Select::<Counted<64>, _, 2>::new(&pointers, limits, retained, Nobody).unwrap();
            let _ = pieces(body, cut).try_for_each(|piece| select.inspect(piece));
        });
    }
}

/// Streams of many records, of blank lines, of one record without an end, and of what must be passed over.
fn streams() -> Vec<Vec<u8>> {
    let mut streams = documents();
    for unit in [
        "\n",
        "\r",
        "\r\n",
        " \n",
        "\r \n",
        "0\n",
        "0\r\n",
        "0\r",
        "]\n",
        "\"\n",
        "{}\n",
        "[]\r\n",
        "\x1e",
        "\x1e0",
        "\x1e0 ",
        "\x1e{}",
        "\x1e]",
        "\x1e\n",
        "a",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\n",
        "[\"\\ud83d\\ude00\"]\n",
    ] {
        streams.push(repeat("", unit, ""));
        streams.push(repeat("\x1e", unit, "\n"));
    }
    streams
}

#[test]
#[cfg_attr(miri, ignore = "counts, and would take an hour there")]
fn a_byte_of_a_stream_of_records_is_looked_at_a_constant_number_of_times_refused_records_included() {
    for framing in [Framing::Lines, Framing::Sequence] {
        for bytes in [0, 1, 20, SIZE as u64 / 2, u64::MAX] {
            let records = RecordLimits { bytes, records: u64::MAX };
            each(RECORDS, &streams(), |body, limits, cut| {
                let check = CheckRecords::<Counted<64>>::new(framing, records, limits).unwrap();
                let mut check = check.skip_refused(|_: Skipped| {});
                let _ = pieces(body, cut).try_for_each(|piece| check.inspect(piece));
            });
            let mut scratch = [0; 256];
            each(RECORDS, &streams(), |body, limits, cut| {
                let assembler = Assembler::<Counted<64>>::new(limits, &mut scratch).unwrap();
                let mut records = Records::new(framing, records, assembler).skip_refused();
                'all: for piece in pieces(body, cut) {
                    let mut rest = piece;
                    loop {
                        let Ok(step) = records.step(rest) else { break 'all };
                        rest = &rest[step.consumed..];
                        if step.event.is_none() {
                            break;
                        }
                    }
                }
            });
        }
    }
}
