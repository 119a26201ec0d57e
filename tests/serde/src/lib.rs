//! What the tests of typed values share: a source that shows a body a few bytes at a time, documents made at random
//! after the shape of a type, and where the real ones are.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::string_slice,
    clippy::panic,
    clippy::panic_in_result_fn,
    reason = "a test fails by a panic"
)]

pub mod compare;
pub mod shape;
pub mod source;
pub mod types;

use std::fs;

use cargo_metadata::MetadataCommand;
use plimsoll_json::{Assembler, Counted, Limits};

/// A real document, from the benches of bufjson.
///
/// # Panics
/// When the data is not there.
#[must_use]
pub fn real(name: &str) -> Vec<u8> {
    let metadata = MetadataCommand::new().other_options(vec!["--offline".into()]).exec().unwrap();
    let package = metadata.packages.iter().find(|package| package.name.as_str() == "bufjson").unwrap();
    fs::read(package.manifest_path.parent().unwrap().join("benches/data").join(name)).unwrap()
}

/// An assembler of a host's limits, but for a depth of 32.
///
/// # Panics
/// When there is no room for the levels.
pub fn assembler(scratch: &mut [u8]) -> Assembler<'_, Counted<32>> {
    Assembler::new(Limits { depth: 32, ..Limits::HOST }, scratch).unwrap()
}
