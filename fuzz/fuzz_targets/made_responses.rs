//! Packed documents and streams, whole, cut or changed in one place, satisfy `pipeline`, `reader` and `drivers`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("made_responses", data));
