//! `plimsoll-inflate`: raw DEFLATE through a ring of 4 KiB, with a work limit.
#![no_std]
#![no_main]

use plimsoll_budget::WorkMeter;
use plimsoll_core::{Decode, Run};
use plimsoll_inflate::{Inflate, Native, Ring, SUGGESTED_WORK_LIMIT};
use plimsoll_metal::variable;

plimsoll_metal::footprint!("raw", inflate, stack: [Inflate<&'static mut Native, Ring<'static>, WorkMeter>], state: [Native]);

fn inflate(body: &[u8], piece: usize) {
    let engine = variable!(Native = Native::new());
    let ring = variable!([u8; 4 << 10] = [0; 4 << 10]);
    let mut inflate = Inflate::new(engine, Ring::new(ring), WorkMeter::new(SUGGESTED_WORK_LIMIT));
    for mut rest in plimsoll_metal::pieces(body, piece) {
        while let Ok(step) = inflate.decode(rest) {
            if !matches!(core::hint::black_box(step.run), Run::Bytes(_)) {
                break;
            }
            rest = rest.get(step.consumed..).unwrap_or_default();
        }
    }
    core::hint::black_box(inflate.finish().is_ok());
}
