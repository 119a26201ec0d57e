//! Pointers find what a walk through serde_json's tree finds, and retain no more than allowed.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("select", data));
