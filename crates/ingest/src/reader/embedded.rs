//! The reader as `embedded_io::{Read, BufRead}` and `embedded_io_async::{Read, BufRead}`.

use embedded_io::ErrorKind;
use plimsoll_core::{Inspect, Reason};

use super::{ReadError, Reader};
use crate::decoder::Relend;
use crate::source::{Source, Supply};
use crate::time::Clock;

impl embedded_io::Error for ReadError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Interrupted => ErrorKind::Interrupted,
            Self::Preview => ErrorKind::Other,
            Self::Rejected(rejection) => match rejection.reason() {
                Reason::Deadline | Reason::TooSlow => ErrorKind::TimedOut,
                Reason::Cancelled | Reason::SourceError => ErrorKind::ConnectionAborted,
                Reason::Capacity => ErrorKind::OutOfMemory,
                Reason::UnsupportedCoding | Reason::StackedCoding | Reason::UnsupportedMedia => {
                    ErrorKind::Unsupported
                }
                _ => ErrorKind::InvalidData,
            },
        }
    }
}

impl<D, I, S: Supply, C, T> embedded_io::ErrorType for Reader<D, I, S, C, T> {
    type Error = ReadError;
}

impl<D: Relend, I: Inspect, S: Source, C: Clock, T> embedded_io::Read for Reader<D, I, S, C, T> {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize, ReadError> {
        self.copy(buf)
    }
}

impl<D: Relend, I: Inspect, S: Source, C: Clock, T> embedded_io::BufRead for Reader<D, I, S, C, T> {
    fn fill_buf(&mut self) -> Result<&[u8], ReadError> {
        self.fill()
    }

    fn consume(&mut self, amt: usize) {
        Reader::consume(self, amt);
    }
}

#[cfg(feature = "embedded-io-async")]
mod waiting {
    use super::{Clock, Inspect, ReadError, Reader, Relend};
    use crate::source::AsyncSource;

    impl<D, I, S, C, T> embedded_io_async::Read for Reader<D, I, S, C, T>
    where
        D: Relend,
        I: Inspect,
        S: AsyncSource,
        C: Clock,
        T: Future<Output = ()> + Unpin,
    {
        async fn read(&mut self, buf: &mut [u8]) -> Result<usize, ReadError> {
            self.copy_async(buf).await
        }
    }

    impl<D, I, S, C, T> embedded_io_async::BufRead for Reader<D, I, S, C, T>
    where
        D: Relend,
        I: Inspect,
        S: AsyncSource,
        C: Clock,
        T: Future<Output = ()> + Unpin,
    {
        async fn fill_buf(&mut self) -> Result<&[u8], ReadError> {
            self.fill_async().await
        }

        fn consume(&mut self, amt: usize) {
            Reader::consume(self, amt);
        }
    }
}
