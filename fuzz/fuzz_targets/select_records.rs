//! Each record of a stream is selected from as a document of its own, and skipped where it is refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| properties::check("select_records", data));
