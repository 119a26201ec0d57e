//! Each record that a check accepts is handed on once, whole and in order, and no other, in any pieces.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("effects", data));
