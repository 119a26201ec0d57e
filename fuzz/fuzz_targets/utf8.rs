//! Validator, runs and repair agree with core on the verdict, its place and the text, in any pieces.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("utf8", data));
