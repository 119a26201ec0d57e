//! Every driver and every form of the reader over a source that fails, is interrupted, ends early, or is not ready, at
//! every byte, in reads of every size.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use plimsoll::{
    DefaultEngine, Head, Ingest, NoClock, Outcome, Pace, ReadError, Reason, Rejection, Ring, Slice, Verdict,
    Watch,
};
use plimsoll_tests_drivers::body::Body;
use plimsoll_tests_drivers::script::{Event, Log, Script};
use plimsoll_tests_faults::bodies::{self, POLICY, cut};
use plimsoll_tests_faults::drive::{Driver, drive, drive_flat};
use plimsoll_tests_faults::pull::{Form, Pulled, pull};

/// Memory that all bodies of a test go through, one after another.
struct Memory {
    engine: DefaultEngine,
    window: [u8; 1024],
    output: [u8; 2048],
}

impl Memory {
    const fn new() -> Self {
        Self { engine: DefaultEngine::new(), window: [0xEE; 1024], output: [0xEE; 2048] }
    }

    /// Through a driver into a slice, or into a flat buffer.
    fn drive(
        &mut self,
        (driver, flat): (Driver, bool),
        head: &Head,
        script: Script,
    ) -> (Outcome, Option<Vec<u8>>) {
        if flat {
            let machine = Ingest::flat(head, &POLICY, &mut self.engine, &mut self.output, ());
            return drive_flat(driver, machine, script, watch());
        }
        let mut sink = Slice::new(&mut self.output);
        let machine =
            Ingest::ring(head, &POLICY, &mut self.engine, Ring::new(&mut self.window), (), &mut sink);
        let Ok(outcome) = drive(driver, machine, script, watch());
        (outcome, sink.into_body().map(|body| body.to_vec()))
    }

    /// Out of a reader over either decoder.
    fn pull(&mut self, form: Form, lending: bool, flat: bool, head: &Head, script: Script) -> Pulled {
        if flat {
            let machine = Ingest::flat(head, &POLICY, &mut self.engine, &mut self.output, ());
            return pull(form, lending, machine, script, watch());
        }
        let machine = Ingest::ring(head, &POLICY, &mut self.engine, Ring::new(&mut self.window), (), ());
        pull(form, lending, machine, script, watch())
    }
}

fn watch() -> Watch<NoClock> {
    Watch::new(Pace::within(1), NoClock)
}

fn script(sent: &[u8], step: usize, events: impl IntoIterator<Item = (usize, Event)>) -> (Script, Log) {
    let script = Script::new(sent, step, events);
    let log = script.log();
    (script, log)
}

fn complete(Body { sent, text, .. }: &Body, exposed: bool) -> Outcome {
    Outcome {
        verdict: Verdict::Complete,
        encoded_bytes: sent.len() as u64,
        decoded_bytes: text.len() as u64,
        lower_bound: false,
        exposed_bytes: if exposed { text.len() as u64 } else { 0 },
        cancelled: false,
    }
}

/// What goes wrong once, or twice in a row, before a byte, and loses nothing.
const TROUBLES: [&[Event]; 4] = [
    &[Event::Interrupt],
    &[Event::Pend],
    &[Event::Pend, Event::Interrupt, Event::Pend],
    &[Event::Interrupt, Event::Interrupt],
];

#[test]
fn trouble_before_any_byte_and_before_all_of_them_loses_nothing_in_any_driver() {
    let mut memory = Memory::new();
    for body in bodies::each(300) {
        for driver in drivers() {
            for trouble in TROUBLES {
                let at = |position| trouble.iter().map(move |&event| (position, event));
                let all = (0..=body.sent.len()).flat_map(at).collect();
                let each = (0..=body.sent.len()).map(|position| at(position).collect::<Vec<_>>());
                for (events, step) in each.map(|events| (events, 50)).chain([(all, 3)]) {
                    let context = format!("{} by {driver:?} with {events:?}", body.name);
                    let (script, log) = script(&body.sent, step, events);
                    let (outcome, bytes) = memory.drive(driver, &body.head, script);
                    assert_eq!(outcome, complete(&body, false), "{context}");
                    assert!(bytes.as_ref() == Some(&body.text), "{context}");
                    assert_eq!(
                        (log.cancels(), log.read() + log.consumed()),
                        (0, body.sent.len()),
                        "{context}"
                    );
                }
            }
        }
    }
}

#[test]
fn trouble_before_any_byte_and_before_all_of_them_loses_nothing_in_any_form_of_the_reader() {
    let mut memory = Memory::new();
    for body in bodies::each(150) {
        for (form, lending, flat) in forms() {
            for trouble in TROUBLES {
                let at = |position| trouble.iter().map(move |&event| (position, event));
                let all = (0..=body.sent.len()).flat_map(at).collect();
                let each = (0..=body.sent.len()).map(|position| at(position).collect::<Vec<_>>());
                for (events, step) in each.map(|events| (events, 50)).chain([(all, 3)]) {
                    let context = format!("{} by {form:?}, {lending}, {flat} with {events:?}", body.name);
                    let (script, log) = script(&body.sent, step, events);
                    let Pulled { bytes, end, outcome } = memory.pull(form, lending, flat, &body.head, script);
                    assert_eq!((end, outcome), (Ok(()), complete(&body, true)), "{context}");
                    assert!(bytes == body.text, "{context}");
                    assert_eq!(
                        (log.cancels(), log.read() + log.consumed()),
                        (0, body.sent.len()),
                        "{context}"
                    );
                }
            }
        }
    }
}

