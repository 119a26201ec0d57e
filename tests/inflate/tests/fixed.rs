//! The fixed codes (RFC 1951, section 3.2.6), symbol by symbol.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    reason = "a test that overflows or finds nothing fails"
)]

use plimsoll_tests_inflate::bits::BitWriter;
use plimsoll_tests_inflate::drive::inflate;
use plimsoll_tests_inflate::{Cut, Engines, Memory};

/// The code of a literal, and its bits.
fn literal(byte: u8) -> (u32, u32) {
    match u32::from(byte) {
        byte @ 0..144 => (0b0011_0000 + byte, 8),
        byte => (0b1_1001_0000 + byte - 144, 9),
    }
}

#[test]
fn a_block_of_any_one_literal_is_that_byte() {
    let mut engines = Engines::default();
    for byte in 0..=255 {
        let (code, bits) = literal(byte);
        let stream = BitWriter::new().field(1, 1).field(1, 2).code(code, bits).code(0, 7).done();
        // The same behind a block that is empty, and so before its end in the middle of a byte.
        let behind = BitWriter::new()
            .field(0, 1)
            .field(1, 2)
            .code(0, 7)
            .field(1, 1)
            .field(1, 2)
            .code(code, bits)
            .code(0, 7)
            .done();
        for stream in [stream, behind] {
            for memory in [Memory::Flat(1), Memory::Ring(1)] {
                for cut in [Cut::Whole, Cut::Each(1)] {
                    let ours = engines.native(memory, 1000, &stream, cut);
                    let theirs = inflate(&mut engines.miniz, memory, 1000, &stream, cut);
                    for outcome in [ours, theirs] {
                        assert_eq!(outcome.verdict, Ok(stream.len()), "{byte}, {memory:?}, {cut:?}");
                        assert_eq!(outcome.bytes, [byte]);
                    }
                }
            }
        }
    }
}
