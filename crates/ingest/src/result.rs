//! A tool result: the fields that were asked for as compact JSON in the caller's memory, whole, refused, or a preview
//! that says what is not in it.
//!
//! It keeps the buffer, how much of it is filled, and the meter: 104 bytes on 32-bit targets, besides the counter.

use core::fmt;

use plimsoll_core::{Reason, Rejection};
use plimsoll_json::{Selected, Template};

use crate::outcome::{Outcome, Verdict};
use crate::tokens::{ResultMeter, TokenCounter};

/// Renders what was selected into a buffer, whose length is the limit of bytes.
///
/// Of one document the result is the [`Template`]'s object, of a stream of records a line with the object of each: JSON,
/// LF, and so on, which is NDJSON.
///
/// # Over a limit
///
/// The result is refused with `retained_limit` (stage `result`) where it has more bytes than the buffer, and with
/// `token_limit` (stage `context`) where it has more tokens than allowed. Exactly at a limit is accepted. On request,
/// with [`leave_out`](Self::leave_out), it becomes a [`ResultPreview`]: of an object, the fields that fit, each looked at
/// in the order of the template; of records, all before the first that does not fit. It says how many are not in it: at least
/// one, for an object that has no members and does not fit is refused all the same.
///
/// ```
/// use plimsoll::json::{Counted, Fields, Pointers, Select, Slot, Template};
/// use plimsoll::{ByteBound, Coding, Head, Limits, Memory, Policy, Reason, Rendered, ToolResult};
///
/// const POLICY: Policy = Policy::strict(Limits { decoded: 512, ..Limits::SMALL_DEVICE });
///
/// let pointers = Pointers::new(["/name", "/note", "/level"]).unwrap();
/// let template = Template::new(&pointers, ["name", "note", "level"]).unwrap();
/// let receive = |buffer: &mut [u8], leave_out: bool| {
///     let (mut bytes, mut slots) = ([0; 64], [Slot::EMPTY; 3]);
///     let fields = Fields::new(&mut bytes, &mut slots);
///     let mut select = Select::<Counted<16>, _, 3>::of_fields(&pointers, POLICY.limits.document, fields).unwrap();
///     let mut memory = Memory::<512>::new();
///     let mut ingest = memory.flat(&Head::new(Coding::Identity), &POLICY, &mut select);
///     let Ok(_) = ingest.push(br#"{"level": 17, "note": "a long note", "name": "Ada", "more": []}"#);
///     let (outcome, _) = ingest.finish_flat();
///
///     let result = ToolResult::new(buffer).with_tokens(30, ByteBound);
///     let result = if leave_out { result.leave_out() } else { result };
///     let (outcome, rendered) = result.object(&template, select.into_selected(), outcome);
///     match rendered {
///         Rendered::Complete(text) => Ok(text.to_owned()),
///         Rendered::Preview(preview) => Ok(format!("{} of more, {} left out", preview.unfinished_text(), preview.left_out())),
///         Rendered::Nothing => Err(outcome.rejection().unwrap().reason()),
///     }
/// };
/// assert_eq!(receive(&mut [0; 64], false), Err(Reason::TokenLimit));
/// assert_eq!(receive(&mut [0; 64], true).unwrap(), r#"{"name":"Ada","level":17} of more, 1 left out"#);
/// assert_eq!(receive(&mut [0; 16], false), Err(Reason::RetainedLimit));
/// ```
pub struct ToolResult<'m, C = ()> {
    buffer: &'m mut [u8],
    len: usize,
    meter: ResultMeter<C>,
}

impl<'m> ToolResult<'m> {
    /// A result of at most as many bytes as `buffer` has. What was in it never shows.
    #[must_use]
    pub fn new(buffer: &'m mut [u8]) -> Self {
        let meter = ResultMeter::new(buffer.len() as u64, 0, ());
        Self { buffer, len: 0, meter }
    }
}

