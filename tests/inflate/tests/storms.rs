//! Blocks that yield nothing: 64 KiB of them reach the suggested work limit, after as many blocks as their prices
//! say, however they are cut.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that overflows or finds nothing fails"
)]

use plimsoll_core::{Reason, Rejection};
use plimsoll_inflate::SUGGESTED_WORK_LIMIT;
use plimsoll_tests_inflate::bits::BitWriter;
use plimsoll_tests_inflate::{Cut, Engines, Memory};

/// 64 KiB or a little more of blocks, and an empty last one.
fn storm(block: impl Fn(&mut BitWriter)) -> Vec<u8> {
    let mut bits = BitWriter::new();
    let mut length = 0;
    while length < 64 << 10 {
        // The writer is asked for its bytes only now and then: that copies them.
        for _ in 0..64 {
            block(&mut bits);
        }
        length = bits.done().len();
    }
    bits.field(1, 1).field(1, 2).code(0, 7).done()
}

fn fixed(bits: &mut BitWriter) {
    bits.field(0, 1).field(1, 2).code(0, 7);
}

fn stored(bits: &mut BitWriter) {
    bits.field(0, 1).field(0, 2).bytes(&[0, 0, 0xFF, 0xFF]);
}

/// 257 literal/length codes of which the end of the block has one, and no distance code. Its price is 4 for the
/// block, 256 for the codes and 258 for their lengths.
fn dynamic(bits: &mut BitWriter) {
    bits.field(0, 1).field(2, 2).field(0, 5).field(0, 5).field(14, 4);
    // In the order 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1: 18 is `0`, 0 `10`, 1 `11`.
    for length in [0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2] {
        bits.field(length, 3);
    }
    bits.code(0, 1).field(138 - 11, 7).code(0, 1).field(118 - 11, 7).code(0b11, 2).code(0b10, 2).code(0, 1);
}

fn check(storm: &[u8]) {
    let mut engines = Engines::default();
    let refused = Err(Rejection::limit_exceeded(Reason::WorkLimit, SUGGESTED_WORK_LIMIT));
    for memory in [Memory::Flat(0), Memory::Ring(1 << 15)] {
        for cut in [Cut::Whole, Cut::Each(1), Cut::Each(512)] {
            let outcome = engines.native(memory, SUGGESTED_WORK_LIMIT, storm, cut);
            assert_eq!((outcome.verdict, outcome.owed), (refused, SUGGESTED_WORK_LIMIT + 1), "{cut:?}");
            let outcome = engines.native(memory, u64::MAX, storm, cut);
            assert_eq!(outcome.verdict, Ok(storm.len()), "without a limit it is a stream: {cut:?}");
        }
    }
}

#[test]
fn empty_fixed_blocks_reach_the_limit() {
    check(&storm(fixed));
}

#[test]
fn empty_stored_blocks_reach_the_limit() {
    check(&storm(stored));
}

#[test]
fn empty_dynamic_blocks_reach_the_limit() {
    check(&storm(dynamic));
}

#[test]
fn dynamic_and_fixed_blocks_in_turn_reach_the_limit() {
    check(&storm(|bits| {
        dynamic(bits);
        fixed(bits);
    }));
}

#[test]
fn the_prices_are_those_of_the_list() {
    let mut engines = Engines::default();
    let mut owed = |block: fn(&mut BitWriter), literals: u32| {
        let mut bits = BitWriter::new();
        block(&mut bits);
        bits.field(1, 1).field(1, 2);
        for _ in 0..literals {
            bits.code(0x30, 8);
        }
        let stream = bits.code(0, 7).done();
        let outcome = engines.native(Memory::Ring(64), u64::MAX, &stream, Cut::Each(1));
        assert_eq!(outcome.verdict, Ok(stream.len()));
        outcome.owed
    };
    assert_eq!(owed(fixed, 0), 4 + 4);
    assert_eq!(owed(stored, 0), 4 + 4);
    assert_eq!(owed(dynamic, 0), 4 + 256 + 258 + 4);
    // Output pays, down to nothing.
    assert_eq!(owed(dynamic, 22), 500);
    assert_eq!(owed(fixed, 9), 0);
}

#[test]
fn a_message_in_every_flush_is_no_storm() {
    // What a server that flushes writes: a fixed block, then an empty stored one. Eight bytes pay for both.
    let mut bits = BitWriter::new();
    for _ in 0..10_000 {
        bits.field(0, 1).field(1, 2);
        for byte in 0..8 {
            bits.code(0x30 + byte, 8);
        }
        bits.code(0, 7);
        stored(&mut bits);
    }
    let stream = bits.field(1, 1).field(1, 2).code(0, 7).done();
    let mut engines = Engines::default();
    let outcome = engines.native(Memory::Ring(1 << 15), SUGGESTED_WORK_LIMIT, &stream, Cut::Each(100));
    assert_eq!((outcome.bytes.len(), outcome.verdict), (80_000, Ok(stream.len())));
}
