//! `cargo xtask bench`: the measurements, in a crate of their own because their peers are many.

use crate::command::{Outcome, cargo};

/// Runs the bench with the arguments that follow.
///
/// # Errors
/// If it cannot be built or fails.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let bench = ["run", "--quiet", "--release", "--package", "plimsoll-bench", "--"];
    cargo(bench.into_iter().chain(arguments.iter().map(String::as_str)))
}
