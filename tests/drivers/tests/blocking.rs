//! The blocking driver: what a source does at any byte, what it is told, and how often.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use embedded_io::ErrorKind;
use plimsoll::core::{Inspect, Refusal};
use plimsoll::{
    BufReadSource, Coding, DefaultEngine, Head, Ingest, Limits, Next, NoClock, Outcome, Pace, Policy,
    ReadSource, Reason, Rejection, Ring, Sink, Slice, Source, StdIo, Transfer, Verdict, Watch, read,
};
use plimsoll_tests_drivers::body::{self, Body};
use plimsoll_tests_drivers::script::{Event, Log, Script};

fn watch() -> Watch<NoClock> {
    Watch::new(Pace::within(1_000), NoClock)
}

/// Drives a source to its outcome, and gives the body if it is complete.
fn drive(head: &Head, policy: &Policy, source: impl Source) -> (Outcome, Option<Vec<u8>>) {
    let (mut engine, mut window) = (DefaultEngine::new(), [0xEE; 32_768]);
    let mut memory = vec![0xEE; 70_000];
    let mut sink = Slice::new(&mut memory);
    let machine = Ingest::ring(head, policy, &mut engine, Ring::new(&mut window), (), &mut sink);
    let Ok(outcome) = read(machine, source, watch());
    assert_eq!(outcome.is_complete(), sink.body().is_some());
    (outcome, sink.into_body().map(|body| body.to_vec()))
}

/// Both kinds of source over one script, with the log of each.
fn both(script: impl Fn() -> Script, mut test: impl FnMut(&mut dyn Source<Error = ErrorKind>, Log)) {
    let (copied, lent) = (script(), script());
    let (log, mut buffer) = (copied.log(), [0; 64]);
    test(&mut ReadSource::new(copied, &mut buffer, Script::cancel), log);
    let log = lent.log();
    test(&mut BufReadSource::new(lent, Script::cancel), log);
}

fn rejected(outcome: &Outcome) -> Rejection {
    outcome.rejection().unwrap_or_else(|| panic!("{outcome:?}"))
}

#[test]
fn a_source_that_fails_at_any_byte_is_cancelled_once_and_nothing_is_committed() {
    for Body { name, head, sent, .. } in body::each(700) {
        for at in 0..=sent.len() {
            for step in [1, 50, 1000] {
                let (mut engine, mut window, mut memory) = (DefaultEngine::new(), [0; 1024], [0; 1024]);
                let mut sink = Slice::new(&mut memory);
                let machine =
                    Ingest::ring(&head, &body::policy(), &mut engine, Ring::new(&mut window), (), &mut sink);
                let script = Script::new(&sent, step, [(at, Event::Fail)]);
                let log = script.log();
                let mut transfer =
                    Transfer::new(machine, BufReadSource::new(script, Script::cancel), watch());
                let Ok(()) = transfer.read();
                assert_eq!(transfer.source_error(), Some(&ErrorKind::ConnectionReset));
                let Ok(outcome) = transfer.finish();
                let expected = Rejection::fault(Reason::SourceError, at as u64);
                assert_eq!(rejected(&outcome), expected, "{name} at {at}");
                assert_eq!((outcome.cancelled, outcome.lower_bound), (true, true));
                assert_eq!((log.cancels(), log.late(), log.consumed()), (1, 0, at), "{name} at {at}");
                assert_eq!((outcome.encoded_bytes, sink.body()), (at as u64, None));
            }
        }
    }
}

#[test]
fn a_source_that_is_interrupted_before_every_byte_loses_nothing() {
    for Body { name, head, sent, text } in body::each(700) {
        for interrupts in [1, 3] {
            let events =
                || (0..=sent.len()).flat_map(|at| std::iter::repeat_n((at, Event::Interrupt), interrupts));
            both(
                || Script::new(&sent, 9, events()),
                |source, log| {
                    let (outcome, body) = drive(&head, &body::policy(), source);
                    assert_eq!((outcome.verdict, outcome.cancelled), (Verdict::Complete, false), "{name}");
                    assert!(body.as_deref() == Some(&text[..]), "{name}");
                    assert_eq!((log.cancels(), log.reads()), (0, (sent.len() + 1) * (interrupts + 1)));
                },
            );
        }
    }
}

