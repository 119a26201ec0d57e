//! `plimsoll ingest`: one body from a file or a pipe to its outcome.

use std::io;
use std::process::ExitCode;

use plimsoll::{Coding, Media, Rejection, StdClock, Watch};

use crate::args::{self, usage};
use crate::feed::Feed;
use crate::intake::{self, Pipeline};
use crate::kind::{self, Kind};
use crate::named::named;
use crate::progress::Progress;
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
    let named = |error: io::Error| named(&args.file, &error);
    let feed = Feed::open(&args.file).map_err(named)?;
    let spool = Spool::open(args.intake.output.as_deref())?;
    let progress = Progress::new(feed.length);
    let pipeline = Pipeline { source: progress.over(feed), watch };
    let mut taken = intake::take_in(&args.intake, selection.as_ref(), kind, pipeline, spool)?;
    // A file or a pipe is the caller's own: that it cannot be read is no verdict on the body.
    taken.failure.take().map_or(Ok(()), |failure| Err(named(failure)))?;
    taken.tell(&args.intake)
}

/// What the arguments say of the body, or else the name of the file.
fn kind(args: &args::Ingest) -> Result<Kind, Rejection> {
    let mut kind = kind::of_file(&args.file);
    if let Some(value) = &args.intake.content_encoding {
        kind.head.coding = Coding::from_header(value)?;
    }
    if let Some(value) = &args.intake.media_type {
        kind.media = Media::from_header(value)?;
    }
    kind.head.length = args.intake.content_length;
    Ok(kind)
}
