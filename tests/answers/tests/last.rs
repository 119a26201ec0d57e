//! The selection is the last check: what it found counts only where the decoder and all inspectors before it let the body end.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use answers::gzip;
use plimsoll::json::{Counted, Fields, Pointers, Select, Slot, Template};
use plimsoll::{
    Coding, Head, Inspect, Limits, Memory, Outcome, Policy, Reason, Refusal, Rejection, Rendered, ToolResult,
};

const POINTERS: Pointers<'static, 1> = match Pointers::new(["/a"]) {
    Ok(pointers) => pointers,
    Err(_) => panic!("found when this is compiled"),
};

const TEMPLATE: Template<'static, 1> = match Template::new(&POINTERS, ["a"]) {
    Ok(template) => template,
    Err(_) => panic!("found when this is compiled"),
};

/// Refuses at the end of a body, or never.
struct Final(bool);

const NO: Rejection = Rejection::new(Reason::Capacity);

impl Inspect for Final {
    fn inspect(&mut self, _bytes: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        if self.0 { Err(NO) } else { Ok(()) }
    }
}

/// Whether something was selected, and what the result is.
fn receive(body: &[u8], refuses: bool, first: bool) -> (bool, Outcome, Option<String>) {
    let policy = Policy::strict(Limits::GATEWAY);
    let (mut bytes, mut slots, mut buffer) = ([0; 16], [Slot::EMPTY; 1], [0; 16]);
    let fields = Fields::new(&mut bytes, &mut slots);
    let select = Select::<Counted<32>, _, 1>::of_fields(&POINTERS, policy.limits.document, fields);
    let mut select = select.unwrap();
    let (head, mut memory) = (Head::new(Coding::Gzip), Box::new(Memory::<1024>::new()));
    let outcome = if first {
        let mut ingest = memory.ring(&head, &policy, (&mut select, Final(refuses)), ());
        let Ok(_) = ingest.push(body);
        ingest.finish()
    } else {
        let mut ingest = memory.ring(&head, &policy, (Final(refuses), &mut select), ());
        let Ok(_) = ingest.push(body);
        ingest.finish()
    };
    let Ok(outcome) = outcome;
    let selected = select.into_selected();
    let found = selected.is_some();
    match ToolResult::new(&mut buffer).object(&TEMPLATE, selected, outcome) {
        (outcome, Rendered::Complete(text)) => (found, outcome, Some(text.to_owned())),
        (outcome, _) => (found, outcome, None),
    }
}

#[test]
fn what_another_inspector_or_the_decoder_refuses_at_the_end_is_not_selected() {
    let body = gzip(br#"{"a":17}"#);
    let (found, outcome, text) = receive(&body, false, false);
    assert!(found && outcome.is_complete());
    assert_eq!(text.as_deref(), Some(r#"{"a":17}"#));

    let (found, outcome, text) = receive(&body, true, false);
    assert_eq!((found, outcome.rejection(), text), (false, Some(NO), None));
    let (found, outcome, text) = receive(&body[..body.len() - 1], false, false);
    assert_eq!((found, outcome.rejection().unwrap().reason(), text), (false, Reason::IncompleteGzip, None));
}

#[test]
fn a_result_is_made_of_complete_bodies_only_also_where_the_selection_was_asked_too_early() {
    let (found, outcome, text) = receive(&gzip(br#"{"a":17}"#), true, true);
    assert_eq!((found, outcome.rejection(), text), (true, Some(NO), None));
}
