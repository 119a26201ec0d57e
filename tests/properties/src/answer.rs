//! Results for a tool: what was selected, as compact JSON within bytes and tokens.

use plimsoll::json::{Counted, Fields, Select, Slot, Template, Tokenizer};
use plimsoll::{ByteBound, Outcome, Reason, Rejection, Rendered, ToolResult, Verdict};
use plimsoll_tests_json::feed::{self, Event};
use plimsoll_tests_json::oracle;
use plimsoll_tests_json::select::{self, LIMITS, Match};
use serde_json::{Map, Value};

use crate::input::Input;
use crate::json::names_a_number;
use crate::select::parts;

/// The names of the members: such as need an escape, too.
const NAMES: [&str; 3] = ["name", "q\"\\\n\u{1}", "é😀"];

/// A result is the object of what was selected, as `serde_json` reads it back. Exactly at its limits for bytes and tokens
/// it is whole; over one it is refused, or, where that was asked for, a part of it that says how much is missing.
pub fn rendered(input: Input<'_>) {
    let Some((set, input)) = parts(input) else { return };
    let template = Template::new(&set, NAMES).expect("the names differ");
    let (mut bytes, mut slots) = (vec![0xff; 1 << 16], vec![Slot::EMPTY; 1 << 13]);
    let fields = Fields::new(&mut bytes, &mut slots);
    let mut selection = Select::<Counted<64>, _, 3>::of_fields(&set, LIMITS, fields).unwrap();
    _ = select::drive(&mut selection, input.pieces(), Select::offset);
    let Some(selected) = selection.into_selected() else { return };

    let mut buffer = vec![0xA5; 1 << 20];
    let text = template.render(&selected, &mut buffer).expect("there is room").to_owned();
    assert!(!text.contains(['\n', '\r', '\t']), "one line: {text}");
    let tokenizer = Tokenizer::<Counted<64>>::new(LIMITS).unwrap();
    if names_a_number(&feed::tokens(tokenizer, [input.body], &mut Vec::new()).0) {
        return;
    }
    let whole: Map<String, Value> = serde_json::from_str(&text).expect("valid JSON");
    assert_eq!(whole, expected(set.texts(), &select::shown(&selected)), "{text}");
    let in_order: Vec<&str> = NAMES.into_iter().filter(|name| whole.contains_key(*name)).collect();
    assert_eq!(outermost(&text), in_order, "{text}");

    let near = |dial: u64| (text.len() as u64 + dial).saturating_sub(128);
    let (room, tokens) = (near(input.dial(12)), near(input.dial(13)));
    for leaves_out in [false, true] {
        let result = ToolResult::new(&mut buffer[..room as usize]).with_tokens(tokens, ByteBound);
        let result = if leaves_out { result.leave_out() } else { result };
        let (outcome, rendered) = result.object(&template, Some(selected), COMPLETE);
        let over = if text.len() as u64 > room {
            Some(Rejection::limit_exceeded(Reason::RetainedLimit, room))
        } else {
            (text.len() as u64 > tokens).then(|| Rejection::limit_exceeded(Reason::TokenLimit, tokens))
        };
        match (rendered, over) {
            (Rendered::Complete(found), None) => {
                assert_eq!((found, outcome), (text.as_str(), COMPLETE));
            }
            (Rendered::Nothing, Some(over)) if !leaves_out || whole.is_empty() => {
                assert_eq!(outcome, Outcome { verdict: Verdict::Rejected(over), ..COMPLETE });
            }
            (Rendered::Preview(preview), Some(_)) if leaves_out => {
                assert_eq!(outcome, Outcome { verdict: Verdict::Preview, ..COMPLETE });
                let part = preview.unfinished_text();
                assert!(part.len() as u64 <= room.min(tokens), "{part}");
                let members: Map<String, Value> = if part.is_empty() {
                    Map::new()
                } else {
                    serde_json::from_str(part).expect("valid JSON")
                };
                assert!(
                    members.iter().all(|(name, value)| whole.get(name) == Some(value)),
                    "{part} of {text}"
                );
                assert_eq!(preview.left_out(), (whole.len() - members.len()) as u64, "{part} of {text}");
                assert!(preview.left_out() > 0, "{part} of {text}");
            }
            (rendered, over) => panic!("{rendered:?}, leaves out: {leaves_out}, {over:?}, {outcome:?}"),
        }
    }
}

const COMPLETE: Outcome = Outcome {
    verdict: Verdict::Complete,
    encoded_bytes: 1,
    decoded_bytes: 1,
    lower_bound: false,
    exposed_bytes: 0,
    cancelled: false,
};

/// The keys of the outermost object, in order.
fn outermost(text: &str) -> Vec<String> {
    let (mut keys, mut depth) = (Vec::new(), 0);
    for event in oracle::events(text.as_bytes()).expect("valid JSON") {
        match event {
            Event::BeginArray | Event::BeginObject => depth += 1,
            Event::EndArray | Event::EndObject => depth -= 1,
            Event::Key(key) if depth == 1 => keys.push(key),
            _ => {}
        }
    }
    keys
}

/// The object of these matches: a value for each pointer that names one, and an array for each that has an asterisk.
fn expected(pointers: &[&str], matches: &[Match]) -> Map<String, Value> {
    let mut members = Map::new();
    for (index, pointer) in pointers.iter().enumerate() {
        let mut values = matches.iter().filter(|(of, ..)| *of == index).map(value);
        if pointer.split('/').any(|token| token == "*") {
            members.insert(NAMES[index].into(), values.collect());
        } else if let Some(value) = values.next() {
            members.insert(NAMES[index].into(), value);
            assert_eq!(values.next(), None, "{pointer} names one value");
        }
    }
    members
}

fn value((_, kind, text): &Match) -> Value {
    use plimsoll::json::Kind;
    let text = core::str::from_utf8(text).expect("text");
    match kind {
        Kind::Null => Value::Null,
        Kind::False => false.into(),
        Kind::True => true.into(),
        Kind::String => text.into(),
        _ => serde_json::from_str(text).expect("JSON"),
    }
}
