//! Effects of records: each valid record once, whole, in order, at every cut; refused and skipped ones never.
#![allow(clippy::unwrap_used, reason = "a test that fails fails loudly")]

use plimsoll::json::{Counted, Framing, Record, Skipped};
use plimsoll::{
    Coding, DefaultEngine, EachRecord, Exposed, Head, Ingest, Limits, Next, Outcome, Policy, Reason,
    RecordEffect, Ring,
};

/// What the effect was told.
#[derive(Default, Debug, PartialEq)]
struct Told {
    records: Vec<(u64, u64, Vec<u8>)>,
    skipped: Vec<(u64, Reason)>,
}

impl RecordEffect for &mut Told {
    fn record(&mut self, record: Record, bytes: &[u8]) {
        self.records.push((record.index, record.at, bytes.to_vec()));
    }

    fn skipped(&mut self, skipped: Skipped) {
        self.skipped.push((skipped.record.index, skipped.rejection.reason()));
    }
}

/// Runs a body in pieces of one size, with a buffer of `room` bytes that held something else before.
fn run(framing: Framing, skip: bool, room: usize, body: &[u8], pieces: usize) -> (Outcome, Told) {
    let (head, policy) = (Head::new(Coding::Identity), Policy::strict(Limits::SMALL_DEVICE));
    let (mut engine, mut window, mut buffer) = (DefaultEngine::new(), [0; 16], vec![0xAA; room]);
    let mut told = Told::default();
    let make = if skip { EachRecord::skipping::<Counted<16>> } else { EachRecord::refusing::<Counted<16>> };
    let each = make(framing, &policy.limits, &mut buffer, &mut told).unwrap();
    let mut ingest = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), each, Exposed);
    for piece in body.chunks(pieces) {
        if ingest.push(piece) == Ok(Next::Stop) {
            break;
        }
    }
    let Ok(outcome) = ingest.finish();
    (outcome, told)
}

fn record(index: u64, at: u64, text: &str) -> (u64, u64, Vec<u8>) {
    (index, at, text.as_bytes().to_vec())
}

#[test]
fn every_valid_record_takes_effect_once_and_the_outcome_is_told_at_the_end() {
    let body = b"{\"a\":1}\n\n  [2, 3] \r\n\"x\"";
    for pieces in 1..=body.len() {
        let (outcome, told) = run(Framing::Lines, false, 16, body, pieces);
        assert!(outcome.is_complete(), "{outcome:?}");
        assert_eq!(outcome.exposed_bytes, body.len() as u64);
        assert_eq!(told.records.iter().map(|(index, ..)| *index).collect::<Vec<_>>(), [0, 1, 2]);
        let texts: Vec<&str> =
            told.records.iter().map(|(.., text)| str::from_utf8(text).unwrap().trim()).collect();
        assert_eq!(texts, ["{\"a\":1}", "[2, 3]", "\"x\""], "pieces of {pieces}");
        assert!(told.skipped.is_empty());
    }
}

#[test]
fn what_came_before_a_bad_record_has_had_its_effect_and_nothing_behind_it() {
    let body = b"1\n[2}\n3\n";
    for pieces in 1..=body.len() {
        let (outcome, told) = run(Framing::Lines, false, 16, body, pieces);
        let rejection = outcome.rejection().unwrap();
        assert_eq!(
            (rejection.reason(), rejection.record(), rejection.at()),
            (Reason::JsonSyntax, Some(1), Some(4))
        );
        assert_eq!(told, Told { records: vec![record(0, 0, "1")], skipped: vec![] });
        assert_eq!(outcome.exposed_bytes, 4);
    }
}

#[test]
fn a_bad_record_can_be_passed_over() {
    let body = b"1\n[2}\n3\n4 5\n6";
    for pieces in 1..=body.len() {
        let (outcome, told) = run(Framing::Lines, true, 16, body, pieces);
        assert!(outcome.is_complete(), "{outcome:?}");
        assert_eq!(
            told.records,
            [record(0, 0, "1"), record(2, 6, "3"), record(4, 12, "6")],
            "pieces of {pieces}"
        );
        assert_eq!(told.skipped, [(1, Reason::JsonSyntax), (3, Reason::TrailingDocument)]);
    }
}

#[test]
fn a_record_longer_than_the_buffer_is_refused_even_where_the_limit_would_let_it_pass() {
    let body = b"[1,2]\n[1,23]\n";
    for pieces in 1..=body.len() {
        let (outcome, told) = run(Framing::Lines, false, 5, body, pieces);
        let rejection = outcome.rejection().unwrap();
        assert_eq!((rejection.reason(), rejection.limit().unwrap().value), (Reason::RecordLimit, 5));
        assert_eq!(told.records, [record(0, 0, "[1,2]")]);
    }
}

#[test]
fn a_sequence_has_effects_too() {
    let body = b"\x1e{\"a\":1}\n\x1e[2]\n";
    for pieces in 1..=body.len() {
        let (outcome, told) = run(Framing::Sequence, false, 16, body, pieces);
        assert!(outcome.is_complete(), "{outcome:?}");
        let texts: Vec<&str> =
            told.records.iter().map(|(.., text)| str::from_utf8(text).unwrap().trim()).collect();
        assert_eq!(texts, ["{\"a\":1}", "[2]"]);
    }
}

#[test]
fn a_cut_record_takes_no_effect() {
    let body = b"[1]\n[2";
    for pieces in 1..=body.len() {
        let (outcome, told) = run(Framing::Lines, false, 16, body, pieces);
        assert_eq!(outcome.rejection().unwrap().reason(), Reason::IncompleteJson);
        assert_eq!(told.records, [record(0, 0, "[1]")]);
    }
}

#[test]
fn a_closure_is_an_effect_that_hears_nothing_of_what_is_passed_over() {
    let (head, policy) = (Head::new(Coding::Identity), Policy::strict(Limits::SMALL_DEVICE));
    let (mut engine, mut window, mut buffer) = (DefaultEngine::new(), [0; 16], [0xAA; 8]);
    let mut told = Vec::new();
    let effect = |record: Record, bytes: &[u8]| told.push((record.index, bytes.to_vec()));
    let each =
        EachRecord::skipping::<Counted<16>>(Framing::Lines, &policy.limits, &mut buffer, effect).unwrap();
    let mut ingest = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), each, Exposed);
    assert_eq!(ingest.push(b"1\n[2}\n3\n"), Ok(Next::Read));
    let Ok(outcome) = ingest.finish();
    assert!(outcome.is_complete());
    assert_eq!(told, [(0, b"1".to_vec()), (2, b"3".to_vec())]);
}

#[test]
fn what_is_shown_of_the_effects_is_the_record_and_no_byte_of_it() {
    let mut buffer = *b"SECRET";
    let limits = Limits::SMALL_DEVICE;
    let effect = |_: Record, _: &[u8]| {};
    let each = EachRecord::refusing::<Counted<16>>(Framing::Lines, &limits, &mut buffer, effect).unwrap();
    let shown = format!("{each:?}");
    assert!(shown.contains("EachRecord { record: Record { index: 0, at: 0 }, length: 6, .. }"), "{shown}");
    assert!(!shown.contains("SECRET") && !shown.contains("83, 69"), "{shown}");
}
