//! The reader form: an end that means that everything was checked, and nothing else does.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use embedded_io::{BufRead as _, ErrorKind, Read as _};
use plimsoll::{
    AsyncSource, BufReadSource, Coding, DefaultEngine, FlatDecoder, Head, Ingest, Limits, NoClock, Outcome,
    Pace, Policy, ReadError, ReadSource, Reader, Reason, Rejection, Relend, Ring, RingDecoder, Source,
    Supply, Verdict, Watch,
};
use plimsoll::{Inspect, Refusal};
use plimsoll_tests_drivers::body::{self, Body};
use plimsoll_tests_drivers::executor::{poll, run};
use plimsoll_tests_drivers::script::{Event, Script};

/// Memory for either decoder. Small windows make many runs; bodies up to their size need no more.
struct Memory {
    engine: DefaultEngine,
    window: [u8; 1024],
    output: Vec<u8>,
}

impl Memory {
    fn new() -> Self {
        Self { engine: DefaultEngine::new(), window: [0xEE; 1024], output: vec![0xEE; 70_000] }
    }

    fn ring<I: Inspect>(
        &mut self,
        head: &Head,
        policy: &Policy,
        inspector: I,
    ) -> Ingest<RingDecoder<'_, DefaultEngine>, I, ()> {
        Ingest::ring(head, policy, &mut self.engine, Ring::new(&mut self.window), inspector, ())
    }

    fn flat<I: Inspect>(
        &mut self,
        head: &Head,
        policy: &Policy,
        inspector: I,
    ) -> Ingest<FlatDecoder<'_, DefaultEngine>, I, ()> {
        Ingest::flat(head, policy, &mut self.engine, &mut self.output, inspector)
    }
}

fn reader<D: Relend, I: Inspect, S: Supply>(
    machine: Ingest<D, I, ()>,
    source: S,
) -> Reader<D, I, S, NoClock, std::future::Pending<()>> {
    Reader::new(machine, source, Watch::new(Pace::within(1_000), NoClock))
}

/// Reads with a buffer of this size, or by lending and consuming so much, until the end or a refusal.
fn all(
    reader: &mut (impl embedded_io::BufRead<Error = ReadError> + ?Sized),
    size: usize,
    lend: bool,
) -> (Vec<u8>, Result<(), ReadError>) {
    let mut bytes = Vec::new();
    let mut buffer = vec![0; size];
    loop {
        let result = if lend {
            reader.fill_buf().map(|run| {
                let count = run.len().min(size);
                bytes.extend_from_slice(&run[..count]);
                count
            })
        } else {
            buffer.fill(0x5A);
            reader.read(&mut buffer).inspect(|&count| bytes.extend_from_slice(&buffer[..count]))
        };
        match result {
            Ok(0) => return (bytes, Ok(())),
            Ok(count) if lend => reader.consume(count),
            Ok(_) | Err(ReadError::Interrupted) => {}
            Err(error) => return (bytes, Err(error)),
        }
    }
}

#[test]
fn the_bytes_are_the_body_for_every_buffer_every_piece_and_both_decoders() {
    for length in [0, 1, 1_000] {
        for Body { name, head, sent, text } in body::each(length) {
            for step in [1, 7, 64, 5_000] {
                for size in [1, 3, 100, 5_000] {
                    for (lend, flat) in [(false, false), (true, false), (false, true), (true, true)] {
                        let mut memory = Memory::new();
                        let script = Script::new(&sent, step, []);
                        let log = script.log();
                        let source = BufReadSource::new(script, Script::cancel);
                        let policy = body::policy();
                        let (bytes, result, outcome) = if flat {
                            let mut reader = reader(memory.flat(&head, &policy, ()), source);
                            let (bytes, result) = all(&mut reader, size, lend);
                            (bytes, result, reader.finish())
                        } else {
                            let mut reader = reader(memory.ring(&head, &policy, ()), source);
                            let (bytes, result) = all(&mut reader, size, lend);
                            (bytes, result, reader.finish())
                        };
                        assert_eq!(result, Ok(()));
                        assert!(bytes == text, "{name} in steps of {step} read by {size}");
                        let expected = Outcome {
                            verdict: Verdict::Complete,
                            encoded_bytes: sent.len() as u64,
                            decoded_bytes: length as u64,
                            lower_bound: false,
                            exposed_bytes: length as u64,
                            cancelled: false,
                        };
                        assert_eq!(outcome, expected, "{name}");
                        assert_eq!((log.cancels(), log.consumed()), (0, sent.len()));
                    }
                }
            }
        }
    }
}

