//! Streams of records: every short stream and every parsing test, against what the formats say; limits; what is
//! skipped.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_core::{Inspect, Reason, Rejection};
use plimsoll_json::{
    Check, CheckRecords, Counted, Framer, Framing, Limits, RecordLimits, Skipped, Uncounted,
};
use plimsoll_tests_json::data;
use plimsoll_tests_json::records::{Outcome, Stream, agree};

const WIDE: RecordLimits = RecordLimits { bytes: 1 << 20, records: 1000 };

/// All streams of up to `most` bytes over an alphabet, with limits that they meet.
fn every_short_stream(framing: Framing, alphabet: &[u8], most: u32) {
    let limits = [
        WIDE,
        RecordLimits { bytes: 2, records: 2 },
        RecordLimits { bytes: 1, records: 1 },
        RecordLimits { bytes: 0, records: 0 },
    ];
    for len in 0..=most {
        for number in 0..alphabet.len().pow(len) {
            let digit = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            let body: Vec<u8> = (0..len).map(digit).collect();
            for limits in limits {
                for skip in [false, true] {
                    agree("short", Stream { body: &body, framing, limits, skip }, 10);
                }
            }
        }
    }
}

#[test]
fn every_short_stream_of_lines_is_what_the_format_says() {
    every_short_stream(Framing::Lines, b"\n\r 1[]\"", 4);
}

#[test]
fn every_short_stream_of_texts_is_what_the_format_says() {
    every_short_stream(Framing::Sequence, b"\x1e\n 1[]\"", 4);
}

#[test]
#[ignore = "takes minutes"]
fn every_longer_stream_is_what_its_format_says() {
    every_short_stream(Framing::Lines, b"\n\r 1[]\"", 6);
    every_short_stream(Framing::Sequence, b"\x1e\n 1[]\"", 6);
}

#[test]
fn every_parsing_test_is_a_stream_of_both_formats() {
    for (name, text) in data::suite() {
        let sequence = [b"\x1e[1]\n\x1e", text.as_slice(), b"\n\x1e{}\n"].concat();
        let lines = [b"[1]\r\n", text.as_slice(), b"\r\n\r\n{}"].concat();
        let most = if text.len() > 100 { 3 } else { 100 };
        for (framing, body) in [(Framing::Lines, &lines), (Framing::Sequence, &sequence)] {
            for skip in [false, true] {
                agree(&name, Stream { body, framing, limits: WIDE, skip }, most);
            }
        }
    }
}

/// Everything that came of a stream: its accepted records by index, its skipped ones by index, offset and bytes, and
/// the verdict.
type Told = (Vec<u64>, Vec<(u64, u64, u64, Reason)>, Result<(), Rejection>);

fn told(framing: Framing, limits: RecordLimits, skip: bool, body: &[u8]) -> Told {
    let outcomes = agree("told", Stream { body, framing, limits, skip }, 1000);
    let (mut accepted, mut skipped) = (Vec::new(), Vec::new());
    for outcome in &outcomes.records {
        match outcome {
            Outcome::Accepted(record, _) => accepted.push(record.index),
            Outcome::Skipped(Skipped { record, bytes, rejection }) => {
                assert_eq!(rejection.record(), Some(record.index));
                skipped.push((record.index, record.at, *bytes, rejection.reason()));
            }
        }
    }
    (accepted, skipped, outcomes.result)
}

fn over(reason: Reason, limit: u64, at: u64, record: u64) -> Result<(), Rejection> {
    Err(Rejection::limit_exceeded(reason, limit).with_at(at).with_record(record))
}

fn fault(reason: Reason, at: u64, record: u64) -> Result<(), Rejection> {
    Err(Rejection::fault(reason, at).with_record(record))
}

