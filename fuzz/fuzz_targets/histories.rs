//! A ring and a flat buffer give the same bytes and verdict with every engine.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("histories", data));
