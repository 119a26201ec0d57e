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

    /// Copies what fits of a match whose distance is within reach. The ring may end in the middle of the source.
    #[inline(never)]
    pub(super) fn copy(&mut self, what: &mut Match) {
        let distance = usize::from(what.distance);
        while what.length != 0 {
            let size = self.bytes.len();
            let (from, unbroken) = match self.at.checked_sub(distance) {
                Some(from) => (from, size),
                // From here up to the end of the ring there are as many bytes as are missing.
                None => (size.wrapping_add(self.at).wrapping_sub(distance), distance.wrapping_sub(self.at)),
            };
            let count = usize::from(what.length).min(unbroken).min(self.left());
            let cells = Cell::from_mut(&mut *self.bytes).as_slice_of_cells();
            let run = |from: usize| cells.get(from..).and_then(|run| run.get(..count));
            let (Some(source), Some(target)) = (run(from), run(self.at)) else { return };
            if count == 0 {
                return;
            }
            copy_forward(source, target, self.at.wrapping_sub(from));
            self.at = self.at.wrapping_add(count);
            what.length = what.length.wrapping_sub(count as u16);
        }
    }
}

/// Copies `to.len()` bytes, or as many as `from` has, in order, so that what was copied is copied again where
/// `to` begins `distance` bytes behind the start of `from`: word by word where a word does not reach into
/// itself. Where `to` lies before `from`, the distance is a wrapped negative number and that is so, too.
#[inline(never)]
pub(super) fn copy_forward(mut from: &[Cell<u8>], mut to: &[Cell<u8>], distance: usize) {
    while distance >= 4
        && let (Some((word, more)), Some((place, room))) =
            (from.split_first_chunk::<4>(), to.split_first_chunk::<4>())
    {
        copy4(word, place);
        (from, to) = (more, room);
    }
    for (from, to) in from.iter().zip(to) {
        to.set(from.get());
    }
}

/// Four bytes in one load and one store.
#[inline(always)]
pub(super) fn copy4([a, b, c, d]: &[Cell<u8>; 4], [e, f, g, h]: &[Cell<u8>; 4]) {
    copy_word([a, b, c, d], [e, f, g, h]);
}

#[inline(always)]
pub(super) fn copy_word([a, b, c, d]: [&Cell<u8>; 4], [e, f, g, h]: [&Cell<u8>; 4]) {
    let word = [a.get(), b.get(), c.get(), d.get()];
    let [a, b, c, d] = u32::from_le_bytes(word).to_le_bytes();
    e.set(a);
    f.set(b);
    g.set(c);
    h.set(d);
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    #[test]
    fn the_exact_copy_copies_what_single_bytes_would_and_leaves_what_does_not_fit() {
        // A few of the places where each step is interpreted.
        let sparse = if cfg!(miri) { 7 } else { 1 };
        for size in [1, 2, 4, 8, 32] {
            for at in (0..size).step_by(sparse) {
                for distance in (1..=size).step_by(sparse) {
                    for length in (3..40).step_by(sparse) {
                        let mut bytes: [u8; 32] = core::array::from_fn(|place| place as u8 + 1);
                        let mut expected = bytes;
                        let fits = length.min(size - at);
                        for place in at..at + fits {
                            expected[place] = expected[(place + size - distance) % size];
                        }
                        let room = Room { bytes: &mut bytes[..size], at, reach: 100 };
                        let mut output = Output::new(room);
                        let mut left = Match::new(length, distance);
                        output.copy(&mut left);
                        assert_eq!((output.at, usize::from(left.length)), (at + fits, length - fits));
                        assert_eq!(bytes, expected, "{size}, {at}, {distance}, {length}");
                    }
                }
            }
        }
    }
}
