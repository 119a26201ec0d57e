//! `cargo xtask mutants`: changes the library crates one place at a time, and looks whether a test notices.
//!
//! Two rounds: each change against the crate's own tests, which are quick, and what they missed against the packages that
//! test the crate from outside. What cannot matter stands in `.cargo/mutants.toml`, with the reason. All of it takes hours:
//! a crate's name, and what is passed on (`--file`, `--in-diff`, `--shard`), make it shorter.

use std::process::Command;

use cargo_metadata::Package;

use crate::command::Outcome;
use crate::tool::Tool;

const MUTANTS: Tool = Tool("cargo-mutants", "27.1.0");

/// For each crate the features with which its own tests hold the most, and the packages that test it from outside.
const TESTED: [(&str, &str, &[&str]); 7] = [
    ("plimsoll-core", "", &[]),
    ("plimsoll-budget", "", &[]),
    ("plimsoll-utf8", "", &["plimsoll-tests-utf8"]),
    ("plimsoll-gzip", "", &["plimsoll-tests-conformance"]),
    (
        "plimsoll",
        "std,embedded-io-async,heapless,report",
        &["plimsoll-tests-drivers", "plimsoll-tests-conformance"],
    ),
    ("plimsoll-json", "float,serde,embedded-io,async", &["plimsoll-tests-json", "plimsoll-tests-serde"]),
    ("plimsoll-inflate", "miniz", &["plimsoll-tests-inflate", "plimsoll-tests-conformance"]),
];

/// Where a crate's results lie, below the folder of its name.
const FOLDER: &str = "target/mutants";

/// Runs both rounds for the crate of this name, or for all.
///
/// # Errors
/// If a change is missed, or the tests fail without one.
pub(crate) fn mutants(libraries: &[Package], name: Option<&str>, passed_on: &[String]) -> Outcome {
    MUTANTS.install()?;
    let mut missed = Vec::new();
    let mut ran = false;
    for (package, features, outside) in TESTED {
        let folder = libraries.iter().find(|library| library.name == package);
        let folder = folder.and_then(|library| library.manifest_path.parent()?.file_name());
        if name.is_some_and(|name| name != package && Some(name) != folder) {
            continue;
        }
        ran = true;
        let round = |tests: &[&str], iterate: &[&str]| -> Outcome<bool> {
            let mut command = MUTANTS.command()?;
            command
                .args(["mutants", "--package", package, "--features", features])
                .args(["--output", &format!("{FOLDER}/{package}")])
                .args(["--test-package", &tests.join(",")])
                .args(iterate)
                .args(passed_on);
            all_caught(&mut command)
        };
        let mut caught = round(&[package], &[])?;
        if !caught && !outside.is_empty() {
            caught = round(outside, &["--iterate"])?;
        }
        if !caught {
            missed.push(package);
        }
    }
    match (ran, missed.as_slice()) {
        (false, _) => Err("there is no library crate of that name".into()),
        (true, []) => Ok(()),
        (true, missed) => Err(format!("missed in {}: see {FOLDER}", missed.join(", ")).into()),
    }
}

/// Whether each change was caught; one that makes a test hang is.
fn all_caught(command: &mut Command) -> Outcome<bool> {
    /// What cargo-mutants answers where tests missed a change, and where some only hung.
    const MISSED: i32 = 2;
    const HUNG: i32 = 3;
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    match status.code() {
        Some(0 | HUNG) => Ok(true),
        Some(MISSED) => Ok(false),
        _ => Err(format!("{command:?}: {status}").into()),
    }
}
