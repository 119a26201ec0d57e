//! Raw DEFLATE as `gzip -6` makes it, without CRC: streaming through a window in input chunks, and flat into
//! one buffer of the right size. The rate counts decoded bytes.

use core::hint::black_box;

use compcol::Decoder as _;
use compcol::deflate::WindowedDecoder;
use flate2::{Decompress, FlushDecompress, Status};
use libdeflater::Decompressor;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_HAS_MORE_INPUT;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use plimsoll_budget::WorkMeter;
use plimsoll_core::{Decode, Run, Step};
use plimsoll_inflate::{Engine, Flat, Native32, Native64, Ring};
use plimsoll_subjects::corpora::{Corpora, Producer, deflate};
use plimsoll_subjects::deflate::Stream;
use zune_inflate::{DeflateDecoder, DeflateOptions};

use crate::rounds::{Heading, Lane, Settings, Table, Task, Unit, measure};

/// Name, and what makes a task for a stream.
pub(crate) type Contestant = (&'static str, for<'a> fn(&'a Stream) -> Inflate<'a>);

/// Decodes the whole stream, shows each run to the sink, and says whether the stream ended well and with its
/// last byte.
pub(crate) type Inflate<'a> = Box<dyn FnMut(&mut dyn FnMut(&[u8])) -> bool + 'a>;

pub(crate) const OURS: &[Contestant] = &[
    ("plimsoll ring, 4 KiB input", |stream| plimsoll_ring(Native64::new(), stream, 4 << 10)),
    ("plimsoll ring, 32 KiB input", |stream| plimsoll_ring(Native64::new(), stream, 32 << 10)),
    ("plimsoll flat", plimsoll_flat),
    ("plimsoll for 32 bits, ring, 4 KiB input", |stream| plimsoll_ring(Native32::new(), stream, 4 << 10)),
];

pub(crate) const PEERS: &[Contestant] = &[
    (MINIZ_RING, |stream| miniz_ring(stream, 4 << 10)),
    ("miniz_oxide ring, 32 KiB input", |stream| miniz_ring(stream, 32 << 10)),
    (ZLIB_RS, |stream| zlib_rs_stream(stream, 4 << 10)),
    (ZLIB_RS_FLAT, zlib_rs_flat),
    ("compcol embed, 4 KiB input", |stream| compcol_window(stream, 4 << 10)),
    ("zune-inflate flat", zune_flat),
    ("libdeflate flat", libdeflate_flat),
];

pub(crate) const MINIZ_RING: &str = "miniz_oxide ring, 4 KiB input";
pub(crate) const ZLIB_RS: &str = "zlib-rs streaming, 4 KiB input";
const ZLIB_RS_FLAT: &str = "zlib-rs flat";

const WINDOW: usize = 32 << 10;

/// What is counted is decoding, also of streams that a limit would refuse.
const NO_LIMIT: WorkMeter = WorkMeter::new(u64::MAX);

pub(crate) fn run(settings: &Settings) -> Table {
    let corpora = Corpora::locate();
    let streams: Vec<Stream> = ["twitter", "citm_catalog", "canada"]
        .map(|name| corpora.json(name))
        .into_iter()
        .chain([corpora.text(), corpora.binary()])
        .map(|document| Stream {
            name: document.name,
            body: deflate(Producer::Gzip, &document.bytes),
            decoded: document.bytes,
        })
        .collect();
    let heading = Heading {
        kind: "inflate",
        about: "raw DEFLATE of gzip -6, without CRC, decoded bytes",
        unit: Unit::MegabytesPerSecond,
        references: &[MINIZ_RING, ZLIB_RS, ZLIB_RS_FLAT],
        ordinary: None,
    };
    measure(heading, settings, lanes(&streams, |stream| stream.decoded.len()))
}

/// Every contestant on every stream. One that does not give the right bytes is said to refuse the stream.
pub(crate) fn lanes(streams: &[Stream], bytes: fn(&Stream) -> usize) -> Vec<Lane<'_>> {
    let mut lanes = Vec::new();
    for stream in streams {
        for (contestants, ours) in [(OURS, true), (PEERS, false)] {
            for &(contestant, start) in contestants {
                lanes.push(Lane {
                    subject: stream.name.clone(),
                    contestant,
                    ours,
                    bytes: bytes(stream),
                    task: task(start(stream), &stream.decoded),
                });
            }
        }
    }
    lanes
}

/// Decodes and looks at nothing, if it was right before.
pub(crate) fn task<'a>(mut inflate: Inflate<'a>, expected: &[u8]) -> Task<'a> {
    let right = gives(&mut inflate, expected);
    Box::new(move || right && inflate(&mut |run| _ = black_box(run)))
}

fn gives(inflate: &mut Inflate<'_>, expected: &[u8]) -> bool {
    let mut rest = Some(expected);
    let ended = inflate(&mut |run| rest = rest.and_then(|rest| rest.strip_prefix(run)));
    ended && rest == Some(&[])
}