#[test]
fn one_encoded_piece_that_brings_many_runs_is_read_to_its_last_byte() {
    let text = vec![b'x'; 60_000];
    let sent = body::gzip(&text);
    assert!(sent.len() < 200);
    for size in [1, 1_000, 100_000] {
        let mut memory = Memory::new();
        let policy = body::policy();
        let mut buffer = [0; 256];
        let source = ReadSource::new(&sent[..], &mut buffer, |_| panic!("nothing is cancelled"));
        let mut reader = reader(memory.ring(&Head::new(Coding::Gzip), &policy, ()), source);
        let (bytes, result) = all(&mut reader, size, false);
        assert!(bytes == text && result == Ok(()));
    }
}

#[test]
fn the_end_is_answered_again_and_reads_nothing_more() {
    let mut memory = Memory::new();
    let policy = body::policy();
    let script = Script::new(b"hello", 9, []);
    let log = script.log();
    let machine = memory.ring(&Head::new(Coding::Identity), &policy, ());
    let mut reader = reader(machine, BufReadSource::new(script, Script::cancel));
    assert_eq!(all(&mut reader, 9, false), (b"hello".to_vec(), Ok(())));
    let reads = log.reads();
    for _ in 0..3 {
        assert_eq!(embedded_io::Read::read(&mut reader, &mut [0; 9]), Ok(0));
        assert_eq!(reader.fill_buf(), Ok(&[][..]));
    }
    assert_eq!((log.reads(), log.cancels()), (reads, 0));
    assert!(reader.outcome().unwrap().is_complete());
}

#[test]
fn a_body_that_ends_early_never_seems_whole() {
    for Body { name, head, sent, text } in body::each(300) {
        if name == "identity" {
            continue; // its prefixes are bodies
        }
        for cut in 0..sent.len() {
            let mut memory = Memory::new();
            let policy = body::policy();
            let source = BufReadSource::new(&sent[..cut], |_| panic!("nothing is left to cancel"));
            let mut reader = reader(memory.ring(&head, &policy, ()), source);
            let (bytes, result) = all(&mut reader, 64, false);
            let error = result.unwrap_err();
            let ReadError::Rejected(rejection) = error else { panic!("{error:?}") };
            let reason = if head.length.is_some() { Reason::LengthMismatch } else { Reason::IncompleteGzip };
            assert_eq!(rejection, Rejection::fault(reason, cut as u64), "{name}");
            assert!(text.starts_with(&bytes));
            assert_eq!(all(&mut reader, 64, true), (vec![], Err(error)), "it stays refused");
            let outcome = reader.finish();
            assert_eq!((outcome.exposed_bytes, outcome.cancelled), (bytes.len() as u64, false));
        }
    }
}

#[test]
fn a_checksum_that_is_wrong_is_told_after_the_last_byte_and_before_the_end() {
    let text = body::text(1_000);
    let good = body::gzip(&text);
    let (crc, length) = (good.len() - 8, good.len() - 4);
    for at in crc..good.len() {
        let mut sent = good.clone();
        sent[at] ^= 0x40;
        for step in [1, 5_000] {
            let mut memory = Memory::new();
            let policy = body::policy();
            let script = Script::new(&sent, step, []);
            let log = script.log();
            let source = BufReadSource::new(script, Script::cancel);
            let mut reader = reader(memory.ring(&Head::new(Coding::Gzip), &policy, ()), source);
            let (bytes, result) = all(&mut reader, 64, false);
            let (reason, place) =
                if at < length { (Reason::Checksum, crc) } else { (Reason::LengthField, length) };
            assert_eq!(result, Err(ReadError::Rejected(Rejection::fault(reason, place as u64))));
            assert!(bytes == text);
            assert_eq!((reader.finish().cancelled, log.cancels(), log.late()), (true, 1, 0));
        }
    }
}

