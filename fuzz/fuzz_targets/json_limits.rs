//! A JSON document is accepted under limits exactly where it has no more than they allow.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("json_limits", data));
