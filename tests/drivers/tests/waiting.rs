//! The asynchronous driver: futures that are dropped at each await, silence, and the timer.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use std::cell::Cell;
use std::future::{Future, Ready, pending, poll_fn, ready};
use std::pin::pin;
use std::task::Poll;

use plimsoll::{
    AsyncSource, BufReadSource, Coding, DefaultEngine, Head, Ingest, Limits, NoClock, Outcome, Pace, Policy,
    ReadSource, Reader, Reason, Rejection, Ring, Slice, Transfer, Verdict, Watch, read_async,
};
use plimsoll_tests_drivers::body::{self, Body};
use plimsoll_tests_drivers::executor::{poll, run};
use plimsoll_tests_drivers::script::{Event, Script};

fn watch() -> Watch<NoClock> {
    Watch::new(Pace::within(1_000), NoClock)
}

/// Drives a source with futures that are dropped after `polls` polls each, however often that takes.
fn drive<T: Future<Output = ()> + Unpin>(
    head: &Head,
    policy: &Policy,
    source: impl AsyncSource,
    watch: Watch<NoClock, T>,
    polls: usize,
) -> (Outcome, Option<Vec<u8>>, usize) {
    let (mut engine, mut window) = (DefaultEngine::new(), [0xEE; 1024]);
    let mut memory = vec![0xEE; 70_000];
    let mut sink = Slice::new(&mut memory);
    let machine = Ingest::ring(head, policy, &mut engine, Ring::new(&mut window), (), &mut sink);
    let mut transfer = Transfer::new(machine, source, watch);
    let mut dropped = 0;
    while poll(transfer.read_async(), polls).is_none() {
        dropped += 1;
        assert!(dropped < 100_000, "no progress");
    }
    let Ok(outcome) = transfer.finish();
    assert_eq!(outcome.is_complete(), sink.body().is_some());
    (outcome, sink.into_body().map(|body| body.to_vec()), dropped)
}

fn reason(outcome: &Outcome) -> Option<Reason> {
    outcome.rejection().map(|rejection| rejection.reason())
}

#[test]
fn a_future_that_is_dropped_at_each_await_loses_nothing() {
    for Body { name, head, sent, text } in body::each(700) {
        let pends = || (0..=sent.len()).flat_map(|at| [(at, Event::Pend), (at, Event::Pend)]);
        let mut buffer = [0; 64];
        let sources = [1, 2, 3].map(|polls| (polls, Script::new(&sent, 64, pends())));
        for (polls, script) in sources {
            let log = script.log();
            let source = ReadSource::new(script, &mut buffer, Script::cancel);
            let (outcome, body, dropped) = drive(&head, &body::policy(), source, watch(), polls);
            assert_eq!((outcome.verdict, outcome.cancelled), (Verdict::Complete, false), "{name}");
            assert!(body.as_deref() == Some(&text[..]), "{name} with {polls} polls");
            // Each byte, and the end, is waited for twice.
            if polls == 1 {
                assert_eq!(dropped, 2 * (sent.len() + 1));
            }
            assert!(dropped > 0);
            assert_eq!((log.cancels(), log.read()), (0, sent.len()));

            let script = Script::new(&sent, 64, pends());
            let log = script.log();
            let source = BufReadSource::new(script, Script::cancel);
            let (outcome, body, _) = drive(&head, &body::policy(), source, watch(), polls);
            assert_eq!((outcome.verdict, outcome.cancelled), (Verdict::Complete, false), "{name}");
            assert!(body.as_deref() == Some(&text[..]), "{name} with {polls} polls");
            assert_eq!((log.cancels(), log.consumed()), (0, sent.len()));
        }
    }
}

#[test]
fn interruptions_and_failures_at_any_byte_are_those_of_the_blocking_driver() {
    for Body { name, head, sent, text } in body::each(300) {
        let interrupts = (0..=sent.len()).flat_map(|at| [(at, Event::Pend), (at, Event::Interrupt)]);
        let source = BufReadSource::new(Script::new(&sent, 64, interrupts), Script::cancel);
        let (outcome, body, _) = drive(&head, &body::policy(), source, watch(), 1);
        assert!(outcome.is_complete() && body.as_deref() == Some(&text[..]), "{name}");
        for at in 0..=sent.len() {
            let script = Script::new(&sent, 64, [(at, Event::Pend), (at, Event::Fail)]);
            let log = script.log();
            let source = BufReadSource::new(script, Script::cancel);
            let (outcome, body, _) = drive(&head, &body::policy(), source, watch(), 1);
            assert_eq!(outcome.rejection(), Some(Rejection::fault(Reason::SourceError, at as u64)));
            assert_eq!((outcome.cancelled, body), (true, None));
            assert_eq!((log.cancels(), log.late(), log.consumed()), (1, 0, at));
        }
    }
}

