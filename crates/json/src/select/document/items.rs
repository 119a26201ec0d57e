//! The keys and scalars of containers that a pointer leads into, and what is retained of matches.
//!
//! Everything here says of each byte that is retained whether it fits before a visitor sees it.

use plimsoll_core::{Reason, Rejection};

use super::Select;
use crate::levels::Levels;
use crate::select::path::Entry;
use crate::select::visit::{Kind, Visit};
use crate::state::State;

impl<L: Levels, V: Visit, const P: usize> Select<'_, L, V, P> {
    /// The key whose opening quote is the byte `first` of the `consumed` bytes begins.
    fn begin_key(&mut self, first: usize, consumed: usize) {
        let back = consumed.wrapping_sub(first) as u64;
        self.key_at = self.tokenizer.offset().wrapping_sub(back);
        self.in_key = true;
        let depth = self.tokenizer.depth();
        for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
            place.begin_key(text.as_bytes(), depth);
        }
    }

    /// If the `consumed` bytes, in which no token ended before, have a key's opening quote, it begins.
    pub(super) fn key_began(&mut self, bytes: &[u8], consumed: usize) {
        let machine = &self.tokenizer.machine;
        if self.in_key || !machine.key || !(machine.state.in_text() || machine.state == State::Colon) {
            return;
        }
        if let Some(first) = bytes.iter().position(|&byte| byte == b'"') {
            self.begin_key(first, consumed);
        }
    }

    pub(super) fn key_part(&mut self, part: &[u8]) {
        if part.is_empty() {
            return;
        }
        for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
            place.key_part(text.as_bytes(), part);
        }
    }

    /// A whole key, whose closing quote is the byte `back` bytes before the next one.
    #[inline(always)]
    pub(super) fn whole_key(&mut self, key: &[u8], back: usize) -> Result<(), Rejection> {
        let depth = self.tokenizer.depth();
        for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
            match place.whole_key(text.as_bytes(), depth, key) {
                Entry::None => {}
                Entry::Item => self.entered = true,
                Entry::Again => {
                    let back = back.wrapping_add(key.len()).wrapping_add(1);
                    let at = self.tokenizer.offset().wrapping_sub(back as u64);
                    return Err(Rejection::fault(Reason::DuplicateKey, at));
                }
            }
        }
        Ok(())
    }

    pub(super) fn end_key(&mut self) -> Result<(), Rejection> {
        self.in_key = false;
        for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
            match place.end_key(text.as_bytes()) {
                Entry::None => {}
                Entry::Item => self.entered = true,
                Entry::Again => return Err(Rejection::fault(Reason::DuplicateKey, self.key_at)),
            }
        }
        Ok(())
    }

    /// A value in `depth` containers begins. Of a member the key has told already who it belongs to.
    #[inline(never)]
    pub(super) fn begin_value(&mut self, depth: u16) {
        if depth == 0 {
            self.entered = true;
            return;
        }
        // Behind an opened container, the current one is the inner one.
        let outer = if depth == self.tokenizer.depth() {
            self.tokenizer.machine.tally.in_object()
        } else {
            self.tokenizer.machine.levels.load(depth).is_object()
        };
        if outer {
            return;
        }
        for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
            self.entered |= place.element(text.as_bytes(), depth) != Entry::None;
        }
    }

    /// Tells the visitor of the current value, once per pointer that names it, and gives how many do.
    pub(super) fn begin_matches(&mut self, kind: Kind, depth: u16) -> u32 {
        let mut found = 0_u32;
        for (pointer, (place, text)) in self.places.iter_mut().zip(self.pointers.places()).enumerate() {
            if place.names(text.as_bytes(), depth) {
                place.found = true;
                found = found.wrapping_add(1);
                self.visitor.begin(pointer, kind);
            }
        }
        found
    }

    /// Counts matches against their limit.
    pub(super) fn count_matches(&mut self, found: u32) -> Result<(), Rejection> {
        if found > self.retained.matches.wrapping_sub(self.matches) {
            let limit = u64::from(self.retained.matches);
            return Err(Rejection::limit_exceeded(Reason::ItemLimit, limit));
        }
        self.matches = self.matches.wrapping_add(found);
        Ok(())
    }

    /// The current scalar begins, if it did not before. Whether a pointer names it.
    #[inline(always)]
    pub(super) fn begin_scalar(&mut self, kind: Kind) -> bool {
        if !self.in_value {
            self.in_value = true;
            let depth = self.tokenizer.depth();
            self.begin_value(depth);
            self.named = self.entered && self.begin_matches(kind, depth) != 0;
        }
        self.named
    }

    /// The next part of a scalar, whose last byte is before the index `end`. With `last`, it is the last part, and that
    /// is known at this index.
    #[inline(never)]
    pub(super) fn scalar(
        &mut self,
        kind: Kind,
        part: &[u8],
        end: usize,
        last: Option<usize>,
    ) -> Result<(), (usize, Rejection)> {
        if self.begin_scalar(kind) && !part.is_empty() {
            let fits = self.count_bytes(part);
            if let Some(text) = part.get(..fits.len).filter(|text| !text.is_empty()) {
                self.visitor.scalar(text);
            }
            if let Some(over) = fits.over {
                let decided = end.wrapping_sub(part.len()).wrapping_add(over);
                return Err((decided, self.over_retained()));
            }
        }
        match last {
            Some(last) => self.end_scalar().map_err(|rejection| (last, rejection)),
            None => Ok(()),
        }
    }

    /// The current scalar has ended.
    #[inline(always)]
    pub(super) fn end_scalar(&mut self) -> Result<(), Rejection> {
        self.in_value = false;
        if !self.entered {
            return Ok(());
        }
        if self.named {
            let depth = self.tokenizer.depth();
            let mut found = 0_u32;
            for (pointer, (place, text)) in self.places.iter().zip(self.pointers.places()).enumerate() {
                if place.names(text.as_bytes(), depth) {
                    found = found.wrapping_add(1);
                    self.visitor.end(pointer);
                }
            }
            self.count_matches(found)?;
            self.named = false;
        }
        self.leave();
        Ok(())
    }

    /// Retains what of `bytes` is no white space between tokens. They begin at the index `first`.
    pub(super) fn keep_raw(&mut self, bytes: &[u8], first: usize) -> Result<(), (usize, Rejection)> {
        let mut at = 0_usize;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let (kept, dropped) = self.compact.run(rest);
            let fits = kept.min(self.room() as usize);
            self.bytes = self.bytes.wrapping_add(fits as u32);
            if let Some(text) = rest.get(..fits).filter(|text| !text.is_empty()) {
                self.visitor.raw(text);
            }
            if fits != kept {
                let decided = first.wrapping_add(at).wrapping_add(fits);
                return Err((decided, self.over_retained()));
            }
            at = at.wrapping_add(kept).wrapping_add(dropped);
        }
        Ok(())
    }

    /// Counts the bytes of whole characters, as far as they fit.
    fn count_bytes(&mut self, part: &[u8]) -> Fits {
        let room = self.room() as usize;
        if part.len() <= room {
            self.bytes = self.bytes.wrapping_add(part.len() as u32);
            return Fits { len: part.len(), over: None };
        }
        let starts = |at: usize| part.get(at).is_none_or(|&byte| byte & 0xc0 != 0x80);
        let len = (0..=room).rev().find(|&at| starts(at)).unwrap_or(0);
        // The last byte of the character that does not fit.
        let next = (len.wrapping_add(1)..=part.len()).find(|&at| starts(at)).unwrap_or(part.len());
        self.bytes = self.bytes.wrapping_add(len as u32);
        Fits { len, over: Some(next.wrapping_sub(1)) }
    }

    /// How many bytes more may be retained.
    fn room(&self) -> u32 {
        self.retained.bytes.wrapping_sub(self.bytes)
    }

    #[cold]
    fn over_retained(&self) -> Rejection {
        Rejection::limit_exceeded(Reason::RetainedLimit, u64::from(self.retained.bytes))
    }
}

/// How much of a part fits, and the index of the byte that does not.
struct Fits {
    len: usize,
    over: Option<usize>,
}