impl<'m, C: TokenCounter> ToolResult<'m, C> {
    /// Limits the tokens too, as `counter` counts them.
    #[must_use]
    pub fn with_tokens<D: TokenCounter>(self, tokens: u64, counter: D) -> ToolResult<'m, D> {
        let Self { buffer, len, meter } = self;
        ToolResult { buffer, len, meter: meter.with_tokens(tokens, counter) }
    }

    /// Leaves out what is over a limit, for a preview, instead of refusing the result.
    #[must_use]
    pub fn leave_out(self) -> Self {
        Self { meter: self.meter.leave_out(), ..self }
    }

    /// The result of one document: what was selected in it, if it is complete, and its outcome.
    ///
    /// The outcome that comes back is that of the result: rejected where it is over a limit, a preview where something was
    /// left out, else as it was.
    pub fn object<const P: usize>(
        mut self,
        template: &Template<'_, P>,
        selected: Option<Selected<'_>>,
        outcome: Outcome,
    ) -> (Outcome, Rendered<'m>) {
        let Some(selected) = selected.filter(|_| outcome.is_complete()) else {
            return (outcome, Rendered::Nothing);
        };
        let whole = template.render(&selected, self.buffer).and_then(|text| self.meter.whole(text));
        match whole {
            Ok(len) => {
                self.len = len;
                self.finish(outcome)
            }
            Err(rejection) if !self.meter.leaves_out() => (rejected(outcome, rejection), Rendered::Nothing),
            Err(rejection) => {
                let fits = |text: &str| self.meter.whole(text).is_ok();
                match template.render_fitting(&selected, self.buffer, fits) {
                    // An object without members that does not fit either has no part to show.
                    (_, 0) => (rejected(outcome, rejection), Rendered::Nothing),
                    (text, left_out) => preview(outcome, text, left_out),
                }
            }
        }
    }

    /// Adds a line with the object of a record; to be called for each record that is complete, as
    /// [`RecordFields`](plimsoll_json::RecordFields) does.
    ///
    /// # Errors
    /// `retained_limit` or `token_limit`, unless what is over is left out. The stream is to be refused with it.
    pub fn record<const P: usize>(
        &mut self,
        template: &Template<'_, P>,
        selected: &Selected<'_>,
    ) -> Result<(), Rejection> {
        let limit = self.buffer.len() as u64;
        let rest = self.buffer.get_mut(self.len..).unwrap_or_default();
        let len = template.render(selected, rest).map(str::len);
        let end = self.len.saturating_add(len.unwrap_or(usize::MAX));
        let Some(lf) = self.buffer.get_mut(end) else {
            return self.meter.exceed(Rejection::limit_exceeded(Reason::RetainedLimit, limit));
        };
        *lf = b'\n';
        let end = end.saturating_add(1);
        let line = self.buffer.get(self.len..end).unwrap_or_default();
        if self.meter.admit(core::str::from_utf8(line).unwrap_or_default())? {
            self.len = end;
        }
        Ok(())
    }

    /// The result of a stream of records, if it is complete, and its outcome, which is that of the result as in
    /// [`object`](Self::object).
    pub fn finish(self, outcome: Outcome) -> (Outcome, Rendered<'m>) {
        if !outcome.is_complete() {
            return (outcome, Rendered::Nothing);
        }
        if let Some(rejection) = self.meter.refused() {
            return (rejected(outcome, rejection), Rendered::Nothing);
        }
        let buffer: &'m [u8] = self.buffer;
        let text =
            buffer.get(..self.len).and_then(|text| core::str::from_utf8(text).ok()).unwrap_or_default();
        match self.meter.left_out() {
            0 => (outcome, Rendered::Complete(text)),
            left_out => preview(outcome, text, left_out),
        }
    }
}

/// The outcome of a complete body whose result is refused.
fn rejected(outcome: Outcome, rejection: Rejection) -> Outcome {
    Outcome { verdict: Verdict::Rejected(rejection), ..outcome }
}

/// A complete body whose result is not shown as a whole.
fn preview(outcome: Outcome, text: &str, left_out: u64) -> (Outcome, Rendered<'_>) {
    let outcome = Outcome { verdict: Verdict::Preview, ..outcome };
    (outcome, Rendered::Preview(ResultPreview { text, left_out }))
}

/// Without the buffer, which holds bytes of the body.
impl<C> fmt::Debug for ToolResult<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolResult").field("len", &self.len).finish_non_exhaustive()
    }
}

/// What there is of a result at the end.
#[must_use]
pub enum Rendered<'m> {
    /// All of it: JSON of one line, or NDJSON.
    Complete(&'m str),
    /// A part of it, where that was asked for.
    Preview(ResultPreview<'m>),
    /// Nothing that counts: the outcome says why, or nothing was selected in the body.
    Nothing,
}

/// Without the text, which is the body's.
impl fmt::Debug for Rendered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Complete(text) => {
                f.debug_struct("Complete").field("length", &text.len()).finish_non_exhaustive()
            }
            Self::Preview(preview) => f.debug_tuple("Preview").field(preview).finish(),
            Self::Nothing => f.write_str("Nothing"),
        }
    }
}

/// A part of a result that is over a limit. The body was complete and in order.
///
/// There is no way from here to a complete result: it cannot be compared with one, and its text comes only by a name that
/// says what it is.
#[derive(Clone, Copy)]
pub struct ResultPreview<'m> {
    text: &'m str,
    left_out: u64,
}

impl<'m> ResultPreview<'m> {
    /// The fields or records that fit, as JSON or NDJSON; empty where not even an empty object does.
    #[must_use]
    pub const fn unfinished_text(&self) -> &'m str {
        self.text
    }

    /// How many fields of the object, or records of the stream, are not in it.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }
}

/// Without the text, which is the body's.
impl fmt::Debug for ResultPreview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (length, left_out) = (&self.text.len(), &self.left_out);
        f.debug_struct("ResultPreview").field("length", length).field("left_out", left_out).finish()
    }
}
