//! JSON: real documents, and repeated patterns that show where a scanner is weak. Streaming contestants get
//! chunks of 4 KiB; bufjson's parser is compared with in its fastest form, over the whole slice. The rate
//! counts bytes of the document.

pub(crate) mod small;

use core::hint::black_box;
use std::io::Read;

use bufjson::lexical::Token;
use bufjson::lexical::fixed::FixedAnalyzer;
use bufjson::lexical::read::ReadAnalyzer;
use plimsoll_core::Inspect;
use plimsoll_json::{Assembler, Check, Counted, Event, Limits, Reader, Token as PlimsollToken, Tokenizer};
use plimsoll_subjects::corpora::{Corpora, Document};
use serde::de::IgnoredAny;

use crate::rounds::{Heading, Lane, Settings, Table, Task, Unit, measure};

/// Name, and what makes a task for a document.
type Contestant = (&'static str, for<'a> fn(&'a [u8]) -> Task<'a>);

const OURS: &[Contestant] = &[
    ("plimsoll Check", |document| check(document, CHUNK)),
    ("plimsoll Tokenizer, tokens as bytes", |document| tokens(document, CHUNK)),
    ("plimsoll Assembler, whole strings", assembler),
    ("plimsoll Reader of whole strings", reader),
];

const PEERS: &[Contestant] = &[
    (BUFJSON, bufjson_parser),
    ("bufjson parser, no contents, 4 KiB chunks", |document| bufjson_parser_chunked(document, CHUNK)),
    (BUFJSON_CONTENTS, bufjson_contents),
    (SERDE_JSON, serde_json_ignored),
    ("picojson StreamParser, 64 KiB buffer", small::picojson),
    ("core-json, items passed over, whole slice", small::core_json),
    ("serde-json-core IgnoredAny, whole slice, lax", small::serde_json_core),
];

const BUFJSON: &str = "bufjson parser, no contents, whole slice";
const BUFJSON_CONTENTS: &str = "bufjson reader, contents, 4 KiB chunks";
const SERDE_JSON: &str = "serde_json IgnoredAny, whole slice";

/// What the name of a pattern ends with.
pub(crate) const PATTERN: &str = "again and again";

pub(crate) const CHUNK: usize = 4 << 10;

pub(crate) fn run(settings: &Settings) -> Table {
    let documents = documents(&Corpora::locate());
    let mut lanes = Vec::new();
    for document in &documents {
        for (contestants, ours) in [(OURS, true), (PEERS, false)] {
            for &(contestant, start) in contestants {
                lanes.push(Lane {
                    subject: document.name.clone(),
                    contestant,
                    ours,
                    bytes: document.bytes.len(),
                    task: start(&document.bytes),
                });
            }
        }
    }
    let heading = Heading {
        kind: "json",
        about: "documents and repeated patterns, bytes of the document",
        unit: Unit::MegabytesPerSecond,
        references: &[BUFJSON, BUFJSON_CONTENTS, SERDE_JSON],
        ordinary: Some("twitter"),
    };
    measure(heading, settings, lanes)
}

/// Real documents, then patterns of 1 MiB.
fn documents(corpora: &Corpora) -> Vec<Document> {
    let files = ["twitter", "citm_catalog", "canada", "twitterescaped", "github_events", "mesh", "numbers"];
    let strings = [
        ("\"éa\" again and again", "éa"),
        ("\"é\" again and again", "é"),
        ("\"€\" again and again", "€"),
        ("\"😀\" again and again", "😀"),
        ("\"\\n\" again and again", "\\n"),
        ("\"\\u00e9\" again and again", "\\u00e9"),
        ("\"\\ud83d\\ude00\" again and again", "\\ud83d\\ude00"),
    ];
    let values = ["{}", "[]", "1", "1.5e-10", "\"\"", "\"a\"", "true", "{\"a\":1}"];
    let pattern = |name: &str, parts: [&str; 3]| Document::repeated(name, 1 << 20, parts);
    files
        .map(|name| corpora.json(name))
        .into_iter()
        .chain(strings.map(|(name, unit)| pattern(name, ["\"", unit, "\""])))
        .chain(values.map(|value| {
            let unit = format!("{value},");
            pattern(&format!("{unit} again and again"), ["[", &unit, &format!("{value}]")])
        }))
        .collect()
}

/// Gives at most `chunk` bytes at a time.
struct Chunked<'a> {
    rest: &'a [u8],
    chunk: usize,
}

impl Read for Chunked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(self.chunk);
        self.rest.read(&mut buffer[..most])
    }
}

