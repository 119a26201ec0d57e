//! What is open, and what is left of the limits of values, items and depth.
//!
//! The machine has one; a fast path takes a copy into registers and puts it back.

use crate::levels::{Frame, Levels};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    /// How many values more the document may have.
    pub(crate) values_left: u32,
    /// The current container. The document itself is one, of one item.
    frame: Frame,
    /// How many containers are open.
    pub(crate) depth: u16,
}

impl Tally {
    /// Of a document that may have `values` values.
    pub(crate) const fn new(values: u32) -> Self {
        Self { values_left: values, frame: Frame::new(false, 1), depth: 0 }
    }

    /// Whether the current container is an object.
    #[inline(always)]
    pub(crate) fn in_object(&self) -> bool {
        self.frame.is_object()
    }

    /// Whether the container may have one item more.
    #[inline(always)]
    pub(crate) fn item_fits<L: Levels>(&self) -> bool {
        !L::COUNTS_ITEMS || self.frame.has_room()
    }

    /// Whether there may be one value more, which is an item of its container too. In an object its key was asked for
    /// already, and the answer is the same.
    #[inline(always)]
    pub(crate) fn value_fits<L: Levels>(&self) -> bool {
        self.values_left != 0 && self.item_fits::<L>()
    }

    /// Counts a value that fits.
    #[inline(always)]
    pub(crate) fn count_value<L: Levels>(&mut self) {
        self.values_left = self.values_left.wrapping_sub(1);
        if L::COUNTS_ITEMS {
            self.frame.take_item();
        }
    }

    /// Begins a container of up to `items` items, whose value is counted and for which there is a level.
    #[inline(always)]
    pub(crate) fn open<L: Levels>(&mut self, levels: &mut L, object: bool, items: u32) {
        levels.save(self.depth, self.frame);
        self.depth = self.depth.wrapping_add(1);
        self.frame = Frame::new(object, items);
    }

    /// Ends the current container, which is not the document, and gives how many are still open.
    #[inline(always)]
    pub(crate) fn close<L: Levels>(&mut self, levels: &L) -> u16 {
        self.depth = self.depth.wrapping_sub(1);
        self.frame = levels.load(self.depth);
        self.depth
    }
}
