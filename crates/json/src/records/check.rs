//! Structure and limits of every record: an inspector to put behind a decoder.
//!
//! [`CheckRecords`] is a framer and a check. It keeps nothing besides them.

use plimsoll_core::{Inspect, Refusal, Rejection};

use super::{Frame, Framer, Framing, RecordLimits, Skipped};
use crate::check::Check;
use crate::levels::Levels;
use crate::limits::{Limits, LimitsError};

/// Checks that bytes are a stream of records, each of them one JSON document within its limits, without a scratch.
///
/// Refuses with `record_limit` and `record_count`, and within a record with what [`Check`] refuses; the rejection
/// has the record's index, and its offset counts from the start of the body.
///
/// ```
/// use plimsoll_core::{Inspect, Reason};
/// use plimsoll_json::{CheckRecords, Counted, Framing, Limits, RecordLimits};
///
/// let mut check =
///     CheckRecords::<Counted<16>>::new(Framing::Lines, RecordLimits::DEVICE, Limits::DEVICE).unwrap();
/// let refusal = check.inspect(b"{\"pressure\": 101.3}\n{\"pressure\": }\n").unwrap_err();
/// assert_eq!(refusal.accepted, 33);
/// assert_eq!(refusal.rejection.reason(), Reason::JsonSyntax);
/// assert_eq!((refusal.rejection.record(), refusal.rejection.at()), (Some(1), Some(33)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CheckRecords<L, R = NoReport> {
    framer: Framer,
    check: Check<L>,
    report: R,
}

/// Is told what was skipped. Every `FnMut(Skipped)` is one.
pub trait Report {
    /// A record was refused and passed over.
    fn skipped(&mut self, skipped: Skipped);
}

impl<F: FnMut(Skipped)> Report for F {
    fn skipped(&mut self, skipped: Skipped) {
        self(skipped);
    }
}

/// Nothing is skipped, so that there is nothing to tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoReport;

impl Report for NoReport {
    fn skipped(&mut self, _skipped: Skipped) {}
}

impl<L: Levels> CheckRecords<L> {
    /// A check at the start of a body.
    ///
    /// # Errors
    /// When the storage `L` cannot keep the limits.
    pub const fn new(framing: Framing, records: RecordLimits, limits: Limits) -> Result<Self, LimitsError> {
        match Check::new(limits) {
            Ok(check) => Ok(Self { framer: Framer::new(framing, records), check, report: NoReport }),
            Err(error) => Err(error),
        }
    }

    /// Passes over a refused record, which `report` is told of once, instead of refusing the whole stream.
    #[must_use]
    pub fn skip_refused<R: Report>(self, report: R) -> CheckRecords<L, R> {
        CheckRecords { framer: self.framer.skip_refused(), check: self.check, report }
    }
}

impl<L: Levels, R: Report> CheckRecords<L, R> {
    /// Skips a byte order mark at the start of the body instead of refusing it. It counts as bytes of the first
    /// record. Before the RS of a sequence there can be none.
    #[must_use]
    pub fn skip_byte_order_mark(self) -> Self {
        Self { check: self.check.skip_byte_order_mark(), ..self }
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

    /// Bytes of the current or last record so far, without its delimiter.
    #[must_use]
    pub const fn record_bytes(&self) -> u64 {
        self.framer.record_bytes()
    }

    /// Looks at one frame, which came with `consumed` bytes.
    #[inline]
    fn frame(&mut self, frame: Frame<'_>, consumed: usize) -> Result<(), Rejection> {
        let offset = self.framer.offset();
        match frame {
            Frame::Begin(_) => self.check.restart(offset),
            Frame::Bytes(bytes) => {
                if let Err(refusal) = self.check.inspect(bytes) {
                    let behind = consumed.saturating_sub(refusal.accepted);
                    let held = usize::from(consumed != 0 && self.framer.is_held(bytes, refusal.accepted));
                    let decided = offset.wrapping_sub(behind as u64).wrapping_add(held as u64);
                    self.framer.refuse_at(refusal.rejection, decided)?;
                }
            }
            Frame::End => {
                if let Err(rejection) = self.check.finish() {
                    self.framer.refuse_at(rejection, offset.wrapping_sub(u64::from(consumed != 0)))?;
                }
            }
            Frame::Skipped(skipped) => self.report.skipped(skipped),
        }
        Ok(())
    }
}

impl<L: Levels, R: Report> Inspect for CheckRecords<L, R> {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let start = self.framer.offset();
        let mut rest = bytes;
        loop {
            let step = self.framer.step(rest);
            let outcome = match step {
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
                let accepted = self.framer.offset().wrapping_sub(start) as usize;
                return Err(Refusal { accepted, rejection });
            }
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        while let Some(frame) = self.framer.finish()? {
            self.frame(frame, 0)?;
        }
        Ok(())
    }
}
