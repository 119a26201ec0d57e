//! One body from its source to its outcome, wherever it comes from: the pipeline that all commands share.

use std::io::{self, Write};
use std::process::ExitCode;

use plimsoll::json::Counted;
use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Inspect, Inspector, Media, Outcome, Policy, REPORT_MAX, Reason,
    Rejection, Ring, Sink, Source, StdClock, Transfer, Verdict, Watch,
};

use crate::args::{Intake, LEVELS, Selection};
use crate::complain::complain;
use crate::kind::Kind;
use crate::select;
use crate::spool::Spool;

/// The greatest distance of DEFLATE.
const WINDOW: usize = 32 * 1024;

/// Room for every level of nesting that the arguments can ask for.
pub(crate) type Levels = Counted<{ LEVELS as usize }>;

/// A body that was taken in, or refused.
pub(crate) struct Taken {
    pub(crate) outcome: Outcome,
    /// What the source failed with, where the reason is `source_error`.
    pub(crate) failure: Option<io::Error>,
    pub(crate) spool: Spool,
    /// Whether a preview is of text, and may end within a character.
    pub(crate) text: bool,
    /// What the report has no key for.
    pub(crate) note: Option<String>,
}

/// Where a body comes from, and how long that may take.
pub(crate) struct Pipeline<S> {
    pub(crate) source: S,
    pub(crate) watch: Watch<StdClock>,
}

impl<S: Source<Error = io::Error>> Pipeline<S> {
    /// Takes a body through an inspector into a sink. Where `kind` is a refusal, nothing is read. The outcome comes with
    /// what the source failed with, where the reason is `source_error`.
    ///
    /// # Errors
    /// If the sink failed.
    pub(crate) fn run<I: Inspect, K: Sink>(
        self,
        policy: &Policy,
        kind: Result<Kind, Rejection>,
        inspector: I,
        sink: K,
    ) -> Result<(Outcome, Option<io::Error>), K::Error> {
        let (mut engine, mut window) = (Box::new(DefaultEngine::new()), Box::new([0; WINDOW]));
        let head = kind.map_or(Head::new(Coding::Identity), |kind| kind.head);
        let mut machine = Ingest::ring(&head, policy, &mut *engine, Ring::new(&mut window), inspector, sink);
        if let Err(rejection) = kind {
            machine.refuse(rejection);
        }
        let mut transfer = Transfer::new(machine, self.source, self.watch);
        transfer.read()?;
        let copy = |error: &io::Error| io::Error::new(error.kind(), error.to_string());
        let failure = transfer.source_error().map(copy);
        let outcome = transfer.finish()?;
        let failed = outcome.rejection().map(|it| it.reason()) == Some(Reason::SourceError);
        Ok((outcome, failure.filter(|_| failed)))
    }
}

/// Takes a body in as the arguments say, or the fields of it that are selected. Where `kind` is a refusal, nothing is read.
///
/// # Errors
/// If the output failed.
pub(crate) fn take_in<S: Source<Error = io::Error>>(
    args: &Intake,
    selection: Option<&Selection>,
    kind: Result<Kind, Rejection>,
    pipeline: Pipeline<S>,
    mut spool: Spool,
) -> io::Result<Taken> {
    if let (Some(selection), Ok(kind)) = (selection, kind) {
        return select::take_in(args, selection, kind, pipeline, spool);
    }
    let policy = args.policy();
    let media = kind.map_or(Media::Octets, |kind| kind.media);
    let inspector = Inspector::<Levels>::new(media, &policy.limits).map_err(io::Error::other)?;
    let (outcome, failure) = pipeline.run(&policy, kind, inspector, &mut spool)?;
    Ok(Taken { outcome, failure, spool, text: media != Media::Octets, note: None })
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
        if let Some(note) = self.note {
            complain(note);
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