#[test]
fn a_future_that_owns_its_source_cancels_it_once_when_it_is_dropped() {
    for Body { head, sent, .. } in body::each(100) {
        for at in [0, 10, 50] {
            let (mut engine, mut window, mut memory) = (DefaultEngine::new(), [0; 1024], [0; 200]);
            let mut sink = Slice::new(&mut memory);
            let policy = body::policy();
            let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), &mut sink);
            let script = Script::new(&sent, 7, [(at, Event::Stall)]);
            let log = script.log();
            let source = BufReadSource::new(script, Script::cancel);
            assert!(poll(read_async(machine, source, watch()), 5).is_none());
            assert_eq!((log.cancels(), log.late(), log.consumed()), (1, 0, at));
            assert_eq!(sink.body(), None);
        }
    }
}

/// A timer that is due at the poll of this number, and must not be polled after it.
fn at_poll(number: usize) -> impl Future<Output = ()> {
    let mut polls = 0;
    poll_fn(move |context| {
        polls += 1;
        assert!(polls <= number, "a timer that was due was polled again");
        context.waker().wake_by_ref();
        if polls == number { Poll::Ready(()) } else { Poll::Pending }
    })
}

#[test]
fn a_peer_that_sends_nothing_is_cancelled_when_the_timer_is_due() {
    let deadline = Rejection::limit_exceeded(Reason::Deadline, 1_000);
    for Body { name, head, sent, .. } in body::each(300) {
        // Before the first byte, after half, and with everything but the end.
        for at in [0, sent.len() / 2, sent.len()] {
            for polls in [1, usize::MAX] {
                let script = Script::new(&sent, 64, [(at, Event::Stall)]);
                let log = script.log();
                let source = BufReadSource::new(script, Script::cancel);
                let timer = pin!(at_poll(40));
                let (outcome, body, dropped) =
                    drive(&head, &body::policy(), source, watch().with_timer(timer), polls);
                assert_eq!(outcome.rejection(), Some(deadline), "{name} silent at {at}");
                assert_eq!((outcome.cancelled, outcome.encoded_bytes, body), (true, at as u64, None));
                assert_eq!((log.cancels(), log.late()), (1, 0), "{name} silent at {at}");
                assert_eq!(dropped == 0, polls > 1, "the timer goes on where a future was dropped");
            }
        }
    }
}

#[test]
fn a_source_that_always_has_something_does_not_hold_the_timer_back() {
    let text = body::text(1_000);
    let script = Script::new(&text, 1, []);
    let log = script.log();
    let source = BufReadSource::new(script, Script::cancel);
    let timer = pin!(at_poll(101));
    let head = Head::new(Coding::Identity);
    let (outcome, ..) = drive(&head, &body::policy(), source, watch().with_timer(timer), 1);
    assert_eq!((reason(&outcome), outcome.cancelled), (Some(Reason::Deadline), true));
    assert_eq!((outcome.encoded_bytes, log.cancels(), log.consumed()), (100, 1, 100));
}

#[test]
fn a_timer_that_is_not_due_changes_nothing() {
    for Body { head, sent, text, .. } in body::each(300) {
        let timer = pin!(pending::<()>());
        let source = BufReadSource::new(Script::new(&sent, 64, []), Script::cancel);
        let (outcome, body, _) = drive(&head, &body::policy(), source, watch().with_timer(timer), 1);
        assert!(outcome.is_complete() && body.as_deref() == Some(&text[..]));
    }
}

#[test]
fn a_refusal_cancels_once_and_reads_no_further() {
    let text = body::text(60_000);
    for (head, sent) in [(Coding::Identity, text.clone()), (Coding::Gzip, body::gzip(&text))] {
        let policy = Policy::strict(Limits { decoded: 777, ..Limits::GATEWAY });
        let script = Script::new(&sent, 40, (0..2_000).map(|at| (at, Event::Pend)));
        let log = script.log();
        let source = BufReadSource::new(script, Script::cancel);
        let (outcome, ..) = drive(&Head::new(head), &policy, source, watch(), 1);
        assert_eq!((reason(&outcome), outcome.cancelled), (Some(Reason::DecodedLimit), true));
        assert_eq!((log.cancels(), log.late(), log.consumed() as u64), (1, 0, outcome.encoded_bytes));
        assert!(log.consumed() < sent.len() / 2);
    }
}

