//! The `embedded_io` traits over those of `std::io`. Nothing is copied, and nothing is kept.

use std::io;

use embedded_io::{BufRead, ErrorType, Read, Write};

/// A `std::io` reader or writer as one of `embedded_io`, error kinds included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StdIo<T>(T);

impl<T> StdIo<T> {
    /// Wraps a reader or a writer.
    #[must_use]
    pub const fn new(inner: T) -> Self {
        Self(inner)
    }

    /// The reader or writer.
    #[must_use]
    pub const fn inner(&self) -> &T {
        &self.0
    }

    /// The reader or writer, such as a socket that is to be shut down.
    #[must_use]
    pub const fn inner_mut(&mut self) -> &mut T {
        &mut self.0
    }

    /// Takes the reader or writer back.
    #[must_use]
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> ErrorType for StdIo<T> {
    type Error = io::Error;
}

impl<T: io::Read> Read for StdIo<T> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read(buf)
    }
}

impl<T: io::BufRead> BufRead for StdIo<T> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf()
    }

    fn consume(&mut self, amt: usize) {
        self.0.consume(amt);
    }
}

impl<T: io::Write> Write for StdIo<T> {
    /// `std::io::Write` may answer `Ok(0)` where `embedded_io` has an error of the kind `WriteZero`.
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        match self.0.write(buf) {
            Ok(0) if !buf.is_empty() => Err(io::ErrorKind::WriteZero.into()),
            result => result,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
