//! Futures that are dropped for good at each of their awaits: the source is cancelled once, the sink is told to discard
//! once, and what was taken of a shared capacity comes back.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use plimsoll::budget::Capacity;
use plimsoll::{
    AsyncSource, BufReadSource, Decode, DefaultEngine, Ingest, Inspect, NoClock, Pace, ReadSource, Reader,
    Reason, Ring, Sink, Slice, Transfer, Watch, read_async,
};
use plimsoll_tests_drivers::executor::poll;
use plimsoll_tests_drivers::script::{Event, Script};
use plimsoll_tests_faults::bodies::{self, POLICY};
use plimsoll_tests_faults::failing::{Failing, Told};

/// Not ready once before every byte, so that there are as many awaits as bytes, and one for the end.
fn script(sent: &[u8]) -> Script {
    Script::new(sent, 50, (0..=sent.len()).map(|at| (at, Event::Pend)))
}

fn watch() -> Watch<NoClock> {
    Watch::new(Pace::within(1), NoClock)
}

/// Polls so often and no more.
fn give_up<D: Decode, I: Inspect, K: Sink, S: AsyncSource>(
    machine: Ingest<D, I, K>,
    source: S,
    polls: usize,
    kept: bool,
) {
    if !kept {
        assert!(poll(read_async(machine, source, watch()), polls).is_none());
        return;
    }
    let mut transfer = Transfer::new(machine, source, watch());
    assert!(poll(transfer.read_async(), polls).is_none());
    let Ok(outcome) = transfer.finish() else { panic!("nothing was committed") };
    assert_eq!(outcome.rejection().unwrap().reason(), Reason::Cancelled);
}

#[test]
fn a_driver_s_future_that_is_dropped_at_any_await_gives_everything_back() {
    for body in bodies::each(200) {
        let awaits = body.sent.len() + 1;
        for polls in 1..=awaits {
            for (copying, kept) in [(false, false), (true, false), (false, true), (true, true)] {
                let (mut engine, mut window) = (DefaultEngine::new(), [0; 512]);
                let (mut memory, mut buffer) = ([0; 1024], [0; 64]);
                let (told, capacity) = (Told::default(), Capacity::new(1024, 1));
                let mut sink = Slice::new(&mut memory);
                let permit = capacity.try_acquire().unwrap();
                let script = script(&body.sent);
                let log = script.log();
                let inner = Failing::new(&mut sink, &told, u64::MAX);
                let ring = Ring::new(&mut window);
                let machine = Ingest::ring(&body.head, &POLICY, &mut engine, ring, permit, inner);
                let context = format!("{} dropped after {polls}, {copying}, {kept}", body.name);
                // As the future of the whole, and as one of a transfer that is given up behind it.
                if copying {
                    let copier = ReadSource::new(script, &mut buffer, Script::cancel);
                    give_up(machine, copier, polls, kept);
                } else {
                    let lender = BufReadSource::new(script, Script::cancel);
                    give_up(machine, lender, polls, kept);
                }
                assert_eq!((log.cancels(), log.late()), (1, 0), "{context}");
                assert_eq!(
                    (told.commits.get(), told.discards.get(), told.late.get()),
                    (0, 1, false),
                    "{context}"
                );
                assert_eq!((capacity.bytes_in_use(), capacity.places_in_use()), (0, 0), "{context}");
                assert_eq!(sink.body(), None, "{context}");
            }
        }
    }
}

#[test]
fn a_reader_that_is_dropped_at_any_await_gives_everything_back() {
    for body in bodies::each(200) {
        for polls in 1..=body.sent.len() + 1 {
            let (mut engine, mut window) = (DefaultEngine::new(), [0; 512]);
            let capacity = Capacity::new(1024, 1);
            let permit = capacity.try_acquire().unwrap();
            let script = script(&body.sent);
            let log = script.log();
            let ring = Ring::new(&mut window);
            let machine = Ingest::ring(&body.head, &POLICY, &mut engine, ring, permit, ());
            let mut reader = Reader::new(machine, BufReadSource::new(script, Script::cancel), watch());
            let (mut taken, mut pending) = (0, 0);
            while pending < polls {
                match poll(reader.fill_async(), 1) {
                    None => pending += 1,
                    Some(lent) => {
                        let count = lent.unwrap().len();
                        assert!(count > 0, "it ends behind all awaits only");
                        taken += count;
                        reader.consume(count);
                    }
                }
            }
            assert_eq!(capacity.bytes_in_use(), taken, "what has passed stays taken");
            drop(reader);
            assert_eq!((log.cancels(), log.late()), (1, 0), "{} dropped after {polls}", body.name);
            assert_eq!((capacity.bytes_in_use(), capacity.places_in_use()), (0, 0));
        }
    }
}
