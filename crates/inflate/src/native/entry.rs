//! What an entry of a table says (RFC 1951, section 3.2.5), and the fixed codes (section 3.2.6).
//!
//! An entry is 16 bits in one of two forms, [`Wide`](super::wide::Wide) and [`Narrow`](super::narrow::Narrow),
//! each of which suits the fast loop of a word size. Everything else sees them through these traits.

use super::bits::Bits;
use super::code::{Codes, Fast};
use super::output::{Match, Output};

/// One of the three alphabets of a dynamic block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// The alphabet in which the lengths of the other two codes are written.
    CodeLengths,
    /// Literal bytes, the end of the block, and lengths.
    Literals,
    /// Distances.
    Distances,
}

/// A symbol of no alphabet: its entry is what a bit pattern gets that is no code.
pub(super) const UNDEFINED: u16 = u16::MAX;

/// The entries of a code length table are the same in both forms: symbol and, in the lowest four bits, length.
pub(super) const fn code_length_entry(symbol: u16, length: u16) -> u16 {
    match symbol {
        0..19 => (symbol << 4) | length,
        _ => 0,
    }
}

/// What a literal/length entry says.
pub(super) enum Symbol {
    /// A byte.
    Literal(u8),
    /// The length of a match, 3 to 258.
    Length(usize),
    /// The end of the block.
    EndOfBlock,
    /// A symbol that is not defined, or a bit pattern that is no code.
    Undefined,
}

/// A form of entries.
pub(super) trait Entries {
    /// The entry of a symbol whose code has `length` bits; of an undefined one for symbols out of the alphabet.
    fn entry(alphabet: Alphabet, symbol: u16, length: u16) -> u16;
    /// The entry of bits that begin a code longer than the index, which no code length code has.
    fn long(alphabet: Alphabet) -> u16;
    /// How many bits a literal/length symbol has, its extra bits included.
    fn literal_bits(entry: u16) -> u32;
    /// What a literal/length entry and the bits from its code on say.
    fn literal(entry: u16, word: u32) -> Symbol;
    /// How many bits a distance symbol has, its extra bits included.
    fn distance_bits(entry: u16) -> u32;
    /// The distance that a distance entry and the bits from its code on say; `None` where it is not defined.
    fn distance(entry: u16, word: u32) -> Option<usize>;
}

/// A form of entries with its fast loop, which keeps nothing unless it is there to measure.
pub(super) trait Layout<const LITERALS: usize>: Entries {
    /// As it is before the first stream.
    const START: Self;
    /// The fixed codes.
    const FIXED: &'static Fast<LITERALS>;
    /// The least input for which the fast loop is worth calling, in bytes.
    const INPUT: usize;
    /// The least room for which it is.
    const ROOM: usize;

    /// Decodes while input and room are ample and nothing is out of the ordinary. It stops before the first
    /// symbol that is, whatever that is: [`symbols`](super::symbols) alone knows faults and edges. Where the
    /// length of a match was read or its copy does not fit, `unfinished` says so.
    ///
    /// Returns whether the block has ended.
    fn fast<const WRAPS: bool>(
        codes: Codes<'_, LITERALS>,
        bits: &mut Bits<'_>,
        output: &mut Output<'_>,
        unfinished: &mut Match,
    ) -> bool;

    /// Takes note of a distance that the exact loop has accepted.
    #[inline(always)]
    fn reached(&mut self, _distance: usize) {}
}

/// The shortest match that a length symbol stands for, less 3, and its extra bits; counted from symbol 257.
pub(super) const fn length_parts(symbol: u16) -> (u16, u16) {
    match symbol {
        0..8 => (symbol, 0),
        28 => (255, 0),
        _ => {
            let extra = (symbol >> 2).wrapping_sub(1);
            ((4 | (symbol & 3)).wrapping_shl(extra as u32), extra)
        }
    }
}

/// The top bits and the number of extra bits of a distance symbol: the distance is
/// `(top << extra | bits) + 1`.
pub(super) const fn distance_parts(symbol: u16) -> (u16, u16) {
    if symbol < 4 { (symbol, 0) } else { (2 | (symbol & 1), (symbol >> 1).wrapping_sub(1)) }
}

/// The fixed literal/length code: symbol and length for nine bits of the stream.
pub(super) const fn fixed_literal(index: usize) -> (u16, u16) {
    let code = (index as u16 & 511).reverse_bits() >> 7;
    match code >> 2 {
        0..0b001_1000 => (256 | (code >> 2), 7),
        0b001_1000..0b110_0000 => ((code >> 1).wrapping_sub(0b0011_0000), 8),
        0b110_0000..0b110_0100 => ((code >> 1).wrapping_sub(0b1100_0000).wrapping_add(280), 8),
        _ => (code.wrapping_sub(0b1_1001_0000).wrapping_add(144), 9),
    }
}

