//! Sizes as people write them: `8192`, `64KiB`, `1MiB`. Durations as the library counts them.

use std::time::Duration;

/// The units, each a power of two; a plain number is bytes.
const UNITS: [(&str, u32); 5] = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("B", 0)];

/// Reads a size in bytes, of at most what `T` holds.
///
/// # Errors
/// Says what is wrong with anything that is not a whole number with or without a unit, or is too large.
pub(crate) fn parse<T: Whole>(text: &str) -> Result<T, String> {
    let (digits, shift) = UNITS
        .iter()
        .find_map(|&(unit, shift)| text.strip_suffix(unit).map(|digits| (digits.trim_end(), shift)))
        .unwrap_or((text, 0));
    let bytes = whole(digits)?.and_then(|number| number.checked_mul(1 << shift));
    bytes.and_then(|bytes| T::try_from(bytes).ok()).ok_or_else(too_large::<T>)
}

/// Reads a whole number without a unit, of at most what `T` holds.
///
/// # Errors
/// Says what is wrong with anything else.
pub(crate) fn count<T: Whole>(text: &str) -> Result<T, String> {
    whole(text)?.and_then(|number| T::try_from(number).ok()).ok_or_else(too_large::<T>)
}

/// A duration in milliseconds, of which the largest number stands for all that are longer.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The types of limits.
pub(crate) trait Whole: TryFrom<u64> {
    const MAX: u64;
}

impl Whole for u64 {
    const MAX: u64 = Self::MAX;
}

impl Whole for u32 {
    const MAX: u64 = Self::MAX as u64;
}

impl Whole for u16 {
    const MAX: u64 = Self::MAX as u64;
}

/// A whole number, or `None` for one of more than 64 bits.
fn whole(digits: &str) -> Result<Option<u64>, String> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("expected a whole number, for sizes with B, KiB, MiB, GiB or TiB behind it".to_owned());
    }
    Ok(digits.parse().ok())
}

fn too_large<T: Whole>() -> String {
    format!("the number is too large, at most {} is possible", T::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_with_and_without_units_are_sizes() {
        for (text, size) in [
            ("0", 0),
            ("8192", 8192),
            ("5B", 5),
            ("64KiB", 65_536),
            ("1MiB", 1_048_576),
            ("8 MiB", 8_388_608),
            ("2GiB", 2_147_483_648),
            ("1TiB", 1_099_511_627_776),
            ("18446744073709551615", u64::MAX),
            ("007", 7),
        ] {
            assert_eq!(parse(text), Ok(size), "{text}");
        }
    }

    #[test]
    fn a_number_that_the_limit_cannot_hold_is_too_large() {
        assert_eq!(parse("4294967295"), Ok(u32::MAX));
        assert!(parse::<u32>("4GiB").is_err_and(|error| error.contains("4294967295")));
        assert_eq!(count("65535"), Ok(u16::MAX));
        assert!(count::<u16>("65536").is_err());
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            "-1",
            "+1",
            "1.5",
            "1e3",
            "many",
            "KiB",
            "1kib",
            "1KB",
            "1 2",
            " 1",
            "18446744073709551616",
            "16777216TiB",
        ] {
            assert!(parse::<u64>(text).is_err(), "{text}");
        }
        assert!(count::<u64>("1KiB").is_err());
    }
}
