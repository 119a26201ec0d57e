//! Why there is no value.
//!
//! serde makes errors without a place: [`custom`](serde::de::Error::custom) and its kin see neither the document nor the
//! deserializer. Such a rejection is made without an offset, and gets one where it passes through the deserializer
//! first, which is at the value that it is about. What a text may say is lost, as there is no heap to keep it: the
//! reason and the place remain.

use core::convert::Infallible;
use core::fmt::{self, Write};

use plimsoll_core::{Reason, Rejection};
use serde::de::{self, Expected, Unexpected};

/// Why there is no value. `E` is the error of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error<E = Infallible> {
    /// The document is refused, for a fault of its own or because it is not of the type that was asked for.
    Rejected {
        /// Reason and offset. A value that does not fit its collection is `retained_limit`, whose limit is in bytes of
        /// memory: the length of a string, or the elements times the size of one.
        rejection: Rejection,
        /// How many containers were open around the place.
        depth: u16,
    },
    /// The type asks for something that is not done here: a mistake of the program, not of a peer.
    Unsupported(Unsupported),
    /// The source failed.
    Source(E),
}

/// What a type may ask for in vain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Unsupported {
    /// A buffered copy of a value, which a flattened field and an untagged or internally tagged enum need, and an
    /// adjacently tagged one whose tag comes last.
    Buffer,
    /// An `f32` or `f64` without the feature `float`.
    Float,
    /// A value of a type that contains itself without an array or object in between: more than 32 options and
    /// newtypes around one value.
    Recursion,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Buffer => {
                "the type needs a buffered copy of a value, which is not made here: \
                 no flattened fields, no untagged or internally tagged enums, and of adjacently tagged ones the tag first"
            }
            Self::Float => "the type has a float, which needs the feature `float`",
            Self::Recursion => "the type contains itself without an array or object in between",
        })
    }
}

impl<E> Error<E> {
    /// Why the document is refused, if it is.
    #[must_use]
    pub const fn rejection(&self) -> Option<Rejection> {
        match self {
            Self::Rejected { rejection, .. } => Some(*rejection),
            _ => None,
        }
    }

    /// A rejection whose place is not known yet.
    pub(super) const fn unplaced(rejection: Rejection) -> Self {
        Self::Rejected { rejection, depth: 0 }
    }

    /// A value is not of its type.
    pub(super) const fn mismatch() -> Self {
        Self::unplaced(Rejection::new(Reason::TypeMismatch))
    }

    /// Without what only a source can say.
    pub(super) const fn own(&self) -> Option<Error> {
        match self {
            Self::Rejected { rejection, depth } => {
                Some(Error::Rejected { rejection: *rejection, depth: *depth })
            }
            Self::Unsupported(what) => Some(Error::Unsupported(*what)),
            Self::Source(_) => None,
        }
    }

    /// Whether serde or a type made it, and its place is not known yet.
    pub(super) const fn is_unplaced(&self) -> bool {
        matches!(self, Self::Rejected { rejection, .. } if rejection.at().is_none()
            && !matches!(rejection.reason(), Reason::SourceError))
    }
}

impl Error {
    /// The same as the error over any source.
    pub(super) const fn over<E>(self) -> Error<E> {
        match self {
            Self::Rejected { rejection, depth } => Error::Rejected { rejection, depth },
            Self::Unsupported(what) => Error::Unsupported(what),
            Self::Source(never) => match never {},
        }
    }
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected { rejection, depth } => write!(f, "{rejection}, at depth {depth}"),
            Self::Unsupported(what) => what.fmt(f),
            Self::Source(error) => error.fmt(f),
        }
    }
}

impl<E: core::error::Error + 'static> core::error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Source(error) => Some(error),
            _ => None,
        }
    }
}

impl<E: core::error::Error + 'static> de::Error for Error<E> {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self::mismatch()
    }

    fn invalid_type(_unexpected: Unexpected<'_>, _expected: &dyn Expected) -> Self {
        Self::mismatch()
    }

    fn invalid_value(unexpected: Unexpected<'_>, _expected: &dyn Expected) -> Self {
        match unexpected {
            Unexpected::Signed(_) | Unexpected::Unsigned(_) | Unexpected::Float(_) => {
                Self::unplaced(Rejection::new(Reason::NumberRange))
            }
            _ => Self::mismatch(),
        }
    }

    /// Of a collection that is full, or of a tuple that the array is too short for; the deserializer knows which.
    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        let limit = first_number(expected).unwrap_or((length as u64).saturating_sub(1));
        Self::unplaced(Rejection::limit_exceeded(Reason::RetainedLimit, limit))
    }

    fn unknown_variant(_variant: &str, _expected: &'static [&'static str]) -> Self {
        Self::mismatch()
    }

    fn unknown_field(_field: &str, _expected: &'static [&'static str]) -> Self {
        Self::mismatch()
    }

    fn missing_field(_field: &'static str) -> Self {
        Self::unplaced(Rejection::new(Reason::MissingField))
    }

    fn duplicate_field(_field: &'static str) -> Self {
        Self::unplaced(Rejection::new(Reason::DuplicateKey))
    }
}

/// The first number in what was expected: a string of heapless says its capacity there and nowhere else.
fn first_number(expected: &dyn Expected) -> Option<u64> {
    let mut number = FirstNumber { value: None, ended: false };
    // It takes everything in.
    let _ = write!(number, "{expected}");
    number.value
}

struct FirstNumber {
    value: Option<u64>,
    ended: bool,
}

impl Write for FirstNumber {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            if self.ended {
                break;
            }
            if byte.is_ascii_digit() {
                let digit = u64::from(byte & 0x0f);
                self.value = Some(self.value.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            } else {
                self.ended = self.value.is_some();
            }
        }
        Ok(())
    }
}
