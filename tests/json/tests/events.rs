//! The whole tokens that an assembler gives: literals at every cut, and the end of a document whose rest is handed back.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by a panic")]

use plimsoll_json::{Assembler, Counted, Event, Limits, Progress};

fn assembler(scratch: &mut [u8]) -> Assembler<'_, Counted<16>> {
    Assembler::new(Limits::DEVICE, scratch).unwrap()
}

#[test]
fn literals_are_the_same_events_at_every_cut() {
    let body = b"[true,false,null]";
    for cut in 0..=body.len() {
        let (mut scratch, mut events) = ([0; 16], Vec::new());
        let mut assembler = assembler(&mut scratch);
        for piece in [&body[..cut], &body[cut..]] {
            let mut rest = piece;
            while let Progress { consumed, event: Some(event) } = assembler.step(rest).unwrap() {
                events.push(format!("{event:?}"));
                rest = &rest[consumed..];
            }
        }
        assert_eq!(assembler.finish(), Ok(Event::End));
        assert_eq!(events, ["BeginArray", "True", "False", "Null", "EndArray"], "cut at {cut}");
    }
}

#[test]
fn the_end_comes_behind_the_value_where_the_rest_is_handed_back() {
    let mut scratch = [0; 16];
    let mut assembler = assembler(&mut scratch).hand_back_rest();
    assert_eq!(assembler.step(b"false, and more"), Ok(Progress { consumed: 5, event: Some(Event::False) }));
    assert_eq!(assembler.step(b", and more"), Ok(Progress { consumed: 0, event: Some(Event::End) }));
}
