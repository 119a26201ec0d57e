//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use plimsoll::Limits;

use crate::size;

/// Takes in compressed responses from peers that are not trusted, under a limit at every boundary.
#[derive(Debug, Parser)]
#[command(name = "plimsoll", version, about, arg_required_else_help = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Ingest(Ingest),
}

/// Take in one response body: all of it, checked, or nothing
///
/// The body is written to standard output or OUT only when it is complete. The report, one line of JSON, goes to
/// standard error when the outcome is not complete, or with --report.
///
/// SIZE is a whole number of bytes, or one with KiB, MiB, GiB or TiB behind it.
///
/// Exit status: 0 complete, 3 preview, 4 rejected, 2 usage, 1 input or output failed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    plimsoll ingest response.json.gz -o response.json\n  \
    curl -sH 'Accept-Encoding: gzip' URL | plimsoll ingest --content-encoding gzip --decoded-limit 1MiB\n  \
    plimsoll ingest bundle.gz --members 16 --zero-padding --report > bundle")]
pub(crate) struct Ingest {
    /// The encoded body; `-` or nothing is standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,

    /// Where the body goes; it appears whole or not at all [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// The value of the Content-Encoding field: '', identity, gzip or x-gzip [default: gzip where FILE ends in
    /// .gz, otherwise identity]
    #[arg(long, value_name = "VALUE")]
    pub(crate) content_encoding: Option<String>,

    /// The declared length in encoded bytes
    #[arg(long, value_name = "N", value_parser = size::count::<u64>, allow_hyphen_values = true)]
    pub(crate) content_length: Option<u64>,

    /// The value of the Content-Type field: application/json, application/x-ndjson, application/json-seq,
    /// text/plain or application/octet-stream [default: by the name of FILE, without .gz: .json, .ndjson, .jsonl
    /// or .txt, otherwise application/octet-stream]
    #[arg(long, value_name = "TYPE")]
    pub(crate) media_type: Option<String>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Let zero bytes follow the last gzip member
    #[arg(long)]
    pub(crate) zero_padding: bool,

    /// The longest time for the whole body, such as 500ms, 30s or 2m
    #[arg(long, value_name = "DURATION", value_parser = humantime::parse_duration, allow_hyphen_values = true)]
    pub(crate) deadline: Option<Duration>,

    /// Show at most SIZE decoded bytes of a longer body on standard output, and stop there
    #[arg(long, value_name = "SIZE", value_parser = size::parse::<u64>, allow_hyphen_values = true)]
    pub(crate) preview: Option<u64>,

    /// Write the report also when the body is complete
    #[arg(long)]
    pub(crate) report: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// The most encoded bytes
    #[arg(long, value_name = "SIZE", default_value = "8MiB", value_parser = size::parse::<u64>, allow_hyphen_values = true)]
    encoded_limit: u64,

    /// The most decoded bytes, over all members
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = size::parse::<u64>, allow_hyphen_values = true)]
    decoded_limit: u64,

    /// The most bytes of gzip headers, over all members
    #[arg(long, value_name = "SIZE", default_value = "4KiB", value_parser = size::parse::<u64>, allow_hyphen_values = true)]
    header_limit: u64,

    /// The most steps of decompression work that no output has paid for
    #[arg(long, value_name = "SIZE", default_value = "64KiB", value_parser = size::parse::<u64>, allow_hyphen_values = true)]
    work_limit: u64,

    /// The most gzip members
    #[arg(long, value_name = "N", default_value = "1", value_parser = size::count::<u64>, allow_hyphen_values = true)]
    members: u64,

    /// The most levels of nesting in a JSON document, where [] is 1
    #[arg(long, value_name = "N", default_value = "64", value_parser = depth, allow_hyphen_values = true)]
    depth: u16,

    /// The most bytes of a string, after unescaping
    #[arg(long, value_name = "SIZE", default_value = "1MiB", value_parser = size::parse::<u32>, allow_hyphen_values = true)]
    string: u32,

    /// The most bytes of a key, after unescaping
    #[arg(long, value_name = "SIZE", default_value = "1KiB", value_parser = size::parse::<u32>, allow_hyphen_values = true)]
    key: u32,

    /// The most bytes of a number, as written
    #[arg(long, value_name = "SIZE", default_value = "256", value_parser = size::parse::<u32>, allow_hyphen_values = true)]
    number: u32,

    /// The most elements or members of one container
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = items, allow_hyphen_values = true)]
    items: u32,

    /// The most values of a document, containers included, keys not
    #[arg(long, value_name = "N", default_value = "10000000", value_parser = size::count::<u32>, allow_hyphen_values = true)]
    values: u32,

    /// The most bytes of a record, without its delimiter
    #[arg(long, value_name = "SIZE", default_value = "1MiB", value_parser = size::parse::<u64>, allow_hyphen_values = true)]
    record: u64,

    /// The most records
    #[arg(long, value_name = "N", default_value = "1000000", value_parser = size::count::<u64>, allow_hyphen_values = true)]
    records: u64,
}

/// Levels that the command has room for.
pub(crate) const LEVELS: u16 = 4096;

fn depth(text: &str) -> Result<u16, String> {
    at_most(size::count(text)?, LEVELS)
}

fn items(text: &str) -> Result<u32, String> {
    at_most(size::count(text)?, i32::MAX.unsigned_abs())
}

fn at_most<T: PartialOrd + core::fmt::Display>(number: T, most: T) -> Result<T, String> {
    if number > most {
        Err(format!("the number is too large, at most {most} is possible"))
    } else {
        Ok(number)
    }
}

impl From<&LimitArgs> for Limits {
    fn from(args: &LimitArgs) -> Self {
        Self {
            encoded: args.encoded_limit,
            decoded: args.decoded_limit,
            header: args.header_limit,
            work: args.work_limit,
            members: args.members,
            document: plimsoll::json::Limits {
                string: args.string,
                key: args.key,
                number: args.number,
                items: args.items,
                values: args.values,
                depth: args.depth,
            },
            record: args.record,
            records: args.records,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_defaults_are_the_preset_for_hosts() {
        let arguments = Arguments::parse_from(["plimsoll", "ingest"]);
        let Command::Ingest(ingest) = arguments.command;
        assert_eq!(Limits::from(&ingest.limits), Limits::HOST);
    }
}
