//! The command `plimsoll`: takes in a compressed response under limits, or refuses it whole.
//!
//! Exit status: 0 the body is complete, 3 a preview was shown, 4 the body was rejected, 2 usage, 1 input or
//! output failed.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

mod args;
mod client;
mod feed;
mod fetch;
mod ingest;
mod intake;
mod named;
mod progress;
mod select;
mod size;
mod spool;
mod target;

fn main() -> ExitCode {
    let done = match args::Arguments::parse().command {
        args::Command::Ingest(args) => ingest::run(&args),
        args::Command::Fetch(args) => fetch::run(&args),
    };
    match done {
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