pub(crate) fn plimsoll_ring<E: Engine + 'static>(engine: E, stream: &Stream, chunk: usize) -> Inflate<'_> {
    let mut engine = Box::new(engine);
    let mut window = Box::new([0; WINDOW]);
    Box::new(move |sink| {
        let mut inflate = plimsoll_inflate::Inflate::new(&mut *engine, Ring::new(&mut window), NO_LIMIT);
        for mut input in stream.body.chunks(chunk) {
            loop {
                let Ok(Step { consumed, run }) = inflate.decode(input) else { return false };
                input = &input[consumed..];
                match run {
                    Run::Bytes(bytes) => sink(bytes),
                    Run::NeedInput => break,
                    Run::End => return input.is_empty(),
                }
            }
        }
        false
    })
}

fn plimsoll_flat(stream: &Stream) -> Inflate<'_> {
    let mut engine = Box::new(Native64::new());
    let mut output = vec![0; stream.decoded.len()];
    Box::new(move |sink| {
        let mut inflate = plimsoll_inflate::Inflate::new(&mut *engine, Flat::new(&mut output), NO_LIMIT);
        let mut input = stream.body.as_slice();
        loop {
            let Ok(Step { consumed, run }) = inflate.decode(input) else { return false };
            input = &input[consumed..];
            match run {
                Run::Bytes(bytes) => sink(bytes),
                Run::NeedInput => return false,
                Run::End => return input.is_empty(),
            }
        }
    })
}

pub(crate) fn miniz_ring(stream: &Stream, chunk: usize) -> Inflate<'_> {
    let mut inflater = Box::new(DecompressorOxide::new());
    let mut ring = vec![0; WINDOW];
    Box::new(move |sink| {
        inflater.init();
        let mut at = 0;
        let mut chunks = stream.body.chunks(chunk).peekable();
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
    })
}

pub(crate) fn zlib_rs_stream(stream: &Stream, chunk: usize) -> Inflate<'_> {
    let mut inflater = Decompress::new(false);
    let mut output = vec![0; WINDOW];
    Box::new(move |sink| {
        inflater.reset(false);
        let mut chunks = stream.body.chunks(chunk).peekable();
        while let Some(mut input) = chunks.next() {
            loop {
                let before = (inflater.total_in(), inflater.total_out());
                let Ok(status) = inflater.decompress(input, &mut output, FlushDecompress::None) else {
                    return false;
                };
                let made = (inflater.total_out() - before.1) as usize;
                input = &input[(inflater.total_in() - before.0) as usize..];
                sink(&output[..made]);
                if status == Status::StreamEnd {
                    return input.is_empty() && chunks.peek().is_none();
                }
                if input.is_empty() && made < output.len() {
                    break;
                }
            }
        }
        false
    })
}

/// The decoder for small devices, its window within.
fn compcol_window(stream: &Stream, chunk: usize) -> Inflate<'_> {
    let mut inflater = Box::new(WindowedDecoder::<WINDOW>::new());
    let mut output = vec![0; WINDOW];
    Box::new(move |sink| {
        inflater.reset();
        let mut chunks = stream.body.chunks(chunk).peekable();
        while let Some(mut input) = chunks.next() {
            loop {
                let Ok((progress, status)) = inflater.decode(input, &mut output) else { return false };
                sink(&output[..progress.written]);
                input = &input[progress.consumed..];
                match status {
                    compcol::Status::StreamEnd => return input.is_empty() && chunks.peek().is_none(),
                    compcol::Status::InputEmpty => break,
                    compcol::Status::OutputFull => {}
                }
            }
        }
        false
    })
}

fn zlib_rs_flat(stream: &Stream) -> Inflate<'_> {
    let mut inflater = Decompress::new(false);
    let mut output = vec![0; stream.decoded.len()];
    Box::new(move |sink| {
        inflater.reset(false);
        let status = inflater.decompress(&stream.body, &mut output, FlushDecompress::Finish);
        sink(&output);
        matches!(status, Ok(Status::StreamEnd)) && inflater.total_in() == stream.body.len() as u64
    })
}

fn zune_flat(stream: &Stream) -> Inflate<'_> {
    Box::new(|sink| {
        let options = DeflateOptions::default().set_size_hint(stream.decoded.len());
        let output = DeflateDecoder::new_with_options(&stream.body, options).decode_deflate();
        output.is_ok_and(|output| {
            sink(&output);
            true
        })
    })
}

fn libdeflate_flat(stream: &Stream) -> Inflate<'_> {
    let mut inflater = Decompressor::new();
    let mut output = vec![0; stream.decoded.len()];
    Box::new(move |sink| {
        let made = inflater.deflate_decompress(&stream.body, &mut output);
        sink(&output);
        made == Ok(output.len())
    })
}
