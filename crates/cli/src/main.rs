//! The command `plimsoll`: takes in a compressed response under limits, or refuses it whole.
//!
//! Exit status: 0 the body is complete, 3 a preview was shown, 4 the body was rejected, 2 usage, 1 input or
//! output failed.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

mod args;
mod feed;
mod ingest;
mod progress;
mod size;
mod spool;

fn main() -> ExitCode {
    let args::Command::Ingest(args) = args::Arguments::parse().command;
    match ingest::run(&args) {
        Ok(code) => code,
        Err(failure) => {
            // A reader that has seen enough closes the pipe; nobody is left to tell.
            if failure.kind() != ErrorKind::BrokenPipe {
                let _ = writeln!(std::io::stderr(), "plimsoll: {failure}");
            }
            ExitCode::FAILURE
        }
    }
}
