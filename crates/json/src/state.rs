//! Where the machine can stand, named after what may come next, and the automaton of numbers.

/// Where the machine stands. The names of what may come next follow the grammar of RFC 8259, sections 2 to 7, and of
/// UTF-8 (RFC 3629, section 4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum State {
    // Between two tokens in a container; the tokenizer relies on the order of these six.
    /// Behind `{`: a key or `}`.
    FirstMember,
    /// Behind a comma in an object: a key.
    Member,
    /// Behind `[`: a value or `]`.
    FirstElement,
    /// Behind a colon, or behind a comma in an array: a value.
    Value,
    /// Behind a key: a colon.
    Colon,
    /// Behind a value: a comma or the container's end.
    AfterValue,
    /// Inside of a string or key, between two characters.
    String,
    /// The document's value.
    Document,
    /// Behind the document's value.
    Done,
    /// The body's first byte: the document or a byte order mark.
    Start,
    /// Inside of a byte order mark.
    Mark,
    /// `\` was seen.
    Escape,
    /// `\u` and fewer than four digits.
    Hex,
    /// A high surrogate: `\` must follow.
    LowEscape,
    /// A high surrogate and `\`: `u` must follow.
    LowUnicode,
    /// A high surrogate, `\u` and fewer than four digits.
    LowHex,
    /// One continuation byte.
    Tail1,
    /// Two continuation bytes.
    Tail2,
    /// Three continuation bytes.
    Tail3,
    /// Inside of `true`, `false` or `null`.
    Literal,
    /// `-` was seen.
    Minus,
    /// A leading zero.
    Zero,
    /// Digits that began with 1 to 9.
    Integer,
    /// A decimal point without a digit.
    Point,
    /// Digits behind the point.
    Fraction,
    /// `e` or `E`.
    Exponent,
    /// The exponent's sign.
    ExponentSign,
    /// The exponent's digits.
    ExponentDigits,
    /// Refused, for good.
    Refused,
}

impl State {
    /// Whether this is a place inside of a number.
    pub(crate) const fn in_number(self) -> bool {
        self as u8 >= Self::Minus as u8 && self as u8 <= Self::ExponentDigits as u8
    }

    /// Whether a number may end here.
    pub(crate) const fn ends_number(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::ExponentDigits)
    }

    /// Whether this is a place inside of a UTF-8 sequence.
    pub(crate) const fn in_sequence(self) -> bool {
        self as u8 >= Self::Tail1 as u8 && self as u8 <= Self::Tail3 as u8
    }

    /// The state behind a byte of a number: `None` when it cannot stand there, `AfterValue` when the number
    /// ended before it, at any depth.
    pub(crate) fn number(self, byte: u8) -> Option<Self> {
        let class = match byte {
            b'0' => 0,
            b'1'..=b'9' => 1,
            b'.' => 2,
            b'e' | b'E' => 3,
            b'+' | b'-' => 4,
            _ => 5,
        };
        let row = NUMBER.get((self as usize).wrapping_sub(Self::Minus as usize))?;
        row.get(class).copied().filter(|&next| next != Self::Refused)
    }
}

/// The states behind `0`, `1` to `9`, `.`, `e` and `E`, a sign, and any other byte, in the states from `Minus` on.
#[rustfmt::skip]
const NUMBER: [[State; 6]; 8] = {
    use State::{AfterValue, Exponent, ExponentDigits, ExponentSign, Fraction, Integer, Point, Refused, Zero};
    [
        [Zero,           Integer,        Refused,    Refused,    Refused,      Refused],
        [Refused,        Refused,        Point,      Exponent,   AfterValue,   AfterValue],
        [Integer,        Integer,        Point,      Exponent,   AfterValue,   AfterValue],
        [Fraction,       Fraction,       Refused,    Refused,    Refused,      Refused],
        [Fraction,       Fraction,       AfterValue, Exponent,   AfterValue,   AfterValue],
        [ExponentDigits, ExponentDigits, Refused,    Refused,    ExponentSign, Refused],
        [ExponentDigits, ExponentDigits, Refused,    Refused,    Refused,      Refused],
        [ExponentDigits, ExponentDigits, AfterValue, AfterValue, AfterValue,   AfterValue],
    ]
};

#[cfg(test)]
mod tests {
    use super::State;

    /// The state behind a whole number, if every byte may stand where it is.
    fn behind(text: &str) -> Option<State> {
        text.bytes().try_fold(State::Minus, State::number)
    }

    #[test]
    fn a_number_goes_through_the_states_of_its_grammar() {
        for (text, state) in [
            ("0", State::Zero),
            ("19", State::Integer),
            ("0.", State::Point),
            ("1.05", State::Fraction),
            ("1e", State::Exponent),
            ("1.5E+", State::ExponentSign),
            ("0e-07", State::ExponentDigits),
            ("0 ", State::AfterValue),
            ("12]", State::AfterValue),
            ("1.5,", State::AfterValue),
            ("1e5}", State::AfterValue),
        ] {
            assert_eq!(behind(text), Some(state), "{text}");
        }
        for text in ["-", ".", "e", "00", "01", "1..", "1.e", "1.,", "1e,", "1e+,", "1ee", "0x1"] {
            let state = behind(text);
            assert!(state.is_none() || (text == "0x1" && state == Some(State::AfterValue)), "{text}");
        }
    }
}
