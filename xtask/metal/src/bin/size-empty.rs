//! What every image has: vectors, start and exit. The others are measured over this one.
#![no_std]
#![no_main]

plimsoll_metal::image!(main);

fn main() {}
