//! Documents and streams that are legal or have one thing wrong satisfy the properties of JSON.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("made_json", data));
