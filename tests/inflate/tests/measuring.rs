//! The engine that measures: as the others in all that it decodes, and right about the greatest distance.
//!
//! The reference takes rings of any length, so it says of a stream that it needs exactly so much.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that overflows or finds nothing fails"
)]

use plimsoll_core::{Detail, Reason};
use plimsoll_inflate::{Measuring, SUGGESTED_WORK_LIMIT};
use plimsoll_tests_inflate::bits::BitWriter;
use plimsoll_tests_inflate::drive::inflate;
use plimsoll_tests_inflate::{Cut, Engines, Memory, corpora, generate, producers, reference};

const RING: Memory = Memory::Ring(1 << 15);

/// Decodes a stream in this memory and tells the greatest distance.
fn measured(memory: Memory, stream: &[u8], cut: Cut) -> usize {
    let mut engine = Measuring::new();
    let outcome = inflate(&mut engine, memory, u64::MAX, stream, cut);
    assert_eq!(outcome, Engines::default().native(memory, u64::MAX, stream, cut));
    engine.greatest_distance()
}

/// Literals, then a match of 3 bytes for each distance, with the fixed codes.
fn matches(literals: usize, distances: &[(u32, u32, u32)]) -> Vec<u8> {
    let mut bits = BitWriter::new();
    bits.field(1, 1).field(1, 2);
    for _ in 0..literals {
        bits.code(0b0011_0000 + u32::from(b'a'), 8);
    }
    for &(symbol, extra, bits_of_extra) in distances {
        bits.code(1, 7).code(symbol, 5).field(extra, bits_of_extra);
    }
    bits.code(0, 7).done()
}

#[test]
fn the_greatest_distance_of_a_stream_made_by_hand_is_told() {
    for (stream, greatest) in [
        (matches(5, &[]), 0),
        (matches(5, &[(0, 0, 0)]), 1),
        // Distances of 4, 2, and 5 to 6 with one extra bit.
        (matches(5, &[(3, 0, 0), (1, 0, 0), (4, 1, 1), (2, 0, 0)]), 6),
        // 24,577 and the 13 extra bits all ones.
        (matches(32_768, &[(29, 8191, 13), (0, 0, 0)]), 32_768),
    ] {
        for cut in [Cut::Whole, Cut::Each(1), Cut::Random(7)] {
            assert_eq!(measured(RING, &stream, cut), greatest);
            assert_eq!(measured(Memory::Flat(40_000), &stream, cut), greatest);
        }
    }
}

#[test]
fn a_distance_that_is_refused_does_not_count() {
    let stream = matches(5, &[(1, 0, 0), (29, 0, 13)]);
    assert_eq!(measured(RING, &stream, Cut::Whole), 2);
    let stream = matches(5, &[(1, 0, 0), (4, 0, 1)]);
    assert_eq!(measured(Memory::Ring(4), &stream, Cut::Whole), 2);
}

#[test]
fn random_streams_need_a_ring_of_the_greatest_distance_and_no_less() {
    let mut whole = 0;
    for seed in 0..20_000 {
        let (_, stream) = generate::stream(seed);
        let outcome = reference::inflate(RING, u64::MAX, &stream);
        let greatest = measured(RING, &stream, Cut::Random(seed));
        if outcome.verdict.is_err() || greatest == 0 {
            continue;
        }
        whole += 1;
        assert_eq!(reference::inflate(Memory::Ring(greatest), u64::MAX, &stream), outcome, "{seed}");
        let less = reference::inflate(Memory::Ring(greatest - 1), u64::MAX, &stream);
        let rejection = less.verdict.unwrap_err();
        assert_eq!(rejection.reason(), Reason::WindowTooSmall, "{seed}");
        assert_eq!(rejection.detail(), Some(Detail::Window(greatest as u16)), "{seed}");
    }
    assert!(whole > 1000, "{whole}");
}

#[test]
fn what_encoders_write_fits_the_ring_that_was_measured_and_no_smaller_one() {
    let mut engines = Engines::default();
    for producer in producers::all(false) {
        for document in corpora::json().into_iter().take(3) {
            let bytes = &document.bytes[..document.bytes.len().min(60_000)];
            let Some(stream) = producer.deflate(bytes) else { break };
            let window = measured(RING, &stream, Cut::Each(4096)).next_power_of_two();
            let fits = |engines: &mut Engines, ring| {
                engines.native(Memory::Ring(ring), SUGGESTED_WORK_LIMIT, &stream, Cut::Whole).verdict
            };
            let context = format!("{producer}: {}", document.name);
            assert!(fits(&mut engines, window).is_ok(), "{context}");
            // Without a match, and with one byte's distance, no ring is too small.
            if window > 1 {
                let rejection = fits(&mut engines, window / 2).unwrap_err();
                assert_eq!(rejection.reason(), Reason::WindowTooSmall, "{context}");
            }
        }
    }
}
