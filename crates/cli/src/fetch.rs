//! `plimsoll fetch`: one body over HTTP to its outcome.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use plimsoll::{Coding, Head, Media, ReadSource, Reason, Rejection, StdClock, StdIo, Watch};
use ureq::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use ureq::http::{HeaderMap, HeaderName, StatusCode};
use ureq::tls::{PemItem, RootCerts, parse_pem};
use url::Url;

use crate::args::{self, usage};
use crate::client::{Answer, Client, Connected, Failed};
use crate::complain::complain;
use crate::feed::PIECE;
use crate::intake::{self, Pipeline};
use crate::kind::Kind;
use crate::progress::Progress;
use crate::select;
use crate::spool::Spool;

/// Fetches a body as the arguments say, and tells the outcome.
///
/// # Errors
/// If the peer cannot be reached, its status is not taken, or the output failed.
pub(crate) fn run(args: &args::Fetch) -> io::Result<ExitCode> {
    let selection = args.intake.selection("fetch");
    let said = args.intake.media_type.as_deref().and_then(|value| Media::from_header(value).ok());
    if let (Some(_), Some(media)) = (&selection, said)
        && !select::is_selectable(media)
    {
        usage("fetch", select::advice(media));
    }
    let watch = Watch::new(args.intake.pace(Some(args.deadline)), StdClock::new());
    let spool = Spool::open(args.intake.output.as_deref())?;
    let roots = args.ca_file.as_deref().map_or(Ok(RootCerts::WebPki), roots)?;
    let address = shown(&args.url);
    let client = Client::new(args.deadline, roots);
    let (kind, body) = match client.get(&args.url, args.follow_hosts) {
        Ok(answer) => {
            admit(args, &address, answer.status)?;
            let kind = kind(&args.intake, &answer).inspect_err(|rejection| {
                if rejection.reason() == Reason::UnsupportedMedia {
                    complain(format_args!(
                        "{address}: the media type of the response is none that is taken here: if you know what the body \
                         is, say it with --media-type"
                    ));
                }
            });
            let kind = kind.and_then(|kind| {
                if selection.is_none() || select::is_selectable(kind.media) {
                    return Ok(kind);
                }
                complain(format_args!("{address}: {}", select::advice(kind.media)));
                Err(Rejection::new(Reason::UnsupportedMedia))
            });
            (kind, answer.body)
        }
        Err(Failed::Late) => (Err(watch.late()), Connected::none()),
        Err(Failed::Peer(message)) => {
            complain(format_args!("{address}: {message}"));
            (Err(Rejection::fault(Reason::SourceError, 0)), Connected::none())
        }
        Err(Failed::Unreached(message)) => return Err(io::Error::other(format!("{address}: {message}"))),
    };

    let length = kind.ok().and_then(|kind| kind.head.length);
    let mut piece = Box::new([0; PIECE]);
    let source = ReadSource::new(StdIo::new(body), &mut piece, |body| body.inner_mut().close());
    let progress = Progress::new(length);
    let pipeline = Pipeline { source: progress.over(source), watch };
    let taken = intake::take_in(&args.intake, selection.as_ref(), kind, pipeline, spool)?;
    if let Some(failure) = &taken.failure {
        complain(format_args!("{address}: {failure}"));
    }
    taken.tell(&args.intake)
}

/// The address as it can be shown: without the password.
fn shown(url: &Url) -> Url {
    let mut shown = url.clone();
    // An address without a host has none.
    let _ = shown.set_password(None);
    shown
}

/// The certificates of a file in PEM form.
fn roots(path: &Path) -> io::Result<RootCerts> {
    let named = |what: &dyn Display| io::Error::other(format!("{}: {what}", path.display()));
    let text = fs::read(path).map_err(|error| named(&error))?;
    let items: Result<Vec<_>, _> = parse_pem(&text).collect();
    let certificates = items.map_err(|error| named(&error))?.into_iter().filter_map(|item| match item {
        PemItem::Certificate(certificate) => Some(certificate),
        _ => None,
    });
    let certificates: Vec<_> = certificates.collect();
    if certificates.is_empty() { Err(named(&"no certificate in it")) } else { Ok(certificates.into()) }
}

/// Whether a body of this status is what was asked for. One of a partial response is not: no range was.
fn admit(args: &args::Fetch, address: &Url, status: StatusCode) -> io::Result<()> {
    if args.any_status || (status.is_success() && status != StatusCode::PARTIAL_CONTENT) {
        return Ok(());
    }
    Err(io::Error::other(format!("{address}: the response has the status {status}")))
}

/// What the arguments say of the body, or else the response.
fn kind(args: &args::Intake, answer: &Answer) -> Result<Kind, Rejection> {
    // Without a body there is nothing that the fields could be true of (RFC 9110, sections 8.6 and 15.4.5).
    let nothing = HeaderMap::new();
    let fields = if answer.has_body() { &answer.fields } else { &nothing };

    let coding = args.content_encoding.clone().or_else(|| joined(fields, CONTENT_ENCODING));
    let media = args.media_type.clone().or_else(|| joined(fields, CONTENT_TYPE));
    let length = joined(fields, CONTENT_LENGTH).and_then(|value| value.parse().ok());
    Ok(Kind {
        head: Head {
            coding: Coding::from_header(&coding.unwrap_or_default())?,
            length: args.content_length.or(length),
        },
        media: media.map_or(Ok(Media::Octets), |media| Media::from_header(&media))?,
    })
}

/// The values of a field, joined as RFC 9110, section 5.3, has it.
fn joined(fields: &HeaderMap, name: HeaderName) -> Option<String> {
    let values = fields.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    values.map(|value| value.into_owned()).reduce(|all, value| format!("{all}, {value}"))
}
