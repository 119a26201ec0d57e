//! A counter that several threads raise and lower and that never stands above its limit.
//!
//! The step from what was counted to what will be is one compare-and-swap, so the check and the count cannot
//! come apart. It is tried again where another thread or an interrupt came between, which has then got on.
//! Three words of state: the limit, the count, and the highest count so far.

use core::sync::atomic::Ordering;

#[cfg(target_has_atomic = "ptr")]
use core::sync::atomic::AtomicUsize;
#[cfg(not(target_has_atomic = "ptr"))]
use portable_atomic::AtomicUsize;

#[derive(Debug)]
pub(super) struct Counter {
    limit: usize,
    in_use: AtomicUsize,
    peak: AtomicUsize,
}

impl Counter {
    pub(super) const fn new(limit: usize) -> Self {
        Self { limit, in_use: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    /// Takes all of `wanted`, or nothing.
    pub(super) fn take_all(&self, wanted: usize) -> bool {
        wanted == 0 || self.take(|left| if wanted <= left { wanted } else { 0 }) == wanted
    }

    /// Takes `wanted`, or what is left where that is less, and says how much it took.
    pub(super) fn take_up_to(&self, wanted: usize) -> usize {
        self.take(|left| wanted.min(left))
    }

    /// Takes the part of what is left that `share` names, which is at most all of it.
    ///
    /// Taking acquires what giving back released: what the former holder did comes before what the next one
    /// does.
    fn take(&self, share: impl Fn(usize) -> usize) -> usize {
        let mut in_use = self.in_use.load(Ordering::Relaxed);
        loop {
            let taken = share(self.limit.saturating_sub(in_use));
            if taken == 0 {
                return 0;
            }
            let raised = in_use.saturating_add(taken);
            match self.in_use.compare_exchange_weak(in_use, raised, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => {
                    self.note_peak(raised);
                    return taken;
                }
                Err(seen) => in_use = seen,
            }
        }
    }

    /// Looks before it writes: in the long run the peak only stands, and a read is shared between threads.
    fn note_peak(&self, raised: usize) {
        if raised > self.peak.load(Ordering::Relaxed) {
            self.peak.fetch_max(raised, Ordering::Relaxed);
        }
    }

    /// Gives back what was taken. The caller gives back what it took and nothing else, so this cannot
    /// go below zero.
    pub(super) fn give_back(&self, taken: usize) {
        if taken > 0 {
            self.in_use.fetch_sub(taken, Ordering::Release);
        }
    }

    pub(super) const fn limit(&self) -> usize {
        self.limit
    }

    pub(super) fn in_use(&self) -> usize {
        self.in_use.load(Ordering::Relaxed)
    }

    pub(super) fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_or_nothing_is_taken_up_to_exactly_the_limit() {
        let counter = Counter::new(10);
        assert!(counter.take_all(7));
        assert!(!counter.take_all(4));
        assert_eq!(counter.in_use(), 7);
        assert!(counter.take_all(3));
        assert!(counter.take_all(0));
        assert!(!counter.take_all(1));
        assert_eq!((counter.in_use(), counter.limit()), (10, 10));
    }

    #[test]
    fn what_is_left_is_taken_where_less_than_wanted_is_left() {
        let counter = Counter::new(10);
        assert_eq!(counter.take_up_to(8), 8);
        assert_eq!(counter.take_up_to(8), 2);
        assert_eq!(counter.take_up_to(8), 0);
        counter.give_back(5);
        assert_eq!(counter.take_up_to(3), 3);
        assert_eq!(counter.in_use(), 8);
    }

    #[test]
    fn the_peak_stays_when_the_count_falls() {
        let counter = Counter::new(10);
        assert_eq!(counter.peak(), 0);
        assert!(counter.take_all(6));
        counter.give_back(6);
        assert!(counter.take_all(4));
        assert_eq!((counter.in_use(), counter.peak()), (4, 6));
    }

    #[test]
    fn a_limit_of_zero_gives_nothing_and_the_largest_gives_all() {
        let none = Counter::new(0);
        assert!(none.take_all(0));
        assert!(!none.take_all(1));
        assert_eq!(none.take_up_to(usize::MAX), 0);
        let all = Counter::new(usize::MAX);
        assert_eq!(all.take_up_to(usize::MAX), usize::MAX);
        assert!(!all.take_all(1));
        all.give_back(usize::MAX);
        assert_eq!((all.in_use(), all.peak()), (0, usize::MAX));
    }
}
