//! Several ingestions that share one capacity: a permit is taken before the first byte, stands in the place of
//! an inspector, and is held for as long as the body is.

#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

use std::convert::Infallible;

use plimsoll::budget::{Capacity, Permit};
use plimsoll::utf8::Utf8;
use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Limits, Next, Outcome, Policy, Reason, Rejection, Ring, Sink, Slice,
    Verdict,
};
use plimsoll::{Identity, Inspect};

const POLICY: Policy = Policy::strict(Limits::SMALL_DEVICE);
const PLAIN: Head = Head::new(Coding::Identity);
const REFUSED: Verdict = Verdict::Rejected(Rejection::new(Reason::Capacity));

/// A stored block of "hello, world" (RFC 1951, section 3.2.4) in a gzip member.
const HELLO: &[u8] = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\x01\x0C\0\xF3\xFFhello, world\x3A\x72\xAB\xFF\x0C\0\0\0";

/// Notes what it is told.
#[derive(Default)]
struct Notes {
    provisional: Vec<u8>,
    committed: u32,
    discarded: u32,
}

impl Sink for Notes {
    type Error = Infallible;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        self.provisional.extend_from_slice(bytes);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Infallible> {
        self.committed += 1;
        Ok(())
    }

    fn discard(&mut self) {
        self.discarded += 1;
    }
}

/// An ingestion of a body without a coding.
fn plain<I: Inspect>(inspector: I, notes: &mut Notes) -> Ingest<Identity, I, &mut Notes> {
    Ingest::new(&PLAIN, &POLICY, Identity::new(), inspector, notes)
}

