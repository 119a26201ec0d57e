//! By any driver and reader, through waits, interruptions and dropped futures, a body comes to the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("drivers", data));
