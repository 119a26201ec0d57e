//! `cargo xtask bench` and `cargo xtask footprint`: the measurements, in crates of their own: one has many peers, one needs
//! QEMU.

use crate::command::{Outcome, cargo};

/// Runs the bench with the arguments that follow: on this machine, or with `metal` on a device.
///
/// # Errors
/// If it cannot be built or fails.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    if arguments.first().is_some_and(|kind| kind == "metal") {
        return device(arguments);
    }
    measure(["--release", "--package", "plimsoll-bench"], arguments)
}

/// Measures what images take of a device: `footprint` or `metal`, and the arguments that follow.
///
/// # Errors
/// If it cannot be built, if a figure is over its ceiling or far under it, or if a table in the README is stale.
pub(crate) fn device(arguments: &[String]) -> Outcome {
    measure(["--package", "plimsoll-device"], arguments)
}

fn measure<const N: usize>(build: [&str; N], arguments: &[String]) -> Outcome {
    let arguments = arguments.iter().map(String::as_str);
    cargo(["run", "--quiet"].into_iter().chain(build).chain(["--"]).chain(arguments))
}
