//! Where the machine keeps what it must know of the containers around the current one.
//!
//! One frame per level: whether the container is an object, and how many items more it may have. The current
//! container's frame lives in the machine; a frame is saved when a container is opened inside of it and loaded
//! when that one ends. The depth is the machine's; this is its only array, indexed by the depth, and the depth
//! limit is held against its capacity when a machine is made, so that no level can be without a place.
//!
//! [`Counted`] takes four bytes per level, [`Uncounted`] one bit.

/// A container that is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Object or array. The document itself counts as an array, so that values may stand there.
    pub object: bool,
    /// How many items more it may have.
    pub items_left: u32,
}

/// What a [`Levels`] does for the machine. In a private module, so that the set of storages is closed.
pub trait Storage: Copy {
    /// No container is open. All bytes are zero.
    const EMPTY: Self;
    /// How many levels there is room for.
    const CAPACITY: usize;
    /// Whether items are counted.
    const COUNTS_ITEMS: bool;
    /// The highest limit of items that can be kept.
    const MOST_ITEMS: u32;

    /// Keeps the frame of the container at `depth`; the document's depth is 0.
    fn save(&mut self, depth: u16, frame: Frame);
    /// The frame that was kept for `depth`.
    fn load(&self, depth: u16) -> Frame;
}

/// Memory for the containers that are open: [`Counted`] or [`Uncounted`].
pub trait Levels: Storage {}

impl<T: Storage> Levels for T {}

/// Room for `LEVELS` levels of nesting with a count of items for each: 4 bytes per level.
///
/// A limit of items may be at most 2³¹ - 1.
#[derive(Clone, Copy, Debug)]
pub struct Counted<const LEVELS: usize>([u32; LEVELS]);

/// The bit of a [`Counted`] frame that says "object"; the others count.
const OBJECT: u32 = 1 << 31;

impl<const LEVELS: usize> Storage for Counted<LEVELS> {
    const EMPTY: Self = Self([0; LEVELS]);
    const CAPACITY: usize = LEVELS;
    const COUNTS_ITEMS: bool = true;
    const MOST_ITEMS: u32 = OBJECT - 1;

    #[inline(always)]
    fn save(&mut self, depth: u16, frame: Frame) {
        if let Some(level) = self.0.get_mut(usize::from(depth)) {
            *level = if frame.object { frame.items_left | OBJECT } else { frame.items_left };
        }
    }

    #[inline(always)]
    fn load(&self, depth: u16) -> Frame {
        let level = self.0.get(usize::from(depth)).copied().unwrap_or(0);
        Frame { object: level & OBJECT != 0, items_left: level & !OBJECT }
    }
}

/// Room for `8 * BYTES` levels of nesting without counts of items: one bit per level.
///
/// The items of a container are then bounded by the limit of values, and a limit of items below that one is
/// refused when a machine is made, because it could not be kept.
#[derive(Clone, Copy, Debug)]
pub struct Uncounted<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> Storage for Uncounted<BYTES> {
    const EMPTY: Self = Self([0; BYTES]);
    const CAPACITY: usize = BYTES.saturating_mul(8);
    const COUNTS_ITEMS: bool = false;
    const MOST_ITEMS: u32 = u32::MAX;

    #[inline(always)]
    fn save(&mut self, depth: u16, frame: Frame) {
        if let Some(byte) = self.0.get_mut(usize::from(depth >> 3)) {
            let bit = 1 << (depth & 7);
            *byte = if frame.object { *byte | bit } else { *byte & !bit };
        }
    }

    #[inline(always)]
    fn load(&self, depth: u16) -> Frame {
        let byte = self.0.get(usize::from(depth >> 3)).copied().unwrap_or(0);
        Frame { object: byte >> (depth & 7) & 1 != 0, items_left: 0 }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    fn keeps_every_level<L: Storage>(counts: bool) {
        let mut levels = L::EMPTY;
        let capacity = u16::try_from(L::CAPACITY).unwrap();
        for flip in [false, true] {
            let frame = |depth: u16| Frame {
                object: depth.is_multiple_of(3) ^ flip,
                items_left: if counts { u32::from(depth) ^ 0x7fff_ffff } else { 0 },
            };
            (0..capacity).for_each(|depth| levels.save(depth, frame(depth)));
            (0..capacity).for_each(|depth| assert_eq!(levels.load(depth), frame(depth), "{depth}"));
        }
    }

    #[test]
    fn every_level_up_to_the_capacity_keeps_its_own_frame() {
        keeps_every_level::<Counted<1>>(true);
        keeps_every_level::<Counted<100>>(true);
        keeps_every_level::<Uncounted<1>>(false);
        keeps_every_level::<Uncounted<33>>(false);
    }
}
