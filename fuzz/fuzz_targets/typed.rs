//! A document read into a type has the value that serde_json gives it, or both refuse it.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("typed", data));
