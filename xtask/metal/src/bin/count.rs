//! Counts the instructions of ours and the peers on the inputs that `plimsoll-device` has laid out, and prints a line for
//! each: kind, subject, contestant, instructions, bytes, separated by tabs. The bytes are decoded ones. A contestant that
//! does not give the right answer gets no number.
#![no_std]
#![no_main]

use core::hint::black_box;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use picojson::{Event, PullParser as _};
use plimsoll::json::{Check, Counted, Fields, Limits, Pointers, Select, Slot, Token, Tokenizer};
use plimsoll::{Coding, DefaultEngine, Head, Ingest, Policy};
use plimsoll_budget::WorkMeter;
use plimsoll_core::{Decode, Inspect as _, Rejection, Restart, Run, Step};
use plimsoll_gzip::Gunzip;
use plimsoll_inflate::{Flat, Inflate, Native, Ring};
use plimsoll_metal::counting::{self, Contestant, Sink};
use plimsoll_metal::{input, pieces, variable};
use plimsoll_utf8::{Runs, Utf8};
use serde::de::IgnoredAny;

plimsoll_board::panics_end!();
plimsoll_board::image!(main);

/// The document that all inputs are made of.
static DOCUMENT: &[u8] = input!("github_events.json");
/// Compressed, raw and as gzip, and as gzip whose compressed data are the document as it is: see [`Plain`].
static RAW: &[u8] = input!("github_events.deflate");
static GZIP: &[u8] = input!("github_events.gz");
static PLAIN: &[u8] = input!("github_events.plain");

const OURS: &[Contestant] = &[
    ("inflate", "plimsoll ring", ring, &[512]),
    ("inflate", "plimsoll flat", flat, &[512]),
    ("crc", "plimsoll", crc, &[512]),
    ("gzip", "plimsoll ring", gunzip, &[512]),
    ("json", "plimsoll Check", check, &[512, 64, 1]),
    ("json", "plimsoll Tokenizer", tokens, &[512, 64, 1]),
    ("json", "plimsoll Select, four fields", select, &[512, 64, 1]),
    ("utf8", "plimsoll Utf8", utf8, &[512, 64, 1]),
    ("utf8", "plimsoll Runs", runs, &[512, 64, 1]),
    ("pipeline", "plimsoll Ingest", ingest, &[512, 64, 1]),
];

const PEERS: &[Contestant] = &[
    ("inflate", "miniz_oxide ring", miniz, &[512]),
    ("gzip", "compcol embed ring", compcol_gzip, &[512]),
    ("json", "picojson StreamParser", picojson_stream, &[512]),
    ("json", "picojson SliceParser", picojson_slice, &[0]),
    ("json", "serde-json-core IgnoredAny", serde_json_core_ignored, &[0]),
    ("utf8", "core::str::from_utf8", from_utf8, &[0]),
];

fn main() {
    counting::run(OURS, "*", DOCUMENT);
    counting::run(PEERS, "", DOCUMENT);
}

/// What the device's preset is, with strings as long as the document has them.
const LIMITS: Limits = Limits { string: 64 << 10, ..Limits::DEVICE };

/// What is counted is decoding, without the refusals of a limit.
const NO_LIMIT: WorkMeter = WorkMeter::new(u64::MAX);

/// Feeds a decoder.
fn feed(decoder: &mut impl Decode, input: &[u8], size: usize) -> bool {
    let mut sink = Sink::new(DOCUMENT);
    for mut rest in pieces(input, size) {
        loop {
            let Ok(Step { consumed, run }) = decoder.decode(rest) else { return false };
            rest = &rest[consumed..];
            match run {
                Run::Bytes(bytes) => sink.take(bytes),
                Run::NeedInput => break,
                Run::End => return rest.is_empty() && sink.is_full(),
            }
        }
    }
    decoder.finish().is_ok() && sink.is_full()
}

fn ring(size: usize) -> bool {
    let engine = variable!(Native = Native::new());
    let window = variable!([u8; 32 << 10] = [0; 32 << 10]);
    feed(&mut Inflate::new(engine, Ring::new(window), NO_LIMIT), RAW, size)
}

fn flat(size: usize) -> bool {
    let engine = variable!(Native = Native::new());
    let output = variable!([u8; 80 << 10] = [0; 80 << 10]);
    feed(&mut Inflate::new(engine, Flat::new(output), NO_LIMIT), RAW, size)
}

/// A raw decoder for bytes that are not compressed: what is counted with it is the framing and the checksum.
struct Plain {
    left: usize,
}

impl Restart for Plain {
    fn restart(&mut self) {
        self.left = DOCUMENT.len();
    }
}

impl Decode for Plain {
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        let Some((bytes, _)) = input.split_at_checked(self.left.min(input.len())) else {
            return Ok(Step::need_input(0));
        };
        if self.left == 0 {
            return Ok(Step::end(0));
        }
        if bytes.is_empty() {
            return Ok(Step::need_input(0));
        }
        self.left -= bytes.len();
        Ok(Step::lend(bytes.len(), bytes))
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        Ok(())
    }
}

fn crc(size: usize) -> bool {
    feed(&mut Gunzip::new(Plain { left: 0 }, plimsoll_gzip::Policy::single(64)), PLAIN, size)
}

fn gunzip(size: usize) -> bool {
    let engine = variable!(Native = Native::new());
    let window = variable!([u8; 32 << 10] = [0; 32 << 10]);
    let inflate = Inflate::new(engine, Ring::new(window), NO_LIMIT);
    feed(&mut Gunzip::new(inflate, plimsoll_gzip::Policy::single(64)), GZIP, size)
}

