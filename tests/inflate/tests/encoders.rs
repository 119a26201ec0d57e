//! What real encoders write, at all their levels, over the corpora: the same bytes back and the same length, in
//! every memory and with any pieces, and far from the suggested work limit.
//!
//! Files over 300 KB are cut to their first 300 KB, and the slowest settings left out, unless `PLIMSOLL_LONG` is
//! set. An encoder that is not installed is skipped with a line, except where `CI=true`.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that overflows or finds nothing fails"
)]

use std::env;

use plimsoll_inflate::SUGGESTED_WORK_LIMIT;
use plimsoll_tests_inflate::drive::{inflate, most_owed};
use plimsoll_tests_inflate::oracles::{self, Opinion};
use plimsoll_tests_inflate::{Cut, Engines, Memory, Outcome, corpora, producers};

#[test]
fn what_encoders_write_comes_back_and_stays_far_from_the_suggested_work_limit() {
    let long = env::var_os("PLIMSOLL_LONG").is_some();
    let mut engines = Engines::default();
    let mut documents = corpora::json();
    documents.push(corpora::Document { name: "nothing".to_owned(), bytes: Vec::new() });
    documents.push(corpora::Document { name: "one byte".to_owned(), bytes: b"x".to_vec() });
    documents.push(corpora::Document { name: "zeros".to_owned(), bytes: vec![0; 200_000] });
    let mut most = (0, String::new());
    for producer in producers::all(long) {
        for document in &documents {
            let bytes = &document.bytes[..];
            let most_bytes = if producer.is_slow() { 70_000 } else { 300_000 };
            let bytes = if long { bytes } else { &bytes[..bytes.len().min(most_bytes)] };
            let Some(stream) = producer.deflate(bytes) else { break };
            let context = format!("{producer}: {}", document.name);
            assert_eq!(
                oracles::zlib_rs(&stream, bytes.len()),
                Opinion::Whole(bytes.to_vec(), stream.len()),
                "{context}: zlib-rs"
            );
            let mut followed = stream.clone();
            followed.extend_from_slice(&[0xFF; 9]);
            let right = |outcome: &Outcome| outcome.bytes == bytes && outcome.verdict == Ok(stream.len());
            for (memory, cut) in [
                (Memory::Flat(bytes.len()), Cut::Whole),
                (Memory::Ring(1 << 15), Cut::Each(4096)),
                (Memory::Ring(1 << 16), Cut::Random(1)),
            ] {
                let outcome = engines.native(memory, SUGGESTED_WORK_LIMIT, &followed, cut);
                assert!(right(&outcome), "{context}: {memory:?}, {cut:?}: {:?}", outcome.verdict);
                let outcome = inflate(&mut engines.miniz, memory, u64::MAX, &followed, cut);
                assert!(right(&outcome), "{context}: miniz, {memory:?}, {cut:?}: {:?}", outcome.verdict);
            }
            let owed = most_owed(&mut engines.wide, &stream);
            if owed > most.0 {
                most = (owed, context);
            }
        }
    }
    println!("at most {} steps are owed, by {}", most.0, most.1);
    assert!(most.0 * 8 <= SUGGESTED_WORK_LIMIT, "{} steps by {}", most.0, most.1);
}
