//! A serial line that has nothing whenever it is first asked for a piece, as if each had to arrive.

use core::task::{Context, Poll};

use plimsoll::{Source, Supply};
use plimsoll_firmware::uart::{Broken, Uart};

/// The line.
pub(crate) struct Line {
    uart: Uart,
    arrived: bool,
    waits: u32,
}

impl Line {
    pub(crate) const fn new(uart: Uart) -> Self {
        Self { uart, arrived: false, waits: 0 }
    }

    /// The next piece, which is empty at the end. Nothing is lost by not waiting for it.
    pub(crate) fn poll_piece(&mut self, context: &mut Context<'_>) -> Poll<Result<&'static [u8], Broken>> {
        if !self.arrived {
            self.arrived = true;
            self.waits = self.waits.saturating_add(1);
            // Here a driver leaves the waker to its interrupt, which calls it when bytes are there.
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.uart.piece())
    }

    /// The piece is done with; what follows has yet to arrive.
    pub(crate) fn consume(&mut self, count: usize) {
        self.arrived = false;
        self.uart.consume(count);
    }

    pub(crate) fn hang_up(&mut self) {
        self.uart.cancel();
    }

    /// How often there was nothing.
    pub(crate) const fn waits(&self) -> u32 {
        self.waits
    }
}
