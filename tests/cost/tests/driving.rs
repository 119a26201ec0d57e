//! How often a driver asks its source and looks at its clock.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use std::cell::Cell;
use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use plimsoll::{
    AsyncSource, Coding, DefaultEngine, Failure, Head, Ingest, Limits, Pace, Policy, Reader, Ring, Source,
    Supply, Watch, read, read_async,
};
use plimsoll_tests_cost::{Body, bodies};

const POLICY: Policy = Policy::strict(Limits {
    encoded: u64::MAX,
    decoded: u64::MAX,
    header: u64::MAX,
    work: u64::MAX,
    members: u64::MAX,
    ..Limits::HOST
});

/// Lends a body in pieces, and counts.
struct Pieces<'b> {
    rest: &'b [u8],
    cut: usize,
    fills: &'b Cell<usize>,
    consumes: &'b Cell<usize>,
}

impl Supply for Pieces<'_> {
    type Error = Infallible;
    fn cancel(&mut self) {}
}

impl Source for Pieces<'_> {
    fn fill(&mut self) -> Result<&[u8], Failure<Infallible>> {
        self.fills.set(self.fills.get() + 1);
        Ok(&self.rest[..self.cut.min(self.rest.len())])
    }
    fn consume(&mut self, count: usize) {
        self.consumes.set(self.consumes.get() + 1);
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

/// Takes each body with each cut; `take` is given the source and the clock, and says how often more it may ask.
fn each(mut take: impl FnMut(&Body, Pieces<'_>, &Cell<u32>) -> usize) {
    for body in bodies() {
        for cut in [1, 9, 500, usize::MAX] {
            let (fills, consumes, looks) = (Cell::new(0), Cell::new(0), Cell::new(0));
            let source = Pieces { rest: &body.sent, cut, fills: &fills, consumes: &consumes };
            let more = take(&body, source, &looks);
            let pieces = body.sent.len().div_ceil(cut.min(body.sent.len()));
            let context = format!("{} in pieces of {cut}", body.name);
            // Each piece, and the end.
            assert!(fills.get() <= pieces + 1 + more, "{context}: {} fills", fills.get());
            assert!(consumes.get() <= pieces + 1 + more, "{context}: {} consumes", consumes.get());
            // One at the start, and two for each piece.
            assert!(looks.get() as usize <= 1 + 2 * (pieces + 1), "{context}: {} looks", looks.get());
        }
    }
}

fn clock(looks: &Cell<u32>) -> impl FnMut() -> u32 {
    || {
        looks.set(looks.get() + 1);
        0
    }
}

#[test]
fn a_driver_asks_once_for_each_piece_and_looks_at_the_clock_before_and_behind() {
    each(|_, source, looks| {
        let (mut engine, mut window) = (DefaultEngine::new(), [0; 32_768]);
        let head = Head::new(Coding::Gzip);
        let machine = Ingest::ring(&head, &POLICY, &mut engine, Ring::new(&mut window), (), ());
        let Ok(outcome) = read(machine, source, Watch::new(Pace::within(1), clock(looks)));
        assert!(outcome.is_complete());
        0
    });
    each(|_, source, looks| {
        let (mut engine, mut window) = (DefaultEngine::new(), [0; 32_768]);
        let head = Head::new(Coding::Gzip);
        let machine = Ingest::ring(&head, &POLICY, &mut engine, Ring::new(&mut window), (), ());
        let reading = pin!(read_async(machine, source, Watch::new(Pace::within(1), clock(looks))));
        let Poll::Ready(Ok(outcome)) = reading.poll(&mut Context::from_waker(Waker::noop())) else {
            panic!("nothing here is pending")
        };
        assert!(outcome.is_complete());
        0
    });
}

#[test]
fn a_reader_shows_a_piece_again_for_each_lap_of_the_ring_and_each_member_besides() {
    each(|body, source, looks| {
        let (mut engine, mut window) = (DefaultEngine::new(), [0; 1_024]);
        let head = Head::new(Coding::Gzip);
        let machine = Ingest::ring(&head, &POLICY, &mut engine, Ring::new(&mut window), (), ());
        let mut reader = Reader::new(machine, source, Watch::new(Pace::within(1), clock(looks)));
        let mut text = Vec::new();
        loop {
            let count = reader.fill().unwrap().len();
            if count == 0 {
                break;
            }
            text.extend_from_slice(reader.fill().unwrap());
            reader.consume(count);
        }
        assert!(reader.finish().is_complete() && text == body.text);
        let members = usize::try_from(body.members).unwrap();
        body.sent.len().min(body.text.len() / 1_024 + 3 * members + 8)
    });
}
