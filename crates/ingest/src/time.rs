//! How long a body may take: a total deadline and a least rate, in whole milliseconds, against a clock of the
//! caller's.
//!
//! Time is the sum of what passed between two looks at the clock, so a wrong clock does no harm: one that stands
//! still adds nothing, a step back adds nothing, and the wrap of a 32-bit counter adds what really passed. A
//! [`Watch`] keeps 56 bytes besides its clock and its timer.

use core::future::{Pending, pending};

use plimsoll_core::{Reason, Rejection};

/// A clock.
///
/// Every closure that returns a `u32` is one:
///
/// ```
/// use plimsoll::Clock;
///
/// let mut ticks = 0_u32; // on a device: a hardware counter, or `|| embassy_time::Instant::now().as_millis() as u32`
/// let mut clock = || {
///     ticks += 5;
///     ticks
/// };
/// assert_eq!(Clock::now(&mut clock), 5);
/// ```
pub trait Clock {
    /// Milliseconds since any fixed moment, modulo 2^32.
    ///
    /// Two looks must not lie more than 2^31 milliseconds (24 days) apart: what seems longer is taken for a
    /// step back and counts as nothing.
    fn now(&mut self) -> u32;
}

impl<F: FnMut() -> u32> Clock for F {
    fn now(&mut self) -> u32 {
        self()
    }
}

/// No clock at all: for a device without one, or where a timer alone keeps the deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn now(&mut self) -> u32 {
        0
    }
}

/// The monotonic clock of a host.
#[cfg(feature = "std")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StdClock(std::time::Instant);

#[cfg(feature = "std")]
impl StdClock {
    /// A clock that begins now.
    #[must_use]
    pub fn new() -> Self {
        Self(std::time::Instant::now())
    }
}

#[cfg(feature = "std")]
impl Default for StdClock {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(feature = "std")]
impl Clock for StdClock {
    fn now(&mut self) -> u32 {
        // The remainder fits, so the fallback is never taken.
        u32::try_from(self.0.elapsed().as_millis() % (1 << 32)).unwrap_or(0)
    }
}

/// How slow a body may be.
///
/// ```
/// use plimsoll::Pace;
///
/// // Ten seconds in all, and at least 256 bytes in every second spent waiting for the peer.
/// const PACE: Pace = Pace::within(10_000).at_least(256, 1_000);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Pace {
    /// The most milliseconds from the start of the [`Watch`] to the end of the body. One more is `deadline`.
    pub deadline: u64,
    /// The least rate at which encoded bytes must arrive.
    pub least: Rate,
}

/// A rate: so many bytes in every window of so many milliseconds.
///
/// Only time spent waiting for the source counts, so a slow sink of one's own is not held against the peer. A wait
/// that ends because its future was dropped counts up to there.
/// Windows follow each other; what arrives in one beyond its share is not saved for the next, and the last one,
/// which the end of the body cuts short, is not judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Rate {
    /// Encoded bytes that must arrive in each window. One less is `too_slow`; with 0, every rate will do.
    pub bytes: u64,
    /// Length of a window in milliseconds. With 0, nothing may be waited for.
    pub window: u64,
}

impl Pace {
    /// A deadline of so many milliseconds, and no least rate.
    #[must_use]
    pub const fn within(deadline: u64) -> Self {
        Self { deadline, least: Rate { bytes: 0, window: 0 } }
    }

    /// The same with at least `bytes` encoded bytes in every `window` milliseconds of waiting.
    #[must_use]
    pub const fn at_least(self, bytes: u64, window: u64) -> Self {
        Self { least: Rate { bytes, window }, ..self }
    }
}

/// Watches the time of one body.
///
/// The clock is looked at before and after each piece. That bounds a peer that is slow, but not one that sends
/// nothing while a blocking read waits: give the source a timeout of its own there. An asynchronous driver also
/// races the source against the `T` of [`with_timer`](Self::with_timer), so that silence is cut short as well.
#[derive(Debug)]
pub struct Watch<C, T = Pending<()>> {
    pace: Pace,
    clock: C,
    pub(crate) timer: T,
    /// The latest reading of the clock.
    last: u32,
    /// Milliseconds since the start.
    elapsed: u64,
    /// Milliseconds spent waiting in the current window.
    waited: u64,
    /// Encoded bytes that arrived in the current window.
    arrived: u64,
}

impl<C: Clock> Watch<C> {
    /// A watch that starts now.
    #[must_use]
    pub fn new(pace: Pace, mut clock: C) -> Self {
        let last = clock.now();
        Self { pace, clock, timer: pending(), last, elapsed: 0, waited: 0, arrived: 0 }
    }
}

