//! What it costs that a body comes in small pieces: twitter as DEFLATE and as JSON, from single bytes to 64 KiB. Ours
//! takes each piece as it comes. The peers that read through a buffer of their own are given a reader that brings a
//! piece at a time. The rate counts bytes of the document.

use plimsoll_inflate::Native64;
use plimsoll_subjects::corpora::{Corpora, Producer, deflate};
use plimsoll_subjects::deflate::Stream;

use crate::inflate::{miniz_ring, plimsoll_ring, task, zlib_rs_stream};
use crate::json::{bufjson_parser_chunked, check, tokens};
use crate::rounds::{Heading, Lane, Settings, Table, Unit, measure};
use crate::sizes::{PIECES, name};

pub(crate) const KIND: &str = "pieces";
pub(crate) const DEFLATE: &str = "DEFLATE";
pub(crate) const JSON: &str = "JSON";

const MINIZ: &str = "miniz_oxide";
const BUFJSON: &str = "bufjson parser";

pub(crate) fn run(settings: &Settings) -> Table {
    let document = Corpora::locate().json("twitter");
    let stream = Stream {
        name: document.name,
        body: deflate(Producer::Gzip, &document.bytes),
        decoded: document.bytes,
    };
    let text = stream.decoded.as_slice();
    let mut lanes = Vec::new();
    for piece in PIECES {
        let lane = |what: &str, contestant, ours, task| Lane {
            subject: subject(what, piece),
            contestant,
            ours,
            bytes: text.len(),
            task,
        };
        let inflate = |inflate| task(inflate, text);
        lanes.extend([
            lane(DEFLATE, "plimsoll", true, inflate(plimsoll_ring(Native64::new(), &stream, piece))),
            lane(DEFLATE, MINIZ, false, inflate(miniz_ring(&stream, piece))),
            lane(DEFLATE, "zlib-rs", false, inflate(zlib_rs_stream(&stream, piece))),
            lane(JSON, "plimsoll Check", true, check(text, piece)),
            lane(JSON, "plimsoll Tokenizer", true, tokens(text, piece)),
            lane(JSON, BUFJSON, false, bufjson_parser_chunked(text, piece)),
        ]);
    }
    let heading = Heading {
        kind: KIND,
        about: "twitter in pieces of so many bytes, bytes of the document",
        unit: Unit::MegabytesPerSecond,
        references: &[MINIZ, BUFJSON],
        ordinary: None,
    };
    measure(heading, settings, lanes)
}

/// What a subject is called: the format and the size of a piece.
pub(crate) fn subject(what: &str, piece: usize) -> String {
    format!("{what}, {}", name(piece))
}
