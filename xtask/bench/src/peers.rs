//! What `docs/PEERS.md` says of the peers' faults, held against the pinned versions.

use core::convert::Infallible;

use compcol::Decoder as _;
use compcol::gzip::WindowedDecoder;
use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use picojson::{Event, PullParser, StreamParser};
use serde::de::IgnoredAny;
use serde_json_core::de::from_slice_escaped;

use plimsoll_subjects::corpora::Corpora;

use crate::json::small;

/// "hello" as a gzip member with flags, and what they bring between the fixed header and the DEFLATE data.
fn member(flags: u8, optional: &[u8]) -> Vec<u8> {
    const HELLO: [u8; 15] = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0];
    [&[0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3], optional, &HELLO].concat()
}

/// What compcol's decoder for small devices makes of a gzip body.
fn compcol(body: &[u8]) -> Option<Vec<u8>> {
    let mut decoder = Box::new(WindowedDecoder::<{ 32 << 10 }>::new());
    let mut output = [0; 64];
    let (progress, _) = decoder.decode(body, &mut output).ok()?;
    let (_, status) = decoder.finish(&mut []).ok()?;
    (status == compcol::Status::StreamEnd).then(|| output[..progress.written].to_vec())
}

#[test]
fn miniz_oxide_lets_a_distance_reach_what_its_ring_held_before() {
    // A literal, then a length with a distance beyond it: refused by zlib.
    const STREAM: [u8; 8] = [0x43, 0x60, 0x04, 0x46, 0x60, 0x04, 0x06, 0x00];
    let mut ring = vec![b's'; 32 << 10];
    let (status, _, made) = decompress(&mut DecompressorOxide::new(), &STREAM, &mut ring, 0, 0);
    assert_eq!(status, TINFLStatus::Done);
    assert!(ring[..made].contains(&b's'));
}

#[test]
fn compcol_passes_over_the_crc_of_a_header_and_takes_a_name_of_a_mebibyte() {
    const HEADER_CRC: u8 = 2;
    const NAME: u8 = 8;
    assert_eq!(compcol(&member(0, &[])).as_deref(), Some(&b"hello"[..]));
    assert_eq!(compcol(&member(HEADER_CRC, &[0xDE, 0xAD])).as_deref(), Some(&b"hello"[..]));
    let name = [vec![b'a'; 1 << 20], vec![0]].concat();
    assert_eq!(compcol(&member(NAME, &name)).as_deref(), Some(&b"hello"[..]));
}

#[test]
fn serde_json_core_refuses_a_surrogate_pair_and_skips_illegal_json() {
    let mut buffer = [0; 16];
    let mut read = |text: &[u8]| from_slice_escaped::<String>(text, &mut buffer).map(|(text, _)| text);
    assert_eq!(read(br#""\u00e9""#).as_deref(), Ok("é"));
    assert!(read(br#""\ud83d\ude00""#).is_err());
    assert!(serde_json_core::from_slice::<IgnoredAny>(b"[nonsense]").is_ok());
}

#[test]
fn core_json_checks_what_it_passes_over() {
    let accepts = |document: &[u8]| small::core_json(document)();
    assert!(accepts("{\"a\":[\"é\"]}".as_bytes()));
    assert!(!accepts(b"{\"a\":[\"\xFF\"]}"));
    assert!(!accepts(b"{\"a\":[nonsense]}"));
}

/// Gives all that is asked for.
struct Reader<'a>(&'a [u8]);

impl picojson::Reader for Reader<'_> {
    type Error = Infallible;

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, Infallible> {
        let (now, rest) = self.0.split_at(buffer.len().min(self.0.len()));
        buffer[..now.len()].copy_from_slice(now);
        self.0 = rest;
        Ok(now.len())
    }
}

#[test]
fn picojson_refuses_a_document_whose_strings_its_buffer_cuts() {
    let document = Corpora::locate().json("twitter").bytes;
    assert!(!picojson(&document, 4 << 10));
    assert!(picojson(&document, 64 << 10));
}

#[test]
fn picojson_lets_brackets_differ_beyond_32_levels() {
    let wrong = |depth: usize| ["{\"a\":", &"[".repeat(depth), &"]".repeat(depth), "]"].concat();
    assert!(!picojson(wrong(20).as_bytes(), 64));
    assert!(picojson(wrong(33).as_bytes(), 64));
}

/// Whether picojson takes a document through a buffer of that size.
fn picojson(document: &[u8], size: usize) -> bool {
    let mut buffer = vec![0; size];
    let mut parser = StreamParser::new(Reader(document), &mut buffer);
    loop {
        match parser.next_event() {
            Ok(Event::EndDocument) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}
