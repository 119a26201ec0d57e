//! What may follow the bytes seen so far: Table 3-7, "Well-Formed UTF-8 Byte Sequences", of the Unicode
//! Standard, section 3.9 (the same as the syntax in RFC 3629, section 4). One byte.
//!
//! The second byte has the narrow ranges of the table: E0 and F0 would be overlong below them, ED a surrogate
//! and F4 beyond U+10FFFF above. So a byte that cannot continue a character is known at once, and the bytes
//! before it are its maximal subpart (section 3.9, D93b).

use plimsoll_core::Reason;

/// A place between two bytes, or a refusal with the length of the maximal subpart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum State {
    /// Between two characters.
    #[default]
    Boundary,
    /// After C2..DF: 80..BF is the last byte.
    Two,
    /// After E0: A0..BF is next, of three.
    ThreeE0,
    /// After E1..EC, EE or EF: 80..BF is next, of three.
    Three,
    /// After ED: 80..9F is next, of three.
    ThreeED,
    /// After two bytes of three: 80..BF is the last.
    ThreeLast,
    /// After F0: 90..BF is next, of four.
    FourF0,
    /// After F1..F3: 80..BF is next, of four.
    Four,
    /// After F4: 80..8F is next, of four.
    FourF4,
    /// After two bytes of four: 80..BF is next.
    FourThird,
    /// After three bytes of four: 80..BF is the last.
    FourLast,
    /// A byte that cannot begin a character, or one byte and what cannot follow it.
    Invalid1,
    /// Two bytes and what cannot follow them.
    Invalid2,
    /// Three bytes and what cannot follow them.
    Invalid3,
    /// The end after one byte of several.
    Incomplete1,
    /// The end after two bytes of three or four.
    Incomplete2,
    /// The end after three bytes of four.
    Incomplete3,
}

impl State {
    /// The state after `byte`: a refusal where it cannot follow.
    pub(crate) const fn then(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Boundary, 0x00..=0x7F) => Self::Boundary,
            (Self::Boundary, 0xC2..=0xDF) => Self::Two,
            (Self::Boundary, 0xE0) => Self::ThreeE0,
            (Self::Boundary, 0xE1..=0xEC | 0xEE..=0xEF) => Self::Three,
            (Self::Boundary, 0xED) => Self::ThreeED,
            (Self::Boundary, 0xF0) => Self::FourF0,
            (Self::Boundary, 0xF1..=0xF3) => Self::Four,
            (Self::Boundary, 0xF4) => Self::FourF4,
            (Self::ThreeE0, 0xA0..=0xBF) => Self::ThreeLast,
            (Self::Three, 0x80..=0xBF) => Self::ThreeLast,
            (Self::ThreeED, 0x80..=0x9F) => Self::ThreeLast,
            (Self::FourF0, 0x90..=0xBF) => Self::FourThird,
            (Self::Four, 0x80..=0xBF) => Self::FourThird,
            (Self::FourF4, 0x80..=0x8F) => Self::FourThird,
            (Self::FourThird, 0x80..=0xBF) => Self::FourLast,
            (Self::Two | Self::ThreeLast | Self::FourLast, 0x80..=0xBF) => Self::Boundary,
            _ => self.invalid(),
        }
    }

    /// How many bytes of the character have been seen.
    pub(crate) const fn seen(self) -> u8 {
        match self {
            Self::Boundary => 0,
            Self::Two | Self::ThreeE0 | Self::Three | Self::ThreeED => 1,
            Self::FourF0 | Self::Four | Self::FourF4 => 1,
            Self::ThreeLast | Self::FourThird => 2,
            Self::FourLast => 3,
            Self::Invalid1 | Self::Incomplete1 => 1,
            Self::Invalid2 | Self::Incomplete2 => 2,
            Self::Invalid3 | Self::Incomplete3 => 3,
        }
    }

    /// The refusal for a byte that cannot follow. One that cannot even begin is a maximal subpart by itself.
    const fn invalid(self) -> Self {
        match self.seen() {
            0 | 1 => Self::Invalid1,
            2 => Self::Invalid2,
            _ => Self::Invalid3,
        }
    }

    /// The refusal for the end within a character.
    pub(crate) const fn ended(self) -> Self {
        match self.seen() {
            0 | 1 => Self::Incomplete1,
            2 => Self::Incomplete2,
            _ => Self::Incomplete3,
        }
    }

    /// Why the text is refused, if it is.
    pub(crate) const fn refused(self) -> Option<Reason> {
        match self {
            Self::Invalid1 | Self::Invalid2 | Self::Invalid3 => Some(Reason::InvalidUtf8),
            Self::Incomplete1 | Self::Incomplete2 | Self::Incomplete3 => Some(Reason::IncompleteUtf8),
            _ => None,
        }
    }
}