#[test]
fn short_reads_of_any_size_bring_the_same_body_and_the_same_outcome() {
    for Body { name, head, sent, text } in body::each(20_000) {
        let expected = Outcome {
            verdict: Verdict::Complete,
            encoded_bytes: sent.len() as u64,
            decoded_bytes: text.len() as u64,
            lower_bound: false,
            exposed_bytes: 0,
            cancelled: false,
        };
        for step in [1, 2, 3, 63, 64, 65, 1000, sent.len(), sent.len() + 1] {
            both(
                || Script::new(&sent, step, []),
                |source, log| {
                    let (outcome, body) = drive(&head, &body::policy(), source);
                    assert_eq!(outcome, expected, "{name} in steps of {step}");
                    assert!(body.as_deref() == Some(&text[..]), "{name} in steps of {step}");
                    assert_eq!((log.cancels(), log.read() + log.consumed()), (0, sent.len()));
                },
            );
        }
    }
}

#[test]
fn an_end_that_comes_early_is_no_end_where_it_can_be_known() {
    for Body { name, head, sent, .. } in body::each(300) {
        for at in 0..sent.len() {
            both(
                || Script::new(&sent, 50, [(at, Event::End)]),
                |source, log| {
                    let (outcome, body) = drive(&head, &body::policy(), source);
                    let reason = outcome.rejection().map(|rejection| rejection.reason());
                    let expected = match (head.coding, head.length) {
                        (Coding::Gzip, _) => Some(Reason::IncompleteGzip),
                        (_, Some(_)) => Some(Reason::LengthMismatch),
                        // A prefix of a body without coding and length is a body.
                        _ => None,
                    };
                    assert_eq!(reason, expected, "{name} at {at}");
                    assert_eq!(body.is_some(), expected.is_none());
                    assert_eq!((outcome.cancelled, log.cancels()), (false, 0), "nothing is left to give up");
                },
            );
        }
    }
}

/// A name, a body with its head and policy, and the reason for which it is refused; none for a preview.
type Stopped = (&'static str, Head, Vec<u8>, Policy, Option<Reason>);

/// Bodies that are refused or previewed in the middle.
fn stopped() -> Vec<Stopped> {
    let text = body::text(60_000);
    let plain = Head::new(Coding::Identity);
    let gzip = Head::new(Coding::Gzip);
    let limits = Limits::GATEWAY;
    let preview = |most| Policy { preview: Some(most), ..Policy::strict(limits) };
    let strict = |limits| Policy::strict(limits);
    let mut broken = body::gzip(&text);
    broken[200] ^= 0xFF;
    broken[201] ^= 0xFF;
    let mut trailing = body::gzip(&text[..100]);
    trailing.extend_from_slice(&[b'x'; 5_000]);
    vec![
        ("preview", plain, text.clone(), preview(1_000), None),
        ("preview of gzip", gzip, body::gzip(&text), preview(1_000), None),
        (
            "encoded",
            plain,
            text.clone(),
            strict(Limits { encoded: 777, ..limits }),
            Some(Reason::EncodedLimit),
        ),
        (
            "decoded",
            plain,
            text.clone(),
            strict(Limits { decoded: 777, ..limits }),
            Some(Reason::DecodedLimit),
        ),
        (
            "decoded gzip",
            gzip,
            body::gzip(&text),
            strict(Limits { decoded: 777, ..limits }),
            Some(Reason::DecodedLimit),
        ),
        ("longer than declared", plain.with_length(500), text, strict(limits), Some(Reason::LengthMismatch)),
        ("corrupt", gzip, broken, strict(limits), Some(Reason::BadDeflate)),
        ("trailing", gzip, trailing, strict(limits), Some(Reason::TrailingData)),
    ]
}

#[test]
fn a_refusal_or_a_preview_cancels_once_and_reads_no_further() {
    for (name, head, sent, policy, reason) in stopped() {
        for step in [1, 40, 5_000] {
            both(
                || Script::new(&sent, step, []),
                |source, log| {
                    let (outcome, body) = drive(&head, &policy, source);
                    assert_eq!(outcome.rejection().map(|rejection| rejection.reason()), reason, "{name}");
                    assert_eq!((outcome.cancelled, outcome.lower_bound, body), (true, true, None), "{name}");
                    assert_eq!((log.cancels(), log.late()), (1, 0), "{name}");
                    assert!(log.read() + log.consumed() < sent.len(), "{name} was drained");
                },
            );
        }
    }
}

#[test]
fn what_is_consumed_of_a_lending_source_is_what_the_outcome_counts() {
    for (name, head, sent, policy, _) in stopped() {
        for step in [1, 40, 5_000] {
            let script = Script::new(&sent, step, []);
            let log = script.log();
            let (outcome, _) = drive(&head, &policy, BufReadSource::new(script, Script::cancel));
            assert_eq!(log.consumed() as u64, outcome.encoded_bytes, "{name} in steps of {step}");
        }
    }
}

#[test]
fn a_declared_length_over_the_limit_cancels_before_a_byte_is_read() {
    let policy = Policy::strict(Limits { encoded: 99, ..Limits::GATEWAY });
    let head = Head::new(Coding::Identity).with_length(100);
    both(
        || Script::new(&[b'x'; 100], 10, []),
        |source, log| {
            let (outcome, _) = drive(&head, &policy, source);
            assert_eq!(rejected(&outcome).reason(), Reason::DeclaredLength);
            assert_eq!((outcome.cancelled, outcome.encoded_bytes), (true, 0));
            assert_eq!((log.cancels(), log.reads()), (1, 0));
        },
    );
}

/// Fails at the second run, or looks where its runs lie.
#[derive(Default)]
struct Picky {
    runs: usize,
    fails_at: usize,
    place: Option<std::ops::Range<*const u8>>,
    copied: bool,
    committed: usize,
    discarded: usize,
}

impl Sink for &mut Picky {
    type Error = &'static str;
    const EXPOSES: bool = false;
    fn capacity(&self) -> u64 {
        u64::MAX
    }
    fn provisional(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        self.runs += 1;
        if let Some(place) = &self.place {
            let range = bytes.as_ptr_range();
            self.copied |= range.start < place.start || place.end < range.end;
        }
        if self.runs == self.fails_at { Err("full") } else { Ok(()) }
    }
    fn commit(&mut self) -> Result<(), &'static str> {
        self.committed += 1;
        Ok(())
    }
    fn discard(&mut self) {
        self.discarded += 1;
    }
}

