//! Real documents: keys, strings and numbers in order are what `serde_json` reads, at every size of slice.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_core::Inspect;
use plimsoll_json::{Check, Counted, Limits, Tokenizer};
use plimsoll_tests_json::{data, feed, oracle};

#[test]
fn contents_are_those_of_serde_json_at_every_chunk_size() {
    let mut buffer = Vec::new();
    for (name, text) in data::real() {
        let expected = oracle::events(&text).unwrap();
        for size in [1, 7, 64, 512, 4096] {
            let tokenizer = Tokenizer::<Counted<64>>::new(Limits::HOST).unwrap();
            let (events, verdict) = feed::tokens(tokenizer, text.chunks(size), &mut buffer);
            assert_eq!(verdict.result, Ok(()), "{name}");
            assert!(oracle::signed_exponents(events) == expected, "{name} in chunks of {size}");
            let check = Check::<Counted<64>>::new(Limits::HOST).unwrap();
            assert_eq!(feed::check(check, text.chunks(size), &mut buffer), verdict, "{name}");
        }
    }
}

/// Two of three characters that stand for themselves are written as escapes, those beyond U+FFFF as pairs.
#[test]
fn contents_are_the_same_when_characters_are_escaped() {
    for (name, text) in data::real() {
        let Ok(text) = core::str::from_utf8(&text) else { panic!("{name}") };
        let mut escaped = String::new();
        let mut inside = false;
        let mut characters = text.chars();
        let mut index = 0_usize;
        while let Some(character) = characters.next() {
            match character {
                '"' => {
                    inside = !inside;
                    escaped.push('"');
                }
                '\\' => {
                    escaped.push('\\');
                    let kind = characters.next();
                    escaped.extend(kind);
                    if kind == Some('u') {
                        escaped.extend(characters.by_ref().take(4));
                    }
                }
                character if inside && !index.is_multiple_of(3) => {
                    for unit in character.encode_utf16(&mut [0; 2]) {
                        escaped.push_str(&format!("\\u{unit:04X}"));
                    }
                }
                character => escaped.push(character),
            }
            index += 1;
        }
        let expected = oracle::events(text.as_bytes()).unwrap();
        let mut buffer = Vec::new();
        for size in [5, 64, 4096] {
            let tokenizer = Tokenizer::<Counted<64>>::new(Limits::HOST).unwrap();
            let (events, verdict) = feed::tokens(tokenizer, escaped.as_bytes().chunks(size), &mut buffer);
            assert_eq!(verdict.result, Ok(()), "{name}");
            assert!(oracle::signed_exponents(events) == expected, "{name} in chunks of {size}");
            let mut check = Check::<Counted<64>>::new(Limits::HOST).unwrap();
            assert!(escaped.as_bytes().chunks(size).all(|piece| check.inspect(piece).is_ok()), "{name}");
            assert_eq!(check.finish(), Ok(()), "{name}");
        }
    }
}
