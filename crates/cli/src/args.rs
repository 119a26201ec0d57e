//! The command line.

mod select;
pub(crate) mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::StringValueParser;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use plimsoll::{Limits, Pace, Policy, Rate};
use url::Url;

pub(crate) use self::select::Selection;

use self::select::SelectArgs;
use self::values::Offered;
use crate::manual::{Completions, Man};
use crate::pace;
use crate::profile::Profile;
use crate::size;

/// Takes in compressed responses from peers that are not trusted, under a limit at every boundary
#[derive(Debug, Parser)]
#[command(
    name = "plimsoll",
    version,
    arg_required_else_help = true,
    after_help = "Examples:\n  \
    plimsoll ingest response.json.gz -o response.json\n  \
    plimsoll fetch https://example.org/feed.json -o feed.json\n  \
    plimsoll profile responses/*.json.gz\n\n\
`plimsoll help COMMAND` tells all of a command."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Ingest(Ingest),
    Fetch(Fetch),
    Profile(Profile),
    Completions(Completions),
    Man(Man),
}

/// Take in one response body: all of it, checked, or nothing
///
/// The body is written to standard output or OUT only when it is complete. The report, one line of JSON, goes to
/// standard error when the outcome is not complete, or with --report.
///
/// SIZE is a whole number of bytes, or one with B, KiB, MiB, GiB or TiB behind it.
///
/// Exit status: 0 complete, 3 preview, 4 rejected, 2 usage, 1 input or output failed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    plimsoll ingest response.json.gz -o response.json\n  \
    curl -sH 'Accept-Encoding: gzip' URL \\\n    \
      | plimsoll ingest --content-encoding gzip --decoded-limit 1MiB\n  \
    plimsoll ingest bundle.gz --members 16 --zero-padding --report > bundle\n  \
    plimsoll ingest users.ndjson.gz --select /id --select city=/address/city \\\n    \
      --require id")]
pub(crate) struct Ingest {
    /// The encoded body; `-` or nothing is standard input
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,

    /// The longest time for the whole body, such as 500ms, 30s or 2m
    #[arg(long, value_name = "DURATION", value_parser = pace::duration, allow_hyphen_values = true)]
    pub(crate) deadline: Option<Duration>,

    #[command(flatten)]
    pub(crate) intake: Intake,
}

/// Fetch one response body over HTTP: all of it, checked, or nothing
///
/// Coding, length and media type are those of the response's fields, where no option says otherwise. What the peer
/// does wrong ends as a rejection, and the connection is then closed and not read to its end: a response cut short is
/// `source_error`, its cause stands in a line before the report. A peer that cannot be reached, a status that
/// is not taken and a redirect that is not followed are told on standard error, with exit status 1.
///
/// A rejection is no proof that the peer did nothing. Only GET is sent, through the proxy that the
/// environment names, if any. At most 5 redirects are followed.
///
/// The body is written to standard output or OUT only when it is complete. The report, one line of JSON, goes to
/// standard error when the outcome is not complete, or with --report.
///
/// SIZE is a whole number of bytes, or one with B, KiB, MiB, GiB or TiB behind it.
///
/// Exit status: 0 complete, 3 preview, 4 rejected, 2 usage, 1 input or output failed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    plimsoll fetch https://example.org/feed.json -o feed.json\n  \
    plimsoll fetch https://example.org/log.ndjson --deadline 10s \\\n    \
      --least-rate 1KiB --records 5000\n  \
    plimsoll fetch https://example.org/issues.json --select '/items/*/title' \\\n    \
      --token-limit 2000")]
pub(crate) struct Fetch {
    /// An http or https address
    #[arg(value_name = "URL", value_parser = values::Address)]
    pub(crate) url: Url,

    /// Follow redirects to other hosts too, never from https to http
    #[arg(long)]
    pub(crate) follow_hosts: bool,

    /// Take the body of a response of every status, and not of 2xx without 206 alone
    #[arg(long)]
    pub(crate) any_status: bool,

    /// Trust the certificates in this PEM file, and not the well-known authorities
    #[arg(long, value_name = "FILE")]
    pub(crate) ca_file: Option<PathBuf>,

    /// The longest time from the look-up of the host to the end of the body, such as 500ms, 30s or 2m
    #[arg(
        long, value_name = "DURATION", default_value = "2m", value_parser = pace::duration,
        allow_hyphen_values = true
    )]
    pub(crate) deadline: Duration,

    #[command(flatten)]
    pub(crate) intake: Intake,
}

/// How one body is to be taken in.
#[derive(Debug, Args)]
pub(crate) struct Intake {
    /// Where the body goes; it appears whole or not at all [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,

