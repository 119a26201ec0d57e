//! The bench of the house: `plimsoll-bench KIND [--json] [--filter TEXT] [--rounds N]`.
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

mod hostile;
mod inflate;
mod json;
mod records;
mod rounds;
mod select;
mod utf8;

use clap::{Parser, ValueEnum};

use crate::rounds::Settings;

/// Measures ours and the peers side by side.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// What is measured.
    kind: Kind,
    /// One JSON document instead of a table.
    #[arg(long)]
    json: bool,
    /// Only subjects or contestants whose name contains this, and the peers they are compared with.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// How many times each contestant is measured on each subject.
    #[arg(long, value_name = "N", default_value_t = 41, value_parser = clap::value_parser!(u32).range(3..))]
    rounds: u32,
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
    /// UTF-8 validation, whole and in chunks.
    Utf8,
}

fn main() {
    let arguments = Arguments::parse();
    let settings = Settings { rounds: arguments.rounds, filter: arguments.filter };
    let table = match arguments.kind {
        Kind::Inflate => inflate::run(&settings),
        Kind::Hostile => hostile::run(&settings),
        Kind::Json => json::run(&settings),
        Kind::Records => records::run(&settings),
        Kind::Select => select::run(&settings),
        Kind::Utf8 => utf8::run(&settings),
    };
    if arguments.json {
        println!("{}", table.to_json());
    } else {
        print!("{table}");
    }
}
