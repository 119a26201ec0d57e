//! `cargo xtask firmware`: builds the images for each board, looks for panics and allocators in them, runs them under QEMU,
//! and holds what they print and log against the text in `expected`, which is the same for every board.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use crate::boards::{BOARDS, Board};

mod boards;
mod emulator;
mod expected;
mod log;
mod symbols;

/// What comes of a step.
type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// The optimisation levels that images are built with. Each must be free of panics, and print the same.
const LEVELS: [&str; 2] = ["s", "3"];

fn main() -> ExitCode {
    for level in LEVELS {
        for board in &BOARDS {
            let started = Instant::now();
            if let Err(failure) = check(board, level) {
                eprintln!("firmware: {} at opt-level {level}: {failure}", board.name);
                return ExitCode::FAILURE;
            }
            println!("{} at opt-level {level}: {:.0} s", board.name, started.elapsed().as_secs_f64());
        }
    }
    ExitCode::SUCCESS
}

/// Builds and runs all images for a board.
fn check(board: &Board, level: &str) -> Outcome {
    let folder = build(board, level)?;
    for image in board.images() {
        let elf = std::fs::read(folder.join(image))?;
        let run = || -> Outcome {
            symbols::check(&elf)?;
            let printed = emulator::run(board, &folder.join(image))?;
            expected::compare(image, "txt", &printed.text)?;
            expected::compare(image, "log", &log::decode(&elf, &printed.frames)?)
        };
        run().map_err(|failure| format!("{image}: {failure}"))?;
    }
    Ok(())
}

/// Builds all images for a board, and says where they are. One in which a panic is left does not link.
fn build(board: &Board, level: &str) -> Outcome<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("");
    let target = workspace.join("target").join("images").join(format!("opt-{level}"));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--locked", "--target", board.target])
        .arg("--config")
        .arg(workspace.join(".cargo").join("config.toml"))
        .arg("--manifest-path")
        .arg(workspace.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level)
        .status()?;
    if !status.success() {
        return Err(format!("the build ended with {status}").into());
    }
    Ok(target.join(board.target).join("release"))
}
