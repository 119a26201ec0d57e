//! The push machine: one response from its first byte to its outcome.
//!
//! Pieces of the encoded body go in; decoded, inspected runs go to the sink; the verdict is kept. What decides
//! is the position in the stream, never how it was cut: a piece that crosses the encoded limit is decoded up to
//! the limit first.
//!
//! A run passes the limit and the inspectors as it would in [`Inspected`](plimsoll_core::Inspected), but in a function that is left
//! before the sink is asked, and a refusal that waits is kept here and nowhere else: on a device that halves the stack.

use plimsoll_budget::Meter;
use plimsoll_core::{Decode, Inspect, Reason, Refusal, Rejection, Run, Stage, Step};
use plimsoll_inflate::{Engine, Ring};

use crate::decoder::{FlatDecoder, RingDecoder};
use crate::head::Head;
use crate::outcome::{Outcome, Verdict};
use crate::policy::Policy;
use crate::preview::{Lenient, Preview, Received};
use crate::sink::Sink;

/// What to do after a push.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "after `Stop` the source is to be cancelled, not drained"]
pub enum Next {
    /// Read more and push it, or finish at the end of the body.
    Read,
    /// The verdict is reached: cancel the source, read nothing more, and ask [`Ingest::finish`] for it.
    Stop,
}

/// What of a piece may be decoded.
pub(crate) struct Share {
    /// How many of its bytes.
    pub(crate) admitted: usize,
    /// The encoded offset behind them.
    pub(crate) end: u64,
}

/// What one step brought.
pub(crate) enum Pull {
    /// So many encoded bytes are done with, and a run of so many decoded ones was handed on.
    Run { consumed: usize, run: usize },
    /// Nothing more comes of this input: it is used up, or the verdict is reached.
    Dry,
}

/// Takes in one response.
///
/// `D` decodes, `I` inspects what was decoded (`()` for nothing but the limit), `S` takes the body. The sink
/// is told exactly one of commit and discard, also where this is dropped before the end.
#[derive(Debug)]
pub struct Ingest<D, I, S: Sink> {
    decoder: D,
    decoded: Meter,
    inspector: Lenient<I>,
    encoded: Meter,
    declared: Option<u64>,
    preview: Option<u64>,
    decoded_bytes: u64,
    exposed_bytes: u64,
    sink: Guard<S>,
    standing: Standing,
    /// Whether the body was read to its end.
    whole: bool,
    /// Whether the inspectors have agreed that the body may end where it does.
    ended: bool,
    /// Whether the caller has what a flat decoder wrote.
    taken: bool,
}

/// How a body stands.
#[derive(Debug)]
enum Standing {
    /// All is well so far.
    Open,
    /// The run handed on last was cut before a byte that is refused for this.
    Refused(Rejection),
    /// The verdict is reached.
    Stopped(Verdict),
}

/// A sink that is told of its end once.
#[derive(Debug)]
struct Guard<S: Sink> {
    sink: S,
    told: bool,
}

impl<S: Sink> Guard<S> {
    fn commit(&mut self) -> Result<(), S::Error> {
        self.told = true;
        self.sink.commit()
    }

    fn discard(&mut self) {
        if !self.told {
            self.told = true;
            self.sink.discard();
        }
    }

    fn preview(&mut self) {
        self.told = true;
        self.sink.preview();
    }
}

impl<S: Sink> Drop for Guard<S> {
    fn drop(&mut self) {
        self.discard();
    }
}

impl<'m, E: Engine, I: Inspect> Ingest<FlatDecoder<'m, E>, I, ()> {
    /// Takes a body into `output`, which is its history too. The buffer's length is a limit beside the
    /// policy's.
    #[must_use]
    #[inline(never)]
    pub fn flat(head: &Head, policy: &Policy, engine: &'m mut E, output: &'m mut [u8], inspector: I) -> Self {
        let decoder = FlatDecoder::new(head.coding, policy, engine, output);
        Self::new(head, policy, decoder, inspector, ())
    }

    /// Says that the body has ended, and gives it back if it is complete. Called again, it says the same and gives nothing.
    ///
    /// The machine is not moved, which on a device takes its size once more of the stack.
    #[inline(never)]
    pub fn finish_flat(&mut self) -> (Outcome, Option<&'m mut [u8]>) {
        let Ok(outcome) = self.end();
        let body = if outcome.is_complete() { self.take_written() } else { None };
        (outcome, body)
    }