/// The fixed distance code: symbol and length for five bits of the stream.
pub(super) const fn fixed_distance(index: usize) -> (u16, u16) {
    ((index as u16 & 31).reverse_bits() >> 11, 5)
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;
    use crate::engine::Room;
    use crate::native::bits::Carry;
    use crate::native::code::{Canonical, Ends, Fast, Tables};
    use crate::native::measuring::Exact;
    use crate::native::narrow::{self, Narrow};
    use crate::native::wide::{self, Wide};

    /// The tables of section 3.2.5: extra bits and shortest length or distance.
    const LENGTHS: [(u16, u16); 29] = [
        (0, 3),
        (0, 4),
        (0, 5),
        (0, 6),
        (0, 7),
        (0, 8),
        (0, 9),
        (0, 10),
        (1, 11),
        (1, 13),
        (1, 15),
        (1, 17),
        (2, 19),
        (2, 23),
        (2, 27),
        (2, 31),
        (3, 35),
        (3, 43),
        (3, 51),
        (3, 59),
        (4, 67),
        (4, 83),
        (4, 99),
        (4, 115),
        (5, 131),
        (5, 163),
        (5, 195),
        (5, 227),
        (0, 258),
    ];
    const DISTANCES: [(u16, u16); 30] = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 5),
        (1, 7),
        (2, 9),
        (2, 13),
        (3, 17),
        (3, 25),
        (4, 33),
        (4, 49),
        (5, 65),
        (5, 97),
        (6, 129),
        (6, 193),
        (7, 257),
        (7, 385),
        (8, 513),
        (8, 769),
        (9, 1025),
        (9, 1537),
        (10, 2049),
        (10, 3073),
        (11, 4097),
        (11, 6145),
        (12, 8193),
        (12, 12289),
        (13, 16385),
        (13, 24577),
    ];

    /// Every symbol of both alphabets, with every length of a code and the least and the most extra bits.
    fn says_what_the_rfc_says<F: Entries>() {
        for bits in 1..=15 {
            for byte in 0..256 {
                let entry = F::entry(Alphabet::Literals, byte, bits);
                assert_eq!(F::literal_bits(entry), u32::from(bits));
                assert!(
                    matches!(F::literal(entry, 0), Symbol::Literal(literal) if u16::from(literal) == byte)
                );
            }
            let entry = F::entry(Alphabet::Literals, 256, bits);
            assert!(
                matches!(F::literal(entry, 0), Symbol::EndOfBlock) && F::literal_bits(entry) == bits.into()
            );
            for undefined in [286, 287, UNDEFINED] {
                let entry = F::entry(Alphabet::Literals, undefined, bits);
                assert!(matches!(F::literal(entry, 0), Symbol::Undefined));
                assert_eq!(F::literal_bits(entry), u32::from(bits));
            }
            for (symbol, &(extra, shortest)) in LENGTHS.iter().enumerate() {
                let entry = F::entry(Alphabet::Literals, 257 + symbol as u16, bits);
                assert_eq!(F::literal_bits(entry), u32::from(bits + extra));
                for more in [0, (1 << extra) - 1] {
                    // The bits of the code itself, and those behind the symbol, may be anything.
                    let word = u32::MAX << (bits + extra) | more << bits | u32::from(bits & 1);
                    let expected = usize::from(shortest) + more as usize;
                    assert!(matches!(F::literal(entry, word), Symbol::Length(length) if length == expected));
                }
            }
            for (symbol, &(extra, shortest)) in DISTANCES.iter().enumerate() {
                let entry = F::entry(Alphabet::Distances, symbol as u16, bits);
                assert_eq!(F::distance_bits(entry), u32::from(bits + extra));
                for more in [0, (1 << extra) - 1] {
                    let word = u32::MAX << (bits + extra) | more << bits | u32::from(bits & 1);
                    assert_eq!(F::distance(entry, word), Some(usize::from(shortest) + more as usize));
                }
            }
            for undefined in [30, 31, UNDEFINED] {
                let entry = F::entry(Alphabet::Distances, undefined, bits);
                assert_eq!((F::distance(entry, 0), F::distance_bits(entry)), (None, u32::from(bits)));
            }
        }
    }

    #[test]
    fn all_forms_say_what_the_rfc_says() {
        says_what_the_rfc_says::<Wide>();
        says_what_the_rfc_says::<Narrow>();
        says_what_the_rfc_says::<Exact>();
    }

    #[test]
    fn the_fixed_codes_are_those_of_the_rfc() {
        // The table of section 3.2.6: the first symbol of a row, the one behind its last, the bits, the first code.
        for (first, end, length, code) in [
            (0_u16, 144, 8, 0b0011_0000),
            (144, 256, 9, 0b1_1001_0000),
            (256, 280, 7, 0b000_0000),
            (280, 288, 8, 0b1100_0000),
        ] {
            for symbol in first..end {
                let index = usize::from((code + symbol - first).reverse_bits() >> (16 - length));
                // Whatever bits come behind the code.
                for index in (index..512).step_by(1 << length) {
                    assert_eq!(fixed_literal(index), (symbol, length));
                }
            }
        }
        // Distances are written as they are, in five bits.
        for symbol in 0..32_u16 {
            let index = usize::from(symbol.reverse_bits() >> 11);
            for index in (index..128).step_by(32) {
                assert_eq!(fixed_distance(index), (symbol, 5));
            }
        }
    }

    /// The tables that section 3.2.6 makes of its lengths.
    fn is_the_fixed_code<F: Entries, const LITERALS: usize>(fixed: &Fast<LITERALS>) {
        let lengths: [u16; 288] = core::array::from_fn(|symbol| match symbol {
            144..256 => 9,
            256..280 => 7,
            _ => 8,
        });
        let mut expected = [0; LITERALS];
        made::<F>(Alphabet::Literals, &lengths, &mut expected);
        assert!(fixed.literals == expected);
        let mut expected = [0; 128];
        made::<F>(Alphabet::Distances, &[5; 32], &mut expected);
        assert!(fixed.distances == expected);
    }

    /// Makes the table of a code from its lengths.
    fn made<F: Entries>(alphabet: Alphabet, lengths: &[u16], table: &mut [u16]) {
        let (mut code, mut ends) = (Canonical::<[u16; 288]>::EMPTY, Ends::NONE);
        let code: &mut Canonical<[u16]> = &mut code;
        assert!(code.sort(alphabet, lengths, &mut ends));
        code.fill::<F>(alphabet, &ends, table);
    }

    #[test]
    fn the_constant_tables_are_the_fixed_codes() {
        is_the_fixed_code::<Wide, { wide::LITERALS }>(<Wide as Layout<{ wide::LITERALS }>>::FIXED);
        is_the_fixed_code::<Narrow, { narrow::LITERALS }>(<Narrow as Layout<{ narrow::LITERALS }>>::FIXED);
    }

    /// With the fixed codes, a match of 3 bytes over 200, and as many times `b` as there is place for.
    fn stream() -> [u8; 64] {
        let mut stream = [0; 64];
        let mut end = 0;
        let mut put = |field: u32, bits: usize| {
            for bit in 0..bits {
                stream[(end + bit) / 8] |= ((field >> bit & 1) as u8) << ((end + bit) % 8);
            }
            end += bits;
            end
        };
        // Codes are written from their highest bit on. The length symbol is 257, and the distance is 193 and 7 more.
        put(1_u32.reverse_bits() >> 25, 7);
        put(15_u32.reverse_bits() >> 27, 5);
        let mut end = put(7, 6);
        while end + 8 <= 512 {
            end = put((0b0011_0000 + u32::from(b'b')).reverse_bits() >> 24, 8);
        }
        stream
    }

    fn goes_on<F: Layout<LITERALS>, const LITERALS: usize, const WRAPS: bool>() {
        let mut bytes: [u8; 512] = core::array::from_fn(|place| place as u8);
        // As far back as the flat buffer goes, and in the ring to what lies ahead.
        let (size, at, from, reach) = if WRAPS { (256, 100, 156, 256) } else { (512, 200, 0, 200) };
        let expected = [from as u8, from as u8 + 1, from as u8 + 2];
        let tables = Tables::<LITERALS>::EMPTY;
        let codes = Codes { fast: F::FIXED, long: &tables.long };
        let stream = stream();
        // Nothing was read, but four bytes wait.
        let mut bits = Bits::resume(Carry::EMPTY, &stream);
        assert!(bits.has(3));
        let mut output = Output::new(Room { bytes: &mut bytes[..size], at, reach });
        let mut unfinished = Match::NONE;
        assert!(!F::fast::<WRAPS>(codes, &mut bits, &mut output, &mut unfinished));
        assert_eq!(unfinished.length, 0);
        // Less than a round needs, and what is taken in at once.
        let left = bits.rest().len() * 8 + bits.count() as usize;
        assert!(left < (F::INPUT + 8) * 8, "{left} bits are left");
        let behind = output.at;
        assert_eq!((behind - at - 3) * 8, 512 - 18 - left);
        assert_eq!(bytes[at..at + 3], expected);
        assert!(bytes[at + 3..behind].iter().all(|&byte| byte == b'b'));
    }

    #[test]
    fn the_fast_loops_go_on_while_input_and_room_are_ample() {
        goes_on::<Wide, { wide::LITERALS }, false>();
        goes_on::<Wide, { wide::LITERALS }, true>();
        goes_on::<Narrow, { narrow::LITERALS }, false>();
        goes_on::<Narrow, { narrow::LITERALS }, true>();
    }
}
