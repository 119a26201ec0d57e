//! A selection checks all of the document: where it refuses nothing of its own, its verdict is the check's, in every cut.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_core::Inspect;
use plimsoll_json::{
    Check, Counted, Fields, Kind, Limits, Pointers, Retained, Select, Slot, Uncounted, Visit,
};
use plimsoll_tests_json::select::{self, PLENTY, Recorder};
use plimsoll_tests_json::{data, feed};

/// Each leads differently: nowhere, to all, to each on two levels, into one member and one element.
const SETS: [[&str; 2]; 4] = [["/nowhere", "/99999/0"], ["", "/*"], ["/*/*", "/*/0"], ["/0/0", "/1"]];

fn as_check(name: &str, text: &[u8], limits: Limits, cuts: usize) {
    let mut buffer = Vec::new();
    let check = Check::<Counted<16>>::new(limits).unwrap();
    let verdict = feed::check(check, [text], &mut buffer);
    for set in SETS {
        let pointers = Pointers::new(set).unwrap();
        let compare = |pieces: &[&[u8]], cut: usize| {
            let mut recorder = Recorder::default();
            let select = Select::<Counted<16>, _, 2>::new(&pointers, limits, PLENTY, &mut recorder);
            let mut select = select.unwrap();
            let result = select::drive(&mut select, pieces.iter().copied(), Select::offset);
            assert_eq!((result, select.offset()), (verdict.result, verdict.offset), "{name} {set:?} {cut}");
        };
        compare(&[text], 0);
        for size in 1..10 {
            compare(&text.chunks(size).collect::<Vec<_>>(), size);
        }
        for split in feed::splits(text.len(), cuts) {
            compare(&[&text[..split], &text[split..]], split);
        }
    }
}

#[test]
fn every_file_of_the_suite_is_judged_as_by_the_check() {
    let limits = Limits { depth: 16, ..Limits::HOST };
    let mut most = 0;
    for (name, text) in data::suite() {
        // Two open a hundred thousand brackets and are refused at the limit of depth.
        let text = &text[..text.len().min(2000)];
        most += 1;
        as_check(&name, text, limits, 60);
    }
    assert_eq!(most, 318);
}

#[test]
fn every_limit_of_the_document_holds_where_pointers_lead_and_where_they_do_not() {
    let limits = Limits { string: 3, key: 2, number: 4, items: 3, values: 9, depth: 3 };
    for text in [
        r#"["abc","abcd"]"#,
        r#"["abc","ab\u0063d"]"#,
        r#"[["abé"],"x"]"#,
        r#"{"ab":1,"abc":2}"#,
        r#"{"ab":{"a\u0062c":1}}"#,
        "[1234,12345]",
        "[[1234],[-1.25]]",
        "[1,2,3,4]",
        "[[1],[1,2,3,4]]",
        r#"{"a":1,"b":2,"c":3,"d":4}"#,
        r#"{"a":{"a":1,"b":2,"c":3,"d":4}}"#,
        "[[1,2,3],[4,5,6]]",
        "[[1,2,3],[4,5,6],7]",
        "[[[1]]]",
        "[[[[1]]]]",
        r#"{"a":[{"b":[]}]}"#,
        "12345",
        "\"abcd\"",
    ] {
        as_check(text, text.as_bytes(), limits, 100);
    }
}

#[test]
fn a_byte_order_mark_is_refused_or_skipped_on_request() {
    let pointers = Pointers::new(["/a"]).unwrap();
    let text = b"\xef\xbb\xbf{\"a\":1}";
    as_check("byte order mark", text, Limits::DEVICE, 100);
    for size in 1..text.len() {
        let mut recorder = Recorder::default();
        let select = Select::<Counted<16>, _, 1>::new(&pointers, Limits::DEVICE, PLENTY, &mut recorder);
        let mut select = select.unwrap().skip_byte_order_mark();
        assert_eq!(select::drive(&mut select, text.chunks(size), Select::offset), Ok(()));
        assert_eq!(recorder.committed, [[(0, Kind::Number, b"1".to_vec())]]);
    }
}

/// Counts what it is told.
#[derive(Debug)]
struct Counter(u32);

impl Visit for Counter {
    fn begin(&mut self, _pointer: usize, _kind: Kind) {
        self.0 += 1;
    }
    fn scalar(&mut self, _text: &[u8]) {}
    fn raw(&mut self, _text: &[u8]) {}
    fn end(&mut self, _pointer: usize) {}
    fn commit(&mut self) {}
    fn discard(&mut self) {}
}

const POINTERS: Pointers<'static, 4> = match Pointers::new(["/a", "/b", "/c/*", ""]) {
    Ok(pointers) => pointers,
    Err(_) => panic!("found when this is compiled"),
};

/// Made when this is compiled.
const SELECT: Select<'static, Uncounted<4>, Counter, 4> = match Select::new(
    &POINTERS,
    Limits { items: u32::MAX, ..Limits::DEVICE },
    Retained { bytes: 100, matches: 10 },
    Counter(0),
) {
    Ok(select) => select,
    Err(_) => panic!("found when this is compiled"),
};

