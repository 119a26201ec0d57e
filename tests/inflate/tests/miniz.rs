//! The engine over `miniz_oxide`, as far as its documented weaknesses allow: what is accepted, with its bytes and its
//! length, and that the verdict does not depend on the cut. It does not know details, and places only as the last
//! byte it read; its prices are its own.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that overflows or finds nothing fails"
)]

use plimsoll_budget::WorkMeter;
use plimsoll_core::{Detail, Reason, Rejection};
use plimsoll_inflate::{Advance, Engine, Miniz, Room, Stop};
use plimsoll_tests_inflate::bits::BitWriter;
use plimsoll_tests_inflate::drive::inflate;
use plimsoll_tests_inflate::{Cut, Engines, Memory, generate, reference};

const NO_LIMIT: u64 = u64::MAX;

#[test]
fn it_accepts_what_the_reference_accepts_and_judges_every_cut_the_same() {
    let mut engines = Engines::default();
    for seed in 0..6000 {
        let (twist, stream) = generate::stream(seed);
        let produced = reference::inflate(Memory::Flat(1 << 20), NO_LIMIT, &stream).bytes.len();
        for memory in
            [Memory::Flat(produced), Memory::Flat(produced.saturating_sub(1)), Memory::Ring(1 << 15)]
        {
            let expected = reference::inflate(memory, NO_LIMIT, &stream);
            let context = format!("stream {seed} with {twist:?}, {memory:?}");
            let whole = inflate(&mut engines.miniz, memory, NO_LIMIT, &stream, Cut::Whole);
            match (whole.verdict, expected.verdict) {
                (Ok(length), Ok(right)) => {
                    assert_eq!(length, right, "{context}");
                    assert!(whole.bytes == expected.bytes, "{context}");
                }
                (Err(rejection), Err(right)) if right.reason() == Reason::DecodedLimit => {
                    assert_eq!(rejection, right, "{context}");
                }
                (Err(_), Err(_)) => {}
                (verdict, right) => panic!("{context}: {verdict:?} is not {right:?}"),
            }
            for cut in [Cut::Each(1), Cut::Each(7), Cut::Random(seed)] {
                let other = inflate(&mut engines.miniz, memory, NO_LIMIT, &stream, cut);
                assert_eq!(other.verdict, whole.verdict, "{context}, {cut:?}");
                assert!(other.bytes == whole.bytes, "{context}, {cut:?}");
            }
        }
    }
}

#[test]
fn each_encoded_byte_of_blocks_that_yield_nothing_costs_a_step() {
    let mut bits = BitWriter::new();
    for _ in 0..300 {
        bits.field(0, 1).field(0, 2).bytes(&[0, 0, 0xFF, 0xFF]);
    }
    let storm = bits.field(1, 1).field(1, 2).code(0, 7).done();
    let length = storm.len() as u64;
    let mut engines = Engines::default();
    for memory in [Memory::Flat(0), Memory::Ring(1 << 15)] {
        for cut in [Cut::Whole, Cut::Each(1), Cut::Each(100), Cut::Each(256), Cut::Each(300)] {
            for (limit, allowed) in [(length, true), (length - 1, false), (1024, false), (0, false)] {
                let outcome = inflate(&mut engines.miniz, memory, limit, &storm, cut);
                let expected = if allowed {
                    (Ok(storm.len()), length)
                } else {
                    (Err(Rejection::limit_exceeded(Reason::WorkLimit, limit)), limit + 1)
                };
                assert_eq!((outcome.verdict, outcome.owed), expected, "{memory:?}, {cut:?}, {limit}");
            }
        }
    }
}

#[test]
fn a_fault_is_the_windows_only_in_a_ring_that_is_full_and_shorter_than_a_distance_may_be() {
    let mut engines = Engines::default();
    let corrupt = (Reason::BadDeflate, Some(Detail::Unspecified));
    let window = (Reason::WindowTooSmall, Some(Detail::WindowOrCorrupt));
    for (memory, before, expected) in [
        (Memory::Ring(256), 255, corrupt),
        (Memory::Ring(256), 256, window),
        (Memory::Ring(256), 700, window),
        (Memory::Ring(1 << 14), (1 << 14) - 1, corrupt),
        (Memory::Ring(1 << 14), 1 << 14, window),
        // Every distance is within this one.
        (Memory::Ring(1 << 15), 1 << 15, corrupt),
        (Memory::Ring(1 << 15), 50_000, corrupt),
        (Memory::Flat(256), 256, corrupt),
        (Memory::Flat(300), 256, corrupt),
    ] {
        // A stored block, and then one of type 3.
        let length = (before as u16).to_le_bytes();
        let mut bits = BitWriter::new();
        bits.field(0, 1).field(0, 2).bytes(&[length[0], length[1], !length[0], !length[1]]);
        let stream = bits.bytes(&vec![7; before]).field(1, 1).field(3, 2).done();
        for cut in [Cut::Whole, Cut::Each(1), Cut::Each(100), Cut::At(before + 5)] {
            let outcome = inflate(&mut engines.miniz, memory, NO_LIMIT, &stream, cut);
            let rejection = outcome.verdict.unwrap_err();
            assert_eq!((rejection.reason(), rejection.detail()), expected, "{memory:?}, {before}, {cut:?}");
            assert_eq!(outcome.bytes.len(), before);
        }
    }
}

#[test]
fn without_a_restart_the_first_stream_begins_by_itself() {
    // "hello hello hello", and a byte that is not the stream's.
    let stream = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x00, 0xFF];
    let (mut engine, mut bytes, mut work) = (Miniz::new(), [0xEE; 32], WorkMeter::new(0));
    let room = Room { bytes: &mut bytes, at: 0, reach: 0 };
    let advance = engine.advance::<false, _>(&stream, room, &mut work);
    assert_eq!(advance, Advance { consumed: 10, produced: 17, stop: Stop::End });
    assert_eq!(&bytes[..17], b"hello hello hello");
}

#[test]
fn what_is_shown_of_it_is_no_byte_of_its_tables() {
    assert_eq!(format!("{:?}", Miniz::new()), "Miniz { .. }");
}
