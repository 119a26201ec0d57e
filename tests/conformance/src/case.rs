//! One response through every form of `Ingest`, cut in every way.

use core::fmt;

use plimsoll::DefaultEngine;
use plimsoll::budget::{Meter, WorkMeter};
use plimsoll::gzip::{Gunzip, Policy as GzipPolicy, Trailing};
use plimsoll::inflate::{Engine, Inflate};
use plimsoll::{
    Coding, FlatDecoder, Head, Ingest, Limits, Next, Outcome, Policy, REPORT_MAX, Reason, Rejection, Ring,
    Sink, Slice, Verdict,
};
use plimsoll::{Decode, Inspect, Inspected};

use crate::cut::{Cut, Cuts};
use crate::raw::decode_all;
use crate::recorder::Recorder;
use crate::rig::{PATTERNS, Receive, Rig};

/// An encoded body, what its head says, and the policy it is taken in under.
#[derive(Clone, Debug)]
pub struct Case {
    /// The encoded body.
    pub body: Vec<u8>,
    /// Coding and declared length.
    pub head: Head,
    /// Limits and choices.
    pub policy: Policy,
    /// The most that the flat buffer and the sinks can take, beside the policy's limit.
    pub room: u64,
    /// How it is cut.
    pub cuts: Cuts,
}

impl Case {
    /// A body under the strict policy with 64 KiB encoded, 8192 bytes decoded, 4 KiB of header, 16 Ki steps of
    /// work, and one member.
    #[must_use]
    pub fn new(coding: Coding, body: impl Into<Vec<u8>>) -> Self {
        let limits = Limits {
            encoded: 64 * 1024,
            decoded: 8192,
            header: 4096,
            work: 16 * 1024,
            members: 1,
            ..Limits::GATEWAY
        };
        Self {
            body: body.into(),
            head: Head::new(coding),
            policy: Policy::strict(limits),
            room: u64::MAX,
            cuts: Cuts::Usual,
        }
    }

    /// A gzip body.
    #[must_use]
    pub fn gzip(body: impl Into<Vec<u8>>) -> Self {
        Self::new(Coding::Gzip, body)
    }

    /// A body without a coding.
    #[must_use]
    pub fn identity(body: impl Into<Vec<u8>>) -> Self {
        Self::new(Coding::Identity, body)
    }

    /// The same with another limit for encoded bytes.
    #[must_use]
    pub fn encoded(mut self, limit: u64) -> Self {
        self.policy.limits.encoded = limit;
        self
    }

    /// The same with another limit for decoded bytes.
    #[must_use]
    pub fn decoded(mut self, limit: u64) -> Self {
        self.policy.limits.decoded = limit;
        self
    }

    /// The same with another limit for header bytes.
    #[must_use]
    pub fn header(mut self, limit: u64) -> Self {
        self.policy.limits.header = limit;
        self
    }

    /// The same with another limit for work.
    #[must_use]
    pub fn work(mut self, limit: u64) -> Self {
        self.policy.limits.work = limit;
        self
    }

    /// The same with up to so many members.
    #[must_use]
    pub fn members(mut self, limit: u64) -> Self {
        self.policy.limits.members = limit;
        self
    }

    /// The same with zero padding allowed.
    #[must_use]
    pub fn zero_padding(mut self) -> Self {
        self.policy.zero_padding = true;
        self
    }

    /// The same with an empty gzip body allowed.
    #[must_use]
    pub fn empty_body(mut self) -> Self {
        self.policy.empty_body = true;
        self
    }

    /// The same with a preview of so many bytes.
    #[must_use]
    pub fn preview(mut self, most: u64) -> Self {
        self.policy.preview = Some(most);
        self
    }

    /// The same with a declared length.
    #[must_use]
    pub fn length(mut self, length: u64) -> Self {
        self.head = self.head.with_length(length);
        self
    }

    /// The same with a buffer and sinks for so many bytes.
    #[must_use]
    pub fn room(mut self, room: u64) -> Self {
        self.room = room;
        self
    }

