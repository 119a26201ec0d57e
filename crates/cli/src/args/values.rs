//! The values of options that a shell can offer, and addresses.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use url::{ParseError, Url};

use crate::complain::harmless;

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
