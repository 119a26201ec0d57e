//! Where records begin and end: NDJSON and RFC 7464, section 2.1, as [`Framing`] has it.
//!
//! [`Framer`] looks for one byte and counts. It keeps its limits, the offset, the current record's index, place and
//! length, and why a record was refused: 96 bytes. No byte of a body is stored.

mod ahead;
mod borders;
mod extent;
mod known;
mod steps;

use plimsoll_core::{Reason, Rejection};

use super::{Framing, Record, RecordLimits, Skipped};
use crate::event::Progress;

/// What a step of a [`Framer`] brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Frame<'a> {
    /// A record begins. The first of its bytes that is lent is at [`Framer::offset`].
    Begin(Record),
    /// Bytes of the record.
    Bytes(&'a [u8]),
    /// The record has ended.
    End,
    /// A record was refused and passed over.
    Skipped(Skipped),
}

/// Where the framer stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// At the start of a body, before the first RS.
    Start,
    /// Behind an RS, or in the white space that begins a line.
    Between,
    /// Inside of a record.
    Inside,
    /// Behind a record, which can still be refused.
    Closed,
    /// Inside of a refused record.
    Skipping,
    /// Behind a refused record that was not reported yet.
    Unreported,
    /// Refused, for good.
    Refused,
}

/// Tells the records of a body apart and lends their bytes, each under its limits, whatever they contain.
///
/// This is for a program that has its own use for the bytes of a record. [`Records`](super::Records) gives tokens,
/// and [`CheckRecords`](super::CheckRecords) only checks.
///
/// # Contract
///
/// - One [`step`](Self::step) consumes a prefix of its input and gives one [`Frame`], or it gives none and has consumed
///   all of it; then, and only then, more input is needed or [`finish`](Self::finish) is due, which is called until
///   it gives none.
/// - Each record is `Begin`, any number of `Bytes` and `End`, or `Skipped` in place of what had still to come. The
///   bytes lent are all of the record but the white space before its value; a delimiter is not among them.
/// - [`refuse`](Self::refuse) says that the record that began last is not accepted. It may be called up to the
///   step behind its `End`.
/// - However the input is cut, the records, the verdict and its offset are the same, and no more is lent of a record
///   than its limit.
///
/// Refuses with `record_limit` and `record_count`; a JSON text sequence also with `json_syntax` and
/// `incomplete_json`, as far as that can be told from the framing.
///
/// ```
/// use plimsoll_json::{Frame, Framer, Framing, RecordLimits};
///
/// let mut framer = Framer::new(Framing::Lines, RecordLimits::DEVICE);
/// let mut rest = &b"{\"a\":1}\r\n\n[2]\n"[..];
/// let mut lines = vec![];
/// loop {
///     let step = framer.step(rest)?;
///     rest = &rest[step.consumed..];
///     match step.event {
///         Some(Frame::Begin(_)) => lines.push(vec![]),
///         Some(Frame::Bytes(bytes)) => lines.last_mut().unwrap().extend_from_slice(bytes),
///         Some(_) => {}
///         None => break,
///     }
/// }
/// assert_eq!(framer.finish()?, None);
/// assert_eq!(lines, [&b"{\"a\":1}"[..], b"[2]"]);
/// # Ok::<(), plimsoll_core::Rejection>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Framer {
    limits: RecordLimits,
    /// Offset of the next byte; after a refusal, of the one that decided.
    offset: u64,
    /// Records begun, refused ones included.
    begun: u64,
    /// Offset of the current record's first byte, or of a line's that has none yet.
    at: u64,
    /// Bytes of the current record so far, without a CR that is held back.
    length: u64,
    /// Bytes to come that are known to be the record's.
    clear: usize,
    /// Why the stream is refused, or the record that is being skipped.
    rejection: Option<Rejection>,
    framing: Framing,
    state: State,
    skip: bool,
    /// Whether a CR is held back, which is part of the delimiter if LF follows.
    held: bool,
    /// The last byte of the record so far.
    last: u8,
}

