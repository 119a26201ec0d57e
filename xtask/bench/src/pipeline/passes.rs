//! One pass of each contestant over a body: from nothing to the answer.

use std::io::{BufRead, BufReader, Read};

use bufjson::lexical::fixed::FixedAnalyzer;
use bufjson::lexical::read::ReadAnalyzer;
use bufjson::lexical::{Analyzer, Content, Token};
use bufjson::pointer::{Evaluator, Group, Pointer};
use bufjson::syntax::Parser;
use bufjson::{Buf, IntoBuf};
use flate2::bufread::GzDecoder;
use plimsoll::json::{Counted, Fields, Pointers, Select, Slot, Value};
use plimsoll::{Coding, Head, Limits, Memory, Next, Policy};

use super::documents::{Answer, Question};

/// What the largest document needs; every limit is counted all the same.
const POLICY: Policy = Policy::strict(Limits {
    encoded: 1 << 32,
    decoded: 1 << 32,
    document: plimsoll::json::Limits { items: MOST, values: MOST, ..plimsoll::json::Limits::HOST },
    ..Limits::HOST
});

/// The most that can be counted.
const MOST: u32 = u32::MAX >> 1;

/// The longest of the fields, thrice.
const KEPT: usize = 256;

/// Buffers between the peers' stages: what each takes by itself is 32 KiB for flate2 and 8 KiB for a reader of `std`.
const BUFFER: usize = 32 << 10;

pub(super) fn plimsoll<Q: Question>(body: &mut dyn BufRead) -> Option<Answer> {
    let pointers = Pointers::new(Q::POINTERS).ok()?.require([true; 3]);
    let mut memory = Box::new(Memory::<{ 32 << 10 }>::new());
    let (mut kept, mut slots) = (Box::new([0; KEPT]), Box::new([Slot::EMPTY; 3]));
    let fields = Fields::new(&mut *kept, &mut *slots);
    let select = Select::<Counted<64>, _, 3>::of_fields(&pointers, POLICY.limits.document, fields).ok()?;
    let mut select = Box::new(select);
    let mut ingest = Box::new(memory.ring(&Head::new(Coding::Gzip), &POLICY, &mut *select, ()));
    loop {
        let piece = body.fill_buf().ok()?;
        if piece.is_empty() {
            break;
        }
        let length = piece.len();
        let Ok(next) = ingest.push(piece);
        if next == Next::Stop {
            return None;
        }
        body.consume(length);
    }
    let Ok(outcome) = ingest.finish();
    if !outcome.is_complete() {
        return None;
    }
    let selected = select.into_selected()?;
    let field = |pointer| match selected.get(pointer)? {
        Value::String(text) => Some(text.as_str().to_owned()),
        Value::Number(number) => Some(number.as_str().to_owned()),
        _ => None,
    };
    Some([field(0)?, field(1)?, field(2)?])
}

pub(super) fn serde_json_slice<Q: Question>(body: &mut dyn BufRead) -> Option<Answer> {
    let mut document = Vec::new();
    GzDecoder::new(body).read_to_end(&mut document).ok()?;
    Q::fields(serde_json::from_slice(&document).ok()?)
}

pub(super) fn serde_json_text<Q: Question>(body: &mut dyn BufRead) -> Option<Answer> {
    let mut document = String::new();
    GzDecoder::new(body).read_to_string(&mut document).ok()?;
    Q::fields(serde_json::from_str(&document).ok()?)
}

pub(super) fn serde_json_reader<Q: Question>(body: &mut dyn BufRead) -> Option<Answer> {
    let document = BufReader::with_capacity(BUFFER, GzDecoder::new(body));
    Q::fields(serde_json::from_reader(document).ok()?)
}

pub(super) fn bufjson_pieces<Q: Question>(body: &mut dyn BufRead) -> Option<Answer> {
    bufjson(ReadAnalyzer::with_buf_size(GzDecoder::new(body), BUFFER).into_parser(), Q::POINTERS)
}

pub(super) fn bufjson_slice<Q: Question>(body: &mut dyn BufRead) -> Option<Answer> {
    let mut document = Vec::new();
    GzDecoder::new(body).read_to_end(&mut document).ok()?;
    bufjson(FixedAnalyzer::new(document).into_parser(), Q::POINTERS)
}

fn bufjson<A: Analyzer<Error: 'static>>(parser: Parser<A>, pointers: [&'static str; 3]) -> Option<Answer> {
    let group = Group::from_pointers(pointers.map(Pointer::from_static));
    let mut evaluator = Evaluator::new(parser, group, true);
    let mut answer = [const { None }; 3];
    loop {
        let event = evaluator.next_meaningful();
        let (is_match, token) = (event.is_match(), event.token());
        match token {
            Token::Eof => {
                let [Some(first), Some(second), Some(third)] = answer else { return None };
                return Some([first, second, third]);
            }
            Token::Err => return None,
            _ if is_match => {
                let matched = event.pointer()?;
                let index = pointers.iter().position(|pointer| matched == pointer)?;
                let content = evaluator.content();
                let mut bytes = content.literal().into_buf();
                let mut text = vec![0; bytes.remaining()];
                bytes.try_copy_to_slice(&mut text).ok()?;
                let text = String::from_utf8(text).ok()?;
                answer[index] = Some(text.trim_matches('"').to_owned());
            }
            _ => {}
        }
    }
}
