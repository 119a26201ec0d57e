//! One body's share of a capacity. Four words: the capacity, what is held of it, how much of that is spare, and
//! whether more was wanted.

use plimsoll_core::{Inspect, Refusal, Rejection};

use super::Capacity;

/// A place in a [`Capacity`] and the bytes taken from it for one body; both go back when this is dropped.
///
/// It is an [`Inspect`] that takes a byte for each byte that passes, before it is lent, and a plain counter for
/// other flows. What has passed stays taken until the drop: hold the permit for as long as the body is held in
/// memory. An inspector that is moved into a machine is dropped with it; lend `&mut permit` to the machine where
/// the body outlives it. Memory that is there before a byte passes, such as a window or a buffer that a decoder
/// fills, is not seen by an inspector: [`reserve`](Self::reserve) it before it is allocated.
///
/// ```
/// use plimsoll_budget::Capacity;
/// use plimsoll_core::{Decode, Identity, Inspected, Run};
///
/// let capacity = Capacity::new(5, 1);
/// let mut permit = capacity.try_acquire()?;
/// let mut stage = Inspected::new(Identity::new(), &mut permit);
/// assert_eq!(stage.decode(b"hello, world")?.run, Run::Bytes(b"hello"));
/// assert!(stage.decode(b"").is_err());
///
/// assert_eq!(capacity.bytes_in_use(), 5); // the stage has ended its work, the permit holds
/// drop(permit);
/// assert_eq!(capacity.bytes_in_use(), 0);
/// # Ok::<(), plimsoll_core::Rejection>(())
/// ```
///
/// # When it goes back
///
/// With the value, in whichever way that ends: at the end of a scope, in a panic that unwinds, in a future that
/// is dropped half-way. What never drops never goes back: a permit in a `static`, one handed to
/// [`mem::forget`](core::mem::forget), or one in a future that is never polled again and never dropped, keeps
/// its share until the process or the device starts anew. Others are then refused earlier; no limit is passed.
#[derive(Debug)]
#[must_use = "a permit gives its place back when it is dropped"]
pub struct Permit<'c> {
    capacity: &'c Capacity,
    /// Bytes taken from the capacity.
    held: usize,
    /// Those of them that nothing has passed for yet: at most `held`.
    spare: usize,
    exceeded: bool,
}

impl<'c> Permit<'c> {
    /// For a place that has been taken.
    pub(super) const fn new(capacity: &'c Capacity) -> Self {
        Self { capacity, held: 0, spare: 0, exceeded: false }
    }

    /// Takes bytes ahead, so that `additional` more are sure to pass. Spare ones count; a byte reserved is in
    /// use for all others.
    ///
    /// It takes all or nothing, and a refusal changes nothing: it may be tried again, as may a smaller one.
    /// A body whose size is known is best reserved before it is asked for. One that is not may be reserved piece
    /// by piece, so that the shared counter is not touched for every run.
    ///
    /// # Errors
    /// `capacity` where fewer are left, or where the permit [was exceeded](Self::rejection) before.
    pub fn reserve(&mut self, additional: usize) -> Result<(), Rejection> {
        let wanted = additional.saturating_sub(self.spare);
        if self.exceeded || !self.capacity.bytes.take_all(wanted) {
            return Err(Capacity::rejection());
        }
        self.add(wanted);
        Ok(())
    }

    /// Counts up to `wanted` more bytes and says how many of them there was capacity for.
    ///
    /// Spare bytes are used first. Where the answer is less than `wanted`, the permit is exceeded, for good:
    /// [`rejection`](Self::rejection) says so, and what it holds it keeps until it is dropped.
    pub fn admit(&mut self, wanted: usize) -> usize {
        if self.exceeded {
            return 0;
        }
        let lacking = wanted.saturating_sub(self.spare);
        if lacking > 0 {
            let taken = self.capacity.bytes.take_up_to(lacking);
            self.add(taken);
            self.exceeded = taken < lacking;
        }
        let admitted = wanted.min(self.spare);
        self.spare = self.spare.saturating_sub(admitted);
        admitted
    }

    /// Gives back what was reserved and nothing has passed for.
    pub fn shrink_to_fit(&mut self) {
        self.capacity.bytes.give_back(self.spare);
        self.held = self.used();
        self.spare = 0;
    }

