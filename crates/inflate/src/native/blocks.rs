//! Block headers, stored blocks and code lengths (RFC 1951, sections 3.2.3, 3.2.4 and 3.2.7).
//!
//! Each function reads one kind of field, whole or not at all, and says what comes next.

use plimsoll_core::{Detail, Work};

use super::bits::low;
use super::code::entry;
use super::entry::{Alphabet, Layout};
use super::{BLOCK, CODES, Call, Machine, Next};
use crate::engine::Stop;

/// The order in which the lengths of the code length code are written.
const CODE_LENGTH_ORDER: [u8; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// The bits of a code and of the longest repeat count.
const LONGEST_CODE_LENGTH_SYMBOL: u32 = 7 + 7;

/// The symbol whose code ends a block.
const END_OF_BLOCK: usize = 256;

impl<F: Layout<LITERALS>, const LITERALS: usize> Machine<F, LITERALS> {
    /// `BFINAL` and `BTYPE`.
    pub(super) fn block<W: Work>(&mut self, call: &mut Call<'_, W>) -> Option<Next> {
        if self.last {
            call.bits.give_back();
            return call.stop(Stop::End);
        }
        if !call.bits.has(3) {
            return None;
        }
        let header = call.bits.peek() & 7;
        if header >> 1 == 3 {
            return call.fault(Detail::BlockType, 0);
        }
        call.charge(BLOCK)?;
        let _ = call.bits.take(3);
        self.last = header & 1 == 1;
        self.fixed = header >> 1 == 1;
        match header >> 1 {
            0 => {
                call.bits.align();
                Some(Next::StoredLength)
            }
            // An empty block, as a flush may write it: the code for its end is seven zeros.
            1 if call.bits.has(7) && low(call.bits.peek(), 7) == 0 => {
                let _ = call.bits.take(7);
                Some(Next::Block)
            }
            1 => Some(Next::Symbols),
            _ => Some(Next::CodeCounts),
        }
    }

    /// `LEN` and `NLEN`.
    pub(super) fn stored_length<W: Work>(&mut self, call: &mut Call<'_, W>) -> Option<Next> {
        if !call.bits.has(32) {
            return None;
        }
        let field = call.bits.peek();
        let length = field as u16;
        if length != !(field >> 16) as u16 {
            return call.fault(Detail::StoredLength, 0);
        }
        let _ = (call.bits.take(16), call.bits.take(16));
        call.bits.give_back();
        self.progress = length;
        Some(Next::Stored)
    }

    /// The bytes of a stored block.
    pub(super) fn stored<W: Work>(&mut self, call: &mut Call<'_, W>) -> Option<Next> {
        while self.progress > 0 {
            let rest = call.bits.rest();
            if rest.is_empty() {
                return None;
            }
            let wanted = rest.get(..usize::from(self.progress)).unwrap_or(rest);
            let written = call.output.push_all(wanted);
            if written == 0 {
                return call.stop(Stop::Full);
            }
            call.bits.advance(written);
            self.progress = self.progress.wrapping_sub(written as u16);
        }
        Some(Next::Block)
    }

    /// `HLIT`, `HDIST` and `HCLEN`.
    pub(super) fn code_counts<W: Work>(&mut self, call: &mut Call<'_, W>) -> Option<Next> {
        if !call.bits.has(14) {
            return None;
        }
        let field = call.bits.peek() as u16;
        let literals = (field & 31).wrapping_add(257);
        let distances = ((field >> 5) & 31).wrapping_add(1);
        if literals > 286 || distances > 30 {
            return call.fault(Detail::TooManyCodes, 0);
        }
        self.literal_codes = literals;
        self.all_codes = literals.wrapping_add(distances);
        self.code_length_codes = ((field >> 10) & 15).wrapping_add(4) as u8;
        call.charge(CODES.wrapping_add(u32::from(self.all_codes)))?;
        let _ = call.bits.take(14);
        self.progress = 0;
        Some(Next::CodeLengthCode)
    }

    /// The lengths of the code length code, three bits each; those that are not written are 0.
    pub(super) fn code_length_code<W: Work>(&mut self, call: &mut Call<'_, W>) -> Option<Next> {
        while let Some(&symbol) = CODE_LENGTH_ORDER.get(usize::from(self.progress)) {
            let mut length = 0;
            if self.progress < u16::from(self.code_length_codes) {
                if !call.bits.has(3) {
                    return None;
                }
                length = call.bits.take(3) as u16;
            }
            if let Some(slot) = self.tables.fast.literals.get_mut(usize::from(symbol)) {
                *slot = length;
            }
            self.progress = self.progress.wrapping_add(1);
        }
        if !self.tables.build::<F>(Alphabet::CodeLengths, 0..CODE_LENGTH_ORDER.len()) {
            return call.fault(Detail::CodeLengthCode, 3);
        }
        self.progress = 0;
        Some(Next::CodeLengths)
    }

    /// The lengths of the literal/length and the distance code, which may repeat from one into the other.
    pub(super) fn code_lengths<W: Work>(&mut self, call: &mut Call<'_, W>) -> Option<Next> {
        let all = usize::from(self.all_codes);
        loop {
            let read = usize::from(self.progress);
            // What a symbol seems to be before all its bits are there says nothing about how many it has.
            call.bits.prepare(LONGEST_CODE_LENGTH_SYMBOL);
            let entry = entry(&self.tables.fast.distances, call.bits.peek());
            let (symbol, code) = (entry >> 4, u32::from(entry & 15));
            let (extra, least) = match symbol {
                16 => (2, 3),
                17 => (3, 3),
                18 => (7, 11),
                _ => (0, 1),
            };
            let bits = code.wrapping_add(extra);
            if call.bits.count() < bits {
                return None;
            }
            let value = match symbol {
                0..16 => symbol,
                16 => match read.checked_sub(1).and_then(|last| self.tables.fast.literals.get(last)) {
                    Some(&last) => last,
                    None => return call.fault(Detail::CodeLengthRepeat, 0),
                },
                _ => 0,
            };
            let more = low(call.bits.peek() >> code, extra);
            let end = read.wrapping_add(least).wrapping_add(more as usize);
            if end > all {
                return call.fault(Detail::CodeLengthRepeat, 0);
            }
            if let Some(lengths) = self.tables.fast.literals.get_mut(read..end) {
                lengths.fill(value);
            }
            call.bits.skip(bits);
            self.progress = end as u16;
            if end == all {
                return self.codes(call, bits);
            }
        }
    }

    /// The codes, when their last lengths were read from the `bits` before the next one.
    ///
    /// The distance code is made first, and the literal/length code where the lengths of both lie. Where neither is
    /// one, the latter is said.
    fn codes<W: Work>(&mut self, call: &mut Call<'_, W>, bits: u32) -> Option<Next> {
        let (literals, all) = (usize::from(self.literal_codes), usize::from(self.all_codes));
        if self.tables.fast.literals.get(END_OF_BLOCK).is_none_or(|&length| length == 0) {
            return call.fault(Detail::MissingEndOfBlock, bits);
        }
        let distances = self.tables.build::<F>(Alphabet::Distances, literals..all);
        if !self.tables.build::<F>(Alphabet::Literals, 0..literals) {
            return call.fault(Detail::LiteralCode, bits);
        }
        if !distances {
            return call.fault(Detail::DistanceCode, bits);
        }
        Some(Next::Symbols)
    }
}
