//! What the head of a response says about the kind of its body: `Content-Type` (RFC 9110, section 8.3).

use plimsoll_core::{Reason, Rejection};

/// What kind of content a body is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Media {
    /// `application/octet-stream`: any bytes.
    Octets,
    /// `text/plain`: UTF-8.
    Text,
    /// `application/json` (RFC 8259): one document.
    Json,
    /// `application/x-ndjson`: one document per line.
    NdJson,
    /// `application/json-seq` (RFC 7464): documents with a record separator before each.
    JsonSequence,
}

impl Media {
    /// Reads the value of a `Content-Type` field.
    ///
    /// Names are compared without regard to case. A parameter `charset` may say UTF-8, in either of its
    /// spellings; other parameters are passed over.
    ///
    /// # Errors
    /// `unsupported_media` for every other type, for another charset, and for a value that is no media type.
    pub fn from_header(value: &str) -> Result<Self, Rejection> {
        Self::parse(value).ok_or(Rejection::new(Reason::UnsupportedMedia))
    }

    /// The same type, if it is among those that are taken here.
    ///
    /// # Errors
    /// `unsupported_media` otherwise.
    pub fn among(self, taken: &[Self]) -> Result<Self, Rejection> {
        if taken.contains(&self) { Ok(self) } else { Err(Rejection::new(Reason::UnsupportedMedia)) }
    }

    fn parse(value: &str) -> Option<Self> {
        let mut parts = Parts { rest: value };
        let name = parts.next()??;
        let named = |media: &Self| media.as_str().eq_ignore_ascii_case(name);
        let media = Self::ALL.into_iter().find(named)?;
        for part in parts {
            // An empty part is a semicolon too many, which RFC 9110 allows.
            let part = part?;
            if part.is_empty() {
                continue;
            }
            // As a set of one: the search for a plain character links a panic at some optimisation levels.
            let (name, value) = part.split_once(['='])?;
            let value = unquote(value);
            let utf8 = value.eq_ignore_ascii_case("utf-8") || value.eq_ignore_ascii_case("utf8");
            if name.eq_ignore_ascii_case("charset") && !utf8 {
                return None;
            }
        }
        Some(media)
    }

    const ALL: [Self; 5] = [Self::Octets, Self::Text, Self::Json, Self::NdJson, Self::JsonSequence];

    /// The media type, without parameters.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Octets => "application/octet-stream",
            Self::Text => "text/plain",
            Self::Json => "application/json",
            Self::NdJson => "application/x-ndjson",
            Self::JsonSequence => "application/json-seq",
        }
    }
}

impl core::fmt::Display for Media {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The parts of a field value between semicolons, of which those inside of quotes do not count (RFC 9110,
/// section 5.6.4). `None` for a part whose quotes are not closed.
struct Parts<'v> {
    rest: &'v str,
}

impl<'v> Iterator for Parts<'v> {
    type Item = Option<&'v str>;

    fn next(&mut self) -> Option<Option<&'v str>> {
        if self.rest.is_empty() {
            return None;
        }
        let (mut quoted, mut escaped) = (false, false);
        let end = self.rest.find(|character| {
            match character {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                ';' => return !quoted,
                _ => {}
            }
            false
        });
        let (part, rest) = match end {
            Some(end) => (self.rest.get(..end)?, self.rest.get(end.saturating_add(1)..)?),
            None => (self.rest, ""),
        };
        self.rest = rest;
        Some((!quoted).then(|| part.trim_matches([' ', '\t'])))
    }
}

fn unquote(value: &str) -> &str {
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;

    #[test]
    fn the_types_are_taken_in_any_case_with_utf_8_and_other_parameters() {
        for (value, media) in [
            ("application/json", Media::Json),
            ("Application/JSON", Media::Json),
            (" application/json ", Media::Json),
            ("application/json;charset=utf-8", Media::Json),
            ("application/json; charset=UTF-8", Media::Json),
            ("application/json ; Charset=\"utf-8\" ;", Media::Json),
            ("application/json; profile=\"a;charset=x\"; charset=utf8", Media::Json),
            ("application/json; profile=\"a\\\";charset=x\"", Media::Json),
            ("application/json;; charset=utf-8", Media::Json),
            ("application/x-ndjson", Media::NdJson),
            ("application/json-seq", Media::JsonSequence),
            ("text/plain; charset=utf-8; format=flowed", Media::Text),
            ("application/octet-stream", Media::Octets),
        ] {
            assert_eq!(Media::from_header(value), Ok(media), "{value}");
            assert_eq!(Media::from_header(&media.to_string()), Ok(media));
        }
    }

    #[test]
    fn a_type_that_is_not_taken_here_is_refused() {
        assert_eq!(Media::Json.among(&[Media::NdJson, Media::Json]), Ok(Media::Json));
        assert_eq!(Media::Text.among(&[Media::Json]), Err(Rejection::new(Reason::UnsupportedMedia)));
        assert!(Media::Octets.among(&[]).is_err());
    }

    #[test]
    fn everything_else_is_refused() {
        for value in [
            "",
            ";",
            "json",
            "text/html",
            "application/jsonp",
            "application/json charset=utf-8",
            "application/json; charset",
            "application/json; charset=latin1",
            "application/json; charset=\"iso-8859-1\"",
            "application/json; charset=",
            "text/plain; charset=utf-16",
            "application/json; profile=\"open",
            // A backslash means nothing outside of quotes.
            "application/json; profile=a\\;charset=latin1",
        ] {
            let verdict = Media::from_header(value).map_err(|rejection| rejection.reason());
            assert_eq!(verdict, Err(Reason::UnsupportedMedia), "{value}");
        }
    }
}
