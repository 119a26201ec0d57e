//! One hand-made stream for each way a stream can be wrong, with the place counted by hand.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that overflows or finds nothing fails"
)]

use plimsoll_core::{Detail, Reason, Rejection};
use plimsoll_tests_inflate::bits::BitWriter;
use plimsoll_tests_inflate::{Cut, Engines, Memory, reference};

const NO_LIMIT: u64 = u64::MAX;

/// What a stream, cut in any way, is answered with.
#[allow(clippy::panic_in_result_fn, reason = "the result is what is tested")]
fn verdict(memory: Memory, stream: &[u8]) -> Result<usize, Rejection> {
    let mut engines = Engines::default();
    let whole = engines.native(memory, NO_LIMIT, stream, Cut::Whole);
    for at in 0..=stream.len() {
        assert_eq!(engines.native(memory, NO_LIMIT, stream, Cut::At(at)), whole, "cut at {at}");
    }
    assert_eq!(engines.native(memory, NO_LIMIT, stream, Cut::Each(1)), whole, "byte by byte");
    assert_eq!(reference::inflate(memory, NO_LIMIT, stream), whole, "the reference agrees");
    whole.verdict
}

fn refused(stream: &[u8], detail: Detail, at: u64) {
    let expected = Err(Rejection::fault(Reason::BadDeflate, at).with_detail(detail));
    assert_eq!(verdict(Memory::Flat(1000), stream), expected);
    assert_eq!(verdict(Memory::Ring(1 << 15), stream), expected);
}

/// A dynamic block up to its code lengths: the code length code has `0`, `10`, `110`, `111` for 0, 1, 2, 18.
fn dynamic(literals: u32, distances: u32) -> BitWriter {
    let mut bits = BitWriter::new();
    bits.field(1, 1).field(2, 2).field(literals - 257, 5).field(distances - 1, 5).field(18 - 4, 4);
    // In the order 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1.
    for length in [0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2] {
        bits.field(length, 3);
    }
    bits
}

/// A run of `count` zeros, 11 to 138.
fn zeros(bits: &mut BitWriter, count: u32) -> &mut BitWriter {
    bits.code(0b111, 3).field(count - 11, 7)
}

/// The header has 17 bits and 54 of code lengths; two runs of zeros have 20.
const LENGTHS_END: u32 = 17 + 54 + 20;

#[test]
fn block_type_3_is_at_its_header() {
    refused(BitWriter::new().field(1, 1).field(3, 2).bytes(&[]).done().as_slice(), Detail::BlockType, 0);
    // Behind an empty fixed block of 10 bits, the header begins in the second byte.
    let stream = BitWriter::new().field(0, 1).field(1, 2).code(0, 7).field(1, 1).field(3, 2).done();
    refused(&stream, Detail::BlockType, 1);
}

#[test]
fn a_stored_length_is_at_its_first_byte() {
    let stream = BitWriter::new().field(1, 1).field(0, 2).bytes(&[5, 0, 0xFA, 0xFE]).done();
    refused(&stream, Detail::StoredLength, 1);
}

#[test]
fn too_many_codes_are_at_the_counts() {
    // The counts begin at bit 3.
    refused(&dynamic(287, 1).done(), Detail::TooManyCodes, 0);
    refused(&dynamic(257, 31).done(), Detail::TooManyCodes, 0);
    let stream =
        BitWriter::new().field(0, 1).field(1, 2).code(0, 7).field(1, 1).field(2, 2).field(31, 14).done();
    // Ten bits, three bits, then the counts.
    refused(&stream, Detail::TooManyCodes, 1);
}

#[test]
fn a_code_length_code_is_at_its_last_length() {
    for lengths in [[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0], [2, 2, 2, 0]] {
        let mut bits = BitWriter::new();
        bits.field(1, 1).field(2, 2).field(0, 5).field(0, 5).field(0, 4);
        for length in lengths {
            bits.field(length, 3);
        }
        // The last of four lengths begins at bit 26.
        refused(&bits.field(0, 20).done(), Detail::CodeLengthCode, 3);
    }
}

