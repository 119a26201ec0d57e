//! `miniz_oxide`: raw DEFLATE through a ring of 4 KiB.
#![no_std]
#![no_main]

use core::hint::black_box;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use plimsoll_metal::variable;

plimsoll_metal::footprint!("raw", inflate, stack: [DecompressorOxide], state: []);

fn inflate(body: &[u8], piece: usize) {
    const WINDOW: usize = 4 << 10;
    let mut inflater = DecompressorOxide::new();
    let ring = variable!([u8; WINDOW] = [0; WINDOW]);
    let mut at = 0;
    for mut rest in plimsoll_metal::pieces(body, piece) {
        loop {
            let (status, consumed, made) =
                decompress(&mut inflater, rest, ring, at, TINFL_FLAG_HAS_MORE_INPUT);
            at = (at + made) % WINDOW;
            rest = rest.get(consumed..).unwrap_or_default();
            if black_box(status) != TINFLStatus::HasMoreOutput {
                break;
            }
        }
    }
}
