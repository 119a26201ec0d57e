//! A reader over sources and decoders that are lent to it: what is handed out, what is refused where, whose time counts.
#![allow(clippy::unwrap_used, reason = "a test that fails fails loudly")]

use std::cell::Cell;

use plimsoll::budget::WorkMeter;
use plimsoll::gzip::{Gunzip, Policy as Framing, Trailing};
use plimsoll::inflate::{Flat, Inflate};
use plimsoll::{
    AsyncSource, Coding, DefaultEngine, Head, Ingest, Limits, NoClock, Pace, Policy, ReadError, Reader,
    Reason, Rejection, Source, Supply, Transfer, Watch,
};

/// `printf hello | gzip -n`
const HELLO: [u8; 25] = [
    0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, // header
    0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, // DEFLATE
    0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0, // CRC-32 and length
];

fn watch() -> Watch<NoClock> {
    Watch::new(Pace::within(1000), NoClock)
}

/// What a reader hands out of a body, through a decoder that hands back what follows one member, and that is lent.
fn read(body: &[u8]) -> (Vec<u8>, Option<Rejection>) {
    let (mut engine, mut output) = (DefaultEngine::new(), [0; 5]);
    let inflate = Inflate::new(&mut engine, Flat::new(&mut output), WorkMeter::new(4096));
    let framing = Framing { header_limit: 10, members: 1, trailing: Trailing::HandBack, empty: false };
    let mut gunzip = Gunzip::new(inflate, framing);
    let policy = Policy::strict(Limits::SMALL_DEVICE);
    let machine = Ingest::new(&Head::new(Coding::Gzip), &policy, &mut gunzip, (), ());
    let mut reader = Reader::new(machine, body, watch());
    let mut bytes = Vec::new();
    loop {
        match reader.fill() {
            Ok([]) => return (bytes, None),
            Ok(run) => {
                bytes.extend_from_slice(run);
                let count = run.len();
                reader.consume(count);
            }
            Err(ReadError::Rejected(rejection)) => return (bytes, Some(rejection)),
            Err(ReadError::Interrupted) => {}
            Err(ReadError::Preview) => return (bytes, None),
        }
    }
}

#[test]
fn a_decoder_that_is_lent_gives_its_own_bytes_and_not_those_of_the_source() {
    assert_eq!(read(&HELLO), (b"hello".to_vec(), None));
}

#[test]
fn what_follows_the_end_of_the_decoder_is_at_its_place_in_the_body() {
    for rest in [&b"\0"[..], b"abc", &HELLO] {
        let refused = Rejection::fault(Reason::TrailingData, 25);
        assert_eq!(read(&[&HELLO[..], rest].concat()), (b"hello".to_vec(), Some(refused)));
    }
}

#[test]
fn the_time_that_the_caller_takes_between_two_reads_is_not_the_peers() {
    let now = Cell::new(0);
    let (mut engine, mut output) = (DefaultEngine::new(), [0; 5]);
    let (head, policy) = (Head::new(Coding::Identity), Policy::strict(Limits::SMALL_DEVICE));
    let machine = Ingest::flat(&head, &policy, &mut engine, &mut output, ());
    // A byte in each tenth of a second.
    let watch = Watch::new(Pace::within(60_000).at_least(1, 100), || now.get());
    let mut reader = Reader::new(machine, &b"hello"[..], watch);
    assert_eq!(reader.fill(), Ok(&b"hello"[..]));
    reader.consume(5);
    now.set(30_000);
    assert_eq!(reader.fill(), Ok(&[][..]));
    assert!(reader.outcome().unwrap().is_complete());
}

#[test]
fn a_refused_body_that_was_read_into_one_buffer_says_that_its_source_was_given_up() {
    let (mut engine, mut output) = (DefaultEngine::new(), [0; 5]);
    let policy = Policy::strict(Limits::SMALL_DEVICE);
    let machine = Ingest::flat(&Head::new(Coding::Gzip), &policy, &mut engine, &mut output, ());
    let mut source = &b"no gzip"[..];
    let mut transfer = Transfer::new(machine, &mut source, watch());
    let Ok(()) = transfer.read();
    let (outcome, body) = transfer.finish_flat();
    assert_eq!(outcome.rejection().map(|rejection| rejection.reason()), Some(Reason::NotGzip));
    assert!(outcome.cancelled && body.is_none());
    // A slice that is given up lends nothing any more.
    assert_eq!(Source::fill(&mut source).unwrap(), b"");
}

#[test]
fn a_slice_is_lent_until_it_is_consumed_or_given_up() {
    let mut slice = &b"hello"[..];
    let source = &mut slice;
    assert_eq!(Source::fill(source).unwrap(), b"hello");
    Source::consume(source, 2);
    assert_eq!(Source::fill(source).unwrap(), b"llo");
    Supply::cancel(source);
    assert_eq!(Source::fill(source).unwrap(), b"");
    Source::consume(source, 1);
    assert_eq!(Source::fill(source).unwrap(), b"");
}

/// For hosts.
#[cfg(feature = "std")]
#[test]
fn an_interruption_has_its_kind_and_nothing_more_and_a_refusal_is_found_again() {
    let interrupted = std::io::Error::from(ReadError::Interrupted);
    assert_eq!(interrupted.kind(), std::io::ErrorKind::Interrupted);
    assert!(interrupted.get_ref().is_none());
    let refused = ReadError::Rejected(Rejection::new(Reason::Cancelled));
    let error = std::io::Error::from(refused);
    assert_eq!(error.get_ref().and_then(|inner| inner.downcast_ref()), Some(&refused));
}

/// The answer of a future that is ready at once.
fn ready<T>(future: impl Future<Output = T>) -> Option<T> {
    use std::task::{Context, Poll, Waker};
    match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Some(answer),
        Poll::Pending => None,
    }
}

#[test]
fn a_slice_that_is_asked_asynchronously_is_lent_until_it_is_consumed() {
    fn take<S: AsyncSource>(mut source: S, count: usize) -> Vec<u8> {
        let lent = ready(source.fill()).and_then(Result::ok).unwrap().to_vec();
        source.consume(count);
        lent
    }
    let mut slice = &b"hello"[..];
    assert_eq!(take(&mut slice, 2), b"hello");
    assert_eq!(take(&mut slice, 3), b"llo");
    assert_eq!(take(&mut slice, 1), b"");
}
