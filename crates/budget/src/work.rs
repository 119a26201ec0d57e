//! A meter for work that output has not paid for.

use plimsoll_core::{Reason, Rejection, Work};

/// Counts steps of work; every byte of output pays for one.
///
/// What is owed may reach `limit` and not more: then `work_limit` is answered for good. Output pays debt and
/// is not saved for later, so a long body that brings output at any ordinary rate never comes near the limit,
/// while an endless row of empty blocks does after `limit` steps. The total work of a body is at most its
/// output plus the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WorkMeter {
    limit: u64,
    owed: u64,
}

impl WorkMeter {
    /// A meter that lets at most `limit` steps be owed.
    #[must_use]
    pub const fn new(limit: u64) -> Self {
        Self { limit, owed: 0 }
    }

    /// Steps that no output has paid for: at most the limit plus 1.
    #[must_use]
    pub const fn owed(&self) -> u64 {
        self.owed
    }

    /// The most steps that may be owed.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    const fn rejection(&self) -> Rejection {
        Rejection::limit_exceeded(Reason::WorkLimit, self.limit)
    }
}

impl Work for WorkMeter {
    fn charge(&mut self, steps: u32) -> Result<(), Rejection> {
        let owed = self.owed.saturating_add(u64::from(steps));
        if self.owed > self.limit || owed > self.limit {
            self.owed = self.limit.saturating_add(1);
            return Err(self.rejection());
        }
        self.owed = owed;
        Ok(())
    }

    fn credit(&mut self, bytes: usize) {
        if self.owed <= self.limit {
            self.owed = self.owed.saturating_sub(bytes as u64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_limit_may_be_owed() {
        let mut work = WorkMeter::new(10);
        assert_eq!(work.charge(10), Ok(()));
        assert_eq!(work.charge(0), Ok(()));
        assert_eq!(work.charge(1), Err(Rejection::limit_exceeded(Reason::WorkLimit, 10)));
        assert_eq!((work.owed(), work.limit()), (11, 10));
    }

    #[test]
    fn output_pays_and_is_not_saved() {
        let mut work = WorkMeter::new(10);
        work.credit(1000);
        assert_eq!(work.charge(8), Ok(()));
        work.credit(3);
        assert_eq!(work.owed(), 5);
        work.credit(1000);
        assert_eq!((work.owed(), work.charge(10), work.charge(1).is_err()), (0, Ok(()), true));
    }

    #[test]
    fn a_refusal_cannot_be_paid_off() {
        let mut work = WorkMeter::new(0);
        assert_eq!(work.charge(0), Ok(()));
        assert!(work.charge(1).is_err());
        work.credit(1000);
        assert!(work.charge(0).is_err());
    }

    #[test]
    fn the_largest_charge_does_not_wrap() {
        let mut work = WorkMeter { limit: u64::MAX.saturating_sub(1), owed: u64::MAX.saturating_sub(1) };
        assert!(work.charge(u32::MAX).is_err());
        assert!(work.charge(0).is_err());
    }
}
