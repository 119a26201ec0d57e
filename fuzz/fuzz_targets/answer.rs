//! A tool result is what was selected as serde_json reads it back, whole within its limits or a part.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("answer", data));
