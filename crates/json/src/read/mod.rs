//! Pull readers: whatever this crate makes of a body, one after the other, from a source with a buffer.
//!
//! [`Reader`] holds no logic of JSON and copies nothing: it shows the source's buffer to a machine and says to the
//! source what was taken. Between calls it keeps, besides source and machine, what was found and not lent yet: 56 bytes,
//! and 104 over records.

#[cfg(feature = "async")]
mod asynchronous;
#[cfg(feature = "embedded-io")]
mod blocking;

use core::fmt;

use plimsoll_core::Rejection;

use crate::parse::Readable;
use crate::pull::Pull;

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
        Self { source, pull: Pull::new(machine) }
    }

    /// The machine.
    #[must_use]
    pub const fn machine(&self) -> &P {
        &self.pull.machine
    }
}
