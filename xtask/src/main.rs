//! `cargo xtask`: everything a person runs in this workspace, under names that stay.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod audit;
mod bench;
mod command;
mod fuzz;
mod soak;
mod test;
mod tree;

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
    /// Hold the dependencies against deny.toml: licences, bans, sources and known vulnerabilities
    Audit {
        /// Fail where the database of advisories cannot be fetched, instead of a warning
        #[arg(long)]
        need_advisories: bool,
    },
    /// Take in a million generated responses in one process, and compare each verdict with an oracle's
    Soak {
        /// How many
        #[arg(long, value_name = "N", default_value_t = 1_000_000)]
        responses: u64,
        /// Where the random numbers begin
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
    },
    /// Measure ours and the peers in one run, and draw the figures; `--help` lists the kinds
    #[command(disable_help_flag = true)]
    Bench {
        /// What the bench is given; `--help` lists it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "KIND")]
        arguments: Vec<String>,
    },
    /// Fuzz the properties of tests/properties, each from seeds and what earlier rounds found
    Fuzz(fuzz::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Test { only } => test::run_steps(only.as_deref()),
        Task::Audit { need_advisories } => audit::audit(need_advisories),
        Task::Soak { responses, seed } => soak::soak(responses, seed),
        Task::Bench { arguments } => bench::run(&arguments),
        Task::Fuzz(options) => fuzz::fuzz(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
