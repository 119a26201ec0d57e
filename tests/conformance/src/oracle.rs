//! What others say: flate2 over zlib-rs.

use std::io::{Read, Write};

use flate2::{Compression, Decompress, FlushDecompress, Status};

/// Raw DEFLATE of `plain` at a level from 0 to 9.
#[must_use]
pub fn deflate(plain: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

/// A gzip body of `plain` at a level from 0 to 9.
#[must_use]
pub fn gzip(plain: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(plain).unwrap();
    encoder.finish().unwrap()
}

/// What raw DEFLATE stands for and how many bytes of `data` it took; `None` where it is refused or cut short.
#[must_use]
pub fn inflate(data: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut decompress = Decompress::new(false);
    let mut plain = Vec::new();
    loop {
        let (before_in, before_out) = (decompress.total_in(), decompress.total_out());
        plain.reserve(64 * 1024);
        let rest = &data[usize::try_from(before_in).unwrap()..];
        match decompress.decompress_vec(rest, &mut plain, FlushDecompress::None).ok()? {
            Status::StreamEnd => return Some((plain, usize::try_from(decompress.total_in()).unwrap())),
            _ if (decompress.total_in(), decompress.total_out()) == (before_in, before_out) => return None,
            _ => {}
        }
    }
}

/// The body, if it is one gzip member and nothing else.
#[must_use]
pub fn gunzip_one(body: &[u8]) -> Option<Vec<u8>> {
    let mut decoder = flate2::bufread::GzDecoder::new(body);
    let mut plain = Vec::new();
    decoder.read_to_end(&mut plain).ok()?;
    decoder.into_inner().is_empty().then_some(plain)
}

/// The body, if it is gzip members one after the other and nothing else.
#[must_use]
pub fn gunzip_many(body: &[u8]) -> Option<Vec<u8>> {
    let mut decoder = flate2::bufread::MultiGzDecoder::new(body);
    let mut plain = Vec::new();
    decoder.read_to_end(&mut plain).ok()?;
    decoder.into_inner().is_empty().then_some(plain)
}
