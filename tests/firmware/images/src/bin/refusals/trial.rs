//! What a refusal is met with: it is printed, and noted.

use plimsoll::{Head, Reason, Rejection};
use plimsoll_board::print;
use plimsoll_firmware::intake::{Bounds, Clock, take_in};
use plimsoll_firmware::memory::Memory;
use plimsoll_firmware::show;
use plimsoll_firmware::telemetry::Collector;
use plimsoll_firmware::uart::Uart;

/// What is needed to take something in, and which reasons were met.
pub(crate) struct Trial<'m> {
    pub(crate) memory: &'m mut Memory<1024>,
    collector: &'m mut Collector,
    met: [bool; Reason::ALL.len()],
}

impl<'m> Trial<'m> {
    pub(crate) fn new(memory: &'m mut Memory<1024>, collector: &'m mut Collector) -> Self {
        Self { memory, collector, met: [false; Reason::ALL.len()] }
    }

    /// Takes a document in through the pipeline of the gateway.
    pub(crate) fn document(&mut self, head: &Head, bounds: &Bounds, uart: Uart, clock: Clock<'_>) {
        let refused = take_in(self.memory, head, bounds, uart, clock, self.collector).err();
        self.met(refused);
    }

    /// Prints a rejection, and takes note of it.
    pub(crate) fn met(&mut self, rejection: Option<Rejection>) {
        let Some(rejection) = rejection else { return print("accepted\n") };
        if let Some(met) = self.met.get_mut(rejection.reason() as usize) {
            *met = true;
        }
        show::rejection(&rejection);
    }

    /// Says so where a reason that should have been met by now was not.
    pub(crate) fn expect(&self, reason: Reason) {
        if !self.has_met(reason) {
            print(reason.as_str());
            print(" was expected\n");
        }
    }

    /// Says which reasons were not met at all.
    pub(crate) fn tell_the_others(&self) {
        for reason in Reason::ALL.iter().filter(|reason| !self.has_met(**reason)) {
            print("not met: ");
            print(reason.as_str());
            print("\n");
        }
        if Reason::ALL.iter().all(|reason| self.has_met(*reason)) {
            print("every reason was met\n");
        }
    }

    fn has_met(&self, reason: Reason) -> bool {
        self.met.get(reason as usize).copied().unwrap_or(false)
    }
}
