//! `plimsoll ingest`: one body from a file or a pipe to its outcome.

use std::io;
use std::process::ExitCode;

use plimsoll::{Coding, Head, Media, Rejection, StdClock, Watch};

use crate::args::{self, usage};
use crate::feed::Feed;
use crate::intake::{self, Kind, Pipeline};
use crate::progress::Shown;
use crate::select;
use crate::spool::Spool;

/// Takes a body in as the arguments say, and tells the outcome.
///
/// # Errors
/// If the input or the output failed.
pub(crate) fn run(args: &args::Ingest) -> io::Result<ExitCode> {
    let (selection, kind) = (args.intake.selection("ingest"), kind(args));
    if let (Some(_), Ok(Kind { media, .. })) = (&selection, kind)
        && !select::is_selectable(media)
    {
        usage("ingest", select::advice(media));
    }
    let watch = Watch::new(args.intake.pace(args.deadline), StdClock::new());
    let feed = Feed::open(&args.file)?;
    let spool = Spool::open(args.intake.output.as_deref())?;
    let length = feed.length;
    let pipeline = Pipeline { source: Shown::new(feed, length), watch };
    let mut taken = intake::take_in(&args.intake, selection.as_ref(), kind, pipeline, spool)?;
    // A file or a pipe is the caller's own: that it cannot be read is no verdict on the body.
    taken.failure.take().map_or(Ok(()), Err)?;
    taken.tell(&args.intake)
}

/// What the arguments say of the body, or else the name of the file.
fn kind(args: &args::Ingest) -> Result<Kind, Rejection> {
    let name = args.file.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let (name, packed) = match name.strip_suffix(".gz") {
        Some(name) => (name, true),
        None => (name.as_str(), false),
    };
    let coding = match &args.intake.content_encoding {
        Some(value) => Coding::from_header(value)?,
        None if packed => Coding::Gzip,
        None => Coding::Identity,
    };
    let media = match &args.intake.media_type {
        Some(value) => Media::from_header(value)?,
        None => match name.rsplit_once('.').map(|(_, extension)| extension) {
            Some("json") => Media::Json,
            Some("ndjson" | "jsonl") => Media::NdJson,
            Some("txt") => Media::Text,
            _ => Media::Octets,
        },
    };
    Ok(Kind { head: Head { coding, length: args.intake.content_length }, media })
}
