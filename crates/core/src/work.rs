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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;

    /// What it was charged, and what it was paid.
    #[derive(Default)]
    struct Ledger {
        steps: u32,
        bytes: usize,
    }

    impl Work for Ledger {
        fn charge(&mut self, steps: u32) -> Result<(), Rejection> {
            self.steps = steps;
            Err(Rejection::limit_exceeded(Reason::WorkLimit, 0))
        }

        fn credit(&mut self, bytes: usize) {
            self.bytes = bytes;
        }
    }

    #[test]
    fn a_meter_that_is_lent_is_the_meter_itself() {
        /// By the implementation for references, and not by auto-dereference.
        fn drive<W: Work>(mut work: W) -> Result<(), Rejection> {
            work.credit(5);
            work.charge(7)
        }
        let mut ledger = Ledger::default();
        assert_eq!(drive(&mut ledger), Err(Rejection::limit_exceeded(Reason::WorkLimit, 0)));
        assert_eq!((ledger.steps, ledger.bytes), (7, 5));
    }
}
