//! Where bodies go: what each sink yields, and when.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use std::hash::{DefaultHasher, Hasher};

use embedded_io::{ErrorKind, ErrorType, Write};
use plimsoll::{
    Coding, DefaultEngine, HashSink, Head, Ingest, Limits, Memory, NoClock, Outcome, Pace, Policy, Reason,
    Ring, Sink, Slice, Staged, StdIo, Through, Transfer, VecSink, Watch, WriteError, read,
};
use plimsoll_tests_drivers::body;

/// Takes a body into a sink.
fn take<K: Sink>(sent: &[u8], coding: Coding, sink: K) -> Result<Outcome, K::Error> {
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 32_768]);
    let machine =
        Ingest::ring(&Head::new(coding), &body::policy(), &mut engine, Ring::new(&mut window), (), sink);
    read(machine, sent, Watch::new(Pace::within(1), NoClock))
}

/// A gzip body of this text whose checksum is wrong.
fn unchecked(text: &[u8]) -> Vec<u8> {
    let mut sent = body::gzip(text);
    let at = sent.len() - 8;
    sent[at] ^= 1;
    sent
}

#[test]
fn a_vector_holds_a_complete_body_up_to_its_capacity_and_nothing_of_any_other() {
    let text = body::text(500);
    let mut sink = VecSink::<500>::new();
    let Ok(outcome) = take(&body::gzip(&text), Coding::Gzip, &mut sink);
    assert!(outcome.is_complete() && outcome.exposed_bytes == 0);
    assert_eq!(sink.body(), Some(&text[..]));
    assert_eq!(sink.into_body().as_deref(), Some(&text[..]));

    let mut sink = VecSink::<499>::new();
    let Ok(outcome) = take(&body::gzip(&text), Coding::Gzip, &mut sink);
    let limit = outcome.rejection().and_then(|rejection| rejection.limit()).map(|limit| limit.value);
    assert_eq!((limit, sink.body()), (Some(499), None));
    assert_eq!(sink.into_body(), None);

    let mut sink = VecSink::<500>::new();
    let Ok(outcome) = take(&unchecked(&text), Coding::Gzip, &mut sink);
    assert_eq!(outcome.rejection().map(|rejection| rejection.reason()), Some(Reason::Checksum));
    assert_eq!(sink.body(), None);
}

#[test]
fn a_vector_that_is_given_too_much_never_yields_a_body() {
    let mut sink = VecSink::<4>::new();
    let Ok(()) = sink.provisional(b"hello");
    let Ok(()) = sink.commit();
    assert_eq!(sink.body(), None);
}

/// A first body, and then a second one or the beginning of it, into one sink.
#[test]
fn a_sink_that_has_a_body_and_is_used_once_more_yields_nothing() {
    let (first, second) = (body::gzip(b"draught"), body::gzip(b"load line"));
    let nothing = body::gzip(b"");
    for next in [&second, &unchecked(b"load line"), &nothing, &second[..20].to_vec()] {
        let mut memory = [0; 64];
        let mut slice = Slice::new(&mut memory);
        let Ok(outcome) = take(&first, Coding::Gzip, &mut slice);
        assert!(outcome.is_complete() && slice.body() == Some(b"draught"));
        let Ok(_) = take(next, Coding::Gzip, &mut slice);
        assert_eq!((slice.body(), slice.preview().is_some()), (None, false));
        assert_eq!(slice.into_body(), None);

        let mut vector = VecSink::<64>::new();
        let Ok(_) = take(&first, Coding::Gzip, &mut vector);
        let Ok(_) = take(next, Coding::Gzip, &mut vector);
        assert_eq!(vector.body(), None);
        assert_eq!(vector.into_body(), None);

        let mut hash = HashSink::new(DefaultHasher::new(), Hasher::write);
        let Ok(_) = take(&first, Coding::Gzip, &mut hash);
        let Ok(_) = take(next, Coding::Gzip, &mut hash);
        assert!(hash.hash().is_none() && hash.into_hash().is_none());
    }
}

