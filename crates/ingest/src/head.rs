//! What the head of a response says about its body: content coding (RFC 9110, section 8.4) and length
//! (section 8.6).

use plimsoll_core::{Reason, Rejection};

/// How a body is coded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Coding {
    /// Not at all.
    Identity,
    /// gzip, also by its old name `x-gzip` (RFC 9110, section 8.4.1.3).
    Gzip,
}

impl Coding {
    /// Reads the value of a `Content-Encoding` field. An absent field is an empty value; repeated fields are
    /// joined with commas before, as RFC 9110, section 5.3, has it.
    ///
    /// Names are compared without regard to case; white space around them and empty list elements are ignored.
    /// `identity` counts as no coding.
    ///
    /// # Errors
    /// `unsupported_coding` for any other name, `stacked_coding` for more than one coding.
    pub fn from_header(value: &str) -> Result<Self, Rejection> {
        let mut coding = None;
        // As a set of one: the search for a plain character links a panic at some optimisation levels.
        for name in value.split([',']).map(|name| name.trim_matches([' ', '\t'])) {
            if name.is_empty() || name.eq_ignore_ascii_case("identity") {
                continue;
            }
            if coding.is_some() {
                return Err(Rejection::new(Reason::StackedCoding));
            }
            let known = name.eq_ignore_ascii_case("gzip") || name.eq_ignore_ascii_case("x-gzip");
            coding =
                Some(if known { Ok(Self::Gzip) } else { Err(Rejection::new(Reason::UnsupportedCoding)) });
        }
        coding.unwrap_or(Ok(Self::Identity))
    }
}

/// What is known of a body before its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// The content coding.
    pub coding: Coding,
    /// The declared length in encoded bytes, where there is one.
    pub length: Option<u64>,
}

impl Head {
    /// A body of this coding and of unknown length.
    #[must_use]
    pub const fn new(coding: Coding) -> Self {
        Self { coding, length: None }
    }

    /// No body: the answer to HEAD, or a status such as 204 or 304 (RFC 9112, section 6.3), whatever coding and
    /// length its head declares. A byte that comes all the same is `length_mismatch`.
    #[must_use]
    pub const fn without_body() -> Self {
        Self { coding: Coding::Identity, length: Some(0) }
    }

    /// The same with a declared length in encoded bytes.
    #[must_use]
    pub const fn with_length(self, length: u64) -> Self {
        Self { length: Some(length), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_gzip_and_of_nothing_are_taken_in_any_case_and_with_white_space() {
        for value in ["", " ", "identity", "Identity", ",", " identity ,\tidentity"] {
            assert_eq!(Coding::from_header(value), Ok(Coding::Identity), "{value:?}");
        }
        for value in ["gzip", "GZIP", "x-gzip", "X-Gzip", " gzip\t", ",gzip,", "identity, gzip"] {
            assert_eq!(Coding::from_header(value), Ok(Coding::Gzip), "{value:?}");
        }
    }

    #[test]
    fn a_length_is_declared_or_unknown() {
        let head = Head::new(Coding::Gzip);
        assert_eq!((head.length, head.with_length(5).length), (None, Some(5)));
        assert_eq!(head.with_length(5).coding, Coding::Gzip);
    }

    #[test]
    fn what_is_unknown_and_what_is_stacked_are_told_apart() {
        let reason = |value| Coding::from_header(value).map_err(|rejection| rejection.reason());
        for value in ["br", "deflate", "zstd", "gzip;q=1", "g zip", "compress", "*"] {
            assert_eq!(reason(value), Err(Reason::UnsupportedCoding), "{value:?}");
        }
        for value in ["gzip, gzip", "gzip,identity,x-gzip", "br, gzip", "gzip, br"] {
            assert_eq!(reason(value), Err(Reason::StackedCoding), "{value:?}");
        }
    }
}
