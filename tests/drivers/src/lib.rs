//! What the tests of the drivers share: bodies, a source that does what a script says and counts what is done to it, and
//! an executor of a few lines.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "a test fails by a panic"
)]

pub mod body;
pub mod executor;
pub mod script;
