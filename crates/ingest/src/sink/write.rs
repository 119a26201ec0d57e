//! Sinks over `embedded_io::Write`: one whose bytes take effect with a commit step, and one whose bytes are out
//! as soon as they are written.

use core::fmt;

use embedded_io::{Error, ErrorKind, Write};

use super::Sink;

/// What a writer met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum WriteError<E> {
    /// The writer took nothing of a run that was not empty, against its contract.
    Zero,
    /// The writer, or the commit step, has failed.
    Writer(E),
    /// The sink has been told of the end of its one body, and was handed to another machine.
    Spent,
}

impl<E: fmt::Display> fmt::Display for WriteError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => f.write_str("the writer took nothing"),
            Self::Writer(error) => error.fmt(f),
            Self::Spent => f.write_str("the sink has had its body"),
        }
    }
}

impl<E: core::error::Error> core::error::Error for WriteError<E> {}

impl<E: Error> Error for WriteError<E> {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Zero => ErrorKind::WriteZero,
            Self::Writer(error) => error.kind(),
            Self::Spent => ErrorKind::InvalidInput,
        }
    }
}

/// Writes all of `bytes`. The trait's own method would panic where a writer takes nothing.
fn write_all<W: Write>(writer: &mut W, mut bytes: &[u8]) -> Result<(), WriteError<W::Error>> {
    while !bytes.is_empty() {
        match writer.write(bytes) {
            Ok(0) => return Err(WriteError::Zero),
            Ok(count) => bytes = bytes.get(count..).unwrap_or(&[]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(WriteError::Writer(error)),
        }
    }
    Ok(())
}

/// Writes to where nobody looks until a commit step, as to a flash partition that is then switched over.
///
/// At the end of a complete body the writer is flushed, and then `commit` is called; otherwise `discard` is,
/// also where the flush fails. Exactly one of the two is called, and once. If the commit step itself fails, it
/// alone knows what took effect, and `discard` is not called. It serves one body: behind that it takes no byte and
/// commits nothing, and says so as [`WriteError::Spent`].
///
/// ```
/// # struct Partition { staged: Vec<u8>, active: Vec<u8> }
/// # impl embedded_io::ErrorType for Partition { type Error = core::convert::Infallible; }
/// # impl embedded_io::Write for Partition {
/// #     fn write(&mut self, run: &[u8]) -> Result<usize, Self::Error> { self.staged.extend_from_slice(run); Ok(run.len()) }
/// #     fn flush(&mut self) -> Result<(), Self::Error> { Ok(()) }
/// # }
/// # impl Partition {
/// #     fn switch_over(&mut self) -> Result<(), core::convert::Infallible> { self.active = core::mem::take(&mut self.staged); Ok(()) }
/// #     fn erase(&mut self) { self.staged.clear(); }
/// # }
/// # let mut partition = Partition { staged: vec![], active: vec![] };
/// use plimsoll::{Sink, Staged};
///
/// let mut sink = Staged::new(&mut partition, 256 * 1024, |p| p.switch_over(), |p| p.erase());
/// sink.provisional(b"image")?;
/// sink.commit()?;
/// assert_eq!(partition.active, b"image");
/// # Ok::<(), plimsoll::WriteError<core::convert::Infallible>>(())
/// ```
#[derive(Debug)]
pub struct Staged<W, C, X> {
    writer: W,
    capacity: u64,
    steps: Option<(C, X)>,
}

impl<W: Write, C: FnOnce(&mut W) -> Result<(), W::Error>, X: FnOnce(&mut W)> Staged<W, C, X> {
    /// A sink that writes at most `capacity` bytes to `writer`; one more is `decoded_limit`.
    #[must_use]
    pub const fn new(writer: W, capacity: u64, commit: C, discard: X) -> Self {
        Self { writer, capacity, steps: Some((commit, discard)) }
    }
}

impl<W, C, X> Staged<W, C, X> {
    /// The writer.
    #[must_use]
    pub const fn writer(&self) -> &W {
        &self.writer
    }

    /// Takes the writer back.
    #[must_use]
    pub fn into_writer(self) -> W {
        self.writer
    }
}

impl<W: Write, C: FnOnce(&mut W) -> Result<(), W::Error>, X: FnOnce(&mut W)> Sink for Staged<W, C, X> {
    type Error = WriteError<W::Error>;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        self.capacity
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        if self.steps.is_none() {
            return Err(WriteError::Spent);
        }
        write_all(&mut self.writer, bytes)
    }

    fn commit(&mut self) -> Result<(), Self::Error> {
        let (commit, discard) = self.steps.take().ok_or(WriteError::Spent)?;
        if let Err(error) = self.writer.flush() {
            discard(&mut self.writer);
            return Err(WriteError::Writer(error));
        }
        commit(&mut self.writer).map_err(WriteError::Writer)
    }

    fn discard(&mut self) {
        if let Some((_, discard)) = self.steps.take() {
            discard(&mut self.writer);
        }
    }
}

/// Writes to where bytes cannot be taken back, such as a serial line or a pipe. They count as exposed.
///
/// A complete body is flushed; of any other, a prefix is out.
#[derive(Debug)]
pub struct Through<W> {
    writer: W,
}

impl<W: Write> Through<W> {
    /// A sink that hands every run on at once.
    #[must_use]
    pub const fn new(writer: W) -> Self {
        Self { writer }
    }

    /// Takes the writer back.
    #[must_use]
    pub fn into_writer(self) -> W {
        self.writer
    }
}

impl<W: Write> Sink for Through<W> {
    type Error = WriteError<W::Error>;
    const EXPOSES: bool = true;

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        write_all(&mut self.writer, bytes)
    }

    fn commit(&mut self) -> Result<(), Self::Error> {
        self.writer.flush().map_err(WriteError::Writer)
    }

    fn discard(&mut self) {}
}
