//! Counts, as the image `count` does, what peers can do besides. In an image of its own, since firmware has one mode of a decoder, and
//! what is linked with two is not compiled for the one.
#![no_std]
#![no_main]

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use plimsoll_metal::counting::{self, Contestant, Sink};
use plimsoll_metal::{input, pieces, variable};

plimsoll_board::panics_end!();
plimsoll_board::image!(main);

static DOCUMENT: &[u8] = input!("github_events.json");
static RAW: &[u8] = input!("github_events.deflate");

const PEERS: &[Contestant] = &[
    ("inflate", "miniz_oxide flat", miniz_flat, &[512]),
    ("inflate", "compcol embed ring", compcol_raw, &[512]),
];

fn main() {
    counting::run(PEERS, "", DOCUMENT);
}

fn miniz_flat(size: usize) -> bool {
    const FLAGS: u32 = TINFL_FLAG_HAS_MORE_INPUT | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let inflater = variable!(Option<DecompressorOxide> = None).get_or_insert_default();
    let output = variable!([u8; 80 << 10] = [0; 80 << 10]);
    inflater.init();
    let (mut at, mut sink) = (0, Sink::new(DOCUMENT));
    for piece in pieces(RAW, size) {
        let (status, _, made) = decompress(inflater, piece, output, at, FLAGS);
        sink.take(&output[at..at + made]);
        at += made;
        match status {
            TINFLStatus::NeedsMoreInput => {}
            status => return status == TINFLStatus::Done && sink.is_full(),
        }
    }
    false
}

fn compcol_raw(size: usize) -> bool {
    let decoder = variable!(compcol::deflate::Decoder = compcol::deflate::Decoder::new());
    let output = variable!([u8; 1024] = [0; 1024]);
    let mut sink = Sink::new(DOCUMENT);
    plimsoll_metal::compcol::decode(decoder, pieces(RAW, size), output, |run| sink.take(run))
        && sink.is_full()
}
