//! `plimsoll-utf8`: the validator.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_core::Inspect;
use plimsoll_utf8::Utf8;

plimsoll_metal::image!(main);

fn main() {
    let mut utf8 = Utf8::new();
    for chunk in black_box::<&[&[u8]]>(&[]) {
        black_box(utf8.inspect(chunk).is_ok());
    }
    black_box(utf8.finish().is_ok());
}
