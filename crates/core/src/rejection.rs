//! One answer for every refusal: reason, place, limit and detail in 32 bytes that can be copied.

use core::fmt;

use crate::{Reason, Stage, Unit};

/// A limit that was exceeded: its value and what it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Limit {
    /// The most that was allowed.
    pub value: u64,
    /// What is counted.
    pub unit: Unit,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.value, self.unit)
    }
}

/// Which of several causes a [`Reason`] had. For people and for tests; only the reason is stable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Detail {
    /// The engine in use does not tell its causes apart.
    Unspecified,
    /// gzip: a compression method other than 8 (RFC 1952, section 2.3.1).
    Method(u8),
    /// gzip: flag bits that RFC 1952 reserves.
    ReservedFlags(u8),
    /// DEFLATE: block type 3 (RFC 1951, section 3.2.3).
    BlockType,
    /// DEFLATE: the length of a stored block does not match its complement (section 3.2.4).
    StoredLength,
    /// DEFLATE: more than 286 literal/length codes, or more than 30 distance codes (section 3.2.7).
    TooManyCodes,
    /// DEFLATE: a repeat of code lengths without a previous one, or past the last one (section 3.2.7).
    CodeLengthRepeat,
    /// DEFLATE: the code length code is over-subscribed or incomplete.
    CodeLengthCode,
    /// DEFLATE: the literal/length code is over-subscribed or incomplete.
    LiteralCode,
    /// DEFLATE: the distance code is over-subscribed or incomplete.
    DistanceCode,
    /// DEFLATE: a literal/length code without a code for the end of the block.
    MissingEndOfBlock,
    /// DEFLATE: a literal/length symbol that is not defined, or a bit pattern that is no code.
    LengthSymbol,
    /// DEFLATE: a distance symbol that is not defined, or a bit pattern that is no code.
    DistanceSymbol,
    /// DEFLATE: a distance that reaches before the start of the stream.
    DistanceTooFar,
    /// DEFLATE: a distance of this many bytes, which is legal, but more than the ring holds.
    Window(u16),
    /// DEFLATE: a ring shorter than 32 KiB, and an engine that cannot tell a distance beyond the ring from
    /// corrupt data.
    WindowOrCorrupt,
    /// Text: the maximal subpart of the ill-formed sequence is this many bytes, 1 to 3 (the Unicode Standard,
    /// section 3.9, D93b).
    Subpart(u8),
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Self::Unspecified => "no detail known",
            Self::Method(method) => return write!(f, "compression method {method}"),
            Self::ReservedFlags(flags) => return write!(f, "reserved flags {flags:#04x}"),
            Self::BlockType => "block type 3",
            Self::StoredLength => "stored length and its complement differ",
            Self::TooManyCodes => "too many literal/length or distance codes",
            Self::CodeLengthRepeat => "code length repeat out of place",
            Self::CodeLengthCode => "code length code over-subscribed or incomplete",
            Self::LiteralCode => "literal/length code over-subscribed or incomplete",
            Self::DistanceCode => "distance code over-subscribed or incomplete",
            Self::MissingEndOfBlock => "no code for the end of the block",
            Self::LengthSymbol => "undefined literal/length symbol",
            Self::DistanceSymbol => "undefined distance symbol",
            Self::DistanceTooFar => "distance before the start of the stream",
            Self::Window(distance) => return write!(f, "a distance of {distance} bytes"),
            Self::WindowOrCorrupt => "distance beyond the ring, or corrupt data",
            Self::Subpart(length) => return write!(f, "a maximal subpart of {length} bytes"),
        };
        f.write_str(text)
    }
}

/// A refusal. Small, `Copy`, and without a single byte of the body.
///
/// A fault has a place ([`at`](Self::at)); an exceeded limit has its value ([`limit`](Self::limit)) and may
/// have a place; either may have a record number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rejection {
    /// Offset, or `ABSENT`.
    at: u64,
    /// Value of the limit; read only where the reason has a unit.
    limit: u64,
    /// Number of the record from 0, or `ABSENT`.
    record: u64,
    detail: Option<Detail>,
    reason: Reason,
}

/// No offset or record has this number: a body of that many bytes cannot be counted.
const ABSENT: u64 = u64::MAX;

