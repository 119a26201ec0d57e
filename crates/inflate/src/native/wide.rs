//! The layout for 64-bit words: entries that give a symbol's total bits in one field, and the fast loop.
//!
//! A word holds at least 56 bits after a refill. That is enough for two literals of the table, a length and a
//! distance of the tables with all their extra bits (10 + 10 + 15 + 20), so there is one refill for each match
//! and for every three literals. What pays most: the word is refilled and the next entry loaded before a match
//! is copied, so that the load's latency passes meanwhile.

use super::bits::{Bits, low};
use super::code::{Codes, DISTANCES, Fast, entry};
use super::entry::{
    Alphabet, Entries, Layout, Symbol, code_length_entry, distance_parts, fixed_distance, fixed_literal,
    length_parts,
};
use super::output::{Match, Output};

/// Entries for a 64-bit word.
///
/// | entry | 15..8 | 7 | 6 | 5..0 |
/// |---|---|---|---|---|
/// | literal | byte | 0 | 0 | bits |
/// | length | symbol less 257 | 1 | 0 | bits with extra bits |
/// | end of block | 0 | 1 | 1 | bits |
/// | undefined | 1 | 1 | 1 | bits |
/// | longer code | 2 | 1 | 1 | 0 |
///
/// A distance has its top bits in 11..10, its number of extra bits in 9..6, its bits with extra bits in 5..0;
/// bit 15 marks what is undefined (with its bits) and, with 0 bits, a longer code.
pub(super) struct Wide;

/// Entries of the literal/length table: 10 bits.
pub(super) const LITERALS: usize = 1024;

const NOT_LITERAL: u16 = 0x80;
const SPECIAL: u16 = 0x40;
const END_OF_BLOCK: u16 = NOT_LITERAL | SPECIAL;
const UNDEFINED: u16 = 0x100 | NOT_LITERAL | SPECIAL;
const LONG: u16 = 0x200 | NOT_LITERAL | SPECIAL;
const SPECIAL_DISTANCE: u16 = 0x8000;

/// Shortest length in bits 8..0 and extra bits in 15..9 of a length symbol less 257.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "evaluated by the compiler")]
const LENGTHS: [u16; 32] = {
    let mut lengths = [0; 32];
    let mut symbol = 0;
    while symbol < 29 {
        let (shortest, extra) = length_parts(symbol);
        lengths[symbol as usize] = (shortest + 3) | (extra << 9);
        symbol += 1;
    }
    lengths
};

const fn literal_entry(symbol: u16, length: u16) -> u16 {
    match symbol {
        0..256 => (symbol << 8) | length,
        256 => END_OF_BLOCK | length,
        257..286 => {
            let symbol = symbol.wrapping_sub(257);
            (symbol << 8) | NOT_LITERAL | length.wrapping_add(length_parts(symbol).1)
        }
        _ => UNDEFINED | length,
    }
}

const fn distance_entry(symbol: u16, length: u16) -> u16 {
    if symbol < 30 {
        let (top, extra) = distance_parts(symbol);
        (top << 10) | (extra << 6) | length.wrapping_add(extra)
    } else {
        SPECIAL_DISTANCE | length
    }
}

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "evaluated by the compiler")]
static FIXED: Fast<LITERALS> = {
    let mut literals = [0; LITERALS];
    let mut index = 0;
    while index < LITERALS {
        let (symbol, length) = fixed_literal(index);
        literals[index] = literal_entry(symbol, length);
        index += 1;
    }
    let mut distances = [0; DISTANCES];
    index = 0;
    while index < DISTANCES {
        let (symbol, length) = fixed_distance(index);
        distances[index] = distance_entry(symbol, length);
        index += 1;
    }
    Fast { literals, distances }
};

/// The length of a match, from an entry that is known to be one.
#[inline(always)]
fn length(entry: u16, word: u32) -> usize {
    let row = LENGTHS.get(usize::from((entry >> 8) & 31)).copied().unwrap_or(0);
    let bits = u32::from(entry & 63);
    let extra = u32::from(row >> 9);
    let field = low(word, bits).wrapping_shr(bits.wrapping_sub(extra));
    usize::from(row & 511).wrapping_add(field as usize)
}

