//! `plimsoll-utf8`: the validator.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_core::Inspect;
use plimsoll_utf8::Utf8;

plimsoll_metal::footprint!("json", validate, stack: [Utf8], state: []);

fn validate(body: &[u8], piece: usize) {
    let mut utf8 = Utf8::new();
    for chunk in plimsoll_metal::pieces(body, piece) {
        black_box(utf8.inspect(chunk).is_ok());
    }
    black_box(utf8.finish().is_ok());
}