#[test]
fn an_empty_buffer_touches_neither_source_nor_decoder() {
    for Body { head, sent, .. } in body::each(300) {
        let mut memory = Memory::new();
        let policy = body::policy();
        let script = Script::new(&sent, 1, []);
        let log = script.log();
        let source = BufReadSource::new(script, Script::cancel);
        let mut reader = reader(memory.ring(&head, &policy, ()), source);
        loop {
            let before = (log.reads(), log.consumed());
            assert_eq!(reader.read(&mut []), Ok(0));
            assert_eq!((log.reads(), log.consumed()), before);
            assert_eq!(run(embedded_io_async::Read::read(&mut reader, &mut [])), Ok(0));
            assert_eq!((log.reads(), log.consumed()), before);
            if reader.read(&mut [0; 3]).unwrap() == 0 {
                break;
            }
        }
    }
}

#[test]
fn an_interruption_is_passed_on_and_loses_nothing() {
    for Body { name, head, sent, text } in body::each(300) {
        for (size, lend) in [(1, false), (64, false), (64, true)] {
            let mut memory = Memory::new();
            let policy = body::policy();
            let events = (0..=sent.len()).map(|at| (at, Event::Interrupt));
            let source = BufReadSource::new(Script::new(&sent, 5, events), Script::cancel);
            let mut reader = reader(memory.ring(&head, &policy, ()), source);
            let first = reader.read(&mut [0; 1]).unwrap_err();
            assert_eq!(embedded_io::Error::kind(&first), ErrorKind::Interrupted);
            let (bytes, result) = all(&mut reader, size, lend);
            assert!(bytes == text && result == Ok(()), "{name}");
            assert!(reader.finish().is_complete());
        }
    }
}

#[test]
fn a_source_that_fails_is_a_refusal_for_good_and_its_error_can_be_asked_for() {
    for Body { head, sent, .. } in body::each(300) {
        for at in 0..=sent.len() {
            let mut memory = Memory::new();
            let policy = body::policy();
            let script = Script::new(&sent, 50, [(at, Event::Fail)]);
            let log = script.log();
            let source = BufReadSource::new(script, Script::cancel);
            let mut reader = reader(memory.ring(&head, &policy, ()), source);
            let expected = Err(ReadError::Rejected(Rejection::fault(Reason::SourceError, at as u64)));
            assert_eq!(all(&mut reader, 64, false).1, expected);
            assert_eq!(all(&mut reader, 64, false).1, expected);
            assert_eq!(reader.source_error(), Some(&ErrorKind::ConnectionReset));
            assert!(reader.finish().cancelled);
            assert_eq!((log.cancels(), log.late(), log.consumed()), (1, 0, at));
        }
    }
}

#[test]
fn what_is_lent_is_lent_again_until_it_is_consumed_and_counts_as_exposed() {
    for (coding, sent) in [(Coding::Identity, b"hello".to_vec()), (Coding::Gzip, body::gzip(b"hello"))] {
        let mut memory = Memory::new();
        let policy = body::policy();
        let script = Script::new(&sent, 100, []);
        let log = script.log();
        let source = BufReadSource::new(script, Script::cancel);
        let mut reader = reader(memory.ring(&Head::new(coding), &policy, ()), source);
        assert_eq!(reader.fill_buf(), Ok(&b"hello"[..]));
        assert_eq!(reader.fill_buf(), Ok(&b"hello"[..]));
        embedded_io::BufRead::consume(&mut reader, 2);
        assert_eq!(reader.fill_buf(), Ok(&b"llo"[..]));
        assert_eq!(reader.read(&mut [0; 2]), Ok(2));
        assert_eq!(reader.fill_buf(), Ok(&b"o"[..]));
        assert_eq!(reader.outcome(), None);
        let outcome = reader.finish();
        assert_eq!(outcome.rejection(), Some(Rejection::new(Reason::Cancelled)));
        assert_eq!((outcome.exposed_bytes, outcome.cancelled, log.cancels()), (5, true, 1));
    }
}

