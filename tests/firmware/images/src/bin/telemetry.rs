//! A telemetry document over a serial line, 64 bytes at a time, to the fields that are wanted of it.
#![no_std]
#![no_main]

use plimsoll::{Coding, Head};
use plimsoll_firmware::intake::{BOUNDS, take_in};
use plimsoll_firmware::memory::Memory;
use plimsoll_firmware::show;
use plimsoll_firmware::telemetry::Collector;
use plimsoll_firmware::uart::Uart;
use static_cell::ConstStaticCell;

plimsoll_board::no_panics!();
plimsoll_board::image!(run);

static MEMORY: ConstStaticCell<Memory> = ConstStaticCell::new(Memory::new());
static COLLECTOR: ConstStaticCell<Collector> = ConstStaticCell::new(Collector::new());

/// `gzip -9n` of a document with 96 readings.
static DOCUMENT: &[u8] = include_bytes!("../../../../../fixtures/telemetry.json.gz");

fn run() {
    let (Some(memory), Some(collector)) = (MEMORY.try_take(), COLLECTOR.try_take()) else { return };

    let head = Head::new(Coding::Gzip).with_length(DOCUMENT.len() as u64);
    let mut clock = || 0; // a board with a timer reads it here
    match take_in(memory, &head, &BOUNDS, Uart::new(DOCUMENT), &mut clock, collector) {
        Ok(telemetry) => show::telemetry(telemetry),
        Err(rejection) => show::rejection(&rejection),
    }
}