/// The distance of a match, from an entry that is known to be one.
#[inline(always)]
fn distance(entry: u16, word: u32) -> usize {
    let bits = u32::from(entry & 63);
    let extra = u32::from((entry >> 6) & 15);
    let top = u32::from((entry >> 10) & 3).wrapping_shl(extra);
    let field = low(word, bits).wrapping_shr(bits.wrapping_sub(extra));
    (top | field).wrapping_add(1) as usize
}

impl Entries for Wide {
    #[inline]
    fn entry(alphabet: Alphabet, symbol: u16, length: u16) -> u16 {
        match alphabet {
            Alphabet::CodeLengths => code_length_entry(symbol, length),
            Alphabet::Literals => literal_entry(symbol, length),
            Alphabet::Distances => distance_entry(symbol, length),
        }
    }

    #[inline]
    fn long(alphabet: Alphabet) -> u16 {
        match alphabet {
            Alphabet::CodeLengths => 0,
            Alphabet::Literals => LONG,
            Alphabet::Distances => SPECIAL_DISTANCE,
        }
    }

    #[inline(always)]
    fn literal_bits(entry: u16) -> u32 {
        u32::from(entry & 63)
    }

    #[inline(always)]
    fn literal(entry: u16, word: u32) -> Symbol {
        if entry & NOT_LITERAL == 0 {
            Symbol::Literal((entry >> 8) as u8)
        } else if entry & SPECIAL == 0 {
            Symbol::Length(length(entry, word))
        } else if entry & !63 == END_OF_BLOCK {
            Symbol::EndOfBlock
        } else {
            Symbol::Undefined
        }
    }

    #[inline(always)]
    fn distance_bits(entry: u16) -> u32 {
        u32::from(entry & 63)
    }

    #[inline(always)]
    fn distance(entry: u16, word: u32) -> Option<usize> {
        if entry & SPECIAL_DISTANCE == 0 { Some(distance(entry, word)) } else { None }
    }
}

/// The bits that the fast loop reads from.
struct Reservoir<'i> {
    /// The next bits; above `count` may stand bits of the bytes that follow.
    word: u64,
    /// Its lowest six bits say how many bits are there.
    count: u32,
    rest: &'i [u8],
}

impl Reservoir<'_> {
    /// Input that an iteration needs: three refills of at most seven bytes, read eight at a time.
    const AMPLE: usize = 24;

    #[inline(always)]
    fn is_ample(&self) -> bool {
        self.rest.len() >= Self::AMPLE
    }

    /// Makes it at least 56 bits. At most three times for one test of `is_ample`.
    #[inline(always)]
    fn refill(&mut self) {
        let next = self.rest.first_chunk::<8>().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        self.word |= next.wrapping_shl(self.count);
        let bytes = ((self.count & 63) ^ 63) >> 3;
        self.count = (self.count & 63) | 56;
        self.rest = self.rest.get(bytes as usize..).unwrap_or(&[]);
    }

    #[inline(always)]
    fn peek(&self) -> u32 {
        self.word as u32
    }

    /// Passes over the bits of an entry.
    #[inline(always)]
    fn skip(&mut self, entry: u16) {
        self.word = self.word.wrapping_shr(u32::from(entry));
        self.count = self.count.wrapping_sub(u32::from(entry));
    }
}

impl Layout<LITERALS> for Wide {
    const FIXED: &'static Fast<LITERALS> = &FIXED;
    const INPUT: usize = Reservoir::AMPLE;
    const ROOM: usize = 48;