    /// The same with these cuts.
    #[must_use]
    pub fn cuts(mut self, cuts: Cuts) -> Self {
        self.cuts = cuts;
        self
    }

    fn gzip_policy(&self) -> GzipPolicy {
        GzipPolicy {
            header_limit: self.policy.limits.header,
            members: self.policy.limits.members,
            trailing: if self.policy.zero_padding { Trailing::ZeroPadding } else { Trailing::Refuse },
            empty: self.policy.empty_body,
        }
    }
}

/// What all runs of a case came to.
#[derive(Clone, PartialEq, Eq)]
pub struct Agreed {
    /// The body, of a complete one.
    pub body: Option<Vec<u8>>,
    /// What the sink got before the verdict.
    pub provisional: Vec<u8>,
    /// Complete, preview or rejected, and why.
    pub verdict: Verdict,
    /// The counter of decoded bytes.
    pub decoded_bytes: u64,
    /// Whether the rest of the body was never read.
    pub lower_bound: bool,
    /// After how many bytes the verdict was reached, where they came one by one.
    pub decided_after: u64,
}

impl fmt::Debug for Agreed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agreed")
            .field("body", &self.body.as_ref().map(Vec::len))
            .field("provisional", &(self.provisional.len(), crc32fast::hash(&self.provisional)))
            .field("verdict", &self.verdict)
            .field("decoded_bytes", &self.decoded_bytes)
            .field("lower_bound", &self.lower_bound)
            .field("decided_after", &self.decided_after)
            .finish()
    }
}

impl Agreed {
    /// Asserts that the body was complete, and that it was this one.
    #[track_caller]
    pub fn expect_complete(&self, body: &[u8]) {
        assert_eq!(self.verdict, Verdict::Complete, "{self:?}");
        assert!(self.body.as_deref() == Some(body), "another body of {} bytes: {self:?}", body.len());
        assert!(!self.lower_bound, "{self:?}");
    }

    /// Asserts a fault at an offset, and answers with the whole rejection.
    #[track_caller]
    pub fn expect_fault(&self, reason: Reason, at: usize) -> Rejection {
        let rejection = self.rejection();
        assert_eq!((rejection.reason(), rejection.at()), (reason, Some(at as u64)), "{self:?}");
        assert_eq!(rejection.limit(), None);
        rejection
    }

    /// Asserts that a limit was exceeded, that it was this one, and that nothing more was read.
    #[track_caller]
    pub fn expect_limit(&self, reason: Reason, limit: u64) -> Rejection {
        let rejection = self.rejection();
        assert_eq!((rejection.reason(), rejection.at()), (reason, None), "{self:?}");
        assert_eq!(rejection.limit().map(|limit| limit.value), Some(limit), "{self:?}");
        assert!(self.lower_bound, "{self:?}");
        rejection
    }

    /// Asserts that the decoded limit was exceeded, with all that follows from it.
    #[track_caller]
    pub fn expect_decoded_limit(&self, limit: u64) {
        self.expect_limit(Reason::DecodedLimit, limit);
        assert_eq!(self.decoded_bytes, limit + 1, "{self:?}");
        assert_eq!(self.provisional.len() as u64, limit, "{self:?}");
    }

    /// The rejection of a rejected body.
    #[track_caller]
    #[must_use]
    pub fn rejection(&self) -> Rejection {
        match self.verdict {
            Verdict::Rejected(rejection) => rejection,
            other => panic!("not rejected but {other:?}: {self:?}"),
        }
    }
}

/// Runs a case in every form and with every cut, and answers with what all agree on.
#[track_caller]
#[must_use]
pub fn agreed(case: &Case) -> Agreed {
    agreed_with::<DefaultEngine>(case)
}

