//! Structure and limits of every record: an inspector to put behind a decoder.
//!
//! [`CheckRecords`] is a framer and a check. It keeps nothing besides them.

use plimsoll_core::{Inspect, Refusal, Rejection};

use super::{Frame, Framer, Framing, Record, RecordLimits, Skipped};
use crate::check::Check;
use crate::levels::Levels;
use crate::limits::{Limits, LimitsError};

/// Checks that bytes are a stream of records, each of them one JSON document within its limits, without a scratch.
///
/// Refuses with `record_limit` and `record_count`, and within a record with what [`Check`] refuses.
///
/// # What a refused record does
///
/// By default it refuses the whole stream. On request it is skipped up to its delimiter, reported once as
/// [`Skipped`], and the stream goes on. `record_count` is the stream's limit and ends it in any case.
///
/// | reason | `at` | decided by |
/// |---|---|---|
/// | `record_limit` | the byte of the record that is one too many | that byte; a CR, by the byte behind it |
/// | `record_count` | the first byte of the record, white space aside, that is one too many | that byte |
/// | `incomplete_json` | the end of the record | its delimiter or the end of the body |
/// | any other | as in a body that is one document | as there |
///
/// All offsets count from the start of the body, and every rejection that arises in a record has its index.
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

/// Is told of records as they pass. Every `FnMut(Skipped)` is one, which is told of skipped ones only.
///
/// A record is `begin`, any number of `bytes`, and `end` once all of it was checked. One that is refused has no
/// `end`; where refused records are skipped, `skipped` comes in its place.
pub trait Report {
    /// A record begins.
    fn begin(&mut self, record: Record) {
        let _ = record;
    }

    /// Bytes of the record, checked as far as they go. All of them together are the record without its delimiter
    /// and the white space before its value.
    fn bytes(&mut self, bytes: &[u8]) {
        let _ = bytes;
    }

    /// The record is whole and valid.
    fn end(&mut self) {}

    /// A record was refused and passed over.
    fn skipped(&mut self, skipped: Skipped);
}

impl<F: FnMut(Skipped)> Report for F {
    fn skipped(&mut self, skipped: Skipped) {
        self(skipped);
    }
}

/// Is told nothing.
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

    /// Tells `report` of the records that pass. The first that is refused refuses the whole stream.
    #[must_use]
    pub fn with_report<R: Report>(self, report: R) -> CheckRecords<L, R> {
        CheckRecords { framer: self.framer, check: self.check, report }
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

    /// Goes over records that stand whole at the start of `bytes`, up to the first that does not or is refused. That
    /// one is left to the framer from its first byte on. Gives the rest.
    #[inline]
    fn whole<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let mut rest = bytes;
        while let Some(record) = self.framer.whole(rest) {
            self.check.restart(record.at);
            if self.look(record.content).is_err() || self.check.finish().is_err() {
                break;
            }
            self.report.begin(Record { index: self.framer.records(), at: record.at });
            self.report.bytes(record.content);
            self.report.end();
            self.framer.pass(&record);
            rest = rest.get(record.consumed..).unwrap_or_default();
        }
        rest
    }

    /// The one place that has the check's code.
    #[inline(never)]
    fn look(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.check.inspect(bytes)
    }

    /// Looks at one frame, which came with `consumed` bytes.
    #[inline]
    fn frame(&mut self, frame: Frame<'_>, consumed: usize) -> Result<(), Rejection> {
        let offset = self.framer.offset();
        match frame {
            Frame::Begin(record) => {
                self.check.restart(offset);
                self.report.begin(record);
            }
            Frame::Bytes(bytes) => {
                if let Err(refusal) = self.look(bytes) {
                    let behind = consumed.saturating_sub(refusal.accepted);
                    let held = usize::from(consumed != 0 && self.framer.is_held(bytes, refusal.accepted));
                    let decided = offset.wrapping_sub(behind as u64).wrapping_add(held as u64);
                    self.framer.refuse_at(refusal.rejection, decided)?;
                } else {
                    self.report.bytes(bytes);
                }
            }
            Frame::End => {
                if let Err(rejection) = self.check.finish() {
                    self.framer.refuse_at(rejection, offset.wrapping_sub(u64::from(consumed != 0)))?;
                } else {
                    self.report.end();
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
            rest = self.whole(rest);
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
