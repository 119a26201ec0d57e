//! Programs that `cargo install` compiles, in pinned versions, under `target/tools` for the next time.

use std::path::Path;
use std::process::Command;

use crate::command::{Outcome, cargo};

const FOLDER: &str = "target/tools";

/// A subcommand of cargo: the crate's name and its version.
pub(crate) struct Tool(pub(crate) &'static str, pub(crate) &'static str);

impl Tool {
    /// Compiles it, unless this version is there.
    ///
    /// # Errors
    /// If it cannot be fetched or built.
    pub(crate) fn install(&self) -> Outcome {
        let Self(name, version) = self;
        let listed = Command::new("cargo").args(["install", "--list", "--root", FOLDER]).output();
        let installed = format!("{name} v{version}:");
        let is_listed = |list: &[u8]| String::from_utf8_lossy(list).lines().any(|line| line == installed);
        if listed.is_ok_and(|output| is_listed(&output.stdout)) {
            return Ok(());
        }
        println!("Compiling {name} {version}, which takes some minutes");
        let exactly = format!("={version}");
        cargo(["install", name, "--quiet", "--locked", "--force", "--version", &exactly, "--root", FOLDER])
    }

    /// The program.
    pub(crate) fn command(&self) -> Outcome<Command> {
        Ok(Command::new(Path::new(FOLDER).join("bin").join(self.0).canonicalize()?))
    }
}
