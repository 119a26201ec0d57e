//! Where records begin and end: NDJSON and RFC 7464, section 2.1, as [`Framing`] has it.
//!
//! [`Framer`] looks for one byte and counts. It keeps its limits, the offset, the current record's index, place and
//! length, and why a record was refused: 96 bytes. No byte of a body is stored.

use plimsoll_core::{Reason, Rejection};

use super::{Framing, Record, RecordLimits, Skipped, delimiter};
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

/// How much of a slice is the record's, and what follows.
struct Extent {
    content: usize,
    /// Bytes of the delimiter behind it that go with the record.
    delimiter: Option<usize>,
    /// Whether the slice ends in a CR behind the content.
    carriage_return: bool,
}

/// A record that stands whole in a slice.
pub(super) struct Whole<'a> {
    pub(super) content: &'a [u8],
    /// Offset of its first byte.
    pub(super) at: u64,
    /// Its bytes and its delimiter's.
    pub(super) consumed: usize,
}

/// Begins a record of a JSON text sequence.
const RECORD_SEPARATOR: u8 = 0x1e;

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

    /// The record that stands whole at the start of `input`, if one begins there, is within the limits and in need of
    /// no second look. Nothing is counted before [`pass`](Self::pass).
    #[inline(always)]
    pub(super) fn whole<'a>(&self, input: &'a [u8]) -> Option<Whole<'a>> {
        let within = self.begun < self.limits.records;
        let (before, content, behind) = match (self.framing, self.state, *input.first()?) {
            (Framing::Lines, State::Closed, b'!'..) if within => {
                let end = delimiter::find(input, b'\n')?;
                match input.get(..end)? {
                    [content @ .., b'\r'] => (0, content, 2),
                    content => (0, content, 1),
                }
            }
            (Framing::Sequence, State::Closed, RECORD_SEPARATOR) if within => {
                let behind = input.get(1..)?;
                let content = behind.get(..delimiter::find(behind, RECORD_SEPARATOR)?)?;
                if needs_white_space(*content.last()?) {
                    return None;
                }
                (1, content, 0)
            }
            _ => return None,
        };
        let consumed = content.len().wrapping_add(before).wrapping_add(behind);
        let at = self.offset.wrapping_add(before as u64);
        if content.len() as u64 <= self.limits.bytes { Some(Whole { content, at, consumed }) } else { None }
    }

    /// Counts a whole record that was accepted.
    #[inline(always)]
    pub(super) fn pass(&mut self, record: &Whole<'_>) {
        self.begun = self.begun.wrapping_add(1);
        self.offset = self.offset.wrapping_add(record.consumed as u64);
        (self.at, self.length) = (record.at, record.content.len() as u64);
    }

    /// Shows the bytes at the start of `input` that are known to be the current record's.
    #[inline(always)]
    pub(super) fn known<'a>(&self, input: &'a [u8]) -> &'a [u8] {
        let len = if self.state == State::Inside { self.clear.min(input.len()) } else { 0 };
        input.get(..len).unwrap_or_default()
    }

    /// Takes them.
    #[inline(always)]
    pub(super) fn take_known<'a>(&mut self, input: &'a [u8]) -> &'a [u8] {
        let known = self.known(input);
        self.take(known, known.len());
        known
    }

    /// Takes the first `count` of the `known` bytes.
    #[inline(always)]
    pub(super) fn take(&mut self, known: &[u8], count: usize) {
        if let Some(last) = known.get(count.wrapping_sub(1)) {
            self.last = *last;
        }
        self.length = self.length.wrapping_add(count as u64);
        self.offset = self.offset.wrapping_add(count as u64);
        self.clear = self.clear.wrapping_sub(count);
    }

    /// Takes back the last `left` bytes of [`Frame::Bytes`] that came with `consumed` bytes.
    #[inline(always)]
    pub(super) fn unread(&mut self, left: usize, consumed: usize) {
        self.length = self.length.wrapping_sub(left as u64);
        if consumed == 0 {
            // The CR that was held back.
            self.held = left != 0;
        } else {
            self.offset = self.offset.wrapping_sub(left as u64);
            self.clear = self.clear.wrapping_add(left);
        }
    }

    /// Takes back a [`Frame::End`] that came with `consumed` bytes.
    pub(super) fn reopen(&mut self, consumed: usize) {
        self.offset = self.offset.wrapping_sub(consumed as u64);
        self.state = State::Inside;
    }

    /// Whether the byte at `at` of a record's `bytes` is judged together with the byte behind it.
    pub(crate) fn is_held(&self, bytes: &[u8], at: usize) -> bool {
        self.framing == Framing::Lines && bytes.get(at) == Some(&b'\r')
    }

    /// The rejection for good, if there is one.
    fn refused(&self) -> Result<(), Rejection> {
        match self.rejection {
            Some(rejection) if self.state == State::Refused => Err(rejection),
            _ => Ok(()),
        }
    }

    /// The next step in a record.
    fn inside<'a>(&mut self, input: &'a [u8]) -> Result<Progress<Frame<'a>>, Rejection> {
        if self.held {
            return match input.first() {
                None => Ok(Progress::need_input(0)),
                Some(b'\n') => self.close(1),
                Some(_) if self.release()? => Ok(Progress::event(0, Frame::Bytes(b"\r"))),
                Some(_) => self.outside(input),
            };
        }
        if self.clear == 0 {
            let extent = self.extent(input);
            if extent.content == 0 {
                return match extent.delimiter {
                    Some(delimiter) => self.close(delimiter),
                    None => Ok(self.hold(0, extent.carriage_return)),
                };
            }
            self.know(extent);
            if self.clear == 0 {
                if !self.skip && self.is_held(input, 0) {
                    self.offset = self.offset.wrapping_add(1);
                }
                self.exceed()?;
                return self.outside(input);
            }
        }
        let bytes = self.take_known(input);
        let event = if bytes.is_empty() { None } else { Some(Frame::Bytes(bytes)) };
        Ok(Progress { consumed: bytes.len(), event })
    }

    /// The next step anywhere else.
    #[inline(never)]
    fn outside<'a>(&mut self, input: &'a [u8]) -> Result<Progress<Frame<'a>>, Rejection> {
        let mut consumed = 0;
        loop {
            let rest = input.get(consumed..).unwrap_or_default();
            let byte = rest.first().copied();
            let taken = match (self.state, self.framing, byte) {
                (State::Refused, ..) => {
                    self.refused()?;
                    0
                }
                (State::Unreported, ..) => return self.report(consumed),
                (State::Skipping, ..) => return self.pass_over(rest, consumed),
                (State::Closed, ..) => {
                    self.open();
                    0
                }
                (_, _, None) => return Ok(Progress::need_input(consumed)),
                (State::Between, Framing::Lines, Some(b'\n')) => {
                    self.offset = self.offset.wrapping_add(1);
                    consumed = consumed.wrapping_add(1);
                    self.open();
                    0
                }
                (State::Between, Framing::Lines, Some(_)) if self.held => {
                    self.release()?;
                    0
                }
                (State::Between, Framing::Lines, Some(b'\r')) => {
                    self.held = true;
                    1
                }
                (State::Between, Framing::Lines, Some(b' ' | b'\t')) if self.length == self.limits.bytes => {
                    self.exceed()?;
                    0
                }
                (State::Between, Framing::Lines, Some(b' ' | b'\t')) => {
                    self.length = self.length.wrapping_add(1);
                    1
                }
                (State::Start | State::Between, Framing::Sequence, Some(RECORD_SEPARATOR)) => {
                    self.state = State::Between;
                    1
                }
                (State::Start, ..) => {
                    self.open();
                    self.begin()?;
                    self.refuse(Rejection::fault(Reason::JsonSyntax, self.offset))?;
                    0
                }
                (State::Between, ..) => {
                    if self.framing == Framing::Sequence {
                        self.open();
                    }
                    let record = self.begin()?;
                    let room =
                        usize::try_from(self.limits.bytes.wrapping_sub(self.length)).unwrap_or(usize::MAX);
                    self.clear = self.extent(rest).content.min(room);
                    return Ok(Progress::event(consumed, Frame::Begin(record)));
                }
                (State::Inside, ..) => return Ok(Progress::need_input(consumed)),
            };
            self.offset = self.offset.wrapping_add(taken);
            consumed = consumed.wrapping_add(taken as usize);
        }
    }

    /// Goes over a refused record, to its delimiter or the end of the slice.
    fn pass_over<'a>(&mut self, input: &'a [u8], before: usize) -> Result<Progress<Frame<'a>>, Rejection> {
        if self.held {
            match input.first() {
                None => return Ok(Progress::need_input(before)),
                Some(b'\n') => {
                    self.offset = self.offset.wrapping_add(1);
                    return self.report(before.wrapping_add(1));
                }
                Some(_) => {
                    self.held = false;
                    self.length = self.length.wrapping_add(1);
                }
            }
        }
        let extent = self.extent(input);
        self.length = self.length.wrapping_add(extent.content as u64);
        self.offset = self.offset.wrapping_add(extent.content as u64);
        let consumed = before.wrapping_add(extent.content);
        match extent.delimiter {
            Some(delimiter) => {
                self.offset = self.offset.wrapping_add(delimiter as u64);
                self.report(consumed.wrapping_add(delimiter))
            }
            None => Ok(self.hold(consumed, extent.carriage_return)),
        }
    }

    /// How much of a slice is the current record's.
    fn extent(&self, input: &[u8]) -> Extent {
        match self.framing {
            Framing::Lines => match delimiter::find(input, b'\n') {
                Some(end) => match input.get(..end) {
                    Some([content @ .., b'\r']) => Extent::delimited(content.len(), 2),
                    _ => Extent::delimited(end, 1),
                },
                None => match input {
                    [content @ .., b'\r'] => {
                        Extent { content: content.len(), delimiter: None, carriage_return: true }
                    }
                    _ => Extent::open(input.len()),
                },
            },
            // An RS is the beginning of the next record and is left to it.
            Framing::Sequence => match delimiter::find(input, RECORD_SEPARATOR) {
                Some(end) => Extent::delimited(end, 0),
                None => Extent::open(input.len()),
            },
        }
    }

    /// Remembers how many bytes to come are the record's and within its limit.
    fn know(&mut self, extent: Extent) {
        let room = usize::try_from(self.limits.bytes.wrapping_sub(self.length)).unwrap_or(usize::MAX);
        self.clear = extent.content.min(room);
    }

    /// Takes in the CR behind the `consumed` bytes, if there is one, until it is known what it is.
    fn hold<'a>(&mut self, consumed: usize, carriage_return: bool) -> Progress<Frame<'a>> {
        self.held = carriage_return;
        let held = usize::from(carriage_return);
        self.offset = self.offset.wrapping_add(held as u64);
        Progress::need_input(consumed.wrapping_add(held))
    }

    /// Says that a CR held back is a byte of the record, and whether that is within its limit.
    fn release(&mut self) -> Result<bool, Rejection> {
        self.held = false;
        self.last = b'\r';
        self.length = self.length.wrapping_add(1);
        if self.length <= self.limits.bytes {
            return Ok(true);
        }
        self.refuse_length()?;
        Ok(false)
    }

    /// The next byte is one too many for the record.
    fn exceed(&mut self) -> Result<(), Rejection> {
        // A record that is skipped counts it when it goes over it.
        self.length = self.length.wrapping_add(u64::from(!self.skip));
        self.refuse_length()
    }

    fn refuse_length(&mut self) -> Result<(), Rejection> {
        if self.state == State::Between {
            // A line that is blank so far. It is refused for its length, whatever number it has.
            self.begun = self.begun.wrapping_add(1);
        }
        let limit = self.limits.bytes;
        let at = self.at.wrapping_add(limit);
        self.refuse(Rejection::limit_exceeded(Reason::RecordLimit, limit).with_at(at))
    }

    /// Gets ready for the record that begins at the next byte, if one does.
    fn open(&mut self) {
        (self.at, self.length, self.held) = (self.offset, 0, false);
        self.state = match self.framing {
            Framing::Lines => State::Between,
            Framing::Sequence => State::Start,
        };
    }

    /// Counts a record.
    fn begin(&mut self) -> Result<Record, Rejection> {
        let index = self.begun;
        self.begun = index.wrapping_add(1);
        if index >= self.limits.records {
            let rejection = Rejection::limit_exceeded(Reason::RecordCount, self.limits.records);
            self.rejection = Some(rejection.with_at(self.offset).with_record(index));
            self.state = State::Refused;
            self.refused()?;
        }
        (self.state, self.clear, self.last) = (State::Inside, 0, 0);
        Ok(Record { index, at: self.at })
    }

    /// Ends the record in front of a delimiter, of which `consumed` bytes are taken in.
    fn close<'a>(&mut self, consumed: usize) -> Result<Progress<Frame<'a>>, Rejection> {
        self.offset = self.offset.wrapping_add(consumed as u64);
        self.state = State::Closed;
        if self.framing == Framing::Sequence && needs_white_space(self.last) {
            self.refuse(Rejection::fault(Reason::IncompleteJson, self.offset))?;
            return self.report(consumed);
        }
        Ok(Progress::event(consumed, Frame::End))
    }

    /// Reports the record that was skipped.
    fn report<'a>(&mut self, consumed: usize) -> Result<Progress<Frame<'a>>, Rejection> {
        self.state = State::Closed;
        let Some(rejection) = self.rejection.take() else { return Ok(Progress::need_input(consumed)) };
        let record = Record { index: self.begun.saturating_sub(1), at: self.at };
        Ok(Progress::event(consumed, Frame::Skipped(Skipped { record, bytes: self.length, rejection })))
    }
}

/// Whether a text that ends in `byte` is a number or a literal, or else is not whole anyway.
const fn needs_white_space(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'e' | b'l')
}

impl Extent {
    const fn delimited(content: usize, delimiter: usize) -> Self {
        Self { content, delimiter: Some(delimiter), carriage_return: false }
    }

    const fn open(content: usize) -> Self {
        Self { content, delimiter: None, carriage_return: false }
    }
}