#[test]
fn a_sink_that_has_discarded_takes_another_body_whole_and_a_hash_of_both_is_not_yielded() {
    let text = b"freeboard";
    for refused in [unchecked(text), body::gzip(text)[..20].to_vec(), unchecked(b"")] {
        let mut memory = [0; 64];
        let mut slice = Slice::new(&mut memory);
        let mut vector = VecSink::<64>::new();
        let mut hash = HashSink::new(DefaultHasher::new(), Hasher::write);
        for (sent, complete) in [(&refused, false), (&body::gzip(text), true)] {
            let Ok(outcome) = take(sent, Coding::Gzip, &mut slice);
            let Ok(_) = take(sent, Coding::Gzip, &mut vector);
            let Ok(_) = take(sent, Coding::Gzip, &mut hash);
            assert_eq!(outcome.is_complete(), complete);
        }
        assert_eq!((slice.body(), vector.body()), (Some(&text[..]), Some(&text[..])));
        assert!(hash.hash().is_none());
    }
}

#[test]
fn a_slice_that_is_given_too_much_never_yields_a_body() {
    let mut memory = [0; 4];
    let mut slice = Slice::new(&mut memory);
    let Ok(()) = slice.provisional(b"hello");
    let Ok(()) = slice.commit();
    assert_eq!(slice.body(), None);
}

#[test]
fn a_hash_is_that_of_the_whole_body_and_of_a_complete_one_only() {
    let text = body::text(60_000);
    let mut expected = DefaultHasher::new();
    expected.write(&text);
    let mut sink = HashSink::new(DefaultHasher::new(), Hasher::write);
    let Ok(outcome) = take(&body::gzip(&text), Coding::Gzip, &mut sink);
    assert!(outcome.is_complete() && outcome.exposed_bytes == 0);
    assert_eq!(sink.into_hash().map(|hash| hash.finish()), Some(expected.finish()));

    let mut sink = HashSink::new(0_u64, |sum: &mut u64, run: &[u8]| *sum += run.len() as u64);
    let Ok(_) = take(&unchecked(&text), Coding::Gzip, &mut sink);
    assert_eq!(sink.hash(), None);
    assert_eq!(sink.into_hash(), None);
}

/// A partition that takes a few bytes at a time, and fails where it is told to.
#[derive(Debug, Default)]
struct Partition {
    staged: Vec<u8>,
    active: Vec<u8>,
    room: Option<usize>,
    interrupted: bool,
    takes_nothing: bool,
    flush_fails: bool,
    commit_fails: bool,
    calls: Vec<&'static str>,
}

impl ErrorType for Partition {
    type Error = ErrorKind;
}

impl Write for Partition {
    fn write(&mut self, buf: &[u8]) -> Result<usize, ErrorKind> {
        self.interrupted = !self.interrupted;
        if self.interrupted {
            return Err(ErrorKind::Interrupted);
        }
        if self.takes_nothing || buf.is_empty() {
            return Ok(0);
        }
        let room = self.room.map_or(usize::MAX, |room| room - self.staged.len());
        let count = buf.len().min(room).min(7);
        if count == 0 {
            return Err(ErrorKind::OutOfMemory);
        }
        self.staged.extend_from_slice(&buf[..count]);
        Ok(count)
    }
    fn flush(&mut self) -> Result<(), ErrorKind> {
        self.calls.push("flush");
        if self.flush_fails { Err(ErrorKind::BrokenPipe) } else { Ok(()) }
    }
}

impl Partition {
    fn commit(&mut self) -> Result<(), ErrorKind> {
        self.calls.push("commit");
        if self.commit_fails {
            return Err(ErrorKind::Other);
        }
        self.active = std::mem::take(&mut self.staged);
        Ok(())
    }
    fn discard(&mut self) {
        self.calls.push("discard");
        self.staged.clear();
    }
}

fn stage(
    sent: &[u8],
    capacity: u64,
    partition: Partition,
) -> (Result<Outcome, WriteError<ErrorKind>>, Partition) {
    let mut sink = Staged::new(partition, capacity, Partition::commit, Partition::discard);
    let result = take(sent, Coding::Gzip, &mut sink);
    (result, sink.into_writer())
}

#[test]
fn a_staged_body_is_flushed_and_switched_over_once() {
    let text = body::text(500);
    let (result, partition) = stage(&body::gzip(&text), 500, Partition::default());
    let outcome = result.unwrap();
    assert!(outcome.is_complete() && outcome.exposed_bytes == 0);
    assert_eq!((partition.calls, partition.active), (vec!["flush", "commit"], text));
}

