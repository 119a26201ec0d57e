//! The raw-DEFLATE stage: an engine, a history and a work meter as one `Decode`.
//!
//! It keeps between calls the offset of the next encoded byte and why it stopped, some 30 bytes besides its three
//! parts. A rejection is made of these each time that it is answered: it is large to keep and to move.

use plimsoll_core::{Decode, Reason, Rejection, Restart, Step, Work};

use crate::engine::{Engine, Fault, Stop};
use crate::history::History;

/// A raw-DEFLATE decoder (RFC 1951).
///
/// `E` is the engine or `&mut` of one, `H` is [`Flat`](crate::Flat) or [`Ring`](crate::Ring), `W` meters work.
/// Offsets in its rejections count from the start of the stream.
#[derive(Debug)]
#[repr(C)] // In this order what is zero at first does not stand in one row, which would be cleared by a call.
pub struct Inflate<E, H, W> {
    engine: E,
    work: W,
    history: H,
    /// Encoded bytes consumed: 64 bits do not run over.
    offset: u64,
    /// Why it stopped last.
    stop: Stop,
    /// Length of the latest run.
    run: usize,
}

impl<E: Engine, H: History, W: Work> Inflate<E, H, W> {
    /// A decoder at the start of a stream.
    #[must_use]
    pub fn new(engine: E, history: H, work: W) -> Self {
        let mut inflate = Self { engine, history, work, offset: 0, stop: Stop::NeedInput, run: 0 };
        inflate.restart();
        inflate
    }

    /// The history.
    #[must_use]
    pub const fn history(&self) -> &H {
        &self.history
    }

    /// The history, to take what was written to a flat buffer out of it.
    #[must_use]
    pub const fn history_mut(&mut self) -> &mut H {
        &mut self.history
    }

    /// The latest run again, which [`decode`](Decode::decode) has lent; empty before the first.
    #[must_use]
    pub fn latest(&self) -> &[u8] {
        self.history.latest(self.run)
    }

    /// The work meter.
    #[must_use]
    pub const fn work(&self) -> &W {
        &self.work
    }

    /// Takes the history back, such as a flat buffer with what was written to it.
    #[must_use]
    pub fn into_history(self) -> H {
        self.history
    }

    /// What a stop means that nothing goes on behind.
    #[cold]
    #[inline(never)]
    fn rejection(&mut self) -> Rejection {
        let (reason, detail, back) = match self.stop {
            // What has refused once refuses everything, also nothing.
            Stop::Refused => match self.work.charge(0) {
                Err(rejection) => return rejection,
                Ok(()) => (Reason::WorkLimit, None, 0),
            },
            Stop::Full if !H::WRAPS => {
                return Rejection::limit_exceeded(Reason::DecodedLimit, self.history.capacity());
            }
            Stop::Fault(Fault { reason, detail, back }) => (reason, detail, back),
            Stop::NeedInput | Stop::Full | Stop::End => (Reason::IncompleteGzip, None, 0),
        };
        let rejection = Rejection::fault(reason, self.offset.wrapping_sub(back as u64));
        match detail {
            Some(detail) => rejection.with_detail(detail),
            None => rejection,
        }
    }
}

impl<E, H: History, W> Inflate<E, H, W> {
    /// Whether the stream goes on.
    const fn is_open(&self) -> bool {
        match self.stop {
            Stop::NeedInput => true,
            Stop::Full => H::WRAPS,
            Stop::End | Stop::Fault(_) | Stop::Refused => false,
        }
    }
}

impl<E: Engine, H: History, W: Work> Decode for Inflate<E, H, W> {
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        let mut consumed = 0;
        if self.is_open() {
            let room = self.history.room();
            let advance = if H::WRAPS {
                self.engine.advance::<true, W>(input, room, &mut self.work)
            } else {
                self.engine.advance::<false, W>(input, room, &mut self.work)
            };
            consumed = advance.consumed;
            self.offset = self.offset.wrapping_add(consumed as u64);
            self.stop = advance.stop;
            if advance.produced > 0 {
                self.run = advance.produced;
                return Ok(Step::lend(consumed, self.history.wrote(advance.produced)));
            }
        }
        match self.stop {
            Stop::NeedInput => Ok(Step::need_input(consumed)),
            Stop::Full if H::WRAPS => Ok(Step::silent(consumed)),
            Stop::End => Ok(Step::end(consumed)),
            Stop::Full | Stop::Fault(_) | Stop::Refused => Err(self.rejection()),
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        if self.is_open() {
            self.stop = Stop::Fault(Fault { reason: Reason::IncompleteGzip, detail: None, back: 0 });
        }
        match self.stop {
            Stop::End => Ok(()),
            _ => Err(self.rejection()),
        }
    }
}

impl<E: Engine, H: History, W> Restart for Inflate<E, H, W> {
    /// Begins another stream with an empty history. A flat buffer goes on where it stands, and work that is
    /// owed stays owed. A refused decoder stays refused.
    fn restart(&mut self) {
        if !self.is_open() && self.stop != Stop::End {
            return;
        }
        self.engine.restart();
        self.history.restart();
        self.offset = 0;
        self.stop = Stop::NeedInput;
    }
}

#[cfg(test)]
mod tests {
    use plimsoll_budget::WorkMeter;

    use super::*;
    use crate::{Flat, Native};

    #[test]
    fn a_refused_decoder_stays_refused_over_a_restart() {
        let (mut engine, mut output) = (Native::new(), [0; 4]);
        let mut inflate = Inflate::new(&mut engine, Flat::new(&mut output), WorkMeter::new(100));
        // The last block, of type 3.
        let refused = inflate.decode(&[0b111]).unwrap_err();
        assert_eq!(refused.reason(), Reason::BadDeflate);
        inflate.restart();
        // An empty block of the fixed codes, which is a stream.
        assert_eq!(inflate.decode(&[0b011, 0]), Err(refused));
        assert_eq!(inflate.finish(), Err(refused));
    }
}