#[test]
fn without_a_place_a_body_is_refused_before_its_first_byte_and_nothing_is_handed_on() {
    static CAPACITY: Capacity = Capacity::new(1000, 1);
    let mut notes = [Notes::default(), Notes::default(), Notes::default()];
    let [first_notes, second_notes, third_notes] = &mut notes;

    let mut first = plain(CAPACITY.try_acquire().unwrap(), first_notes);
    assert_eq!(first.push(b"first"), Ok(Next::Read));

    // Where there is no permit there is no request to send. This one was sent, and its report is wanted.
    let mut second = plain(None::<Permit<'_>>, second_notes);
    second.refuse(CAPACITY.try_acquire().unwrap_err());
    assert_eq!(second.push(b"second"), Ok(Next::Stop));
    let Ok(outcome) = second.finish();
    assert_eq!((outcome.verdict, outcome.encoded_bytes, outcome.decoded_bytes), (REFUSED, 0, 0));
    assert!(outcome.lower_bound);

    drop(first);
    let mut third = plain(CAPACITY.try_acquire().unwrap(), third_notes);
    assert_eq!(third.push(b"third"), Ok(Next::Read));
    let Ok(outcome) = third.finish();
    assert!(outcome.is_complete());

    assert_eq!((CAPACITY.bytes_in_use(), CAPACITY.places_in_use()), (0, 0));
    let [first, second, third] = &notes;
    assert_eq!((first.committed, first.discarded), (0, 1));
    assert_eq!((&second.provisional[..], second.committed, second.discarded), (&b""[..], 0, 1));
    assert_eq!((&third.provisional[..], third.committed, third.discarded), (&b"third"[..], 1, 0));
}

#[test]
fn of_two_bodies_that_grow_the_one_that_finds_nothing_left_is_refused_and_the_other_passes() {
    static CAPACITY: Capacity = Capacity::new(10, 2);
    let mut notes = [Notes::default(), Notes::default(), Notes::default()];
    let [first_notes, second_notes, third_notes] = &mut notes;

    let mut first = plain(CAPACITY.try_acquire().unwrap(), first_notes);
    assert_eq!(first.push(b"0123456"), Ok(Next::Read));
    let mut second = plain(CAPACITY.try_acquire().unwrap(), second_notes);
    assert_eq!(second.push(b"abc"), Ok(Next::Read), "exactly what is left");
    assert_eq!(second.push(b"d"), Ok(Next::Stop));
    assert_eq!(second.decoded_bytes(), 3);
    let Ok(outcome) = second.finish();
    assert_eq!(outcome.verdict, REFUSED);

    assert_eq!(CAPACITY.bytes_in_use(), 7);
    let Ok(outcome) = first.finish();
    assert!(outcome.is_complete());
    let mut third = plain(CAPACITY.try_acquire().unwrap(), third_notes);
    assert_eq!(third.push(b"0123456789"), Ok(Next::Read));
    let Ok(outcome) = third.finish();
    assert!(outcome.is_complete());

    assert_eq!((CAPACITY.bytes_in_use(), CAPACITY.bytes_peak(), CAPACITY.places_peak()), (0, 10, 2));
    let [first, second, third] = &notes;
    assert_eq!((&second.provisional[..], second.committed, second.discarded), (&b"abc"[..], 0, 1));
    assert_eq!((first.committed, third.committed), (1, 1));
}

/// A whole body through a ring, in pieces of `size` bytes, with `inspector` behind the decoder.
fn gunzip(size: usize, inspector: impl Inspect) -> (Outcome, Option<Vec<u8>>) {
    let (mut engine, mut window, mut memory) = (DefaultEngine::new(), [0; 32 * 1024], [0; 64]);
    let mut sink = Slice::new(&mut memory);
    let head = Head::new(Coding::Gzip);
    let mut ingest = Ingest::ring(&head, &POLICY, &mut engine, Ring::new(&mut window), inspector, &mut sink);
    for piece in HELLO.chunks(size) {
        let Ok(next) = ingest.push(piece);
        if next == Next::Stop {
            break;
        }
    }
    let Ok(outcome) = ingest.finish();
    (outcome, sink.into_body().map(|body| body.to_vec()))
}

#[test]
fn behind_a_decoder_the_decoded_bytes_are_taken_however_the_body_was_cut() {
    for size in 1..=HELLO.len() {
        let capacity = Capacity::new(12, 1);
        let (outcome, body) = gunzip(size, capacity.try_acquire().unwrap());
        assert_eq!((outcome.verdict, body.as_deref()), (Verdict::Complete, Some(&b"hello, world"[..])));
        assert_eq!((capacity.bytes_in_use(), capacity.bytes_peak()), (0, 12));

        let capacity = Capacity::new(11, 1);
        let (outcome, body) = gunzip(size, capacity.try_acquire().unwrap());
        assert_eq!((outcome.verdict, outcome.decoded_bytes, body), (REFUSED, 11, None), "pieces of {size}");
        assert_eq!((capacity.bytes_in_use(), capacity.bytes_peak()), (0, 11));
    }
}

#[test]
fn a_permit_that_is_lent_holds_for_as_long_as_the_body_is_used() {
    static CAPACITY: Capacity = Capacity::new(20, 2);
    let (mut engine, mut output) = (DefaultEngine::new(), [0; 64]);
    let mut permit = CAPACITY.try_acquire().unwrap();
    permit.reserve(16).unwrap();
    let head = Head::new(Coding::Gzip);
    let mut ingest = Ingest::flat(&head, &POLICY, &mut engine, &mut output, &mut permit);
    assert_eq!(ingest.push(HELLO), Ok(Next::Read));
    let (outcome, body) = ingest.finish_flat();
    assert!(outcome.is_complete());
    assert_eq!((CAPACITY.bytes_in_use(), CAPACITY.places_in_use()), (16, 1));
    permit.shrink_to_fit();
    assert_eq!((body.as_deref(), CAPACITY.bytes_in_use()), (Some(&b"hello, world"[..]), 12));
    drop(permit);
    assert_eq!((CAPACITY.bytes_in_use(), CAPACITY.places_in_use()), (0, 0));
}

#[test]
fn before_a_decoder_the_encoded_bytes_are_taken_and_those_that_were_accepted_are_decoded() {
    let capacity = Capacity::new(20, 1);
    let mut permit = capacity.try_acquire().unwrap();
    let (mut engine, mut output) = (DefaultEngine::new(), [0; 64]);
    let head = Head::new(Coding::Gzip);
    let mut ingest = Ingest::flat(&head, &POLICY, &mut engine, &mut output, ());
    let refusal = permit.inspect(HELLO).unwrap_err();
    assert_eq!(ingest.push(&HELLO[..refusal.accepted]), Ok(Next::Read));
    ingest.refuse(refusal.rejection);
    let (outcome, body) = ingest.finish_flat();
    // 10 bytes of gzip header, 5 of the block's header, 5 of its content.
    assert_eq!((outcome.verdict, outcome.encoded_bytes, outcome.decoded_bytes), (REFUSED, 20, 5));
    assert_eq!(body, None);
}

#[test]
fn a_preview_behind_malformed_text_takes_no_more_than_was_reserved_for_it() {
    let capacity = Capacity::new(100, 1);
    let mut permit = capacity.try_acquire().unwrap();
    permit.reserve(20).unwrap();
    let policy = Policy { preview: Some(20), ..Policy::strict(Limits::SMALL_DEVICE) };
    let mut memory = [0; 64];
    let mut sink = Slice::new(&mut memory);
    let inspectors = (&mut permit, Utf8::new());
    let head = Head::new(Coding::Identity);
    let mut ingest = Ingest::new(&head, &policy, Identity::new(), inspectors, &mut sink);
    let Ok(_) = ingest.push(b"ab\xFF");
    let Ok(_) = ingest.push(&[b'x'; 60]);
    let Ok(outcome) = ingest.finish();
    assert_eq!((outcome.verdict, outcome.decoded_bytes), (Verdict::Preview, 20));
    assert_eq!(sink.preview().map(|preview| preview.unchecked_bytes().len()), Some(20));
    // The permit saw the bytes up to the malformed one, and holds what the preview keeps.
    assert_eq!((permit.used(), capacity.bytes_in_use()), (3, 20));
}