impl Rejection {
    /// A fault of the bytes at the offset `at`, counted from the start of the body.
    #[must_use]
    pub const fn fault(reason: Reason, at: u64) -> Self {
        Self { at, limit: 0, record: ABSENT, detail: None, reason }
    }

    /// A fault that has no place in the body, such as an unsupported content coding.
    #[must_use]
    pub const fn new(reason: Reason) -> Self {
        Self::fault(reason, ABSENT)
    }

    /// One more than `limit` was met. `reason` should be one that has a unit.
    #[must_use]
    pub const fn limit_exceeded(reason: Reason, limit: u64) -> Self {
        Self { at: ABSENT, limit, record: ABSENT, detail: None, reason }
    }

    /// The same with the offset `at`.
    #[must_use]
    pub const fn with_at(self, at: u64) -> Self {
        Self { at, ..self }
    }

    /// The same with the number of the record it arose in, from 0.
    #[must_use]
    pub const fn with_record(self, record: u64) -> Self {
        Self { record, ..self }
    }

    /// The same with a detail.
    #[must_use]
    pub const fn with_detail(self, detail: Detail) -> Self {
        Self { detail: Some(detail), ..self }
    }

    /// The same with its offset counted from `by` bytes earlier: for a stage that frames another one.
    #[must_use]
    pub const fn shifted(self, by: u64) -> Self {
        match self.at {
            ABSENT => self,
            at => Self { at: at.saturating_add(by), ..self },
        }
    }

    /// The stage that refused.
    #[must_use]
    pub const fn stage(&self) -> Stage {
        self.reason.stage()
    }

    /// Why it refused.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        self.reason
    }

    /// Offset of the first byte at fault, from the start of the body: in encoded bytes for the stages content
    /// and decoder, in decoded bytes for the others.
    #[must_use]
    pub const fn at(&self) -> Option<u64> {
        match self.at {
            ABSENT => None,
            at => Some(at),
        }
    }

    /// The limit that was exceeded; `None` for a fault.
    #[must_use]
    pub const fn limit(&self) -> Option<Limit> {
        match self.reason.unit() {
            Some(unit) => Some(Limit { value: self.limit, unit }),
            None => None,
        }
    }

    /// Number of the record, from 0, in which it arose.
    #[must_use]
    pub const fn record(&self) -> Option<u64> {
        match self.record {
            ABSENT => None,
            record => Some(record),
        }
    }

    /// Which of several causes the reason had, where that is known.
    #[must_use]
    pub const fn detail(&self) -> Option<Detail> {
        self.detail
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.describe())?;
        if let Some(detail) = self.detail {
            write!(f, ": {detail}")?;
        }
        if let Some(limit) = self.limit() {
            write!(f, ", limit {limit}")?;
        }
        if let Some(at) = self.at() {
            let bytes = match self.stage() {
                Stage::Content | Stage::Decoder => "encoded",
                _ => "decoded",
            };
            write!(f, ", at {bytes} byte {at}")?;
        }
        if let Some(record) = self.record() {
            write!(f, ", in record {record}")?;
        }
        write!(f, " ({})", self.reason)
    }
}

impl fmt::Debug for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Rejection");
        out.field("reason", &self.reason);
        if let Some(detail) = self.detail {
            out.field("detail", &detail);
        }
        if let Some(limit) = self.limit() {
            out.field("limit", &limit.value);
        }
        if let Some(at) = self.at() {
            out.field("at", &at);
        }
        if let Some(record) = self.record() {
            out.field("record", &record);
        }
        out.finish()
    }
}

impl core::error::Error for Rejection {}

