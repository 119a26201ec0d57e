//! The layout for 32-bit words: entries whose value is their lowest byte, and the fast loop.
//!
//! There is no reservoir. The loop keeps a position in bits and loads an unaligned word from it when it needs
//! one, which is cheaper than shifting bytes in. Matches are copied through `Cell`s: four of them read and
//! written at once are one load and one store, without a call.

use core::cell::Cell;

use super::bits::{Bits, low};
use super::code::{Codes, DISTANCES, Fast, entry};
use super::entry::{
    Alphabet, Entries, Layout, Symbol, code_length_entry, distance_parts, fixed_distance, fixed_literal,
    length_parts,
};
use super::output::{Match, Output, copy_forward, copy_word, copy4};

/// Entries for a 32-bit word.
///
/// | entry | 15 | 14..12 | 11..8 | 7..4 | 3..0 |
/// |---|---|---|---|---|---|
/// | literal | 0 | 0 | bits | byte | byte |
/// | length | 1 | extra bits | bits of the code | shortest length less 3 | the same |
/// | end of block | 1 | 0 | 0 | 0 | bits |
/// | undefined | 1 | 0 | 0 | 1 | bits |
/// | longer code | 1 | 0 | 0 | 2 | 0 |
///
/// A distance has its top bits in 9..8, its number of extra bits in 7..4, the bits of its code in 3..0; bit 15
/// marks what is undefined (with its bits) and, with 0 bits, a longer code.
pub(super) struct Narrow;

/// Entries of the literal/length table: 9 bits.
pub(super) const LITERALS: usize = 512;

const NOT_LITERAL: u16 = 0x8000;
const END_OF_BLOCK: u16 = NOT_LITERAL;
const UNDEFINED: u16 = NOT_LITERAL | 0x10;
const LONG: u16 = NOT_LITERAL | 0x20;
const CODE_BITS: u16 = 0xF00;
const SPECIAL_DISTANCE: u16 = 0x8000;

const fn literal_entry(symbol: u16, length: u16) -> u16 {
    match symbol {
        0..256 => (length << 8) | symbol,
        256 => END_OF_BLOCK | length,
        257..286 => {
            let (shortest, extra) = length_parts(symbol.wrapping_sub(257));
            NOT_LITERAL | (extra << 12) | (length << 8) | shortest
        }
        _ => UNDEFINED | length,
    }
}

const fn distance_entry(symbol: u16, length: u16) -> u16 {
    if symbol < 30 {
        let (top, extra) = distance_parts(symbol);
        (top << 8) | (extra << 4) | length
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

/// The bits of a literal's or a length's code.
#[inline(always)]
fn code_bits(entry: u16) -> u32 {
    u32::from((entry >> 8) & 15)
}

/// The extra bits of a length.
#[inline(always)]
fn extra_bits(entry: u16) -> u32 {
    u32::from((entry >> 12) & 7)
}

/// The length of a match, from an entry that is known to be one and the bits behind its code.
#[inline(always)]
fn length(entry: u16, word: u32) -> usize {
    usize::from(entry & 255).wrapping_add(3).wrapping_add(low(word, extra_bits(entry)) as usize)
}

/// Whether an entry without bits of a code in their place is that of the end of a block.
#[inline(always)]
const fn ends_block(entry: u16) -> bool {
    entry & 0xF0 == 0
}

/// Whether a distance entry is none of a distance, but of what is undefined or of a longer code.
#[inline(always)]
const fn is_special(entry: u16) -> bool {
    entry & SPECIAL_DISTANCE != 0
}

/// The extra bits of a distance.
#[inline(always)]
fn distance_extra(entry: u16) -> u32 {
    u32::from((entry >> 4) & 15)
}

/// The distance of a match, from an entry that is known to be one and the bits behind its code.
#[inline(always)]
fn distance(entry: u16, word: u32) -> usize {
    let extra = distance_extra(entry);
    let top = u32::from((entry >> 8) & 3).wrapping_shl(extra);
    (top | low(word, extra)).wrapping_add(1) as usize
}

impl Entries for Narrow {
    #[inline(never)]
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
            Alphabet::CodeLengths | Alphabet::Literals => LONG,
            Alphabet::Distances => SPECIAL_DISTANCE,
        }
    }

    #[inline(always)]
    fn literal_bits(entry: u16) -> u32 {
        if entry & CODE_BITS == 0 {
            u32::from(entry & 15)
        } else {
            // A literal has no extra bits, and zeros in their place.
            code_bits(entry).wrapping_add(extra_bits(entry))
        }
    }

    #[inline(always)]
    fn literal(entry: u16, word: u32) -> Symbol {
        if entry & NOT_LITERAL == 0 {
            Symbol::Literal(entry as u8)
        } else if entry & CODE_BITS != 0 {
            Symbol::Length(length(entry, word.wrapping_shr(code_bits(entry))))
        } else if ends_block(entry) {
            Symbol::EndOfBlock
        } else {
            Symbol::Undefined
        }
    }

    #[inline(always)]
    fn distance_bits(entry: u16) -> u32 {
        // What is undefined has zeros in place of the extra bits.
        u32::from(entry & 15).wrapping_add(distance_extra(entry))
    }

    #[inline(always)]
    fn distance(entry: u16, word: u32) -> Option<usize> {
        let behind = word.wrapping_shr(u32::from(entry & 15));
        if is_special(entry) { None } else { Some(distance(entry, behind)) }
    }
}

