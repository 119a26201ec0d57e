//! A source over a reader that lends its own buffer. Nothing is copied, and nothing is kept.

use core::fmt;

use embedded_io::ErrorType;

use super::{Failure, Source, Supply};

/// A [`Source`](super::Source) over `embedded_io::BufRead`, and an `AsyncSource` over
/// `embedded_io_async::BufRead`.
///
/// One call of `fill` is one `fill_buf`, and what is consumed is what the outcome counts as encoded bytes: the
/// reader stands behind the last byte that was looked at. An empty buffer is the end of the body.
/// Errors of the kind `Interrupted` are [`Failure::Interrupted`].
///
/// The future of an asynchronous `fill` is the reader's own.
///
/// ```
/// use plimsoll::{BufReadSource, Coding, Head, Limits, Memory, NoClock, Pace, Policy, Reason, Watch, read};
///
/// let mut memory = Memory::<1024>::new();
/// let policy = Policy::strict(Limits { encoded: 3, ..Limits::SMALL_DEVICE });
/// let machine = memory.ring(&Head::new(Coding::Identity), &policy, (), ());
///
/// let (mut socket, mut aborted) = (&b"hello"[..], false); // any `embedded_io::BufRead`
/// let source = BufReadSource::new(&mut socket, |_| aborted = true);
/// let Ok(outcome) = read(machine, source, Watch::new(Pace::within(10_000), NoClock));
/// assert_eq!(outcome.rejection().map(|rejection| rejection.reason()), Some(Reason::EncodedLimit));
/// assert!(outcome.cancelled && aborted);
/// assert_eq!((outcome.encoded_bytes, socket), (4, &b"o"[..])); // the limit and the byte over it; not the rest
/// ```
pub struct BufReadSource<R, F> {
    reader: R,
    /// What gives the reader up, until it was called.
    cancel: Option<F>,
}

impl<R, F: FnOnce(&mut R)> BufReadSource<R, F> {
    /// A source over `reader`.
    ///
    /// `cancel` gives the request up, such as `|socket| socket.abort()`, or `|_| ()` where dropping the reader
    /// does. It is called at most once.
    #[must_use]
    pub const fn new(reader: R, cancel: F) -> Self {
        Self { reader, cancel: Some(cancel) }
    }
}

impl<R, F> BufReadSource<R, F> {
    /// The reader.
    #[must_use]
    pub const fn reader(&self) -> &R {
        &self.reader
    }

    /// Takes the reader back.
    #[must_use]
    pub fn into_reader(self) -> R {
        self.reader
    }
}

/// Without a byte of the body.
impl<R, F> fmt::Debug for BufReadSource<R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufReadSource").field("cancelled", &self.cancel.is_none()).finish_non_exhaustive()
    }
}

impl<R: ErrorType, F: FnOnce(&mut R)> Supply for BufReadSource<R, F> {
    type Error = R::Error;

    fn cancel(&mut self) {
        if let Some(cancel) = self.cancel.take() {
            cancel(&mut self.reader);
        }
    }
}

impl<R: embedded_io::BufRead, F: FnOnce(&mut R)> Source for BufReadSource<R, F> {
    fn fill(&mut self) -> Result<&[u8], Failure<R::Error>> {
        self.reader.fill_buf().map_err(Failure::from_io)
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
    }
}

#[cfg(feature = "embedded-io-async")]
impl<R: embedded_io_async::BufRead, F: FnOnce(&mut R)> super::AsyncSource for BufReadSource<R, F> {
    async fn fill(&mut self) -> Result<&[u8], Failure<R::Error>> {
        self.reader.fill_buf().await.map_err(Failure::from_io)
    }

    fn consume(&mut self, count: usize) {
        self.reader.consume(count);
    }
}
