//! What ours and the peers take of a device: `plimsoll-device footprint` and `plimsoll-device metal`.
//!
//! The images are those of `xtask/metal`, which run in QEMU on the boards of `tests/firmware` ([`board`], [`images`]).
//! [`footprint`] reads them ([`elf`], [`machine`], [`graph`]), runs them, and holds the figures against [`ceilings`].
//! [`sizes`] tells what the machines keep between calls.
//! [`metal`] counts instructions, [`cost`] those that hostile bytes bring about, and [`search`] looks for the worst of them. The tables that both make stand in the README ([`readme`]).
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a measurement whose data is missing or whose sums overflow must stop"
)]

mod board;
mod bodies;
mod ceilings;
mod cost;
mod elf;
mod footprint;
mod graph;
mod images;
mod machine;
mod metal;
mod readme;
mod search;
mod sizes;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

/// Measures what ours and the peers take of a device.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Flash, memory and stack of an image for each primitive and for the pipeline, on three targets, held against their ceilings.
    Footprint {
        /// Only images whose name contains this; neither the ceilings nor the README's table are looked at
        #[arg(long, value_name = "TEXT", conflicts_with_all = ["write"])]
        filter: Option<String>,
        /// The functions on the deepest way, and the largest ones
        #[arg(long)]
        explain: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Exact instruction counts of ours and the peers on a Cortex-M4, and what the worst bytes cost that are known
    Metal {
        /// Looks for worse ones, over so many generations, and keeps them
        #[arg(long, value_name = "GENERATIONS")]
        search: Option<u32>,
        /// Where the search begins
        #[arg(long, value_name = "N", default_value_t = 1, requires = "search")]
        seed: u64,
        #[command(flatten)]
        output: Output,
    },
}

#[derive(Args, Clone, Copy)]
struct Output {
    /// One JSON document instead of a table
    #[arg(long)]
    json: bool,
    /// Writes the README's table, and the ceilings
    #[arg(long)]
    write: bool,
}

fn main() -> ExitCode {
    let complaints = match Arguments::parse().what {
        What::Footprint { filter, explain, output } => footprint::run(filter.as_deref(), explain, output),
        What::Metal { search: Some(generations), seed, .. } => {
            search::run(generations, seed);
            Vec::new()
        }
        What::Metal { output, .. } => metal::run(output),
    };
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
