//! `plimsoll-inflate`: raw DEFLATE into one buffer that is its history too, with a work limit.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_budget::WorkMeter;
use plimsoll_core::{Decode, Run};
use plimsoll_inflate::{Flat, Inflate, Native, SUGGESTED_WORK_LIMIT};
use plimsoll_metal::{output, variable};

plimsoll_metal::footprint!(
    "raw",
    inflate,
    stack: [Inflate<&'static mut Native, Flat<'static>, WorkMeter>],
    state: [Native]
);

fn inflate(body: &[u8], piece: usize) {
    let engine = variable!(Native = Native::new());
    let output = output!(8 << 10);
    let mut inflate = Inflate::new(engine, Flat::new(output), WorkMeter::new(SUGGESTED_WORK_LIMIT));
    for mut rest in plimsoll_metal::pieces(body, piece) {
        while let Ok(step) = inflate.decode(rest) {
            if !matches!(black_box(step.run), Run::Bytes(_)) {
                break;
            }
            rest = rest.get(step.consumed..).unwrap_or_default();
        }
    }
    black_box(inflate.finish().is_ok());
}
