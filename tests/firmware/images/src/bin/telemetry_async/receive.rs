//! The push machine as a future: whenever a piece has arrived it is pushed, and at the end the verdict is asked for.

use core::pin::Pin;
use core::task::{Context, Poll, ready};

use plimsoll::{Head, Ingest, Next, Reason, Rejection};
use plimsoll_firmware::intake::{BOUNDS, Inspectors, inspectors, log};
use plimsoll_firmware::memory::{Decoder, Memory};
use plimsoll_firmware::telemetry::Collector;

use crate::line::Line;

/// Receives one document. Dropped before its end, it discards what it has.
pub(crate) struct Receive {
    /// Until the verdict is asked for.
    machine: Option<Ingest<Decoder<'static>, Inspectors<Collector>, ()>>,
    line: Line,
}

impl Receive {
    pub(crate) fn new(memory: &'static mut Memory, head: &Head, line: Line) -> Result<Self, Rejection> {
        let machine = memory.machine(head, &BOUNDS.policy, inspectors(&BOUNDS, Collector::new())?);
        Ok(Self { machine: Some(machine), line })
    }

    pub(crate) const fn line(&self) -> &Line {
        &self.line
    }
}

impl Future for Receive {
    type Output = Result<Collector, Rejection>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Self { machine, line } = &mut *self;
        while let Some(running) = machine {
            match ready!(line.poll_piece(context)) {
                Ok([]) => break,
                Ok(piece) => {
                    let Ok(next) = running.push(piece);
                    line.consume(piece.len());
                    if next == Next::Stop {
                        line.hang_up();
                        break;
                    }
                }
                Err(_) => {
                    running.refuse(Rejection::fault(Reason::SourceError, running.encoded_bytes()));
                    break;
                }
            }
        }
        // Polled after its end, it waits for ever.
        machine.take().map_or(Poll::Pending, |machine| Poll::Ready(finish(machine)))
    }
}

fn finish(machine: Ingest<Decoder<'static>, Inspectors<Collector>, ()>) -> Result<Collector, Rejection> {
    let (Ok(outcome), (_, _, select)) = machine.finish_with_inspector();
    let collector = select.into_visitor();
    let fields = collector.as_ref().ok_or(Rejection::new(Reason::Cancelled)).and_then(Collector::telemetry);
    let refused = outcome.rejection().or(fields.err());
    log(&outcome, refused);
    refused.map_or(collector.ok_or(Rejection::new(Reason::Cancelled)), Err)
}
