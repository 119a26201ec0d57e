//! The nightly toolchain, which has what the stable one does not: Miri, and coverage by branches. rustup brings it.

use std::ffi::OsStr;
use std::process::Command;

use crate::command::{Outcome, run};

/// Pinned, so that a finding is the code's and not the day's.
const NIGHTLY: &str = "nightly-2026-10-30";

/// Brings the toolchain with these components, unless both are there.
///
/// # Errors
/// If they cannot be fetched.
pub(crate) fn install(components: &[&str]) -> Outcome {
    let listed = Command::new("rustup")
        .args(["component", "list", "--installed", "--toolchain", NIGHTLY])
        .env_remove("RUSTUP_TOOLCHAIN")
        .output()?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    if components.iter().all(|component| listed.lines().any(|line| line.starts_with(component))) {
        return Ok(());
    }
    run(Command::new("rustup")
        .args(["toolchain", "install", NIGHTLY, "--profile", "minimal", "--no-self-update"])
        .args(components.iter().flat_map(|component| ["--component", component])))
}

/// A program that finds the toolchain's cargo, and not the environment of the cargo that runs this, which would call its own
/// compiler.
pub(crate) fn inside(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", NIGHTLY]).arg(program);
    command.env_remove("CARGO").env_remove("RUSTC").env_remove("RUSTUP_TOOLCHAIN");
    command
}
