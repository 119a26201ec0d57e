//! JSON: real documents, and repeated patterns that show where a scanner is weak. Streaming contestants get
//! chunks of 4 KiB; bufjson's parser is compared with in its fastest form, over the whole slice. The rate
//! counts bytes of the document.

use core::hint::black_box;
use std::io::Read;

use bufjson::lexical::Token;
use bufjson::lexical::fixed::FixedAnalyzer;
use bufjson::lexical::read::ReadAnalyzer;
use serde::de::IgnoredAny;

use crate::corpora::{Corpora, Document};
use crate::rounds::{Heading, Lane, Settings, Table, Task, Unit, measure};

/// Name, and what makes a task for a document.
type Contestant = (&'static str, for<'a> fn(&'a [u8]) -> Task<'a>);

const OURS: &[Contestant] = &[];

const PEERS: &[Contestant] = &[
    (BUFJSON, bufjson_parser),
    ("bufjson parser, no contents, 4 KiB chunks", bufjson_parser_chunked),
    (BUFJSON_CONTENTS, bufjson_contents),
    (SERDE_JSON, serde_json_ignored),
];

const BUFJSON: &str = "bufjson parser, no contents, whole slice";
const BUFJSON_CONTENTS: &str = "bufjson reader, contents, 4 KiB chunks";
const SERDE_JSON: &str = "serde_json IgnoredAny, whole slice";

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

/// Gives at most 4 KiB at a time.
struct Chunked<'a>(&'a [u8]);

impl Read for Chunked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(CHUNK);
        self.0.read(&mut buffer[..most])
    }
}

fn bufjson_parser_chunked(document: &[u8]) -> Task<'_> {
    Box::new(|| {
        let mut parser = ReadAnalyzer::with_buf_size(Chunked(document), CHUNK).into_parser();
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
        let mut reader = ReadAnalyzer::with_buf_size(Chunked(document), CHUNK);
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
