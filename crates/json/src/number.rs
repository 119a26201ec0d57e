//! Numbers as text (RFC 8259, section 6), and their exact conversions.
//!
//! A number stays what was written; nothing is rounded and the sign of `-0` is kept. Integers convert exactly or
//! not at all. Floating point is the feature `float`.

use core::fmt;

use plimsoll_core::{Reason, Rejection};

use crate::state::State;

/// A whole JSON number as written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Number<'a>(&'a [u8]);

impl<'a> Number<'a> {
    /// Only for text that was checked.
    #[inline(always)]
    pub(crate) const fn checked(text: &'a [u8]) -> Self {
        Self(text)
    }

    /// `text` as a number; `None` unless it is one, whole, without anything around it.
    #[must_use]
    pub fn new(text: &'a [u8]) -> Option<Self> {
        let (first, rest) = match text {
            [b'-', first, rest @ ..] => (first, rest),
            [first, rest @ ..] => (first, rest),
            [] => return None,
        };
        let mut state = State::Minus.number(*first)?;
        for &byte in rest {
            state = state.number(byte).filter(|&state| state != State::AfterValue)?;
        }
        if state.ends_number() { Some(Self(text)) } else { None }
    }

    /// The number as written.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The number as written.
    #[must_use]
    pub fn as_str(self) -> &'a str {
        core::str::from_utf8(self.0).unwrap_or_default()
    }

    /// Whether it begins with a minus sign, `-0` included.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self.0.first() == Some(&b'-')
    }

    /// Whether it is written with a decimal point.
    #[must_use]
    pub fn has_fraction(self) -> bool {
        self.0.contains(&b'.')
    }

    /// Whether it is written with an exponent.
    #[must_use]
    pub fn has_exponent(self) -> bool {
        self.0.iter().any(|byte| matches!(byte, b'e' | b'E'))
    }

    /// Whether it is written as an integer, without fraction and exponent.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.digits().iter().all(u8::is_ascii_digit)
    }

    /// What follows the sign.
    fn digits(self) -> &'a [u8] {
        self.0.strip_prefix(b"-").unwrap_or(self.0)
    }
}

/// One conversion per type, from the digits and the sign.
macro_rules! integers {
    ($($name:ident $type:ty, $article:literal;)*) => {
        impl Number<'_> {
            $(
                #[doc = concat!("The number as ", $article, " `", stringify!($type), "`, exactly. `-0` is 0.")]
                ///
                /// # Errors
                /// `type_mismatch` when it is written with a fraction or an exponent, `number_range` when it does
                /// not fit.
                pub fn $name(self) -> Result<$type, Rejection> {
                    const RANGE: Rejection = Rejection::new(Reason::NumberRange);
                    let mut value: $type = 0;
                    if !self.is_integer() {
                        return Err(Rejection::new(Reason::TypeMismatch));
                    }
                    for &digit in self.digits() {
                        let digit = <$type>::from(digit & 0x0f);
                        value = value.checked_mul(10).ok_or(RANGE)?;
                        let next = if self.is_negative() {
                            value.checked_sub(digit)
                        } else {
                            value.checked_add(digit)
                        };
                        value = next.ok_or(RANGE)?;
                    }
                    Ok(value)
                }
            )*
        }
    };
}

integers! {
    to_i32 i32, "an";
    to_u32 u32, "a";
    to_i64 i64, "an";
    to_u64 u64, "a";
    to_i128 i128, "an";
    to_u128 u128, "a";
}

