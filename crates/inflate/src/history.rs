//! Where output goes and history comes from: a flat buffer or a ring, both the caller's.
//!
//! Neither needs to be cleared: what a buffer held before is never read, since no distance may reach before
//! the start of the stream.

use core::{fmt, mem};

use crate::MAX_DISTANCE;
use crate::engine::Room;

mod sealed {
    pub trait Sealed {}
}

/// Memory for output that is also the history. [`Flat`] and [`Ring`] are the two kinds.
pub trait History: sealed::Sealed {
    /// Whether the memory is written round and round.
    const WRAPS: bool;

    /// Begins a new stream behind what was written so far.
    fn restart(&mut self);

    /// Where the next bytes go.
    fn room(&mut self) -> Room<'_>;

    /// Takes note of `count` bytes written to the room, and returns them.
    fn wrote(&mut self, count: usize) -> &[u8];

    /// The most bytes that the memory can take in all, where it does not wrap.
    fn capacity(&self) -> u64;

    /// The latest `count` bytes again, where they were written in one run.
    fn latest(&self, count: usize) -> &[u8];
}

/// A flat buffer: output is history, and the buffer's length is the most that all streams together can bring.
pub struct Flat<'m> {
    bytes: &'m mut [u8],
    /// Where the current stream began.
    start: usize,
    at: usize,
}

impl<'m> Flat<'m> {
    /// Output from the start of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'m mut [u8]) -> Self {
        Self { bytes, start: 0, at: 0 }
    }

    /// What was written so far, over all streams.
    ///
    /// Not a result: whether it is one is known only when the decoder around it has finished.
    #[must_use]
    pub fn written(&self) -> &[u8] {
        self.bytes.get(..self.at).unwrap_or(&[])
    }

    /// The same for as long as the buffer lives.
    #[must_use]
    pub fn into_written(mut self) -> &'m mut [u8] {
        self.take_written()
    }

    /// The same, leaving no room and nothing written behind.
    #[must_use]
    pub fn take_written(&mut self) -> &'m mut [u8] {
        let written = mem::take(&mut self.bytes).get_mut(..self.at).unwrap_or(&mut []);
        (self.start, self.at) = (0, 0);
        written
    }
}

impl sealed::Sealed for Flat<'_> {}

/// Without the bytes, which are the body's.
impl fmt::Debug for Flat<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, start, at } = self;
        let length = bytes.len();
        f.debug_struct("Flat").field("length", &length).field("start", start).field("at", at).finish()
    }
}

impl History for Flat<'_> {
    const WRAPS: bool = false;

    fn restart(&mut self) {
        self.start = self.at;
    }

    fn room(&mut self) -> Room<'_> {
        let reach = self.at.saturating_sub(self.start);
        Room { bytes: self.bytes.get_mut(self.start..).unwrap_or(&mut []), at: reach, reach }
    }

    fn wrote(&mut self, count: usize) -> &[u8] {
        let from = self.at;
        self.at = self.at.wrapping_add(count).min(self.bytes.len());
        self.bytes.get(from..self.at).unwrap_or(&[])
    }

    fn capacity(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn latest(&self, count: usize) -> &[u8] {
        self.bytes.get(self.at.saturating_sub(count)..self.at).unwrap_or(&[])
    }
}

/// A ring: a window that is written round and round. Its length is a power of two.
///
/// The encoder decides how large it must be: a zlib encoder at its defaults uses distances up to 32 KiB, or up
/// to the length of the body where that is shorter. A distance beyond the ring is `window_too_small`.
pub struct Ring<'m> {
    bytes: &'m mut [u8],
    at: usize,
    /// Bytes of this stream, up to the ring's length or the farthest distance, whichever is more.
    written: usize,
}

impl<'m> Ring<'m> {
    /// A ring over an array. It does not compile if `N` is not a power of two.
    #[must_use]
    pub const fn new<const N: usize>(bytes: &'m mut [u8; N]) -> Self {
        const { assert!(N.is_power_of_two(), "a ring's length must be a power of two") };
        Self { bytes, at: 0, written: 0 }
    }

    /// A ring over a slice; `None` if its length is not a power of two.
    #[must_use]
    pub const fn from_slice(bytes: &'m mut [u8]) -> Option<Self> {
        if bytes.len().is_power_of_two() { Some(Self { bytes, at: 0, written: 0 }) } else { None }
    }
}

