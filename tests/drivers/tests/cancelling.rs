//! A source is cancelled once, however often it is asked for, and a sink is not talked out of what it knows.
#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test fails by a panic")]

use std::cell::Cell;
use std::convert::Infallible;

use plimsoll::{
    BufReadSource, Coding, DefaultEngine, Failure, Head, Ingest, NoClock, Pace, ReadSource, Reason,
    Rejection, Ring, Sink, Slice, Source, Supply, Transfer, Watch,
};
use plimsoll_tests_drivers::body;

#[test]
fn a_source_over_a_reader_calls_its_closure_once() {
    let calls = Cell::new(0);
    let mut buffer = [0; 4];
    let mut source = ReadSource::new(&b"load"[..], &mut buffer, |_: &mut &[u8]| calls.set(calls.get() + 1));
    source.cancel();
    source.cancel();
    assert_eq!(calls.take(), 1);
    let mut source = BufReadSource::new(&b"load"[..], |_: &mut &[u8]| calls.set(calls.get() + 1));
    source.cancel();
    source.cancel();
    assert_eq!(calls.take(), 1);
}

/// Ends at once, and counts how often it is cancelled.
struct Counts<'c>(&'c Cell<usize>);

impl Supply for Counts<'_> {
    type Error = Infallible;
    fn cancel(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

impl Source for Counts<'_> {
    fn fill(&mut self) -> Result<&[u8], Failure<Infallible>> {
        Ok(&[])
    }
    fn consume(&mut self, _count: usize) {}
}

#[test]
fn a_transfer_cancels_its_source_once_and_one_that_has_ended_never() {
    let calls = Cell::new(0);
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 512]);
    for ends in [false, true] {
        let head = Head::new(Coding::Identity);
        let policy = body::policy();
        let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
        let mut transfer = Transfer::new(machine, Counts(&calls), Watch::new(Pace::within(1), NoClock));
        if ends {
            let Ok(()) = transfer.read();
        }
        transfer.refuse(Rejection::new(Reason::Cancelled));
        transfer.refuse(Rejection::new(Reason::Deadline));
        let Ok(outcome) = transfer.finish();
        assert_eq!(outcome.rejection().map(|rejection| rejection.reason()), Some(Reason::Cancelled));
        assert_eq!((calls.take(), outcome.cancelled), if ends { (0, false) } else { (1, true) });
    }
}

#[test]
fn a_slice_whose_body_is_settled_shows_no_preview() {
    let mut memory = [0; 8];
    let mut slice = Slice::new(&mut memory);
    let Ok(()) = slice.provisional(b"load");
    let Ok(()) = slice.commit();
    Sink::preview(&mut slice);
    assert!(slice.body().is_none() && slice.preview().is_none());
}
