//! What a policy is read from: header values, pointers, sizes, durations and rates.

use plimsoll::json::Pointers;
use plimsoll::{Coding, Media, Rate, Reason};

use crate::input::Input;

#[allow(dead_code, unreachable_pub, reason = "the command's own file, of which the sizes are wanted")]
#[path = "../../../crates/cli/src/size.rs"]
mod size;

#[allow(unreachable_pub, reason = "the command's own file")]
#[path = "../../../crates/cli/src/pace.rs"]
mod pace;

/// Content codings, media types, pointers, sizes, counts, durations and rates are read as by a second reading of their grammar, and what
/// is no text of that grammar is refused.
pub fn texts(input: Input<'_>) {
    let Ok(text) = core::str::from_utf8(input.body) else { return };
    coding(text);
    media(text);
    pointer(text);
    sizes(text);
    durations(text);
    rates(text);
}

/// RFC 9110, section 8.4: a list of names, of which `identity` and empty ones say nothing.
fn coding(text: &str) {
    let named: Vec<String> = text
        .split(',')
        .map(|name| name.trim_matches(|character| character == ' ' || character == '\t').to_ascii_lowercase())
        .filter(|name| !name.is_empty() && name != "identity")
        .collect();
    let expected = match named.as_slice() {
        [] => Ok(Coding::Identity),
        [name] if name == "gzip" || name == "x-gzip" => Ok(Coding::Gzip),
        [_] => Err(Reason::UnsupportedCoding),
        _ => Err(Reason::StackedCoding),
    };
    let found = Coding::from_header(text).map_err(|rejection| rejection.reason());
    assert_eq!(found, expected, "{text:?}");
}

/// RFC 9110, section 8.3.1: what does not change the meaning of a value does not change what it is taken for.
fn media(text: &str) {
    let read = |text: &str| Media::from_header(text).map_err(|rejection| rejection.reason());
    let found = read(text);
    assert!(found.is_ok() || found == Err(Reason::UnsupportedMedia));
    // Before a parameter, and behind one that is closed.
    let closed = text.bytes().filter(|&byte| byte == b'"').count() % 2 == 0 && !text.contains('\\');
    if closed {
        for other in [
            text.to_ascii_uppercase(),
            text.to_ascii_lowercase(),
            format!(" {text}\t"),
            format!("{text};"),
            format!("{text} ; x=y"),
            format!("{text};charset=UTF-8"),
            format!("{text};x=\"a;b\\\";charset=x\""),
        ] {
            // White space before the end of a value may be inside of the name itself.
            assert_eq!(read(&other), found, "{text:?} and {other:?}");
        }
        assert!(read(&format!("{text};charset=latin1")).is_err());
        assert!(read(&format!("{text};x=\"")).is_err());
    }
    if let Ok(media) = found {
        assert_eq!(read(media.as_str()), Ok(media));
        let name = text.split(';').next().unwrap_or_default().trim_matches([' ', '\t']);
        assert!(name.eq_ignore_ascii_case(media.as_str()), "{text:?}");
    }
}

/// RFC 6901, section 3, with `~2` for the asterisk.
fn pointer(text: &str) {
    let tokens = text.split('/').skip(1);
    let escaped = |token: &str| {
        token
            .split('~')
            .skip(1)
            .all(|rest| rest.starts_with('0') || rest.starts_with('1') || rest.starts_with('2'))
    };
    let begins = text.is_empty() || text.starts_with('/');
    let expected = begins && text.len() < 65_535 && tokens.clone().all(escaped);
    let found = Pointers::new(["/right", text]);
    assert_eq!(found.is_ok(), expected, "{text:?}");
    if let Err(error) = found {
        assert_eq!(error.pointer, 1);
        assert!(text.is_char_boundary(error.at.min(text.len())), "{text:?}: {error:?}");
    }
}