#[test]
fn short_reads_of_any_size_change_nothing_in_any_driver_or_reader() {
    let mut memory = Memory::new();
    for body in bodies::each(1_000) {
        for step in [1, 2, 3, 5, 31, 63, 64, 65, 300, 5_000] {
            for driver in drivers() {
                let (script, _) = script(&body.sent, step, []);
                let (outcome, bytes) = memory.drive(driver, &body.head, script);
                assert_eq!(outcome, complete(&body, false), "{} by {driver:?} in {step}", body.name);
                assert!(bytes.as_ref() == Some(&body.text), "{} by {driver:?} in {step}", body.name);
            }
            for (form, lending, flat) in forms() {
                let (script, _) = script(&body.sent, step, []);
                let pulled = memory.pull(form, lending, flat, &body.head, script);
                assert_eq!(pulled.outcome, complete(&body, true), "{} by {form:?} in {step}", body.name);
                assert!(
                    pulled.bytes == body.text && pulled.end == Ok(()),
                    "{} by {form:?} in {step}",
                    body.name
                );
            }
        }
    }
}

#[test]
fn a_source_that_fails_at_any_byte_is_refused_for_good_and_the_next_request_is_whole_in_any_driver() {
    let mut memory = Memory::new();
    for body in bodies::each(200) {
        for driver in drivers() {
            for at in 0..=body.sent.len() {
                let context = format!("{} by {driver:?} at {at}", body.name);
                // It would go on behind the failure, and must not be asked to.
                let (broken, log) = script(&body.sent, 50, [(at, Event::Fail)]);
                let (outcome, bytes) = memory.drive(driver, &body.head, broken);
                let rejection = Rejection::fault(Reason::SourceError, at as u64);
                assert_eq!((outcome.verdict, bytes), (Verdict::Rejected(rejection), None), "{context}");
                assert_eq!((outcome.encoded_bytes, outcome.lower_bound), (at as u64, true), "{context}");
                assert_eq!((outcome.cancelled, log.cancels(), log.late()), (true, 1, 0), "{context}");

                let (again, _) = script(&body.sent, 50, []);
                let (outcome, bytes) = memory.drive(driver, &body.head, again);
                assert_eq!(outcome, complete(&body, false), "{context}");
                assert!(bytes.as_ref() == Some(&body.text), "{context}");
            }
        }
    }
}

#[test]
fn a_source_that_fails_at_any_byte_is_refused_for_good_in_any_form_of_the_reader() {
    let mut memory = Memory::new();
    for body in bodies::each(150) {
        for (form, lending, flat) in forms() {
            for at in 0..=body.sent.len() {
                let context = format!("{} by {form:?}, {lending}, {flat} at {at}", body.name);
                let (broken, log) = script(&body.sent, 50, [(at, Event::Fail)]);
                let Pulled { bytes, end, outcome } = memory.pull(form, lending, flat, &body.head, broken);
                let rejection = Rejection::fault(Reason::SourceError, at as u64);
                assert_eq!(end, Err(ReadError::Rejected(rejection)), "{context}");
                assert_eq!(outcome.verdict, Verdict::Rejected(rejection), "{context}");
                assert!(body.text.starts_with(&bytes), "{context}");
                assert_eq!(outcome.exposed_bytes, bytes.len() as u64, "{context}");
                assert_eq!((outcome.cancelled, log.cancels(), log.late()), (true, 1, 0), "{context}");
            }
        }
    }
}

#[test]
fn an_end_that_comes_early_is_never_taken_for_the_end_where_that_can_be_known() {
    let mut memory = Memory::new();
    for body in bodies::each(200) {
        for at in 0..body.sent.len() {
            let expected = cut(&body.head, at).map_or(Verdict::Complete, Verdict::Rejected);
            // The bytes behind the end are there: it is not looked behind.
            let events = [(at, Event::End)];
            for driver in drivers() {
                let (early, log) = script(&body.sent, 50, events);
                let (outcome, bytes) = memory.drive(driver, &body.head, early);
                let context = format!("{} by {driver:?} at {at}", body.name);
                assert_eq!(outcome.verdict, expected, "{context}");
                assert_eq!(
                    (bytes.is_some(), outcome.encoded_bytes),
                    (outcome.is_complete(), at as u64),
                    "{context}"
                );
                assert_eq!((outcome.cancelled, log.cancels()), (false, 0), "{context}");
            }
            for (form, lending, flat) in forms() {
                let (early, log) = script(&body.sent, 50, events);
                let Pulled { bytes, end, outcome } = memory.pull(form, lending, flat, &body.head, early);
                let context = format!("{} by {form:?}, {lending}, {flat} at {at}", body.name);
                assert_eq!((outcome.verdict, end.is_ok()), (expected, outcome.is_complete()), "{context}");
                assert!(body.text.starts_with(&bytes), "{context}");
                assert_eq!((outcome.cancelled, log.cancels()), (false, 0), "{context}");
            }
        }
    }
}

/// All drivers, ring and flat.
fn drivers() -> impl Iterator<Item = (Driver, bool)> {
    Driver::ALL.into_iter().flat_map(|driver| [(driver, false), (driver, true)])
}

/// All forms of the reader, over sources that copy and lend, ring and flat.
fn forms() -> impl Iterator<Item = (Form, bool, bool)> {
    Form::ALL.into_iter().flat_map(|form| {
        [(false, false), (true, false), (false, true), (true, true)]
            .map(|(lending, flat)| (form, lending, flat))
    })
}
