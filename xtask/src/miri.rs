//! `cargo xtask miri`: the unit tests of the library crates in Miri, which interprets them and stops at undefined behaviour,
//! data races and leaks, on machines that the host is not: one with 32-bit words, one that is big-endian.
//!
//! None of these crates has unsafe code, but what they depend on has. Tests that would take minutes take fewer cases here,
//! under `cfg!(miri)`.

use std::process::Command;
use std::thread;

use cargo_metadata::Package;

use crate::command::{Outcome, run};
use crate::nightly;

/// Little-endian with 32-bit words, and big-endian with 64-bit ones. Each half of a usual host is in one of them, so it is
/// not interpreted too.
const TARGETS: [&str; 2] = ["i686-unknown-linux-gnu", "s390x-unknown-linux-gnu"];

/// Features that Miri cannot run (instructions that a processor is asked for, a linker script) and one that takes
/// code away, which the unit tests hold against the other without it.
const WITHOUT: [&str; 4] = ["crc32fast", "defmt", "simdutf8", "small-crc"];

/// Runs the tests on each target.
///
/// # Errors
/// If Miri cannot be fetched, or stops at something.
pub(crate) fn miri(libraries: &[Package]) -> Outcome {
    nightly::install(&["miri", "rust-src"])?;
    let features = features(libraries).join(",");
    // Both at a time: each is one thread.
    let failures: Vec<String> = thread::scope(|scope| {
        let running = TARGETS.map(|target| {
            let mut command = command(target, libraries, &features);
            scope.spawn(move || run(&mut command).map_err(|failure| failure.to_string()))
        });
        let answers = running.into_iter().map(|thread| thread.join().map_err(|_| "it panicked".to_owned()));
        answers.filter_map(|answer| answer.and_then(|done| done).err()).collect()
    });
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// The tests on a target. Each has a folder of its own, as one waits for the other in the same.
fn command(target: &str, libraries: &[Package], features: &str) -> Command {
    println!("-- {target}");
    let mut command = nightly::inside("cargo");
    command
        .args([
            "miri",
            "test",
            "--quiet",
            "--target",
            target,
            "--target-dir",
            &format!("target/miri/{target}"),
        ])
        .args(libraries.iter().flat_map(|package| ["--package", package.name.as_str()]))
        .args(["--features", features])
        // The threads are the one test outside of the crates that is about memory.
        .args(["--lib", "--test", "contention"])
        // Miri warns that it does not optimise.
        .args(["--config", "profile.dev.opt-level=0"]);
    command
}

/// The step of `cargo xtask test`. Where Miri cannot be fetched, a person is told, and CI fails.
///
/// # Errors
/// As [`miri`].
pub(crate) fn step(libraries: &[Package]) -> Outcome {
    if let Err(failure) = nightly::install(&["miri", "rust-src"]) {
        if std::env::var_os("CI").is_some_and(|value| value == "true") {
            return Err(failure);
        }
        eprintln!("\nNOTHING RAN IN MIRI: it could not be fetched ({failure})\n");
        return Ok(());
    }
    miri(libraries)
}

/// `package/feature` for each that Miri can run.
fn features(libraries: &[Package]) -> Vec<String> {
    let of = |package: &Package| {
        let features = package.features.keys().filter(|feature| !WITHOUT.contains(&feature.as_str()));
        features.map(|feature| format!("{}/{feature}", package.name)).collect::<Vec<_>>()
    };
    libraries.iter().flat_map(of).collect()
}