#[test]
fn only_what_was_copied_out_counts_as_exposed_and_a_dropped_reader_cancels() {
    let sent = body::gzip(b"hello");
    let policy = body::policy();
    for finish in [true, false] {
        let mut memory = Memory::new();
        let script = Script::new(&sent, 100, []);
        let log = script.log();
        let source = BufReadSource::new(script, Script::cancel);
        let mut reader = reader(memory.ring(&Head::new(Coding::Gzip), &policy, ()), source);
        assert_eq!(reader.read(&mut [0; 3]), Ok(3));
        if finish {
            assert_eq!(reader.finish().exposed_bytes, 3);
        } else {
            drop(reader);
        }
        assert_eq!((log.cancels(), log.late()), (1, 0));
    }
}

/// Refuses the decoded byte at one offset, or the end.
struct Refuse {
    seen: u64,
    at: u64,
}

impl Inspect for Refuse {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let left = self.at.saturating_sub(self.seen);
        if self.seen > self.at || bytes.len() as u64 > left {
            self.seen = self.at + 1;
            let rejection = Rejection::fault(Reason::JsonSyntax, self.at);
            return Err(Refusal { accepted: usize::try_from(left).unwrap(), rejection });
        }
        self.seen += bytes.len() as u64;
        Ok(())
    }
    fn finish(&mut self) -> Result<(), Rejection> {
        if self.seen >= self.at { Err(Rejection::fault(Reason::IncompleteJson, self.at)) } else { Ok(()) }
    }
}

#[test]
fn a_byte_that_an_inspector_refuses_is_never_shown_and_all_before_it_are() {
    for Body { name, head, sent, text } in body::each(300) {
        for at in (0..=300).step_by(25) {
            for step in [1, 64, 5_000] {
                for flat in [false, true] {
                    let mut memory = Memory::new();
                    let policy = body::policy();
                    let inspector = Refuse { seen: 0, at: at as u64 };
                    let script = Script::new(&sent, step, []);
                    let log = script.log();
                    let source = BufReadSource::new(script, Script::cancel);
                    let (bytes, result) = if flat {
                        all(&mut reader(memory.flat(&head, &policy, inspector), source), 40, true)
                    } else {
                        all(&mut reader(memory.ring(&head, &policy, inspector), source), 40, true)
                    };
                    let reason = if at < 300 { Reason::JsonSyntax } else { Reason::IncompleteJson };
                    let expected = Rejection::fault(reason, at as u64);
                    assert_eq!(result, Err(ReadError::Rejected(expected)), "{name} in steps of {step}");
                    assert!(bytes == text[..at], "{name} in steps of {step}: {at}");
                    assert_eq!((log.cancels(), log.late()), (usize::from(at < 300), 0));
                }
            }
        }
    }
}

#[test]
fn limits_and_previews_show_exactly_what_they_let_pass() {
    let text = body::text(1_000);
    let limits = Limits::GATEWAY;
    let preview = |most| Policy { preview: Some(most), ..Policy::strict(limits) };
    let rejected = |reason, limit| Err(ReadError::Rejected(Rejection::limit_exceeded(reason, limit)));
    let sent = body::gzip(&text);
    for (name, coding, sent, policy, shown, result) in [
        (
            "decoded",
            Coding::Identity,
            &text,
            Policy::strict(Limits { decoded: 99, ..limits }),
            99,
            rejected(Reason::DecodedLimit, 99),
        ),
        (
            "decoded gzip",
            Coding::Gzip,
            &sent,
            Policy::strict(Limits { decoded: 99, ..limits }),
            99,
            rejected(Reason::DecodedLimit, 99),
        ),
        (
            "encoded",
            Coding::Identity,
            &text,
            Policy::strict(Limits { encoded: 99, ..limits }),
            99,
            rejected(Reason::EncodedLimit, 99),
        ),
        ("preview", Coding::Identity, &text, preview(99), 99, Err(ReadError::Preview)),
        ("preview of gzip", Coding::Gzip, &sent, preview(99), 99, Err(ReadError::Preview)),
        ("preview of more", Coding::Gzip, &sent, preview(1_000), 1_000, Ok(())),
        ("preview of nothing", Coding::Gzip, &sent, preview(0), 0, Err(ReadError::Preview)),
    ] {
        for step in [1, 10, 5_000] {
            for size in [1, 7, 5_000] {
                let mut memory = Memory::new();
                let script = Script::new(sent, step, []);
                let log = script.log();
                let source = BufReadSource::new(script, Script::cancel);
                let mut reader = reader(memory.ring(&Head::new(coding), &policy, ()), source);
                assert_eq!(all(&mut reader, size, false), (text[..shown].to_vec(), result), "{name}");
                assert_eq!(all(&mut reader, size, true), (vec![], result), "{name}");
                let outcome = reader.finish();
                assert_eq!(outcome.exposed_bytes, shown as u64, "{name}");
                let cancels = usize::from(result.is_err());
                assert_eq!(
                    (log.cancels(), log.late(), outcome.cancelled),
                    (cancels, 0, cancels == 1),
                    "{name}"
                );
                assert_eq!(log.consumed() as u64, outcome.encoded_bytes, "{name}");
            }
        }
    }
}

