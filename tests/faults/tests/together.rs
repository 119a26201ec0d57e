//! Many faults in one body, at random places and in random order: what decides is the first that ends it.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use plimsoll::{
    DefaultEngine, Ingest, NoClock, Pace, ReadError, Reason, Rejection, Ring, Slice, Verdict, Watch,
};
use plimsoll_tests_drivers::script::{Event, Script};
use plimsoll_tests_faults::bodies::{self, POLICY, cut};
use plimsoll_tests_faults::drive::{Driver, drive};
use plimsoll_tests_faults::pull::{Form, pull};

/// Numbers for one test (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

#[test]
fn of_many_faults_the_first_that_ends_a_body_decides_and_the_others_lose_nothing() {
    let mut random = Random(0x5DEE_CE66);
    let watch = || Watch::new(Pace::within(1), NoClock);
    let (mut engine, mut window, mut memory) = (DefaultEngine::new(), [0; 256], [0; 1_024]);
    let bodies = bodies::each(300);
    for round in 0..3_000 {
        let body = &bodies[random.below(bodies.len())];
        let length = body.sent.len();
        let mut events: Vec<_> = (0..random.below(30))
            .map(|_| {
                let kind =
                    [Event::Interrupt, Event::Pend, Event::Interrupt, Event::Pend, Event::Fail, Event::End];
                // Those that end a body are rare, so that most of the others come before them.
                let event = kind[if random.below(12) == 0 { 4 + random.below(2) } else { random.below(4) }];
                (random.below(length + 1), event)
            })
            .collect();
        events.sort_by_key(|&(at, _)| at);
        let step = 1 + random.below(80);
        let end = events.iter().find(|(_, event)| matches!(event, Event::Fail | Event::End));
        let expected = match end {
            Some(&(at, Event::Fail)) => Verdict::Rejected(Rejection::fault(Reason::SourceError, at as u64)),
            Some(&(at, _)) if at < length => cut(&body.head, at).map_or(Verdict::Complete, Verdict::Rejected),
            _ => Verdict::Complete,
        };
        let bytes = end.map_or(length, |&(at, _)| at) as u64;
        let cancels = usize::from(matches!(end, Some((_, Event::Fail))));
        let context = format!("{} in round {round} by {step} with {events:?}", body.name);

        let driver = Driver::ALL[random.below(Driver::ALL.len())];
        let script = Script::new(&body.sent, step, events.clone());
        let log = script.log();
        let mut sink = Slice::new(&mut memory);
        let ring = Ring::new(&mut window);
        let machine = Ingest::ring(&body.head, &POLICY, &mut engine, ring, (), &mut sink);
        let Ok(outcome) = drive(driver, machine, script, watch());
        assert_eq!((outcome.verdict, outcome.encoded_bytes), (expected, bytes), "{driver:?}: {context}");
        assert_eq!((log.cancels(), log.late()), (cancels, 0), "{driver:?}: {context}");
        assert_eq!(sink.body().is_some(), outcome.is_complete(), "{driver:?}: {context}");
        assert!(sink.body().is_none_or(|taken| body.text.starts_with(taken)), "{driver:?}: {context}");

        let form = Form::ALL[random.below(Form::ALL.len())];
        let script = Script::new(&body.sent, step, events.clone());
        let log = script.log();
        let machine = Ingest::ring(&body.head, &POLICY, &mut engine, Ring::new(&mut window), (), ());
        let pulled = pull(form, random.below(2) == 0, machine, script, watch());
        assert_eq!(
            (pulled.outcome.verdict, pulled.outcome.encoded_bytes),
            (expected, bytes),
            "{form:?}: {context}"
        );
        let answer = pulled.outcome.rejection().map_or(Ok(()), |why| Err(ReadError::Rejected(why)));
        assert_eq!((pulled.end, log.cancels(), log.late()), (answer, cancels, 0), "{form:?}: {context}");
        assert!(body.text.starts_with(&pulled.bytes), "{form:?}: {context}");
    }
}
