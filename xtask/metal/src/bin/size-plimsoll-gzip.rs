//! `plimsoll-gzip` over `plimsoll-inflate`: a gzip body through a ring of 32 KiB, with CRC-32 and a work limit.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_budget::WorkMeter;
use plimsoll_core::Decode;
use plimsoll_gzip::{Gunzip, Policy};
use plimsoll_inflate::{Inflate, Native, Ring, SUGGESTED_WORK_LIMIT};
use plimsoll_metal::variable;

plimsoll_metal::image!(main);

fn main() {
    let engine = variable!(Native = Native::new());
    let ring = variable!([u8; 32 << 10] = [0; 32 << 10]);
    let work = WorkMeter::new(black_box(SUGGESTED_WORK_LIMIT));
    let inflate = Inflate::new(black_box(engine), Ring::new(black_box(ring)), work);
    let mut gunzip = Gunzip::new(inflate, Policy::single(black_box(4096)));
    let input: &[u8] = black_box(&[]);
    let _ = black_box(gunzip.decode(input).is_ok());
    let _ = black_box(gunzip.finish().is_ok());
}
