//! The contents of records, one after the other.
//!
//! [`Records`] is a framer and a document's machine. It keeps nothing besides them.

use core::fmt::Debug;

use plimsoll_core::Rejection;

use super::{Frame, Framer, Framing, Record, RecordLimits, Skipped};
use crate::event::Progress;
use crate::parse::{Document, FORGETFUL, Parse};

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

impl<D: Document> Records<D> {
    /// A stream of records at the start of a body, which `document` is used for one after the other.
    #[must_use]
    pub fn new(framing: Framing, limits: RecordLimits, document: D) -> Self {
        let mut records = Self { framer: Framer::new(framing, limits), document };
        records.document.keep_rest();
        records
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

    /// Gives one frame, which came with `consumed` bytes, to the document, and takes back what that leaves.
    #[inline]
    fn frame(&mut self, frame: Frame<'_>, consumed: usize) -> Result<Framed<D::Found>, Rejection> {
        let offset = self.framer.offset();
        match frame {
            Frame::Begin(record) => {
                self.document.restart(offset);
                Ok(Framed { left: 0, event: Some(RecordEvent::Begin(record)) })
            }
            Frame::Bytes(bytes) => match self.document.find(bytes) {
                Ok(step) => {
                    let left = bytes.len().wrapping_sub(step.consumed);
                    if left != 0 {
                        self.framer.unread(left, consumed);
                    }
                    let left = if consumed == 0 { 0 } else { left };
                    Ok(Framed { left, event: step.event.map(RecordEvent::Token) })
                }
                Err(rejection) => {
                    let decided = self.document.offset();
                    let at = decided.wrapping_sub(offset.wrapping_sub(consumed as u64)) as usize;
                    let held = consumed == 0 || self.framer.is_held(bytes, at);
                    self.framer.refuse_at(rejection, decided.wrapping_add(u64::from(held)))?;
                    Ok(Framed { left: 0, event: None })
                }
            },
            Frame::End => match self.document.find_last() {
                Ok(None) => Ok(Framed { left: 0, event: Some(RecordEvent::End) }),
                // The end of the record ended a number: the end itself comes next.
                Ok(Some(found)) => {
                    self.framer.reopen(consumed);
                    Ok(Framed { left: consumed, event: Some(RecordEvent::Token(found)) })
                }
                Err(rejection) => {
                    self.framer.refuse_at(rejection, offset.wrapping_sub(u64::from(consumed != 0)))?;
                    Ok(Framed { left: 0, event: None })
                }
            },
            Frame::Skipped(skipped) => Ok(Framed { left: 0, event: Some(RecordEvent::Skipped(skipped)) }),
        }
    }
}

/// What became of a frame.
struct Framed<F> {
    /// How many of its bytes are still to come.
    left: usize,
    event: Option<RecordEvent<F>>,
}

impl<D: Document> Parse for Records<D> {
    type Found = RecordEvent<D::Found>;
    type Event<'a>
        = RecordEvent<D::Event<'a>>
    where
        Self: 'a;

    #[inline]
    fn find(&mut self, input: &[u8]) -> Result<Progress<Self::Found>, Rejection> {
        let mut consumed = 0_usize;
        loop {
            let step = self.framer.step(input.get(consumed..).unwrap_or_default())?;
            let Some(frame) = step.event else {
                return Ok(Progress::need_input(consumed.wrapping_add(step.consumed)));
            };
            let framed = self.frame(frame, step.consumed)?;
            let before = consumed;
            consumed = consumed.wrapping_add(step.consumed).wrapping_sub(framed.left);
            match framed.event {
                Some(RecordEvent::Token(found)) => {
                    return Ok(Progress::event(consumed, RecordEvent::Token(D::shifted(found, before))));
                }
                Some(event) => return Ok(Progress::event(consumed, event)),
                None => {}
            }
        }
    }

    fn find_last(&mut self) -> Result<Option<Self::Found>, Rejection> {
        while let Some(frame) = self.framer.finish()? {
            if let Some(event) = self.frame(frame, 0)?.event {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    fn is_over(&self) -> bool {
        false
    }

    fn is_end(_found: &Self::Found) -> bool {
        false
    }

    fn borrows(found: &Self::Found) -> bool {
        matches!(found, RecordEvent::Token(found) if D::borrows(found))
    }

    #[inline]
    fn lend<'a>(&'a self, found: Self::Found, input: &'a [u8]) -> Option<Self::Event<'a>> {
        Some(match found {
            RecordEvent::Token(found) => RecordEvent::Token(self.document.lend(found, input)?),
            RecordEvent::Begin(record) => RecordEvent::Begin(record),
            RecordEvent::End => RecordEvent::End,
            RecordEvent::Skipped(skipped) => RecordEvent::Skipped(skipped),
        })
    }
}
