//! The push machine as a future: whenever a piece has arrived it is pushed, and at the end the verdict is asked for.

use core::pin::Pin;
use core::task::{Context, Poll, ready};

use plimsoll::{Head, Ingest, Next, Reason, Rejection};
use plimsoll_firmware::intake::{BOUNDS, Inspectors, log};
use plimsoll_firmware::memory::{Decoder, Memory};
use plimsoll_firmware::telemetry::{Collector, Telemetry};

use crate::line::Line;

type Machine = Ingest<Decoder<'static>, Inspectors<&'static mut Collector>, ()>;

/// Receives one document. Dropped before its end, it discards what it has.
pub(crate) struct Receive {
    /// Until the verdict is asked for.
    machine: Option<Machine>,
    line: Line,
}

impl Receive {
    pub(crate) fn new(
        memory: &'static mut Memory,
        head: &Head,
        inspectors: Inspectors<&'static mut Collector>,
        line: Line,
    ) -> Self {
        Self { machine: Some(memory.machine(head, &BOUNDS.policy, inspectors)), line }
    }

    pub(crate) const fn line(&self) -> &Line {
        &self.line
    }
}

impl Future for Receive {
    type Output = Result<&'static Telemetry, Rejection>;

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

fn finish(machine: Machine) -> Result<&'static Telemetry, Rejection> {
    let (Ok(outcome), (_, _, select)) = machine.finish_with_inspector();
    let answer = match (outcome.rejection(), select.into_visitor()) {
        (None, Some(collector)) => collector.telemetry(),
        (rejection, _) => Err(rejection.unwrap_or(Rejection::new(Reason::Cancelled))),
    };
    log(&outcome, answer.err());
    answer
}
