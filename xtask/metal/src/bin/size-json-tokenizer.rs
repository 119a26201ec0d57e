//! `plimsoll-json`: the tokenizer, without counts of items.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_json::{Limits, Tokenizer, Uncounted};

plimsoll_metal::image!(main);

fn main() {
    let limits = Limits { items: Limits::DEVICE.values, ..Limits::DEVICE };
    let Ok(mut tokenizer) = Tokenizer::<Uncounted<4>>::new(black_box(limits)) else { return };
    for chunk in black_box::<&[&[u8]]>(&[]) {
        black_box(tokenizer.step(chunk).is_ok());
    }
    black_box(tokenizer.finish().is_ok());
}
