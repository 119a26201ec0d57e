//! Every driver and reader with a clock that stands still, steps back, wraps, or does all of that at random.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use plimsoll::{DefaultEngine, Ingest, Outcome, Pace, ReadError, Reason, Rejection, Ring, Watch};
use plimsoll_tests_drivers::script::Script;
use plimsoll_tests_faults::bodies::{self, POLICY};
use plimsoll_tests_faults::drive::{Driver, drive};
use plimsoll_tests_faults::pull::{Form, pull};

/// The drivers that have a clock.
fn drivers() -> impl Iterator<Item = Driver> {
    Driver::ALL.into_iter().filter(|&driver| driver != Driver::Push)
}

/// Takes a body in with a clock that shows these readings, the last one for ever.
fn by_driver(driver: Driver, pace: Pace, readings: &[u32]) -> Outcome {
    let [body, ..] = bodies::each(500);
    let (mut engine, mut window, mut at) = (DefaultEngine::new(), [0; 512], 0);
    let clock = || {
        at += 1;
        readings[at.min(readings.len()) - 1]
    };
    let machine = Ingest::ring(&body.head, &POLICY, &mut engine, Ring::new(&mut window), (), ());
    let script = Script::new(&body.sent, 10, []);
    let log = script.log();
    let Ok(outcome) = drive(driver, machine, script, Watch::new(pace, clock));
    assert_eq!((log.cancels(), log.late()), (usize::from(outcome.cancelled), 0));
    assert_eq!(outcome.cancelled, !outcome.is_complete());
    outcome
}

fn by_reader(form: Form, pace: Pace, readings: &[u32]) -> Outcome {
    let [body, ..] = bodies::each(500);
    let (mut engine, mut window, mut at) = (DefaultEngine::new(), [0; 512], 0);
    let clock = || {
        at += 1;
        readings[at.min(readings.len()) - 1]
    };
    let machine = Ingest::ring(&body.head, &POLICY, &mut engine, Ring::new(&mut window), (), ());
    let pulled = pull(form, true, machine, Script::new(&body.sent, 10, []), Watch::new(pace, clock));
    assert_eq!(pulled.end, pulled.outcome.rejection().map_or(Ok(()), |why| Err(ReadError::Rejected(why))));
    pulled.outcome
}

fn all(pace: Pace, readings: &[u32], check: impl Fn(&Outcome)) {
    for driver in drivers() {
        check(&by_driver(driver, pace, readings));
    }
    for form in Form::ALL {
        check(&by_reader(form, pace, readings));
    }
}

#[test]
fn a_clock_that_stands_still_steps_back_or_wraps_refuses_nothing() {
    let saw: Vec<u32> = (0..2_000).map(|look| if look % 2 == 0 { u32::MAX } else { 0 }).collect();
    let back: Vec<u32> = (0..2_000).map(|look| 1_000_000 - 500 * look).collect();
    let half: Vec<u32> = (0..2_000).map(|look| (look % 2) << 31).collect();
    for readings in [&[0][..], &[u32::MAX], &[u32::MAX - 20, u32::MAX, 9, 40], &saw, &back, &half] {
        all(Pace::within(1_001).at_least(1, 1_001), readings, |outcome| {
            assert!(outcome.is_complete(), "{:?}: {outcome:?}", &readings[..readings.len().min(5)]);
        });
    }
}

#[test]
fn time_that_passes_over_the_wrap_counts() {
    let readings: Vec<u32> = (0..2_000_u32).map(|look| (u32::MAX - 50).wrapping_add(look * 10)).collect();
    all(Pace::within(200), &readings, |outcome| {
        assert_eq!(outcome.rejection(), Some(Rejection::limit_exceeded(Reason::Deadline, 200)));
    });
}

#[test]
fn a_deadline_of_nothing_lets_no_millisecond_pass_and_the_longest_lets_all() {
    all(Pace::within(0), &[5], |outcome| assert!(outcome.is_complete()));
    all(Pace::within(0), &[5, 5, 6], |outcome| {
        assert_eq!(outcome.rejection(), Some(Rejection::limit_exceeded(Reason::Deadline, 0)));
    });
    let leaps: Vec<u32> = (0..2_000_u32).map(|look| look.wrapping_mul(u32::MAX >> 1)).collect();
    all(Pace::within(u64::MAX), &leaps, |outcome| assert!(outcome.is_complete()));
    // The greatest window is never over, and none of no length can be waited for.
    all(Pace::within(u64::MAX).at_least(u64::MAX, u64::MAX), &leaps, |outcome| {
        assert!(outcome.is_complete())
    });
    all(Pace::within(u64::MAX).at_least(1, 0), &[0, 0, 1], |outcome| {
        assert_eq!(outcome.rejection(), Some(Rejection::fault(Reason::TooSlow, 0)));
    });
}

/// Milliseconds by the rule of the documentation: what passed between two looks, and nothing where that is 2^31 or more.
#[test]
fn a_clock_at_random_refuses_exactly_where_the_sum_of_its_steps_is_over_the_deadline() {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..200 {
        let mut now = 0_u32;
        let readings: Vec<u32> = (0..400)
            .map(|_| {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                now = match seed % 8 {
                    0 => now.wrapping_sub((seed >> 40) as u32),
                    1 => (seed >> 32) as u32,
                    _ => now.wrapping_add((seed >> 58) as u32),
                };
                now
            })
            .collect();
        let steps = readings.windows(2).map(|pair| u64::from(pair[1].wrapping_sub(pair[0])));
        let sums: Vec<u64> = steps
            .scan(0, |sum, step| {
                *sum += if step < 1 << 31 { step } else { 0 };
                Some(*sum)
            })
            .collect();
        // A read of ten bytes has a look before it and one behind it; the looks behind decide.
        let [body, ..] = bodies::each(500);
        let reads = body.sent.len().div_ceil(10) + 1;
        for deadline in [sums[20] / 2, sums[40], sums[2 * reads - 1], sums[2 * reads - 1].saturating_sub(1)] {
            let late = (0..reads).find(|read| sums[2 * read + 1] > deadline);
            for driver in drivers() {
                let outcome = by_driver(driver, Pace::within(deadline), &readings);
                let expected = late.map(|_| Rejection::limit_exceeded(Reason::Deadline, deadline));
                assert_eq!(outcome.rejection(), expected, "{driver:?}");
                let bytes = late.map_or(usize::MAX, |read| 10 * read).min(body.sent.len()) as u64;
                assert_eq!(outcome.encoded_bytes, bytes, "{driver:?}");
            }
        }
    }
}
