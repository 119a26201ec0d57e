//! What every image has: start, report and exit. The others are measured over this one.
#![no_std]
#![no_main]

use core::hint::black_box;

plimsoll_metal::footprint!("json", nothing, stack: [], state: []);

fn nothing(body: &[u8], piece: usize) {
    for chunk in plimsoll_metal::pieces(body, piece) {
        black_box(chunk);
    }
}
