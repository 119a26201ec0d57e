//! The command `plimsoll`: takes in a compressed response under limits, or refuses it whole.
//!
//! Exit status: 0 the body is complete, 3 a preview was shown, 4 the body was rejected, 2 usage, 1 input or
//! output failed. A reader that closes the pipe ends it by SIGPIPE, as it does other tools.

use std::io::ErrorKind;
use std::process::ExitCode;

use clap::Parser;

mod args;
mod client;
mod complain;
mod feed;
mod fetch;
mod ingest;
mod intake;
mod kind;
mod manual;
mod named;
mod pace;
mod profile;
mod progress;
mod select;
mod size;
mod spool;
mod target;
mod tokens;
mod width;

fn main() -> ExitCode {
    let done = match args::Arguments::parse().command {
        args::Command::Ingest(args) => ingest::run(&args),
        args::Command::Fetch(args) => fetch::run(&args),
        args::Command::Profile(args) => profile::run(&args),
        args::Command::Completions(args) => manual::completions(&args),
        args::Command::Man(args) => manual::man(&args),
    };
    match done {
        Ok(code) => code,
        // A reader that has seen enough closes the pipe; nobody is left to tell.
        Err(failure) if failure.kind() == ErrorKind::BrokenPipe => closed_pipe(),
        Err(failure) => {
            complain::complain(failure);
            ExitCode::FAILURE
        }
    }
}

/// Ends as the signal ends whoever writes to a closed pipe, and which Rust programs ignore.
#[cfg(unix)]
fn closed_pipe() -> ExitCode {
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
    ExitCode::FAILURE
}

#[cfg(not(unix))]
fn closed_pipe() -> ExitCode {
    ExitCode::FAILURE
}
