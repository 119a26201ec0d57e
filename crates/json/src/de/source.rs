//! Where the bytes come from: one slice, or a source with a buffer.

use core::convert::Infallible;

/// Bytes that are shown until they are consumed. In a private module, so that their set is closed.
pub trait Bytes<'de> {
    /// How it fails.
    type Error;
    /// Shows the next bytes; none at the end.
    fn fill(&mut self) -> Result<&[u8], Self::Error>;
    /// The first `count` bytes shown are done with.
    fn consume(&mut self, count: usize);
    /// What is shown, where it outlives everything.
    fn whole(&self) -> Option<&'de [u8]>;
    /// Whether the same may be asked again at once.
    fn is_interruption(error: &Self::Error) -> bool;
}

/// A body that lies in one slice.
#[derive(Clone, Copy)]
pub struct Slice<'de>(pub(super) &'de [u8]);

impl<'de> Bytes<'de> for Slice<'de> {
    type Error = Infallible;

    fn fill(&mut self) -> Result<&[u8], Infallible> {
        Ok(self.0)
    }

    fn consume(&mut self, count: usize) {
        self.0 = self.0.get(count..).unwrap_or_default();
    }

    fn whole(&self) -> Option<&'de [u8]> {
        Some(self.0)
    }

    fn is_interruption(_error: &Infallible) -> bool {
        false
    }
}

/// A body that comes from a blocking source.
#[cfg(feature = "embedded-io")]
pub struct Buffered<R>(pub(super) R);

#[cfg(feature = "embedded-io")]
impl<R: embedded_io::BufRead> Bytes<'_> for Buffered<R> {
    type Error = R::Error;

    fn fill(&mut self) -> Result<&[u8], R::Error> {
        self.0.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }

    fn whole(&self) -> Option<&'static [u8]> {
        None
    }

    fn is_interruption(error: &R::Error) -> bool {
        embedded_io::Error::kind(error) == embedded_io::ErrorKind::Interrupted
    }
}
