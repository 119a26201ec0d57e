//! Selection in every record of a stream.
//!
//! [`SelectRecords`] is a framer and a selection that is restarted per record. It keeps nothing besides them.

use plimsoll_core::{Inspect, Refusal, Rejection};

use super::document::{Retained, Select};
use super::pointer::Pointers;
use super::visit::Visit;
use crate::levels::Levels;
use crate::limits::{Limits, LimitsError};
use crate::machine::Machine;
use crate::records::{Frame, Framer, Framing, NoReport, RecordLimits, Report, Skipped};

/// Looks for the values that JSON Pointers name in every record of a stream: [`Select`] for each, in the frame of
/// [`CheckRecords`](crate::CheckRecords), whose reasons and offsets are also its own.
///
/// The visitor is told of a record's beginning, its matches, and then [`commit`](Visit::commit) where the record is
/// complete and in order, else [`discard`](Visit::discard). What a record retains is limited for each record.
/// `missing_field` is a record's fault like any other: it refuses the stream, or the record is skipped. A record that
/// was committed counts, whatever becomes of those behind it; who needs all or nothing waits for
/// [`finish`](Inspect::finish).
///
/// ```
/// use plimsoll_core::Inspect;
/// use plimsoll_json::{
///     Counted, Fields, Framing, Limits, Pointers, RecordFields, RecordLimits, SelectRecords, Slot, Value,
/// };
///
/// let pointers = Pointers::new(["/id", "/v"]).unwrap().require([true, false]);
/// let (mut bytes, mut slots) = ([0; 32], [Slot::EMPTY; 2]);
/// let mut ids = vec![];
/// let fields = RecordFields::new(Fields::new(&mut bytes, &mut slots), |record, selected| {
///     ids.push((record.index, selected.get(0).and_then(Value::as_str).map(str::to_owned)));
/// });
/// let mut select = SelectRecords::<Counted<8>, _, 2>::new(
///     &pointers,
///     Framing::Lines,
///     RecordLimits::DEVICE,
///     Limits { depth: 8, ..Limits::DEVICE },
///     fields.room(),
///     fields,
/// )
/// .unwrap()
/// .skip_refused(|_| {});
/// for chunk in ["{\"id\":\"a\"}\n{\"v\":1}\n{\"i", "d\":\"b\",\"v\":[]}"] {
///     select.inspect(chunk.as_bytes()).unwrap();
/// }
/// select.finish().unwrap();
/// drop(select);
/// assert_eq!(ids, [(0, Some("a".to_owned())), (2, Some("b".to_owned()))]);
/// ```
#[derive(Debug)]
pub struct SelectRecords<'p, L, V, const P: usize, R = NoReport> {
    framer: Framer,
    select: Select<'p, L, V, P>,
    report: R,
}

impl<'p, L: Levels, V: Visit, const P: usize> SelectRecords<'p, L, V, P> {
    /// A selection at the start of a body.
    ///
    /// # Errors
    /// When the storage `L` cannot keep the limits.
    pub const fn new(
        pointers: &'p Pointers<'p, P>,
        framing: Framing,
        records: RecordLimits,
        limits: Limits,
        retained: Retained,
        visitor: V,
    ) -> Result<Self, LimitsError> {
        match limits.held_by::<L>() {
            Ok(()) => Ok(Self {
                framer: Framer::new(framing, records),
                select: Select::between(Machine::new(limits), pointers, retained, visitor, true),
                report: NoReport,
            }),
            Err(error) => {
                // A constant cannot drop a value of any type.
                core::mem::forget(visitor);
                Err(error)
            }
        }
    }

    /// Passes over a refused record, which `report` is told of once, instead of refusing the whole stream.
    #[must_use]
    pub fn skip_refused<R: Report>(self, report: R) -> SelectRecords<'p, L, V, P, R> {
        SelectRecords { framer: self.framer.skip_refused(), select: self.select, report }
    }
}

impl<L: Levels, V: Visit, const P: usize, R: Report> SelectRecords<'_, L, V, P, R> {
    /// Skips a byte order mark at the start of the body instead of refusing it. It counts as bytes of the first
    /// record. Before the RS of a sequence there can be none.
    #[must_use]
    pub fn skip_byte_order_mark(self) -> Self {
        Self { select: self.select.skip_byte_order_mark(), ..self }
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

    /// The first pointer that is required and has not matched in the current record, or in the last one.
    #[must_use]
    pub fn missing(&self) -> Option<usize> {
        self.select.missing()
    }

    /// Looks at one frame, which came with `consumed` bytes.
    fn frame(&mut self, frame: Frame<'_>, consumed: usize) -> Result<(), Rejection> {
        let offset = self.framer.offset();
        match frame {
            Frame::Begin(record) => {
                self.select.restart(offset);
                self.select.visitor.record(record);
            }
            Frame::Bytes(bytes) => {
                if let Err(refusal) = self.select.inspect(bytes) {
                    let behind = consumed.saturating_sub(refusal.accepted);
                    let held = usize::from(consumed != 0 && self.framer.is_held(bytes, refusal.accepted));
                    let decided = offset.wrapping_sub(behind as u64).wrapping_add(held as u64);
                    self.framer.refuse_at(refusal.rejection, decided)?;
                }
            }
            Frame::End => {
                if let Err(rejection) = self.select.finish() {
                    self.framer.refuse_at(rejection, offset.wrapping_sub(u64::from(consumed != 0)))?;
                }
            }
            Frame::Skipped(skipped) => self.skipped(skipped),
        }
        Ok(())
    }

    fn skipped(&mut self, skipped: Skipped) {
        self.select.abandon();
        self.report.skipped(skipped);
    }
}

impl<L: Levels, V: Visit, const P: usize, R: Report> Inspect for SelectRecords<'_, L, V, P, R> {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let start = self.framer.offset();
        let mut rest = bytes;
        loop {
            let outcome = match self.framer.step(rest) {
                Ok(step) => {
                    rest = rest.get(step.consumed..).unwrap_or_default();
                    match step.event {
                        Some(frame) => self.frame(frame, step.consumed),
                        None => return Ok(()),
                    }
                }
                Err(rejection) => Err(rejection),
            };
            if let Err(rejection) = outcome {
                self.select.abandon();
                let accepted = self.framer.offset().wrapping_sub(start) as usize;
                return Err(Refusal { accepted, rejection });
            }
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        loop {
            let outcome = match self.framer.finish() {
                Ok(None) => return Ok(()),
                Ok(Some(frame)) => self.frame(frame, 0),
                Err(rejection) => Err(rejection),
            };
            if let Err(rejection) = outcome {
                self.select.abandon();
                return Err(rejection);
            }
        }
    }
}
