//! Canonical Huffman codes (RFC 1951, sections 3.2.2 and 3.2.7): from code lengths to tables.
//!
//! A code is kept as a fast table, indexed by the next bits of the stream, and, for codes that are longer than
//! its index, as the first code and the sorted symbols of each length. While a code is being built its lengths
//! lie in the literal/length table, which is dead by then.
//!
//! What is refused is what zlib refuses: an over-subscribed code, and an incomplete one, except a
//! literal/length or distance code of a single one-bit code, and a distance code without any.

use core::cell::Cell;
use core::ops::Range;

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
    pub(super) literals: Canonical<[u16; LITERAL_SYMBOLS]>,
    pub(super) distances: Canonical<[u16; DISTANCE_SYMBOLS]>,
}

impl<const LITERALS: usize> Tables<LITERALS> {
    pub(super) const EMPTY: Self = Self {
        fast: Fast { literals: [0; LITERALS], distances: [0; DISTANCES] },
        long: Long { literals: Canonical::EMPTY, distances: Canonical::EMPTY },
    };

    /// Makes a code and its fast table from code lengths, which lie in a range of the literal/length table: that is dead
    /// until the last code of a block is made, its own. Says whether they are those of a code.
    ///
    /// The code length code has the place of the distance code, which is made when it is done with.
    #[inline(never)]
    pub(super) fn build<F: Entries>(&mut self, alphabet: Alphabet, lengths: Range<usize>) -> bool {
        let Self { fast, long } = self;
        let code: &mut Canonical<[u16]> = match alphabet {
            Alphabet::Literals => &mut long.literals,
            Alphabet::CodeLengths | Alphabet::Distances => &mut long.distances,
        };
        let mut ends = Ends::NONE;
        if !code.sort(alphabet, fast.literals.get(lengths).unwrap_or(&[]), &mut ends) {
            return false;
        }
        let table: &mut [u16] = match alphabet {
            Alphabet::Literals => &mut fast.literals,
            Alphabet::CodeLengths | Alphabet::Distances => &mut fast.distances,
        };
        code.fill::<F>(alphabet, &ends, table);
        true
    }
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

/// A code of an alphabet with as many symbols as `S` has room for.
pub(super) struct Canonical<S: ?Sized> {
    ranges: Ranges,
    symbols: S,
}

/// By length modulo 8, with codes written as 15-bit numbers.
struct Ranges {
    /// The first number behind the codes of this length.
    end: [u16; 8],
    /// What must be added to a code of this length for its place among the symbols.
    offset: [u16; 8],
}

impl<const SYMBOLS: usize> Canonical<[u16; SYMBOLS]> {
    pub(super) const EMPTY: Self =
        Self { ranges: Ranges { end: [0; 8], offset: [0; 8] }, symbols: [0; SYMBOLS] };

