//! The arguments of `plimsoll profile`.

use std::path::PathBuf;

use clap::Args;
use plimsoll::{Coding, Media};

use crate::args::values::{self, Offered};
use crate::size;

/// Measure bodies, and tell the limits that take all of them with room to spare
///
/// Each body passes the checks of `plimsoll ingest`, and what it has of everything that can be limited is measured.
/// A table tells the least, the median and the greatest over all bodies. Below it stand the limits that follow, as
/// options of `plimsoll ingest` and as Rust. A body that fails is listed with its reason on standard error, and the
/// others go on.
///
/// A limit is twice the greatest, rounded up to a readable number. None is below a floor, so that a small sample does
/// not refuse the next body: 1KiB encoded and decoded, 256 header, 32KiB work, depth 4, string 64, key 32, number 32,
/// items 16, values 16, record 64, records 16. Members stay 1 where no body has more. The window is that of a ring
/// on a device: a power of two, at least twice the greatest distance and at most 32KiB, which every encoder keeps to.
///
/// No limit is above what can be held: depth 4096, items 2147483647, strings, keys, numbers and values 4294967295.
/// So that a bomb ends, bodies are measured up to --encoded-limit and --decoded-limit.
///
/// SIZE is a whole number of bytes, or one with B, KiB, MiB, GiB or TiB behind it.
///
/// Exit status: 0 all were measured, 4 a body was rejected, 1 a file could not be read or no file matches, 2 usage.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    plimsoll profile responses/*.json.gz\n  \
    plimsoll profile 'captures/**/*.ndjson.gz' --plot captures.svg\n  \
    curl -sH 'Accept-Encoding: gzip' URL \\\n    \
      | plimsoll profile - --content-encoding gzip --media-type application/json\n  \
    plimsoll profile --json *.json.gz | jq -r 'select(.depth > 8).file'")]
pub(crate) struct Profile {
    /// Encoded bodies, or patterns such as 'captures/**/*.json.gz'; `-` is standard input
    ///
    /// What matches a pattern and is no file, such as a folder, is passed over; a link that leads to nothing is listed as
    /// failed. A file that is named more than once is measured once.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Write one line of JSON for each body, and a last one with the limits
    ///
    /// `file` is the file's name as it is; what of it is not UTF-8 is replaced by U+FFFD.
    #[arg(long)]
    pub(crate) json: bool,

    /// Draw how everything is distributed over the bodies
    #[arg(long, value_name = "FILE.svg", value_parser = file)]
    pub(crate) plot: Option<PathBuf>,

    /// The content coding of all bodies: '', identity, gzip or x-gzip [default: gzip where FILE ends in .gz,
    /// otherwise identity]
    #[arg(long, value_name = "VALUE", value_parser = Offered(coding, values::CODINGS), hide_possible_values = true)]
    pub(crate) content_encoding: Option<Coding>,

    /// The media type of all bodies: application/json, application/x-ndjson, application/json-seq, text/plain or
    /// application/octet-stream [default: by the name without .gz: .json, .ndjson, .jsonl or .txt; otherwise
    /// application/octet-stream]
    #[arg(long, value_name = "TYPE", value_parser = Offered(media, values::MEDIA), hide_possible_values = true)]
    pub(crate) media_type: Option<Media>,

    /// Let zero bytes follow the last gzip member
    #[arg(long)]
    pub(crate) zero_padding: bool,

    /// The most encoded bytes of a body that are measured
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size::parse::<u64>, allow_hyphen_values = true)]
    pub(crate) encoded_limit: u64,

    /// The most decoded bytes of a body that are measured
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = size::parse::<u64>, allow_hyphen_values = true)]
    pub(crate) decoded_limit: u64,
}

/// Not standard output, which has the table, and no picture of another kind, which would be none.
fn file(value: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(value);
    let is_svg = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg"));
    if is_svg { Ok(path) } else { Err("expected the name of a file that ends in .svg".to_owned()) }
}

fn coding(value: &str) -> Result<Coding, String> {
    Coding::from_header(value).map_err(|rejection| rejection.to_string())
}

fn media(value: &str) -> Result<Media, String> {
    Media::from_header(value).map_err(|rejection| rejection.to_string())
}