/// A position in the input, in bits.
struct Position<'i> {
    rest: &'i [u8],
    /// Bits of `rest` that are read.
    used: u32,
}

/// The bytes that one round may look at. It begins at most 7 bits in and reads at most one literal (9 bits), a
/// length (9 and 5) and a distance (15 and 13); or a length whose code is long (15 and 5) and no literal before
/// it. That is 58 bits, and the last word is loaded before the last 13 of them.
type Ample = [u8; 11];

impl<'i> Position<'i> {
    #[inline(always)]
    fn ample(&self) -> Option<&'i Ample> {
        self.rest.first_chunk()
    }

    /// The next bits at the beginning of a round, at least 25.
    #[inline(always)]
    fn first_word(&self, [a, b, c, d, ..]: &Ample) -> u32 {
        u32::from_le_bytes([*a, *b, *c, *d]).wrapping_shr(self.used)
    }

    /// The bits that lie `ahead` of the next one, at least 25.
    #[inline(always)]
    fn word(&self, ample: &Ample, ahead: u32) -> u32 {
        let used = self.used.wrapping_add(ahead);
        let byte = ((used >> 3) & 7) as usize;
        let word =
            ample.get(byte..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u32::from_le_bytes(*word));
        word.wrapping_shr(used & 7)
    }

    #[inline(always)]
    fn skip(&mut self, bits: u32) {
        self.used = self.used.wrapping_add(bits);
    }

    /// Passes over the bytes that were read, where `rest` is still ample: less than 8 of them.
    #[inline(always)]
    fn settle(&mut self) {
        self.rest = self.rest.get(((self.used >> 3) & 7) as usize..).unwrap_or(&[]);
        self.used &= 7;
    }
}

impl Layout<LITERALS> for Narrow {
    const START: Self = Self;
    const FIXED: &'static Fast<LITERALS> = &FIXED;
    const INPUT: usize = size_of::<Ample>();
    const ROOM: usize = 1;