#[test]
fn a_machine_that_has_refused_does_not_wait_at_all() {
    let head = Head::new(Coding::Identity).with_length(100);
    let policy = Policy::strict(Limits { encoded: 99, ..Limits::GATEWAY });
    let script = Script::new(&[b'x'; 100], 10, [(0, Event::Stall)]);
    let log = script.log();
    let timer: Ready<()> = ready(());
    let source = BufReadSource::new(script, Script::cancel);
    let (outcome, ..) = drive(&head, &policy, source, watch().with_timer(timer), 1);
    assert_eq!((reason(&outcome), outcome.cancelled), (Some(Reason::DeclaredLength), true));
    assert_eq!((log.cancels(), log.reads()), (1, 0));
}

#[test]
fn the_clock_of_an_asynchronous_driver_is_looked_at_as_well() {
    let now = Cell::new(0_u32);
    let head = Head::new(Coding::Identity);
    let (policy, mut engine, mut window) = (body::policy(), DefaultEngine::new(), [0; 1024]);
    let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
    let watch = Watch::new(Pace::within(10_000).at_least(8, 10), || {
        now.set(now.get() + 1);
        now.get()
    });
    // A byte takes one millisecond of waiting, so eight come in eight; the eleventh is over the window of ten.
    let Ok(outcome) =
        run(read_async(machine, BufReadSource::new(Script::new(&[b'x'; 99], 1, []), Script::cancel), watch));
    assert!(outcome.is_complete(), "{outcome:?}");

    let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
    let watch = Watch::new(Pace::within(10_000).at_least(11, 10), || {
        now.set(now.get() + 1);
        now.get()
    });
    let Ok(outcome) =
        run(read_async(machine, BufReadSource::new(Script::new(&[b'x'; 99], 1, []), Script::cancel), watch));
    assert_eq!((reason(&outcome), outcome.cancelled), (Some(Reason::TooSlow), true));
    assert_eq!(outcome.rejection().and_then(|rejection| rejection.at()), Some(10));
}

/// Bytes that come one by one, each after so many polls: a millisecond passes with each poll, and `own_time` with
/// whatever the caller does between the futures, which are dropped after one poll each.
fn drip(own_time: u32, polls_for_a_byte: usize, pulled: bool) -> Outcome {
    let now = Cell::new(0_u32);
    let (head, policy) = (Head::new(Coding::Identity), body::policy());
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
    let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
    let events = (0..60).flat_map(|at| std::iter::repeat_n((at, Event::Pend), polls_for_a_byte));
    let source = BufReadSource::new(Script::new(&[b'x'; 60], 1, events), Script::cancel);
    let watch = Watch::new(Pace::within(1_000_000).at_least(10, 100), || now.get());
    if pulled {
        let mut reader = Reader::new(machine, source, watch);
        loop {
            match once(reader.fill_async(), &now) {
                Some(Ok([]) | Err(_)) => return reader.finish(),
                Some(Ok(_)) => reader.consume(1),
                None => now.set(now.get() + own_time),
            }
        }
    }
    let mut transfer = Transfer::new(machine, source, watch);
    while once(transfer.read_async(), &now).is_none() {
        now.set(now.get() + own_time);
    }
    let Ok(outcome) = transfer.finish();
    outcome
}

/// Polls once, which takes a millisecond, and drops the future.
fn once<F: Future>(future: F, now: &Cell<u32>) -> Option<F::Output> {
    let mut future = pin!(future);
    let a_millisecond_each = poll_fn(|context| {
        let polled = future.as_mut().poll(context);
        now.set(now.get() + 1);
        polled
    });
    poll(a_millisecond_each, 1)
}

#[test]
fn a_drip_is_too_slow_also_where_its_future_is_dropped_again_and_again() {
    for pulled in [false, true] {
        // 10 bytes in 100 ms of waiting are asked for.
        assert!(drip(0, 9, pulled).is_complete());
        let outcome = drip(0, 20, pulled);
        assert_eq!((reason(&outcome), outcome.cancelled), (Some(Reason::TooSlow), true));
        // What the caller does between the futures is not held against the peer.
        assert!(drip(500, 9, pulled).is_complete());
    }
}
