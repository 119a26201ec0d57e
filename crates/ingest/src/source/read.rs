//! A source over a reader that copies: one buffer of the caller's, and how much of it is filled and taken.

use core::fmt;

use embedded_io::ErrorType;

use super::{Failure, Source, Supply};

/// A [`Source`](super::Source) over `embedded_io::Read`, and an `AsyncSource` over `embedded_io_async::Read`.
///
/// One call of `fill` is at most one `read` into the caller's buffer, which is made only when everything read
/// before has been consumed. `Ok(0)` is the end of the body. Errors of the kind `Interrupted` are [`Failure::Interrupted`].
///
/// The future of an asynchronous `fill` keeps nothing of its own: dropped, it loses what the reader's own future
/// loses, which is nothing where that is free of side effects on cancel.
///
/// ```
/// use plimsoll::{Coding, Head, Limits, Memory, NoClock, Pace, Policy, ReadSource, Slice, Watch, read};
/// # struct Socket(&'static [u8]);
/// # impl Socket { fn abort(&mut self) { self.0 = &[]; } }
/// # impl embedded_io::ErrorType for Socket { type Error = core::convert::Infallible; }
/// # impl embedded_io::Read for Socket {
/// #     fn read(&mut self, buf: &mut [u8]) -> Result<usize, Self::Error> { embedded_io::Read::read(&mut self.0, buf) }
/// # }
/// # let mut socket = Socket(b"hello");
/// # let (mut memory, mut body, mut piece) = (Memory::<1024>::new(), [0; 64], [0; 16]);
/// let mut sink = Slice::new(&mut body);
/// let policy = Policy::strict(Limits::SMALL_DEVICE);
/// let machine = memory.ring(&Head::new(Coding::Identity), &policy, (), &mut sink);
///
/// let source = ReadSource::new(&mut socket, &mut piece, |socket| socket.abort());
/// let Ok(outcome) = read(machine, source, Watch::new(Pace::within(10_000), NoClock));
/// assert!(outcome.is_complete());
/// assert_eq!(sink.body(), Some(&b"hello"[..]));
/// ```
pub struct ReadSource<'b, R, F> {
    reader: R,
    buffer: &'b mut [u8],
    /// The bytes of the buffer from `taken` to `filled` are lent.
    taken: usize,
    filled: usize,
    /// What gives the reader up, until it was called.
    cancel: Option<F>,
}

impl<'b, R, F: FnOnce(&mut R)> ReadSource<'b, R, F> {
    /// A source that reads into an array. It does not compile if `N` is 0.
    ///
    /// `cancel` gives the request up, such as `|socket| socket.abort()`, or `|_| ()` where dropping the reader
    /// does. It is called at most once.
    #[must_use]
    pub const fn new<const N: usize>(reader: R, buffer: &'b mut [u8; N], cancel: F) -> Self {
        const { assert!(N > 0, "a buffer of no bytes cannot be read into") };
        Self { reader, buffer, taken: 0, filled: 0, cancel: Some(cancel) }
    }

    /// A source that reads into a slice; `None` if it is empty.
    #[must_use]
    pub fn from_slice(reader: R, buffer: &'b mut [u8], cancel: F) -> Option<Self> {
        if buffer.is_empty() {
            return None;
        }
        Some(Self { reader, buffer, taken: 0, filled: 0, cancel: Some(cancel) })
    }

    /// Whether the buffer must be filled before something can be lent.
    const fn is_empty(&self) -> bool {
        self.taken >= self.filled
    }

    fn lend(&self) -> &[u8] {
        self.buffer.get(self.taken..self.filled).unwrap_or(&[])
    }

    fn take(&mut self, count: usize) {
        self.taken = self.taken.saturating_add(count).min(self.filled);
    }

    /// Takes note of `count` bytes read. A reader cannot have read more than the buffer holds, whatever it says.
    fn filled(&mut self, count: usize) {
        self.taken = 0;
        self.filled = count.min(self.buffer.len());
    }
}

impl<R, F> ReadSource<'_, R, F> {
    /// The reader.
    #[must_use]
    pub const fn reader(&self) -> &R {
        &self.reader
    }

    /// Takes the reader back. Bytes that were read and not consumed are lost.
    #[must_use]
    pub fn into_reader(self) -> R {
        self.reader
    }
}

/// Without a byte of the body.
impl<R, F> fmt::Debug for ReadSource<'_, R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadSource")
            .field("taken", &self.taken)
            .field("filled", &self.filled)
            .field("cancelled", &self.cancel.is_none())
            .finish_non_exhaustive()
    }
}

impl<R: ErrorType, F: FnOnce(&mut R)> Supply for ReadSource<'_, R, F> {
    type Error = R::Error;

    fn cancel(&mut self) {
        if let Some(cancel) = self.cancel.take() {
            cancel(&mut self.reader);
        }
    }
}

impl<R: embedded_io::Read, F: FnOnce(&mut R)> Source for ReadSource<'_, R, F> {
    fn fill(&mut self) -> Result<&[u8], Failure<R::Error>> {
        if self.is_empty() {
            let count = self.reader.read(self.buffer).map_err(Failure::from_io)?;
            self.filled(count);
        }
        Ok(self.lend())
    }

    fn consume(&mut self, count: usize) {
        self.take(count);
    }
}

#[cfg(feature = "embedded-io-async")]
impl<R: embedded_io_async::Read, F: FnOnce(&mut R)> super::AsyncSource for ReadSource<'_, R, F> {
    async fn fill(&mut self) -> Result<&[u8], Failure<R::Error>> {
        if self.is_empty() {
            let count = self.reader.read(self.buffer).await.map_err(Failure::from_io)?;
            self.filled(count);
        }
        Ok(self.lend())
    }

    fn consume(&mut self, count: usize) {
        self.take(count);
    }
}
