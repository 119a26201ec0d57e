//! A serial line that has sent a body already: at most 64 bytes of it are lent at a time, as from a FIFO or a DMA buffer.

use plimsoll::{Failure, Source, Supply};

/// The most that is lent at a time.
const PIECE: usize = 64;

/// The line.
pub struct Uart {
    rest: &'static [u8],
    breaks: bool,
}

/// The line broke.
#[derive(Clone, Copy, Debug)]
pub struct Broken;

impl Uart {
    /// A line that brings `body` and then its end.
    #[must_use]
    pub const fn new(body: &'static [u8]) -> Self {
        Self { rest: body, breaks: false }
    }

    /// A line that breaks behind `body`.
    #[must_use]
    pub const fn breaking(body: &'static [u8]) -> Self {
        Self { rest: body, breaks: true }
    }

    /// The next piece, which is empty at the end.
    ///
    /// # Errors
    /// When the line has broken.
    pub fn piece(&self) -> Result<&'static [u8], Broken> {
        match self.rest {
            [] if self.breaks => Err(Broken),
            rest => Ok(rest.get(..PIECE).unwrap_or(rest)),
        }
    }
}

impl Supply for Uart {
    type Error = Broken;

    /// Hangs up: the rest is never read.
    fn cancel(&mut self) {
        self.rest = &[];
    }
}

impl Source for Uart {
    fn fill(&mut self) -> Result<&[u8], Failure<Broken>> {
        self.piece().map_err(Failure::Failed)
    }

    fn consume(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or(&[]);
    }
}