#[test]
fn a_record_of_exactly_its_limit_is_accepted_whatever_ends_it_and_a_byte_more_is_not() {
    let limits = |bytes| RecordLimits { bytes, records: 2 };
    for end in ["", "\n", "\r\n"] {
        let body = format!("[10]\n[200]{end}");
        assert_eq!(told(Framing::Lines, limits(5), false, body.as_bytes()), (vec![0, 1], vec![], Ok(())));
        let verdict = told(Framing::Lines, limits(4), false, body.as_bytes()).2;
        assert_eq!(verdict, over(Reason::RecordLimit, 4, 9, 1));
    }
    // A CR that ends no line counts, and so does white space around a value.
    assert_eq!(told(Framing::Lines, limits(4), false, b"[10]\r").2, over(Reason::RecordLimit, 4, 4, 0));
    assert_eq!(told(Framing::Lines, limits(4), false, b"[10]\r\r\n").2, over(Reason::RecordLimit, 4, 4, 0));
    assert_eq!(told(Framing::Lines, limits(5), false, b" [10] \n").2, over(Reason::RecordLimit, 5, 5, 0));
    // The delimiter is not waited for, not even by a blank line.
    assert_eq!(told(Framing::Lines, limits(4), false, b"\n      ").2, over(Reason::RecordLimit, 4, 5, 0));
    assert_eq!(told(Framing::Lines, limits(4), false, b"\n    \n    \r\n\n[10]").2, Ok(()));
    // In a sequence the LF counts.
    assert_eq!(told(Framing::Sequence, limits(5), false, b"\x1e[10]\n\x1e[10]\n").2, Ok(()));
    assert_eq!(told(Framing::Sequence, limits(4), false, b"\x1e[10]\x1e[10]").2, Ok(()));
    let verdict = told(Framing::Sequence, limits(4), false, b"\x1e[10]\x1e[10]\n").2;
    assert_eq!(verdict, over(Reason::RecordLimit, 4, 10, 1));
}

#[test]
fn one_record_more_than_the_limit_ends_the_stream_even_where_refused_ones_are_skipped() {
    let limits = RecordLimits { bytes: 100, records: 2 };
    for skip in [false, true] {
        let verdict = told(Framing::Lines, limits, skip, b"1\n\n2\n\n  \n").2;
        assert_eq!(verdict, Ok(()));
        let verdict = told(Framing::Lines, limits, skip, b"1\n\n2\n\n  3\n").2;
        assert_eq!(verdict, over(Reason::RecordCount, 2, 8, 2));
        for end in ["", "\x1e[]"] {
            let body = format!("\x1e[]\x1e\x1e[]\x1e[]{end}");
            let verdict = told(Framing::Sequence, limits, skip, body.as_bytes()).2;
            assert_eq!(verdict, over(Reason::RecordCount, 2, 8, 2));
        }
    }
    assert_eq!(told(Framing::Lines, limits, true, b"x\n2\n3").2, over(Reason::RecordCount, 2, 4, 2));
}

#[test]
fn a_refused_record_refuses_the_stream_or_is_skipped_and_reported_once() {
    let body = b"{\"a\":1}\n{\"a\":}\r\n\"no end\n[1, 2\r\n[\xff]\n  [3]\n\n99999999999\n{}";
    assert_eq!(told(Framing::Lines, WIDE, false, body).2, fault(Reason::JsonSyntax, 13, 1));
    let limits = RecordLimits { bytes: 10, records: 100 };
    let skipped = vec![
        (1, 8, 6, Reason::JsonSyntax),
        (2, 16, 7, Reason::IncompleteJson),
        (3, 24, 5, Reason::IncompleteJson),
        (4, 31, 3, Reason::JsonSyntax),
        (6, 42, 11, Reason::RecordLimit),
    ];
    assert_eq!(told(Framing::Lines, limits, true, body), (vec![0, 5, 7], skipped, Ok(())));
}

#[test]
fn a_document_over_two_lines_is_two_incomplete_records() {
    let (accepted, skipped, _) = told(Framing::Lines, WIDE, true, b"{\"a\":\n1}\n");
    assert!(accepted.is_empty());
    assert_eq!(skipped, [(0, 0, 5, Reason::IncompleteJson), (1, 6, 2, Reason::TrailingDocument)]);
    // In a sequence a line break is white space like any other.
    assert_eq!(told(Framing::Sequence, WIDE, false, b"\x1e{\"a\":\r\n1}\n").2, Ok(()));
}

/// RFC 7464, section 2.4: a number or literal that is not delimited by white space may be the front part of another.
#[test]
fn a_number_or_literal_of_a_sequence_without_white_space_behind_it_was_cut() {
    for value in ["1", "-0", "12.5", "1e9", "true", "false", "null"] {
        let len = value.len() as u64;
        for end in ["\n", " ", "\t", "\r\n"] {
            let body = format!("\x1e{value}{end}\x1e[]\n");
            assert_eq!(told(Framing::Sequence, WIDE, false, body.as_bytes()).2, Ok(()));
        }
        let body = format!("\x1e{value}\x1e[]");
        assert_eq!(
            told(Framing::Sequence, WIDE, false, body.as_bytes()).2,
            fault(Reason::IncompleteJson, len + 1, 0)
        );
        let (accepted, skipped, verdict) = told(Framing::Sequence, WIDE, true, body.as_bytes());
        assert_eq!((accepted, verdict), (vec![1], Ok(())));
        assert_eq!(skipped, [(0, 1, len, Reason::IncompleteJson)]);
        // A line's end is an end of its own, and so is the body's.
        assert_eq!(told(Framing::Lines, WIDE, false, value.as_bytes()).2, Ok(()));
    }
    // Strings, arrays and objects delimit themselves.
    for value in ["\"true\"", "[1]", "{}", "\"1\""] {
        assert_eq!(told(Framing::Sequence, WIDE, false, format!("\x1e{value}").as_bytes()).2, Ok(()));
    }
}

