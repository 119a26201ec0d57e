//! Raw DEFLATE is judged as RFC 1951 and zlib-rs say: the same bytes, verdict and length.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("inflate", data));