fn check(size: usize) -> bool {
    let Ok(mut check) = Check::<Counted<16>>::new(LIMITS) else { return false };
    pieces(DOCUMENT, size).all(|piece| check.inspect(piece).is_ok()) && check.finish().is_ok()
}

fn tokens(size: usize) -> bool {
    let Ok(mut tokenizer) = Tokenizer::<Counted<16>>::new(LIMITS) else { return false };
    for mut rest in pieces(DOCUMENT, size) {
        loop {
            let Ok(step) = tokenizer.step(rest) else { return false };
            rest = &rest[step.consumed..];
            if let Token::NeedInput = black_box(step.token) {
                break;
            }
        }
    }
    matches!(tokenizer.finish(), Ok(Token::End))
}

static POINTERS: Pointers<'static, 4> =
    match Pointers::new(["/*/id", "/*/type", "/*/repo/name", "/*/created_at"]) {
        Ok(pointers) => pointers,
        Err(_) => panic!("found when this is compiled"),
    };

type Selection = Select<'static, Counted<16>, Fields<'static>, 4>;

fn selection() -> Option<Selection> {
    let fields = Fields::new(variable!([u8; 8192] = [0; 8192]), variable!([Slot; 256] = [Slot::EMPTY; 256]));
    Selection::of_fields(&POINTERS, LIMITS, fields).ok()
}

fn select(size: usize) -> bool {
    let Some(mut select) = selection() else { return false };
    pieces(DOCUMENT, size).all(|piece| select.inspect(piece).is_ok())
        && select.finish().is_ok()
        && select.into_selected().is_some_and(|selected| selected.len() == 120)
}

fn utf8(size: usize) -> bool {
    let mut utf8 = Utf8::new();
    pieces(DOCUMENT, size).all(|piece| utf8.inspect(piece).is_ok()) && utf8.finish().is_ok()
}

fn runs(size: usize) -> bool {
    let mut runs = Runs::new();
    for mut rest in pieces(DOCUMENT, size) {
        while !rest.is_empty() {
            let Ok(run) = runs.step(rest) else { return false };
            black_box(run.text);
            rest = &rest[run.consumed..];
        }
    }
    runs.finish().is_ok()
}

fn ingest(size: usize) -> bool {
    const POLICY: Policy = Policy::strict(plimsoll::Limits {
        encoded: 1 << 20,
        decoded: 80 << 10,
        document: LIMITS,
        ..plimsoll::Limits::SMALL_DEVICE
    });
    let engine = variable!(DefaultEngine = DefaultEngine::new());
    let output = variable!([u8; 80 << 10] = [0; 80 << 10]);
    let Some(mut select) = selection() else { return false };
    let mut ingest = Ingest::flat(&Head::new(Coding::Gzip), &POLICY, engine, output, &mut select);
    for piece in pieces(GZIP, size) {
        let Ok(next) = ingest.push(piece);
        if next == plimsoll::Next::Stop {
            break;
        }
    }
    let body = ingest.finish_flat().1;
    body.is_some_and(|body| body.len() == DOCUMENT.len())
        && select.into_selected().is_some_and(|selected| selected.len() == 120)
}

fn miniz(size: usize) -> bool {
    const WINDOW: usize = 32 << 10;
    let inflater = variable!(Option<DecompressorOxide> = None).get_or_insert_default();
    let window = variable!([u8; WINDOW] = [0; WINDOW]);
    inflater.init();
    let (mut at, mut sink) = (0, Sink::new(DOCUMENT));
    for mut rest in pieces(RAW, size) {
        loop {
            let (status, consumed, made) = decompress(inflater, rest, window, at, TINFL_FLAG_HAS_MORE_INPUT);
            sink.take(&window[at..at + made]);
            at = (at + made) % WINDOW;
            rest = &rest[consumed..];
            match status {
                TINFLStatus::HasMoreOutput => {}
                TINFLStatus::NeedsMoreInput => break,
                status => return status == TINFLStatus::Done && sink.is_full(),
            }
        }
    }
    false
}

fn compcol_gzip(size: usize) -> bool {
    let decoder = variable!(compcol::gzip::Decoder = compcol::gzip::Decoder::new());
    let output = variable!([u8; 1024] = [0; 1024]);
    let mut sink = Sink::new(DOCUMENT);
    plimsoll_metal::compcol::decode(decoder, pieces(GZIP, size), output, |run| sink.take(run))
        && sink.is_full()
}

/// A reader of the document in pieces.
struct Pieces {
    rest: &'static [u8],
    size: usize,
}

impl picojson::Reader for Pieces {
    type Error = ();

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ()> {
        let count = self.size.min(self.rest.len()).min(buffer.len());
        let (bytes, rest) = self.rest.split_at(count);
        buffer[..count].copy_from_slice(bytes);
        self.rest = rest;
        Ok(count)
    }
}

fn picojson_stream(size: usize) -> bool {
    let buffer = variable!([u8; 8192] = [0; 8192]);
    let mut parser = picojson::StreamParser::<Pieces>::new(Pieces { rest: DOCUMENT, size }, buffer);
    loop {
        match black_box(parser.next_event()) {
            Ok(Event::EndDocument) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

fn picojson_slice(_: usize) -> bool {
    let buffer = variable!([u8; 8192] = [0; 8192]);
    let mut parser = picojson::SliceParser::with_buffer_from_slice(DOCUMENT, buffer);
    loop {
        match black_box(parser.next_event()) {
            Ok(Event::EndDocument) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

fn serde_json_core_ignored(_: usize) -> bool {
    serde_json_core::from_slice::<IgnoredAny>(DOCUMENT).is_ok()
}

fn from_utf8(_: usize) -> bool {
    core::str::from_utf8(black_box(DOCUMENT)).is_ok()
}
