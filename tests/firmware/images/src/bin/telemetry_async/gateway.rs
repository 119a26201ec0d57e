//! The task: receives a document, prints what came of it, and ends the run.

use core::pin::Pin;
use core::task::{Context, Poll, ready};

use plimsoll_board::{end, print, print_number};
use plimsoll_firmware::show;

use crate::receive::Receive;

/// The task.
pub(crate) struct Gateway {
    receive: Receive,
}

impl Gateway {
    pub(crate) const fn new(receive: Receive) -> Self {
        Self { receive }
    }
}

impl Future for Gateway {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        match ready!(Pin::new(&mut self.receive).poll(context)) {
            Ok(telemetry) => show::telemetry(telemetry),
            Err(rejection) => show::rejection(&rejection),
        }
        print("waited: ");
        print_number(self.receive.line().waits().into());
        print("\n");
        end()
    }
}
