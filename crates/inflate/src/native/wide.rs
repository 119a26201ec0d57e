//! The layout for 64-bit words: entries that give a symbol's total bits in one field, and the fast loop.
//!
//! A word holds at least 56 bits after a refill. That is enough for two literals of the table, a length and a
//! distance of the tables with all their extra bits (10 + 10 + 15 + 20), so there is one refill for each match
//! and for every three literals. What pays most: the word is refilled and the next entry loaded before a match
//! is copied, so that the load's latency passes meanwhile.

use super::bits::Bits;
use super::code::{Codes, DISTANCES, Fast, entry};
use super::entry::{
    Alphabet, Entries, Layout, Symbol, code_length_entry, distance_parts, fixed_distance, fixed_literal,
    length_parts,
};
use super::output::{Match, Output};
use super::strides::copy;

/// Entries for a 64-bit word.
///
/// | entry | 15..8 | 7 | 6 | 5..0 |
/// |---|---|---|---|---|
/// | literal | byte | 0 | 0 | bits |
/// | length | symbol less 257 | 1 | 0 | bits with extra bits |
/// | end of block | 0 | 1 | 1 | bits |
/// | distance | symbol | 0 | 0 | bits with extra bits |
/// | undefined | 1 | 1 | 1 | bits |
/// | longer code | 2 | 1 | 1 | 0 |
pub(super) struct Wide;

/// Entries of the literal/length table: 10 bits.
pub(super) const LITERALS: usize = 1024;

const NOT_LITERAL: u16 = 0x80;
const SPECIAL: u16 = 0x40;
const END_OF_BLOCK: u16 = NOT_LITERAL | SPECIAL;
const UNDEFINED: u16 = 0x100 | NOT_LITERAL | SPECIAL;
const LONG: u16 = 0x200 | NOT_LITERAL | SPECIAL;

/// What the extra bits of a symbol are counted from.
#[derive(Clone, Copy)]
struct Row {
    /// The shortest length or distance.
    base: u16,
    /// As many ones as there are extra bits.
    mask: u16,
    /// Added to the bits of an entry, modulo 32: the bits without the extra ones.
    without: u8,
}

impl Row {
    const fn new(base: u16, extra: u16) -> Self {
        Self { base, mask: !u16::MAX.wrapping_shl(extra as u32), without: extra.wrapping_neg() as u8 }
    }
}

/// The rows of length symbols less 257.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "evaluated by the compiler")]
static LENGTHS: [Row; 32] = {
    let mut rows = [Row::new(0, 0); 32];
    let mut symbol = 0;
    while symbol < 29 {
        let (shortest, extra) = length_parts(symbol);
        rows[symbol as usize] = Row::new(shortest + 3, extra);
        symbol += 1;
    }
    rows
};

/// The rows of distance symbols.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "evaluated by the compiler")]
static DISTANCE_ROWS: [Row; 32] = {
    let mut rows = [Row::new(0, 0); 32];
    let mut symbol = 0;
    while symbol < 30 {
        let (top, extra) = distance_parts(symbol);
        rows[symbol as usize] = Row::new((top << extra) + 1, extra);
        symbol += 1;
    }
    rows
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
        (symbol << 8) | length.wrapping_add(distance_parts(symbol).1)
    } else {
        UNDEFINED | length
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

/// Whether an entry is none of a literal, a length or a distance.
#[inline(always)]
const fn is_special(entry: u16) -> bool {
    entry & SPECIAL != 0
}

/// Whether a special literal/length entry is that of the end of a block.
#[inline(always)]
const fn ends_block(entry: u16) -> bool {
    entry & !63 == END_OF_BLOCK
}

/// The length or distance that an entry with a row in `rows` and the bits from its code on say.
#[inline(always)]
fn value(rows: &[Row; 32], entry: u16, word: u32) -> usize {
    let Some(row) = rows.get(usize::from((entry >> 8) & 31)) else { return 0 };
    let field = word.wrapping_shr(u32::from(entry).wrapping_add(u32::from(row.without)));
    usize::from(row.base).wrapping_add(usize::from(field as u16 & row.mask))
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
    fn long(_alphabet: Alphabet) -> u16 {
        LONG
    }

    #[inline(always)]
    fn literal_bits(entry: u16) -> u32 {
        u32::from(entry & 63)
    }

    #[inline(always)]
    fn literal(entry: u16, word: u32) -> Symbol {
        if entry & NOT_LITERAL == 0 {
            Symbol::Literal((entry >> 8) as u8)
        } else if !is_special(entry) {
            Symbol::Length(value(&LENGTHS, entry, word))
        } else if ends_block(entry) {
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
        if is_special(entry) { None } else { Some(value(&DISTANCE_ROWS, entry, word)) }
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
    const START: Self = Self;
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
                if is_special(next) {
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
                    if is_special(next) {
                        if !ends_block(next) {
                            break 'decode false;
                        }
                        input.skip(next);
                        break 'decode true;
                    }
                }
                let length = value(&LENGTHS, next, input.peek());
                input.skip(next);

                let mut far = entry(&codes.fast.distances, input.peek());
                if is_special(far) {
                    input.refill();
                    if far == LONG {
                        far =
                            codes.long.distances.entry::<Self>(Alphabet::Distances, input.peek(), DISTANCES);
                    }
                    if is_special(far) {
                        *unfinished = Match::of_length(length);
                        break 'decode false;
                    }
                }
                let distance = value(&DISTANCE_ROWS, far, input.peek());
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
