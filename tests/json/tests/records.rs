//! Streams of records: every short stream and every parsing test, against what the formats say; limits; what is
//! skipped.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_json::{Framing, RecordLimits};
use plimsoll_tests_json::data;
use plimsoll_tests_json::records::{Stream, agree};

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