impl<C, T> Watch<C, T> {
    /// The same with a timer that is due at the deadline, such as `embassy_time::Timer::after_millis` or
    /// `core::pin::pin!` of any other future. When it is ready, the body is refused with `deadline`.
    ///
    /// Blocking drivers do not look at it.
    #[must_use]
    pub fn with_timer<U: Future<Output = ()> + Unpin>(self, timer: U) -> Watch<C, U> {
        let Self { pace, clock, timer: _, last, elapsed, waited, arrived } = self;
        Watch { pace, clock, timer, last, elapsed, waited, arrived }
    }

    /// Milliseconds between the start and the latest look at the clock.
    #[must_use]
    pub const fn elapsed(&self) -> u64 {
        self.elapsed
    }

    /// The refusal of a body that is not whole at the deadline.
    #[must_use]
    pub const fn late(&self) -> Rejection {
        Rejection::limit_exceeded(Reason::Deadline, self.pace.deadline)
    }
}

impl<C: Clock, T> Watch<C, T> {
    /// Looks at the clock and says how many milliseconds have passed since the look before.
    fn look(&mut self) -> u64 {
        let now = self.clock.now();
        let passed = now.wrapping_sub(self.last);
        self.last = now;
        // More than half of the range is a step back.
        let passed = if passed > u32::MAX >> 1 { 0 } else { u64::from(passed) };
        self.elapsed = self.elapsed.saturating_add(passed);
        passed
    }

    /// To be called before the source is asked: what passed until here was not spent waiting for it.
    pub(crate) fn before(&mut self) {
        self.look();
    }

    /// To be called when the source has answered, before its bytes count. `at` is the encoded offset that was
    /// waited for.
    pub(crate) fn after(&mut self, at: u64) -> Result<(), Rejection> {
        let passed = self.look();
        if self.elapsed > self.pace.deadline {
            return Err(self.late());
        }
        let Rate { bytes, window } = self.pace.least;
        if bytes == 0 {
            return Ok(());
        }
        self.waited = self.waited.saturating_add(passed);
        if let Some(over @ 1..) = self.waited.checked_sub(window) {
            // A second window that has passed as well has brought nothing.
            if self.arrived < bytes || over > window {
                return Err(Rejection::fault(Reason::TooSlow, at));
            }
            self.waited = over;
            self.arrived = 0;
        }
        Ok(())
    }

    /// To be called when the wait begins that [`after`](Self::after) ends.
    pub(crate) fn wait(&mut self) -> Wait<'_, C, T> {
        Wait { watch: self, answered: false }
    }

    /// Counts bytes that have arrived.
    pub(crate) const fn count(&mut self, bytes: u64) {
        self.arrived = self.arrived.saturating_add(bytes);
    }
}

/// A wait for a source, in a future that may be dropped: what passed until then was spent waiting all the same.
/// Otherwise a peer could be as slow as it likes with a caller who gives the future up again and again.
pub(crate) struct Wait<'w, C: Clock, T> {
    watch: &'w mut Watch<C, T>,
    answered: bool,
}

impl<C: Clock, T> Wait<'_, C, T> {
    pub(crate) const fn timer(&mut self) -> &mut T {
        &mut self.watch.timer
    }

    /// The source has answered, or the timer was due.
    pub(crate) fn over(mut self) {
        self.answered = true;
    }
}

