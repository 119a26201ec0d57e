//! The contents of records, one after the other.
//!
//! [`Records`] is a framer and a document's machine. It keeps nothing besides them.

use core::fmt::Debug;

use plimsoll_core::Rejection;

use super::{Frame, Framer, Framing, Record, RecordLimits, Skipped};
use crate::event::Progress;
use crate::parse::{Document, FORGETFUL, Lend, Parse, Restart};

/// What a step of [`Records`] brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordEvent<T> {
    /// A record begins.
    Begin(Record),
    /// What the record's document has next.
    Token(T),
    /// The record has ended, and all of it was checked.
    End,
    /// A record was refused and passed over. What came of it does not count.
    Skipped(Skipped),
}

/// Gives the tokens of records, or their whole keys, strings and numbers: `D` is a [`Tokenizer`](crate::Tokenizer) or
/// an [`Assembler`](crate::Assembler), whose limits are each record's.
///
/// # Contract
///
/// As the [`Assembler`](crate::Assembler)'s, with [`finish`](Self::finish) to be called until it gives nothing. A record
/// is `Begin`, its tokens, and then `End` or, where refused records are skipped, perhaps `Skipped`. Nothing of a
/// record counts as received before its `End`.
///
/// ```
/// use plimsoll_json::{Assembler, Counted, Event, Framing, Limits, RecordEvent, RecordLimits, Records};
///
/// let mut scratch = [0; 64];
/// let assembler = Assembler::<Counted<16>>::new(Limits::DEVICE, &mut scratch).unwrap();
/// let mut records = Records::new(Framing::Lines, RecordLimits::DEVICE, assembler).skip_refused();
/// let (mut whole, mut skipped) = (0, vec![]);
/// for chunk in [&b"{\"a\":1}\n{\"a"[..], b"\":2,}\n{\"a\":3}\n"] {
///     let mut rest = chunk;
///     while !rest.is_empty() {
///         let step = records.step(rest)?;
///         rest = &rest[step.consumed..];
///         match step.event {
///             Some(RecordEvent::End) => whole += 1,
///             Some(RecordEvent::Skipped(record)) => skipped.push((record.record.index, record.bytes)),
///             _ => {}
///         }
///     }
/// }
/// while records.finish()?.is_some() {}
/// assert_eq!((whole, skipped), (2, vec![(1, 8)]));
/// # Ok::<(), plimsoll_core::Rejection>(())
/// ```
#[derive(Debug)]
pub struct Records<D> {
    framer: Framer,
    document: D,
}

impl<D> Records<D> {
    /// The same with another machine, made of this one.
    #[cfg(feature = "serde")]
    pub(crate) fn map<E>(self, into: impl FnOnce(D) -> E) -> Records<E> {
        Records { framer: self.framer, document: into(self.document) }
    }

    /// The machine of the current record's document.
    #[cfg(feature = "serde")]
    pub(crate) const fn document_mut(&mut self) -> &mut D {
        &mut self.document
    }

    /// Says that the current record is not accepted. `Ok` says that it is passed over.
    #[cfg(feature = "serde")]
    pub(crate) fn refuse(&mut self, rejection: Rejection) -> Result<(), Rejection> {
        self.framer.refuse(rejection)
    }

    /// Passes over a refused record instead of refusing the whole stream.
    #[must_use]
    pub fn skip_refused(self) -> Self {
        Self { framer: self.framer.skip_refused(), ..self }
    }

    /// Offset of the next byte; after a refusal, of the byte that decided.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.framer.offset()
    }

    /// Records begun so far, refused ones included.
    #[must_use]
    pub const fn records(&self) -> u64 {
        self.framer.records()
    }

    /// The machine of the current record's document.
    #[must_use]
    pub const fn document(&self) -> &D {
        &self.document
    }
}

impl<D: Document> Records<D> {
    /// A stream of records at the start of a body, which `document` is used for one after the other.
    #[must_use]
    pub const fn new(framing: Framing, limits: RecordLimits, document: D) -> Self {
        Self { framer: Framer::new(framing, limits), document }
    }

    /// Makes one step over `input`.
    ///
    /// # Errors
    /// See [`CheckRecords`](super::CheckRecords).
    #[inline]
    pub fn step<'a>(&'a mut self, input: &'a [u8]) -> Result<Progress<RecordEvent<D::Event<'a>>>, Rejection> {
        let step = self.find(input)?;
        let event = match step.event {
            Some(found) => Some(self.lend(found, input).ok_or(FORGETFUL)?),
            None => None,
        };
        Ok(Progress { consumed: step.consumed, event })
    }

    /// Says that the body has ended. To be called until it gives nothing.
    ///
    /// # Errors
    /// See [`CheckRecords`](super::CheckRecords).
    pub fn finish(&mut self) -> Result<Option<RecordEvent<D::Event<'_>>>, Rejection> {
        match self.find_last()? {
            Some(found) => Ok(Some(self.lend(found, &[]).ok_or(FORGETFUL)?)),
            None => Ok(None),
        }
    }
}

