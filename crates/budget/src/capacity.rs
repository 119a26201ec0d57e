//! Bytes and places that several bodies share.
//!
//! A meter bounds one body; this bounds what all of them hold at one time. [`Capacity`] is two counters in a
//! `static`, six words of state; a [`Permit`] is one body's share of it, four words, and its destructor is
//! what gives the share back.

mod counter;
mod permit;

use plimsoll_core::{Reason, Rejection};

use counter::Counter;
pub use permit::Permit;

/// How many bytes, and how many bodies, may be taken in at one time.
///
/// Lives in a `static` (in a `OnceLock` where the limits are known only at run time), or wherever all that share
/// it can borrow it. A body's [`Permit`] takes a place here before the first byte, bytes as they pass or ahead
/// of them, and gives all of it back when it is dropped. Exactly the limits pass, one more is refused with
/// `capacity`, and 0 means nothing.
///
/// The limits are in `usize`, because this bounds what is held in memory at one time; what a body may come to
/// over its whole length is a [`Meter`](crate::Meter)'s, in 64 bits. As the limits are not zero, a `static` of
/// it lies in `.data`: six words.
///
/// ```
/// use plimsoll_budget::Capacity;
/// use plimsoll_core::{Inspect, Reason};
///
/// static CAPACITY: Capacity = Capacity::new(64 * 1024, 4);
///
/// let mut first = CAPACITY.try_acquire()?;
/// first.reserve(60 * 1024)?; // all of these bytes will pass, whatever others do
///
/// let mut second = CAPACITY.try_acquire()?;
/// let refusal = second.inspect(&[b' '; 5000]).unwrap_err(); // 4096 are left
/// assert_eq!((refusal.accepted, refusal.rejection.reason()), (4096, Reason::Capacity));
/// assert_eq!((CAPACITY.bytes_in_use(), CAPACITY.places_in_use()), (64 * 1024, 2));
///
/// drop((first, second));
/// assert_eq!((CAPACITY.bytes_in_use(), CAPACITY.places_in_use()), (0, 0));
/// # Ok::<(), plimsoll_core::Rejection>(())
/// ```
///
/// # Contention
///
/// Nothing here waits, locks or queues: every call answers at once, from threads, tasks and interrupt handlers
/// alike. Two bodies that each hold half of the bytes and want more are both refused; they do not wait for each
/// other for ever.
///
/// The price is that there is no order. What is given back goes to whoever asks next, however long another has
/// been asking, and a large reservation can miss its turn again and again behind small ones. Where that
/// matters, let the bodies queue in front of this, or give the large one a capacity of its own. A
/// compare-and-swap that another thread or an interrupt overtakes is tried again, and whoever overtook it has
/// got on.
///
/// # Targets without compare-and-swap
///
/// On Cortex-M0, RISC-V without atomics and the like this type is absent, unless the feature `portable-atomic`
/// is on. That crate then makes the operation up from a few instructions without interrupts, and how is for the
/// final binary to say, because only it knows whether the device has one core and whether interrupts may be
/// masked. It turns on one of portable-atomic's features; with neither the build stops and says so:
///
/// - `critical-section`, with an implementation of the crate of that name, which most runtimes and HALs bring;
/// - `unsafe-assume-single-core`, by which it vouches that there is one core and that it runs privileged.
///
/// ```toml
/// plimsoll-budget = { version = "0.1", features = ["portable-atomic"] }
/// portable-atomic = { version = "1", default-features = false, features = ["critical-section"] }
/// ```
#[derive(Debug)]
pub struct Capacity {
    bytes: Counter,
    places: Counter,
}

impl Capacity {
    /// A capacity of `bytes` bytes, held by at most `places` permits.
    #[must_use]
    pub const fn new(bytes: usize, places: usize) -> Self {
        Self { bytes: Counter::new(bytes), places: Counter::new(places) }
    }

    /// Takes a place, and no bytes yet: [`Permit::reserve`] takes them ahead, [`Permit::admit`] as they come.
    ///
    /// # Errors
    /// `capacity` where no place is left. It does not wait for one.
    pub fn try_acquire(&self) -> Result<Permit<'_>, Rejection> {
        if self.places.take_all(1) { Ok(Permit::new(self)) } else { Err(Self::rejection()) }
    }

    /// The most bytes that permits may hold together.
    #[must_use]
    pub const fn bytes_limit(&self) -> usize {
        self.bytes.limit()
    }

    /// Bytes that permits hold now, those reserved ahead included: never more than the limit.
    #[must_use]
    pub fn bytes_in_use(&self) -> usize {
        self.bytes.in_use()
    }

    /// The high-water mark of [`bytes_in_use`](Self::bytes_in_use). It may be a moment behind it.
    #[must_use]
    pub fn bytes_peak(&self) -> usize {
        self.bytes.peak()
    }

    /// The most permits that there may be at one time.
    #[must_use]
    pub const fn places_limit(&self) -> usize {
        self.places.limit()
    }

    /// Permits that there are now: never more than the limit.
    #[must_use]
    pub fn places_in_use(&self) -> usize {
        self.places.in_use()
    }

    /// The high-water mark of [`places_in_use`](Self::places_in_use). It may be a moment behind it.
    #[must_use]
    pub fn places_peak(&self) -> usize {
        self.places.peak()
    }

    /// What is answered to whom nothing is left for. It has no place in a body and no limit of the body's own.
    const fn rejection() -> Rejection {
        Rejection::new(Reason::Capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_as_many_permits_as_places() {
        let capacity = Capacity::new(100, 2);
        let first = capacity.try_acquire().unwrap();
        let _second = capacity.try_acquire().unwrap();
        assert_eq!(capacity.try_acquire().unwrap_err(), Rejection::new(Reason::Capacity));
        assert_eq!(capacity.places_in_use(), 2);
        drop(first);
        let _third = capacity.try_acquire().unwrap();
        assert!(capacity.try_acquire().is_err());
        assert_eq!((capacity.places_in_use(), capacity.places_peak(), capacity.places_limit()), (2, 2, 2));
    }

    #[test]
    fn without_places_there_are_no_permits() {
        let capacity = Capacity::new(100, 0);
        assert!(capacity.try_acquire().is_err());
        assert_eq!((capacity.places_in_use(), capacity.places_peak()), (0, 0));
    }

    #[test]
    fn it_lies_in_a_static_and_is_shared_between_threads() {
        static CAPACITY: Capacity = Capacity::new(7, 1);
        fn shared<T: Sync + Send + 'static>(_: &T) {}
        let permit = CAPACITY.try_acquire().unwrap();
        shared(&CAPACITY);
        shared(&permit);
        assert_eq!((CAPACITY.bytes_limit(), CAPACITY.places_in_use()), (7, 1));
    }

    #[test]
    fn it_and_its_permits_take_as_many_words_as_documented() {
        assert_eq!(size_of::<Capacity>(), 6 * size_of::<usize>());
        assert_eq!(size_of::<Permit<'_>>(), 4 * size_of::<usize>());
    }
}
