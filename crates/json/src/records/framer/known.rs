//! Bytes that are known to be the current record's and within its limit. They are lent without another look at them, and may be
//! taken back.

use super::extent::Extent;
use super::{Framer, State};
use crate::records::Framing;

impl Framer {
    /// Shows the bytes at the start of `input` that are known to be the current record's.
    #[inline(always)]
    pub(crate) fn known<'a>(&self, input: &'a [u8]) -> &'a [u8] {
        let len = if self.state == State::Inside { self.clear.min(input.len()) } else { 0 };
        input.get(..len).unwrap_or_default()
    }

    /// Takes them.
    #[inline(always)]
    pub(crate) fn take_known<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let known = self.known(input);
        self.take(known, known.len());
        known
    }

    /// Takes the first `count` of the `known` bytes.
    #[inline(always)]
    pub(crate) fn take(&mut self, known: &[u8], count: usize) {
        if let Some(last) = known.get(count.wrapping_sub(1)) {
            self.last = *last;
        }
        self.length = self.length.wrapping_add(count as u64);
        self.offset = self.offset.wrapping_add(count as u64);
        self.clear = self.clear.wrapping_sub(count);
    }

    /// Remembers how many bytes to come are the record's and within its limit.
    pub(super) fn know(&mut self, extent: Extent) {
        let room = usize::try_from(self.limits.bytes.wrapping_sub(self.length)).unwrap_or(usize::MAX);
        self.clear = extent.content.min(room);
    }

    /// Takes back the last `left` bytes of `Frame::Bytes` that came with `consumed` bytes.
    #[inline(always)]
    pub(crate) fn unread(&mut self, left: usize, consumed: usize) {
        self.length = self.length.wrapping_sub(left as u64);
        if consumed == 0 {
            // The CR that was held back.
            self.held = left != 0;
        } else {
            self.offset = self.offset.wrapping_sub(left as u64);
            self.clear = self.clear.wrapping_add(left);
        }
    }

    /// Takes back a `Frame::End` that came with `consumed` bytes.
    pub(crate) fn reopen(&mut self, consumed: usize) {
        self.offset = self.offset.wrapping_sub(consumed as u64);
        self.state = State::Inside;
    }

    /// Whether the byte at `at` of a record's `bytes` is judged together with the byte behind it.
    pub(crate) fn is_held(&self, bytes: &[u8], at: usize) -> bool {
        self.framing == Framing::Lines && bytes.get(at) == Some(&b'\r')
    }
}
