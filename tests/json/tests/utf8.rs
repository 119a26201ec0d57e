//! UTF-8 inside of strings is judged as `core::str::from_utf8` judges it.
//!
//! An ordinary run takes every sequence of one and two bytes and the borders of Unicode Table 3-7 for three and
//! four; a release build every sequence of three.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use core::str;

use plimsoll_core::{Inspect, Reason, Rejection};
use plimsoll_json::{Check, Counted, Limits, Tokenizer};
use plimsoll_tests_json::feed;

const LIMITS: Limits = Limits { key: 1024, ..Limits::DEVICE };

fn check() -> Check<Counted<16>> {
    Check::new(LIMITS).unwrap()
}

/// Holds a sequence in a string against `from_utf8`: behind few and behind many characters, ended by a quote or
/// by the end of the input, in one piece and byte by byte.
fn holds(sequence: &[u8]) {
    if sequence.iter().any(|&byte| byte < 0x20 || byte == b'"' || byte == b'\\') {
        return;
    }
    for before in [&b"[\""[..], b"[\"some text that fills words"] {
        for behind in [&b"\"]"[..], b"", b" and some text that fills words\"]"] {
            let text = &[before, sequence, behind].concat();
            let expected = match str::from_utf8(text) {
                Ok(_) if behind.is_empty() => {
                    Err(Rejection::fault(Reason::IncompleteJson, text.len() as u64))
                }
                Ok(_) => Ok(()),
                Err(error) => {
                    let reason = match error.error_len() {
                        Some(_) => Reason::InvalidUtf8,
                        None => Reason::IncompleteUtf8,
                    };
                    Err(Rejection::fault(reason, error.valid_up_to() as u64))
                }
            };
            let mut whole = check();
            let result =
                whole.inspect(text).map_err(|refusal| refusal.rejection).and_then(|()| whole.finish());
            assert_eq!(result, expected, "{text:x?}");
            let mut bytes = check();
            let result = text.chunks(1).try_for_each(|byte| bytes.inspect(byte));
            let result = result.map_err(|refusal| refusal.rejection).and_then(|()| bytes.finish());
            assert_eq!(result, expected, "{text:x?}");
        }
    }
}

/// The ends of every range in Table 3-7 and their neighbours.
const BORDERS: [u8; 25] = [
    0x20, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee,
    0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xfe, 0xff,
];

#[test]
fn every_sequence_of_up_to_three_bytes_is_judged_as_core_does() {
    for a in 0..=0xff {
        holds(&[a]);
        for b in 0..=0xff {
            holds(&[a, b]);
            if !cfg!(debug_assertions) {
                (0..=0xff).for_each(|c| holds(&[a, b, c]));
            }
        }
    }
    for a in BORDERS {
        for b in BORDERS {
            BORDERS.iter().for_each(|&c| holds(&[a, b, c]));
        }
    }
}

#[test]
fn every_border_of_four_bytes_is_judged_as_core_does() {
    let tails = [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
    for a in BORDERS {
        for b in tails {
            for c in tails {
                tails.iter().for_each(|&d| holds(&[a, b, c, d]));
            }
        }
    }
}

#[test]
fn mixed_text_is_the_same_in_every_cut() {
    let mixed = "aé€😀 naïve – 日本語テキスト, кириллица; ελληνικά 𝒜𝒷𝒸 \u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}";
    let tokenizer = Tokenizer::<Counted<16>>::new(LIMITS).unwrap();
    let text = format!("{{\"{mixed}\":[\"{mixed}\"]}}");
    let (events, verdict) = feed::agree("mixed", text.as_bytes(), check(), tokenizer, 4096);
    assert_eq!(verdict.result, Ok(()));
    assert_eq!(events[1], feed::Event::Key(mixed.into()));
    assert_eq!(events[3], feed::Event::String(mixed.into()));
    // And with each byte in turn made a wrong one.
    for at in 0..text.len() {
        let mut wrong = text.clone().into_bytes();
        wrong[at] = 0xff;
        let tokenizer = Tokenizer::<Counted<16>>::new(LIMITS).unwrap();
        let (_, verdict) = feed::agree("wrong", &wrong, check(), tokenizer, 32);
        let error = str::from_utf8(&wrong).unwrap_err();
        assert_eq!(verdict.result.unwrap_err().at(), Some(error.valid_up_to() as u64));
    }
}
