//! A gzip body from its first byte to an answer of three fields, checked as a whole: gunzip with CRC-32 and length,
//! JSON with UTF-8, and selection by name. Ours does so in one pass; the peers are what a Rust program puts together
//! otherwise: flate2 with its zlib-rs backend, and `serde_json` into types that skip the rest, or bufjson's pointer
//! evaluator. Everything that a pass needs it allocates itself, as for a response of its own.
//!
//! The body comes in pieces of 4 KiB, without a copy. The rate counts bytes of the document. Memory is that of one pass
//! in a process of its own, see [`memory`].

mod documents;
mod passes;

use std::io::{BufRead, Read};

pub(crate) use documents::{Answer, telemetry};
use documents::{Canada, Catalog, Question, Telemetry, Twitter};
use serde_json::Value;

use plimsoll_subjects::corpora::{Corpora, Producer, gzip};

use crate::memory;
use crate::rounds::{Heading, Lane, Settings, Table, Unit, measure};

/// What a contestant makes of a body that comes in pieces; nothing where it refuses it.
pub(crate) type Pass = fn(&mut dyn BufRead) -> Option<Answer>;

/// A contestant and its pass over the documents of one question.
#[derive(Clone, Copy)]
pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    pub(crate) ours: bool,
    pub(crate) pass: Pass,
}

pub(crate) const PLIMSOLL: &str = "plimsoll, one pass";
pub(crate) const SERDE_JSON: &str = "flate2 + serde_json, whole body";
pub(crate) const BUFJSON: &str = "flate2 + bufjson, in pieces";

/// The contestants for a question by its name.
pub(crate) fn contestants(question: &str) -> [Contestant; 6] {
    match question {
        Twitter::NAME => contestants_for::<Twitter>(),
        Catalog::NAME => contestants_for::<Catalog>(),
        Canada::NAME => contestants_for::<Canada>(),
        Telemetry::NAME => contestants_for::<Telemetry>(),
        _ => panic!("there is no question of the name {question}"),
    }
}

/// The peers all have flate2 with zlib-rs.
fn contestants_for<Q: Question>() -> [Contestant; 6] {
    let peer = |name, pass| Contestant { name, ours: false, pass };
    [
        Contestant { name: PLIMSOLL, ours: true, pass: passes::plimsoll::<Q> },
        peer(SERDE_JSON, passes::serde_json_slice::<Q>),
        peer("flate2 + serde_json, UTF-8 checked, whole body", passes::serde_json_text::<Q>),
        peer("flate2 + serde_json, from a reader", passes::serde_json_reader::<Q>),
        peer(BUFJSON, passes::bufjson_pieces::<Q>),
        peer("flate2 + bufjson, whole body", passes::bufjson_slice::<Q>),
    ]
}

/// A compressed document, and what is right to answer.
pub(crate) struct Body {
    pub(crate) name: String,
    pub(crate) question: &'static str,
    pub(crate) gzip: Vec<u8>,
    /// Bytes of the document.
    pub(crate) length: usize,
    pub(crate) answer: Answer,
}

pub(crate) fn run(settings: &Settings) -> Table {
    let corpora = Corpora::locate();
    let bodies = [
        corpus::<Twitter>(&corpora),
        corpus::<Catalog>(&corpora),
        corpus::<Canada>(&corpora),
        telemetry("telemetry, made here", 64 << 20),
    ];
    let heading = Heading {
        kind: "pipeline",
        about: "gzip body to three fields, all of it checked, bytes of the document",
        unit: Unit::MegabytesPerSecond,
        references: &[SERDE_JSON, BUFJSON],
        ordinary: None,
    };
    let lanes = bodies.iter().flat_map(|body| contestants(body.question).map(|entry| lane(body, entry)));
    let mut table = measure(heading, settings, lanes.collect());
    measure_memory(&mut table, &bodies);
    table
}

/// A file of the data crates, and the answer as a reader of the whole document finds it.
fn corpus<Q: Question>(corpora: &Corpora) -> Body {
    let document = corpora.json(Q::NAME);
    let value: Value = serde_json::from_slice(&document.bytes).expect("a corpus is JSON");
    Body {
        name: document.name,
        question: Q::NAME,
        gzip: gzip(Producer::Gzip, &document.bytes),
        length: document.bytes.len(),
        answer: documents::answer(&value, Q::POINTERS),
    }
}

/// One contestant on one body.
pub(crate) fn lane(body: &Body, Contestant { name, ours, pass }: Contestant) -> Lane<'_> {
    Lane {
        subject: body.name.clone(),
        contestant: name,
        ours,
        bytes: body.length,
        task: Box::new(move || pass(&mut Pieces(&body.gzip)).as_ref() == Some(&body.answer)),
    }
}

/// Adds what a pass of each lane takes in a process of its own.
pub(crate) fn measure_memory(table: &mut Table, bodies: &[Body]) {
    table.add_memory(|subject, contestant| {
        let body = bodies.iter().find(|body| body.name == subject)?;
        memory::of_pass(body.question, contestant, &body.gzip)
    });
}

/// Gives 4 KiB at a time, as a connection would, and lends them from where they lie.
struct Pieces<'a>(&'a [u8]);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let most = buffer.len().min(memory::PIECE);
        self.0.read(&mut buffer[..most])
    }
}

impl BufRead for Pieces<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        Ok(&self.0[..self.0.len().min(memory::PIECE)])
    }

    fn consume(&mut self, amount: usize) {
        self.0 = &self.0[amount..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contestant_answers_right_and_refuses_a_body_with_a_wrong_checksum() {
        let mut body = telemetry("telemetry", 20_000);
        for contestant in contestants(Telemetry::NAME) {
            assert!((lane(&body, contestant).task)(), "{}", contestant.name);
        }
        let checksum = body.gzip.len() - 8;
        body.gzip[checksum] ^= 1;
        for contestant in contestants(Telemetry::NAME) {
            assert!(!(lane(&body, contestant).task)(), "{}", contestant.name);
        }
    }

    #[test]
    fn the_answer_of_a_made_document_is_what_its_text_says() {
        let body = telemetry("telemetry", 20_000);
        let mut text = String::new();
        flate2::read::GzDecoder::new(body.gzip.as_slice()).read_to_string(&mut text).unwrap();
        assert_eq!(text.len(), body.length);
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(documents::answer(&value, Telemetry::POINTERS), body.answer);
    }
}
