//! `cargo xtask soak`: the soak of `tests/soak` at its full size, in some two minutes on two cores.

use std::process::Command;

use crate::command::{Outcome, run};

/// Takes so many responses in.
///
/// # Errors
/// If a verdict is wrong, or something was allocated, kept or not given back.
pub(crate) fn soak(responses: u64, seed: Option<u64>) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--package", "plimsoll-tests-soak", "--test", "soak", "--", "--nocapture"]);
    command.env("PLIMSOLL_SOAK", responses.to_string());
    if let Some(seed) = seed {
        command.env("PLIMSOLL_SEED", seed.to_string());
    }
    run(&mut command)
}
