//! `compcol` in its `embed` mode: gzip through a ring of 4 KiB.
#![no_std]
#![no_main]

use core::hint::black_box;

use compcol::Decoder;
use compcol::gzip::WindowedDecoder;
use plimsoll_metal::variable;

const WINDOW: usize = 4 << 10;

plimsoll_metal::footprint!("gzip", gunzip, stack: [], state: [WindowedDecoder<WINDOW>], history: WINDOW);

fn gunzip(body: &[u8], piece: usize) {
    let decoder = variable!(WindowedDecoder<WINDOW> = WindowedDecoder::new());
    let output = variable!([u8; 512] = [0; 512]);
    black_box(plimsoll_metal::compcol::decode(decoder, plimsoll_metal::pieces(body, piece), output, |run| {
        _ = black_box(run)
    }));
    black_box(decoder.finish(output).is_ok());
}
