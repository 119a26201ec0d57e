//! What the tests of faults share: all ways to take a body in, as values to go over, and a sink that fails where it is told
//! to. The sources are those of the tests of the drivers.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "a test fails by a panic"
)]

pub mod bodies;
pub mod drive;
pub mod failing;
pub mod pull;
pub mod std_script;
