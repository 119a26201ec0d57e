//! `cargo xtask`: everything a person runs in this workspace, under names that stay.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod audit;
mod bench;
mod command;
mod coverage;
mod firmware;
mod fuzz;
mod miri;
mod mutants;
mod nightly;
mod promises;
mod soak;
mod targets;
mod test;
mod tool;
mod tree;

/// Everything a person runs in this workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Check everything: format, lints, documentation, tests, features, bare-metal targets, the oldest compiler
    Test {
        /// Only the step of this name, such as `docs`; another name tells which there are
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
    /// Run the unit tests of the library crates in Miri, on a 32-bit and a big-endian target too
    Miri,
    /// Say which lines and branches of the library crates the tests reach
    Coverage,
    /// Change the library crates one place at a time, and say what no test notices
    Mutants(mutants::Options),
    /// Measure ours and the peers in one run, and draw the figures: `--help` lists the kinds; `metal`, on a Cortex-M4 under QEMU
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
    /// Build the images of tests/firmware for three boards, run them under QEMU, and check what they print
    Firmware,
    /// Fuzz the properties of tests/properties, each from seeds and what earlier rounds found
    Fuzz(fuzz::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Test { only } => test::run_steps(only.as_deref()),
        Task::Audit { need_advisories } => audit::audit(need_advisories),
        Task::Soak { responses, seed } => soak::soak(responses, seed),
        Task::Coverage => test::libraries().and_then(|libraries| coverage::coverage(&libraries)),
        Task::Mutants(options) => {
            test::libraries().and_then(|libraries| mutants::mutants(&libraries, &options))
        }
        Task::Miri => test::libraries().and_then(|libraries| miri::miri(&libraries)),
        Task::Bench { arguments } => bench::run(&arguments),
        Task::Footprint { arguments } => {
            bench::device(&[&["footprint".to_owned()], arguments.as_slice()].concat())
        }
        Task::Firmware => firmware::firmware(),
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
