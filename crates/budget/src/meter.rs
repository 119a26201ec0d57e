//! A meter for bytes.

use plimsoll_core::{Inspect, Reason, Refusal, Rejection};

/// Counts bytes against a limit, over every piece and every member that it is shown.
///
/// Exactly `limit` bytes pass. With one more, [`used`](Self::used) stands at `limit + 1`, however many came in
/// one piece, and everything is refused from then on. A limit of 0 lets nothing pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Meter {
    limit: u64,
    used: u64,
    reason: Reason,
    exceeded: bool,
}

impl Meter {
    /// A meter that answers with `reason`, which should be one that counts bytes.
    #[must_use]
    pub const fn new(reason: Reason, limit: u64) -> Self {
        Self { limit, used: 0, reason, exceeded: false }
    }

    /// A meter for bytes as they were received; refuses with `encoded_limit`.
    #[must_use]
    pub const fn encoded(limit: u64) -> Self {
        Self::new(Reason::EncodedLimit, limit)
    }

    /// A meter for bytes after decoding, over all members; refuses with `decoded_limit`.
    #[must_use]
    pub const fn decoded(limit: u64) -> Self {
        Self::new(Reason::DecodedLimit, limit)
    }

    /// Counts up to `wanted` more bytes and says how many of them are within the limit.
    ///
    /// Where the answer is less than `wanted`, the limit is exceeded: [`rejection`](Self::rejection) says so.
    pub fn admit(&mut self, wanted: usize) -> usize {
        let room = usize::try_from(self.left()).unwrap_or(usize::MAX);
        let admitted = wanted.min(room);
        self.used = self.used.saturating_add(admitted as u64);
        if admitted < wanted {
            self.used = self.limit.saturating_add(1);
            self.exceeded = true;
        }
        admitted
    }

    /// How many bytes may still pass.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }

    /// How many bytes were counted: at most the limit plus 1.
    #[must_use]
    pub const fn used(&self) -> u64 {
        self.used
    }

    /// The most bytes that may pass.
    #[must_use]
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// The refusal, once more than the limit was wanted.
    #[must_use]
    pub const fn rejection(&self) -> Option<Rejection> {
        if self.exceeded { Some(Rejection::limit_exceeded(self.reason, self.limit)) } else { None }
    }
}

impl Inspect for Meter {
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
mod tests {
    use super::*;

    fn verdict(meter: &mut Meter, bytes: &[u8]) -> Result<(), usize> {
        meter.inspect(bytes).map_err(|refusal| refusal.accepted)
    }

    #[test]
    fn exactly_the_limit_passes_and_one_more_does_not() {
        let mut meter = Meter::decoded(5);
        assert_eq!(verdict(&mut meter, b"hello"), Ok(()));
        assert_eq!((meter.finish(), meter.left(), meter.used(), meter.limit()), (Ok(()), 0, 5, 5));
        assert_eq!(verdict(&mut meter, b""), Ok(()));
        assert_eq!(verdict(&mut meter, b"!"), Err(0));
        let expected = Rejection::limit_exceeded(Reason::DecodedLimit, 5);
        assert_eq!((meter.finish(), meter.used()), (Err(expected), 6));
    }

    #[test]
    fn over_the_limit_the_count_stands_at_one_more_however_the_bytes_were_cut() {
        for cut in 0..=10 {
            let (head, tail) = b"0123456789".split_at(cut);
            let mut meter = Meter::encoded(4);
            let first = verdict(&mut meter, head);
            let second = verdict(&mut meter, tail);
            assert!(first.is_err() || second.is_err());
            assert_eq!(meter.used(), 5, "cut at {cut}");
            assert_eq!(meter.rejection().map(|rejection| rejection.reason()), Some(Reason::EncodedLimit));
        }
    }

    #[test]
    fn zero_means_nothing() {
        let mut meter = Meter::decoded(0);
        assert_eq!(verdict(&mut meter, b""), Ok(()));
        assert_eq!(meter.finish(), Ok(()));
        assert_eq!(verdict(&mut meter, b"x"), Err(0));
    }

    #[test]
    fn it_stays_refused_also_for_nothing() {
        let mut meter = Meter::decoded(1);
        assert_eq!(verdict(&mut meter, b"ab"), Err(1));
        assert_eq!(verdict(&mut meter, b""), Err(0));
        assert_eq!(verdict(&mut meter, b"c"), Err(0));
        assert_eq!(meter.used(), 2);
    }

    #[test]
    fn one_meter_serves_several_stages() {
        let mut meter = Meter::decoded(6);
        {
            let mut first = &mut meter;
            assert_eq!(Inspect::inspect(&mut first, b"abcd"), Ok(()));
        }
        let mut second = (&mut meter, ());
        assert_eq!(second.inspect(b"efg").map_err(|refusal| refusal.accepted), Err(2));
    }

    #[test]
    fn the_largest_limit_does_not_overflow() {
        let mut meter = Meter { used: u64::MAX.saturating_sub(2), ..Meter::decoded(u64::MAX) };
        assert_eq!(verdict(&mut meter, b"ab"), Ok(()));
        assert_eq!(verdict(&mut meter, b"c"), Err(0));
        assert_eq!(meter.used(), u64::MAX);
        assert!(meter.finish().is_err());
    }
}
