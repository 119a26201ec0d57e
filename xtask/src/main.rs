//! `cargo xtask`: everything a person runs in this workspace, under names that stay.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bench;
mod command;
mod test;

/// Everything a person runs in this workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check everything: format, lints, documentation, tests, features, bare-metal targets, the oldest compiler
    Test {
        /// Only the step of this name; the names are printed as the steps run
        #[arg(long, value_name = "STEP")]
        only: Option<String>,
    },
    /// Measure ours and the peers in one run: inflate, hostile, json, utf8 and others; metal, on a Cortex-M4 under QEMU
    #[command(disable_help_flag = true)]
    Bench {
        /// What the bench is given; `--help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "KIND")]
        arguments: Vec<String>,
    },
    /// Measure flash, memory and stack of each primitive and of the pipeline on three bare-metal targets
    #[command(disable_help_flag = true)]
    Footprint {
        /// What it is given; `--help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
        arguments: Vec<String>,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Test { only } => test::run_steps(only.as_deref()),
        Task::Bench { arguments } => bench::run(&arguments),
        Task::Footprint { arguments } => {
            bench::device(&[&["footprint".to_owned()], arguments.as_slice()].concat())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
