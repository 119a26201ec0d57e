//! A script as a reader of `std::io`.

use std::io;

use embedded_io::{BufRead, Read};
use plimsoll_tests_drivers::script::Script;

/// The reader.
#[derive(Debug)]
pub struct StdScript(pub Script);

impl io::Read for StdScript {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.0.read(buf).map_err(|kind| io::ErrorKind::from(kind).into())
    }
}

impl io::BufRead for StdScript {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.fill_buf().map_err(|kind| io::ErrorKind::from(kind).into())
    }

    fn consume(&mut self, amt: usize) {
        self.0.consume(amt);
    }
}