impl<D: Restart> Records<D> {
    /// See [`advance`](Self::advance). The outcome has a place of its own, so that the quick one stays in registers.
    #[inline(never)]
    fn advance_into(&mut self, input: &[u8], from: usize, outcome: &mut Advance<D::Found>) {
        *outcome = self.advance(Some(input), from);
    }

    /// Goes on to what comes next in `input`, or, where that is `None`, at the end of the body. The document goes on at
    /// `from` in what is known to be the record's.
    fn advance(&mut self, input: Option<&[u8]>, from: usize) -> Advance<D::Found> {
        let mut consumed = 0_usize;
        let mut from = from;
        loop {
            let rest = input.unwrap_or_default().get(consumed..).unwrap_or_default();
            let known = self.framer.take_known(rest);
            let (bytes, taken) = if known.is_empty() {
                let step = match input {
                    Some(_) => self.framer.step(rest)?,
                    None => Progress { consumed: 0, event: self.framer.finish()? },
                };
                match step.event {
                    None => return Ok(Progress::need_input(consumed.wrapping_add(step.consumed))),
                    Some(Frame::Bytes(bytes)) => (bytes, step.consumed),
                    Some(frame) => {
                        let (taken, event) = self.border(frame, step.consumed)?;
                        consumed = consumed.wrapping_add(taken);
                        if let Some(event) = event {
                            return Ok(Progress::event(consumed, event));
                        }
                        continue;
                    }
                }
            } else {
                (known, known.len())
            };
            match self.document.exact(bytes, core::mem::take(&mut from)) {
                Ok(step) => {
                    let left = bytes.len().wrapping_sub(step.consumed);
                    self.framer.unread(left, taken);
                    let before = consumed;
                    consumed = consumed.wrapping_add(taken).wrapping_sub(left.min(taken));
                    if let Some(found) = step.event {
                        let found = D::shifted(found, before);
                        return Ok(Progress::event(consumed, RecordEvent::Token(found)));
                    }
                }
                Err(rejection) => {
                    consumed = consumed.wrapping_add(taken);
                    let decided = self.document.offset();
                    let start = self.framer.offset().wrapping_sub(taken as u64);
                    let held = taken == 0 || self.framer.is_held(bytes, decided.wrapping_sub(start) as usize);
                    self.framer.refuse_at(rejection, decided.wrapping_add(u64::from(held)))?;
                }
            }
        }
    }

    /// Where a record begins or ends: how many of the `consumed` bytes of its frame are taken, and what they brought.
    fn border(&mut self, frame: Frame<'_>, consumed: usize) -> Border<D::Found> {
        let offset = self.framer.offset();
        let event = match frame {
            Frame::Begin(record) => {
                self.document.restart(offset);
                RecordEvent::Begin(record)
            }
            Frame::Skipped(skipped) => RecordEvent::Skipped(skipped),
            Frame::Bytes(_) | Frame::End => match self.document.find_last() {
                Ok(None) => RecordEvent::End,
                // The end of the record ended a number. The end itself comes next.
                Ok(Some(found)) => {
                    self.framer.reopen(consumed);
                    return Ok((0, Some(RecordEvent::Token(found))));
                }
                Err(rejection) => {
                    self.framer.refuse_at(rejection, offset.wrapping_sub(u64::from(consumed != 0)))?;
                    return Ok((consumed, None));
                }
            },
        };
        Ok((consumed, Some(event)))
    }
}

type Advance<F> = Result<Progress<RecordEvent<F>>, Rejection>;
type Border<F> = Result<(usize, Option<RecordEvent<F>>), Rejection>;

impl<D: Restart> Parse for Records<D> {
    type Found = RecordEvent<D::Found>;

    #[inline(always)]
    fn find(&mut self, input: &[u8]) -> Result<Progress<Self::Found>, Rejection> {
        let known = self.framer.known(input);
        let mut from = 0;
        if !known.is_empty() {
            match self.document.quick(known) {
                Ok((consumed, found)) => {
                    self.framer.take(known, consumed);
                    return Ok(Progress::event(consumed, RecordEvent::Token(found)));
                }
                Err(at) => from = at,
            }
        }
        let mut outcome = Ok(Progress::need_input(0));
        self.advance_into(input, from, &mut outcome);
        outcome
    }

    fn find_last(&mut self) -> Result<Option<Self::Found>, Rejection> {
        Ok(self.advance(None, 0)?.event)
    }

    fn is_over(&self) -> bool {
        false
    }

    fn borrows(found: &Self::Found) -> bool {
        matches!(found, RecordEvent::Token(found) if D::borrows(found))
    }
}

impl<D: Document> Lend for Records<D> {
    type Event<'a>
        = RecordEvent<D::Event<'a>>
    where
        Self: 'a;

    #[inline(always)]
    fn lend<'a>(&'a self, found: Self::Found, input: &'a [u8]) -> Option<Self::Event<'a>> {
        Some(match found {
            RecordEvent::Token(found) => RecordEvent::Token(self.document.lend(found, input)?),
            RecordEvent::Begin(record) => RecordEvent::Begin(record),
            RecordEvent::End => RecordEvent::End,
            RecordEvent::Skipped(skipped) => RecordEvent::Skipped(skipped),
        })
    }
}
