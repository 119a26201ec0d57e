//! `miniz_oxide`: raw DEFLATE through a ring of 32 KiB.
#![no_std]
#![no_main]

use core::hint::black_box;

use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use plimsoll_metal::variable;

plimsoll_metal::image!(main);

fn main() {
    let mut inflater = DecompressorOxide::new();
    let ring = variable!([u8; 32 << 10] = [0; 32 << 10]);
    let input: &[u8] = black_box(&[]);
    black_box(decompress(
        black_box(&mut inflater),
        input,
        black_box(ring),
        black_box(0),
        TINFL_FLAG_HAS_MORE_INPUT,
    ));
}
