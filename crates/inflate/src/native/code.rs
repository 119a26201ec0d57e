//! Canonical Huffman codes (RFC 1951, sections 3.2.2 and 3.2.7): from code lengths to tables.
//!
//! A code is kept as a fast table, indexed by the next bits of the stream, and, for codes that are longer than
//! its index, as the first code and the sorted symbols of each length. While a code is being built its lengths
//! lie in the literal/length table, which is dead by then.
//!
//! What is refused is what zlib refuses: an over-subscribed code, and an incomplete one, except a
//! literal/length or distance code of a single one-bit code, and a distance code without any.

use super::entry::{Alphabet, Entries, UNDEFINED};

/// Entries of the distance table and of the code length table: 7 bits.
pub(super) const DISTANCES: usize = 128;
/// Symbols that a dynamic literal/length code can have.
pub(super) const LITERAL_SYMBOLS: usize = 286;
/// Symbols that a dynamic distance code can have.
pub(super) const DISTANCE_SYMBOLS: usize = 30;
/// The longest code.
const LONGEST: usize = 15;

/// The codes of a dynamic block.
pub(super) struct Tables<const LITERALS: usize> {
    pub(super) fast: Fast<LITERALS>,
    pub(super) long: Long,
}

/// Tables that are indexed by the next bits.
pub(super) struct Fast<const LITERALS: usize> {
    pub(super) literals: [u16; LITERALS],
    pub(super) distances: [u16; DISTANCES],
}

/// What is behind them.
pub(super) struct Long {
    pub(super) literals: Canonical<LITERAL_SYMBOLS>,
    pub(super) distances: Canonical<DISTANCE_SYMBOLS>,
}

impl<const LITERALS: usize> Tables<LITERALS> {
    pub(super) const EMPTY: Self = Self {
        fast: Fast { literals: [0; LITERALS], distances: [0; DISTANCES] },
        long: Long { literals: Canonical::EMPTY, distances: Canonical::EMPTY },
    };
}

/// The codes in use: those of a dynamic block or the fixed ones, which all fit the fast tables.
#[derive(Clone, Copy)]
pub(super) struct Codes<'t, const LITERALS: usize> {
    pub(super) fast: &'t Fast<LITERALS>,
    pub(super) long: &'t Long,
}

/// The entry for the next bits of a stream, in a table whose size is a power of two.
#[inline(always)]
pub(super) fn entry<const SIZE: usize>(table: &[u16; SIZE], word: u32) -> u16 {
    const { assert!(SIZE.is_power_of_two()) };
    table.get(word as usize & const { SIZE.wrapping_sub(1) }).copied().unwrap_or(0)
}

/// A code of an alphabet of `SYMBOLS` symbols.
pub(super) struct Canonical<const SYMBOLS: usize> {
    ranges: Ranges,
    symbols: [u16; SYMBOLS],
}

/// By length modulo 8, with codes written as 15-bit numbers.
struct Ranges {
    /// The first number behind the codes of this length.
    end: [u16; 8],
    /// What must be added to a code of this length for its place among the symbols.
    offset: [u16; 8],
}

impl<const SYMBOLS: usize> Canonical<SYMBOLS> {
    pub(super) const EMPTY: Self =
        Self { ranges: Ranges { end: [0; 8], offset: [0; 8] }, symbols: [0; SYMBOLS] };

    /// Takes the code that has these lengths, and counts its codes of each length. Says whether it is one.
    pub(super) fn sort(&mut self, alphabet: Alphabet, lengths: &[u16], counts: &mut Counts) -> bool {
        sort(alphabet, lengths, counts, &mut self.ranges, &mut self.symbols)
    }

    /// Fills a fast table from the code taken last.
    pub(super) fn fill<F: Entries>(&self, alphabet: Alphabet, counts: &Counts, table: &mut [u16]) {
        fill::<F>(alphabet, counts, &self.symbols, table);
    }

    /// The entry of a code that is longer than the index of its table of `table` entries.
    #[inline]
    pub(super) fn entry<F: Entries>(&self, alphabet: Alphabet, word: u32, table: usize) -> u16 {
        long::<F>(alphabet, &self.ranges, &self.symbols, word, table)
    }
}

