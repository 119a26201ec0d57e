//! `cargo xtask firmware`: the images of `tests/firmware`, built, looked into and run under QEMU. That is done by a crate of
//! their workspace; here it is started.

use std::process::{Command, Stdio};

use cargo_metadata::Package;

use crate::command::{Outcome, cargo};
use crate::targets::TARGETS;

/// The emulators, and the packages of Debian that have them.
const EMULATORS: [(&str, &str); 2] =
    [("qemu-system-arm", "qemu-system-arm"), ("qemu-system-riscv32", "qemu-system-misc")];

const MANIFEST: [&str; 2] = ["--manifest-path", "tests/firmware/Cargo.toml"];

/// Builds the images for each board, and runs them.
///
/// # Errors
/// Where an image does not build, has a panic or an allocator, does not end well, or prints something else than expected.
pub(crate) fn firmware() -> Outcome {
    let check = ["run", "--quiet", "--locked", "--package", "plimsoll-firmware-check"];
    cargo(check.into_iter().chain(MANIFEST))
}

/// The step of the tests: format and lints, and the images themselves where the emulators are. Some three minutes of one
/// core, nearly all of them for building six sets of images with link-time optimisation.
pub(crate) fn step(_: &[Package]) -> Outcome {
    cargo(["fmt", "--all", "--check"].into_iter().chain(MANIFEST))?;
    let deny = ["--", "-D", "warnings"];
    for target in TARGETS {
        let clippy = ["clippy", "--quiet", "--locked", "--target", target];
        cargo(clippy.into_iter().chain(MANIFEST).chain(deny))?;
    }
    let clippy = ["clippy", "--quiet", "--locked", "--package", "plimsoll-firmware-check"];
    cargo(clippy.into_iter().chain(MANIFEST).chain(deny))?;

    let missing = || EMULATORS.into_iter().find(|(program, _)| !is_there(program));
    match missing() {
        None => firmware(),
        Some((program, package)) if is_ci() => {
            Err(format!("{program} is missing, which is in the package {package}").into())
        }
        Some((program, package)) => {
            eprintln!(
                "== firmware: THE IMAGES WERE NOT RUN: {program} is missing, which Debian has as {package}"
            );
            Ok(())
        }
    }
}

fn is_there(program: &str) -> bool {
    let answer = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    answer.is_ok_and(|status| status.success())
}

/// Whether this runs where nobody reads along.
fn is_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}