#[test]
fn a_selection_is_made_in_a_constant_and_stays_small() {
    let mut select = SELECT;
    assert_eq!(select::drive(&mut select, [&b"{\"c\":[1,2],\"a\":{}}"[..]], Select::offset), Ok(()));
    assert_eq!(select.matches(), 4);
    assert_eq!(select.into_visitor().map(|counter| counter.0), Some(4));
    assert_eq!(size_of::<Slot>(), 12);
    assert!(size_of::<Fields<'_>>() <= 72, "{}", size_of::<Fields<'_>>());
    let with = |pointers: usize| 64 + 16 * pointers + 96;
    assert!(
        size_of::<Select<'_, Uncounted<4>, (), 4>>() <= with(4),
        "{}",
        size_of::<Select<'_, Uncounted<4>, (), 4>>()
    );
    assert_eq!(
        size_of::<Select<'_, Uncounted<4>, (), 5>>() - size_of::<Select<'_, Uncounted<4>, (), 4>>(),
        16
    );
}

#[test]
fn a_selection_that_was_restarted_begins_anew() {
    let pointers = Pointers::new(["/a", "/b/0"]).unwrap().require([true, false]);
    for cut in 0..27 {
        let first = &br#"{"a":"x","b":["y",{"a":"z"}]}"#[..cut];
        let mut recorder = Recorder::default();
        let retained = Retained { bytes: 3, matches: 2 };
        let select = Select::<Counted<16>, _, 2>::new(&pointers, Limits::DEVICE, retained, &mut recorder);
        let mut select = select.unwrap();
        select.inspect(first).unwrap();
        select.restart(0);
        assert_eq!(select::drive(&mut select, [&b"{\"b\":[1],\"a\":23}"[..]], Select::offset), Ok(()));
        let expected = [(1, Kind::Number, b"1".to_vec()), (0, Kind::Number, b"23".to_vec())];
        assert_eq!((recorder.committed.as_slice(), recorder.discarded), (&[expected.to_vec()][..], 1));
    }
}

#[test]
fn fields_show_nothing_of_a_document_before_the_last_restart() {
    let pointers = Pointers::new(["/a", "/b"]).unwrap();
    let read = |before: &str, last: &str| {
        let (mut bytes, mut slots) = ([0xff; 8], [Slot::EMPTY; 2]);
        let fields = Fields::new(&mut bytes, &mut slots);
        let mut select = Select::<Counted<16>, _, 2>::of_fields(&pointers, Limits::DEVICE, fields).unwrap();
        if select.inspect(before.as_bytes()).is_ok() {
            _ = select.finish();
        }
        select.restart(0);
        assert_eq!(select::drive(&mut select, [last.as_bytes()], Select::offset), Ok(()));
        select::shown(&select.into_selected().unwrap())
    };
    // Complete, cut within a value and behind one, refused, and without a match.
    for before in
        [r#"{"a":"x","b":[1]}"#, r#"{"a":"x","b":[1,"#, r#"{"a":"x","b":"y"#, r#"{"a":"x","b":}"#, "[]", ""]
    {
        let expected = [(1, Kind::Array, b"[\"z\"]".to_vec()), (0, Kind::Number, b"17".to_vec())];
        assert_eq!(read(before, r#"{"b":["z"],"a":17}"#), expected, "{before}");
        assert_eq!(read(before, "{}"), [], "{before}");
    }
}

#[test]
fn what_is_kept_shows_how_much_it_is_and_none_of_it() {
    let pointers = Pointers::new(["/a", "/b"]).unwrap();
    let (mut bytes, mut slots) = ([0xff; 8], [Slot::EMPTY; 2]);
    let fields = Fields::new(&mut bytes, &mut slots);
    assert_eq!(format!("{fields:?}"), "Fields { bytes: 8, matches: 0, .. }");
    let mut select = Select::<Counted<16>, _, 2>::of_fields(&pointers, Limits::DEVICE, fields).unwrap();
    assert_eq!(select::drive(&mut select, [&b"{\"a\":\"secret\"}"[..]], Select::offset), Ok(()));
    assert!(format!("{select:?}").contains("Fields { bytes: 8, matches: 1, .. }"));
    let selected = select.into_selected().unwrap();
    assert_eq!(format!("{selected:?}"), "Selected { matches: 1, .. }");
    assert_eq!((selected.len(), selected.is_empty()), (1, false));
    let mut select = Select::<Counted<16>, _, 2>::of_fields(
        &pointers,
        Limits::DEVICE,
        Fields::new(&mut bytes, &mut slots),
    )
    .unwrap();
    assert_eq!(select::drive(&mut select, [&b"{}"[..]], Select::offset), Ok(()));
    let selected = select.into_selected().unwrap();
    assert_eq!((selected.len(), selected.is_empty()), (0, true));
}
