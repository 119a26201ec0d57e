//! A response in any pieces comes to what its stages come to one after the other.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("pipeline", data));
