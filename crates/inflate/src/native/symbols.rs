//! The symbols of a block, exactly (RFC 1951, section 3.2.3): each is read whole or not at all, and everything
//! that can be wrong with one is found here.

use plimsoll_core::{Detail, Work};

use super::code::{Codes, DISTANCES, entry};
use super::entry::{Alphabet, Layout, Symbol};
use super::output::Match;
use super::{Call, Machine, Next};
use crate::engine::Stop;

impl<F: Layout<LITERALS>, const LITERALS: usize> Machine<F, LITERALS> {
    pub(super) fn symbols<const WRAPS: bool, W: Work>(&mut self, call: &mut Call<'_, W>) -> Option<Next> {
        let tables = &self.tables;
        let codes = Codes {
            literals: if self.fixed { F::FIXED_LITERALS } else { &tables.literals },
            distances: if self.fixed { F::FIXED_DISTANCES } else { &tables.distances },
            long_literals: &tables.long_literals,
            long_distances: &tables.long_distances,
        };
        let unfinished = &mut self.unfinished;
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
            bits.pull();
            let word = bits.peek();
            if unfinished.length == 0 {
                let mut entry = entry(codes.literals, word);
                if entry == F::long(Alphabet::Literals) {
                    entry = codes.long_literals.entry::<F>(Alphabet::Literals, word, LITERALS);
                }
                let size = F::literal_bits(entry);
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
                        bits.skip(size);
                        return Some(Next::Block);
                    }
                    Symbol::Undefined => return call.fault(Detail::LengthSymbol, 0),
                }
                bits.skip(size);
            } else {
                let mut entry = entry(codes.distances, word);
                if entry == F::long(Alphabet::Distances) {
                    entry = codes.long_distances.entry::<F>(Alphabet::Distances, word, DISTANCES);
                }
                let size = F::distance_bits(entry);
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
                bits.skip(size);
                unfinished.distance = distance as u16;
            }
        }
    }
}
