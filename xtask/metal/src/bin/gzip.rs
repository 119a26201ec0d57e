//! `plimsoll-gzip` over `plimsoll-inflate`: a gzip body through a ring of 4 KiB, with CRC-32 and a work limit.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_budget::WorkMeter;
use plimsoll_core::{Decode, Run};
use plimsoll_gzip::{Gunzip, Policy};
use plimsoll_inflate::{Inflate, Native, Ring, SUGGESTED_WORK_LIMIT};
use plimsoll_metal::variable;

plimsoll_metal::footprint!(
    "gzip",
    gunzip,
    stack: [Gunzip<Inflate<&'static mut Native, Ring<'static>, WorkMeter>>],
    state: [Native]
);

fn gunzip(body: &[u8], piece: usize) {
    let engine = variable!(Native = Native::new());
    let ring = variable!([u8; 4 << 10] = [0; 4 << 10]);
    let inflate = Inflate::new(engine, Ring::new(ring), WorkMeter::new(SUGGESTED_WORK_LIMIT));
    let mut gunzip = Gunzip::new(inflate, Policy::single(4096));
    for mut rest in plimsoll_metal::pieces(body, piece) {
        while let Ok(step) = gunzip.decode(rest) {
            if !matches!(black_box(step.run), Run::Bytes(_)) {
                break;
            }
            rest = rest.get(step.consumed..).unwrap_or_default();
        }
    }
    black_box(gunzip.finish().is_ok());
}
