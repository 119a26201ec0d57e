//! The values of options that are more than a size: durations, rates, addresses.

use std::ffi::OsStr;
use std::time::Duration;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use plimsoll::Rate;
use url::{ParseError, Url};

use crate::complain::harmless;
use crate::size;

/// Reads a duration that the library's clocks can measure.
///
/// # Errors
/// Says what is wrong with anything else.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text).map_err(|error| error.to_string())?;
    // Whether a body comes within no time at all is chance.
    if size::milliseconds(duration) == 0 { Err("expected 1ms or more".to_owned()) } else { Ok(duration) }
}

/// Reads `SIZE` in a second, or `SIZE/DURATION`.
///
/// # Errors
/// Says what is wrong with anything else.
pub(super) fn rate(text: &str) -> Result<Rate, String> {
    let (bytes, window) = text.split_once('/').unwrap_or((text, "1s"));
    let expected =
        |what, error| format!("expected SIZE or SIZE/DURATION, such as 1KiB or 4KiB/10s; {what}: {error}");
    let window = duration(window).map_err(|error| expected("of DURATION", error))?;
    let bytes = size::parse(bytes).map_err(|error| expected("of SIZE", error))?;
    Ok(Rate { bytes, window: size::milliseconds(window) })
}

/// A parser with values that a shell can offer. Others are not refused for that: any value of a field may come.
#[derive(Clone)]
pub(crate) struct Offered<P>(pub(crate) P, pub(crate) &'static [&'static str]);

/// Values of the Content-Encoding field that are supported, and of Content-Type.
pub(crate) const CODINGS: &[&str] = &["identity", "gzip", "x-gzip"];
pub(crate) const MEDIA: &[&str] = &[
    "application/json",
    "application/x-ndjson",
    "application/json-seq",
    "text/plain",
    "application/octet-stream",
];

impl<P: TypedValueParser> TypedValueParser for Offered<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, clap::Error> {
        self.0.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.1.iter().copied().map(PossibleValue::new)))
    }
}

/// Reads an address. What is none is not repeated as far as it may have a password in it.
#[derive(Clone)]
pub(super) struct Address;

impl TypedValueParser for Address {
    type Value = Url;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Url, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, arg, value)?;
        address(&text).map_err(|message| {
            let shown = text.rsplit_once('@').map_or_else(|| text.clone(), |(_, rest)| format!("…@{rest}"));
            let message = format!("invalid value '{}' for '<URL>': {message}", harmless(&shown));
            command.clone().error(ErrorKind::ValueValidation, message)
        })
    }
}

fn address(text: &str) -> Result<Url, String> {
    let missing = || "http:// or https:// is missing".to_owned();
    let url = Url::parse(text).map_err(|error| match error {
        ParseError::RelativeUrlWithoutBase => missing(),
        other => other.to_string(),
    })?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        _ if !text.contains("://") => Err(missing()),
        other => Err(format!("the scheme {other} is not supported: expected http or https")),
    }
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
    fn what_is_offered_is_what_is_read() {
        assert!(CODINGS.iter().all(|value| plimsoll::Coding::from_header(value).is_ok()));
        assert!(MEDIA.iter().all(|value| plimsoll::Media::from_header(value).is_ok()));
    }

    #[test]
    fn an_address_is_of_http_or_https_and_names_a_host() {
        assert_eq!(address("HTTP://Example.ORG").map(String::from), Ok("http://example.org/".to_owned()));
        assert!(address("https://example.org/a?b").is_ok());
        for text in ["ftp://example.org", "file:///etc/passwd", "http://", "http://a b/"] {
            assert!(address(text).is_err(), "{text}");
        }
        for text in ["", "example.org", "/path", "localhost:8080/path", "user:word@host/"] {
            assert!(address(text).is_err_and(|error| error.contains("http:// or https://")), "{text}");
        }
    }
}
