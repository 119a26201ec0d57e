//! Where a body comes from: every size of the source's buffer, sources that fail and are interrupted, and a gzip
//! stream whose end is verified.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use std::io::Write;

use embedded_io::ErrorKind;
use flate2::Compression;
use flate2::write::GzEncoder;
use heapless::{String, Vec};
use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Limits, NoClock, Pace, Policy, ReadError, Reader, Reason, Ring,
    Watch,
};
use plimsoll_json::{Assembler, Counted, de};
use plimsoll_tests_serde::assembler;
use plimsoll_tests_serde::source::{Failure, Source, quiet};
use serde::Deserialize;

#[derive(Deserialize, PartialEq, Clone, Debug)]
struct Text {
    plain: String<16>,
    #[serde(rename = "escaped")]
    mixed: Vec<String<16>, 4>,
    number: i64,
    last: Option<char>,
}

const TEXT: &str = r#" { "pl\u0061in" : "t\"e\\x\/t", "other \ud83d\ude00": [{"\u00e9": "\ud83d\ude00"}, -1.5e+10, [[], {}]],
    "escaped": ["\ud83d\ude00", "é€😀", "\u0000\b\f\n\r\t", ""], "number" : -9223372036854775808 , "last": "\uD83D\uDE00" } "#;

fn text() -> Text {
    let strings = ["😀", "é€😀", "\0\u{8}\u{c}\n\r\t", ""];
    Text {
        plain: "t\"e\\x/t".try_into().unwrap(),
        mixed: strings.into_iter().map(|text| text.try_into().unwrap()).collect(),
        number: i64::MIN,
        last: Some('😀'),
    }
}

#[test]
fn a_value_is_the_same_by_every_number_of_bytes() {
    assert_eq!(serde_json::from_str::<Text>(TEXT).unwrap(), text());
    let mut scratch = [0xff; 32];
    assert_eq!(de::from_slice::<Text, _>(TEXT.as_bytes(), assembler(&mut scratch)).unwrap(), text());
    for size in 1..=TEXT.len() + 1 {
        let mut scratch = [0xff; 32];
        let value = de::from_reader::<Text, _, _>(quiet(TEXT.as_bytes(), size), assembler(&mut scratch));
        assert_eq!(value.unwrap(), text(), "by {size}");
    }
}

#[test]
fn an_interruption_at_any_request_is_not_noticed() {
    for size in [1, 2, 5, 64, 4096] {
        for period in [2, 3, 5] {
            let interrupted =
                |request: usize| (!request.is_multiple_of(period)).then_some(ErrorKind::Interrupted);
            let source = Source::new(TEXT.as_bytes(), size, interrupted);
            let mut scratch = [0xff; 32];
            let value = de::from_reader::<Text, _, _>(source, assembler(&mut scratch));
            assert_eq!(value.unwrap(), text(), "by {size}, period {period}");
        }
    }
}

#[test]
fn a_failure_at_any_request_is_told_apart_and_no_value_comes_of_it() {
    for size in [1, 3, 64, 4096] {
        let read = |trouble: &mut dyn FnMut(usize) -> Option<ErrorKind>| {
            let mut scratch = [0xff; 32];
            let source = Source::new(TEXT.as_bytes(), size, trouble);
            de::from_reader::<Text, _, _>(source, assembler(&mut scratch))
        };
        let mut asked = 0;
        let quiet = read(&mut |request| {
            asked = request + 1;
            None
        });
        assert_eq!(quiet, Ok(text()));
        assert!(asked > TEXT.len() / size, "{asked} by {size}");
        for at in 0..asked {
            let failed = read(&mut |request| (request == at).then_some(ErrorKind::TimedOut));
            let failure = de::Error::Source(Failure(ErrorKind::TimedOut));
            assert_eq!(failed, Err(failure), "by {size}, request {at}");
        }
    }
}

#[test]
fn every_prefix_is_refused_as_incomplete() {
    for end in 0..TEXT.trim_end().len() {
        let mut scratch = [0xff; 32];
        let body = &TEXT.as_bytes()[..end];
        let error = de::from_reader::<Text, _, _>(quiet(body, 7), assembler(&mut scratch)).unwrap_err();
        let reason = error.rejection().unwrap().reason();
        assert!(matches!(reason, Reason::IncompleteJson | Reason::IncompleteUtf8), "{end}: {reason}");
    }
}

fn gzip(body: &[u8]) -> std::vec::Vec<u8> {
    let mut encoder = GzEncoder::new(std::vec::Vec::new(), Compression::default());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

/// The typed value of a gzip body, through a window of 4 KiB and a scratch of 32 bytes.
fn receive(body: &[u8]) -> Result<Text, de::Error<ReadError>> {
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 4 << 10]);
    let (head, policy) = (Head::new(Coding::Gzip), Policy::strict(Limits::SMALL_DEVICE));
    let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
    let mut reader = Reader::new(machine, body, Watch::new(Pace::within(10_000), NoClock));
    let mut scratch = [0; 32];
    let assembler = Assembler::<Counted<8>>::new(
        plimsoll_json::Limits { depth: 8, ..plimsoll_json::Limits::DEVICE },
        &mut scratch,
    )
    .unwrap();
    let value = de::from_reader(&mut reader, assembler);
    assert_eq!(reader.finish().is_complete(), value.is_ok());
    value
}

#[test]
fn a_gzip_body_becomes_a_value_only_when_its_end_is_verified() {
    let body = gzip(TEXT.as_bytes());
    assert_eq!(receive(&body), Ok(text()));
    let refused = |body: &[u8]| match receive(body).unwrap_err() {
        de::Error::Source(ReadError::Rejected(rejection)) => rejection.reason(),
        other => panic!("{other:?}"),
    };
    // The checksum stands behind the document's last byte.
    let mut flipped = body.clone();
    let at = flipped.len() - 8;
    flipped[at] ^= 1;
    assert_eq!(refused(&flipped), Reason::Checksum);
    assert_eq!(refused(&body[..body.len() - 1]), Reason::IncompleteGzip);
    assert_eq!(refused(&[&body[..], b"x"].concat()), Reason::TrailingData);
}

/// Shows its text so often, and nothing of it again.
struct Forgetful {
    text: &'static [u8],
    shows: usize,
}

impl embedded_io::ErrorType for Forgetful {
    type Error = Failure;
}

impl embedded_io::Read for Forgetful {
    fn read(&mut self, _buf: &mut [u8]) -> Result<usize, Failure> {
        panic!("a deserializer uses the source's buffer");
    }
}

impl embedded_io::BufRead for Forgetful {
    fn fill_buf(&mut self) -> Result<&[u8], Failure> {
        self.shows = self.shows.saturating_sub(1);
        Ok(if self.shows > 0 { self.text } else { &[] })
    }

    fn consume(&mut self, _amt: usize) {}
}

#[test]
fn a_source_that_does_not_show_a_text_again_is_refused() {
    let mut scratch = [0xff; 32];
    // Its first byte tells that a string comes; then it is found; then it is to be lent.
    let source = Forgetful { text: b"\"plain\"", shows: 3 };
    let error = de::from_reader::<String<8>, _, _>(source, assembler(&mut scratch)).unwrap_err();
    assert_eq!(error.rejection(), Some(plimsoll::Rejection::new(Reason::SourceError)));
}