/// As the text of [`Display`](fmt::Display), but of the fields only what is there: the reason, which a host
/// decodes to its name, and what goes with it.
#[cfg(feature = "defmt")]
impl defmt::Format for Rejection {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{}", self.reason);
        if let Some(detail) = self.detail {
            defmt::write!(f, ": {}", detail);
        }
        if let Some(limit) = self.limit() {
            defmt::write!(f, ", limit {} {}", limit.value, limit.unit);
        }
        if let Some(at) = self.at() {
            defmt::write!(f, ", at byte {}", at);
        }
        if let Some(record) = self.record() {
            defmt::write!(f, ", in record {}", record);
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;

    #[test]
    fn a_fault_has_a_place_and_no_limit() {
        let rejection = Rejection::fault(Reason::Checksum, 7);
        assert_eq!((rejection.at(), rejection.limit(), rejection.record()), (Some(7), None, None));
        assert_eq!(rejection.stage(), Stage::Decoder);
    }

    #[test]
    fn a_limit_has_its_value_and_unit_and_maybe_a_place() {
        let rejection = Rejection::limit_exceeded(Reason::DepthLimit, 64);
        assert_eq!(rejection.limit(), Some(Limit { value: 64, unit: Unit::Levels }));
        assert_eq!(rejection.at(), None);
        let placed = rejection.with_at(9).with_record(0);
        assert_eq!((placed.at(), placed.record(), placed.limit()), (Some(9), Some(0), rejection.limit()));
    }

    #[test]
    fn a_detail_is_kept_beside_the_reason() {
        let rejection = Rejection::fault(Reason::BadHeader, 2).with_detail(Detail::Method(7));
        assert_eq!((rejection.detail(), rejection.reason()), (Some(Detail::Method(7)), Reason::BadHeader));
        assert_eq!(Rejection::fault(Reason::BadHeader, 2).detail(), None);
    }

    #[test]
    fn each_detail_has_a_text_of_its_own() {
        let texts = [
            (Detail::Unspecified, "no detail known"),
            (Detail::Method(7), "compression method 7"),
            (Detail::ReservedFlags(0xA0), "reserved flags 0xa0"),
            (Detail::BlockType, "block type 3"),
            (Detail::StoredLength, "stored length and its complement differ"),
            (Detail::TooManyCodes, "too many literal/length or distance codes"),
            (Detail::CodeLengthRepeat, "code length repeat out of place"),
            (Detail::CodeLengthCode, "code length code over-subscribed or incomplete"),
            (Detail::LiteralCode, "literal/length code over-subscribed or incomplete"),
            (Detail::DistanceCode, "distance code over-subscribed or incomplete"),
            (Detail::MissingEndOfBlock, "no code for the end of the block"),
            (Detail::LengthSymbol, "undefined literal/length symbol"),
            (Detail::DistanceSymbol, "undefined distance symbol"),
            (Detail::DistanceTooFar, "distance before the start of the stream"),
            (Detail::Window(4097), "a distance of 4097 bytes"),
            (Detail::WindowOrCorrupt, "distance beyond the ring, or corrupt data"),
            (Detail::Subpart(2), "a maximal subpart of 2 bytes"),
        ];
        for (detail, text) in texts {
            assert_eq!(detail.to_string(), text);
        }
    }

    #[test]
    fn its_fields_are_shown_only_where_they_are_there() {
        let bare = Rejection::new(Reason::Cancelled);
        assert_eq!(std::format!("{bare:?}"), "Rejection { reason: Cancelled }");
        let full = Rejection::limit_exceeded(Reason::StringLimit, 8)
            .with_at(9)
            .with_record(1)
            .with_detail(Detail::Unspecified);
        assert_eq!(
            std::format!("{full:?}"),
            "Rejection { reason: StringLimit, detail: Unspecified, limit: 8, at: 9, record: 1 }"
        );
    }

    #[test]
    fn shifting_moves_a_place_and_makes_none() {
        assert_eq!(Rejection::fault(Reason::BadDeflate, 5).shifted(10).at(), Some(15));
        assert_eq!(Rejection::limit_exceeded(Reason::WorkLimit, 5).shifted(10).at(), None);
    }

    #[test]
    fn the_text_names_what_a_person_needs() {
        let text = Rejection::fault(Reason::BadDeflate, 12).with_detail(Detail::BlockType).to_string();
        assert_eq!(
            text,
            "the compressed data is not valid DEFLATE: block type 3, at encoded byte 12 (bad_deflate)"
        );
        let text = Rejection::limit_exceeded(Reason::DecodedLimit, 8192).to_string();
        assert_eq!(text, "the body decodes to more bytes than allowed, limit 8192 bytes (decoded_limit)");
        let text = Rejection::limit_exceeded(Reason::KeyLimit, 4).with_at(6).with_record(2).to_string();
        assert_eq!(
            text,
            "a key is longer than allowed, limit 4 bytes, at decoded byte 6, in record 2 (key_limit)"
        );
    }

    #[test]
    fn it_stays_small() {
        assert!(size_of::<Rejection>() <= 32, "{}", size_of::<Rejection>());
    }
}
