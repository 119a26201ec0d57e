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
    let expected = "expected a whole number of bytes, or one with B, KiB, MiB, GiB or TiB behind it";
    let bytes = whole(digits).ok_or(expected)?.and_then(|number| number.checked_mul(1 << shift));
    within(bytes, T::MAX)
}

/// Reads a whole number without a unit, of at most what `T` holds.
///
/// # Errors
/// Says what is wrong with anything else.
pub(crate) fn count<T: Whole>(text: &str) -> Result<T, String> {
    count_up_to(text, T::MAX)
}

/// Reads a whole number without a unit, of at most `most`.
///
/// # Errors
/// Says what is wrong with anything else.
pub(crate) fn count_up_to<T: Whole>(text: &str, most: T) -> Result<T, String> {
    within(whole(text).ok_or("expected a whole number")?, most)
}

/// A size as it is written in an option: exact, with the largest unit that divides it, bytes without a unit.
pub(crate) fn written(bytes: u64) -> String {
    let (number, unit) = exact(bytes);
    format!("{number}{}", if unit == "B" { "" } else { unit })
}

/// The same as people read it.
pub(crate) fn spelled(bytes: u64) -> String {
    let (number, unit) = exact(bytes);
    format!("{number} {unit}")
}

fn exact(bytes: u64) -> (u64, &'static str) {
    let divides = |shift: u32| bytes > 0 && bytes.trailing_zeros() >= shift;
    let unit = UNITS.iter().rev().find(|&&(_, shift)| shift > 0 && divides(shift));
    unit.map_or((bytes, "B"), |&(unit, shift)| (bytes >> shift, unit))
}

/// A size as people read it: exact where it is a whole number of some unit, otherwise with one digit behind the
/// point, rounded down.
pub(crate) fn shown(bytes: u64) -> String {
    let Some(&(unit, shift)) = UNITS.iter().rev().find(|&&(_, shift)| shift > 0 && bytes >> shift > 0) else {
        return format!("{bytes} B");
    };
    let (whole, part) = (bytes >> shift, bytes & (1_u64 << shift).wrapping_sub(1));
    if part == 0 {
        return format!("{whole} {unit}");
    }
    // Below 2^44, as `part` is below 2^40.
    format!("{whole}.{} {unit}", part.wrapping_mul(10) >> shift)
}

/// A duration in milliseconds, of which the largest number stands for all that are longer.
pub(crate) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The types of limits.
pub(crate) trait Whole: TryFrom<u64> + PartialOrd + core::fmt::Display {
    const MAX: Self;
}

impl Whole for u64 {
    const MAX: Self = Self::MAX;
}

impl Whole for u32 {
    const MAX: Self = Self::MAX;
}

impl Whole for u16 {
    const MAX: Self = Self::MAX;
}

/// A whole number, or in its place `None` for one of more than 64 bits.
fn whole(digits: &str) -> Option<Option<u64>> {
    let digits =
        Some(digits).filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    digits.map(|digits| digits.parse().ok())
}

fn within<T: Whole>(number: Option<u64>, most: T) -> Result<T, String> {
    let number = number.and_then(|number| T::try_from(number).ok());
    number
        .filter(|number| *number <= most)
        .ok_or_else(|| format!("the number is too large, at most {most} is possible"))
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
    fn a_size_is_written_whole_and_read_back_and_shown_rounded() {
        for (bytes, text, people) in [
            (0, "0", "0 B"),
            (1, "1", "1 B"),
            (1023, "1023", "1023 B"),
            (1024, "1KiB", "1 KiB"),
            (1280, "1280", "1.2 KiB"),
            (1_048_575, "1048575", "1023.9 KiB"),
            (1_310_720, "1280KiB", "1.2 MiB"),
            (3 << 30, "3GiB", "3 GiB"),
            (5 << 50, "5120TiB", "5120 TiB"),
            (u64::MAX, "18446744073709551615", "16777215.9 TiB"),
        ] {
            assert_eq!((written(bytes).as_str(), shown(bytes).as_str()), (text, people));
            assert_eq!((parse(text), parse(&spelled(bytes))), (Ok(bytes), Ok(bytes)));
        }
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
