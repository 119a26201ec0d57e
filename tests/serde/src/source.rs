//! A body that comes through a small buffer, which is overwritten before it is filled again.

use core::fmt;

use embedded_io::ErrorKind;

/// A source that fails with this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failure(pub ErrorKind);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl core::error::Error for Failure {}

impl embedded_io::Error for Failure {
    fn kind(&self) -> ErrorKind {
        self.0
    }
}

/// Shows `size` bytes at a time; before that, it fails as `trouble` says for each request.
pub struct Source<'a, T> {
    rest: &'a [u8],
    size: usize,
    buffer: Vec<u8>,
    at: usize,
    trouble: T,
    asked: usize,
}

/// Does not fail.
pub type Quiet<'a> = Source<'a, fn(usize) -> Option<ErrorKind>>;

/// A source that does not fail.
#[must_use]
pub fn quiet(body: &[u8], size: usize) -> Quiet<'_> {
    Source::new(body, size, |_| None)
}

impl<'a, T: FnMut(usize) -> Option<ErrorKind>> Source<'a, T> {
    /// At the start of a body.
    pub const fn new(body: &'a [u8], size: usize, trouble: T) -> Self {
        Self { rest: body, size, buffer: Vec::new(), at: 0, trouble, asked: 0 }
    }
}

impl<T> embedded_io::ErrorType for Source<'_, T> {
    type Error = Failure;
}

impl<T: FnMut(usize) -> Option<ErrorKind>> embedded_io::Read for Source<'_, T> {
    fn read(&mut self, _buffer: &mut [u8]) -> Result<usize, Failure> {
        Err(Failure(ErrorKind::Unsupported))
    }
}

impl<T: FnMut(usize) -> Option<ErrorKind>> embedded_io::BufRead for Source<'_, T> {
    fn fill_buf(&mut self) -> Result<&[u8], Failure> {
        self.asked += 1;
        if let Some(kind) = (self.trouble)(self.asked - 1) {
            return Err(Failure(kind));
        }
        if self.at == self.buffer.len() {
            self.buffer.fill(0xff);
            let (next, rest) = self.rest.split_at(self.rest.len().min(self.size));
            self.buffer.clear();
            self.buffer.extend_from_slice(next);
            (self.at, self.rest) = (0, rest);
        }
        Ok(&self.buffer[self.at..])
    }

    fn consume(&mut self, count: usize) {
        assert!(count <= self.buffer.len() - self.at);
        self.buffer[self.at..self.at + count].fill(0xff);
        self.at += count;
    }
}
