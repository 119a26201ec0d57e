//! Work that brings no output: who does it says how much, who meters it says when it is too much.

use crate::Rejection;

/// A meter for work that output has not paid for.
///
/// A decoder [`charge`](Self::charge)s the steps of whatever it does besides producing bytes (a block header, a
/// table) and [`credit`](Self::credit)s the bytes it has produced, both in the order in which they stand in the
/// stream, so that the verdict does not depend on how the input was cut. The total work of a stream is then at
/// most its output plus the limit.
pub trait Work {
    /// Counts `steps` of work.
    ///
    /// # Errors
    /// `work_limit` when more is owed than allowed. From then on every charge is refused.
    fn charge(&mut self, steps: u32) -> Result<(), Rejection>;

    /// Pays with `bytes` of output: one step each, down to zero. Credit is not saved for later.
    fn credit(&mut self, bytes: usize);
}

impl<W: Work + ?Sized> Work for &mut W {
    #[inline]
    fn charge(&mut self, steps: u32) -> Result<(), Rejection> {
        (**self).charge(steps)
    }

    #[inline]
    fn credit(&mut self, bytes: usize) {
        (**self).credit(bytes);
    }
}