    #[inline(never)]
    fn fast<const WRAPS: bool>(
        codes: Codes<'_, LITERALS>,
        bits: &mut Bits<'_>,
        output: &mut Output<'_>,
        unfinished: &mut Match,
    ) -> bool {
        let (word, count, rest) = bits.reservoir();
        let mut input = Reservoir { word, count, rest };
        let mut at = output.at;
        // A ring's length is a power of two. How far it reaches is not brought up to date in here: the exact loop
        // takes the few matches that reach farther than the ring did when this began.
        let reach = output.reach().min(output.bytes.len());
        let mask = if WRAPS { output.bytes.len().wrapping_sub(1) } else { usize::MAX };
        let bytes = &mut *output.bytes;

        let ended = 'decode: loop {
            if !input.is_ample() {
                break false;
            }
            input.refill();
            let mut next = entry(&codes.fast.literals, input.peek());
            loop {
                // Two literals leave enough bits for a match; after a third there is a refill.
                if next & NOT_LITERAL == 0 {
                    let Some(room) = bytes.get_mut(at..) else { break 'decode false };
                    let Some([first, second, third]) = room.first_chunk_mut() else { break 'decode false };
                    *first = (next >> 8) as u8;
                    at = at.wrapping_add(1);
                    input.skip(next);
                    next = entry(&codes.fast.literals, input.peek());
                    if next & NOT_LITERAL == 0 {
                        *second = (next >> 8) as u8;
                        at = at.wrapping_add(1);
                        input.skip(next);
                        next = entry(&codes.fast.literals, input.peek());
                        if next & NOT_LITERAL == 0 {
                            *third = (next >> 8) as u8;
                            at = at.wrapping_add(1);
                            input.skip(next);
                            if !input.is_ample() {
                                break 'decode false;
                            }
                            input.refill();
                            next = entry(&codes.fast.literals, input.peek());
                            continue;
                        }
                    }
                }
                if next & SPECIAL != 0 {
                    if next == LONG {
                        input.refill();
                        next = codes.long.literals.entry::<Self>(Alphabet::Literals, input.peek(), LITERALS);
                    }
                    if next & NOT_LITERAL == 0 {
                        let Some(place) = bytes.get_mut(at) else { break 'decode false };
                        *place = (next >> 8) as u8;
                        at = at.wrapping_add(1);
                        input.skip(next);
                        continue 'decode;
                    }
                    if next & SPECIAL != 0 {
                        if next & !63 != END_OF_BLOCK {
                            break 'decode false;
                        }
                        input.skip(next);
                        break 'decode true;
                    }
                }
                let length = length(next, input.peek());
                input.skip(next);

                let mut far = entry(&codes.fast.distances, input.peek());
                if far & SPECIAL_DISTANCE != 0 {
                    input.refill();
                    if far == SPECIAL_DISTANCE {
                        far =
                            codes.long.distances.entry::<Self>(Alphabet::Distances, input.peek(), DISTANCES);
                    }
                    if far & SPECIAL_DISTANCE != 0 {
                        *unfinished = Match::of_length(length);
                        break 'decode false;
                    }
                }
                let distance = distance(far, input.peek());
                if distance > if WRAPS { reach } else { at } {
                    *unfinished = Match::of_length(length);
                    break 'decode false;
                }
                input.skip(far);

                // The mask keeps what does not wrap as it is.
                let from = at.wrapping_sub(distance) & mask;
                let ample = input.is_ample();
                if ample {
                    input.refill();
                    next = entry(&codes.fast.literals, input.peek());
                }
                if !copy::<WRAPS>(bytes, at, from, distance, length) {
                    *unfinished = Match::new(length, distance);
                    break 'decode false;
                }
                at = at.wrapping_add(length);
                if !ample {
                    break 'decode false;
                }
            }
        };
        output.at = at;
        bits.set_reservoir(input.word, input.count & 63, input.rest);
        ended
    }
}

/// The `N` bytes at `from`.
#[inline(always)]
fn load<const N: usize>(bytes: &[u8], from: usize) -> Option<[u8; N]> {
    bytes.get(from..)?.first_chunk().copied()
}

#[inline(always)]
fn store<const N: usize>(bytes: &mut [u8], to: usize, chunk: [u8; N]) -> Option<()> {
    *bytes.get_mut(to..)?.first_chunk_mut()? = chunk;
    Some(())
}

/// From here on a call of `memmove` costs less than steps.
const LONG_MATCH: usize = 64;

/// Copies a match in wide steps, or nothing: where steps would run over the end of the memory, it says `false`.
///
/// The steps write up to 31 bytes too many. In a ring those are history, so they are put back.
#[inline(always)]
fn copy<const WRAPS: bool>(bytes: &mut [u8], at: usize, from: usize, distance: usize, length: usize) -> bool {
    let (end, source_end) = (at.wrapping_add(length), from.wrapping_add(length));
    if length > LONG_MATCH && distance >= length && end <= bytes.len() && source_end <= bytes.len() {
        bytes.copy_within(from..source_end, at);
        return true;
    }
    let Some(behind) = load::<32>(bytes, end) else { return false };
    // A source that lies behind `at` in the ring is the one that may run over the end.
    if WRAPS && load::<32>(bytes, source_end).is_none() {
        return false;
    }
    let copied = if distance >= 32 {
        steps::<32>(bytes, at, from, end)
    } else if distance >= 8 {
        steps::<8>(bytes, at, from, end)
    } else {
        repeat(bytes, at, from, distance, end)
    };
    if WRAPS {
        let _ = store(bytes, end, behind);
    }
    copied.is_some()
}

/// Copies up to `end` in steps of `N` bytes, which the distance is not shorter than.
#[inline(always)]
fn steps<const N: usize>(bytes: &mut [u8], mut at: usize, mut from: usize, end: usize) -> Option<()> {
    loop {
        let chunk: [u8; N] = load(bytes, from)?;
        store(bytes, at, chunk)?;
        at = at.wrapping_add(N);
        from = from.wrapping_add(N);
        if at >= end {
            return Some(());
        }
    }
}

/// Writes the period of a distance below 8 over and over, a word at a time.
#[inline(always)]
fn repeat(bytes: &mut [u8], mut at: usize, from: usize, distance: usize, end: usize) -> Option<()> {
    /// Multiplied by the period, a word full of it.
    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "evaluated by the compiler")]
    const COPIES: [u64; 8] = {
        let mut copies = [0; 8];
        let mut distance = 1;
        while distance < 8 {
            let mut shift = 0;
            while shift < 64 {
                copies[distance] |= 1 << shift;
                shift += 8 * distance;
            }
            distance += 1;
        }
        copies
    };
    /// The largest multiple of the distance that a word holds.
    const STEPS: [u8; 8] = [8, 8, 8, 6, 8, 5, 6, 7];
    let word = u64::from_le_bytes(load(bytes, from)?);
    let period = word & !u64::MAX.wrapping_shl(8_u32.wrapping_mul(distance as u32));
    let chunk = period.wrapping_mul(COPIES.get(distance & 7).copied().unwrap_or(0)).to_le_bytes();
    let step = usize::from(STEPS.get(distance & 7).copied().unwrap_or(8));
    loop {
        store(bytes, at, chunk)?;
        at = at.wrapping_add(step);
        if at >= end {
            return Some(());
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    const SIZE: usize = 512;

    /// One byte after the other, as section 3.2.3 says.
    fn plain(bytes: &mut [u8; SIZE], at: usize, distance: usize, length: usize) {
        for place in at..at + length {
            bytes[place] = bytes[(place + SIZE - distance) % SIZE];
        }
    }

    fn copies_as_the_plain_loop<const WRAPS: bool>() {
        let before: [u8; SIZE] = core::array::from_fn(|place| ((place * place) >> 3) as u8);
        let mut copied = 0;
        for at in [0, 1, 7, 31, 32, 33, 64, 200, SIZE - 300, SIZE - 64, SIZE - 33, SIZE - 3] {
            for distance in (1..80).chain([200, 256, 300, SIZE - 40, SIZE - 31, SIZE - 1, SIZE]) {
                for length in 3..=258 {
                    if (!WRAPS && distance > at) || at + length > SIZE {
                        continue;
                    }
                    let mut bytes = before;
                    let from = at.wrapping_sub(distance) % SIZE;
                    if !copy::<WRAPS>(&mut bytes, at, from, distance, length) {
                        assert_eq!(bytes, before, "it copies all or nothing");
                        continue;
                    }
                    copied += 1;
                    let mut expected = before;
                    plain(&mut expected, at, distance, length);
                    // What lies behind is history in a ring, and nothing in a flat buffer.
                    let checked = if WRAPS { SIZE } else { at + length };
                    assert_eq!(bytes[..checked], expected[..checked], "{at}, {distance}, {length}");
                }
            }
        }
        assert!(copied > 10_000, "{copied}");
    }

    #[test]
    fn wide_steps_copy_what_single_bytes_would() {
        copies_as_the_plain_loop::<false>();
        copies_as_the_plain_loop::<true>();
    }
}
