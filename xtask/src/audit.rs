//! `cargo xtask audit`: licences, bans and sources of everything in the trees of all workspaces here, and known
//! vulnerabilities, with cargo-deny and `deny.toml`.
//!
//! It takes minutes to compile cargo-deny, so this is no step of `cargo xtask test`; it stays under `target/tools` for the
//! next time. Licences, bans and sources need no network. The database of advisories does, and a run that could not
//! fetch it says so and does not pass for one that did.

use std::process::Command;

use crate::command::{Outcome, run};
use crate::tool::Tool;

/// The version that `deny.toml` is written for.
const DENY: Tool = Tool("cargo-deny", "0.20.2");

/// All workspaces. What `deny.toml` allows is what the first one needs; each of the others needs some of it.
const WORKSPACES: [&str; 4] =
    ["Cargo.toml", "tests/firmware/Cargo.toml", "xtask/metal/Cargo.toml", "fuzz/Cargo.toml"];

/// Runs all checks. Without the database of advisories that is an error where `need_advisories` says so, and otherwise a
/// warning.
///
/// # Errors
/// If cargo-deny cannot be installed or finds something.
pub(crate) fn audit(need_advisories: bool) -> Outcome {
    DENY.install()?;
    for manifest in WORKSPACES {
        println!("-- {manifest}");
        // What one workspace needs no exception for, another one does; what is allowed to all, the first one needs.
        let mut check = deny(manifest)?;
        check.args(["check", "--hide-inclusion-graph", "--allow", "license-exception-not-encountered"]);
        if manifest != WORKSPACES[0] {
            check.args(["--allow", "license-not-encountered"]);
        }
        run(check.args(["licenses", "bans", "sources"]))?;
    }
    if let Err(failure) = run(deny("Cargo.toml")?.args(["fetch", "db"])) {
        let warning = format!(
            "KNOWN VULNERABILITIES WERE NOT LOOKED FOR: the database of advisories could not be fetched ({failure})"
        );
        if need_advisories {
            return Err(warning.into());
        }
        eprintln!(
            "\n{warning}\nLicences, bans and sources were checked. Run this again where there is a network."
        );
        return Ok(());
    }
    for manifest in WORKSPACES {
        println!("-- {manifest}");
        run(deny(manifest)?.args(["check", "--disable-fetch", "advisories"]))?;
    }
    Ok(())
}

/// cargo-deny for a workspace.
fn deny(manifest: &str) -> Outcome<Command> {
    let mut command = DENY.command()?;
    command.args(["--locked", "--config", "deny.toml", "--manifest-path", manifest]);
    Ok(command)
}