    #[inline(never)]
    fn fast<const WRAPS: bool>(
        codes: Codes<'_, LITERALS>,
        bits: &mut Bits<'_>,
        output: &mut Output<'_>,
        unfinished: &mut Match,
    ) -> bool {
        let Some((used, rest)) = bits.position() else { return false };
        let mut input = Position { rest, used: used & 7 };
        let bytes = &mut *output.bytes;
        let mut at = output.at;
        let before = if WRAPS { output.before } else { 0 };

        let ended = loop {
            let Some(ample) = input.ample() else { break false };
            let mut word = input.first_word(ample);
            let mut next = entry(&codes.fast.literals, word);
            if next & NOT_LITERAL == 0 {
                let Some(place) = bytes.get_mut(at) else { break false };
                *place = next as u8;
                at = at.wrapping_add(1);
                let bits = code_bits(next);
                input.skip(bits);
                word = word.wrapping_shr(bits);
                next = entry(&codes.fast.literals, word);
                if next & NOT_LITERAL == 0 {
                    let Some(place) = bytes.get_mut(at) else { break false };
                    *place = next as u8;
                    at = at.wrapping_add(1);
                    input.skip(code_bits(next));
                    input.settle();
                    continue;
                }
            }
            if next & CODE_BITS == 0 {
                if next == LONG {
                    if input.used >= 8 {
                        input.settle();
                        continue;
                    }
                    word = input.word(ample, 0);
                    next = codes.long.literals.entry::<Self>(Alphabet::Literals, word, LITERALS);
                    if next & NOT_LITERAL == 0 {
                        let Some(place) = bytes.get_mut(at) else { break false };
                        *place = next as u8;
                        at = at.wrapping_add(1);
                        input.skip(code_bits(next));
                        input.settle();
                        continue;
                    }
                }
                if next & CODE_BITS == 0 {
                    let ends = ends_block(next);
                    if ends {
                        input.skip(u32::from(next & 15));
                    }
                    break ends;
                }
            }
            let length = length(next, word.wrapping_shr(code_bits(next)));
            let cells = Cell::from_mut(&mut *bytes).as_slice_of_cells();
            let Some(target) = cells.get(at..).and_then(|room| room.get(..length)) else { break false };
            input.skip(code_bits(next).wrapping_add(extra_bits(next)));

            word = input.word(ample, 0);
            let mut far = entry(&codes.fast.distances, word);
            let mut behind = word.wrapping_shr(u32::from(far & 15));
            if is_special(far) {
                if far == SPECIAL_DISTANCE {
                    far = codes.long.distances.entry::<Self>(Alphabet::Distances, word, DISTANCES);
                }
                if is_special(far) {
                    *unfinished = Match::of_length(length);
                    break false;
                }
                // A long code and its extra bits together are more than a word is sure to hold.
                behind = input.word(ample, u32::from(far & 15));
            }
            let distance = distance(far, behind);
            let source = match at.checked_sub(distance) {
                Some(from) if distance >= length => cells.get(from..).and_then(|source| source.get(..length)),
                Some(_) => None,
                None => {
                    if !WRAPS || distance > cells.len() || distance > before.wrapping_add(at) {
                        *unfinished = Match::of_length(length);
                        break false;
                    }
                    // In the ring the source lies ahead, by what the distance leaves of it.
                    let ahead = cells.len().wrapping_sub(distance);
                    if ahead >= length {
                        cells.get(at.wrapping_add(ahead)..).and_then(|source| source.get(..length))
                    } else {
                        None
                    }
                }
            };
            input.skip(Self::distance_bits(far));
            if let Some(source) = source {
                copy_apart(source, target);
            } else if let Some(source) = cells.get(at.wrapping_sub(distance)..) {
                // A distance before the start of the memory is none of a slice.
                copy_forward(source, target, distance);
            } else {
                *unfinished = Match::new(length, distance);
                break false;
            }
            at = at.wrapping_add(length);
            input.settle();
        };
        output.at = at;
        bits.set_position(input.used, input.rest);
        ended
    }
}

/// Copies where neither lies within the other: the last word first, then whole words forward, so that there is
/// no loop over single bytes. A match has at least three.
#[inline(always)]
fn copy_apart(mut from: &[Cell<u8>], mut to: &[Cell<u8>]) {
    // Known to be so, but not to the compiler.
    if from.len() != to.len() {
        return;
    }
    let ([.., a, b, c, d], [.., e, f, g, h]) = (from, to) else {
        if let ([a, b, c], [d, e, f]) = (from, to) {
            let (first, second, third) = (a.get(), b.get(), c.get());
            d.set(first);
            e.set(second);
            f.set(third);
        }
        return;
    };
    copy_word([a, b, c, d], [e, f, g, h]);
    while is_longer_than_a_block(from)
        && is_longer_than_a_block(to)
        && let (Some((block, more)), Some((place, room))) =
            (from.split_first_chunk::<16>(), to.split_first_chunk::<16>())
    {
        if let ([a, b, c, d], [e, f, g, h]) = (block.as_chunks::<4>().0, place.as_chunks::<4>().0) {
            copy4(a, e);
            copy4(b, f);
            copy4(c, g);
            copy4(d, h);
        }
        (from, to) = (more, room);
    }
    while from.len() > 4
        && to.len() > 4
        && let (Some((word, more)), Some((place, room))) =
            (from.split_first_chunk::<4>(), to.split_first_chunk::<4>())
    {
        copy4(word, place);
        (from, to) = (more, room);
    }
}

/// Whether 16 bytes can be copied at once, and something is left behind them.
#[inline(always)]
const fn is_longer_than_a_block(cells: &[Cell<u8>]) -> bool {
    cells.len() > 16
}
