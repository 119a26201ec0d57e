//! The raw-DEFLATE stage: an engine, a history and a work meter as one `Decode`.
//!
//! It keeps between calls the offset of the next encoded byte and the verdict, some 70 bytes besides its three
//! parts.

use plimsoll_core::{Decode, Reason, Rejection, Restart, Step, Work};

use crate::engine::{Engine, Stop};
use crate::history::History;

/// A raw-DEFLATE decoder (RFC 1951).
///
/// `E` is the engine or `&mut` of one, `H` is [`Flat`](crate::Flat) or [`Ring`](crate::Ring), `W` meters work.
/// Offsets in its rejections count from the start of the stream.
#[derive(Debug)]
pub struct Inflate<E, H, W> {
    engine: E,
    history: H,
    work: W,
    /// Encoded bytes consumed: 64 bits do not run over.
    offset: u64,
    verdict: Verdict,
    /// Length of the latest run.
    run: usize,
}

#[derive(Clone, Copy, Debug)]
enum Verdict {
    Open,
    Ended,
    Refused(Rejection),
}

impl<E: Engine, H: History, W: Work> Inflate<E, H, W> {
    /// A decoder at the start of a stream.
    #[must_use]
    pub fn new(engine: E, history: H, work: W) -> Self {
        let mut inflate = Self { engine, history, work, offset: 0, verdict: Verdict::Open, run: 0 };
        inflate.restart();
        inflate
    }

    /// The history.
    #[must_use]
    pub const fn history(&self) -> &H {
        &self.history
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

    /// Takes note of what a stop means for the stream, out of line and in place: a refusal is large to move.
    #[inline(never)]
    fn judge(&mut self, stop: &Stop) {
        match stop {
            Stop::NeedInput => {}
            Stop::Full if H::WRAPS => {}
            Stop::Full => {
                let capacity = self.history.capacity();
                self.verdict = Verdict::Refused(Rejection::limit_exceeded(Reason::DecodedLimit, capacity));
            }
            Stop::End => self.verdict = Verdict::Ended,
            Stop::Fault(fault) => {
                let at = self.offset.wrapping_sub(fault.back as u64);
                self.verdict = Verdict::Refused(Rejection::fault(fault.reason, at).with_detail(fault.detail));
            }
            Stop::Refused(rejection) => self.verdict = Verdict::Refused(*rejection),
        }
    }
}

impl<E: Engine, H: History, W: Work> Decode for Inflate<E, H, W> {
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        let mut consumed = 0;
        let mut full = false;
        if let Verdict::Open = self.verdict {
            let room = self.history.room();
            let advance = if H::WRAPS {
                self.engine.advance::<true, W>(input, room, &mut self.work)
            } else {
                self.engine.advance::<false, W>(input, room, &mut self.work)
            };
            consumed = advance.consumed;
            full = advance.stop == Stop::Full;
            self.offset = self.offset.wrapping_add(consumed as u64);
            self.judge(&advance.stop);
            if advance.produced > 0 {
                self.run = advance.produced;
                return Ok(Step::lend(consumed, self.history.wrote(advance.produced)));
            }
        }
        match self.verdict {
            Verdict::Ended => Ok(Step::end(consumed)),
            Verdict::Refused(rejection) => Err(rejection),
            Verdict::Open if full => Ok(Step::silent(consumed)),
            Verdict::Open => Ok(Step::need_input(consumed)),
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        match self.verdict {
            Verdict::Open => {
                let rejection = Rejection::fault(Reason::IncompleteGzip, self.offset);
                self.verdict = Verdict::Refused(rejection);
                Err(rejection)
            }
            Verdict::Ended => Ok(()),
            Verdict::Refused(rejection) => Err(rejection),
        }
    }
}

impl<E: Engine, H: History, W> Restart for Inflate<E, H, W> {
    /// Begins another stream with an empty history. A flat buffer goes on where it stands, and work that is
    /// owed stays owed. A refused decoder stays refused.
    fn restart(&mut self) {
        if let Verdict::Refused(_) = self.verdict {
            return;
        }
        self.engine.restart();
        self.history.restart();
        self.offset = 0;
        self.verdict = Verdict::Open;
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
