//! The way of the pointers of a set: the innermost container that one of them leads into, and which of its items.
//!
//! It keeps a [`Place`] per pointer and 24 bytes more.

use super::path::{Entry, Place};
use super::pointer::Pointers;
use crate::tally::Tally;
use crate::watch::Watch;

/// See the module. The document is a container of one item, its value, which all pointers lead into.
#[derive(Debug)]
pub(super) struct Way<'p, const P: usize> {
    pub(super) pointers: &'p Pointers<'p, P>,
    pub(super) places: [Place; P],
    /// How many containers are open where it looks.
    pub(super) depth: u16,
    /// Whether the current item is on a pointer's way.
    pub(super) entered: bool,
    /// Whether that is so for the second time, and how long its key is, if that was whole.
    pub(super) again: bool,
    pub(super) key_len: u32,
    /// Whether the current key comes in parts, and one was seen.
    parts: bool,
    /// How many values the document might have had left when an element began that is dealt with.
    element: u32,
}

impl<'p, const P: usize> Way<'p, P> {
    /// Before a document.
    pub(super) const fn new(pointers: &'p Pointers<'p, P>) -> Self {
        let mut places = [Place::START; P];
        let len = if pointers.len() < P { pointers.len() } else { P };
        let (_, mut rest) = places.split_at_mut(len);
        while let [place, behind @ ..] = rest {
            *place = Place::UNUSED;
            rest = behind;
        }
        Self {
            pointers,
            places,
            depth: 0,
            entered: true,
            again: false,
            key_len: 0,
            parts: false,
            element: u32::MAX,
        }
    }

    /// The next part of a key, and whether it is the last.
    #[inline(never)]
    pub(super) fn key_part(&mut self, part: &[u8], ends: bool) {
        let begins = !core::mem::replace(&mut self.parts, !ends);
        for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
            match place.key(text.as_bytes(), self.depth, part, begins, ends) {
                Entry::None => {}
                Entry::Item => self.entered = true,
                Entry::Again => self.again = true,
            }
        }
    }

    /// The current item is a container. Whether a pointer leads into it, so that it is looked at from here on.
    pub(super) fn open(&mut self, object: bool) -> bool {
        let depth = self.depth.wrapping_add(1);
        let mut leads = false;
        for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
            leads |= place.open(text.as_bytes(), depth, object);
        }
        if leads {
            (self.depth, self.entered) = (depth, false);
        }
        leads
    }

    /// The current item has ended.
    #[inline(never)]
    pub(super) fn leave(&mut self) {
        for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
            place.leave(text.as_bytes(), self.depth);
        }
        self.entered = false;
    }
}

impl<const P: usize> Watch for Way<'_, P> {
    #[inline(always)]
    fn asks(&self, tally: &Tally) -> bool {
        // Each item is a value.
        tally.depth == self.depth && tally.values_left != self.element
    }

    #[inline(always)]
    fn key(&mut self, key: &[u8]) -> bool {
        self.key_len = key.len() as u32;
        self.key_part(key, true);
        self.again
    }

    #[inline(never)]
    fn element(&mut self, values_left: u32) {
        self.element = values_left;
        for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
            self.entered |= place.element(text.as_bytes(), self.depth);
        }
    }

    #[inline(always)]
    fn wants(&self) -> bool {
        self.entered || self.again
    }
}
