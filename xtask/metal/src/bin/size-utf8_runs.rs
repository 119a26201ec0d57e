//! `plimsoll-utf8`: whole characters as `&str`.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_utf8::Runs;

plimsoll_metal::image!(main);

fn main() {
    let mut runs = Runs::new();
    for chunk in black_box::<&[&[u8]]>(&[]) {
        black_box(runs.step(chunk).is_ok());
    }
    black_box(runs.finish().is_ok());
}
