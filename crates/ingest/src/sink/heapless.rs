//! A sink that is a `heapless::Vec`: its bytes, their number and whether they count.

use core::convert::Infallible;
use core::fmt;

use heapless::Vec;

use super::Sink;

/// A sink with `N` bytes of its own, which yields the body only when it is complete.
///
/// `N` is a limit: one byte more is `decoded_limit`. After a body that was discarded it can take another; one that
/// already has a body and is handed to a machine once more yields nothing.
#[derive(Default)]
pub struct VecSink<const N: usize> {
    bytes: Vec<u8, N>,
    /// Whether something came behind a body, or a run did not fit, which the machine does not let happen.
    spent: bool,
    committed: bool,
}

impl<const N: usize> VecSink<N> {
    /// An empty sink. It is all zeros, so a `static` of it lies in `.bss`.
    #[must_use]
    pub const fn new() -> Self {
        Self { bytes: Vec::new(), spent: false, committed: false }
    }

    /// The body, once it is complete.
    #[must_use]
    pub fn body(&self) -> Option<&[u8]> {
        if self.committed && !self.spent { Some(&self.bytes) } else { None }
    }

    /// The body as a vector, if it is complete.
    #[must_use]
    pub fn into_body(self) -> Option<Vec<u8, N>> {
        if self.committed && !self.spent { Some(self.bytes) } else { None }
    }
}

/// Without a byte of the body.
impl<const N: usize> fmt::Debug for VecSink<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VecSink")
            .field("length", &self.bytes.len())
            .field("committed", &self.committed)
            .finish_non_exhaustive()
    }
}

impl<const N: usize> Sink for VecSink<N> {
    type Error = Infallible;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        N as u64
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.spent |= self.committed || self.bytes.extend_from_slice(bytes).is_err();
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Infallible> {
        self.spent |= self.committed;
        self.committed = true;
        Ok(())
    }

    fn discard(&mut self) {
        self.spent |= self.committed;
        self.bytes.clear();
    }
}
