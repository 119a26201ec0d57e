//! Pull readers: whatever this crate makes of a body, one after the other, from a source with a buffer.
//!
//! [`Reader`] holds no logic of JSON and copies nothing: it shows the source's buffer to a machine and says to the
//! source what was taken. Between calls it keeps, besides source and machine, what was found and not lent yet: 56 bytes
//! or less.

#[cfg(feature = "async")]
mod asynchronous;
#[cfg(feature = "embedded-io")]
mod blocking;

use core::fmt;

use plimsoll_core::Rejection;

use crate::parse::{FORGETFUL, Readable};

/// Reads a body from a source, token by token: `P` is a [`Tokenizer`](crate::Tokenizer), an
/// [`Assembler`](crate::Assembler) or [`Records`](crate::Records) over either.
///
/// # Contract
///
/// - The source is asked for its buffer only when the machine cannot go on without more, and to lend what lies there
///   already. Each buffer is looked at once. After a refusal, the end of the source, or the end of a document whose
///   rest is handed back, it is not touched any more.
/// - What is given borrows from the source's buffer, or from an assembler's scratch, and is valid until the next call.
/// - `None` says that the source ended, or that a document whose rest is handed back did, and that everything was
///   checked.
/// - A failed read and a dropped future lose nothing, as far as the source loses nothing: a call that is repeated goes
///   on where the last one failed. That holds for `Interrupted` and for any other kind of error.
/// - A source has to show a buffer again of which nothing was consumed, as `BufRead` asks for. One that shows less
///   is answered with `source_error`.
///
/// Whatever arrives after an end was seen is not looked at.
#[derive(Debug)]
pub struct Reader<R, P: Readable> {
    source: R,
    pull: Pull<P>,
}

/// Why a [`Reader`] cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadError<E> {
    /// The body is refused, for good.
    Rejected(Rejection),
    /// The source failed. Nothing is lost: the call may be repeated.
    Source(E),
}

impl<E> From<Rejection> for ReadError<E> {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl<E: fmt::Display> fmt::Display for ReadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::Source(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for ReadError<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Rejected(_) => None,
            Self::Source(error) => Some(error),
        }
    }
}

impl<R, P: Readable> Reader<R, P> {
    /// A reader of what `machine` makes of the bytes of `source`.
    #[must_use]
    pub const fn new(source: R, machine: P) -> Self {
        Self { source, pull: Pull { machine, found: None, taken: 0, phase: Phase::Reading } }
    }

    /// The machine.
    #[must_use]
    pub const fn machine(&self) -> &P {
        &self.pull.machine
    }
}

/// All of a reader but the source.
#[derive(Debug)]
struct Pull<P: Readable> {
    machine: P,
    /// What was found in the source's buffer and how many bytes of that it takes, until it is lent.
    found: Option<(P::Found, usize)>,
    /// Bytes of the source that were lent, and are consumed by the next call.
    taken: usize,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Reading,
    /// The source has ended.
    Ended,
    /// Everything has ended.
    Over,
    Refused,
}

impl<P: Readable> Pull<P> {
    /// Bytes of the source that are done with.
    fn done(&mut self) -> usize {
        core::mem::take(&mut self.taken)
    }

    /// Whether the source's buffer is needed to find anything.
    fn wants_bytes(&mut self) -> Result<bool, Rejection> {
        if self.found.is_some() {
            return Ok(false);
        }
        match self.phase {
            Phase::Reading => return Ok(!self.machine.is_over()),
            Phase::Ended => match self.machine.find_last() {
                Ok(Some(found)) => self.found = Some((found, 0)),
                Ok(None) => self.phase = Phase::Over,
                Err(rejection) => return Err(self.refuse(rejection)),
            },
            Phase::Over => {}
            Phase::Refused => _ = self.machine.find(&[])?,
        }
        Ok(false)
    }

    /// Looks at the source's buffer, which is empty at its end. Gives the bytes that are done with.
    fn look_at(&mut self, buffer: &[u8]) -> Result<usize, Rejection> {
        if buffer.is_empty() {
            self.phase = Phase::Ended;
            self.wants_bytes()?;
            return Ok(0);
        }
        let step = match self.machine.find(buffer) {
            Ok(step) => step,
            Err(rejection) => return Err(self.refuse(rejection)),
        };
        let Some(found) = step.event else { return Ok(step.consumed) };
        if P::is_end(&found) {
            self.phase = Phase::Over;
            return Ok(step.consumed);
        }
        let lent = if P::borrows(&found) { step.consumed } else { 0 };
        self.found = Some((found, lent));
        Ok(step.consumed.wrapping_sub(lent))
    }

    /// Whether the source's buffer is needed to lend what was found.
    fn borrows(&self) -> bool {
        self.found.as_ref().is_some_and(|(found, _)| P::borrows(found))
    }

    /// Lends what was found.
    fn lend<'a>(&'a mut self, buffer: &'a [u8]) -> Result<Option<P::Event<'a>>, Rejection> {
        let Some((found, taken)) = self.found else { return Ok(None) };
        let event = self.machine.lend(found, buffer).ok_or(FORGETFUL)?;
        (self.found, self.taken) = (None, taken);
        Ok(Some(event))
    }

    fn refuse(&mut self, rejection: Rejection) -> Rejection {
        self.phase = Phase::Refused;
        rejection
    }
}
