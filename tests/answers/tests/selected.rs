//! Fields of random documents, at random pointers, through gzip and cut anywhere: what a tree says, and the result that is
//! rendered of them, within limits that are exact.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use answers::document::{key, style, tree, written};
use answers::pointers::{Way, is_many, named, way};
use answers::{config, gzip};
use plimsoll::json::{
    Counted, Fields, Framing, Pointers, RecordFields, RecordLimits, Select, SelectRecords, Selected, Slot,
    Template, Value,
};
use plimsoll::{
    ByteBound, Coding, Head, Inspect, Limits, Memory, Next, Outcome, Policy, Reason, Rejection, Rendered,
    ToolResult,
};
use proptest::prelude::*;
use serde_json::{Map, json};

/// Room for pointers, more than there are.
const P: usize = 6;

const LIMITS: Limits = Limits::GATEWAY;

/// Takes a gzip body in pieces of `size` through a window and `inspector`.
fn receive(body: &[u8], size: usize, inspector: impl Inspect) -> Outcome {
    let (head, policy) = (Head::new(Coding::Gzip), Policy::strict(LIMITS));
    let mut memory = Box::new(Memory::<32768>::new());
    let mut ingest = memory.ring(&head, &policy, inspector, ());
    for piece in gzip(body).chunks(size) {
        let Ok(next) = ingest.push(piece);
        if next == Next::Stop {
            break;
        }
    }
    let Ok(outcome) = ingest.finish();
    outcome
}

/// What a value is for `serde_json`.
fn value(found: Value<'_>) -> serde_json::Value {
    match found {
        Value::Null => json!(null),
        Value::Bool(value) => json!(value),
        Value::Number(number) => serde_json::from_str(number.as_str()).unwrap(),
        Value::String(text) => json!(text.as_str()),
        Value::Array(text) | Value::Object(text) => serde_json::from_str(text.as_str()).unwrap(),
    }
}

/// The pointers of ways, and names that differ.
fn fields(ways: &[(Way, String)], tree: &serde_json::Value) -> (Vec<String>, Vec<String>) {
    let pointers = ways.iter().map(|(way, _)| way.pointer(tree)).collect();
    let names = ways.iter().enumerate().map(|(index, (_, name))| format!("{name}{index}")).collect();
    (pointers, names)
}

/// The object of these fields.
fn object(pointers: &[String], names: &[String], tree: &serde_json::Value) -> Map<String, serde_json::Value> {
    let mut object = Map::new();
    for (pointer, name) in pointers.iter().zip(names) {
        let found = named(tree, pointer);
        if is_many(pointer) {
            object.insert(name.clone(), found.into_iter().cloned().collect());
        } else if let [found] = found[..] {
            object.insert(name.clone(), found.clone());
        }
    }
    object
}

fn strs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// The result of a document in `room` bytes and as many tokens.
fn result(
    text: &str,
    size: usize,
    fields: &(Vec<String>, Vec<String>),
    room: usize,
    tokens: u64,
    leave_out: bool,
) -> (Outcome, Result<String, Option<(String, u64)>>) {
    let pointers = Pointers::<P>::up_to(&strs(&fields.0)).unwrap();
    let template = Template::up_to(&pointers, &strs(&fields.1)).unwrap();
    let (mut bytes, mut slots) = (vec![0xff; 1 << 16], vec![Slot::EMPTY; 1000]);
    let fields = Fields::new(&mut bytes, &mut slots);
    let mut select = Select::<Counted<32>, _, P>::of_fields(&pointers, LIMITS.document, fields).unwrap();
    let outcome = receive(text.as_bytes(), size, &mut select);
    assert!(outcome.is_complete(), "{text} {outcome:?}");
    let mut buffer = vec![0xff; room];
    let result = ToolResult::new(&mut buffer).with_tokens(tokens, ByteBound);
    let result = if leave_out { result.leave_out() } else { result };
    let (outcome, rendered) = result.object(&template, select.into_selected(), outcome);
    let rendered = match rendered {
        Rendered::Complete(text) => Ok(text.to_owned()),
        Rendered::Preview(preview) => Err(Some((preview.unfinished_text().to_owned(), preview.left_out()))),
        Rendered::Nothing => Err(None),
    };
    (outcome, rendered)
}