/// The same with the engine `E`.
#[track_caller]
#[must_use]
pub fn agreed_with<E: Engine + Default>(case: &Case) -> Agreed {
    let decoded = case.policy.limits.decoded;
    // Longer than the limit, where that may be: the part behind it must stay untouched.
    let output = usize::try_from(decoded.saturating_add(GUARD as u64).min(case.room)).unwrap();
    let mut rig = Rig::new(32 * 1024, output, case.body.len());
    let mut first: Option<(Label, Run)> = None;
    let mut decided_after = 0;
    for cut in case.cuts.of(case.body.len()) {
        for pattern in PATTERNS {
            let forms: [(&'static str, Form<E>); 4] =
                [("flat", flat), ("flat to a sink", flat_sink), ("ring", ring), ("ring to a slice", slice)];
            for (name, form) in forms {
                rig.fill(pattern);
                let run = form(case, cut, &mut rig);
                let label = Label { form: name, cut, pattern };
                run.check(case, label);
                if cut == Cut::Every(1) {
                    decided_after = run.outcome.encoded_bytes;
                }
                if let Some((other, expected)) = &mut first {
                    expected.compare(*other, &run, label);
                } else {
                    first = Some((label, run));
                }
            }
            if let Some((other, expected)) = &first {
                rig.fill(pattern);
                gunzip(case, cut, &mut rig, *other, expected);
            }
        }
    }
    let (_, run) = first.expect("there is a cut");
    Agreed {
        body: run.body,
        provisional: run.provisional.expect("one form has a sink that tells"),
        verdict: run.outcome.verdict,
        decoded_bytes: run.outcome.decoded_bytes,
        lower_bound: run.outcome.lower_bound,
        decided_after,
    }
}

/// Bytes behind the decoded limit that no run may touch.
const GUARD: usize = 16;

/// One form of `Ingest`.
type Form<E> = fn(&Case, Cut, &mut Rig<E>) -> Run;

/// Which run it was.
#[derive(Clone, Copy)]
struct Label {
    form: &'static str,
    cut: Cut,
    pattern: u8,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:?}, over {:#04x}", self.form, self.cut, self.pattern)
    }
}

/// What one run came to.
#[derive(Clone)]
struct Run {
    outcome: Outcome,
    body: Option<Vec<u8>>,
    /// What the sink got, where it tells.
    provisional: Option<Vec<u8>>,
    /// Whether the sink exposes what it gets.
    exposes: bool,
    /// Bytes of the pieces that were pushed, up to the one that decided.
    handed: u64,
}

impl Run {
    /// Checks what must hold within one run.
    fn check(&self, case: &Case, label: Label) {
        let outcome = &self.outcome;
        let complete = outcome.verdict == Verdict::Complete;
        assert_eq!(complete, self.body.is_some(), "{label}: a body exactly when it is complete");
        if let (Some(body), Some(provisional)) = (&self.body, &self.provisional) {
            assert!(body == provisional, "{label}: the body is what was provisional");
        }
        let over = matches!(outcome.verdict, Verdict::Rejected(r) if r.reason() == Reason::DecodedLimit);
        if let Some(provisional) = &self.provisional {
            let counted = provisional.len() as u64 + u64::from(over);
            assert_eq!(outcome.decoded_bytes, counted, "{label}: {outcome:?}");
            let exposed = if self.exposes { provisional.len() as u64 } else { 0 };
            assert_eq!(outcome.exposed_bytes, exposed, "{label}: {outcome:?}");
        }
        // One more than the limit or the declared length at most. What decides within a declared length may come
        // before the byte behind it is counted.
        let least = self.handed.min(case.head.length.unwrap_or(u64::MAX)).min(case.policy.limits.encoded);
        let most = self.handed.min(least.saturating_add(1));
        assert!((least..=most).contains(&outcome.encoded_bytes), "{label}: {outcome:?}");
        if complete {
            assert_eq!(outcome.encoded_bytes, case.body.len() as u64, "{label}: {outcome:?}");
            assert!(!outcome.lower_bound, "{label}: {outcome:?}");
        }
        assert!(!outcome.cancelled, "{label}: it has no source to cancel");
        // The report depends on the outcome alone.
        if !matches!(label.cut, Cut::Whole | Cut::Every(1)) {
            return;
        }
        let mut buffer = [0; REPORT_MAX];
        assert_eq!(outcome.write_report(&mut buffer).unwrap(), report(outcome), "{label}");
    }

    /// Checks that another run came to the same.
    #[track_caller]
    fn compare(&mut self, label: Label, other: &Self, other_label: Label) {
        let comparable = |outcome: &Outcome| Outcome { encoded_bytes: 0, exposed_bytes: 0, ..*outcome };
        let (one, two) = (comparable(&self.outcome), comparable(&other.outcome));
        assert!(one == two, "{label}: {one:?}\n{other_label}: {two:?}");
        assert!(self.body == other.body, "{label} and {other_label}: another body");
        if let Some(provisional) = &self.provisional {
            if let Some(other) = &other.provisional {
                assert!(provisional == other, "{label} and {other_label}: other provisional bytes");
            }
        } else {
            self.provisional.clone_from(&other.provisional);
        }
    }
}

/// The report as the documentation describes it.
fn report(outcome: &Outcome) -> String {
    let mut line = String::from("{");
    match outcome.verdict {
        Verdict::Complete => line += r#""outcome":"complete","#,
        Verdict::Preview => line += r#""outcome":"preview","#,
        Verdict::Rejected(rejection) => {
            let (stage, reason) = (rejection.stage(), rejection.reason());
            line += &format!(r#""outcome":"rejected","stage":"{stage}","reason":"{reason}","#);
            if let Some(limit) = rejection.limit() {
                line += &format!(r#""limit":{},"unit":"{}","#, limit.value, limit.unit);
            } else if let Some(at) = rejection.at() {
                line += &format!(r#""at":{at},"#);
            }
            if let Some(record) = rejection.record() {
                line += &format!(r#""record":{record},"#);
            }
        }
    }
    let Outcome { encoded_bytes, decoded_bytes, lower_bound, exposed_bytes, cancelled, .. } = outcome;
    line += &format!(r#""encoded_bytes":{encoded_bytes},"decoded_bytes":{decoded_bytes},"#);
    line +=
        &format!(r#""lower_bound":{lower_bound},"exposed_bytes":{exposed_bytes},"cancelled":{cancelled}}}"#);
    line
}

/// Pushes the body up to its verdict and answers with how much that was.
fn feed<D: Decode, I: Inspect, S: Sink>(
    ingest: &mut Ingest<D, I, S>,
    body: &[u8],
    cut: Cut,
    receive: &mut Receive,
) -> u64
where
    S::Error: fmt::Debug,
{
    if ingest.verdict().is_some() {
        stays_stopped(ingest, receive);
        return 0;
    }
    let mut handed = 0;
    for piece in cut.pieces(body.len()) {
        handed += piece.len() as u64;
        let next = receive.with(body, piece, |piece| ingest.push(piece).expect("a sink that works"));
        assert_eq!(next == Next::Stop, ingest.verdict().is_some(), "stop means that there is a verdict");
        if next == Next::Stop {
            stays_stopped(ingest, receive);
            break;
        }
    }
    handed
}

/// A machine that has stopped takes nothing more and keeps its verdict, whatever it is told.
fn stays_stopped<D: Decode, I: Inspect, S: Sink>(ingest: &mut Ingest<D, I, S>, receive: &Receive)
where
    S::Error: fmt::Debug,
{
    let state = |ingest: &Ingest<D, I, S>| (ingest.verdict(), ingest.encoded_bytes(), ingest.decoded_bytes());
    let before = state(ingest);
    assert_eq!(ingest.push(receive.poison()).expect("it asks no sink"), Next::Stop);
    assert_eq!(ingest.push(b"").expect("it asks no sink"), Next::Stop);
    ingest.refuse(Rejection::new(Reason::Cancelled));
    assert_eq!(state(ingest), before);
}

fn flat<E: Engine + Default>(case: &Case, cut: Cut, rig: &mut Rig<E>) -> Run {
    let Rig { engine, output, receive, .. } = rig;
    let guarded =
        usize::try_from(case.policy.limits.decoded).map_or(output.len(), |most| most.min(output.len()));
    let guard = output[guarded..].to_vec();
    let mut ingest = Ingest::flat(&case.head, &case.policy, engine, output, ());
    let handed = feed(&mut ingest, &case.body, cut, receive);
    let (outcome, body) = ingest.finish_flat();
    let body = body.map(|body| body.to_vec());
    assert!(output[guarded..] == guard[..], "something was written behind the decoded limit");
    Run { outcome, body, provisional: None, exposes: false, handed }
}

fn flat_sink<E: Engine + Default>(case: &Case, cut: Cut, rig: &mut Rig<E>) -> Run {
    let mut recorder = Recorder::<false>::new(case.room);
    let decoder = FlatDecoder::new(case.head.coding, &case.policy, &mut rig.engine, &mut rig.output);
    let mut ingest = Ingest::new(&case.head, &case.policy, decoder, (), &mut recorder);
    let handed = feed(&mut ingest, &case.body, cut, &mut rig.receive);
    let outcome = ingest.finish().expect("a sink that works");
    told(recorder, outcome, handed)
}

fn ring<E: Engine + Default>(case: &Case, cut: Cut, rig: &mut Rig<E>) -> Run {
    let mut recorder = Recorder::<true>::new(case.room);
    let ring = Ring::from_slice(&mut rig.ring).expect("a power of two");
    let mut ingest = Ingest::ring(&case.head, &case.policy, &mut rig.engine, ring, (), &mut recorder);
    let handed = feed(&mut ingest, &case.body, cut, &mut rig.receive);
    let outcome = ingest.finish().expect("a sink that works");
    told(recorder, outcome, handed)
}

fn slice<E: Engine + Default>(case: &Case, cut: Cut, rig: &mut Rig<E>) -> Run {
    let Rig { engine, ring, output, receive } = rig;
    let mut slice = Slice::new(output);
    let ring = Ring::from_slice(ring).expect("a power of two");
    let mut ingest = Ingest::ring(&case.head, &case.policy, engine, ring, (), &mut slice);
    let handed = feed(&mut ingest, &case.body, cut, receive);
    let Ok(outcome) = ingest.finish();
    let shown = slice.body().map(<[u8]>::to_vec);
    let body = slice.into_body().map(|body| body.to_vec());
    assert!(shown == body);
    Run { outcome, body, provisional: None, exposes: false, handed }
}

/// What a recorder was told: the bytes first, then one word, which fits the verdict.
fn told<const EXPOSES: bool>(recorder: Recorder<EXPOSES>, outcome: Outcome, handed: u64) -> Run {
    let complete = outcome.is_complete();
    assert_eq!((recorder.commits, recorder.discards), (u64::from(complete), u64::from(!complete)));
    assert!(!recorder.late, "the sink was told something after the last word");
    let body = complete.then(|| recorder.bytes.clone());
    Run { outcome, body, provisional: Some(recorder.bytes), exposes: EXPOSES, handed }
}

/// Where nothing but the gzip decoder and the decoded limit decides, these two alone must say the same.
#[track_caller]
fn gunzip<E: Engine + Default>(case: &Case, cut: Cut, rig: &mut Rig<E>, label: Label, expected: &Run) {
    let encoded = case.body.len() as u64;
    if case.head != Head::new(Coding::Gzip)
        || case.policy.preview.is_some()
        || encoded > case.policy.limits.encoded
    {
        return;
    }
    let ring = Ring::from_slice(&mut rig.ring).expect("a power of two");
    let inflate = Inflate::new(&mut rig.engine, ring, WorkMeter::new(case.policy.limits.work));
    let meter = Meter::decoded(case.policy.limits.decoded.min(case.room));
    let mut decoder = Inspected::new(Gunzip::new(inflate, case.gzip_policy()), meter);
    let seen = decode_all(&mut decoder, &case.body, cut, &mut rig.receive);
    let verdict = seen.verdict.map_or_else(Verdict::Rejected, |()| Verdict::Complete);
    assert_eq!(verdict, expected.outcome.verdict, "Gunzip, {cut:?}, and {label}");
    if let Some(provisional) = &expected.provisional {
        assert!(seen.bytes == *provisional, "Gunzip, {cut:?}, and {label}: other bytes");
    }
}
