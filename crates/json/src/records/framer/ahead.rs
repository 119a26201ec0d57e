//! Records that stand whole in a slice, each in one piece: the fast path of a check.

use super::extent::{RECORD_SEPARATOR, needs_white_space};
use super::{Framer, State};
use crate::records::{Framing, delimiter};

/// A record that stands whole in a slice.
pub(crate) struct Whole<'a> {
    pub(crate) content: &'a [u8],
    /// Offset of its first byte.
    pub(crate) at: u64,
    /// Its bytes and its delimiter's.
    pub(crate) consumed: usize,
}

impl Framer {
    /// The record that stands whole at the start of `input`, if one begins there, is within the limits and in need of
    /// no second look. Nothing is counted before [`pass`](Self::pass).
    #[inline(always)]
    pub(crate) fn whole<'a>(&self, input: &'a [u8]) -> Option<Whole<'a>> {
        let within = self.begun < self.limits.records;
        let (before, content, behind) = match (self.framing, self.state, *input.first()?) {
            (Framing::Lines, State::Closed, b'!'..) if within => {
                let end = delimiter::find(input, b'\n')?;
                match input.get(..end)? {
                    [content @ .., b'\r'] => (0, content, 2),
                    content => (0, content, 1),
                }
            }
            (Framing::Sequence, State::Closed, RECORD_SEPARATOR) if within => {
                let behind = input.get(1..)?;
                let content = behind.get(..delimiter::find(behind, RECORD_SEPARATOR)?)?;
                if needs_white_space(*content.last()?) {
                    return None;
                }
                (1, content, 0)
            }
            _ => return None,
        };
        let consumed = content.len().wrapping_add(before).wrapping_add(behind);
        let at = self.offset.wrapping_add(before as u64);
        if content.len() as u64 <= self.limits.bytes { Some(Whole { content, at, consumed }) } else { None }
    }

    /// Counts a whole record that was accepted.
    #[inline(always)]
    pub(crate) fn pass(&mut self, record: &Whole<'_>) {
        self.begun = self.begun.wrapping_add(1);
        self.offset = self.offset.wrapping_add(record.consumed as u64);
        (self.at, self.length) = (record.at, record.content.len() as u64);
    }
}
