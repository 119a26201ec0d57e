//! What a media type demands of a body, as one inspector to put behind the decoder.

use plimsoll_core::{Inspect, Refusal, Rejection};
use plimsoll_json::{Check, Levels, LimitsError};
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
}

impl<L: Levels> Inspector<L> {
    /// The inspector for a media type.
    ///
    /// # Errors
    /// If `L` cannot keep the limits of depth and items. That is a mistake of the program and not of the peer;
    /// it does not depend on the media type.
    pub const fn new(media: Media, limits: &Limits) -> Result<Self, LimitsError> {
        let check = match Check::new(limits.document) {
            Ok(check) => check,
            Err(error) => return Err(error),
        };
        Ok(match media {
            Media::Octets => Self::Octets,
            Media::Text => Self::Text(Utf8::new()),
            Media::Json => Self::Json(check),
        })
    }
}

impl<L: Levels> Inspect for Inspector<L> {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        match self {
            Self::Octets => Ok(()),
            Self::Text(utf8) => utf8.inspect(bytes),
            Self::Json(check) => check.inspect(bytes),
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        match self {
            Self::Octets => Ok(()),
            Self::Text(utf8) => utf8.finish(),
            Self::Json(check) => check.finish(),
        }
    }
}
