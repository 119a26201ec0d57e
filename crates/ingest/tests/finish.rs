//! A machine that is finished in place and kept: it says the same as often as it is asked, and gives and tells once.
#![allow(clippy::unwrap_used, clippy::arithmetic_side_effects, reason = "a test fails by a panic")]

use plimsoll::{
    Coding, DefaultEngine, Head, Ingest, Limits, Memory, Next, Policy, Reason, Received, Ring, Sink,
};

const POLICY: Policy = Policy::strict(Limits::SMALL_DEVICE);
const PLAIN: Head = Head::new(Coding::Identity);

/// Counts what it is told, and may fail at its commit.
#[derive(Default)]
struct Told {
    commits: u32,
    discards: u32,
    fails: bool,
}

impl Sink for Told {
    type Error = &'static str;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn provisional(&mut self, _bytes: &[u8]) -> Result<(), Self::Error> {
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Self::Error> {
        self.commits += 1;
        if self.fails { Err("no room") } else { Ok(()) }
    }

    fn discard(&mut self) {
        self.discards += 1;
    }
}

#[test]
fn a_flat_machine_says_the_same_again_and_gives_its_body_once() {
    let mut memory = Memory::<8>::new();
    let mut ingest = memory.flat(&PLAIN, &POLICY, ());
    assert_eq!(ingest.push(b"hello"), Ok(Next::Read));
    let (outcome, body) = ingest.finish_flat();
    assert!(outcome.is_complete() && !outcome.lower_bound);
    assert_eq!(body.as_deref(), Some(&b"hello"[..]));
    assert_eq!(ingest.push(b"more"), Ok(Next::Stop));
    assert_eq!(ingest.finish_flat(), (outcome, None));
    assert!(matches!(ingest.finish_received(), (again, Received::Nothing) if again == outcome));
    assert_eq!(ingest.verdict(), Some(outcome.verdict));
}

#[test]
fn a_refused_flat_machine_gives_nothing_however_often_it_is_asked() {
    let mut memory = Memory::<4>::new();
    let mut ingest = memory.flat(&PLAIN, &POLICY, ());
    assert_eq!(ingest.push(b"hello"), Ok(Next::Stop));
    let (outcome, body) = ingest.finish_flat();
    assert_eq!((outcome.rejection().unwrap().reason(), body), (Reason::DecodedLimit, None));
    assert_eq!(ingest.finish_flat(), (outcome, None));
}

#[test]
fn a_machine_that_is_kept_tells_its_sink_once() {
    let (mut engine, mut window, mut told) = (DefaultEngine::new(), [0; 8], Told::default());
    {
        let mut ingest = Ingest::ring(&PLAIN, &POLICY, &mut engine, Ring::new(&mut window), (), &mut told);
        assert_eq!(ingest.push(b"hello"), Ok(Next::Read));
        let outcome = ingest.end().unwrap();
        assert!(outcome.is_complete());
        assert_eq!(ingest.end(), Ok(outcome));
    }
    assert_eq!((told.commits, told.discards), (1, 0));
}

#[test]
fn a_body_that_the_sink_does_not_commit_never_counts() {
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 8]);
    let mut told = Told { fails: true, ..Told::default() };
    {
        let mut ingest = Ingest::ring(&PLAIN, &POLICY, &mut engine, Ring::new(&mut window), (), &mut told);
        assert_eq!(ingest.push(b"hello"), Ok(Next::Read));
        assert_eq!(ingest.end(), Err("no room"));
        let again = ingest.end().unwrap();
        assert_eq!(again.rejection().map(|rejection| rejection.reason()), Some(Reason::Cancelled));
    }
    assert_eq!((told.commits, told.discards), (1, 0));
}
