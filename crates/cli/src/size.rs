//! Sizes as people write them: `8192`, `64KiB`, `1MiB`.

/// The units, each a power of two; a plain number is bytes.
const UNITS: [(&str, u32); 5] = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("B", 0)];

/// Reads a size in bytes.
///
/// # Errors
/// Says what is wrong with anything that is not a whole number with or without a unit, or is over 64 bits.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let (digits, shift) = UNITS
        .iter()
        .find_map(|&(unit, shift)| text.strip_suffix(unit).map(|digits| (digits.trim_end(), shift)))
        .unwrap_or((text, 0));
    count(digits)?.checked_mul(1 << shift).ok_or_else(too_large)
}

/// Reads a whole number without a unit.
///
/// # Errors
/// Says what is wrong with anything else.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("expected a whole number, for sizes with B, KiB, MiB, GiB or TiB behind it".to_owned());
    }
    text.parse().map_err(|_| too_large())
}

fn too_large() -> String {
    format!("the number is too large, at most {} is possible", u64::MAX)
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
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(count("1KiB").is_err());
    }
}
