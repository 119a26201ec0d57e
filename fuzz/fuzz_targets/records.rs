//! A stream has the records that its format and serde_json say, in any pieces.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("records", data));
