//! Durations and rates as people write them: `30s`, `1min 30s`, `1KiB`, `4KiB/10s`.

use std::time::Duration;

use plimsoll::Rate;

use super::size;

/// The digits that a duration may have. Where a number of seconds is the last that there is and smaller units add one more, what
/// reads them stops the program; that takes sixteen digits.
const DIGITS: usize = 15;

/// Reads a duration that the library's clocks can measure.
///
/// # Errors
/// Says what is wrong with anything else.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    if text.bytes().filter(u8::is_ascii_digit).count() > DIGITS {
        return Err(format!("expected {DIGITS} digits or fewer"));
    }
    let duration = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    // Whether a body comes within no time at all is chance.
    if size::milliseconds(duration) == 0 { Err("expected 1ms or more".to_owned()) } else { Ok(duration) }
}

/// Reads `SIZE` in a second, or `SIZE/DURATION`.
///
/// # Errors
/// Says what is wrong with anything else.
pub(crate) fn rate(text: &str) -> Result<Rate, String> {
    let (bytes, window) = text.split_once('/').unwrap_or((text, "1s"));
    let expected =
        |what, error| format!("expected SIZE or SIZE/DURATION, such as 1KiB or 4KiB/10s; {what}: {error}");
    let window = duration(window).map_err(|error| expected("of DURATION", error))?;
    let bytes = size::parse(bytes).map_err(|error| expected("of SIZE", error))?;
    Ok(Rate { bytes, window: size::milliseconds(window) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_a_size_in_a_second_or_in_a_duration() {
        assert_eq!(rate("1KiB"), Ok(Rate { bytes: 1024, window: 1000 }));
        assert_eq!(rate("4 KiB/10s"), Ok(Rate { bytes: 4096, window: 10_000 }));
        assert_eq!(rate("0/1ms"), Ok(Rate { bytes: 0, window: 1 }));
        for text in
            ["", "/", "1KiB/", "/1s", "1KiB/1", "1KiB/1s/1s", "fast", "-1", "1KiB/0s", "0/0s", "1/999us"]
        {
            assert!(rate(text).is_err_and(|error| error.contains("SIZE/DURATION")), "{text}");
        }
    }

    #[test]
    fn a_duration_is_at_least_what_a_clock_can_tell() {
        assert_eq!(duration("1ms"), Ok(Duration::from_millis(1)));
        for text in ["", "0s", "999us", "-1s", "1"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_duration_behind_the_last_second_is_refused_like_any_other() {
        assert_eq!(duration("999999999999999s"), Ok(Duration::from_secs(999_999_999_999_999)));
        for text in
            ["18446744073709551615s 1000ms", "18446744073709551616s", "9999999999999999s", "999999999999y"]
        {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
