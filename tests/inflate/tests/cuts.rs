//! Every way to cut a stream in two, single bytes of input, and room of single bytes: the bytes, the verdict with
//! its reason, detail and place, and what is owed stay the same.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that overflows or finds nothing fails"
)]

use plimsoll_tests_inflate::{Cut, Engines, Memory, generate, reference};

const NO_LIMIT: u64 = u64::MAX;

/// Streams of at most `most` bytes, from the first seeds, legal and not.
fn streams(count: usize, most: usize) -> impl Iterator<Item = Vec<u8>> {
    (0..).map(|seed| generate::stream(seed).1).filter(move |stream| stream.len() <= most).take(count)
}

#[test]
fn a_stream_cut_in_two_anywhere_is_judged_the_same() {
    let mut engines = Engines::default();
    for stream in streams(300, 160) {
        let produced = reference::inflate(Memory::Flat(1 << 20), NO_LIMIT, &stream).bytes.len();
        for memory in [Memory::Flat(produced), Memory::Ring(1 << 15), Memory::Ring(64)] {
            let expected = reference::inflate(memory, NO_LIMIT, &stream);
            for at in 0..=stream.len() {
                assert_eq!(engines.native(memory, NO_LIMIT, &stream, Cut::At(at)), expected, "cut at {at}");
            }
        }
    }
}

#[test]
fn every_ring_from_one_byte_up_is_judged_the_same_byte_by_byte() {
    let mut engines = Engines::default();
    for stream in streams(500, 400) {
        for bits in 0..=16 {
            let memory = Memory::Ring(1 << bits);
            let expected = reference::inflate(memory, NO_LIMIT, &stream);
            for cut in [Cut::Each(1), Cut::Each(3), Cut::Whole] {
                assert_eq!(engines.native(memory, NO_LIMIT, &stream, cut), expected, "{memory:?}, {cut:?}");
            }
        }
    }
}

#[test]
fn every_flat_buffer_that_is_too_short_is_refused_at_its_length_and_not_before() {
    let mut engines = Engines::default();
    for stream in streams(60, 200) {
        let produced = reference::inflate(Memory::Flat(1 << 20), NO_LIMIT, &stream).bytes.len();
        for size in (0..=produced.min(600)).chain([produced, produced + 1]) {
            let memory = Memory::Flat(size);
            let expected = reference::inflate(memory, NO_LIMIT, &stream);
            for cut in [Cut::Each(1), Cut::Whole] {
                assert_eq!(engines.native(memory, NO_LIMIT, &stream, cut), expected, "{memory:?}, {cut:?}");
            }
        }
    }
}

#[test]
fn every_work_limit_is_exceeded_at_the_same_place() {
    let mut engines = Engines::default();
    for stream in streams(40, 200) {
        for limit in 0..700 {
            let expected = reference::inflate(Memory::Ring(1 << 15), limit, &stream);
            for cut in [Cut::Each(1), Cut::Whole] {
                let outcome = engines.native(Memory::Ring(1 << 15), limit, &stream, cut);
                assert_eq!(outcome, expected, "limit {limit}, {cut:?}");
            }
        }
    }
}
