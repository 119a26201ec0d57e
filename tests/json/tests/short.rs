//! All short texts over a small alphabet: the verdict is `serde_json`'s, in every cut.
//!
//! An ordinary run goes up to 5 bytes, in a release build up to 6. `PLIMSOLL_EXHAUSTIVE=1` goes up to 7, which
//! are 67 million texts: use a release build for it.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_core::Inspect;
use plimsoll_json::{Check, Limits, Token, Tokenizer, Uncounted};
use plimsoll_tests_json::{feed, oracle};

const ALPHABET: &[u8; 13] = b"{}[],:\"\\1-et ";

const LIMITS: Limits = Limits { items: u32::MAX, values: u32::MAX, ..Limits::DEVICE };

fn longest() -> u32 {
    match std::env::var_os("PLIMSOLL_EXHAUSTIVE") {
        Some(_) => 7,
        None if cfg!(debug_assertions) => 5,
        None => 6,
    }
}

/// Calls `f` with every text of `len` letters of the alphabet.
fn each_text(len: u32, mut f: impl FnMut(&[u8])) {
    let mut text = Vec::new();
    for mut number in 0..ALPHABET.len().pow(len) {
        text.clear();
        for _ in 0..len {
            text.push(ALPHABET[number % ALPHABET.len()]);
            number /= ALPHABET.len();
        }
        f(&text);
    }
}

/// Whether the tokenizer takes a text, a byte at a time.
fn takes(mut tokenizer: Tokenizer<Uncounted<2>>, text: &[u8]) -> bool {
    for byte in text.chunks(1) {
        let mut rest = byte;
        loop {
            let Ok(step) = tokenizer.step(rest) else { return false };
            rest = &rest[step.consumed..];
            if step.token == Token::NeedInput {
                break;
            }
        }
    }
    loop {
        match tokenizer.finish() {
            Ok(Token::End) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

#[test]
fn every_short_text_gets_the_verdict_of_serde_json() {
    let new_check = Check::<Uncounted<2>>::new(LIMITS).unwrap();
    let new_tokenizer = Tokenizer::<Uncounted<2>>::new(LIMITS).unwrap();
    let mut buffer = Vec::new();
    for len in 0..=longest() {
        each_text(len, |text| {
            let expected = oracle::events(text);
            // The fast path needs eight bytes and a container: white space and brackets around make it run.
            let framed = [b"        [", text, b"]        "].concat();
            let framed_expected = if len > 5 { None } else { Some(oracle::events(&framed)) };
            for (text, expected) in [(text, Some(&expected)), (&framed, framed_expected.as_ref())] {
                let Some(expected) = expected else { continue };
                let mut check = new_check;
                let verdict = check.inspect(text).is_ok() && check.finish().is_ok();
                assert_eq!(verdict, expected.is_some(), "{}", text.escape_ascii());
                assert_eq!(takes(new_tokenizer, text), expected.is_some(), "{}", text.escape_ascii());
                let (events, verdict) = feed::tokens(new_tokenizer, [text], &mut buffer);
                assert_eq!(verdict.result.is_ok(), expected.is_some(), "{}", text.escape_ascii());
                if let Some(expected) = expected {
                    assert_eq!(&oracle::signed_exponents(events), expected, "{}", text.escape_ascii());
                }
            }
        });
    }
}

#[test]
fn every_cut_of_every_short_text_agrees() {
    let check = Check::<Uncounted<2>>::new(LIMITS).unwrap();
    let tokenizer = Tokenizer::<Uncounted<2>>::new(LIMITS).unwrap();
    for len in 0..=if cfg!(debug_assertions) { 3 } else { 4 } {
        each_text(len, |text| {
            feed::agree("short", text, check, tokenizer, 8);
            let framed = [b"[[1, ", text, b"], 2]"].concat();
            feed::agree("framed", &framed, check, tokenizer, 16);
        });
    }
}