#[test]
fn a_sequence_begins_with_a_separator_and_does_not_end_with_one() {
    assert_eq!(told(Framing::Sequence, WIDE, false, b""), (vec![], vec![], Ok(())));
    assert_eq!(told(Framing::Sequence, WIDE, false, b"[]").2, fault(Reason::JsonSyntax, 0, 0));
    let (accepted, skipped, _) = told(Framing::Sequence, WIDE, true, b"\n[]\x1e[1]\n\x1e\x1e");
    assert_eq!(accepted, [1]);
    assert_eq!(skipped, [(0, 0, 3, Reason::JsonSyntax), (2, 10, 0, Reason::IncompleteJson)]);
    // Several in a row are one; white space between two is a text that is none (section 2.1).
    assert_eq!(told(Framing::Sequence, WIDE, false, b"\x1e\x1e\x1e[]").2, Ok(()));
    assert_eq!(told(Framing::Sequence, WIDE, false, b"\x1e\n\x1e[]").2, fault(Reason::IncompleteJson, 2, 0));
}

#[test]
fn only_the_first_byte_of_a_body_can_begin_a_byte_order_mark() {
    assert_eq!(told(Framing::Lines, WIDE, false, b"\xef\xbb\xbf[]\n").2, fault(Reason::ByteOrderMark, 0, 0));
    assert_eq!(told(Framing::Lines, WIDE, false, b"[]\n\xef\xbb\xbf[]\n").2, fault(Reason::JsonSyntax, 3, 1));
    let limits = RecordLimits { bytes: 5, records: 1 };
    let check = CheckRecords::<Counted<16>>::new(Framing::Lines, limits, Limits::DEVICE).unwrap();
    let mut check = check.skip_byte_order_mark();
    assert_eq!(check.inspect(b"\xef\xbb\xbf[]\n"), Ok(()));
    assert_eq!(check.finish(), Ok(()));
}

#[test]
fn each_record_has_all_limits_of_a_document_and_counts_anew() {
    let limits = Limits { values: 3, items: 2, ..Limits::DEVICE };
    let mut check = CheckRecords::<Counted<16>>::new(Framing::Lines, WIDE, limits).unwrap();
    let body = b"[1,2]\n[3,4]\n\"a\"\n";
    assert_eq!((0..100).try_for_each(|_| check.inspect(body)), Ok(()));
    assert_eq!(check.records(), 300);
    let refusal = check.inspect(b"[1,2]\n[1,[2]]\n[1,2,3]\n").unwrap_err();
    let expected = Rejection::limit_exceeded(Reason::ValueLimit, 3).with_at(1600 + 10).with_record(301);
    assert_eq!((refusal.accepted, refusal.rejection), (10, expected));
}

#[test]
fn a_gibibyte_without_a_delimiter_is_refused_one_byte_behind_the_limit() {
    let limits = RecordLimits { bytes: 1000, records: 3 };
    for piece in [&b"[[["[..], b"    ", b"\r\r", b"1111"] {
        let mut check = CheckRecords::<Uncounted<1024>>::new(
            Framing::Lines,
            limits,
            Limits { depth: 8192, items: 10_000, number: 10_000, ..Limits::DEVICE },
        )
        .unwrap();
        let piece = piece.repeat(100);
        let mut fed = 0;
        let refusal = loop {
            match check.inspect(&piece) {
                Ok(()) => fed += piece.len(),
                Err(refusal) => break refusal,
            }
            assert!(fed < 1 << 30);
        };
        assert_eq!(refusal.rejection.reason(), Reason::RecordLimit);
        assert_eq!(refusal.rejection.at(), Some(1000));
        // A CR is judged together with the byte behind it.
        assert_eq!(fed + refusal.accepted, if piece[0] == b'\r' { 1001 } else { 1000 });
        assert_eq!(check.record_bytes(), 1001);
    }
}

#[test]
fn a_framer_stays_small() {
    assert!(size_of::<Framer>() <= 120, "{}", size_of::<Framer>());
    let check = size_of::<Check<Uncounted<4>>>();
    assert_eq!(size_of::<CheckRecords<Uncounted<4>>>(), size_of::<Framer>() + check);
}

#[test]
fn a_framer_says_how_it_tells_records_apart() {
    for framing in [Framing::Lines, Framing::Sequence] {
        assert_eq!(Framer::new(framing, RecordLimits::DEVICE).framing(), framing);
    }
}