#[test]
fn a_staged_body_that_is_refused_is_discarded_once() {
    let text = body::text(500);
    for (sent, capacity, reason) in
        [(unchecked(&text), 500, Reason::Checksum), (body::gzip(&text), 499, Reason::DecodedLimit)]
    {
        let (result, partition) = stage(&sent, capacity, Partition::default());
        assert_eq!(result.unwrap().rejection().map(|rejection| rejection.reason()), Some(reason));
        assert_eq!((partition.calls, partition.active.len()), (vec!["discard"], 0));
    }
}

#[test]
fn a_writer_that_fails_is_told_to_discard_and_its_error_comes_back() {
    let sent = body::gzip(&body::text(500));
    let full = Partition { room: Some(100), ..Partition::default() };
    let stuck = Partition { takes_nothing: true, ..Partition::default() };
    let broken = Partition { flush_fails: true, ..Partition::default() };
    for (partition, error, calls) in [
        (full, WriteError::Writer(ErrorKind::OutOfMemory), vec!["discard"]),
        (stuck, WriteError::Zero, vec!["discard"]),
        (broken, WriteError::Writer(ErrorKind::BrokenPipe), vec!["flush", "discard"]),
    ] {
        let (result, partition) = stage(&sent, 500, partition);
        assert_eq!((result, partition.calls, partition.active.len()), (Err(error), calls, 0));
    }
}

#[test]
fn a_commit_step_that_fails_is_not_followed_by_a_discard() {
    let partition = Partition { commit_fails: true, ..Partition::default() };
    let (result, partition) = stage(&body::gzip(&body::text(500)), 500, partition);
    assert_eq!(result, Err(WriteError::Writer(ErrorKind::Other)));
    assert_eq!(partition.calls, ["flush", "commit"]);
}

#[test]
fn a_staged_sink_serves_one_body_and_says_so() {
    for (first, calls) in
        [(body::gzip(b"draught"), &["flush", "commit"][..]), (unchecked(b"draught"), &["discard"])]
    {
        for second in [body::gzip(b"load line"), body::gzip(b"")] {
            let mut sink = Staged::new(Partition::default(), 500, Partition::commit, Partition::discard);
            assert!(take(&first, Coding::Gzip, &mut sink).is_ok());
            assert_eq!(sink.writer().calls, calls);
            assert_eq!(take(&second, Coding::Gzip, &mut sink), Err(WriteError::Spent));
            let partition = sink.into_writer();
            assert_eq!((&partition.calls[..], partition.staged.len()), (calls, 0));
        }
    }
}

#[test]
fn what_goes_through_at_once_counts_as_exposed() {
    let text = body::text(500);
    let mut out = Vec::new();
    let mut sink = Through::new(StdIo::new(&mut out));
    let outcome = take(&unchecked(&text), Coding::Gzip, &mut sink).unwrap();
    assert_eq!((outcome.is_complete(), outcome.exposed_bytes, out), (false, 500, text));
}

#[test]
fn one_memory_serves_bodies_one_after_another_and_holds_none_back() {
    let policy = Policy::strict(Limits { decoded: 512, ..Limits::GATEWAY });
    assert!(Memory::<512>::holds_flat(&policy) && Memory::<512>::holds_ring(&policy));
    let mut memory = Memory::<512>::new();
    // A distance that reaches before the start: block of fixed codes, one literal, then a match.
    let reach = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 0x43, 0x60, 0x40, 0x04, 0x46, 0x60, 0x04, 0x06, 0x00];
    let watch = || Watch::new(Pace::within(1), NoClock);
    for round in 0..3 {
        let text = body::text(512 - round);
        let sent = body::gzip(&text);
        let machine = memory.flat(&Head::new(Coding::Gzip), &policy, ());
        let mut transfer = Transfer::new(machine, &sent[..], watch());
        let Ok(()) = transfer.read();
        assert_eq!(transfer.finish_flat().1.as_deref(), Some(&text[..]));

        let mut sink = VecSink::<512>::new();
        let machine = memory.ring(&Head::new(Coding::Gzip), &policy, (), &mut sink);
        let Ok(outcome) = read(machine, &sent[..], watch());
        assert!(outcome.is_complete() && sink.body() == Some(&text[..]));

        let machine = memory.ring(&Head::new(Coding::Gzip), &policy, (), ());
        let Ok(outcome) = read(machine, &reach[..], watch());
        assert_eq!(outcome.rejection().map(|rejection| rejection.reason()), Some(Reason::BadDeflate));
    }
}
