//! Each record of a stream has the value that it has as a document of its own, or is refused for the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("values", data));
