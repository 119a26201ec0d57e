//! `picojson`: events from a reader, without floats, with a buffer of 512 bytes.
#![no_std]
#![no_main]

use core::hint::black_box;

use picojson::{Event, PullParser, Reader, StreamParser};
use plimsoll_metal::variable;

plimsoll_metal::footprint!("json", events, stack: [StreamParser<'static, Pieces<'static>>], state: []);

/// Gives at most `piece` bytes at a time.
struct Pieces<'a> {
    rest: &'a [u8],
    piece: usize,
}

impl Reader for Pieces<'_> {
    type Error = ();

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ()> {
        let count = self.piece.min(self.rest.len()).min(buffer.len());
        let (bytes, rest) = self.rest.split_at(count);
        for (to, from) in buffer.iter_mut().zip(bytes) {
            *to = *from;
        }
        self.rest = rest;
        Ok(count)
    }
}

fn events(body: &[u8], piece: usize) {
    let buffer = variable!([u8; 512] = [0; 512]);
    let mut parser = StreamParser::new(Pieces { rest: body, piece }, buffer);
    while let Ok(event) = parser.next_event() {
        if let Event::EndDocument = black_box(event) {
            break;
        }
    }
}