#[test]
fn a_machine_that_has_refused_cancels_before_a_byte_is_read() {
    let mut memory = Memory::new();
    let policy = Policy::strict(Limits { encoded: 4, ..Limits::GATEWAY });
    let script = Script::new(b"hello", 9, []);
    let log = script.log();
    let machine = memory.ring(&Head::new(Coding::Identity).with_length(5), &policy, ());
    let mut reader = reader(machine, BufReadSource::new(script, Script::cancel));
    assert_eq!((log.cancels(), log.reads()), (1, 0));
    let expected = Rejection::limit_exceeded(Reason::DeclaredLength, 4);
    assert_eq!(all(&mut reader, 9, false), (vec![], Err(ReadError::Rejected(expected))));
    assert_eq!((log.cancels(), log.reads()), (1, 0));
}

/// Breaks its contract: it forgets what it has lent, or lends less of it.
struct Forgetful<'a> {
    fills: usize,
    cancels: usize,
    first: &'a [u8],
    again: &'a [u8],
}

impl Supply for Forgetful<'_> {
    type Error = ErrorKind;
    fn cancel(&mut self) {
        self.cancels += 1;
    }
}

impl Source for Forgetful<'_> {
    fn fill(&mut self) -> Result<&[u8], plimsoll::Failure<ErrorKind>> {
        self.fills += 1;
        Ok(if self.fills == 1 { self.first } else { self.again })
    }
    fn consume(&mut self, _count: usize) {}
}

#[test]
fn a_source_that_forgets_what_it_has_lent_never_makes_a_body_whole() {
    let sent = body::gzip(&vec![b'x'; 60_000]);
    for (coding, first, again) in [
        (Coding::Identity, &b"hello"[..], &b""[..]),
        (Coding::Identity, b"hello", b"hel"),
        // More than one run comes of this piece, so it is asked for again.
        (Coding::Gzip, &sent[..80], &sent[..3]),
        (Coding::Gzip, &sent[..80], b""),
    ] {
        let mut memory = Memory::new();
        let policy = body::policy();
        let mut source = Forgetful { fills: 0, cancels: 0, first, again };
        let mut reader = reader(memory.ring(&Head::new(coding), &policy, ()), &mut source);
        let rejection = loop {
            match reader.fill() {
                Ok([]) => panic!("{again:?} made a body whole"),
                Ok(run) => {
                    let count = run.len();
                    reader.consume(count);
                }
                Err(ReadError::Rejected(rejection)) => break rejection,
                Err(error) => panic!("{error:?}"),
            }
        };
        assert_eq!(rejection.reason(), Reason::SourceError);
        drop(reader);
        assert_eq!(source.cancels, 1);
    }
}

/// Breaks its contract once: when it is asked for the second time, it does not show what it has lent.
struct Absent<'a> {
    fills: usize,
    cancels: usize,
    body: &'a [u8],
    answer: Result<&'a [u8], plimsoll::Failure<ErrorKind>>,
}

impl Supply for Absent<'_> {
    type Error = ErrorKind;
    fn cancel(&mut self) {
        self.cancels += 1;
    }
}

impl Source for Absent<'_> {
    fn fill(&mut self) -> Result<&[u8], plimsoll::Failure<ErrorKind>> {
        self.fills += 1;
        if self.fills == 2 { self.answer } else { Ok(self.body) }
    }
    fn consume(&mut self, count: usize) {
        self.body = &self.body[count..];
    }
}

