//! `plimsoll profile`: what bodies have at most, and the limits that take all of them with room to spare.

mod arguments;
mod bodies;
mod gauge;
mod lines;
mod longest;
mod measure;
mod plot;
mod policy;
mod quantity;
mod summary;
mod table;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use plimsoll::{Media, Unit};

use crate::complain::complain;
use crate::feed::Feed;
use crate::kind::{self, Kind};
use crate::named;
use crate::progress::Progress;
use crate::size;
use crate::target::Target;
use crate::width;

pub(crate) use arguments::Profile;
use bodies::Named;
use measure::{Failed, Measures, Reach, measure};
use policy::Options;
use summary::Body;

/// Measures the bodies that the arguments name.
///
/// # Errors
/// If the output failed. A body that fails is told, and the others go on.
pub(crate) fn run(args: &Profile) -> io::Result<ExitCode> {
    // What cannot be written is told before the work and not behind it.
    let plot = args.plot.as_deref().map(|path| Target::new(Some(path))).transpose()?;
    let named = bodies::all(&args.files);
    let (bodies, failures) = measure_all(args, named)?;

    let rows = summary::rows(&bodies);
    let options = options(args);
    let flags = policy::flags(&rows, &options);
    let mut out = anstream::stdout();
    if args.json {
        writeln!(out, "{}", lines::limits(&rows, &flags, bodies.len(), failures.count()))?;
    } else if bodies.is_empty() {
        complain("no body was measured");
    } else {
        let width = width::of_output();
        let plain = args.media_type.is_none() && bodies.iter().all(|body| body.media == Media::Octets);
        writeln!(out, "{}\n", Heading { measured: bodies.len(), failed: failures.count(), plain })?;
        writeln!(out, "{}\n", table::table(&rows, bodies.len(), width.unwrap_or(usize::MAX)))?;
        writeln!(out, "{}\n", policy::command(&flags, width.unwrap_or(WIDTH)))?;
        write!(out, "{}", policy::rust(&rows, &options, bodies.len()))?;
    }
    out.flush()?;
    if let Some(plot) = plot
        && !bodies.is_empty()
    {
        let mut spool = plot.spool()?;
        let svg = plot::svg(&rows, &bodies).map_err(io::Error::other)?;
        spool.write_all(svg.as_bytes()).map_err(|error| plot.full(&error))?;
        io::Seek::rewind(&mut spool)?;
        plot.commit(&mut spool)?;
    }
    Ok(failures.exit())
}

/// How wide a command line may be where nothing says how wide the output is.
const WIDTH: usize = 100;

/// What was not measured.
#[derive(Clone, Copy, Default)]
struct Failures {
    rejected: usize,
    unread: usize,
}

impl Failures {
    const fn count(self) -> usize {
        self.rejected.saturating_add(self.unread)
    }

    fn add(&mut self, failed: &Failed) {
        let counter = match failed {
            Failed::Rejected(_) => &mut self.rejected,
            Failed::Unread(_) => &mut self.unread,
        };
        *counter = counter.saturating_add(1);
    }

    fn exit(self) -> ExitCode {
        ExitCode::from(match self {
            Self { unread: 1.., .. } => 1,
            Self { rejected: 1.., .. } => 4,
            _ => 0,
        })
    }
}

/// What stands above the table.
struct Heading {
    measured: usize,
    failed: usize,
    /// Whether nothing told what is in the bodies, so that only bytes were counted.
    plain: bool,
}

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { measured, failed, plain } = self;
        let bodies = if *measured == 1 { "body" } else { "bodies" };
        write!(f, "{measured} {bodies} measured")?;
        if *failed > 0 {
            write!(f, ", {failed} failed")?;
        }
        if *plain {
            f.write_str("\nOnly bytes were counted: --content-encoding and --media-type tell what is in them")
        } else {
            Ok(())
        }
    }
}

/// Measures one file after the other, and tells those that fail.
fn measure_all(args: &Profile, named: Vec<Named>) -> io::Result<(Vec<Body>, Failures)> {
    let lengths: Vec<_> = named.iter().map(Named::length).collect();
    let total: Option<u64> = lengths.iter().copied().sum();
    let progress = Progress::new(total);
    let (mut bodies, mut failures) = (Vec::new(), Failures::default());
    let (count, mut passed) = (named.len(), 0_u64);
    for (index, (Named { path, found }, length)) in named.into_iter().zip(lengths).enumerate() {
        progress.at(index.saturating_add(1), count);
        let name = named::shown(&path);
        let kind = kind(args, &path);
        let line = match found.map_err(Failed::Unread).and_then(|()| one(args, &path, &kind, &progress)) {
            Ok(measures) => {
                let line = lines::body(&path, &kind, &measures);
                bodies.push(Body { name, media: kind.media, measures });
                line
            }
            Err(failed) => {
                failures.add(&failed);
                let line = lines::failed(&path, &failed);
                progress.aside(|| complain(format_args!("{name}: {failed}")));
                line
            }
        };
        passed = passed.saturating_add(length.unwrap_or(0));
        if total.is_some() {
            progress.reach(passed);
        }
        if args.json {
            let mut written = Ok(());
            progress.aside(|| written = writeln!(io::stdout(), "{line}"));
            written?;
        }
    }
    Ok((bodies, failures))
}

fn one(args: &Profile, path: &Path, kind: &Kind, progress: &Progress) -> Result<Measures, Failed> {
    let reach =
        Reach { encoded: args.encoded_limit, decoded: args.decoded_limit, zero_padding: args.zero_padding };
    let feed = Feed::open(path).map_err(Failed::Unread)?;
    measure(progress.over(feed), kind, reach)
}

/// What the arguments say of a body, or else the name of its file.
fn kind(args: &Profile, path: &Path) -> Kind {
    let mut kind = kind::of_file(path);
    kind.head.coding = args.content_encoding.unwrap_or(kind.head.coding);
    kind.media = args.media_type.unwrap_or(kind.media);
    kind
}

/// What the limits are to be used with.
fn options(args: &Profile) -> Options {
    let coding = args.content_encoding.map(|coding| match coding {
        plimsoll::Coding::Gzip => "--content-encoding gzip".to_owned(),
        _ => "--content-encoding identity".to_owned(),
    });
    let media = args.media_type.map(|media| format!("--media-type {media}"));
    let padding = args.zero_padding.then(|| "--zero-padding".to_owned());
    Options {
        given: [coding, media, padding].into_iter().flatten().collect(),
        zero_padding: args.zero_padding,
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => match rejection.limit() {
                Some(limit) if limit.unit == Unit::Bytes => f.write_str(
                    &rejection.to_string().replace(&limit.to_string(), &size::spelled(limit.value)),
                ),
                _ => rejection.fmt(f),
            },
            Self::Unread(error) => error.fmt(f),
        }
    }
}
