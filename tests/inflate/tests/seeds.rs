//! The seeds with which libdeflate is fuzzed, taken as raw DEFLATE at each of their first offsets, so that a header
//! of any kind in front is passed over: judged as by the reference, accepted as by zlib-rs.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that overflows or finds nothing fails"
)]

use plimsoll_tests_inflate::oracles::{self, Opinion};
use plimsoll_tests_inflate::{Cut, Engines, Memory, corpora, reference};

#[test]
fn fuzz_seeds_are_judged_as_by_the_reference_and_zlib_rs() {
    let mut engines = Engines::default();
    let mut whole = 0;
    for seed in corpora::fuzz_seeds() {
        for offset in 0..=seed.bytes.len().min(24) {
            let stream = &seed.bytes[offset..];
            let memory = Memory::Flat(4 << 20);
            let expected = reference::inflate(memory, u64::MAX, stream);
            let opinion = match expected.verdict {
                Ok(length) => Opinion::Whole(expected.bytes.clone(), length),
                Err(_) => Opinion::Refused(expected.bytes.clone()),
            };
            let context = format!("{} from {offset}", seed.name);
            assert_eq!(oracles::zlib_rs(stream, expected.bytes.len() + 600), opinion, "{context}");
            if let Some(bytes) = oracles::libdeflate(stream, expected.bytes.len() + 600) {
                assert_eq!(
                    (bytes, true),
                    (expected.bytes.clone(), expected.verdict.is_ok()),
                    "{context}: libdeflate"
                );
                whole += 1;
            }
            for cut in [Cut::Whole, Cut::Each(1), Cut::Each(100)] {
                let memory = Memory::Flat(expected.bytes.len());
                assert_eq!(engines.native(memory, u64::MAX, stream, cut), expected, "{context}, {cut:?}");
            }
        }
    }
    assert!(whole > 0, "some seeds are whole streams");
}
