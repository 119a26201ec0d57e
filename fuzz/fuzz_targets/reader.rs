//! A body that is read in any parts comes to what its stages come to one after the other.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("reader", data));