    /// Bytes that have passed.
    #[must_use]
    pub const fn used(&self) -> usize {
        self.held.saturating_sub(self.spare)
    }

    /// Bytes taken from the capacity: those that have passed, and those reserved ahead.
    #[must_use]
    pub const fn held(&self) -> usize {
        self.held
    }

    /// The refusal, once more was wanted than there was.
    #[must_use]
    pub const fn rejection(&self) -> Option<Rejection> {
        if self.exceeded { Some(Capacity::rejection()) } else { None }
    }

    /// Notes what was taken. All permits together hold at most the limit, so neither sum can overflow.
    fn add(&mut self, taken: usize) {
        self.held = self.held.saturating_add(taken);
        self.spare = self.spare.saturating_add(taken);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.capacity.bytes.give_back(self.held);
        self.capacity.places.give_back(1);
    }
}

/// Whether a byte passes depends on what others hold at that moment; for the same moment, not on how the bytes
/// are cut.
impl Inspect for Permit<'_> {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let accepted = self.admit(bytes.len());
        match self.rejection() {
            None => Ok(()),
            Some(rejection) => Err(Refusal { accepted, rejection }),
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        self.rejection().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use plimsoll_core::Reason;

    use super::*;

    const REFUSED: Rejection = Rejection::new(Reason::Capacity);

    fn verdict(permit: &mut Permit<'_>, bytes: &[u8]) -> Result<(), usize> {
        permit.inspect(bytes).map_err(|refusal| refusal.accepted)
    }

    #[test]
    fn exactly_what_is_left_passes_and_one_more_does_not() {
        let capacity = Capacity::new(8, 2);
        let mut other = capacity.try_acquire().unwrap();
        assert_eq!(verdict(&mut other, b"abc"), Ok(()));
        let mut permit = capacity.try_acquire().unwrap();
        assert_eq!(verdict(&mut permit, b"hello"), Ok(()));
        assert_eq!(verdict(&mut permit, b""), Ok(()));
        assert_eq!((permit.finish(), permit.used(), capacity.bytes_in_use()), (Ok(()), 5, 8));
        assert_eq!(verdict(&mut permit, b"!"), Err(0));
        assert_eq!((permit.finish(), permit.used(), capacity.bytes_in_use()), (Err(REFUSED), 5, 8));
    }

    #[test]
    fn the_same_bytes_pass_however_they_are_cut_and_whatever_was_reserved() {
        for reserved in 0..=6 {
            for cut in 0..=10 {
                let (head, tail) = b"0123456789".split_at(cut);
                let capacity = Capacity::new(6, 1);
                let mut permit = capacity.try_acquire().unwrap();
                permit.reserve(reserved).unwrap();
                let mut passed = 0;
                for piece in [head, tail] {
                    passed += permit.inspect(piece).map_or_else(|refusal| refusal.accepted, |()| piece.len());
                }
                assert_eq!((passed, permit.used()), (6, 6), "cut at {cut}, {reserved} reserved");
                assert_eq!(permit.finish(), Err(REFUSED));
            }
        }
    }

    #[test]
    fn a_refused_body_stays_refused_when_capacity_comes_back() {
        let capacity = Capacity::new(4, 2);
        let mut other = capacity.try_acquire().unwrap();
        other.reserve(4).unwrap();
        let mut permit = capacity.try_acquire().unwrap();
        assert_eq!(verdict(&mut permit, b"ab"), Err(0));
        drop(other);
        assert_eq!(verdict(&mut permit, b""), Err(0));
        assert_eq!(verdict(&mut permit, b"a"), Err(0));
        assert_eq!((permit.admit(1), permit.reserve(0)), (0, Err(REFUSED)));
        assert_eq!(capacity.bytes_in_use(), 0);
    }

    #[test]
    fn a_reservation_is_all_or_nothing_and_may_be_tried_again() {
        let capacity = Capacity::new(10, 2);
        let mut other = capacity.try_acquire().unwrap();
        other.reserve(4).unwrap();
        let mut permit = capacity.try_acquire().unwrap();
        assert_eq!((permit.reserve(7), permit.held()), (Err(REFUSED), 0));
        assert_eq!((permit.reserve(6), permit.held(), permit.used()), (Ok(()), 6, 0));
        assert_eq!(permit.reserve(6), Ok(()), "what is spare counts");
        assert_eq!(permit.reserve(7), Err(REFUSED));
        drop(other);
        assert_eq!((permit.reserve(7), permit.held(), permit.rejection()), (Ok(()), 7, None));
        assert_eq!(capacity.bytes_in_use(), 7);
    }

    #[test]
    fn what_is_reserved_is_out_of_reach_of_others_and_is_used_first() {
        let capacity = Capacity::new(10, 2);
        let mut permit = capacity.try_acquire().unwrap();
        permit.reserve(8).unwrap();
        let mut other = capacity.try_acquire().unwrap();
        assert_eq!(other.admit(5), 2);
        assert_eq!((permit.admit(8), permit.used(), permit.held()), (8, 8, 8));
        assert_eq!(permit.admit(1), 0);
        assert_eq!(capacity.bytes_in_use(), 10);
    }

    #[test]
    fn what_nothing_has_passed_for_can_be_given_back() {
        let capacity = Capacity::new(10, 1);
        let mut permit = capacity.try_acquire().unwrap();
        permit.reserve(9).unwrap();
        assert_eq!(permit.admit(4), 4);
        permit.shrink_to_fit();
        assert_eq!((permit.used(), permit.held(), capacity.bytes_in_use()), (4, 4, 4));
        permit.shrink_to_fit();
        assert_eq!((permit.admit(6), permit.held(), capacity.bytes_in_use()), (6, 10, 10));
        drop(permit);
        assert_eq!((capacity.bytes_in_use(), capacity.bytes_peak()), (0, 10));
    }

    #[test]
    fn zero_means_nothing() {
        let capacity = Capacity::new(0, 1);
        let mut permit = capacity.try_acquire().unwrap();
        assert_eq!((verdict(&mut permit, b""), permit.reserve(0), permit.finish()), (Ok(()), Ok(()), Ok(())));
        assert_eq!(permit.reserve(1), Err(REFUSED));
        assert_eq!(verdict(&mut permit, b"x"), Err(0));
    }

    #[test]
    fn the_largest_wishes_do_not_overflow() {
        let capacity = Capacity::new(usize::MAX, 1);
        let mut permit = capacity.try_acquire().unwrap();
        assert_eq!(permit.admit(3), 3);
        assert_eq!(permit.reserve(usize::MAX), Err(REFUSED));
        permit.reserve(2).unwrap();
        assert_eq!(permit.admit(usize::MAX), usize::MAX - 3);
        assert_eq!((permit.used(), permit.rejection()), (usize::MAX, Some(REFUSED)));
        drop(permit);
        assert_eq!(capacity.bytes_in_use(), 0);
    }

    #[test]
    fn in_a_tuple_it_takes_for_what_those_before_it_accepted() {
        let capacity = Capacity::new(10, 1);
        let mut both = (crate::Meter::decoded(3), capacity.try_acquire().unwrap());
        let refusal = both.inspect(b"abcde").unwrap_err();
        assert_eq!((refusal.accepted, refusal.rejection.reason()), (3, Reason::DecodedLimit));
        assert_eq!(capacity.bytes_in_use(), 3);
        drop(both);
        let mut both = (crate::Meter::decoded(30), capacity.try_acquire().unwrap());
        let refusal = both.inspect(b"0123456789ab").unwrap_err();
        assert_eq!((refusal.accepted, refusal.rejection), (10, REFUSED));
        assert_eq!(both.finish(), Err(REFUSED));
    }

    #[test]
    #[allow(clippy::mem_forget, reason = "this is what happens then")]
    fn a_forgotten_permit_keeps_its_share_and_no_limit_is_passed() {
        let capacity = Capacity::new(10, 2);
        let mut forgotten = capacity.try_acquire().unwrap();
        forgotten.reserve(7).unwrap();
        core::mem::forget(forgotten);
        let mut permit = capacity.try_acquire().unwrap();
        assert_eq!(permit.admit(10), 3);
        assert!(capacity.try_acquire().is_err());
        drop(permit);
        assert_eq!((capacity.bytes_in_use(), capacity.places_in_use()), (7, 1));
    }
}