fn picky<'m>(
    head: Head,
    engine: &'m mut DefaultEngine,
    window: &'m mut [u8; 1024],
    sink: &'m mut Picky,
) -> Ingest<plimsoll::RingDecoder<'m, DefaultEngine>, (), &'m mut Picky> {
    Ingest::ring(&head, &body::policy(), engine, Ring::new(window), (), sink)
}

#[test]
fn a_sink_that_fails_cancels_once_and_is_told_to_discard_once() {
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
    let mut sink = Picky { fails_at: 2, ..Picky::default() };
    let script = Script::new(&[b'x'; 100], 10, []);
    let log = script.log();
    let machine = picky(Head::new(Coding::Identity), &mut engine, &mut window, &mut sink);
    let result = read(machine, BufReadSource::new(script, Script::cancel), watch());
    assert_eq!(result, Err("full"));
    assert_eq!((log.cancels(), log.late(), log.consumed()), (1, 0, 20));
    assert_eq!((sink.runs, sink.committed, sink.discarded), (2, 0, 1));
}

#[test]
fn a_lending_source_is_not_copied() {
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
    let script = Script::new(&[b'x'; 100], 30, []);
    let mut sink = Picky { place: Some(script.place()), ..Picky::default() };
    let machine = picky(Head::new(Coding::Identity), &mut engine, &mut window, &mut sink);
    let outcome = read(machine, BufReadSource::new(script, Script::cancel), watch()).unwrap();
    assert_eq!((outcome.decoded_bytes, sink.runs, sink.committed), (100, 4, 1));
    assert!(!sink.copied);
}

#[test]
fn a_transfer_that_is_dropped_or_finished_before_its_end_is_cancelled_and_never_complete() {
    let text = body::text(100);
    for finish in [false, true] {
        let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
        let mut sink = Picky::default();
        let script = Script::new(&text, 10, []);
        let log = script.log();
        let machine = picky(Head::new(Coding::Identity), &mut engine, &mut window, &mut sink);
        let transfer = Transfer::new(machine, BufReadSource::new(script, Script::cancel), watch());
        if finish {
            let outcome = transfer.finish().unwrap();
            assert_eq!((rejected(&outcome).reason(), outcome.cancelled), (Reason::Cancelled, true));
        } else {
            drop(transfer);
        }
        assert_eq!((log.cancels(), log.reads(), sink.committed, sink.discarded), (1, 0, 0, 1));
    }
}

