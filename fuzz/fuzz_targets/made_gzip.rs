//! Members that are legal or have one thing wrong satisfy `gzip`, `gzip_limits` and `machine`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("made_gzip", data));