impl AsyncSource for Absent<'_> {
    async fn fill(&mut self) -> Result<&[u8], plimsoll::Failure<ErrorKind>> {
        Source::fill(self)
    }
    fn consume(&mut self, count: usize) {
        Source::consume(self, count);
    }
}

#[test]
fn a_source_that_has_failed_to_show_a_run_again_is_refused_for_good_also_when_it_comes_back() {
    let failures = [
        Ok(&b""[..]),
        Ok(&b"hell"[..]),
        Err(plimsoll::Failure::Interrupted),
        Err(plimsoll::Failure::Failed(ErrorKind::TimedOut)),
    ];
    for answer in failures {
        let mut memory = Memory::new();
        let policy = body::policy();
        let mut source = Absent { fills: 0, cancels: 0, body: b"hello", answer };
        let mut reader = reader(memory.ring(&Head::new(Coding::Identity), &policy, ()), &mut source);
        let expected = Err(ReadError::Rejected(Rejection::new(Reason::SourceError)));
        for size in [1, 5] {
            assert_eq!(all(&mut reader, size, true), (vec![], expected));
            assert_eq!(all(&mut reader, size, false), (vec![], expected));
        }
        let outcome = reader.finish();
        assert_eq!(
            (outcome.rejection(), outcome.cancelled),
            (Some(Rejection::new(Reason::SourceError)), true)
        );
        assert_eq!(source.cancels, 1);
    }
}

#[test]
fn a_source_that_waits_and_has_failed_to_show_a_run_again_is_refused_for_good_too() {
    for answer in [Ok(&b"hell"[..]), Err(plimsoll::Failure::Interrupted)] {
        let mut memory = Memory::new();
        let policy = body::policy();
        let mut source = Absent { fills: 0, cancels: 0, body: b"hello", answer };
        let mut reader = reader(memory.ring(&Head::new(Coding::Identity), &policy, ()), &mut source);
        let refused = Rejection::new(Reason::SourceError);
        for _ in 0..2 {
            assert_eq!(run(reader.fill_async()), Err(ReadError::Rejected(refused)));
        }
        let outcome = reader.finish();
        assert_eq!((outcome.rejection(), outcome.exposed_bytes, outcome.cancelled), (Some(refused), 5, true));
        assert_eq!(source.cancels, 1);
    }
}

/// Reads with futures that are dropped after one poll each.
fn all_async(
    mut reader: Reader<
        RingDecoder<'_, DefaultEngine>,
        (),
        impl AsyncSource,
        NoClock,
        std::future::Pending<()>,
    >,
    lend: bool,
) -> (Vec<u8>, Result<(), ReadError>, usize) {
    use embedded_io_async::{BufRead as _, Read as _};

    let mut bytes = Vec::new();
    let mut dropped = 0;
    loop {
        let mut buffer = [0; 7];
        let polled = if lend {
            poll(reader.fill_buf(), 1).map(|result| {
                result.map(|run| {
                    bytes.extend_from_slice(run);
                    run.len()
                })
            })
        } else {
            poll(reader.read(&mut buffer), 1)
                .map(|result| result.inspect(|&count| bytes.extend_from_slice(&buffer[..count])))
        };
        match polled {
            None => dropped += 1,
            Some(Ok(0)) => return (bytes, Ok(()), dropped),
            Some(Ok(count)) if lend => embedded_io_async::BufRead::consume(&mut reader, count),
            Some(Ok(_) | Err(ReadError::Interrupted)) => {}
            Some(Err(error)) => return (bytes, Err(error), dropped),
        }
    }
}

#[test]
fn a_future_of_the_reader_that_is_dropped_at_each_await_loses_nothing() {
    for Body { name, head, sent, text } in body::each(300) {
        for lend in [false, true] {
            let pends = (0..=sent.len())
                .flat_map(|at| [(at, Event::Pend), (at, Event::Interrupt), (at, Event::Pend)]);
            let mut memory = Memory::new();
            let policy = body::policy();
            let mut buffer = [0; 64];
            let source = ReadSource::new(Script::new(&sent, 64, pends), &mut buffer, Script::cancel);
            let machine = memory.ring(&head, &policy, ());
            let (bytes, result, dropped) = all_async(reader(machine, source), lend);
            assert!(bytes == text && result == Ok(()), "{name}");
            assert_eq!(dropped, 2 * (sent.len() + 1));
        }
    }
}

