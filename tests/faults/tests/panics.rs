//! Whatever of the caller's panics, at any of its calls, and unwinds: the source is cancelled once, the sink is told once, and
//! what was taken of a shared capacity comes back.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use std::cell::Cell;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use plimsoll::budget::Capacity;
use plimsoll::{
    AsyncSource, DefaultEngine, Failure, Ingest, Inspect, Pace, Reader, Refusal, Rejection, Ring, Sink,
    Source, Supply, Transfer, Watch,
};
use plimsoll_tests_drivers::executor::run;
use plimsoll_tests_faults::bodies::{self, POLICY};

/// What may panic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Source,
    Clock,
    Inspector,
    Sink,
}

/// Which part panics, at which of its calls, and what all were told.
struct Fuse {
    part: Part,
    at: u64,
    calls: Cell<u64>,
    cancels: Cell<u64>,
    commits: Cell<u64>,
    discards: Cell<u64>,
}

impl Fuse {
    const fn new(part: Part, at: u64) -> Self {
        Self {
            part,
            at,
            calls: Cell::new(0),
            cancels: Cell::new(0),
            commits: Cell::new(0),
            discards: Cell::new(0),
        }
    }

    fn call(&self, part: Part) {
        if part == self.part {
            let call = self.calls.get();
            self.calls.set(call + 1);
            if call == self.at {
                // Without a message, since it is meant.
                resume_unwind(Box::new("a call that panics"));
            }
        }
    }
}

fn add(cell: &Cell<u64>) {
    cell.set(cell.get() + 1);
}

struct Pieces<'f> {
    rest: &'f [u8],
    fuse: &'f Fuse,
}

impl Supply for Pieces<'_> {
    type Error = Infallible;
    fn cancel(&mut self) {
        add(&self.fuse.cancels);
    }
}

impl Source for Pieces<'_> {
    fn fill(&mut self) -> Result<&[u8], Failure<Infallible>> {
        self.fuse.call(Part::Source);
        Ok(&self.rest[..self.rest.len().min(20)])
    }
    fn consume(&mut self, count: usize) {
        self.rest = &self.rest[count..];
    }
}

impl AsyncSource for Pieces<'_> {
    async fn fill(&mut self) -> Result<&[u8], Failure<Infallible>> {
        Source::fill(self)
    }
    fn consume(&mut self, count: usize) {
        Source::consume(self, count);
    }
}

struct Looks<'f>(&'f Fuse);

impl Inspect for Looks<'_> {
    fn inspect(&mut self, _bytes: &[u8]) -> Result<(), Refusal> {
        self.0.call(Part::Inspector);
        Ok(())
    }
    fn finish(&mut self) -> Result<(), Rejection> {
        self.0.call(Part::Inspector);
        Ok(())
    }
}

struct Takes<'f>(&'f Fuse);

impl Sink for Takes<'_> {
    type Error = Infallible;
    const EXPOSES: bool = false;
    fn capacity(&self) -> u64 {
        u64::MAX
    }
    fn provisional(&mut self, _bytes: &[u8]) -> Result<(), Infallible> {
        self.0.call(Part::Sink);
        Ok(())
    }
    fn commit(&mut self) -> Result<(), Infallible> {
        add(&self.0.commits);
        self.0.call(Part::Sink);
        Ok(())
    }
    fn discard(&mut self) {
        add(&self.0.discards);
    }
}

/// The ways to take a body in; the last has no sink.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    Blocking,
    Asynchronous,
    Pulled,
}

/// Takes a body in, and says whether that ended without a panic.
fn take(way: Way, body: &plimsoll_tests_drivers::body::Body, fuse: &Fuse, capacity: &Capacity) -> bool {
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 512]);
    let clock = || {
        fuse.call(Part::Clock);
        0
    };
    catch_unwind(AssertUnwindSafe(|| {
        let inspectors = (capacity.try_acquire().unwrap(), Looks(fuse));
        let source = Pieces { rest: &body.sent, fuse };
        let ring = Ring::new(&mut window);
        if way == Way::Pulled {
            let machine = Ingest::ring(&body.head, &POLICY, &mut engine, ring, inspectors, ());
            let mut reader = Reader::new(machine, source, Watch::new(Pace::within(1), clock));
            while let count @ 1.. = reader.fill().unwrap().len() {
                reader.consume(count);
            }
            assert!(reader.finish().is_complete());
            return;
        }
        let machine = Ingest::ring(&body.head, &POLICY, &mut engine, ring, inspectors, Takes(fuse));
        let mut transfer = Transfer::new(machine, source, Watch::new(Pace::within(1), clock));
        let Ok(()) = if way == Way::Blocking { transfer.read() } else { run(transfer.read_async()) };
        let Ok(outcome) = transfer.finish();
        assert!(outcome.is_complete());
    }))
    .is_ok()
}

#[test]
fn a_part_that_panics_at_any_call_leaves_nothing_behind() {
    for body in bodies::each(300) {
        for way in [Way::Blocking, Way::Asynchronous, Way::Pulled] {
            for part in [Part::Source, Part::Clock, Part::Inspector, Part::Sink] {
                let quiet = Fuse::new(part, u64::MAX);
                assert!(take(way, &body, &quiet, &Capacity::new(1_000, 1)));
                let calls = quiet.calls.get();
                assert_eq!(calls > 2, way != Way::Pulled || part != Part::Sink, "{way:?} {part:?}");
                for at in 0..calls {
                    let context = format!("{} {way:?}: {part:?} at {at}", body.name);
                    let (fuse, capacity) = (Fuse::new(part, at), Capacity::new(1_000, 1));
                    assert!(!take(way, &body, &fuse, &capacity), "{context}");
                    assert_eq!((capacity.bytes_in_use(), capacity.places_in_use()), (0, 0), "{context}");
                    // The first look at the clock comes before there is a transfer.
                    let begun = u64::from(part != Part::Clock || at > 0);
                    // The source was read to its end before its body is judged.
                    let last = match part {
                        Part::Sink => at == calls - 1,
                        // It is shown nothing, as the tuple around it asks for earlier refusals, and told the end.
                        Part::Inspector => at >= calls - 2,
                        Part::Source | Part::Clock => false,
                    };
                    assert_eq!(fuse.cancels.get(), begun * u64::from(!last), "{context}");
                    let sinks = u64::from(way != Way::Pulled);
                    let committed = u64::from(part == Part::Sink && last);
                    assert_eq!(fuse.commits.get(), committed * sinks, "{context}");
                    assert_eq!(fuse.discards.get(), (1 - committed) * sinks, "{context}");
                }
            }
        }
    }
}
