//! One body from its source to its outcome, wherever it comes from: the pipeline that all commands share.

use std::io::{self, Write};
use std::process::ExitCode;

use plimsoll::json::Counted;
use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Inspector, Media, Outcome, REPORT_MAX, Reason, Rejection, Ring,
    Source, StdClock, Transfer, Verdict, Watch,
};

use crate::args::{Intake, LEVELS};
use crate::kind::Kind;
use crate::spool::Spool;

/// The greatest distance of DEFLATE.
const WINDOW: usize = 32 * 1024;

/// Room for every level of nesting that the arguments can ask for.
type Levels = Counted<{ LEVELS as usize }>;

/// A body that was taken in, or refused.
pub(crate) struct Taken {
    outcome: Outcome,
    /// What the source failed with, where the reason is `source_error`.
    pub(crate) failure: Option<io::Error>,
    spool: Spool,
    /// Whether a preview is of text.
    text: bool,
}

/// Takes a body in as the arguments say. Where `kind` is a refusal, nothing is read.
///
/// # Errors
/// If the output failed.
pub(crate) fn take_in<S: Source<Error = io::Error>>(
    args: &Intake,
    kind: Result<Kind, Rejection>,
    source: S,
    watch: Watch<StdClock>,
    mut spool: Spool,
) -> io::Result<Taken> {
    let policy = args.policy();
    let (mut engine, mut window) = (Box::new(DefaultEngine::new()), Box::new([0; WINDOW]));
    let Kind { head, media } =
        kind.unwrap_or(Kind { head: Head::new(Coding::Identity), media: Media::Octets });
    let inspector = Inspector::<Levels>::new(media, &policy.limits).map_err(io::Error::other)?;
    let mut machine =
        Ingest::ring(&head, &policy, &mut *engine, Ring::new(&mut window), inspector, &mut spool);
    if let Err(rejection) = kind {
        machine.refuse(rejection);
    }
    let mut transfer = Transfer::new(machine, source, watch);
    transfer.read()?;
    let copy = |error: &io::Error| io::Error::new(error.kind(), error.to_string());
    let failure = transfer.source_error().map(copy);
    let outcome = transfer.finish()?;
    let failure = failure.filter(|_| outcome.rejection().map(|it| it.reason()) == Some(Reason::SourceError));
    Ok(Taken { outcome, failure, spool, text: media != Media::Octets })
}

impl Taken {
    /// Shows a preview and the report where they are due, and says how the command exits.
    ///
    /// # Errors
    /// If standard output or standard error cannot be written.
    pub(crate) fn tell(self, args: &Intake) -> io::Result<ExitCode> {
        if self.outcome.verdict == Verdict::Preview {
            self.spool.show(self.text)?;
        }
        if args.report || !self.outcome.is_complete() {
            let mut buffer = [0; REPORT_MAX];
            let report = self.outcome.write_report(&mut buffer).map_err(io::Error::other)?;
            // Who closed standard error does not want it; the exit status says the same.
            let _ = writeln!(io::stderr(), "{report}");
        }
        Ok(ExitCode::from(match self.outcome.verdict {
            Verdict::Complete => 0,
            Verdict::Preview => 3,
            Verdict::Rejected(_) => 4,
        }))
    }
}
