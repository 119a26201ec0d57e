//! `plimsoll ingest`: one body from a file or a pipe to its outcome.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use plimsoll::json::Counted;
use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Inspector, Limits, Media, Next, Outcome, Policy, REPORT_MAX, Reason,
    Rejection, Ring, RingDecoder, Verdict,
};

use crate::args;
use crate::feed::{Fed, Feed};
use crate::progress;
use crate::spool::Spool;

/// A DEFLATE window, and what a piece of a body is decoded through.
const WINDOW: usize = 32 * 1024;

/// The push machine of the command.
type Machine<'m> = Ingest<RingDecoder<'m, DefaultEngine>, Inspector<Levels>, &'m mut Spool>;

/// Room for every level of nesting that the arguments can ask for.
type Levels = Counted<{ args::LEVELS as usize }>;

/// Takes a body in as the arguments say, and tells the outcome.
///
/// # Errors
/// If the input or the output failed.
pub(crate) fn run(args: &args::Ingest) -> io::Result<ExitCode> {
    let started = Instant::now();
    let policy = Policy {
        zero_padding: args.zero_padding,
        preview: args.preview,
        ..Policy::strict(Limits::from(&args.limits))
    };
    let feed = Feed::open(&args.file)?;
    let mut spool = Spool::open(args.output.as_deref())?;
    let (mut engine, mut window) = (Box::new(DefaultEngine::new()), Box::new([0; WINDOW]));

    let (coding, media) = kind(args);
    let head = Head { coding: coding.unwrap_or(Coding::Identity), length: args.content_length };
    let inspector =
        Inspector::new(media.unwrap_or(Media::Octets), &policy.limits).map_err(io::Error::other)?;
    let mut machine =
        Ingest::ring(&head, &policy, &mut *engine, Ring::new(&mut window), inspector, &mut spool);
    if let Some(rejection) = coding.err().or(media.err()) {
        machine.refuse(rejection);
    }
    let outcome = drive(machine, &feed, args.deadline.map(|limit| (limit, started)))?;

    if outcome.verdict == Verdict::Preview {
        spool.show(media != Ok(Media::Octets))?;
    }
    if args.report || !outcome.is_complete() {
        let mut buffer = [0; REPORT_MAX];
        let report = outcome.write_report(&mut buffer).map_err(io::Error::other)?;
        writeln!(io::stderr(), "{report}")?;
    }
    Ok(ExitCode::from(match outcome.verdict {
        Verdict::Complete => 0,
        Verdict::Preview => 3,
        Verdict::Rejected(_) => 4,
    }))
}

/// The coding and the media type: what the arguments say, or else the name of the file.
fn kind(args: &args::Ingest) -> (Result<Coding, Rejection>, Result<Media, Rejection>) {
    let packed = args.file.extension().is_some_and(|extension| extension == "gz");
    let coding = match &args.content_encoding {
        Some(value) => Coding::from_header(value),
        None => Ok(if packed { Coding::Gzip } else { Coding::Identity }),
    };
    let name = if packed { args.file.with_extension("") } else { args.file.clone() };
    let media = match &args.media_type {
        Some(value) => Media::from_header(value),
        None => Ok(match name.extension().and_then(|extension| extension.to_str()) {
            Some("json") => Media::Json,
            Some("ndjson" | "jsonl") => Media::NdJson,
            Some("txt") => Media::Text,
            _ => Media::Octets,
        }),
    };
    (coding, media)
}

/// Pushes the feed into the machine until the body or the machine's patience ends.
fn drive(
    mut machine: Machine<'_>,
    feed: &Feed,
    deadline: Option<(Duration, Instant)>,
) -> io::Result<Outcome> {
    let bar = progress::bar(feed.length);
    let until = deadline.and_then(|(limit, started)| started.checked_add(limit));
    let mut cancelled = machine.verdict().is_some();
    while !cancelled {
        match feed.next(until) {
            Fed::Piece(piece) => {
                cancelled = machine.push(&piece)? == Next::Stop;
                bar.inc(piece.len() as u64);
            }
            Fed::End => break,
            Fed::Failed(error) => return Err(error),
            Fed::TimedOut => {
                let limit =
                    deadline.map_or(0, |(limit, _)| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX));
                machine.refuse(Rejection::limit_exceeded(Reason::Deadline, limit));
                cancelled = true;
            }
        }
    }
    bar.finish_and_clear();
    Ok(Outcome { cancelled, ..machine.finish()? })
}