#[test]
fn a_repeat_of_nothing_is_at_its_code() {
    let mut bits = BitWriter::new();
    bits.field(1, 1).field(2, 2).field(0, 5).field(0, 5).field(0, 4);
    // 16 and 17 have one bit each.
    for length in [1, 1, 0, 0] {
        bits.field(length, 3);
    }
    // The first code begins at bit 29.
    refused(&bits.code(0, 1).field(0, 2).done(), Detail::CodeLengthRepeat, 3);
}

#[test]
fn a_repeat_past_the_end_is_at_its_code() {
    let mut bits = dynamic(257, 1);
    // 258 lengths: the second run of 138 begins 10 bits behind bit 71.
    zeros(zeros(&mut bits, 138), 138);
    refused(&bits.done(), Detail::CodeLengthRepeat, 81 / 8);
}

#[test]
fn a_missing_end_of_block_is_at_the_last_code_length() {
    let mut bits = dynamic(257, 1);
    zeros(zeros(&mut bits, 138), 118);
    // 256 has none and the distance has one: 1 bit, then the last at bit 92.
    refused(&bits.code(0, 1).code(0b10, 2).done(), Detail::MissingEndOfBlock, (LENGTHS_END as u64 + 1) / 8);
}

#[test]
fn bad_codes_are_at_the_last_code_length() {
    // Three codes of one bit.
    let mut bits = dynamic(259, 1);
    zeros(zeros(&mut bits, 138), 118);
    bits.code(0b10, 2).code(0b10, 2).code(0b10, 2).code(0, 1);
    refused(&bits.done(), Detail::LiteralCode, (LENGTHS_END as u64 + 6) / 8);
    // A single code of two bits.
    let mut bits = dynamic(257, 1);
    zeros(zeros(&mut bits, 138), 118).code(0b110, 3).code(0, 1);
    refused(&bits.done(), Detail::LiteralCode, (LENGTHS_END as u64 + 3) / 8);
    // A distance code of one and one of two bits.
    let mut bits = dynamic(257, 2);
    zeros(zeros(&mut bits, 138), 118).code(0b10, 2).code(0b10, 2).code(0b110, 3);
    refused(&bits.done(), Detail::DistanceCode, (LENGTHS_END as u64 + 4) / 8);
    // Both: the literal code is said first.
    let mut bits = dynamic(257, 1);
    zeros(zeros(&mut bits, 138), 118).code(0b110, 3).code(0b110, 3);
    refused(&bits.done(), Detail::LiteralCode, (LENGTHS_END as u64 + 3) / 8);
}

#[test]
fn a_single_code_of_one_bit_and_no_distance_code_are_accepted() {
    let mut bits = dynamic(257, 1);
    let stream = zeros(zeros(&mut bits, 138), 118).code(0b10, 2).code(0, 1).code(0, 1).done();
    assert_eq!(verdict(Memory::Flat(0), &stream), Ok(stream.len()));
}

#[test]
fn a_pattern_that_is_no_code_is_known_from_its_first_bit() {
    // The other pattern of the single code: the very last bit of the stream.
    let mut bits = dynamic(257, 1);
    zeros(zeros(&mut bits, 138), 118).code(0b10, 2).code(0, 1).code(1, 1);
    refused(&bits.done(), Detail::LengthSymbol, (LENGTHS_END as u64 + 3) / 8);
}

#[test]
fn undefined_symbols_are_at_their_first_bit() {
    // 286 is 11000110; the code begins at bit 3.
    let stream = BitWriter::new().field(1, 1).field(1, 2).code(0b1100_0110, 8).done();
    refused(&stream, Detail::LengthSymbol, 0);
    // A literal, a length of 3 (0000001), then distance 30 at bit 18.
    let mut bits = BitWriter::new();
    bits.field(1, 1).field(1, 2).code(0x30, 8).code(1, 7).code(30, 5);
    refused(&bits.done(), Detail::DistanceSymbol, 2);
}

#[test]
fn a_distance_before_the_start_is_at_the_distance_symbol() {
    let mut bits = BitWriter::new();
    // One literal and a distance of 2.
    bits.field(1, 1).field(1, 2).code(0x30, 8).code(1, 7).code(1, 5);
    refused(&bits.done(), Detail::DistanceTooFar, 2);
}

