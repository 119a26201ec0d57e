//! Whole keys, strings and numbers: contents of real documents with a scratch just large enough, the parsing tests,
//! and what does not fit.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_core::{Reason, Rejection};
use plimsoll_json::{Assembler, Counted, Event, Limits, Tokenizer};
use plimsoll_tests_json::feed::{self, Event as Owned};
use plimsoll_tests_json::{data, oracle, whole};

/// The bytes of the longest key, string or number.
fn longest(events: &[Owned]) -> usize {
    let lengths = events.iter().map(|event| match event {
        Owned::Key(text) | Owned::String(text) | Owned::Number(text) => text.len(),
        _ => 0,
    });
    lengths.max().unwrap_or(0)
}

#[test]
fn contents_are_those_of_serde_json_with_a_scratch_just_large_enough() {
    let mut buffer = Vec::new();
    for (name, text) in data::real() {
        let expected = oracle::events(&text).unwrap();
        let (written, _) = whole::events(Limits::HOST, 1 << 20, [text.as_slice()], &mut buffer);
        let needed = longest(&written);
        for size in [1, 7, 64, 512, 4096] {
            let (events, verdict) = whole::events(Limits::HOST, needed, text.chunks(size), &mut buffer);
            assert_eq!(verdict.result, Ok(()), "{name}");
            assert!(oracle::signed_exponents(events) == expected, "{name} in chunks of {size}");
        }
        // With a byte less, the longest is refused, and nothing before it differs.
        let (fewer, verdict) = whole::events(Limits::HOST, needed - 1, text.chunks(4096), &mut buffer);
        assert!(verdict.result.unwrap_err().reason().is_limit(), "{name}");
        assert!(fewer == written[..fewer.len()], "{name}");
        for size in [1, 7, 64, 512] {
            let again = whole::events(Limits::HOST, needed - 1, text.chunks(size), &mut buffer);
            assert!(again == (fewer.clone(), verdict), "{name} in chunks of {size}");
        }
    }
}

/// An assembler and a tokenizer with the limits that its scratch leaves say the same of a text in every cut.
fn agrees(name: &str, text: &[u8], limits: Limits, scratch: usize, most: usize) {
    let mut buffer = Vec::new();
    let tokenizer = Tokenizer::<Counted<64>>::new(whole::limits(limits, scratch)).unwrap();
    let expected = feed::tokens(tokenizer, [text], &mut buffer);
    let mut compare = |pieces: &[&[u8]], cut: usize| {
        let found = whole::events(limits, scratch, pieces.iter().copied(), &mut buffer);
        assert!(found == expected, "{name}, cut {cut}: {found:?}");
    };
    for size in [1, 2, 3, 5, text.len().max(1)] {
        let mut pieces: Vec<&[u8]> = text.chunks(size).collect();
        pieces.insert(pieces.len() / 2, b"");
        compare(&pieces, size);
    }
    for split in feed::splits(text.len(), most) {
        compare(&[&text[..split], &text[split..]], split);
    }
}

#[test]
fn every_parsing_test_gets_the_tokens_and_the_verdict_of_the_tokenizer() {
    let limits = Limits { depth: 64, ..Limits::HOST };
    for (name, text) in data::suite() {
        let most = if text.len() > 4096 { 20 } else { 200 };
        agrees(&name, &text, limits, 1 << 10, most);
        agrees(&name, &text, limits, 3, 20);
        agrees(&name, &text, limits, 0, 5);
    }
}

#[test]
fn each_way_to_write_a_character_fits_exactly_or_not_at_all() {
    let limits = Limits { string: 64, key: 64, number: 64, ..Limits::DEVICE };
    for text in [
        "[\"abc\", \"d\\nf\", \"\\u00e9x\", \"é\\u20acx\", \"\\ud83d\\ude00\", \"😀\\\\\", \"€uro\\t\"]",
        "{\"a\\u0062c\": 1, \"\\\"\\\"\\\"\": 12, \"ключ\": 123}",
        "[-1.5e+10, 0, 1234567890123456789, -0.000001]",
        "\"\\u0000\\u0001\\b\\f\"",
        "123456",
        "[\"a long run of plain characters, then an \\u00e9scape and m\\u00f6re\"]",
    ] {
        for scratch in 0..80 {
            agrees(text, text.as_bytes(), limits, scratch, 1000);
        }
    }
}

