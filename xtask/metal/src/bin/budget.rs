//! `plimsoll-budget`: a meter of bytes and one of work.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_budget::{Meter, WorkMeter};
use plimsoll_core::{Inspect, Work};

plimsoll_metal::footprint!("json", meters, stack: [Meter, WorkMeter], state: []);

fn meters(body: &[u8], piece: usize) {
    let (mut meter, mut work) = (Meter::decoded(black_box(64)), WorkMeter::new(black_box(64)));
    for chunk in plimsoll_metal::pieces(body, piece) {
        black_box(meter.inspect(chunk).is_ok());
        black_box(work.charge(1).is_ok());
        work.credit(chunk.len());
    }
}