#[test]
fn a_reason_of_the_callers_stays_also_when_it_comes_after_the_end() {
    for after in [false, true] {
        let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
        let mut sink = Picky::default();
        let script = Script::new(b"hello", 10, []);
        let log = script.log();
        let machine = picky(Head::new(Coding::Identity), &mut engine, &mut window, &mut sink);
        let mut transfer = Transfer::new(machine, BufReadSource::new(script, Script::cancel), watch());
        if after {
            transfer.read().unwrap();
        }
        transfer.refuse(Rejection::new(Reason::Capacity));
        transfer.refuse(Rejection::new(Reason::Cancelled));
        transfer.read().unwrap();
        let outcome = transfer.finish().unwrap();
        assert_eq!((rejected(&outcome).reason(), outcome.cancelled), (Reason::Capacity, !after));
        assert_eq!((log.cancels(), sink.committed, sink.discarded), (usize::from(!after), 0, 1));
    }
}

#[test]
fn a_flat_body_comes_back_from_the_transfer() {
    for Body { name, head, sent, text } in body::each(700) {
        for missing in [0, 1] {
            let (mut engine, mut output) = (DefaultEngine::new(), [0xEE; 700]);
            let machine = Ingest::flat(&head, &body::policy(), &mut engine, &mut output, ());
            let mut transfer = Transfer::new(machine, &sent[..sent.len() - missing], watch());
            let Ok(()) = transfer.read();
            let (outcome, body) = transfer.finish_flat();
            let whole = missing == 0 || name == "identity";
            assert_eq!((outcome.is_complete(), body.is_some()), (whole, whole), "{name}");
            if missing == 0 {
                assert!(body.as_deref() == Some(&text[..]), "{name}");
            }
        }
    }
}

#[test]
fn a_source_stays_with_a_caller_who_lends_it() {
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
    let mut sink = Picky::default();
    let mut buffer = [0; 16];
    let mut source = ReadSource::new(&b"hello"[..], &mut buffer, |_| panic!("nothing is cancelled"));
    let machine = picky(Head::new(Coding::Identity), &mut engine, &mut window, &mut sink);
    assert!(read(machine, &mut source, watch()).unwrap().is_complete());
    assert_eq!(source.into_reader(), b"");
}

#[test]
fn std_readers_are_sources_and_their_interruptions_are_repeated() {
    /// Is interrupted at every other read, and brings a byte at a time.
    struct Slow<'a>(&'a [u8], bool);
    impl std::io::Read for Slow<'_> {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(std::io::ErrorKind::Interrupted.into());
            }
            let most = buf.len().min(1);
            self.0.read(&mut buf[..most])
        }
    }
    for Body { head, sent, text, .. } in body::each(700) {
        let mut buffer = [0; 64];
        let source = ReadSource::new(StdIo::new(Slow(&sent, false)), &mut buffer, |_| ());
        let (outcome, body) = drive(&head, &body::policy(), source);
        assert!(outcome.is_complete() && body.as_deref() == Some(&text[..]));
        let source = BufReadSource::new(StdIo::new(std::io::BufReader::new(&sent[..])), |_| ());
        let (outcome, body) = drive(&head, &body::policy(), source);
        assert!(outcome.is_complete() && body.as_deref() == Some(&text[..]));
    }
}

#[test]
fn a_buffer_of_no_bytes_is_no_source() {
    assert!(ReadSource::from_slice(&b"hello"[..], &mut [], |_| ()).is_none());
    assert!(ReadSource::from_slice(&b"hello"[..], &mut [0], |_| ()).is_some());
}

#[test]
fn a_machine_that_has_stopped_counts_nothing_more_and_works_no_further() {
    /// Counts what it is shown.
    struct Seen<'a>(&'a mut u64);
    impl Inspect for Seen<'_> {
        fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
            *self.0 += bytes.len() as u64;
            Ok(())
        }
        fn finish(&mut self) -> Result<(), Rejection> {
            Ok(())
        }
    }
    let sent = body::gzip(&vec![b'x'; 60_000]);
    let policy = Policy { preview: Some(10), ..body::policy() };
    let (mut engine, mut window, mut seen) = (DefaultEngine::new(), [0; 1024], 0);
    let head = Head::new(Coding::Gzip);
    let mut machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), Seen(&mut seen), ());
    assert_eq!(machine.push(&sent), Ok(Next::Stop));
    assert_eq!(machine.push(&sent), Ok(Next::Stop));
    assert_eq!(machine.verdict(), Some(Verdict::Preview));
    assert_eq!((machine.encoded_bytes(), machine.decoded_bytes()), (sent.len() as u64, 10));
    drop(machine);
    assert!(seen <= 1024, "more than one run was decoded for a preview: {seen}");
}