    /// As [`finish_flat`](Self::finish_flat), and gives the preview back where the policy asked for one and the
    /// body goes on behind it.
    pub fn finish_received(&mut self) -> (Outcome, Received<'m>) {
        let Ok(outcome) = self.end();
        let received = match outcome.verdict {
            Verdict::Complete => self.take_written().map(Received::Complete),
            Verdict::Preview => self.take_written().map(|written| {
                let written: &'m [u8] = written;
                // The decoder may be ahead of the byte that the preview ends before.
                let shown = usize::try_from(outcome.decoded_bytes).unwrap_or(usize::MAX);
                Received::Preview(Preview::new(written.get(..shown).unwrap_or(written)))
            }),
            Verdict::Rejected(_) => None,
        };
        (outcome, received.unwrap_or(Received::Nothing))
    }

    /// What the decoder has written, the first time.
    fn take_written(&mut self) -> Option<&'m mut [u8]> {
        let taken = core::mem::replace(&mut self.taken, true);
        if taken { None } else { Some(self.decoder.take_written()) }
    }
}

impl<'m, E: Engine, I: Inspect, S: Sink> Ingest<RingDecoder<'m, E>, I, S> {
    /// Takes a body through `ring` into `sink`.
    #[must_use]
    pub fn ring(
        head: &Head,
        policy: &Policy,
        engine: &'m mut E,
        ring: Ring<'m>,
        inspector: I,
        sink: S,
    ) -> Self {
        let decoder = RingDecoder::new(head.coding, policy, engine, ring);
        Self::new(head, policy, decoder, inspector, sink)
    }
}

impl<D: Decode, I: Inspect, S: Sink> Ingest<D, I, S> {
    /// Takes a body with a decoder of the caller's choice.
    ///
    /// A declared length over the limit for encoded bytes is refused here, as `declared_length`: the first push
    /// answers [`Next::Stop`], and [`verdict`](Self::verdict) tells it before a byte is read.
    #[must_use]
    pub fn new(head: &Head, policy: &Policy, decoder: D, inspector: I, sink: S) -> Self {
        // The byte behind a preview is not looked at by the inspectors either.
        let most = policy.preview.unwrap_or(u64::MAX);
        let limit = policy.limits.decoded.min(sink.capacity()).min(most);
        let mut ingest = Self {
            decoder,
            decoded: Meter::decoded(limit),
            inspector: Lenient::new(inspector, policy.preview.is_some()),
            encoded: Meter::encoded(policy.limits.encoded),
            declared: head.length,
            preview: policy.preview,
            decoded_bytes: 0,
            exposed_bytes: 0,
            sink: Guard { sink, told: false },
            standing: Standing::Open,
            whole: false,
            ended: false,
            taken: false,
        };
        if head.length.is_some_and(|length| length > policy.limits.encoded) {
            ingest.refuse(Rejection::limit_exceeded(Reason::DeclaredLength, policy.limits.encoded));
        }
        ingest
    }

    /// Takes the next piece of the encoded body. An empty one changes nothing.
    ///
    /// # Errors
    /// What the sink met. The body is then discarded and the machine has stopped.
    #[inline(never)]
    pub fn push(&mut self, piece: &[u8]) -> Result<Next, S::Error> {
        if self.is_stopped() {
            return Ok(Next::Stop);
        }
        let share = self.admit(piece.len());
        let mut rest = piece.get(..share.admitted).unwrap_or(piece);
        while let Pull::Run { consumed, .. } = self.pull(rest, share.end)? {
            rest = rest.get(consumed..).unwrap_or(&[]);
        }
        if share.admitted < piece.len() {
            self.overrun(share.end);
        }
        Ok(if self.is_stopped() { Next::Stop } else { Next::Read })
    }

    /// Counts a piece as handed in, up to what the limit and the declared length let pass.
    pub(crate) fn admit(&mut self, length: usize) -> Share {
        let start = self.encoded.used();
        let undeclared = self.declared.map_or(length, |declared| {
            usize::try_from(declared.saturating_sub(start)).unwrap_or(usize::MAX).min(length)
        });
        let admitted = self.encoded.admit(undeclared);
        Share { admitted, end: start.saturating_add(admitted as u64) }
    }

