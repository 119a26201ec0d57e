//! The reader as `std::io::{Read, BufRead}`.

use std::io;

use embedded_io::Error as _;
use plimsoll_core::Inspect;

use super::{ReadError, Reader};
use crate::decoder::Relend;
use crate::source::Source;
use crate::time::Clock;

/// An interruption has only its kind, which the methods of `std::io` repeat. Everything else holds the
/// [`ReadError`], and so the rejection: `error.get_ref()` and `downcast_ref` find it.
impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Interrupted => io::ErrorKind::Interrupted.into(),
            _ => Self::new(error.kind().into(), error),
        }
    }
}

impl<D: Relend, I: Inspect, S: Source, C: Clock, T> io::Read for Reader<D, I, S, C, T> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        Ok(self.copy(buf)?)
    }
}

impl<D: Relend, I: Inspect, S: Source, C: Clock, T> io::BufRead for Reader<D, I, S, C, T> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.fill()?)
    }

    fn consume(&mut self, amt: usize) {
        Reader::consume(self, amt);
    }
}
