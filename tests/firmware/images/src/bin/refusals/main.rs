//! Every refusal in turn, each with its reason, and which reasons were not among them.
#![no_std]
#![no_main]

mod bodies;
mod circumstances;
mod context;
mod document;
mod framing;
mod head;
mod records;
mod selection;
mod trial;

use plimsoll_firmware::memory::Memory;
use plimsoll_firmware::telemetry::Collector;
use plimsoll_firmware::uart::Uart;
use static_cell::ConstStaticCell;

use crate::trial::Trial;

plimsoll_board::no_panics!();
plimsoll_board::image!(run);

static MEMORY: ConstStaticCell<Memory<1024>> = ConstStaticCell::new(Memory::new());
static COLLECTOR: ConstStaticCell<Collector> = ConstStaticCell::new(Collector::new());

fn run() {
    let (Some(memory), Some(collector)) = (MEMORY.try_take(), COLLECTOR.try_take()) else { return };
    let mut trial = Trial::new(memory, collector);

    head::meet(&mut trial);
    for bodies in [&head::BODIES[..], &framing::BODIES, &document::BODIES, &selection::BODIES] {
        for body in bodies {
            trial.document(&body.head, &body.bounds, Uart::new(body.bytes), &mut || 0);
            trial.expect(body.reason);
        }
    }
    framing::beyond_the_window(&mut trial);
    records::meet(&mut trial);
    circumstances::meet(&mut trial);
    context::meet(&mut trial);

    trial.tell_the_others();
}
