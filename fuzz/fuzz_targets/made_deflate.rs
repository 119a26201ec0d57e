//! Blocks with every field at and over its border satisfy `inflate` and `histories`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("made_deflate", data));