    /// The value of the Content-Encoding field: '', identity, gzip or x-gzip [default: that of the response;
    /// for a file, gzip where FILE ends in .gz, otherwise identity]
    #[arg(
        long, value_name = "VALUE", value_parser = Offered(StringValueParser::new(), values::CODINGS),
        hide_possible_values = true
    )]
    pub(crate) content_encoding: Option<String>,

    /// The declared length in encoded bytes [default: that of the response]
    #[arg(long, value_name = "N", value_parser = size::count::<u64>, allow_hyphen_values = true)]
    pub(crate) content_length: Option<u64>,

    /// The value of the Content-Type field: application/json, application/x-ndjson, application/json-seq,
    /// text/plain or application/octet-stream [default: that of the response; for a file, by its name without
    /// .gz: .json, .ndjson, .jsonl or .txt; otherwise application/octet-stream]
    #[arg(
        long, value_name = "TYPE", value_parser = Offered(StringValueParser::new(), values::MEDIA),
        hide_possible_values = true
    )]
    pub(crate) media_type: Option<String>,

    /// Let zero bytes follow the last gzip member
    #[arg(long)]
    pub(crate) zero_padding: bool,

    /// The least rate at which encoded bytes must arrive, in every second or in every DURATION, such as 1KiB
    /// or 4KiB/10s
    ///
    /// With fetch it holds from where the body begins; until the head of the response is there, --deadline alone does.
    #[arg(long, value_name = "SIZE[/DURATION]", value_parser = pace::rate, allow_hyphen_values = true)]
    pub(crate) least_rate: Option<Rate>,

    /// Show at most SIZE decoded bytes of a longer body on standard output, and stop there; with --select, show at
    /// most SIZE bytes of a longer result, in whole fields or records, and say how many are left out
    ///
    /// With --select the body is read and checked to its end all the same. Of an object the fields that fit are shown, of
    /// records those before the first that does not fit. What has more tokens than --token-limit is then left out, too, and
    /// not rejected; what has more bytes than --retained is rejected. The line ends of records count for SIZE, the one
    /// behind the object of a document does not.
    #[arg(long, value_name = "SIZE", value_parser = size::parse::<u64>, allow_hyphen_values = true)]
    pub(crate) preview: Option<u64>,

    /// Write the report also when the body is complete
    #[arg(long)]
    pub(crate) report: bool,

    #[command(flatten)]
    select: SelectArgs,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

impl Intake {
    /// The fields that were asked for, where the body was not. Ends the process where they do not fit together.
    pub(crate) fn selection(&self, command: &str) -> Option<Selection> {
        self.select.selection().unwrap_or_else(|message| usage(command, message))
    }

    /// Limits and options of one body, of which the preview is that of the body.
    pub(crate) fn policy(&self) -> Policy {
        Policy {
            zero_padding: self.zero_padding,
            preview: self.preview,
            ..Policy::strict(Limits::from(&self.limits))
        }
    }

    /// How slow a body may be, with `deadline` for all of it.
    pub(crate) fn pace(&self, deadline: Option<Duration>) -> Pace {
        let deadline = deadline.map_or(u64::MAX, size::milliseconds);
        Pace { least: self.least_rate.unwrap_or(Rate { bytes: 0, window: 0 }), ..Pace::within(deadline) }
    }
}

/// Ends the process as clap does where arguments of a command, each sound, do not fit together.
pub(crate) fn usage(command: &str, message: impl core::fmt::Display) -> ! {
    let mut arguments = Arguments::command();
    arguments.build();
    let found = arguments.find_subcommand(command).cloned();
    found.unwrap_or(arguments).error(ErrorKind::ValueValidation, message).exit()
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

    /// The most levels of nesting in a JSON document, where [] is 1; up to 4096
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

/// Items that it can count.
pub(crate) const MOST_ITEMS: u32 = i32::MAX.unsigned_abs();

fn depth(text: &str) -> Result<u16, String> {
    size::count_up_to(text, LEVELS)
}

fn items(text: &str) -> Result<u32, String> {
    size::count_up_to(text, MOST_ITEMS)
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
    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_defaults_are_the_preset_for_hosts() {
        let arguments = Arguments::parse_from(["plimsoll", "ingest"]);
        let Command::Ingest(ingest) = arguments.command else { panic!("another command") };
        assert_eq!(Limits::from(&ingest.intake.limits), Limits::HOST);
        assert_eq!(ingest.intake.policy(), Policy::strict(Limits::HOST));
        assert_eq!(ingest.intake.pace(ingest.deadline), Pace::within(u64::MAX));
    }
}
