//! Counts the instructions of ours and the peers on the inputs that `plimsoll-bench metal` has laid out in
//! the folder `PLIMSOLL_METAL_INPUTS`, and prints a line for each: kind, subject, contestant, instructions,
//! bytes, separated by tabs. The bytes are decoded ones where there are any, else those of the input. A
//! contestant that does not give the right answer gets no number.
#![no_std]
#![no_main]

use core::hint::black_box;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use plimsoll_budget::WorkMeter;
use plimsoll_core::{Decode, Inspect as _, Run, Step};
use plimsoll_inflate::{Flat, Native, Ring};
use plimsoll_json::{Check, Counted, Limits, Token, Tokenizer};
use plimsoll_metal::semihosting::{print, print_number};
use plimsoll_metal::systick::count;
use plimsoll_utf8::{Runs, Utf8};
use serde::de::IgnoredAny;

/// Prepares its state, then hands over what is measured.
enum Contestant {
    /// Decodes raw DEFLATE, shows each run to the sink, and says whether the stream ended well.
    Inflate(fn(&mut MeasureInflate<'_>)),
    /// Says whether it accepts a JSON document.
    Json(fn(&mut MeasureInspect<'_>)),
    /// Says whether it accepts a text.
    Utf8(fn(&mut MeasureInspect<'_>)),
}
use Contestant::{Inflate as InflateBy, Json as JsonBy, Utf8 as Utf8By};

/// One pass over a subject.
type Inflate<'a> = dyn FnMut(&Subject, &mut dyn FnMut(&[u8])) -> bool + 'a;
type Inspect<'a> = dyn FnMut(&Subject) -> bool + 'a;

/// Measures the pass it is given.
type MeasureInflate<'a> = dyn FnMut(&mut Inflate<'_>) + 'a;
type MeasureInspect<'a> = dyn FnMut(&mut Inspect<'_>) + 'a;

const OURS: &[(&str, Contestant)] = &[
    ("plimsoll ring", InflateBy(plimsoll_ring)),
    ("plimsoll flat", InflateBy(plimsoll_flat)),
    ("plimsoll Check", JsonBy(plimsoll_check)),
    ("plimsoll Tokenizer, tokens as bytes", JsonBy(plimsoll_tokens)),
    ("plimsoll Utf8", Utf8By(plimsoll_utf8)),
    ("plimsoll Runs", Utf8By(plimsoll_runs)),
];

const PEERS: &[(&str, Contestant)] = &[
    ("miniz_oxide ring", InflateBy(miniz_ring)),
    ("serde-json-core IgnoredAny, whole", JsonBy(serde_json_core_ignored)),
    (
        "core::str::from_utf8, whole",
        Utf8By(|measure| measure(&mut |text| core::str::from_utf8(text.input).is_ok())),
    ),
];

/// What a contestant is given.
struct Subject {
    name: &'static str,
    input: &'static [u8],
    chunk: usize,
    /// What the input decodes to.
    decoded: &'static [u8],
}

macro_rules! input {
    ($name:literal) => {
        include_bytes!(concat!(env!("PLIMSOLL_METAL_INPUTS"), "/", $name))
    };
}

const STREAMS: &[Subject] = &[
    Subject {
        name: "github_events, 512-byte chunks",
        input: input!("github_events.deflate"),
        chunk: 512,
        decoded: input!("github_events.json"),
    },
    hostile("empty fixed blocks", input!("empty-fixed-blocks")),
    hostile("empty dynamic blocks", input!("empty-dynamic-blocks")),
    hostile("dynamic and fixed in turn", input!("dynamic-and-fixed-in-turn")),
    hostile("empty stored blocks", input!("empty-stored-blocks")),
];

const TEXTS: &[Subject] = &[
    text("github_events, 512-byte chunks", 512),
    text("github_events, 64-byte chunks", 64),
    text("github_events, byte by byte", 1),
];

const fn hostile(name: &'static str, input: &'static [u8]) -> Subject {
    Subject { name, input, chunk: 512, decoded: &[] }
}

const fn text(name: &'static str, chunk: usize) -> Subject {
    Subject { name, input: input!("github_events.json"), chunk, decoded: &[] }
}

plimsoll_metal::image!(main);

fn main() {
    for (contestants, mark) in [(OURS, "*"), (PEERS, "")] {
        for (name, contestant) in contestants {
            let inspected = |kind, inspect: &mut Inspect<'_>| {
                for text in TEXTS {
                    let accepted = inspect(text);
                    let instructions = count(&mut || _ = black_box(inspect(black_box(text))));
                    let instructions = instructions.filter(|_| accepted);
                    line([kind, text.name, mark, name], instructions, text.input.len());
                }
            };
            match contestant {
                InflateBy(start) => start(&mut |inflate| {
                    for stream in STREAMS {
                        let right = gives(inflate, stream);
                        let run = &mut || _ = black_box(inflate(stream, &mut |run| _ = black_box(run)));
                        let instructions = count(run).filter(|_| right);
                        let counted = if stream.decoded.is_empty() { stream.input } else { stream.decoded };
                        line(["inflate", stream.name, mark, name], instructions, counted.len());
                    }
                }),
                JsonBy(start) => start(&mut |inspect| inspected("json", inspect)),
                Utf8By(start) => start(&mut |inspect| inspected("utf8", inspect)),
            }
        }
    }
}

fn gives(inflate: &mut Inflate<'_>, stream: &Subject) -> bool {
    let mut rest = Some(stream.decoded);
    let ended = inflate(stream, &mut |run| rest = rest.and_then(|rest| rest.strip_prefix(run)));
    ended && rest == Some(&[])
}

fn line([kind, subject, mark, contestant]: [&str; 4], instructions: Option<u64>, bytes: usize) {
    for text in [kind, "\t", subject, "\t", mark, contestant, "\t"] {
        print(text);
    }
    match instructions {
        Some(instructions) => print_number(instructions),
        None => print("-"),
    }
    print("\t");
    print_number(bytes as u64);
    print("\n");
}

/// What the device's preset is, with strings as long as the document has them.
const LIMITS: Limits = Limits { string: 64 << 10, ..Limits::DEVICE };

/// What is counted is decoding, also of streams that a limit would refuse.
const NO_LIMIT: WorkMeter = WorkMeter::new(u64::MAX);

/// Feeds a decoder in chunks.
fn feed(mut decoder: impl Decode, stream: &Subject, sink: &mut dyn FnMut(&[u8])) -> bool {
    for mut input in stream.input.chunks(stream.chunk) {
        loop {
            let Ok(Step { consumed, run }) = decoder.decode(input) else { return false };
            input = &input[consumed..];
            match run {
                Run::Bytes(bytes) => sink(bytes),
                Run::NeedInput => break,
                Run::End => return input.is_empty(),
            }
        }
    }
    false
}

fn plimsoll_ring(measure: &mut MeasureInflate<'_>) {
    let mut engine = Native::new();
    let mut ring = [0; 32 << 10];
    measure(&mut |stream, sink| {
        let inflate = plimsoll_inflate::Inflate::new(&mut engine, Ring::new(&mut ring), NO_LIMIT);
        feed(inflate, stream, sink)
    });
}

fn plimsoll_flat(measure: &mut MeasureInflate<'_>) {
    let mut engine = Native::new();
    let mut output = [0; 80 << 10];
    measure(&mut |stream, sink| {
        let inflate = plimsoll_inflate::Inflate::new(&mut engine, Flat::new(&mut output), NO_LIMIT);
        feed(inflate, stream, sink)
    });
}

fn plimsoll_check(measure: &mut MeasureInspect<'_>) {
    measure(&mut |text| {
        let Ok(mut check) = Check::<Counted<16>>::new(LIMITS) else { return false };
        text.input.chunks(text.chunk).all(|chunk| check.inspect(chunk).is_ok()) && check.finish().is_ok()
    });
}

fn plimsoll_tokens(measure: &mut MeasureInspect<'_>) {
    measure(&mut |text| {
        let Ok(mut tokenizer) = Tokenizer::<Counted<16>>::new(LIMITS) else { return false };
        for mut rest in text.input.chunks(text.chunk) {
            loop {
                let Ok(step) = tokenizer.step(rest) else { return false };
                rest = &rest[step.consumed..];
                if let Token::NeedInput = black_box(step.token) {
                    break;
                }
            }
        }
        matches!(tokenizer.finish(), Ok(Token::End))
    });
}

fn plimsoll_utf8(measure: &mut MeasureInspect<'_>) {
    measure(&mut |text| {
        let mut utf8 = Utf8::new();
        text.input.chunks(text.chunk).all(|chunk| utf8.inspect(chunk).is_ok()) && utf8.finish().is_ok()
    });
}

fn plimsoll_runs(measure: &mut MeasureInspect<'_>) {
    measure(&mut |text| {
        let mut runs = Runs::new();
        for mut rest in text.input.chunks(text.chunk) {
            while !rest.is_empty() {
                let Ok(run) = runs.step(rest) else { return false };
                black_box(run.text);
                rest = &rest[run.consumed..];
            }
        }
        runs.finish().is_ok()
    });
}

fn miniz_ring(measure: &mut MeasureInflate<'_>) {
    const WINDOW: usize = 32 << 10;
    let mut inflater = DecompressorOxide::new();
    let mut ring = [0; WINDOW];
    measure(&mut |stream, sink| {
        inflater.init();
        let mut at = 0;
        let mut chunks = stream.input.chunks(stream.chunk).peekable();
        while let Some(mut input) = chunks.next() {
            let flags = if chunks.peek().is_some() { TINFL_FLAG_HAS_MORE_INPUT } else { 0 };
            loop {
                let (status, consumed, made) = decompress(&mut inflater, input, &mut ring, at, flags);
                sink(&ring[at..at + made]);
                at = (at + made) % WINDOW;
                input = &input[consumed..];
                match status {
                    TINFLStatus::HasMoreOutput => {}
                    TINFLStatus::NeedsMoreInput => break,
                    TINFLStatus::Done => return input.is_empty() && chunks.peek().is_none(),
                    _ => return false,
                }
            }
        }
        false
    });
}

fn serde_json_core_ignored(measure: &mut MeasureInspect<'_>) {
    measure(&mut |text| serde_json_core::from_slice::<IgnoredAny>(text.input).is_ok());
}
