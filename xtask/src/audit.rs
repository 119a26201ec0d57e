//! `cargo xtask audit`: licences, bans and sources of everything in the workspace's tree, and known vulnerabilities, with
//! cargo-deny and `deny.toml`.
//!
//! It takes minutes to compile cargo-deny, so this is no step of `cargo xtask test`; it stays under `target/tools` for the
//! next time. Licences, bans and sources need no network. The database of advisories does, and a run that could not
//! fetch it says so and does not pass for one that did.

use std::path::Path;
use std::process::Command;

use crate::command::{Outcome, cargo, run};

/// The version that `deny.toml` is written for.
const VERSION: &str = "0.20.2";

const FOLDER: &str = "target/tools";

/// Runs all checks. Without the database of advisories that is an error where `need_advisories` says so, and otherwise a
/// warning.
///
/// # Errors
/// If cargo-deny cannot be installed or finds something.
pub(crate) fn audit(need_advisories: bool) -> Outcome {
    install()?;
    run(deny().args(["check", "--hide-inclusion-graph", "licenses", "bans", "sources"]))?;
    if let Err(failure) = run(deny().args(["fetch", "db"])) {
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
    run(deny().args(["check", "--disable-fetch", "advisories"]))
}

/// Compiles the pinned version, unless it is there.
fn install() -> Outcome {
    let installed = Command::new(program()).arg("--version").output();
    if installed.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim().ends_with(VERSION)) {
        return Ok(());
    }
    println!("Compiling cargo-deny {VERSION}, which takes some minutes");
    let version = format!("={VERSION}");
    cargo([
        "install",
        "cargo-deny",
        "--quiet",
        "--locked",
        "--force",
        "--version",
        &version,
        "--root",
        FOLDER,
    ])
}

fn program() -> std::path::PathBuf {
    Path::new(FOLDER).join("bin/cargo-deny")
}

fn deny() -> Command {
    let mut command = Command::new(program());
    command.arg("--locked");
    command
}