impl sealed::Sealed for Ring<'_> {}

/// Without the bytes, which are the body's.
impl fmt::Debug for Ring<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { bytes, at, written } = self;
        let length = bytes.len();
        f.debug_struct("Ring").field("length", &length).field("at", at).field("written", written).finish()
    }
}

impl History for Ring<'_> {
    const WRAPS: bool = true;

    fn restart(&mut self) {
        self.at = 0;
        self.written = 0;
    }

    fn room(&mut self) -> Room<'_> {
        if self.at == self.bytes.len() {
            self.at = 0;
        }
        Room { at: self.at, reach: self.written, bytes: self.bytes }
    }

    fn wrote(&mut self, count: usize) -> &[u8] {
        let from = self.at;
        self.at = self.at.wrapping_add(count).min(self.bytes.len());
        self.written = self.written.wrapping_add(count).min(self.bytes.len().max(MAX_DISTANCE));
        self.bytes.get(from..self.at).unwrap_or(&[])
    }

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn latest(&self, count: usize) -> &[u8] {
        self.bytes.get(self.at.saturating_sub(count)..self.at).unwrap_or(&[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_buffer_keeps_all_streams_and_lets_none_reach_into_the_one_before() {
        let mut buffer = [0xAA; 8];
        let mut flat = Flat::new(&mut buffer);
        assert_eq!(flat.room().reach, 0);
        assert_eq!(flat.wrote(3).len(), 3);
        flat.restart();
        let room = flat.room();
        assert_eq!((room.bytes.len(), room.at, room.reach), (5, 0, 0));
        assert_eq!(flat.wrote(2).len(), 2);
        assert_eq!((flat.room().reach, flat.written().len(), flat.capacity()), (2, 5, 8));
        assert_eq!(flat.into_written().len(), 5);
    }

    #[test]
    fn a_ring_begins_again_at_its_end_and_knows_how_much_came_before_it() {
        let mut buffer = [0xAA; 8];
        let mut ring = Ring::new(&mut buffer);
        assert_eq!(ring.wrote(8).len(), 8);
        let room = ring.room();
        assert_eq!((room.at, room.reach), (0, 8));
        assert_eq!(ring.wrote(3).len(), 3);
        assert_eq!((ring.room().at, ring.room().reach), (3, 11));
        ring.restart();
        assert_eq!((ring.room().at, ring.room().reach), (0, 0));
    }

    #[test]
    fn the_latest_run_can_be_looked_at_again() {
        let mut buffer = *b"abcdefgh";
        let mut flat = Flat::new(&mut buffer);
        flat.wrote(3);
        flat.wrote(2);
        assert_eq!((flat.latest(2), flat.latest(5), flat.latest(0)), (&b"de"[..], &b"abcde"[..], &b""[..]));
        let mut ring = Ring::new(&mut buffer);
        ring.wrote(8);
        assert_eq!(ring.latest(8), b"abcdefgh");
        assert_eq!(ring.room().at, 0);
        ring.wrote(3);
        assert_eq!(ring.latest(3), b"abc");
    }

    #[test]
    fn what_is_logged_of_a_buffer_holds_none_of_its_bytes() {
        extern crate std;
        let mut buffer = [211; 4];
        let flat = std::format!("{:?}", Flat::new(&mut buffer));
        assert!(flat.contains("Flat") && !flat.contains("211"), "{flat}");
        let ring = std::format!("{:?}", Ring::new(&mut buffer));
        assert!(ring.contains("Ring") && !ring.contains("211"), "{ring}");
    }

    #[test]
    fn only_a_flat_buffer_bounds_what_is_decoded() {
        assert_eq!(Flat::new(&mut [0; 4]).capacity(), 4);
        assert_eq!(Ring::new(&mut [0; 4]).capacity(), u64::MAX);
    }

    #[test]
    fn a_ring_is_a_power_of_two() {
        assert!(Ring::from_slice(&mut [0; 12]).is_none());
        assert!(Ring::from_slice(&mut []).is_none());
        assert!(Ring::from_slice(&mut [0; 16]).is_some());
        assert!(Ring::from_slice(&mut [0; 1]).is_some());
    }
}