    /// Refuses what lies behind the admitted bytes, which end at the encoded offset `end`. A verdict that they
    /// brought stays.
    pub(crate) fn overrun(&mut self, end: u64) {
        if self.is_stopped() {
            return;
        }
        let rejection = self.encoded.rejection().unwrap_or_else(|| {
            // The byte behind the declared length counts as handed in.
            self.encoded.admit(1);
            Rejection::fault(Reason::LengthMismatch, self.declared.unwrap_or(end))
        });
        self.refuse(rejection);
    }

    /// Refuses the body for a reason that the driver knows: `deadline`, `too_slow`, `cancelled`,
    /// `source_error`. A verdict that was reached before stays.
    pub fn refuse(&mut self, rejection: Rejection) {
        self.stop(Verdict::Rejected(rejection));
    }

    /// The verdict, if it is reached before the end of the body.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        match self.standing {
            Standing::Stopped(verdict) => Some(verdict),
            Standing::Open | Standing::Refused(_) => None,
        }
    }

    const fn is_stopped(&self) -> bool {
        matches!(self.standing, Standing::Stopped(_))
    }

    /// Encoded bytes handed in so far.
    #[must_use]
    pub const fn encoded_bytes(&self) -> u64 {
        self.encoded.used()
    }

    /// Decoded bytes handed on so far.
    #[must_use]
    pub const fn decoded_bytes(&self) -> u64 {
        self.decoded_bytes
    }

    /// Says that the body has ended, unless the verdict was reached before, and tells the sink.
    ///
    /// # Errors
    /// What the sink met while it committed.
    pub fn finish(mut self) -> Result<Outcome, S::Error> {
        self.end()
    }

    /// As [`finish`](Self::finish), and gives the inspector back, with what it found. Only a complete outcome makes
    /// that count.
    ///
    /// ```
    /// use plimsoll::json::{Counted, Fields, Pointers, Select, Slot, Value};
    /// use plimsoll::{Coding, Head, Limits, Memory, Policy};
    ///
    /// let (pointers, policy) = (Pointers::new(["/level"]).unwrap(), Policy::strict(Limits::SMALL_DEVICE));
    /// let (mut bytes, mut slots) = ([0; 16], [Slot::EMPTY; 1]);
    /// let fields = Fields::new(&mut bytes, &mut slots);
    /// let select = Select::<Counted<16>, _, 1>::of_fields(&pointers, policy.limits.document, fields).unwrap();
    ///
    /// let mut memory = Memory::<64>::new();
    /// let mut ingest = memory.flat(&Head::new(Coding::Identity), &policy, select);
    /// let Ok(_) = ingest.push(b"{\"level\": 17}");
    /// let (Ok(outcome), select) = ingest.finish_with_inspector();
    /// let selected = select.into_selected().filter(|_| outcome.is_complete()).unwrap();
    /// assert_eq!(selected.get(0).and_then(Value::as_number).map(|level| level.to_u32()), Some(Ok(17)));
    /// ```
    pub fn finish_with_inspector(mut self) -> (Result<Outcome, S::Error>, I) {
        let outcome = self.end();
        (outcome, self.inspector.into_inner())
    }

    /// The decoder, to look at its latest run.
    pub(crate) const fn decoder(&self) -> &D {
        &self.decoder
    }

    /// As [`finish`](Self::finish), for one who keeps the machine: it is not moved, which on a device takes its size once
    /// more of the stack. Called again, it says the same.
    ///
    /// # Errors
    /// What the sink met while it committed. The body is then refused as `cancelled`.
    pub fn end(&mut self) -> Result<Outcome, S::Error> {
        if !self.is_stopped() {
            self.whole = true;
            match self.check_end() {
                Ok(()) => {
                    self.standing = Standing::Stopped(Verdict::Complete);
                    if let Err(error) = self.sink.commit() {
                        self.standing =
                            Standing::Stopped(Verdict::Rejected(Rejection::new(Reason::Cancelled)));
                        return Err(error);
                    }
                }
                Err(rejection) => self.refuse(rejection),
            }
        }
        Ok(Outcome {
            verdict: self.verdict().unwrap_or(Verdict::Complete),
            encoded_bytes: self.encoded.used(),
            decoded_bytes: self.decoded_bytes,
            lower_bound: !self.whole,
            exposed_bytes: self.exposed_bytes,
            cancelled: false,
        })
    }

    fn check_end(&mut self) -> Result<(), Rejection> {
        let received = self.encoded.used();
        if self.declared.is_some_and(|length| received < length) {
            return Err(Rejection::fault(Reason::LengthMismatch, received));
        }
        if let Standing::Refused(rejection) = self.standing {
            return Err(rejection);
        }
        if !self.ended {
            self.decoder.finish()?;
            self.inspector.finish()?;
        }
        Ok(())
    }

    /// Makes one step over the rest of what was admitted, which ends at the encoded offset `end`. At most one
    /// run goes to the sink.
    pub(crate) fn pull(&mut self, rest: &[u8], end: u64) -> Result<Pull, S::Error> {
        if !matches!(self.standing, Standing::Open) {
            return Ok(self.judge());
        }
        let (consumed, bytes) = match self.decoder.decode(rest) {
            Ok(Step { consumed, run: Run::Bytes(bytes) }) => (consumed, bytes),
            Ok(Step { run: Run::NeedInput, .. }) => return Ok(Pull::Dry),
            Ok(Step { consumed, run: Run::End }) => {
                return Ok(self.decoder_ended(end, rest.len().saturating_sub(consumed)));
            }
            Err(rejection) => {
                self.standing = Standing::Refused(rejection);
                return Ok(self.judge());
            }
        };
        let run = accept(&mut self.decoded, &mut self.inspector, bytes, &mut self.standing);
        if run == 0 && matches!(self.standing, Standing::Refused(_)) {
            return Ok(self.judge());
        }
        // Before the sink is asked: where it fails, a part of the run may be out.
        if S::EXPOSES {
            self.exposed_bytes = self.exposed_bytes.saturating_add(run as u64);
        }
        if run > 0
            && let Err(error) = self.sink.sink.provisional(bytes.get(..run).unwrap_or(bytes))
        {
            self.refuse(Rejection::new(Reason::Cancelled));
            return Err(error);
        }
        self.decoded_bytes = self.decoded_bytes.saturating_add(run as u64);
        Ok(Pull::Run { consumed, run })
    }

    /// What comes of the end of the decoder's stream, `behind` bytes before the encoded offset `end`.
    #[cold]
    #[inline(never)]
    fn decoder_ended(&mut self, end: u64, behind: usize) -> Pull {
        if !self.ended
            && let Err(rejection) = self.inspector.finish()
        {
            self.refuse(rejection);
            return Pull::Dry;
        }
        self.ended = true;
        if behind > 0 {
            self.refuse(Rejection::fault(Reason::TrailingData, end.saturating_sub(behind as u64)));
        }
        Pull::Dry
    }

    /// What a refusal of the decoder or an inspector comes to. It counts the decoded byte that decided, if
    /// there was one. Where the limit was that of a preview, the preview is full.
    #[cold]
    #[inline(never)]
    fn judge(&mut self) -> Pull {
        if let Standing::Refused(rejection) = self.standing {
            let over = rejection.reason() == Reason::DecodedLimit;
            if over && self.preview == Some(self.decoded_bytes) {
                self.stop(Verdict::Preview);
            } else {
                if over || !matches!(rejection.stage(), Stage::Content | Stage::Decoder) {
                    self.decoded_bytes = self.decoded_bytes.saturating_add(1);
                }
                self.refuse(rejection);
            }
        }
        Pull::Dry
    }

    fn stop(&mut self, verdict: Verdict) {
        if !self.is_stopped() {
            self.standing = Standing::Stopped(verdict);
            match verdict {
                Verdict::Preview => self.sink.preview(),
                Verdict::Complete | Verdict::Rejected(_) => self.sink.discard(),
            }
        }
    }
}

/// Lets a run pass the limit and the inspector, and says how much of it passes. It stands by itself, so that what a
/// refusal takes of the stack lies there only while it is needed.
#[inline(never)]
fn accept<I: Inspect>(
    decoded: &mut Meter,
    inspector: &mut Lenient<I>,
    bytes: &[u8],
    standing: &mut Standing,
) -> usize {
    let within = decoded.admit(bytes.len());
    match inspector.inspect(bytes.get(..within).unwrap_or(bytes)) {
        Ok(()) => {
            if let Some(rejection) = decoded.rejection() {
                *standing = Standing::Refused(rejection);
            }
            within
        }
        Err(Refusal { accepted, rejection }) => {
            *standing = Standing::Refused(rejection);
            accepted
        }
    }
}
