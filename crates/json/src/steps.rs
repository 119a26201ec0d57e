//! What a byte costs: every place that looks at bytes says at how many, and the tests of this module add that up over the
//! worst bodies that are known, and over ordinary ones. Elsewhere nothing of it is compiled.
//!
//! The fast paths look ahead and may have to leave what they saw to the byte-exact machine, so a byte is looked at more
//! than once. That must be a constant number of times, whatever a peer sends and however it is cut; the crate's
//! documentation names the constants. In ordinary documents it is once, for the fast paths leave next to nothing.

/// Bytes from the index `from` to the index `to` were looked at.
#[cfg(not(test))]
#[inline(always)]
pub(crate) const fn count(_from: usize, _to: usize) {}

/// The byte-exact machine looked at a byte.
#[cfg(not(test))]
#[inline(always)]
pub(crate) const fn exact() {}

#[cfg(test)]
pub(crate) use counted::{count, exact};

#[cfg(test)]
mod ordinary;
#[cfg(test)]
mod worst;

#[cfg(test)]
mod counted {
    use core::cell::Cell;

    std::thread_local! {
        static LOOKED: Cell<usize> = const { Cell::new(0) };
        static EXACT: Cell<usize> = const { Cell::new(0) };
    }

    pub(crate) fn count(from: usize, to: usize) {
        LOOKED.set(LOOKED.get().wrapping_add(to.wrapping_sub(from)));
    }

    pub(crate) fn exact() {
        count(0, 1);
        EXACT.set(EXACT.get().wrapping_add(1));
    }

    pub(super) fn take() -> usize {
        LOOKED.take()
    }

    pub(super) fn take_exact() -> usize {
        EXACT.take()
    }
}
