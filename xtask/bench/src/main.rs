//! The bench of the house: `plimsoll-bench KIND... [--json] [--filter TEXT] [--rounds N]`, and
//! `plimsoll-bench --from RUN... [--plot FOLDER] [--insert FILE]`, so that measuring and drawing can be apart.
//!
//! Every kind puts ours and the peers into one process and measures them in interleaved rounds ([`rounds`])
//! on the same subjects ([`plimsoll_subjects`]). What counts is the ratio to a named peer within one run; MB/s are for
//! orientation. Each kind is one file with two lists at its head, `OURS` and `PEERS`: a new contestant is one
//! line there.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a measurement whose data is missing or whose sums overflow must stop"
)]

mod figures;
mod hostile;
mod inflate;
mod insert;
mod json;
mod machine;
mod memory;
#[cfg(test)]
mod peers;
mod pieces;
mod pipeline;
mod plot;
mod records;
mod rounds;
mod scaling;
mod select;
mod sizes;
mod utf8;

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use crate::figures::Figures;
use crate::rounds::Settings;

/// Measures ours and the peers side by side, and draws the figures.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Arguments {
    /// What is measured, one after the other.
    kinds: Vec<Kind>,
    /// JSON instead of a table, one document for each kind.
    #[arg(long)]
    json: bool,
    /// Only subjects or contestants whose name contains this, and the peers they are compared with.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// How many times each contestant is measured on each subject; large ones fewer times.
    #[arg(long, value_name = "N", default_value_t = 41, value_parser = clap::value_parser!(u32).range(3..))]
    rounds: u32,
    /// Draws the figures as SVG into a folder, or the one picture that a file is named after.
    #[arg(long, value_name = "FILE_OR_FOLDER")]
    plot: Option<PathBuf>,
    /// Puts tables of the figures between their marks in this Markdown file.
    #[arg(long, value_name = "FILE")]
    insert: Vec<PathBuf>,
    /// Takes figures of earlier runs from what `--json` printed; later ones of a kind count.
    #[arg(long, value_name = "RUN", num_args = 1..)]
    from: Vec<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    /// Raw DEFLATE of `gzip -6`, through a ring and flat.
    Inflate,
    /// DEFLATE streams that cost work and yield nothing.
    Hostile,
    /// JSON: checked, as tokens, with contents; and repeated patterns against the cost per byte on twitter.
    Json,
    /// Streams of records: checked, as tokens, with contents.
    Records,
    /// A few fields of a document by JSON Pointer, against the check alone and the peers' ways.
    Select,
    /// A gzip body to three fields, checked as a whole, with the memory that it takes.
    Pipeline,
    /// The pipeline over documents from 1 KiB to 1 GiB.
    Scaling,
    /// Twitter in pieces from single bytes to 64 KiB.
    Pieces,
    /// UTF-8 validation, whole and in chunks.
    Utf8,
}

fn main() {
    if memory::made_one_pass() {
        return;
    }
    let arguments = Arguments::parse();
    let settings = Settings { rounds: arguments.rounds, filter: arguments.filter };
    let mut figures = Figures::default();
    for run in &arguments.from {
        figures.read(run);
    }
    for kind in arguments.kinds {
        let table = match kind {
            Kind::Inflate => inflate::run(&settings),
            Kind::Hostile => hostile::run(&settings),
            Kind::Json => json::run(&settings),
            Kind::Records => records::run(&settings),
            Kind::Select => select::run(&settings),
            Kind::Pipeline => pipeline::run(&settings),
            Kind::Scaling => scaling::run(&settings),
            Kind::Pieces => pieces::run(&settings),
            Kind::Utf8 => utf8::run(&settings),
        };
        let mut value = table.to_json();
        machine::stamp(&mut value);
        if arguments.json {
            println!("{value}");
        } else {
            print!("{table}");
        }
        figures.add(&value);
    }
    if let Some(path) = arguments.plot {
        for name in plot::draw(&figures, &path) {
            eprintln!("drew {name}.svg");
        }
    }
    for path in arguments.insert {
        for name in insert::renew(&figures, &path) {
            eprintln!("renewed the table {name} in {}", path.display());
        }
    }
}