#[cold]
#[inline(never)]
fn long<F: Entries>(alphabet: Alphabet, ranges: &Ranges, symbols: &[u16], word: u32, table: usize) -> u16 {
    let number = word.reverse_bits().wrapping_shr(17);
    let mut length = table.trailing_zeros();
    while (length as usize) < LONGEST {
        length = length.wrapping_add(1);
        let row = length as usize & 7;
        let (Some(&end), Some(&offset)) = (ranges.end.get(row), ranges.offset.get(row)) else { break };
        if number < u32::from(end) {
            let code = number.wrapping_shr((LONGEST as u32).wrapping_sub(length)) as u16;
            let Some(&symbol) = symbols.get(usize::from(code.wrapping_add(offset))) else { break };
            return F::entry(alphabet, symbol, length as u16);
        }
    }
    // Every code longer than a table's index is complete, so this is not reached.
    F::entry(alphabet, UNDEFINED, 1)
}

/// How many codes of each length there are, and the longest.
pub(super) struct Counts {
    counts: [u16; 16],
    longest: usize,
}

impl Counts {
    pub(super) const NONE: Self = Self { counts: [0; 16], longest: 0 };

    /// The codes of each length, where none is longer than 15.
    fn of(&self, length: usize) -> u16 {
        self.counts.get(length & 15).copied().unwrap_or(0)
    }
}

#[inline(never)]
fn sort(
    alphabet: Alphabet,
    lengths: &[u16],
    counts: &mut Counts,
    ranges: &mut Ranges,
    symbols: &mut [u16],
) -> bool {
    *counts = Counts::NONE;
    for &length in lengths {
        // Most lengths of a small code are 0, and adding them all to one place takes a while.
        if length > 0
            && let Some(count) = counts.counts.get_mut(usize::from(length) & 15)
        {
            *count = count.wrapping_add(1);
        }
    }
    let mut places = [0_u16; 16];
    let (mut place, mut code, mut free) = (0_u16, 0_u32, 1_i32);
    for length in 1..=LONGEST {
        let count = counts.of(length);
        free = free.wrapping_mul(2).wrapping_sub(i32::from(count));
        if free < 0 {
            return false;
        }
        if count > 0 {
            counts.longest = length;
        }
        code = code.wrapping_mul(2);
        if let (Some(first), Some(end), Some(offset)) =
            (places.get_mut(length), ranges.end.get_mut(length & 7), ranges.offset.get_mut(length & 7))
        {
            *first = place;
            // Those of the lengths 1 to 7 are overwritten by 9 to 15 and not asked for.
            *offset = place.wrapping_sub(code as u16);
            code = code.wrapping_add(u32::from(count));
            *end = code.wrapping_shl(LONGEST.wrapping_sub(length) as u32) as u16;
        }
        place = place.wrapping_add(count);
    }
    let may_be_incomplete = alphabet != Alphabet::CodeLengths && counts.longest <= 1;
    if free > 0 && !may_be_incomplete {
        return false;
    }
    for (symbol, &length) in lengths.iter().enumerate() {
        if length > 0
            && let Some(place) = places.get_mut(usize::from(length) & 15)
        {
            if let Some(slot) = symbols.get_mut(usize::from(*place)) {
                *slot = symbol as u16;
            }
            *place = place.wrapping_add(1);
        }
    }
    true
}