#[test]
fn what_a_ring_held_before_is_out_of_reach() {
    // miniz_oxide's ring mode hands out the bytes of the stream before.
    let stream = [0x43, 0x60, 0x04, 0x46, 0x60, 0x04, 0x06, 0x00];
    let rejection = verdict(Memory::Ring(1 << 15), &stream).unwrap_err();
    assert_eq!((rejection.reason(), rejection.detail()), (Reason::BadDeflate, Some(Detail::DistanceTooFar)));
}

#[test]
fn a_distance_beyond_the_ring_says_which_window_it_needs() {
    // Four literals, then a distance of 3 and one of 4.
    let mut bits = BitWriter::new();
    bits.field(1, 1).field(1, 2);
    for byte in 0..4 {
        bits.code(0x30 + byte, 8);
    }
    let stream = bits.code(1, 7).code(2, 5).code(1, 7).code(3, 5).code(0, 7).done();
    assert_eq!(verdict(Memory::Ring(4), &stream), Ok(stream.len()));
    // The first distance begins at bit 42.
    let rejection = Rejection::fault(Reason::WindowTooSmall, 42 / 8).with_detail(Detail::Window(3));
    assert_eq!(verdict(Memory::Ring(2), &stream), Err(rejection));
}

#[test]
fn a_distance_beyond_both_the_ring_and_the_start_is_no_question_of_the_ring() {
    let mut bits = BitWriter::new();
    bits.field(1, 1).field(1, 2).code(0x30, 8).code(0x30, 8).code(1, 7).code(2, 5);
    let rejection = Rejection::fault(Reason::BadDeflate, 26 / 8).with_detail(Detail::DistanceTooFar);
    assert_eq!(verdict(Memory::Ring(1), &bits.done()), Err(rejection));
}

#[test]
fn the_longest_symbols_in_a_row_are_read_right() {
    // Codes of 15 bits for the literal 255, the longest lengths and the longest distances: 48 bits a match.
    let mut bits = BitWriter::new();
    bits.field(0, 1).field(0, 2).bytes(&[0x00, 0xA0, 0xFF, 0x5F]);
    let history: Vec<u8> = (0..0xA000_u32).map(|place| (place.wrapping_mul(place) >> 5) as u8).collect();
    bits.bytes(&history);
    bits.field(1, 1).field(2, 2).field(285 - 257, 5).field(29, 5).field(15, 4);
    // All code lengths 0 to 15 have four bits, those above have none.
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] {
        bits.field(if symbol < 16 { 4 } else { 0 }, 3);
    }
    // Lengths 1 to 14, and 15 twice, for 0 to 13, 284 and 256; the same for distances 0 to 13, 28 and 29.
    let mut literals = vec![0; 285];
    let mut distances = vec![0; 30];
    for symbol in 0..14 {
        literals[symbol] = symbol as u32 + 1;
        distances[symbol] = symbol as u32 + 1;
    }
    (literals[256], literals[284], distances[28], distances[29]) = (15, 15, 15, 15);
    for &length in literals.iter().chain(&distances) {
        bits.code(length, 4);
    }
    let mut expected = history;
    for round in 0..400_u32 {
        // The literal 13 has 14 bits: 13 ones and a zero.
        if round % 3 == 0 {
            bits.code(0x3FFE, 14);
            expected.push(13);
        }
        // 284 with 31 extra is a length of 258.
        let extra = round * 19 % 8192;
        bits.code(0x7FFF, 15).field(31, 5).code(0x7FFF, 15).field(extra, 13);
        let distance = 24_577 + extra as usize;
        for _ in 0..258 {
            expected.push(expected[expected.len() - distance]);
        }
    }
    let stream = bits.code(0x7FFE, 15).done();
    let mut engines = Engines::default();
    for cut in [Cut::Whole, Cut::Each(1), Cut::Each(513)] {
        for memory in [Memory::Flat(expected.len()), Memory::Ring(1 << 15)] {
            let outcome = engines.native(memory, NO_LIMIT, &stream, cut);
            assert_eq!(outcome.verdict, Ok(stream.len()), "{memory:?}, {cut:?}");
            assert!(outcome.bytes == expected, "{memory:?}, {cut:?}");
        }
    }
}
