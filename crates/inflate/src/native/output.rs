//! Where bytes go, and the exact copy of a match (RFC 1951, section 3.2.3).

use core::cell::Cell;

use crate::engine::Room;

/// A match, or what is left of it: it survives the end of the input and of the room.
#[derive(Clone, Copy)]
pub(super) struct Match {
    /// Bytes to copy; 0 where there is no match.
    pub(super) length: u16,
    /// How far back they lie; 0 until the distance has been read. 32,768 fits.
    pub(super) distance: u16,
}

impl Match {
    pub(super) const NONE: Self = Self { length: 0, distance: 0 };

    /// A length whose distance has not been read.
    pub(super) const fn of_length(length: usize) -> Self {
        Self { length: length as u16, distance: 0 }
    }

    pub(super) const fn new(length: usize, distance: usize) -> Self {
        Self { length: length as u16, distance: distance as u16 }
    }
}

/// The room of one call.
pub(super) struct Output<'r> {
    pub(super) bytes: &'r mut [u8],
    /// Where the next byte goes.
    pub(super) at: usize,
    /// What `at` must be added to for the number of bytes of history, wrapping: 0 where the room does not wrap.
    pub(super) before: usize,
}

impl<'r> Output<'r> {
    pub(super) const fn new(room: Room<'r>) -> Self {
        let Room { bytes, at, reach } = room;
        Self { bytes, at, before: reach.wrapping_sub(at) }
    }

    /// How many bytes of the stream have been written, or more than any distance.
    pub(super) const fn reach(&self) -> usize {
        self.before.wrapping_add(self.at)
    }

    /// How many more bytes fit.
    pub(super) const fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    /// Writes one byte; says whether it fitted.
    pub(super) fn push(&mut self, byte: u8) -> bool {
        let Some(place) = self.bytes.get_mut(self.at) else { return false };
        *place = byte;
        self.at = self.at.wrapping_add(1);
        true
    }

    /// Writes as much of `bytes` as fits; says how much that was.
    pub(super) fn push_all(&mut self, bytes: &[u8]) -> usize {
        let count = bytes.len().min(self.left());
        let end = self.at.wrapping_add(count);
        if let (Some(to), Some(from)) = (self.bytes.get_mut(self.at..end), bytes.get(..count)) {
            to.copy_from_slice(from);
            self.at = end;
        }
        count
    }

    /// Copies what fits of a match whose distance is within reach; byte by byte, since a distance may be
    /// shorter than the length and the ring may end in the middle of either.
    #[inline(never)]
    pub(super) fn copy(&mut self, what: &mut Match) {
        let distance = usize::from(what.distance);
        while what.length > 0 {
            let size = self.bytes.len();
            let (from, unbroken) = match self.at.checked_sub(distance) {
                Some(from) => (from, size),
                // From here up to the end of the ring there are as many bytes as are missing.
                None => (size.wrapping_add(self.at).wrapping_sub(distance), distance.wrapping_sub(self.at)),
            };
            let count = usize::from(what.length).min(unbroken).min(self.left());
            let cells = Cell::from_mut(&mut *self.bytes).as_slice_of_cells();
            let (Some(source), Some(target)) =
                (cells.get(from..from.wrapping_add(count)), cells.get(self.at..self.at.wrapping_add(count)))
            else {
                return;
            };
            if count == 0 {
                return;
            }
            for (from, to) in source.iter().zip(target) {
                to.set(from.get());
            }
            self.at = self.at.wrapping_add(count);
            what.length = what.length.wrapping_sub(count as u16);
        }
    }
}
