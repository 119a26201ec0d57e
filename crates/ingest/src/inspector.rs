//! What a media type demands of a body, as one inspector to put behind the decoder.

use plimsoll_core::{Inspect, Refusal, Rejection};
use plimsoll_json::{Check, CheckRecords, Framing, Levels, LimitsError, RecordLimits};
use plimsoll_utf8::Utf8;

use crate::media::Media;
use crate::policy::Limits;

/// Checks a decoded body for what its media type promises.
///
/// | media type | what is checked |
/// |---|---|
/// | `application/octet-stream` | nothing |
/// | `text/plain` | UTF-8 |
/// | `application/json` | one JSON document, UTF-8 in its strings, all limits of [`Limits::document`] |
/// | `application/x-ndjson`, `application/json-seq` | the same for each record, [`Limits::record`], [`Limits::records`] |
///
/// `L` holds what is known of each open container: see [`Levels`].
#[derive(Clone, Copy, Debug)]
pub enum Inspector<L> {
    /// Any bytes.
    Octets,
    /// UTF-8.
    Text(Utf8),
    /// One JSON document.
    Json(Check<L>),
    /// Records, each one JSON document.
    Records(CheckRecords<L>),
}

impl<L: Levels> Inspector<L> {
    /// The inspector for a media type.
    ///
    /// # Errors
    /// For the JSON types, if `L` cannot keep the limits of depth and items: a mistake of the program and not of
    /// the peer.
    pub fn new(media: Media, limits: &Limits) -> Result<Self, LimitsError> {
        let records = |framing| {
            let most = RecordLimits { bytes: limits.record, records: limits.records };
            CheckRecords::new(framing, most, limits.document).map(Self::Records)
        };
        match media {
            Media::Octets => Ok(Self::Octets),
            Media::Text => Ok(Self::Text(Utf8::new())),
            Media::Json => Check::new(limits.document).map(Self::Json),
            Media::NdJson => records(Framing::Lines),
            Media::JsonSequence => records(Framing::Sequence),
        }
    }
}

impl<L: Levels> Inspect for Inspector<L> {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        match self {
            Self::Octets => Ok(()),
            Self::Text(utf8) => utf8.inspect(bytes),
            Self::Json(check) => check.inspect(bytes),
            Self::Records(check) => check.inspect(bytes),
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        match self {
            Self::Octets => Ok(()),
            Self::Text(utf8) => utf8.finish(),
            Self::Json(check) => check.finish(),
            Self::Records(check) => check.finish(),
        }
    }
}
