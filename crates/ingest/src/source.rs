//! Where an encoded body comes from: pieces that are lent, taken note of, and given up in one way only.
//!
//! [`Source`] blocks, [`AsyncSource`] waits; [`Supply`] is what they share. The adapters are thin and keep only
//! how much of their buffer is filled and taken:
//!
//! | adapter | over | copies |
//! |---|---|---|
//! | `ReadSource` | `embedded_io::Read`, `embedded_io_async::Read` | once, into a buffer of the caller's |
//! | `BufReadSource` | `embedded_io::BufRead`, `embedded_io_async::BufRead` | never |
//! | `StdIo` | makes the `embedded_io` traits of `std::io::{Read, BufRead, Write}` | never |

#[cfg(feature = "embedded-io")]
mod bufread;
#[cfg(feature = "embedded-io")]
mod read;
#[cfg(feature = "std")]
mod stdio;

use core::convert::Infallible;

#[cfg(feature = "embedded-io")]
pub use bufread::BufReadSource;
#[cfg(feature = "embedded-io")]
pub use read::ReadSource;
#[cfg(feature = "std")]
pub use stdio::StdIo;

/// Why a source lent nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Failure<E> {
    /// The read was interrupted. Nothing was lost, and the source may be asked again at once.
    Interrupted,
    /// The source has failed. That ends the body as `source_error`.
    Failed(E),
}

#[cfg(feature = "embedded-io")]
impl<E: embedded_io::Error> Failure<E> {
    /// Tells an interruption by its kind.
    fn from_io(error: E) -> Self {
        if error.kind() == embedded_io::ErrorKind::Interrupted {
            Self::Interrupted
        } else {
            Self::Failed(error)
        }
    }
}

/// What both kinds of source share.
///
/// # Contract
///
/// - What `fill` has lent is lent again until `consume` takes note of it. While any of it is left, `fill` answers
///   at once and touches nothing behind the source.
/// - After [`cancel`](Self::cancel) no other method is called. A driver calls it at most once: on a refusal, on
///   a preview, when a sink fails, and when it is dropped before the end of the body. It is not called where
///   the body was read to its end, so that a connection can be kept.
/// - No driver reads on to find the end of a body that is refused.
///
/// A cancelled request is no proof that the peer did nothing: it may have been carried out in full. One that
/// changes state must not be sent again blindly.
pub trait Supply {
    /// What can go wrong while reading.
    type Error;

    /// Gives the rest of the body up: aborts the request, or closes the connection. Nothing is drained, and
    /// nothing is waited for.
    fn cancel(&mut self);
}

/// A source that blocks.
pub trait Source: Supply {
    /// Lends the next bytes of the encoded body. An empty slice says that the body has ended.
    ///
    /// If none are there yet, it blocks until there is at least one, and does not wait for more than that.
    ///
    /// # Errors
    /// What the source met. After [`Failure::Interrupted`] it may be asked again.
    fn fill(&mut self) -> Result<&[u8], Failure<Self::Error>>;

    /// Takes note that the first `count` bytes of what was lent are done with.
    fn consume(&mut self, count: usize);
}

/// A source that waits.
pub trait AsyncSource: Supply {
    /// Lends the next bytes of the encoded body. An empty slice says that the body has ended.
    ///
    /// If none are there yet, it waits until there is at least one, and not for more than that.
    ///
    /// A future that is dropped before it is ready should have lost nothing, and each source says whether that
    /// is so. The drivers drop one only when their own future is dropped or the body is refused.
    ///
    /// # Errors
    /// What the source met. After [`Failure::Interrupted`] it may be asked again.
    fn fill(&mut self) -> impl Future<Output = Result<&[u8], Failure<Self::Error>>>;

    /// Takes note that the first `count` bytes of what was lent are done with.
    fn consume(&mut self, count: usize);
}

impl<S: Supply + ?Sized> Supply for &mut S {
    type Error = S::Error;

    fn cancel(&mut self) {
        (**self).cancel();
    }
}

impl<S: Source + ?Sized> Source for &mut S {
    fn fill(&mut self) -> Result<&[u8], Failure<Self::Error>> {
        (**self).fill()
    }

    fn consume(&mut self, count: usize) {
        (**self).consume(count);
    }
}

impl<S: AsyncSource + ?Sized> AsyncSource for &mut S {
    fn fill(&mut self) -> impl Future<Output = Result<&[u8], Failure<Self::Error>>> {
        (**self).fill()
    }

    fn consume(&mut self, count: usize) {
        (**self).consume(count);
    }
}

/// A body that is in memory as a whole. It is lent in one piece, and giving it up forgets the rest.
impl Supply for &[u8] {
    type Error = Infallible;

    fn cancel(&mut self) {
        *self = &[];
    }
}

impl Source for &[u8] {
    fn fill(&mut self) -> Result<&[u8], Failure<Infallible>> {
        Ok(self)
    }

    fn consume(&mut self, count: usize) {
        *self = self.get(count..).unwrap_or(&[]);
    }
}

impl AsyncSource for &[u8] {
    async fn fill(&mut self) -> Result<&[u8], Failure<Infallible>> {
        Ok(self)
    }

    fn consume(&mut self, count: usize) {
        *self = self.get(count..).unwrap_or(&[]);
    }
}

/// A source that is given up once, and for certain: also where its driver is dropped.
pub(crate) struct Link<S: Supply> {
    pub(crate) source: S,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// There may be more to read.
    Open,
    /// The body was read to its end.
    Ended,
    Cancelled,
}

impl<S: Supply> Link<S> {
    pub(crate) const fn new(source: S) -> Self {
        Self { source, state: State::Open }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.state == State::Open
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.state == State::Cancelled
    }

    /// Takes note of the end of the body, which only a source tells that is open.
    pub(crate) fn end(&mut self) {
        self.state = State::Ended;
    }

    /// Gives the source up, unless that has been done or there is nothing left to give up.
    pub(crate) fn cancel(&mut self) {
        if self.is_open() {
            self.state = State::Cancelled;
            self.source.cancel();
        }
    }
}

impl<S: Supply> Drop for Link<S> {
    fn drop(&mut self) {
        self.cancel();
    }
}
