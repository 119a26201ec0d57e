//! A JSON document is taken exactly where serde_json takes it, with the same contents, in any pieces.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("json", data));
