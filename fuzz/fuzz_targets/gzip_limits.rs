//! A gzip body is complete under limits exactly where it has no more than they allow.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("gzip_limits", data));
