//! A tool result that was refused, whoever looks at the refusal; and what is shown of one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that fails fails loudly")]

use std::cell::Cell;
use std::fmt::Debug;

use plimsoll::json::{Counted, Fields, Limits, Pointers, Select, Selected, Slot, Template};
use plimsoll::{
    ByteBound, Inspect, Outcome, Reason, Rejection, Rendered, ResultMeter, TokenCounter, ToolResult, Verdict,
};

const COMPLETE: Outcome = Outcome {
    verdict: Verdict::Complete,
    encoded_bytes: 14,
    decoded_bytes: 14,
    lower_bound: false,
    exposed_bytes: 0,
    cancelled: false,
};

/// What `/a` names in a document, for a template of one member.
fn with_selected(test: impl FnOnce(&Template<'_, 1>, &Selected<'_>)) {
    let pointers = Pointers::new(["/a"]).unwrap();
    let template = Template::new(&pointers, ["a"]).unwrap();
    let (mut bytes, mut slots) = ([0; 16], [Slot::EMPTY; 2]);
    let limits = Limits { depth: 4, ..Limits::DEVICE };
    let fields = Fields::new(&mut bytes, &mut slots);
    let mut select = Select::<Counted<4>, _, 1>::of_fields(&pointers, limits, fields).unwrap();
    select.inspect(br#"{"a":"SECRET"}"#).unwrap();
    select.finish().unwrap();
    test(&template, &select.into_selected().unwrap());
}

/// Begins with its name, and shows no text.
fn hides(what: &dyn Debug, name: &str) {
    let shown = format!("{what:?}");
    assert!(shown.starts_with(name), "{shown}");
    assert!(!shown.contains("SECRET") && !shown.contains("83, 69, 67"), "{shown}");
}

/// A line of the result: `{"a":"SECRET"}` and its end.
const LINE: usize = 15;

#[test]
fn a_record_that_does_not_fit_refuses_the_result_also_where_nobody_looks() {
    with_selected(|template, selected| {
        for room in [LINE, LINE + 1, 2 * LINE - 1] {
            let mut buffer = [0; 2 * LINE];
            let mut result = ToolResult::new(buffer.get_mut(..room).unwrap());
            assert_eq!(result.record(template, selected), Ok(()));
            let refused = Rejection::limit_exceeded(Reason::RetainedLimit, room as u64);
            assert_eq!(result.record(template, selected), Err(refused));
            hides(&result, "ToolResult { len: 15, .. }");
            let (outcome, rendered) = result.finish(COMPLETE);
            assert_eq!(outcome.rejection(), Some(refused));
            hides(&rendered, "Nothing");
            assert!(matches!(rendered, Rendered::Nothing), "{rendered:?}");
        }
        let mut buffer = [0; 2 * LINE];
        let mut result = ToolResult::new(&mut buffer);
        assert_eq!([result.record(template, selected), result.record(template, selected)], [Ok(()); 2]);
        let (outcome, rendered) = result.finish(COMPLETE);
        assert_eq!(outcome, COMPLETE);
        hides(&rendered, "Complete { length: 30, .. }");
        assert!(matches!(rendered, Rendered::Complete(text) if text.len() == 2 * LINE), "{rendered:?}");
    });
}

#[test]
fn what_is_left_out_is_counted_and_not_shown() {
    with_selected(|template, selected| {
        let mut buffer = [0; LINE + 3];
        let mut result = ToolResult::new(&mut buffer).leave_out();
        for _ in 0..3 {
            assert_eq!(result.record(template, selected), Ok(()));
        }
        let (outcome, rendered) = result.finish(COMPLETE);
        hides(&rendered, "Preview(ResultPreview { length: 15, left_out: 2 })");
        assert_eq!(outcome.verdict, Verdict::Preview);
        let Rendered::Preview(preview) = rendered else { panic!("{rendered:?}") };
        hides(&preview, "ResultPreview { length: 15, left_out: 2 }");
        assert_eq!((preview.unfinished_text().len(), preview.left_out()), (LINE, 2));
    });
}

#[test]
fn leaving_out_and_counting_tokens_are_asked_for_in_any_order() {
    with_selected(|template, selected| {
        for leaves_out_first in [true, false] {
            let mut buffer = [0; 4 * LINE];
            let result = ToolResult::new(&mut buffer);
            let mut result = if leaves_out_first {
                result.leave_out().with_tokens(LINE as u64, ByteBound)
            } else {
                result.with_tokens(LINE as u64, ByteBound).leave_out()
            };
            assert_eq!([result.record(template, selected), result.record(template, selected)], [Ok(()); 2]);
            let (outcome, rendered) = result.finish(COMPLETE);
            assert_eq!(outcome.verdict, Verdict::Preview);
            let Rendered::Preview(preview) = rendered else { panic!("{rendered:?}") };
            assert_eq!((preview.unfinished_text().len(), preview.left_out()), (LINE, 1));
        }
    });
}

/// As many tokens as bytes, and how often they were counted.
struct Counting<'a>(&'a Cell<u32>);

impl TokenCounter for Counting<'_> {
    fn count(&mut self, text: &str, _most: u64) -> u64 {
        self.0.set(self.0.get().saturating_add(1));
        text.len() as u64
    }
}

#[test]
fn an_object_of_no_more_bytes_than_it_may_have_tokens_is_not_counted() {
    with_selected(|template, selected| {
        // `{"a":"SECRET"}` has 14 bytes.
        let refused = Some(Rejection::limit_exceeded(Reason::TokenLimit, 13));
        for (tokens, counts, rejection) in [(15, 0, None), (14, 0, None), (13, 1, refused)] {
            let (mut buffer, counted) = ([0; LINE], Cell::new(0));
            let result = ToolResult::new(&mut buffer).with_tokens(tokens, Counting(&counted));
            let (outcome, _) = result.object(template, Some(*selected), COMPLETE);
            assert_eq!((outcome.rejection(), counted.get()), (rejection, counts), "{tokens}");
        }
    });
}

#[test]
fn a_meter_that_has_refused_refuses_every_line_and_one_that_leaves_out_counts_them() {
    fn drive<C: TokenCounter>(mut meter: ResultMeter<C>) -> (Vec<Result<bool, Reason>>, u64, u64) {
        let lines = ["12345\n", "123456\n", "\n", ""];
        let verdicts = lines.map(|line| meter.admit(line).map_err(|rejection| rejection.reason()));
        (verdicts.to_vec(), meter.admitted(), meter.left_out())
    }
    let mut counter = ByteBound;
    for (bytes, tokens, reason) in [(12, 99, Reason::RetainedLimit), (99, 12, Reason::TokenLimit)] {
        let refused = vec![Ok(true), Err(reason), Err(reason), Err(reason)];
        assert_eq!(drive(ResultMeter::new(bytes, tokens, &mut counter)), (refused, 1, 0));
        let left_out = vec![Ok(true), Ok(false), Ok(false), Ok(false)];
        assert_eq!(drive(ResultMeter::new(bytes, tokens, &mut counter).leave_out()), (left_out, 1, 3));
    }
    let all = vec![Ok(true); 4];
    assert_eq!(drive(ResultMeter::new(14, 14, &mut counter)), (all, 4, 0));
}
