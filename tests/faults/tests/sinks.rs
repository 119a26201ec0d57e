//! Every sink behind every driver, where the sink fails at each of its calls and where the body ends or is wrong at each
//! byte: what does not count is not yielded, and the word on whether it counts comes once.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use embedded_io::{ErrorKind, ErrorType, Write};
use plimsoll::json::{Counted, Framing, Record};
use plimsoll::{
    DefaultEngine, EachRecord, Exposed, HashSink, Ingest, Inspect, NoClock, Outcome, Pace, Policy, Ring,
    Sink, Slice, Staged, Through, VecSink, Verdict, Watch,
};
use plimsoll_tests_drivers::body::Body;
use plimsoll_tests_drivers::script::{Log, Script};
use plimsoll_tests_faults::bodies::{self, POLICY, cut};
use plimsoll_tests_faults::drive::{Driver, drive};
use plimsoll_tests_faults::failing::{Failing, Failure, Told};

/// Never: a call of this number does not come.
const NEVER: u64 = u64::MAX;

/// What one run came to.
struct Run {
    /// The outcome; `None` where the sink failed.
    outcome: Option<Outcome>,
    told: Told,
    log: Log,
}

/// How a body is taken in: by which driver, under which policy, and with a sink that fails at which call.
#[derive(Clone, Copy)]
struct How {
    driver: Driver,
    policy: Policy,
    at: u64,
}

/// Takes a body into `sink`.
fn take<K: Sink>(how: How, body: &Body, inspector: impl Inspect, sink: K) -> Run {
    let How { driver, policy, at } = how;
    let (mut engine, mut window) = (DefaultEngine::new(), [0xEE; 512]);
    let (told, script) = (Told::default(), Script::new(&body.sent, 20, []));
    let log = script.log();
    let sink = Failing::new(sink, &told, at);
    let machine = Ingest::ring(&body.head, &policy, &mut engine, Ring::new(&mut window), inspector, sink);
    let result = drive(driver, machine, script, Watch::new(Pace::within(1), NoClock));
    let outcome = match result {
        Ok(outcome) => Some(outcome),
        Err(Failure::Asked) => None,
        Err(Failure::Inner(_)) => panic!("this sink does not fail by itself"),
    };
    Run { outcome, told, log }
}

/// A place to write to, byte by byte.
#[derive(Debug, Default)]
struct Partition {
    staged: Vec<u8>,
    active: Option<Vec<u8>>,
    erased: usize,
}

impl ErrorType for Partition {
    type Error = ErrorKind;
}

impl Write for Partition {
    fn write(&mut self, buf: &[u8]) -> Result<usize, ErrorKind> {
        self.staged.extend(&buf[..1]);
        Ok(1)
    }
    fn flush(&mut self) -> Result<(), ErrorKind> {
        Ok(())
    }
}

impl Partition {
    fn commit(&mut self) -> Result<(), ErrorKind> {
        self.active = Some(std::mem::take(&mut self.staged));
        Ok(())
    }
    fn erase(&mut self) {
        self.staged.clear();
        self.erased += 1;
    }
}

/// Takes a body into each kind of sink in turn, and gives `check` its name, the run, what it yields as a body, and what
/// of it is out.
fn each_sink(how: How, body: &Body, mut check: impl FnMut(&str, &Run, Option<&[u8]>, &[u8])) {
    let mut memory = [0xEE; 2048];
    let mut slice = Slice::new(&mut memory);
    let run = take(how, body, (), &mut slice);
    check("slice", &run, slice.body(), &[]);

    let mut vector = VecSink::<2048>::new();
    let run = take(how, body, (), &mut vector);
    check("vector", &run, vector.body(), &[]);

    let mut hash = HashSink::new(Vec::new(), |all: &mut Vec<u8>, run: &[u8]| all.extend(run));
    let run = take(how, body, (), &mut hash);
    check("hash", &run, hash.hash().map(Vec::as_slice), &[]);

    let mut staged = Staged::new(Partition::default(), 2048, Partition::commit, Partition::erase);
    let run = take(how, body, (), &mut staged);
    let partition = staged.into_writer();
    // A commit that is not handed on is followed by nothing.
    let commit_failed = run.outcome.is_none() && run.told.commits.get() == 1;
    let words = usize::from(partition.active.is_some()) + partition.erased;
    assert_eq!(words, usize::from(!commit_failed), "switched over or erased, and once");
    check("staged", &run, partition.active.as_deref(), &[]);

    let mut out = Partition::default();
    let run = take(how, body, (), Through::new(&mut out));
    let whole = run.outcome.is_some_and(|outcome| outcome.is_complete());
    check("through", &run, whole.then_some(&out.staged), &out.staged);

    let mut records: Vec<u8> = Vec::new();
    let mut buffer = [0xEE; 256];
    let effect = |_: Record, bytes: &[u8]| records.extend([bytes, b"\n"].concat());
    let each =
        EachRecord::refusing::<Counted<32>>(Framing::Lines, &POLICY.limits, &mut buffer, effect).unwrap();
    let run = take(how, body, each, Exposed);
    let whole = run.outcome.is_some_and(|outcome| outcome.is_complete());
    // A last record that was cut ends in no line feed, and has no effect unless it is a document.
    check("records", &run, whole.then_some(&records), &records);

    let run = take(how, body, (), ());
    let whole = run.outcome.is_some_and(|outcome| outcome.is_complete());
    check("nothing", &run, whole.then_some(&body.text), &[]);
}

