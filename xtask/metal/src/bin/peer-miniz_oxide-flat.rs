//! `miniz_oxide`: raw DEFLATE into one buffer that is its history too.
#![no_std]
#![no_main]

use core::hint::black_box;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use plimsoll_metal::output;

plimsoll_metal::footprint!("raw", inflate, stack: [DecompressorOxide], state: []);

fn inflate(body: &[u8], piece: usize) {
    const FLAGS: u32 = TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let mut inflater = DecompressorOxide::new();
    let output = output!(8 << 10);
    let mut at = 0;
    for rest in plimsoll_metal::pieces(body, piece) {
        let (status, _, made) = decompress(&mut inflater, rest, output, at, FLAGS);
        at += made;
        if black_box(status) != TINFLStatus::NeedsMoreInput {
            break;
        }
    }
}
