//! Under any policy every form of the push machine says the same in any pieces, within its limits.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("machine", data));
