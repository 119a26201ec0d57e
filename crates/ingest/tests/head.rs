//! What the head says of the body, held against the body.
#![allow(clippy::unwrap_used, reason = "a test that fails fails loudly")]

use plimsoll::{DefaultEngine, Head, Ingest, Limits, Next, Policy, Reason};

#[test]
fn a_response_without_a_body_has_none() {
    let policy = Policy::strict(Limits::SMALL_DEVICE);
    let (mut engine, mut output) = (DefaultEngine::new(), [0; 8]);
    let mut ingest = Ingest::flat(&Head::without_body(), &policy, &mut engine, &mut output, ());
    let (outcome, body) = ingest.finish_flat();
    assert!(outcome.is_complete());
    assert_eq!(body.map(|body| body.len()), Some(0));
    let mut ingest = Ingest::flat(&Head::without_body(), &policy, &mut engine, &mut output, ());
    assert_eq!(ingest.push(b"x"), Ok(Next::Stop));
    let rejection = ingest.finish_flat().0.rejection().unwrap();
    assert_eq!((rejection.reason(), rejection.at()), (Reason::LengthMismatch, Some(0)));
}
