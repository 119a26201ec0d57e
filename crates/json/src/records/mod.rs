//! Streams of records: NDJSON, a JSON text on each line, and JSON text sequences, RFC 7464.
//!
//! A record is one document with limits of its own in a body that has many. In both forms the delimiter is a byte
//! that cannot stand within a JSON text as its form has it: LF is not allowed in a string and a record has one line,
//! RS (0x1E) is not allowed anywhere. So [`Framer`], which finds the records and knows no JSON, is the one
//! authority on where a record begins and ends, whatever the record itself is worth, and everything else is a
//! document's machine that is restarted per record: [`CheckRecords`] has a [`Check`](crate::Check), [`Records`] a
//! [`Tokenizer`](crate::Tokenizer) or an [`Assembler`](crate::Assembler), and a program that has something else to do
//! with the bytes of a record drives it from a framer in the same way.
//!
//! # NDJSON
//!
//! - LF or CR LF ends a record and is not part of it; the last record may lack it. A CR that is not followed by LF is
//!   white space of its record. It is judged together with the byte behind it.
//! - A record is a line: a document with a line break in it is two records, both incomplete.
//! - A line of nothing but white space is skipped and has no index. White space before a value is part of its
//!   line's record and counts, but is not lent.
//!
//! # RFC 7464
//!
//! - RS begins a record, which goes on to the next RS or to the end of the body (section 2.1). Several RS in a row
//!   begin one. The LF that ends each text is white space of its record and counts.
//! - What stands before the first RS is no record: `json_syntax` at its first byte. An RS with nothing behind it
//!   at the end of the body is a record that was cut: `incomplete_json`. An empty body has no records.
//! - A record of nothing but white space is no JSON text: `incomplete_json`.
//! - A number, `true`, `false` or `null` may have been cut without becoming wrong, so white space has to follow it
//!   (section 2.4). Without any it is `incomplete_json` at the end of the record.
//! - A parser may go on behind a text that it cannot parse (section 2.3); whether this one does is the policy below.
//!
//! # What a refused record does
//!
//! By default it refuses the whole stream. On request it is skipped up to its delimiter, reported once as
//! [`Skipped`], and the stream goes on. `record_count` is the stream's limit and ends it in any case.
//!
//! | reason | `at` | decided by |
//! |---|---|---|
//! | `record_limit` | the byte of the record that is one too many | that byte; a CR, by the byte behind it |
//! | `record_count` | the first byte of the record, white space aside, that is one too many | that byte |
//! | `incomplete_json` | the end of the record | its delimiter or the end of the body |
//! | any other | as in a body that is one document | as there |
//!
//! All offsets count from the start of the body, and every rejection that arises in a record has its index.

mod check;
mod delimiter;
mod events;
mod framer;

pub use check::{CheckRecords, NoReport, Report};
pub use events::{RecordEvent, Records};
pub use framer::{Frame, Framer};

use plimsoll_core::Rejection;

/// How the records of a body are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Framing {
    /// NDJSON: each record is a line. `application/x-ndjson`.
    Lines,
    /// RFC 7464: RS before each record. `application/json-seq`.
    Sequence,
}

/// What a stream of records may have at most. Exactly that much is accepted, one more is refused; 0 means none.
///
/// There is no default and no value for "unlimited"; [`DEVICE`](Self::DEVICE) and [`HOST`](Self::HOST) are presets to
/// choose or to change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct RecordLimits {
    /// Bytes of one record without its delimiter (LF, CR LF or RS): `record_limit`. Counted as they come, a blank
    /// line's too, so that no delimiter is waited for.
    pub bytes: u64,
    /// Records in the stream, skipped ones included and blank lines not: `record_count`.
    pub records: u64,
}

impl RecordLimits {
    /// For a device: 1,000 records of 4 KiB.
    pub const DEVICE: Self = Self { bytes: 4 << 10, records: 1_000 };

    /// For a host: 1,000,000 records of 1 MiB.
    pub const HOST: Self = Self { bytes: 1 << 20, records: 1_000_000 };
}

/// A record that began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Record {
    /// Its number, from 0.
    pub index: u64,
    /// Offset of its first byte from the start of the body, of a line its first.
    pub at: u64,
}

/// A record that was refused and passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Skipped {
    /// Which one it was, and where it began.
    pub record: Record,
    /// How many bytes it had, without its delimiter, those before the fault included.
    pub bytes: u64,
    /// Why it was refused.
    pub rejection: Rejection,
}
