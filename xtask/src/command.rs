//! Child processes that must succeed.

use std::error::Error;
use std::process::Command;

/// What a task answers.
pub(crate) type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// Runs the cargo that runs this, in the workspace.
///
/// # Errors
/// If it cannot be started or does not succeed.
pub(crate) fn cargo<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(cargo).args(arguments))
}

/// Runs a command.
///
/// # Errors
/// If it cannot be started or does not succeed.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}