/// A timer that is due when it has been polled so often.
fn due_after(polls: usize) -> impl Future<Output = ()> {
    let mut polled = 0;
    std::future::poll_fn(move |_| {
        polled += 1;
        if polled > polls { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
}

#[test]
fn silence_ends_the_asynchronous_reader_when_its_timer_is_due() {
    let mut memory = Memory::new();
    let policy = body::policy();
    let script = Script::new(b"hello", 9, [(2, Event::Stall)]);
    let log = script.log();
    let timer = std::pin::pin!(due_after(5));
    let machine = memory.ring(&Head::new(Coding::Identity), &policy, ());
    let watch = Watch::new(Pace::within(700), NoClock).with_timer(timer);
    let mut reader = Reader::new(machine, BufReadSource::new(script, Script::cancel), watch);
    let mut buffer = [0; 9];
    assert_eq!(run(embedded_io_async::Read::read(&mut reader, &mut buffer)), Ok(2));
    let late = run(embedded_io_async::Read::read(&mut reader, &mut buffer)).unwrap_err();
    assert_eq!(late, ReadError::Rejected(Rejection::limit_exceeded(Reason::Deadline, 700)));
    assert_eq!(embedded_io::Error::kind(&late), ErrorKind::TimedOut);
    assert_eq!((log.cancels(), log.late()), (1, 0));
}

#[test]
fn a_timer_that_is_due_while_a_piece_brings_its_runs_ends_the_asynchronous_reader_too() {
    let (mut memory, policy) = (Memory::new(), body::policy());
    let sent = body::gzip(&body::text(5_000));
    let script = Script::new(&sent, sent.len(), []);
    let log = script.log();
    let timer = std::pin::pin!(due_after(1));
    let machine = memory.ring(&Head::new(Coding::Gzip), &policy, ());
    let watch = Watch::new(Pace::within(700), NoClock).with_timer(timer);
    let mut reader = Reader::new(machine, BufReadSource::new(script, Script::cancel), watch);
    // The first run fills the window at most, so that more of them come of the one piece.
    let first = run(reader.fill_async()).map(<[u8]>::len).unwrap();
    assert!((1..=1024).contains(&first));
    reader.consume(first);
    let refused = Rejection::limit_exceeded(Reason::Deadline, 700);
    assert_eq!(run(reader.fill_async()), Err(ReadError::Rejected(refused)));
    let outcome = reader.finish();
    assert_eq!((outcome.rejection(), outcome.exposed_bytes), (Some(refused), first as u64));
    assert_eq!((log.cancels(), log.late()), (1, 0));
}

#[test]
fn std_readers_work_over_it_and_find_the_rejection_in_the_error() {
    use std::io::{BufRead, Read};

    let text = "draught\nfreeboard\nload line\n".repeat(30);
    let mut sent = body::gzip(text.as_bytes());
    let policy = body::policy();
    let head = Head::new(Coding::Gzip);
    let mut memory = Memory::new();
    let lines = reader(memory.ring(&head, &policy, ()), &sent[..]).lines().collect::<Result<Vec<_>, _>>();
    assert!(lines.unwrap().iter().map(String::as_str).eq(text.lines()));

    let interrupts = (0..=sent.len()).map(|at| (at, Event::Interrupt));
    let source = BufReadSource::new(Script::new(&sent, 9, interrupts), Script::cancel);
    let mut whole = String::new();
    reader(memory.ring(&head, &policy, ()), source).read_to_string(&mut whole).unwrap();
    assert!(whole == text);

    sent.push(b'x');
    let error = reader(memory.ring(&head, &policy, ()), &sent[..]).read_to_end(&mut Vec::new()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<ReadError>());
    let expected = Rejection::fault(Reason::TrailingData, sent.len() as u64 - 1);
    assert_eq!(inner, Some(&ReadError::Rejected(expected)));
}