/// Fills a table by doubling: what is known for an index of `n` bits holds for both of `n + 1` bits, then the
/// codes of that length take their places.
#[inline(never)]
fn fill<F: Entries>(alphabet: Alphabet, counts: &Counts, symbols: &[u16], table: &mut [u16]) {
    let index_bits = table.len().trailing_zeros() as usize;
    let rest = if counts.longest > index_bits { F::long(alphabet) } else { F::entry(alphabet, UNDEFINED, 1) };
    if let Some(first) = table.first_mut() {
        *first = rest;
    }
    let mut code = 0_u32;
    let mut symbols = symbols.iter();
    for length in 1..=index_bits {
        if let Some((known, other)) =
            table.split_at_mut_checked(1_usize.wrapping_shl(length.wrapping_sub(1) as u32))
            && let Some(other) = other.get_mut(..known.len())
        {
            other.copy_from_slice(known);
        }
        code = code.wrapping_mul(2);
        for &symbol in symbols.by_ref().take(usize::from(counts.of(length))) {
            let index = code.reverse_bits().wrapping_shr(32_u32.wrapping_sub(length as u32));
            if let Some(slot) = table.get_mut(index as usize) {
                *slot = F::entry(alphabet, symbol, length as u16);
            }
            code = code.wrapping_add(1);
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;
    use crate::native::narrow::Narrow;

    /// What a table of code lengths says of the bits of `code`, written as in the RFC.
    fn symbol(table: &[u16; DISTANCES], code: &str) -> (u16, u16) {
        let bits = code.bytes().rev().fold(0, |bits, byte| bits << 1 | u32::from(byte - b'0'));
        let entry = entry(table, bits);
        (entry >> 4, entry & 15)
    }

    #[test]
    fn the_example_of_the_rfc_has_the_codes_of_the_rfc() {
        // Section 3.2.2: the lengths of A to H. Here they are 0 to 7, or 0 to 14 with symbols between that have no code.
        let lengths = [3, 3, 3, 3, 3, 2, 4, 4];
        let codes = ["010", "011", "100", "101", "110", "00", "1110", "1111"];
        for between in [1, 2] {
            let mut spread = [0; 16];
            for (place, length) in spread.iter_mut().step_by(between).zip(lengths) {
                *place = length;
            }
            let mut code = Canonical::<16>::EMPTY;
            let mut counts = Counts::NONE;
            assert!(code.sort(Alphabet::CodeLengths, &spread, &mut counts));
            let mut table = [0; DISTANCES];
            code.fill::<Narrow>(Alphabet::CodeLengths, &counts, &mut table);
            for (expected, code) in codes.iter().enumerate() {
                assert_eq!(symbol(&table, code), ((expected * between) as u16, code.len() as u16));
            }
        }
    }

    #[test]
    fn codes_that_zlib_refuses_are_refused() {
        let mut code = Canonical::<30>::EMPTY;
        let mut counts = Counts::NONE;
        let mut accepted = |alphabet, lengths: &[u16]| code.sort(alphabet, lengths, &mut counts);
        for alphabet in [Alphabet::CodeLengths, Alphabet::Literals, Alphabet::Distances] {
            let alone = alphabet != Alphabet::CodeLengths;
            assert!(accepted(alphabet, &[1, 1]));
            assert!(accepted(alphabet, &[15, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]));
            assert_eq!(accepted(alphabet, &[0, 1, 0]), alone, "one code of one bit");
            assert_eq!(accepted(alphabet, &[0, 0]), alone, "no code");
            assert!(!accepted(alphabet, &[2]) && !accepted(alphabet, &[1, 2]), "incomplete");
            assert!(!accepted(alphabet, &[1, 1, 15]) && !accepted(alphabet, &[1, 1, 1]), "over-subscribed");
        }
    }

    #[test]
    fn codes_longer_than_the_table_are_found() {
        // Lengths 1 to 14 and two of 15: the code of symbol n is n ones and a zero, the last one all ones.
        let lengths: [u16; 16] = core::array::from_fn(|symbol| (symbol as u16 + 1).min(15));
        let mut code = Canonical::<30>::EMPTY;
        let mut counts = Counts::NONE;
        assert!(code.sort(Alphabet::Distances, &lengths, &mut counts));
        let mut table = [0; DISTANCES];
        code.fill::<Narrow>(Alphabet::Distances, &counts, &mut table);
        for symbol in 0..16_u16 {
            let bits = !(u32::MAX << symbol);
            let expected = Narrow::entry(Alphabet::Distances, symbol, (symbol + 1).min(15));
            if symbol < 7 {
                assert_eq!(entry(&table, bits), expected);
            } else {
                assert_eq!(entry(&table, bits), Narrow::long(Alphabet::Distances));
                assert_eq!(code.entry::<Narrow>(Alphabet::Distances, bits, DISTANCES), expected);
            }
        }
    }
}
