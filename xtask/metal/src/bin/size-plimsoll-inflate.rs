//! `plimsoll-inflate`: raw DEFLATE through a ring of 32 KiB, with a work limit.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_budget::WorkMeter;
use plimsoll_core::Decode;
use plimsoll_inflate::{Inflate, Native, Ring};
use plimsoll_metal::variable;

plimsoll_metal::image!(main);

fn main() {
    let engine = variable!(Native = Native::new());
    let ring = variable!([u8; 32 << 10] = [0; 32 << 10]);
    let work = WorkMeter::new(black_box(32_768));
    let mut inflate = Inflate::new(black_box(engine), Ring::new(black_box(ring)), work);
    let input: &[u8] = black_box(&[]);
    let _ = black_box(inflate.decode(input).is_ok());
    let _ = black_box(inflate.finish().is_ok());
}