impl Framer {
    /// A framer at the start of a body.
    #[must_use]
    pub const fn new(framing: Framing, limits: RecordLimits) -> Self {
        let state = match framing {
            Framing::Lines => State::Between,
            Framing::Sequence => State::Start,
        };
        Self {
            limits,
            offset: 0,
            begun: 0,
            at: 0,
            length: 0,
            clear: 0,
            rejection: None,
            framing,
            state,
            skip: false,
            held: false,
            last: 0,
        }
    }

    /// Passes over a refused record instead of refusing the whole stream.
    #[must_use]
    pub const fn skip_refused(self) -> Self {
        Self { skip: true, ..self }
    }

    /// Offset of the next byte; after a refusal, of the byte that decided.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Records begun so far, refused ones included; one more than the limit after `record_count`.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.begun
    }

    /// Bytes of the current record so far, or of the last one, without its delimiter; one more than the limit after
    /// `record_limit`.
    #[must_use]
    pub const fn record_bytes(&self) -> u64 {
        self.length
    }

    /// How records are told apart.
    #[must_use]
    pub const fn framing(&self) -> Framing {
        self.framing
    }

    /// Makes one step over `input`.
    ///
    /// # Errors
    /// `record_limit`, `record_count`, `json_syntax`, `incomplete_json`, or the rejection met before.
    #[inline]
    pub fn step<'a>(&mut self, input: &'a [u8]) -> Result<Progress<Frame<'a>>, Rejection> {
        if self.state == State::Inside {
            return self.inside(input);
        }
        self.outside(input)
    }

    /// Says that the body has ended. To be called until it gives nothing.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn finish(&mut self) -> Result<Option<Frame<'static>>, Rejection> {
        loop {
            match (self.state, self.framing) {
                (State::Refused, _) => return self.refused().map(|_| None),
                (State::Inside, _) if self.held => {
                    if self.release()? {
                        return Ok(Some(Frame::Bytes(b"\r")));
                    }
                }
                (State::Inside, _) => return Ok(self.close(0)?.event),
                (State::Skipping, _) => {
                    self.length = self.length.wrapping_add(u64::from(self.held));
                    self.held = false;
                    self.state = State::Unreported;
                }
                (State::Unreported, _) => return Ok(self.report(0)?.event),
                (State::Between, Framing::Lines) if self.held => {
                    self.release()?;
                }
                (State::Between, Framing::Sequence) => {
                    self.open();
                    self.begin()?;
                    self.state = State::Closed;
                    self.refuse(Rejection::fault(Reason::IncompleteJson, self.offset))?;
                }
                (State::Start | State::Between | State::Closed, _) => return Ok(None),
            }
        }
    }

    /// Says that the record that began last is not accepted, because of `rejection`, which gets its index.
    ///
    /// `Ok` says that the record is skipped and the stream goes on.
    ///
    /// # Errors
    /// The rejection, when the whole stream is refused with it, or the one met before.
    pub fn refuse(&mut self, rejection: Rejection) -> Result<(), Rejection> {
        if self.state == State::Refused {
            return self.refused();
        }
        let rejection = rejection.with_record(self.begun.saturating_sub(1));
        self.rejection = Some(rejection);
        self.clear = 0;
        self.state = match (self.skip, self.state) {
            (false, _) => State::Refused,
            (true, State::Closed) => State::Unreported,
            (true, _) => State::Skipping,
        };
        self.refused()
    }

    /// The same, decided by the byte at `offset`.
    pub(crate) fn refuse_at(&mut self, rejection: Rejection, offset: u64) -> Result<(), Rejection> {
        if !self.skip {
            self.offset = offset;
        }
        self.refuse(rejection)
    }

    /// The rejection for good, if there is one.
    fn refused(&self) -> Result<(), Rejection> {
        match self.rejection {
            Some(rejection) if self.state == State::Refused => Err(rejection),
            _ => Ok(()),
        }
    }
}