/// The lines of a stream of records in `room` bytes.
fn lines(
    body: &str,
    framing: Framing,
    size: usize,
    fields: &(Vec<String>, Vec<String>),
    room: usize,
    leave_out: bool,
) -> (Outcome, Result<String, Option<(String, u64)>>) {
    let pointers = Pointers::<P>::up_to(&strs(&fields.0)).unwrap();
    let template = Template::up_to(&pointers, &strs(&fields.1)).unwrap();
    let (mut bytes, mut slots) = (vec![0xff; 1 << 16], vec![Slot::EMPTY; 1000]);
    let mut buffer = vec![0xff; room];
    let mut result = ToolResult::new(&mut buffer);
    if leave_out {
        result = result.leave_out();
    }
    let kept = RecordFields::new(Fields::new(&mut bytes, &mut slots), |_, selected: Selected<'_>| {
        result.record(&template, &selected)
    });
    let (records, kept_room) = (RecordLimits { bytes: LIMITS.record, records: LIMITS.records }, kept.room());
    let mut select = SelectRecords::<Counted<32>, _, P>::new(
        &pointers,
        framing,
        records,
        LIMITS.document,
        kept_room,
        kept,
    )
    .unwrap();
    let outcome = receive(body.as_bytes(), size, &mut select);
    let (outcome, rendered) = result.finish(outcome);
    let rendered = match rendered {
        Rendered::Complete(text) => Ok(text.to_owned()),
        Rendered::Preview(preview) => Err(Some((preview.unfinished_text().to_owned(), preview.left_out()))),
        Rendered::Nothing => Err(None),
    };
    (outcome, rendered)
}