#[test]
fn a_sink_that_fails_at_any_call_yields_nothing_and_cancels_once() {
    for body in bodies::each(400) {
        for driver in Driver::ALL {
            let mut calls = Vec::new();
            each_sink(How { driver, policy: POLICY, at: NEVER }, &body, |name, run, yielded, _| {
                assert_eq!(yielded, Some(&body.text[..]), "{name} of {} by {driver:?}", body.name);
                assert_eq!((run.told.commits.get(), run.told.discards.get()), (1, 0));
                calls.push(run.told.calls.get());
            });
            let most = *calls.iter().max().unwrap();
            assert!(most > 4);
            for at in 0..most {
                let mut index = 0;
                each_sink(How { driver, policy: POLICY, at }, &body, |name, run, yielded, out| {
                    let calls = calls[index];
                    index += 1;
                    if at >= calls {
                        return;
                    }
                    let context = format!("{name} of {} by {driver:?} at {at}", body.name);
                    let at_commit = at == calls - 1;
                    assert_eq!((run.outcome, yielded), (None, None), "{context}");
                    assert!(body.text.starts_with(out), "{context}");
                    let told = (run.told.calls.get(), run.told.commits.get(), run.told.discards.get());
                    let words = if at_commit { (1, 0) } else { (0, 1) };
                    assert_eq!(told, (at + 1, words.0, words.1), "{context}");
                    assert!(!run.told.late.get(), "{context}");
                    // A body that was read to its end leaves nothing to give up.
                    let cancels = usize::from(!at_commit);
                    assert_eq!((run.log.cancels(), run.log.late()), (cancels, 0), "{context}");
                });
            }
        }
    }
}

#[test]
fn a_body_that_ends_at_any_byte_is_yielded_by_no_sink_unless_it_may_end_there() {
    for body in bodies::each(200) {
        for driver in Driver::ALL {
            for at in 0..body.sent.len() {
                let early = Body { sent: body.sent[..at].to_vec(), ..body.clone() };
                let expected = cut(&body.head, at);
                each_sink(How { driver, policy: POLICY, at: NEVER }, &early, |name, run, yielded, out| {
                    let context = format!("{name} of {} by {driver:?} at {at}", body.name);
                    let outcome = run.outcome.unwrap();
                    assert!(body.text.starts_with(out), "{context}");
                    assert!(!run.told.late.get(), "{context}");
                    if let Some(rejection) = expected {
                        assert_eq!((outcome.rejection(), yielded), (Some(rejection), None), "{context}");
                        assert_eq!((run.told.commits.get(), run.told.discards.get()), (0, 1), "{context}");
                    } else if name != "records" {
                        let text = if name == "nothing" { &body.text[..] } else { &body.text[..at] };
                        assert_eq!((outcome.is_complete(), yielded), (true, Some(text)), "{context}");
                    }
                    if name == "records" && body.sent == body.text {
                        // Whole lines only, and the last one, where all of it but its line feed was there and that may be missing.
                        let ended = expected.is_none() && body.sent[at] == b'\n';
                        let lines = body.text[..at]
                            .split_inclusive(|&byte| byte == b'\n')
                            .filter(|line| line.ends_with(b"\n"));
                        let whole: usize = lines.map(<[u8]>::len).sum();
                        let shown = if ended { at + 1 } else { whole };
                        assert_eq!(out, &body.text[..shown], "{context}");
                    }
                });
            }
        }
    }
}

#[test]
fn a_wrong_byte_anywhere_in_a_gzip_body_is_yielded_by_no_sink() {
    let [.., body, _] = bodies::each(150);
    // The header's time, extra flags and system, and the name, mean nothing.
    let means_nothing = |at: usize| (4..10).contains(&at) || (10..18).contains(&at);
    for driver in [Driver::Push, Driver::Lending, Driver::AsyncCopying] {
        for at in (0..body.sent.len()).filter(|&at| !means_nothing(at)) {
            let mut wrong = body.clone();
            wrong.sent[at] ^= 0x10;
            if wrong.sent[3] & 1 != body.sent[3] & 1 {
                continue; // FTEXT means nothing either
            }
            each_sink(How { driver, policy: POLICY, at: NEVER }, &wrong, |name, run, yielded, _| {
                let context = format!("{name} by {driver:?} at {at}");
                assert_eq!((run.outcome.unwrap().is_complete(), yielded), (false, None), "{context}");
                assert_eq!((run.told.commits.get(), run.told.discards.get()), (0, 1), "{context}");
            });
        }
    }
}

#[test]
fn a_preview_is_a_body_in_no_sink_and_a_body_within_it_is_whole_in_all() {
    for body in bodies::each(200) {
        let length = body.text.len() as u64;
        for driver in Driver::ALL {
            for size in [0, 1, length / 2, length - 1, length, length + 1] {
                let policy = Policy { preview: Some(size), ..POLICY };
                each_sink(How { driver, policy, at: NEVER }, &body, |name, run, yielded, out| {
                    let context = format!("{name} of {} by {driver:?}, {size}", body.name);
                    let whole = size >= length;
                    let expected = if whole { Verdict::Complete } else { Verdict::Preview };
                    assert_eq!(run.outcome.unwrap().verdict, expected, "{context}");
                    assert_eq!(yielded, whole.then_some(&body.text[..]), "{context}");
                    assert!(out.len() as u64 <= size && body.text.starts_with(out), "{context}");
                    let words = (run.told.commits.get(), run.told.discards.get());
                    assert_eq!(words, if whole { (1, 0) } else { (0, 1) }, "{context}");
                    assert_eq!((run.log.cancels(), run.log.late()), (usize::from(!whole), 0), "{context}");
                });
            }
        }
    }
}
