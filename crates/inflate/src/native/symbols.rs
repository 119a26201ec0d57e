//! The symbols of a block, exactly (RFC 1951, section 3.2.3): each is read whole or not at all, and everything
//! that can be wrong with one is found here.

use plimsoll_core::{Detail, Work};

use super::code::{Codes, DISTANCES, Tables, entry};
use super::entry::{Alphabet, Layout, Symbol};
use super::output::Match;
use super::{Call, Machine, Next};
use crate::engine::Stop;

/// The bits of a distance with the longest code and the most extra bits.
const LONGEST_SYMBOL: u32 = 15 + 13;

impl<F: Layout<LITERALS>, const LITERALS: usize> Machine<F, LITERALS> {
    pub(super) fn symbols<const WRAPS: bool, W: Work>(&mut self, call: &mut Call<'_, W>) -> Option<Next> {
        let Tables { fast, long } = &self.tables;
        let codes = Codes { fast: if self.fixed { F::FIXED } else { fast }, long };
        let (unfinished, layout) = (&mut self.unfinished, &mut self.layout);
        let Call { bits, output, .. } = call;
        loop {
            if unfinished.distance > 0 {
                output.copy(unfinished);
                if unfinished.length > 0 {
                    return call.stop(Stop::Full);
                }
                unfinished.distance = 0;
            }
            if unfinished.length == 0 && bits.rest().len() >= F::INPUT && output.left() >= F::ROOM {
                if F::fast::<WRAPS>(codes, bits, output, unfinished) {
                    return Some(Next::Block);
                }
                if unfinished.distance > 0 {
                    continue;
                }
            }
            // What a symbol seems to be before all its bits are there says nothing about how many it has.
            bits.prepare(LONGEST_SYMBOL);
            let word = bits.peek();
            let size;
            if unfinished.length == 0 {
                let mut entry = entry(&codes.fast.literals, word);
                if entry == F::long(Alphabet::Literals) {
                    entry = codes.long.literals.entry::<F>(Alphabet::Literals, word, LITERALS);
                }
                size = F::literal_bits(entry);
                if size > bits.count() {
                    return None;
                }
                match F::literal(entry, word) {
                    Symbol::Literal(byte) => {
                        if !output.push(byte) {
                            return call.stop(Stop::Full);
                        }
                    }
                    Symbol::Length(length) => *unfinished = Match::of_length(length),
                    Symbol::EndOfBlock => {
                        let _ = bits.take(size);
                        return Some(Next::Block);
                    }
                    Symbol::Undefined => return call.fault(Detail::LengthSymbol, 0),
                }
            } else {
                let mut entry = entry(&codes.fast.distances, word);
                if entry == F::long(Alphabet::Distances) {
                    entry = codes.long.distances.entry::<F>(Alphabet::Distances, word, DISTANCES);
                }
                size = F::distance_bits(entry);
                if size > bits.count() {
                    return None;
                }
                let Some(distance) = F::distance(entry, word) else {
                    return call.fault(Detail::DistanceSymbol, 0);
                };
                if distance > output.reach() {
                    return call.fault(Detail::DistanceTooFar, 0);
                }
                if WRAPS && distance > output.bytes.len() {
                    return call.fault(Detail::Window(distance as u16), 0);
                }
                layout.reached(distance);
                unfinished.distance = distance as u16;
            }
            bits.skip(size);
        }
    }
}
