//! Codings, media types, pointers, sizes, durations and rates are read as by a second reading of their grammar.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("policy", data));
