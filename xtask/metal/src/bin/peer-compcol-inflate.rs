//! `compcol` in its `embed` mode: raw DEFLATE through a ring of 4 KiB.
#![no_std]
#![no_main]

use core::hint::black_box;

use compcol::Decoder;
use compcol::deflate::WindowedDecoder;
use plimsoll_metal::variable;

const WINDOW: usize = 4 << 10;

plimsoll_metal::footprint!("raw", inflate, stack: [], state: [WindowedDecoder<WINDOW>], history: WINDOW);

fn inflate(body: &[u8], piece: usize) {
    let decoder = variable!(WindowedDecoder<WINDOW> = WindowedDecoder::new());
    let output = variable!([u8; 512] = [0; 512]);
    decoder.reset();
    for mut rest in plimsoll_metal::pieces(body, piece) {
        while let Ok((progress, _)) = decoder.decode(rest, output) {
            rest = rest.get(progress.consumed..).unwrap_or_default();
            if black_box(progress.consumed == 0 && progress.written == 0) {
                break;
            }
        }
    }
    black_box(decoder.finish(output).is_ok());
}
