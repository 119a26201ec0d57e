//! Effects of records: each record of NDJSON or a JSON text sequence is handed on by itself, as soon as all of it was
//! checked, and the stream's own outcome is told at the end.
//!
//! This is an inspector, because what decides on a record decides on the stream. It keeps the caller's buffer, in
//! which one record is collected, besides the check of the records.

use core::fmt;

use plimsoll_json::{CheckRecords, Framing, Levels, LimitsError, Record, RecordLimits, Report, Skipped};

use crate::policy::Limits;

/// Takes records one by one. Every `FnMut(Record, &[u8])` is one.
pub trait RecordEffect {
    /// A record that is whole and valid: its bytes as they came, without its delimiter, and a line's without the white space before
    /// its value.
    ///
    /// It may take effect now. That the stream goes on well, or that its checksum is right, is not known yet.
    fn record(&mut self, record: Record, bytes: &[u8]);

    /// A record that was refused and passed over.
    fn skipped(&mut self, skipped: Skipped) {
        let _ = skipped;
    }
}

impl<F: FnMut(Record, &[u8])> RecordEffect for F {
    fn record(&mut self, record: Record, bytes: &[u8]) {
        self(record, bytes);
    }
}

/// Collects a record in a buffer and hands it to its effect.
///
/// ```
/// use plimsoll::json::{Counted, Framing, Record};
/// use plimsoll::{Coding, DefaultEngine, EachRecord, Exposed, Head, Ingest, Limits, Policy, Ring};
///
/// let (mut engine, mut window, mut buffer) = (DefaultEngine::new(), [0; 1024], [0; 256]);
/// let (head, policy) = (Head::new(Coding::Identity), Policy::strict(Limits::SMALL_DEVICE));
/// let mut readings = Vec::new();
/// let effect = |record: Record, bytes: &[u8]| readings.push((record.index, bytes.to_vec()));
/// let each = EachRecord::refusing::<Counted<16>>(Framing::Lines, &policy.limits, &mut buffer, effect).unwrap();
///
/// let mut ingest = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), each, Exposed);
/// let Ok(_) = ingest.push(b"{\"level\":17}\n{\"level\":1");
/// let Ok(outcome) = ingest.finish(); // the second record is cut
/// assert!(!outcome.is_complete());
/// assert_eq!(readings, [(0, b"{\"level\":17}".to_vec())]);
/// ```
pub struct EachRecord<'m, F> {
    buffer: &'m mut [u8],
    filled: usize,
    record: Record,
    effect: F,
}

impl<'m, F: RecordEffect> EachRecord<'m, F> {
    /// An inspector that refuses the whole stream with its first bad record. Those before it have had their effect.
    ///
    /// A record must fit into `buffer`, whose length is a limit beside [`Limits::record`].
    ///
    /// # Errors
    /// If `L` cannot keep the limits of depth and items.
    pub fn refusing<L: Levels>(
        framing: Framing,
        limits: &Limits,
        buffer: &'m mut [u8],
        effect: F,
    ) -> Result<CheckRecords<L, Self>, LimitsError> {
        let check = Self::check(framing, limits, buffer)?;
        Ok(check.with_report(Self::new(buffer, effect)))
    }

    /// An inspector that passes over a bad record and goes on behind it.
    ///
    /// # Errors
    /// If `L` cannot keep the limits of depth and items.
    pub fn skipping<L: Levels>(
        framing: Framing,
        limits: &Limits,
        buffer: &'m mut [u8],
        effect: F,
    ) -> Result<CheckRecords<L, Self>, LimitsError> {
        let check = Self::check(framing, limits, buffer)?;
        Ok(check.skip_refused(Self::new(buffer, effect)))
    }

    fn check<L: Levels>(
        framing: Framing,
        limits: &Limits,
        buffer: &[u8],
    ) -> Result<CheckRecords<L>, LimitsError> {
        let most = RecordLimits { bytes: limits.record.min(buffer.len() as u64), records: limits.records };
        CheckRecords::new(framing, most, limits.document)
    }

    const fn new(buffer: &'m mut [u8], effect: F) -> Self {
        Self { buffer, filled: 0, record: Record { index: 0, at: 0 }, effect }
    }
}

impl<F: RecordEffect> Report for EachRecord<'_, F> {
    fn begin(&mut self, record: Record) {
        self.record = record;
        self.filled = 0;
    }

    fn bytes(&mut self, bytes: &[u8]) {
        // The limit for a record is at most the buffer's length, so that all of them fit.
        let free = self.buffer.get_mut(self.filled..).unwrap_or(&mut []);
        for (to, &from) in free.iter_mut().zip(bytes) {
            *to = from;
        }
        self.filled = self.filled.saturating_add(bytes.len()).min(self.buffer.len());
    }

    fn end(&mut self) {
        let bytes = self.buffer.get(..self.filled).unwrap_or(&[]);
        self.effect.record(self.record, bytes);
    }

    fn skipped(&mut self, skipped: Skipped) {
        self.effect.skipped(skipped);
    }
}

/// Without the buffer, which holds bytes of the body.
impl<F> fmt::Debug for EachRecord<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.buffer.len();
        f.debug_struct("EachRecord")
            .field("record", &self.record)
            .field("length", &length)
            .finish_non_exhaustive()
    }
}
