//! A decoder that ends by itself, where the body does not: what follows is not this body's.
#![allow(clippy::unwrap_used, reason = "a test that fails fails loudly")]

use plimsoll::budget::WorkMeter;
use plimsoll::gzip::{Gunzip, Policy as Framing, Trailing};
use plimsoll::inflate::{Flat, Inflate};
use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Inspect, Limits, Next, Outcome, Policy, Reason, Refusal, Rejection,
};

/// `printf hello | gzip -n`
const HELLO: [u8; 25] = [
    0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, // header
    0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, // DEFLATE
    0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0, // CRC-32 and length
];

/// Takes the body in pieces of a size, through a decoder that hands back what follows one member.
fn take(body: &[u8], size: usize, inspector: impl Inspect) -> Outcome {
    let (mut engine, mut output) = (DefaultEngine::new(), [0; 5]);
    let inflate = Inflate::new(&mut engine, Flat::new(&mut output), WorkMeter::new(4096));
    let framing = Framing { header_limit: 10, members: 1, trailing: Trailing::HandBack, empty: false };
    let policy = Policy::strict(Limits::SMALL_DEVICE);
    let mut ingest =
        Ingest::new(&Head::new(Coding::Gzip), &policy, Gunzip::new(inflate, framing), inspector, ());
    for piece in body.chunks(size) {
        let Ok(next) = ingest.push(piece);
        if next == Next::Stop {
            break;
        }
    }
    let Ok(outcome) = ingest.finish();
    outcome
}

#[test]
fn a_body_that_ends_with_the_decoder_is_complete_and_one_that_goes_on_is_not() {
    for size in 1..=HELLO.len() + 3 {
        let outcome = take(&HELLO, size, ());
        assert!(outcome.is_complete(), "{size}");
        assert_eq!((outcome.encoded_bytes, outcome.decoded_bytes), (25, 5));
        for rest in [&b"\0"[..], b"abc", &HELLO] {
            let outcome = take(&[&HELLO[..], rest].concat(), size, ());
            assert_eq!(outcome.rejection(), Some(Rejection::fault(Reason::TrailingData, 25)), "{size}");
            assert_eq!(outcome.decoded_bytes, 5);
        }
    }
}

/// Takes every byte, and wants one more at the end.
struct Unended;

impl Inspect for Unended {
    fn inspect(&mut self, _bytes: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        Err(Rejection::fault(Reason::IncompleteJson, 5))
    }
}

#[test]
fn an_inspector_that_wants_more_refuses_a_body_that_ends_with_the_decoder() {
    for size in 1..=HELLO.len() {
        let outcome = take(&HELLO, size, Unended);
        assert_eq!(outcome.rejection(), Some(Rejection::fault(Reason::IncompleteJson, 5)), "{size}");
        assert_eq!((outcome.encoded_bytes, outcome.decoded_bytes), (25, 5), "{size}");
    }
}
