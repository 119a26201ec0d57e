//! Under each policy a gzip body is complete exactly where flate2 takes all of it.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("gzip", data));
