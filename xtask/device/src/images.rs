//! Builds the images of `xtask/metal` and runs them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use plimsoll_subjects::corpora::Corpora;
use plimsoll_subjects::stamp;
use serde_json::{Value, json};

use crate::board::Board;

/// What every run is given: text goes to standard output.
const SEMIHOSTING: [&str; 3] = ["-nographic", "-semihosting-config", "enable=on,target=native"];
/// An instruction is 1 ns of virtual time.
pub(crate) const COUNTING: [&str; 2] = ["-icount", "shift=0"];

/// Builds images.
pub(crate) struct Images {
    manifest: PathBuf,
    target: PathBuf,
}

impl Images {
    pub(crate) fn new(corpora: &Corpora) -> Self {
        Self {
            manifest: corpora.root().join("xtask/metal/Cargo.toml"),
            target: corpora.target_directory().join("metal"),
        }
    }

    /// Lays out an input of images, if it is not there already: what is written anew has its images built anew.
    pub(crate) fn input(&self, name: &str, bytes: &[u8]) {
        std::fs::create_dir_all(self.inputs()).expect("the target directory can be written");
        let path = self.inputs().join(name);
        if std::fs::read(&path).ok().as_deref() != Some(bytes) {
            std::fs::write(&path, bytes).expect("the target directory can be written");
        }
    }

    /// Where inputs are laid out.
    pub(crate) fn inputs(&self) -> PathBuf {
        self.target.join("inputs")
    }

    /// Builds images of these names for a board at an optimisation level, with a feature of theirs where they need one. The compiler is asked for the sizes of all frames by an unstable option, which changes nothing else.
    pub(crate) fn build(&self, board: &Board, level: &str, feature: Option<&str>, names: &[&str]) -> Built {
        let mut cargo = Command::new(Corpora::cargo());
        cargo
            .args(["build", "--quiet", "--release", "--target", board.target])
            .arg("--manifest-path")
            .arg(&self.manifest)
            .arg("--target-dir")
            .arg(&self.target)
            .args(feature.iter().flat_map(|feature| ["--features", feature]))
            .args(names.iter().flat_map(|name| ["--bin", name]))
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level)
            .env("PLIMSOLL_INPUTS", self.inputs())
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUSTFLAGS", "-Zemit-stack-sizes");
        let status = cargo.status().expect("cargo can be run");
        assert!(status.success(), "the images do not build for {} at opt-level {level}", board.target);
        Built { folder: self.target.join(board.target).join("release") }
    }
}

/// Images that were built, until the next are.
pub(crate) struct Built {
    folder: PathBuf,
}

impl Built {
    /// Where an image lies.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Adds `date` and `machine` to a report for machines: the boards, what runs them, and the compiler.
pub(crate) fn stamp(report: &mut Value, boards: &[Board]) {
    let names: Vec<&str> = boards.iter().map(|board| board.name).collect();
    report["date"] = json!(stamp::date());
    report["machine"] = json!({
        "processor": format!("{} in QEMU {}", names.join(", "), emulator(&boards[0])),
        "rustc": stamp::compiler(),
    });
}

/// The version of what runs a board's images.
fn emulator(board: &Board) -> String {
    let program = board.qemu[0];
    let output = Command::new(program).arg("--version").output();
    let output = output.unwrap_or_else(|error| panic!("{program}: {error}"));
    version(&String::from_utf8_lossy(&output.stdout)).to_owned()
}

/// Of `QEMU emulator version 7.2.22 (Debian ...)`, the number.
fn version(text: &str) -> &str {
    text.split_whitespace().nth(3).unwrap_or_default()
}

/// Runs an image in a folder, and takes what it prints.
pub(crate) fn run(board: &Board, image: &Path, options: &[&str], folder: &Path) -> String {
    let (program, arguments) = board.qemu.split_first().expect("a program");
    let output = Command::new(program)
        .args(arguments)
        .args(SEMIHOSTING)
        .args(options)
        .arg("-kernel")
        .arg(image)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{}: {text}", image.display());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_qemu_is_its_number() {
        assert_eq!(version("QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7)\nCopyright"), "7.2.22");
    }
}