#[cfg(feature = "float")]
impl Number<'_> {
    /// The `f64` nearest to the number, ties to even. `-0` keeps its sign.
    ///
    /// # Errors
    /// `number_range` when it is beyond the finite values.
    pub fn to_f64(self) -> Result<f64, Rejection> {
        match self.as_str().parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(Rejection::new(Reason::NumberRange)),
        }
    }

    /// The `f32` nearest to the number, ties to even. `-0` keeps its sign.
    ///
    /// # Errors
    /// `number_range` when it is beyond the finite values.
    pub fn to_f32(self) -> Result<f32, Rejection> {
        match self.as_str().parse::<f32>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(Rejection::new(Reason::NumberRange)),
        }
    }
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    fn number(text: &str) -> Number<'_> {
        Number::new(text.as_bytes()).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn only_a_whole_number_of_the_grammar_is_one() {
        for text in ["0", "-0", "10", "0.5", "-1.25e+3", "1E-7", "1e0", "123456789012345678901234567890"] {
            assert_eq!(number(text).as_str(), text);
        }
        for text in [
            "", "-", "+1", "01", "-01", "00", "1.", ".5", "1e", "1e+", "1.e1", "0x1", "1 ", " 1", "1,",
            "--1", "NaN", "1e1.5",
        ] {
            assert_eq!(Number::new(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_flags_tell_how_it_is_written() {
        let flags = |text| {
            let number = number(text);
            (number.is_negative(), number.has_fraction(), number.has_exponent(), number.is_integer())
        };
        assert_eq!(flags("0"), (false, false, false, true));
        assert_eq!(flags("-0"), (true, false, false, true));
        assert_eq!(flags("-0.0"), (true, true, false, false));
        assert_eq!(flags("1E2"), (false, false, true, false));
        assert_eq!(flags("1.5e-2"), (false, true, true, false));
    }

    #[test]
    fn integers_convert_exactly_up_to_their_ends_and_no_further() {
        const RANGE: Result<(), Reason> = Err(Reason::NumberRange);
        assert_eq!(number("9223372036854775807").to_i64(), Ok(i64::MAX));
        assert_eq!(number("-9223372036854775808").to_i64(), Ok(i64::MIN));
        assert_eq!(number("18446744073709551615").to_u64(), Ok(u64::MAX));
        assert_eq!(number("170141183460469231731687303715884105727").to_i128(), Ok(i128::MAX));
        assert_eq!(number("-170141183460469231731687303715884105728").to_i128(), Ok(i128::MIN));
        assert_eq!(number("340282366920938463463374607431768211455").to_u128(), Ok(u128::MAX));
        let reason = |rejection: Rejection| rejection.reason();
        assert_eq!(number("9223372036854775808").to_i64().map(drop).map_err(reason), RANGE);
        assert_eq!(number("-9223372036854775809").to_i64().map(drop).map_err(reason), RANGE);
        assert_eq!(number("18446744073709551616").to_u64().map(drop).map_err(reason), RANGE);
        assert_eq!(number("-1").to_u64().map(drop).map_err(reason), RANGE);
        assert_eq!(
            number("170141183460469231731687303715884105728").to_i128().map(drop).map_err(reason),
            RANGE
        );
        assert_eq!(
            number("-170141183460469231731687303715884105729").to_i128().map(drop).map_err(reason),
            RANGE
        );
        assert_eq!(
            number("340282366920938463463374607431768211456").to_u128().map(drop).map_err(reason),
            RANGE
        );
    }

    #[test]
    fn a_number_is_shown_as_it_is_written() {
        let number = number("-0.50E+01");
        assert_eq!(std::format!("{number} {number:?}"), "-0.50E+01 -0.50E+01");
    }

    #[test]
    fn minus_zero_is_kept_as_written_and_is_zero_as_an_integer() {
        assert_eq!(number("-0").as_str(), "-0");
        assert!(number("-0").is_negative());
        assert_eq!(number("-0").to_i64(), Ok(0));
        assert_eq!(number("-0").to_u64(), Ok(0));
    }

    #[test]
    fn what_is_not_written_as_an_integer_does_not_convert_to_one() {
        for text in ["1.0", "1e2", "-0.0", "1E400"] {
            assert_eq!(number(text).to_i64().unwrap_err().reason(), Reason::TypeMismatch, "{text}");
        }
    }

    #[cfg(feature = "float")]
    #[test]
    fn floats_are_the_nearest_and_infinity_is_refused() {
        assert_eq!(number("0.1").to_f64(), Ok(0.1));
        assert_eq!(number("1.7976931348623157e308").to_f64(), Ok(f64::MAX));
        assert_eq!(number("1e400").to_f64().unwrap_err().reason(), Reason::NumberRange);
        assert_eq!(number("1e39").to_f32().unwrap_err().reason(), Reason::NumberRange);
        assert_eq!(number("1e-400").to_f64(), Ok(0.0));
        assert!(number("-0").to_f64().unwrap().is_sign_negative());
        assert!(number("-0.0").to_f32().unwrap().is_sign_negative());
    }
}
