//! Every limit of a selection behind gzip, exactly at it and one over, by pieces of 1, 7 and all bytes: the whole document is
//! held to its limits, whether anyone asked for what is over or not.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use answers::gzip;
use plimsoll::json::{
    self, Counted, Fields, Framing, Pointers, RecordFields, RecordLimits, Select, SelectRecords, Selected,
    Slot, Template,
};
use plimsoll::{
    Coding, Head, Inspect, Limits, Memory, Next, Outcome, Policy, Reason, Rejection, Rendered, ToolResult,
};

/// No limit is near.
const WIDE: Limits = Limits::GATEWAY;

/// What a body may be, what may be kept of it, and what may come of it.
#[derive(Clone, Copy)]
struct Setting {
    limits: Limits,
    bytes: usize,
    matches: usize,
    room: usize,
}

const SETTING: Setting = Setting { limits: WIDE, bytes: 256, matches: 16, room: 256 };

const POINTERS: Pointers<'static, 2> = match Pointers::new(["/a", "/b/*"]) {
    Ok(pointers) => pointers,
    Err(_) => panic!("found when this is compiled"),
};

const TEMPLATE: Template<'static, 2> = match Template::new(&POINTERS, ["a", "b"]) {
    Ok(template) => template,
    Err(_) => panic!("found when this is compiled"),
};

