//! A place in a slice, for the fast paths.

use crate::{scan, steps, word};

/// The slice and the index of the next byte.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl Cursor<'_> {
    /// The next byte.
    #[inline(always)]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Goes on by `count` bytes.
    #[inline(always)]
    pub(crate) fn skip(&mut self, count: usize) {
        self.at = self.at.wrapping_add(count);
    }

    /// Goes over white space to the next byte that is none.
    #[inline(always)]
    pub(crate) fn significant(&mut self) -> Option<u8> {
        match self.peek() {
            Some(0..=b' ') => {
                let from = self.at;
                self.at = scan::white_space(self.bytes, from);
                steps::count(from, self.at);
                self.peek()
            }
            next => next,
        }
    }

    /// The same before a value, where one space is what mostly stands there.
    #[inline(always)]
    pub(crate) fn value(&mut self) -> Option<u8> {
        match self.peek() {
            Some(b' ') => {
                self.skip(1);
                self.significant()
            }
            Some(0..b' ') => {
                let from = self.at;
                self.at = scan::white_space(self.bytes, from);
                steps::count(from, self.at);
                self.peek()
            }
            next => next,
        }
    }

    /// Whether the four bytes before the one that is `len` bytes on are these: the end of a literal of that length.
    #[inline(always)]
    pub(crate) fn ends_with(&self, len: usize, end: [u8; 4]) -> bool {
        word::four(self.bytes, self.at.wrapping_add(len).wrapping_sub(4)) == Some(u32::from_le_bytes(end))
    }
}
