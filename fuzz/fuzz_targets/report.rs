//! The report of any outcome is valid JSON with the published keys and the outcome's values.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("report", data));
