//! What the tests of answers share: documents and pointers made at random, what a tree says that they name, and gzip.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

pub mod document;
pub mod pointers;

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::test_runner::{Config, RngSeed};

/// One gzip member.
///
/// # Panics
/// Never: memory takes all bytes.
#[must_use]
pub fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// The same cases in every run, and no file of those that failed.
#[must_use]
pub fn config(cases: u32) -> Config {
    Config {
        cases,
        rng_seed: RngSeed::Fixed(0x9e37_79b9_7f4a_7c15),
        failure_persistence: None,
        ..Config::default()
    }
}
