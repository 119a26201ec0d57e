//! Time in the blocking driver: what comes late is not taken, and a wrong clock does no harm.
#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test fails by a panic")]

use embedded_io::ErrorKind;
use plimsoll::{
    BufReadSource, Coding, DefaultEngine, Head, Ingest, Outcome, Pace, Reason, Rejection, Ring, StdClock,
    Transfer, Watch, read,
};
use plimsoll_tests_drivers::body;
use plimsoll_tests_drivers::script::{Event, Log, Script};

/// Reads a hundred bytes in pieces of ten while the clock shows the `readings`: one at the start, then two for each
/// piece. It stays at the last.
fn drive(pace: Pace, readings: &[u32]) -> (Outcome, Log) {
    let mut rest = readings;
    let clock = move || match rest {
        [last] => *last,
        [next, behind @ ..] => {
            rest = behind;
            *next
        }
        [] => 0,
    };
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
    let (head, policy) = (Head::new(Coding::Identity), body::policy());
    let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
    let script = Script::new(&[b'x'; 100], 10, []);
    let log = script.log();
    let Ok(outcome) = read(machine, BufReadSource::new(script, Script::cancel), Watch::new(pace, clock));
    (outcome, log)
}

#[test]
fn what_comes_after_the_deadline_is_not_taken_and_the_source_is_cancelled() {
    let (outcome, log) = drive(Pace::within(100), &[0, 0, 50, 50, 100, 100, 101]);
    assert_eq!(outcome.rejection(), Some(Rejection::limit_exceeded(Reason::Deadline, 100)));
    assert_eq!((outcome.encoded_bytes, outcome.cancelled, outcome.lower_bound), (20, true, true));
    assert_eq!((log.cancels(), log.late(), log.consumed()), (1, 0, 20));
}

#[test]
fn an_end_that_comes_after_the_deadline_is_too_late() {
    let mut readings = [0; 23];
    readings[22] = 101;
    let (outcome, log) = drive(Pace::within(100), &readings);
    assert_eq!(outcome.rejection().map(|rejection| rejection.reason()), Some(Reason::Deadline));
    assert_eq!((outcome.encoded_bytes, log.cancels()), (100, 1));
    readings[22] = 100;
    assert!(drive(Pace::within(100), &readings).0.is_complete());
}

#[test]
fn a_drip_is_too_slow_and_names_the_byte_that_was_waited_for() {
    let (outcome, log) = drive(Pace::within(100_000).at_least(11, 1_000), &[0, 0, 1_000, 1_000, 1_001]);
    assert_eq!(outcome.rejection(), Some(Rejection::fault(Reason::TooSlow, 10)));
    assert_eq!((outcome.cancelled, log.cancels(), log.late()), (true, 1, 0));
    assert!(drive(Pace::within(100_000).at_least(10, 1_000), &[0, 0, 1_000, 1_000, 2_000]).0.is_complete());
}

#[test]
fn a_clock_that_stands_still_steps_back_or_wraps_refuses_nothing() {
    for readings in [
        &[7][..],
        &[1_000_000, 5, 3, 2, 1, 0],
        &[u32::MAX - 5, u32::MAX, 5, 10],
        &[0, u32::MAX, 0, u32::MAX, 0, u32::MAX],
        &[0, 1 << 31, 0, 1 << 31, 0],
    ] {
        let (outcome, log) = drive(Pace::within(50).at_least(1, 50), readings);
        assert!(outcome.is_complete(), "{readings:?}: {outcome:?}");
        assert_eq!(log.cancels(), 0);
    }
}

#[test]
fn a_read_that_timed_out_after_the_deadline_is_a_deadline() {
    for (last, reason) in [(100, Reason::SourceError), (101, Reason::Deadline)] {
        let mut readings = [0, 0, last].into_iter();
        let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
        let (head, policy) = (Head::new(Coding::Identity), body::policy());
        let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
        let script = Script::new(b"hello", 10, [(0, Event::Fail)]);
        let watch = Watch::new(Pace::within(100), || readings.next().unwrap());
        let mut transfer = Transfer::new(machine, BufReadSource::new(script, Script::cancel), watch);
        let Ok(()) = transfer.read();
        assert_eq!(transfer.source_error(), Some(&ErrorKind::ConnectionReset));
        let Ok(outcome) = transfer.finish();
        assert_eq!(outcome.rejection().map(|rejection| rejection.reason()), Some(reason));
    }
}

#[test]
fn interruptions_without_end_meet_the_deadline() {
    let mut now = 0;
    let clock = || {
        now += 1;
        now
    };
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
    let (head, policy) = (Head::new(Coding::Identity), body::policy());
    let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
    let script = Script::new(b"hello", 10, std::iter::repeat_n((0, Event::Interrupt), 10_000));
    let log = script.log();
    let Ok(outcome) =
        read(machine, BufReadSource::new(script, Script::cancel), Watch::new(Pace::within(500), clock));
    assert_eq!(outcome.rejection().map(|rejection| rejection.reason()), Some(Reason::Deadline));
    assert_eq!((log.cancels(), log.late()), (1, 0));
    assert!(log.reads() < 300);
}

#[test]
fn the_clock_of_a_host_drives_a_body() {
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
    let (head, policy) = (Head::new(Coding::Identity), body::policy());
    let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
    let watch = Watch::new(Pace::within(u64::MAX), StdClock::new());
    let Ok(outcome) = read(machine, &b"hello"[..], watch);
    assert!(outcome.is_complete());
}
