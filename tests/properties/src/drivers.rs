//! What reads a body from a source: the drivers and the forms of the reader, those that wait among them.

use conformance::Recorder;
use plimsoll::{DefaultEngine, FlatDecoder, Head, Ingest, NoClock, Pace, Ring, Watch};
use plimsoll_tests_drivers::script::{Event, Script};
use plimsoll_tests_faults::drive::{Driver, drive};
use plimsoll_tests_faults::pull::{Form, pull};

use crate::input::Input;
use crate::pipeline::{Case, told};
use crate::reader;

/// Taken in by any driver, or pulled out of any form of the reader, from a source with short reads, interruptions and
/// waits, at each of which the future is dropped and made anew, a body comes to what its stages come to one after the other.
pub fn driven(input: Input<'_>) {
    let case = Case::of(input);
    let (expected, plain) = case.by_stages();
    let (mut engine, mut window, head) = (DefaultEngine::new(), vec![0xA5; 1 << 15], Head::new(case.coding));
    let mut output = vec![0xA5; usize::try_from(case.policy.limits.decoded).unwrap()];
    let choice = usize::from(input.dials[3]);
    let driver = Driver::ALL[choice % Driver::ALL.len()];
    let (form, lending) = (Form::ALL[choice % 8], choice / 8 % 2 == 0);
    for flat in [false, true] {
        let script = script(input);
        let log = script.log();
        let mut recorder = Recorder::<true>::new(u64::MAX);
        let outcome = if flat {
            let decoder = FlatDecoder::new(case.coding, &case.policy, &mut engine, &mut output);
            let machine = Ingest::new(&head, &case.policy, decoder, case.inspector(), &mut recorder);
            drive(driver, machine, script, watch())
        } else {
            let ring = Ring::from_slice(&mut window).expect("a power of two");
            let machine =
                Ingest::ring(&head, &case.policy, &mut engine, ring, case.inspector(), &mut recorder);
            drive(driver, machine, script, watch())
        };
        let outcome = outcome.expect("a sink that works");
        assert_eq!((outcome.verdict, outcome.decoded_bytes), (expected.verdict, expected.decoded_bytes));
        assert!(recorder.bytes == plain, "{driver:?}: {} bytes, not {}", recorder.bytes.len(), plain.len());
        assert_eq!(outcome.exposed_bytes, plain.len() as u64);
        assert_eq!((log.cancels(), log.late()), (usize::from(outcome.cancelled), 0), "{driver:?}");
        told(&recorder, &outcome);
    }
    for flat in [false, true] {
        let script = script(input);
        let log = script.log();
        let pulled = if flat {
            let machine = Ingest::flat(&head, &case.policy, &mut engine, &mut output, case.inspector());
            pull(form, lending, machine, script, watch())
        } else {
            let ring = Ring::from_slice(&mut window).expect("a power of two");
            let machine = Ingest::ring(&head, &case.policy, &mut engine, ring, case.inspector(), ());
            pull(form, lending, machine, script, watch())
        };
        assert_eq!(log.late(), 0, "{form:?}");
        let cancels = u32::try_from(log.cancels()).unwrap();
        reader::check((pulled.bytes, pulled.end, pulled.outcome, cancels), &expected, &plain);
    }
}

fn watch() -> Watch<NoClock> {
    Watch::new(Pace::within(1), NoClock)
}

/// Brings the body in steps, with one or two events before every so many bytes.
fn script(input: Input<'_>) -> Script {
    let [step, gap, kinds, _] = input.sizes().map(usize::from);
    let length = input.body.len();
    let step = if step == 0 { length.max(1) } else { step };
    let places = (0..=length).step_by(gap.max(1)).take(if gap == 0 { 0 } else { usize::MAX });
    let events = places.enumerate().flat_map(|(index, at)| {
        let event = |shift: usize| {
            if kinds >> ((index + shift) % 8) & 1 == 0 { Event::Pend } else { Event::Interrupt }
        };
        let both = kinds >> (index % 5) & 2 == 0;
        [Some((at, event(0))), both.then(|| (at, event(3)))]
    });
    Script::new(input.body, step, events.flatten())
}
