//! `plimsoll-json`: the check, without counts of items.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_core::Inspect;
use plimsoll_json::{Check, Limits, Uncounted};

plimsoll_metal::image!(main);

fn main() {
    let limits = Limits { items: Limits::DEVICE.values, ..Limits::DEVICE };
    let Ok(mut check) = Check::<Uncounted<4>>::new(black_box(limits)) else { return };
    for chunk in black_box::<&[&[u8]]>(&[]) {
        black_box(check.inspect(chunk).is_ok());
    }
    black_box(check.finish().is_ok());
}