impl<C: Clock, T> Drop for Wait<'_, C, T> {
    fn drop(&mut self) {
        if !self.answered {
            let passed = self.watch.look();
            self.watch.waited = self.watch.waited.saturating_add(passed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each step: the clock before the source is asked, the clock when it answers, the bytes it brings. The
    /// clock stands at the first number when the watch starts.
    fn run(pace: Pace, start: u32, steps: &[(u32, u32, u64)]) -> Result<u64, (usize, Reason)> {
        let readings = core::iter::once(start).chain(steps.iter().flat_map(|step| [step.0, step.1]));
        let mut readings = readings;
        let mut watch = Watch::new(pace, || readings.next().unwrap());
        for (index, &(_, _, bytes)) in steps.iter().enumerate() {
            watch.before();
            watch.after(0).map_err(|rejection| (index, rejection.reason()))?;
            watch.count(bytes);
        }
        Ok(watch.elapsed())
    }

    #[test]
    fn exactly_the_deadline_is_in_time_and_one_more_is_not() {
        let pace = Pace::within(100);
        assert_eq!(run(pace, 7, &[(17, 57, 1), (57, 107, 0)]), Ok(100));
        assert_eq!(run(pace, 7, &[(17, 57, 1), (57, 108, 0)]), Err((1, Reason::Deadline)));
        assert_eq!(run(Pace::within(0), 7, &[(7, 7, 1)]), Ok(0));
        assert_eq!(run(Pace::within(0), 7, &[(7, 8, 1)]), Err((0, Reason::Deadline)));
    }

    #[test]
    fn the_refusal_names_the_deadline_and_its_unit() {
        let rejection = Watch::new(Pace::within(250), NoClock).late();
        assert_eq!(rejection.limit().map(|limit| (limit.value, limit.unit.as_str())), Some((250, "ms")));
    }

    #[test]
    fn a_clock_that_wraps_counts_what_passed() {
        let start = u32::MAX - 9;
        assert_eq!(run(Pace::within(100), start, &[(start, 40, 1)]), Ok(50));
        assert_eq!(run(Pace::within(49), start, &[(start, 40, 1)]), Err((0, Reason::Deadline)));
    }

    #[test]
    fn a_clock_that_steps_back_or_stands_still_counts_nothing_and_goes_on() {
        assert_eq!(run(Pace::within(100), 1000, &[(400, 400, 1), (400, 450, 1)]), Ok(50));
        assert_eq!(run(Pace::within(100), 1000, &[(1050, 20, 1), (20, 70, 1)]), Ok(100));
        assert_eq!(run(Pace::within(0), 5, &[(5, 5, 1), (5, 5, 1)]), Ok(0));
        let slow = Pace::within(1_000).at_least(100, 10);
        assert_eq!(run(slow, 500, &[(500, 400, 0), (300, 200, 0), (200, 200, 0)]), Ok(0));
    }

    #[test]
    fn half_of_the_range_is_a_step_ahead_and_one_more_is_a_step_back() {
        let half = u32::MAX >> 1;
        assert_eq!(run(Pace::within(u64::MAX), 9, &[(9, 9 + half, 1)]), Ok(u64::from(half)));
        assert_eq!(run(Pace::within(u64::MAX), 9, &[(9, 9 + half + 1, 1)]), Ok(0));
    }

    #[test]
    #[cfg(feature = "std")]
    fn the_standard_clock_counts_milliseconds() {
        extern crate std;
        let mut clock = StdClock::default();
        let before = clock.now();
        std::thread::sleep(core::time::Duration::from_millis(20));
        assert!(clock.now() >= before + 20);
    }

    #[test]
    fn each_window_needs_its_bytes_and_none_are_saved() {
        let pace = Pace::within(1_000_000).at_least(10, 100);
        // At 100 the window is still open; its tenth byte comes in time.
        assert_eq!(run(pace, 0, &[(0, 50, 9), (50, 100, 1), (100, 150, 0)]), Ok(150));
        assert_eq!(run(pace, 0, &[(0, 50, 9), (50, 101, 1)]), Err((1, Reason::TooSlow)));
        // A thousand bytes in the first window do not pay for the second.
        assert_eq!(run(pace, 0, &[(0, 50, 1000), (50, 150, 9), (150, 201, 1)]), Err((2, Reason::TooSlow)));
        // A whole window without a byte, behind one that had enough.
        assert_eq!(run(pace, 0, &[(0, 50, 10), (50, 200, 10)]), Ok(200));
        assert_eq!(run(pace, 0, &[(0, 50, 10), (50, 201, 10)]), Err((1, Reason::TooSlow)));
    }

    #[test]
    fn time_that_the_sink_takes_counts_for_the_deadline_only() {
        let pace = Pace::within(1_000).at_least(10, 100);
        assert_eq!(run(pace, 0, &[(0, 50, 1), (550, 560, 1), (960, 1000, 1)]), Ok(1000));
        assert_eq!(run(pace, 0, &[(0, 50, 1), (550, 560, 1), (960, 1001, 1)]), Err((2, Reason::Deadline)));
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        let mut watch = Watch::new(Pace::within(u64::MAX).at_least(u64::MAX, u64::MAX), NoClock);
        watch.elapsed = u64::MAX;
        watch.waited = u64::MAX;
        watch.count(u64::MAX);
        watch.count(u64::MAX);
        assert_eq!(watch.after(0), Ok(()));
        let mut watch = Watch::new(Pace::within(5).at_least(1, 0), NoClock);
        assert_eq!(watch.after(0), Ok(()));
    }
}