fn ways() -> impl Strategy<Value = Vec<(Way, String)>> {
    prop::collection::vec((way(5), key()), 0..=P)
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn a_pointer_finds_what_it_names_in_a_tree(tree in tree(), style in style(), ways in ways(), size in 1..64_usize) {
        let text = written(&tree, &style);
        let (texts, _) = fields(&ways, &tree);
        let pointers = Pointers::<P>::up_to(&strs(&texts)).unwrap();
        let (mut bytes, mut slots) = (vec![0xff; 1 << 16], vec![Slot::EMPTY; 1000]);
        let kept = Fields::new(&mut bytes, &mut slots);
        let mut select = Select::<Counted<32>, _, P>::of_fields(&pointers, LIMITS.document, kept).unwrap();
        let outcome = receive(text.as_bytes(), size, &mut select);
        prop_assert!(outcome.is_complete(), "{:?}", outcome);
        let selected = select.into_selected().unwrap();
        for (index, pointer) in texts.iter().enumerate() {
            let found: Vec<_> = selected.all(index).map(value).collect();
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), named(&tree, pointer), "{}", pointer);
            // The oracle's own pointers have neither `*` nor `~2`.
            if !pointer.contains('*') && !pointer.contains("~2") {
                prop_assert_eq!(found.first(), tree.pointer(pointer), "{}", pointer);
            }
        }
    }

    #[test]
    fn a_result_is_the_object_of_the_fields_and_has_exactly_so_many_bytes_and_tokens(
        tree in tree(), style in style(), ways in ways(), size in 1..64_usize
    ) {
        let (body, fields) = (written(&tree, &style), fields(&ways, &tree));
        let run = |room, tokens| result(&body, size, &fields, room, tokens, false);
        let (outcome, rendered) = run(1 << 17, 1 << 17);
        prop_assert!(outcome.is_complete());
        let rendered = rendered.unwrap();
        let expected = object(&fields.0, &fields.1, &tree);
        let parsed: serde_json::Value = serde_json::from_str(&rendered).unwrap();
        prop_assert_eq!(&parsed, &serde_json::Value::Object(expected));
        prop_assert!(!rendered.bytes().any(|byte| byte < b' '), "{:?}", rendered);
        let len = rendered.len();
        prop_assert_eq!(run(len, len as u64).1, Ok(rendered));
        let over = |reason, limit: usize| Some(Rejection::limit_exceeded(reason, limit as u64));
        let (outcome, rendered) = run(len - 1, len as u64);
        prop_assert_eq!((outcome.rejection(), rendered), (over(Reason::RetainedLimit, len - 1), Err(None)));
        let (outcome, rendered) = run(len, len as u64 - 1);
        prop_assert_eq!((outcome.rejection(), rendered), (over(Reason::TokenLimit, len - 1), Err(None)));
    }

    #[test]
    fn a_preview_is_an_object_of_some_fields_and_counts_the_others(
        tree in tree(), style in style(), ways in ways(), room in 0..120_usize, by_tokens: bool
    ) {
        let (body, fields) = (written(&tree, &style), fields(&ways, &tree));
        let (bytes, tokens) = if by_tokens { (1 << 17, room as u64) } else { (room, 1 << 17) };
        let expected = object(&fields.0, &fields.1, &tree);
        let (outcome, rendered) = result(&body, 33, &fields, bytes, tokens, true);
        let (shown, left_out) = match rendered {
            Ok(text) => (text, 0),
            Err(Some((text, left_out))) => {
                prop_assert!(matches!(outcome.verdict, plimsoll::Verdict::Preview) && left_out > 0);
                // It is one because all of it does not fit.
                let (_, whole) = result(&body, 33, &fields, 1 << 17, 1 << 17, false);
                prop_assert!(whole.unwrap().len() > room);
                (text, left_out)
            }
            Err(None) => {
                // Of an object without members there is no part.
                prop_assert!(expected.is_empty() && room < 2);
                let reason = if by_tokens { Reason::TokenLimit } else { Reason::RetainedLimit };
                prop_assert_eq!(outcome.rejection(), Some(Rejection::limit_exceeded(reason, room as u64)));
                return Ok(());
            }
        };
        prop_assert!(shown.len() <= room);
        if room < 2 {
            prop_assert_eq!((shown.as_str(), left_out), ("", expected.len() as u64));
            return Ok(());
        }
        let parsed: Map<String, serde_json::Value> = serde_json::from_str(&shown).unwrap();
        prop_assert_eq!(parsed.len() as u64 + left_out, expected.len() as u64);
        for (name, value) in &parsed {
            prop_assert_eq!(Some(value), expected.get(name));
        }
    }

    #[test]
    fn records_are_a_line_each_and_a_preview_of_them_their_beginning(
        trees in prop::collection::vec(tree(), 0..6), style in style(), ways in ways(), size in 1..64_usize, lines_in: bool,
        room in 0..200_usize
    ) {
        let fields = fields(&ways, trees.first().unwrap_or(&json!(null)));
        let (framing, body): (_, String) = if lines_in {
            (Framing::Lines, trees.iter().map(|tree| written(tree, &style) + "\n").collect())
        } else {
            (Framing::Sequence, trees.iter().map(|tree| format!("\u{1e}{}\n", written(tree, &style))).collect())
        };
        let expected: Vec<_> = trees.iter().map(|tree| serde_json::Value::Object(object(&fields.0, &fields.1, tree))).collect();
        let (outcome, whole) = lines(&body, framing, size, &fields, 1 << 17, false);
        prop_assert!(outcome.is_complete(), "{:?}", outcome);
        let whole = whole.unwrap();
        let parsed: Vec<serde_json::Value> = whole.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        prop_assert_eq!(parsed, expected);
        prop_assert!(whole.is_empty() || whole.ends_with('\n'));

        let (_, exact) = lines(&body, framing, size, &fields, whole.len(), false);
        prop_assert_eq!(exact.as_ref(), Ok(&whole));
        if let Some(less) = whole.len().checked_sub(1) {
            let (outcome, rendered) = lines(&body, framing, size, &fields, less, false);
            let rejection = outcome.rejection().unwrap();
            prop_assert_eq!((rejection.reason(), rejection.record()), (Reason::RetainedLimit, Some(trees.len() as u64 - 1)));
            prop_assert_eq!((rejection.limit().unwrap().value, rendered), (less as u64, Err(None)));
        }

        // As many lines as fit one after the other.
        let mut fit = String::new();
        for line in whole.split_inclusive('\n') {
            if fit.len() + line.len() > room {
                break;
            }
            fit.push_str(line);
        }
        let left_out = (whole.lines().count() - fit.lines().count()) as u64;
        let rendered = lines(&body, framing, size, &fields, room, true).1;
        prop_assert_eq!(rendered, if left_out == 0 { Ok(fit) } else { Err(Some((fit, left_out))) });
    }
}
