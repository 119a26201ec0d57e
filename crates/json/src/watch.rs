//! Who is asked on the way of the fast paths which items of a container it wants to see by itself.
//!
//! A check asks [`Nobody`], so that nothing of this is compiled for it. A selection asks where its pointers lead.

use crate::tally::Tally;

/// Wants to see some items of one container.
pub(crate) trait Watch {
    /// Whether it has to be asked about the item that begins next.
    fn asks(&self, tally: &Tally) -> bool;
    /// A member begins, and this is its key. Whether that is refused.
    fn key(&mut self, key: &[u8]) -> bool;
    /// An element begins, and with it one of the values that are left.
    fn element(&mut self, values_left: u32);
    /// Whether the value of the current item is wanted, or a key was refused.
    fn wants(&self) -> bool;
}

/// Wants nothing.
pub(crate) struct Nobody;

impl Watch for Nobody {
    #[inline(always)]
    fn asks(&self, _tally: &Tally) -> bool {
        false
    }

    #[inline(always)]
    fn key(&mut self, _key: &[u8]) -> bool {
        false
    }

    #[inline(always)]
    fn element(&mut self, _values_left: u32) {}

    #[inline(always)]
    fn wants(&self) -> bool {
        false
    }
}