/// Digits, spaces and a unit; in numbers of 128 bits, so that nothing runs over.
fn sizes(text: &str) {
    let units = [("KiB", 1024_u128), ("MiB", 1 << 20), ("GiB", 1 << 30), ("TiB", 1 << 40), ("B", 1)];
    let digits_of = |text: &str| -> Option<u128> {
        let right = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // One of more than 25 digits behind its zeros is too large for anything here.
        let digits = text.trim_start_matches('0');
        right.then(|| if digits.len() > 25 { u128::MAX >> 41 } else { format!("0{digits}").parse().unwrap() })
    };
    let unit = units.iter().find(|(unit, _)| text.ends_with(unit));
    let expected = match unit {
        Some((unit, value)) => {
            digits_of(text[..text.len() - unit.len()].trim_end()).map(|number| number * value)
        }
        None => digits_of(text),
    };
    check(text, size::parse::<u64>(text).ok().map(u128::from), expected, u64::MAX.into());
    check(text, size::parse::<u32>(text).ok().map(u128::from), expected, u32::MAX.into());
    if let Ok(number) = size::parse::<u64>(text) {
        assert_eq!(size::parse(&size::written(number)), Ok(number), "{text:?}");
        assert_eq!(size::parse(&size::spelled(number)), Ok(number), "{text:?}");
    }
    let expected = digits_of(text);
    check(text, size::count::<u64>(text).ok().map(u128::from), expected, u64::MAX.into());
    check(text, size::count::<u16>(text).ok().map(u128::from), expected, u16::MAX.into());
    check(text, size::count_up_to(text, 4096_u16).ok().map(u128::from), expected, 4096);
}

fn check(text: &str, found: Option<u128>, expected: Option<u128>, most: u128) {
    assert_eq!(found, expected.filter(|&number| number <= most), "{text:?}, at most {most}");
}

/// The names of the units, and how many nanoseconds each is: a month is 30.44 days, and a year 365.25.
const UNITS: [(&[&str], u128); 10] = [
    (&["ns", "nsec", "nanos"], 1),
    (&["us", "usec", "µs"], 1_000),
    (&["ms", "msec", "millis"], 1_000_000),
    (&["s", "sec", "secs", "second", "seconds"], SECOND),
    (&["m", "min", "mins", "minute", "minutes"], 60 * SECOND),
    (&["h", "hr", "hrs", "hour", "hours"], 3600 * SECOND),
    (&["d", "day", "days"], DAY),
    (&["w", "wk", "wks", "week", "weeks"], 7 * DAY),
    (&["M", "month", "months"], 3044 * DAY / 100),
    (&["y", "yr", "yrs", "year", "years"], 36525 * DAY / 100),
];
const SECOND: u128 = 1_000_000_000;
const DAY: u128 = 86_400 * SECOND;

/// Nothing that is shorter than a millisecond is read. What is written as numbers with a unit each, and spaces between, is their
/// sum; what is written otherwise is read or refused.
fn durations(text: &str) {
    let found = pace::duration(text);
    assert!(found.as_ref().is_ok_and(|duration| duration.as_millis() > 0) || found.is_err(), "{text:?}");
    let Some(parts) = text.split_ascii_whitespace().map(part).collect::<Option<Vec<_>>>() else { return };
    if parts.is_empty() {
        return assert!(found.is_err(), "{text:?}");
    }
    let sum: u128 = parts.iter().map(|(number, unit)| number * unit).sum();
    match found {
        Ok(duration) => assert_eq!(duration.as_nanos(), sum, "{text:?}"),
        Err(error) => {
            let long = text.bytes().filter(u8::is_ascii_digit).count() > 15;
            // Parts of a second are counted as nanoseconds of 64 bits, and the rest in seconds.
            let most = u128::from(u64::MAX) - SECOND;
            let over = |&(number, unit): &(u128, u128)| unit < SECOND && number * unit > most;
            let over = sum / SECOND > most || parts.iter().any(over);
            assert!(long || over || sum < 1_000_000, "{text:?}: {error}");
        }
    }
}

/// A number and its unit.
fn part(text: &str) -> Option<(u128, u128)> {
    let (number, name) = text.split_at(text.find(|character: char| !character.is_ascii_digit())?);
    let (_, unit) = UNITS.iter().find(|(names, _)| names.contains(&name))?;
    // One of more than 20 digits behind its zeros is too large for any unit.
    let digits = number.trim_start_matches('0');
    let number = if digits.len() > 20 { u64::MAX.into() } else { format!("0{digits}").parse().unwrap() };
    (!text.starts_with(name)).then_some((number, *unit))
}

/// A size in a duration, or in a second.
fn rates(text: &str) {
    let (bytes, window) = text.split_once('/').unwrap_or((text, "1s"));
    let window = pace::duration(window).ok().map(size::milliseconds);
    let expected = size::parse(bytes).ok().zip(window).map(|(bytes, window)| Rate { bytes, window });
    assert_eq!(pace::rate(text).ok(), expected, "{text:?}");
}