/// Takes a gzip body in pieces of `size`.
fn receive(body: &[u8], size: usize, limits: Limits, inspector: impl Inspect) -> Outcome {
    let (head, policy) = (Head::new(Coding::Gzip), Policy::strict(limits));
    let mut memory = Box::new(Memory::<4096>::new());
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

fn told((outcome, rendered): (Outcome, Rendered<'_>)) -> Result<String, Rejection> {
    match rendered {
        Rendered::Complete(text) => Ok(text.to_owned()),
        _ => Err(outcome.rejection().unwrap()),
    }
}

fn document(body: &str, size: usize, setting: Setting) -> Result<String, Rejection> {
    let Setting { limits, bytes, matches, room } = setting;
    let (mut bytes, mut slots, mut buffer) =
        (vec![0xff; bytes], vec![Slot::EMPTY; matches], vec![0xff; room]);
    let fields = Fields::new(&mut bytes, &mut slots);
    let mut select = Select::<Counted<32>, _, 2>::of_fields(&POINTERS, limits.document, fields).unwrap();
    let outcome = receive(body.as_bytes(), size, limits, &mut select);
    told(ToolResult::new(&mut buffer).object(&TEMPLATE, select.into_selected(), outcome))
}

fn lines(body: &str, size: usize, setting: Setting) -> Result<String, Rejection> {
    let Setting { limits, bytes, matches, room } = setting;
    let (mut bytes, mut slots, mut buffer) =
        (vec![0xff; bytes], vec![Slot::EMPTY; matches], vec![0xff; room]);
    let mut result = ToolResult::new(&mut buffer);
    let fields = Fields::new(&mut bytes, &mut slots);
    let fields = RecordFields::new(fields, |_, selected: Selected<'_>| result.record(&TEMPLATE, &selected));
    let (most, kept) = (RecordLimits { bytes: limits.record, records: limits.records }, fields.room());
    let lines = Framing::Lines;
    let select =
        SelectRecords::<Counted<32>, _, 2>::new(&POINTERS, lines, most, limits.document, kept, fields);
    let outcome = receive(body.as_bytes(), size, limits, &mut select.unwrap());
    told(result.finish(outcome))
}

fn with(change: impl FnOnce(&mut Setting)) -> Setting {
    let mut setting = SETTING;
    change(&mut setting);
    setting
}

fn of_document(change: impl FnOnce(&mut json::Limits)) -> Setting {
    with(|setting| change(&mut setting.limits.document))
}

/// A setting under which the first body is taken and the second refused, with this reason and limit, and the decoded byte
/// that decides.
type Case<'a> = (Setting, &'a str, &'a str, Reason, u64, Option<u64>);

fn edges(take: impl Fn(&str, usize, Setting) -> Result<String, Rejection>, cases: &[Case<'_>]) {
    for &(setting, exact, over, reason, limit, at) in cases {
        for size in [1, 7, usize::MAX] {
            let taken = take(exact, size, setting);
            assert!(taken.is_ok(), "{exact} by {size}: {taken:?}");
            let refused = take(over, size, setting).unwrap_err();
            let value = refused.limit().map(|limit| limit.value);
            assert_eq!(
                (refused.reason(), value, refused.at()),
                (reason, Some(limit), at),
                "{over} by {size}"
            );
        }
    }
}

#[test]
fn the_limits_of_a_document_hold_also_where_nobody_asks() {
    edges(
        document,
        &[
            (
                of_document(|it| it.depth = 3),
                r#"{"x":[[1]]}"#,
                r#"{"x":[[[1]]]}"#,
                Reason::DepthLimit,
                3,
                Some(7),
            ),
            (
                of_document(|it| it.depth = 3),
                r#"{"a":[[1]]}"#,
                r#"{"a":[[[1]]]}"#,
                Reason::DepthLimit,
                3,
                Some(7),
            ),
            (
                of_document(|it| it.string = 3),
                r#"{"x":"abc"}"#,
                r#"{"x":"abcd"}"#,
                Reason::StringLimit,
                3,
                Some(9),
            ),
            (
                of_document(|it| it.string = 3),
                r#"{"a":"\u00e9c"}"#,
                r#"{"a":"c\u00e9é"}"#,
                Reason::StringLimit,
                3,
                Some(13),
            ),
            (of_document(|it| it.key = 2), r#"{"xy":1}"#, r#"{"xyz":1}"#, Reason::KeyLimit, 2, Some(4)),
            (
                of_document(|it| it.key = 1),
                r#"{"\u0061":1}"#,
                r#"{"b":[{"aa":1}]}"#,
                Reason::KeyLimit,
                1,
                Some(9),
            ),
            (
                of_document(|it| it.number = 4),
                r#"{"x":1e-5}"#,
                r#"{"x":12345}"#,
                Reason::NumberLimit,
                4,
                Some(9),
            ),
            (
                of_document(|it| it.number = 4),
                r#"{"a":1e-5}"#,
                r#"{"a":12345}"#,
                Reason::NumberLimit,
                4,
                Some(9),
            ),
            (
                of_document(|it| it.items = 2),
                r#"{"x":[1,2]}"#,
                r#"{"x":[1,2,3]}"#,
                Reason::ItemLimit,
                2,
                Some(10),
            ),
            (
                of_document(|it| it.items = 2),
                r#"{"b":[1,2]}"#,
                r#"{"b":[1,2,3]}"#,
                Reason::ItemLimit,
                2,
                Some(10),
            ),
            (
                of_document(|it| it.values = 4),
                r#"{"x":[1,2]}"#,
                r#"{"x":[1,2,3]}"#,
                Reason::ValueLimit,
                4,
                Some(10),
            ),
        ],
    );
}

#[test]
fn the_limits_of_the_body_come_before_those_of_the_fields() {
    edges(
        document,
        &[(with(|it| it.limits.decoded = 7), r#"{"a":1}"#, r#"{"a":12}"#, Reason::DecodedLimit, 7, None)],
    );
    let body = r#"{"a":1}"#;
    let encoded = gzip(body.as_bytes()).len() as u64;
    assert!(document(body, 1, with(|it| it.limits.encoded = encoded)).is_ok());
    let refused = document(body, 1, with(|it| it.limits.encoded = encoded - 1)).unwrap_err();
    assert_eq!(refused.reason(), Reason::EncodedLimit);
}

#[test]
fn what_is_kept_and_what_is_made_of_it_are_limited_to_the_byte() {
    edges(
        document,
        &[
            (with(|it| it.bytes = 3), r#"{"a":"abc"}"#, r#"{"a":"abcd"}"#, Reason::RetainedLimit, 3, Some(9)),
            (
                with(|it| it.bytes = 2),
                r#"{"a":"\n\n"}"#,
                r#"{"a":"\n\u00e9"}"#,
                Reason::RetainedLimit,
                2,
                Some(13),
            ),
            (
                with(|it| it.bytes = 5),
                r#"{"a":[1, 2]}"#,
                r#"{"a":[1, 22]}"#,
                Reason::RetainedLimit,
                5,
                Some(11),
            ),
            (
                with(|it| it.bytes = 0),
                r#"{"a":null,"b":[true]}"#,
                r#"{"a":0}"#,
                Reason::RetainedLimit,
                0,
                Some(5),
            ),
            (with(|it| it.matches = 2), r#"{"b":[1,2]}"#, r#"{"b":[1,2,3]}"#, Reason::ItemLimit, 2, Some(11)),
            (with(|it| it.matches = 0), r#"{"x":[1,2]}"#, r#"{"a":"x"}"#, Reason::ItemLimit, 0, Some(7)),
            // `{"a":1,"b":[]}`; the result's own limit has no place in the body.
            (with(|it| it.room = 14), r#"{"a":1}"#, r#"{"a":12}"#, Reason::RetainedLimit, 14, None),
            (with(|it| it.room = 15), r#"{"a":""}"#, r#"{"a":"\n"}"#, Reason::RetainedLimit, 15, None),
        ],
    );
    let none = with(|it| (it.bytes, it.matches, it.room) = (0, 0, 8));
    assert_eq!(document("[]", 1, none).unwrap(), r#"{"b":[]}"#);
    assert_eq!(document("[]", 1, with(|it| it.room = 0)).unwrap_err().reason(), Reason::RetainedLimit);
}

#[test]
fn records_have_limits_each_and_all_together() {
    let (one, two) = ("{\"a\":1}\n", "{\"a\":1}\n{\"a\":2}\n");
    edges(
        lines,
        &[
            (with(|it| it.limits.records = 1), one, two, Reason::RecordCount, 1, Some(8)),
            (with(|it| it.limits.records = 0), "\n", one, Reason::RecordCount, 0, Some(0)),
            (
                with(|it| it.limits.record = 7),
                two,
                "{\"a\":1}\n{\"a\":1} \n",
                Reason::RecordLimit,
                7,
                Some(15),
            ),
            (with(|it| it.bytes = 1), two, "{\"a\":1}\n{\"a\":12}\n", Reason::RetainedLimit, 1, Some(14)),
            // Two lines of 15 bytes; the line end that comes with the third record's end decides.
            (with(|it| it.room = 30), two, "{\"a\":1}\n{\"a\":2}\n{}\n", Reason::RetainedLimit, 30, Some(18)),
            (with(|it| it.room = 30), two, "{\"a\":1}\n{\"a\":22}\n", Reason::RetainedLimit, 30, Some(16)),
            (
                of_document(|it| it.items = 1),
                two,
                "{\"a\":1}\n{\"a\":1,\"x\":1}\n",
                Reason::ItemLimit,
                1,
                Some(15),
            ),
        ],
    );
}