/// Limits that let the patterns pass, each of which is one string or one array.
const LIMITS: Limits = Limits { string: 2 << 20, ..Limits::HOST };

pub(crate) fn check(document: &[u8], chunk: usize) -> Task<'_> {
    Box::new(move || {
        let Ok(mut check) = Check::<Counted<64>>::new(LIMITS) else { return false };
        document.chunks(chunk).all(|chunk| check.inspect(chunk).is_ok()) && check.finish().is_ok()
    })
}

pub(crate) fn tokens(document: &[u8], chunk: usize) -> Task<'_> {
    Box::new(move || {
        let Ok(mut tokenizer) = Tokenizer::<Counted<64>>::new(LIMITS) else { return false };
        for chunk in document.chunks(chunk) {
            let mut rest = chunk;
            loop {
                let Ok(step) = tokenizer.step(rest) else { return false };
                rest = &rest[step.consumed..];
                if let PlimsollToken::NeedInput = black_box(step.token) {
                    break;
                }
            }
        }
        loop {
            match tokenizer.finish() {
                Ok(PlimsollToken::End) => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
    })
}

/// The scratch is large enough for the patterns, each of which is one string.
fn assembler(document: &[u8]) -> Task<'_> {
    let mut scratch = vec![0; 2 << 20];
    Box::new(move || {
        let Ok(mut assembler) = Assembler::<Counted<64>>::new(LIMITS, &mut scratch) else { return false };
        for chunk in document.chunks(CHUNK) {
            let mut rest = chunk;
            while !rest.is_empty() {
                let Ok(step) = assembler.step(rest) else { return false };
                rest = &rest[step.consumed..];
                black_box(step.event);
            }
        }
        loop {
            match assembler.finish() {
                Ok(Event::End) => return true,
                Ok(event) => _ = black_box(event),
                Err(_) => return false,
            }
        }
    })
}

/// A source whose buffer has 4 KiB, and what is still to come.
struct Buffered<'a> {
    buffer: &'a [u8],
    rest: &'a [u8],
}

impl embedded_io::ErrorType for Buffered<'_> {
    type Error = core::convert::Infallible;
}

impl embedded_io::Read for Buffered<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Self::Error> {
        embedded_io::Read::read(&mut self.buffer, bytes)
    }
}

impl embedded_io::BufRead for Buffered<'_> {
    fn fill_buf(&mut self) -> Result<&[u8], Self::Error> {
        if self.buffer.is_empty() {
            (self.buffer, self.rest) = self.rest.split_at(self.rest.len().min(CHUNK));
        }
        Ok(self.buffer)
    }

    fn consume(&mut self, count: usize) {
        self.buffer = &self.buffer[count..];
    }
}

fn reader(document: &[u8]) -> Task<'_> {
    let mut scratch = vec![0; 2 << 20];
    let limits = Limits { string: 2 << 20, ..Limits::HOST };
    Box::new(move || {
        let Ok(assembler) = Assembler::<Counted<64>>::new(limits, &mut scratch) else { return false };
        let mut reader = Reader::new(Buffered { buffer: &[], rest: document }, assembler);
        loop {
            match reader.read() {
                Ok(Some(event)) => _ = black_box(event),
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    })
}

pub(crate) fn bufjson_parser_chunked(document: &[u8], chunk: usize) -> Task<'_> {
    Box::new(move || {
        let source = Chunked { rest: document, chunk };
        let mut parser = ReadAnalyzer::with_buf_size(source, CHUNK).into_parser();
        loop {
            match parser.next() {
                Token::Eof => return true,
                Token::Err => return false,
                token => _ = black_box(token),
            }
        }
    })
}

fn bufjson_parser(document: &[u8]) -> Task<'_> {
    Box::new(move || {
        let mut parser = FixedAnalyzer::new(document).into_parser();
        loop {
            match parser.next() {
                Token::Eof => return true,
                Token::Err => return false,
                token => _ = black_box(token),
            }
        }
    })
}

fn bufjson_contents(document: &[u8]) -> Task<'_> {
    Box::new(|| {
        let mut reader = ReadAnalyzer::with_buf_size(Chunked { rest: document, chunk: CHUNK }, CHUNK);
        loop {
            match reader.next() {
                Token::Eof => return true,
                Token::Err => return false,
                _ => _ = black_box(reader.content().literal()),
            }
        }
    })
}

fn serde_json_ignored(document: &[u8]) -> Task<'_> {
    Box::new(|| serde_json::from_slice::<IgnoredAny>(black_box(document)).is_ok())
}