#[test]
fn the_smaller_of_limit_and_scratch_refuses_at_the_byte_that_is_one_too_many() {
    let limits = Limits { string: 10, key: 10, number: 10, ..Limits::DEVICE };
    for (text, reason, scratch, limit, at) in [
        ("[\"0123456789a\"]", Reason::StringLimit, 64, 10, 12),
        ("[\"0123456789a\"]", Reason::StringLimit, 4, 4, 6),
        ("{\"0123456789a\":1}", Reason::KeyLimit, 9, 9, 11),
        ("[12345678901]", Reason::NumberLimit, 5, 5, 6),
        ("[\"ab\\u00e9\"]", Reason::StringLimit, 3, 3, 9),
        ("[\"ab\\ud83d\\ude00\"]", Reason::StringLimit, 5, 5, 15),
        ("[\"\", {\"\": \"\"}, \"a\"]", Reason::StringLimit, 0, 0, 16),
    ] {
        let mut scratch = vec![0; scratch];
        let mut assembler = Assembler::<Counted<16>>::new(limits, &mut scratch).unwrap();
        let mut rest = text.as_bytes();
        let refusal = loop {
            match assembler.step(rest) {
                Ok(step) if step.event.is_none() => break None,
                Ok(step) => rest = &rest[step.consumed..],
                Err(rejection) => break Some(rejection),
            }
        };
        assert_eq!(refusal, Some(Rejection::limit_exceeded(reason, limit).with_at(at)), "{text}");
    }
}

#[test]
fn nothing_beyond_a_limit_is_stored() {
    for text in ["[\"abcdefgh\"]", "[\"a\\u00e9\\u00e9\\u00e9\"]", "[12345678]", "{\"abcdefgh\":1}"] {
        for size in [1, 2, 3] {
            let limits = Limits { string: 4, key: 4, number: 4, ..Limits::DEVICE };
            let mut scratch = [0xaa; 16];
            let mut assembler = Assembler::<Counted<16>>::new(limits, &mut scratch).unwrap();
            let refused = text.as_bytes().chunks(size).any(|chunk| {
                let mut rest = chunk;
                loop {
                    match assembler.step(rest) {
                        Ok(step) if step.event.is_none() => break false,
                        Ok(step) => rest = &rest[step.consumed..],
                        Err(_) => break true,
                    }
                }
            });
            assert!(refused, "{text}");
            assert_eq!(scratch[4..], [0xaa; 12], "{text}");
        }
    }
}

#[test]
fn a_token_that_stands_plainly_in_the_slice_is_lent_from_there() {
    let text = b"{\"key\": [\"plain\", 12.5, \"\\n\"]}";
    let mut scratch = [0xaa; 16];
    let mut assembler = Assembler::<Counted<16>>::new(Limits::DEVICE, &mut scratch).unwrap();
    let mut rest = &text[..];
    let mut lent = 0;
    while !rest.is_empty() {
        let step = assembler.step(rest).unwrap();
        let bytes = match step.event {
            Some(Event::Key(text) | Event::String(text)) => text.as_bytes(),
            Some(Event::Number(number)) => number.as_bytes(),
            _ => &[],
        };
        lent += usize::from(!bytes.is_empty() && rest.as_ptr_range().contains(&bytes.as_ptr()));
        rest = &rest[step.consumed..];
    }
    assert_eq!(lent, 3);
    assert_eq!(scratch[..2], [b'\n', 0xaa]);
}

#[test]
fn a_restart_forgets_the_token_that_was_begun() {
    let mut scratch = [0; 16];
    let mut assembler = Assembler::<Counted<16>>::new(Limits::DEVICE, &mut scratch).unwrap();
    assert_eq!(assembler.step(b"\"abc").unwrap().event, None);
    assembler.restart(0);
    let step = assembler.step(b"\"d\\u0065f\"").unwrap();
    assert_eq!(step.consumed, 10);
    let Some(Event::String(text)) = step.event else { panic!("{step:?}") };
    assert_eq!(text.as_str(), "def");
}

#[test]
fn debug_output_has_no_byte_of_the_body() {
    let mut scratch = [0; 16];
    let mut assembler = Assembler::<Counted<16>>::new(Limits::DEVICE, &mut scratch).unwrap();
    assert_eq!(assembler.step(b"[\"secret").unwrap().event, Some(Event::BeginArray));
    assert_eq!(assembler.step(b"\"secret").unwrap().event, None);
    let text = format!("{assembler:?}");
    assert!(!text.contains("secret") && !text.contains("115, 101"), "{text}");
    assert!(text.contains("filled: 6"), "{text}");
}