    /// The entry of a code that is longer than the index of its table of `table` entries.
    #[inline]
    pub(super) fn entry<F: Entries>(&self, alphabet: Alphabet, word: u32, table: usize) -> u16 {
        long::<F>(alphabet, &self.ranges, &self.symbols, word, table)
    }
}

/// Codes of all sizes are made by one piece of code.
impl Canonical<[u16]> {
    /// Takes the code that has these lengths, where they are those of a code, and tells where its symbols end.
    pub(super) fn sort(&mut self, alphabet: Alphabet, lengths: &[u16], ends: &mut Ends) -> bool {
        let Self { ranges, symbols } = self;
        *ends = Ends::NONE;
        // First how many codes there are of each length, then where the next one of them belongs, at last where they end.
        let places = &mut ends.0;
        for &length in lengths {
            // Most lengths of a small code are 0, and adding them all to one place takes a while.
            if length != 0
                && let Some(count) = places.get_mut(usize::from(length) & 15)
            {
                *count = count.wrapping_add(1);
            }
        }
        let (mut place, mut code, mut free) = (0_u16, 0_u32, 1_i32);
        for length in 1..=LONGEST {
            let Some(first) = places.get_mut(length) else { break };
            let count = core::mem::replace(first, place);
            free = free.wrapping_mul(2).wrapping_sub(i32::from(count));
            if free < 0 {
                return false;
            }
            code = code.wrapping_mul(2);
            if let (Some(end), Some(offset)) =
                (ranges.end.get_mut(length & 7), ranges.offset.get_mut(length & 7))
            {
                // Those of the lengths 1 to 7 are overwritten by 9 to 15 and not asked for.
                *offset = place.wrapping_sub(code as u16);
                code = code.wrapping_add(u32::from(count));
                *end = code.wrapping_shl(LONGEST.wrapping_sub(length) as u32) as u16;
            }
            place = place.wrapping_add(count);
        }
        let [_, _, one_bit, ..] = *places;
        let may_be_incomplete = alphabet != Alphabet::CodeLengths && place == one_bit;
        if free > 0 && !may_be_incomplete {
            return false;
        }
        for (symbol, &length) in lengths.iter().enumerate() {
            if length != 0
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

    /// Fills a fast table from the code taken last, by doubling: what is known for an index of `n` bits holds for both of
    /// `n + 1` bits, then the codes of that length take their places.
    pub(super) fn fill<F: Entries>(&self, alphabet: Alphabet, ends: &Ends, table: &mut [u16]) {
        let index_bits = table.len().trailing_zeros() as usize;
        let longer = ends.of(LONGEST) != ends.of(index_bits);
        let rest = if longer { F::long(alphabet) } else { F::entry(alphabet, UNDEFINED, 1) };
        if let Some(first) = table.first_mut() {
            *first = rest;
        }
        let mut code = 0_u32;
        let mut begin = 0;
        for length in 1..=index_bits {
            double(table, 1_usize.wrapping_shl(length.wrapping_sub(1) as u32));
            code = code.wrapping_mul(2);
            let end = ends.of(length);
            for &symbol in self.symbols.get(usize::from(begin)..usize::from(end)).unwrap_or(&[]) {
                let index = code.reverse_bits().wrapping_shr(32_u32.wrapping_sub(length as u32));
                if let Some(slot) = table.get_mut(index as usize) {
                    *slot = F::entry(alphabet, symbol, length as u16);
                }
                code = code.wrapping_add(1);
            }
            begin = end;
        }
    }
}

#[cold]
#[inline(never)]
fn long<F: Entries>(alphabet: Alphabet, ranges: &Ranges, symbols: &[u16], word: u32, table: usize) -> u16 {
    let number = word.reverse_bits().wrapping_shr(17);
    let index_bits = table.trailing_zeros() as usize;
    for length in index_bits.wrapping_add(1)..LONGEST.wrapping_add(1) {
        let row = length & 7;
        let (Some(&end), Some(&offset)) = (ranges.end.get(row), ranges.offset.get(row)) else { break };
        if number < u32::from(end) {
            let code = number.wrapping_shr(LONGEST.wrapping_sub(length) as u32) as u16;
            let Some(&symbol) = symbols.get(usize::from(code.wrapping_add(offset))) else { break };
            return F::entry(alphabet, symbol, length as u16);
        }
    }
    // Every code longer than a table's index is complete, so this is not reached.
    F::entry(alphabet, UNDEFINED, 1)
}

/// Writes the first `known` entries of a table once more behind them.
///
/// On 32 bits as cells, so that it is not a call of `memcpy`, whose frame is as large as that of all the rest here.
#[inline(always)]
fn double(table: &mut [u16], known: usize) {
    if cfg!(target_pointer_width = "64") {
        double_at_once(table, known);
    } else {
        double_by_pairs(table, known);
    }
}

#[inline(always)]
fn double_at_once(table: &mut [u16], known: usize) {
    if let Some((known, other)) = table.split_at_mut_checked(known)
        && let Some(other) = other.get_mut(..known.len())
    {
        other.copy_from_slice(known);
    }
}

/// Two entries at a time where there are two.
#[inline(always)]
fn double_by_pairs(table: &mut [u16], known: usize) {
    let cells = Cell::from_mut(table).as_slice_of_cells();
    let Some((from, to)) = cells.split_at_checked(known) else { return };
    if let ([from], [to, ..]) = (from, to) {
        to.set(from.get());
    }
    for ([a, b], [c, d]) in from.as_chunks::<2>().0.iter().zip(to.as_chunks::<2>().0) {
        let pair = u32::from(a.get()) | u32::from(b.get()) << 16;
        c.set(pair as u16);
        d.set((pair >> 16) as u16);
    }
}

/// Where the codes of each length end among the symbols, which are sorted by it.
#[repr(align(4))]
pub(super) struct Ends([u16; 16]);

impl Ends {
    pub(super) const NONE: Self = Self([0; 16]);

    /// How many codes there are up to a length.
    fn of(&self, length: usize) -> u16 {
        self.0.get(length & 15).copied().unwrap_or(0)
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
            let (mut code, mut ends) = (Canonical::<[u16; 16]>::EMPTY, Ends::NONE);
            let code: &mut Canonical<[u16]> = &mut code;
            assert!(code.sort(Alphabet::CodeLengths, &spread, &mut ends));
            let mut table = [0; DISTANCES];
            code.fill::<Narrow>(Alphabet::CodeLengths, &ends, &mut table);
            for (expected, code) in codes.iter().enumerate() {
                assert_eq!(symbol(&table, code), ((expected * between) as u16, code.len() as u16));
            }
        }
    }

    #[test]
    fn a_table_is_doubled_alike_at_once_and_by_pairs() {
        for known in [1, 2, 4, 8, 64] {
            // Different in both bytes, and something else behind.
            let before: [u16; DISTANCES] = core::array::from_fn(|place| place as u16 * 0x0201 + 0x0100);
            let expected: [u16; DISTANCES] = core::array::from_fn(|place| match place {
                place if place < 2 * known => before[place % known],
                place => before[place],
            });
            let (mut at_once, mut by_pairs) = (before, before);
            double_at_once(&mut at_once, known);
            double_by_pairs(&mut by_pairs, known);
            assert_eq!((at_once, by_pairs), (expected, expected), "{known}");
        }
    }

    #[test]
    fn codes_that_zlib_refuses_are_refused() {
        let (mut code, mut ends) = (Canonical::<[u16; 30]>::EMPTY, Ends::NONE);
        let code: &mut Canonical<[u16]> = &mut code;
        let mut accepted = |alphabet, lengths: &[u16]| code.sort(alphabet, lengths, &mut ends);
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
        let (mut code, mut ends) = (Canonical::<[u16; 30]>::EMPTY, Ends::NONE);
        let made: &mut Canonical<[u16]> = &mut code;
        assert!(made.sort(Alphabet::Distances, &lengths, &mut ends));
        let mut table = [0; DISTANCES];
        made.fill::<Narrow>(Alphabet::Distances, &ends, &mut table);
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
