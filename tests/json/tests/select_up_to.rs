//! Sets of pointers that have room for more: the places that are not in use change nothing.
#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test fails by a panic")]

use plimsoll_core::{Inspect, Reason};
use plimsoll_json::{Kind, Limits, Pointers, Retained, Select, Uncounted};
use plimsoll_tests_json::select::{self, Recorder};

const TEXT: &str = r#"{"a":[1,{"b":"x"}],"":{"":null},"*":[[]],"c":"\u00e9","a/b":{"~":true}}"#;

#[test]
fn a_set_with_room_for_more_finds_the_same() {
    let texts = ["/a/1/b", "", "/", "//", "/*/*", "/c", "/a~1b/~0", "/none"];
    let retained = Retained { bytes: 1 << 12, matches: 64 };
    for count in 0..=texts.len() {
        let texts = texts.split_at(count).0;
        let of = |run: select::Run| (run.matches, run.result, run.bytes, run.missing);
        // As many places as pointers, and more.
        let few: Pointers<'_, 8> = Pointers::up_to(texts).unwrap();
        let many: Pointers<'_, 40> = Pointers::up_to(texts).unwrap();
        let few = of(select::agree("few", TEXT.as_bytes(), &few, retained, 80));
        let many = of(select::agree("many", TEXT.as_bytes(), &many, retained, 80));
        assert_eq!(few, many, "{texts:?}");
        assert_eq!(few.1, Ok(()));
        let pointers: Vec<usize> = few.0.unwrap().iter().map(|(pointer, ..)| *pointer).collect();
        assert!(pointers.iter().all(|&pointer| pointer < count), "{texts:?} {pointers:?}");
    }
    let eight = ["/a/1/b", "", "/", "//", "/*/*", "/c", "/a~1b/~0", "/none"];
    let fixed = select::agree("fixed", TEXT.as_bytes(), &Pointers::new(eight).unwrap(), retained, 80);
    let many = select::agree("many", TEXT.as_bytes(), &Pointers::<40>::up_to(&eight).unwrap(), retained, 80);
    assert_eq!(fixed, many);
}

#[test]
fn only_pointers_that_there_are_can_be_missing_or_duplicates() {
    let set = Pointers::<5>::up_to(&["/a", "/b"]).unwrap().require([false, true, true, true, true]);
    assert_eq!(set.required(), [false, true]);
    let retained = Retained { bytes: 64, matches: 8 };
    let taken = select::agree("taken", b"{\"\":1,\"\":2,\"b\":3}", &set, retained, 40);
    assert_eq!((taken.result, taken.missing), (Ok(()), None));
    let refused = select::agree("refused", b"{\"\":1}", &set, retained, 40);
    assert_eq!(refused.result.unwrap_err().reason(), Reason::MissingField);
    assert_eq!(refused.missing, Some(1));
}

#[test]
fn the_deepest_way_that_can_be_does_not_reach_a_place_that_is_not_in_use() {
    const DEPTH: u16 = u16::MAX;
    let limits = Limits { depth: DEPTH, items: Limits::HOST.values, ..Limits::HOST };
    let depth = usize::from(DEPTH);
    let text = format!("{}{{\"x\":7,\"\":8}}{}", "{\"\":".repeat(depth - 1), ",\"x\":9}".repeat(depth - 1));
    // The longest pointer, each of whose tokens is the empty key: the innermost object.
    let pointer = "/".repeat(depth - 1);
    let pointers = Pointers::<3>::up_to(&[pointer.as_str()]).unwrap();
    let mut recorder = Recorder::default();
    let retained = Retained { bytes: 1 << 10, matches: 4 };
    let select = Select::<Uncounted<8192>, _, 3>::new(&pointers, limits, retained, &mut recorder);
    let mut select = Box::new(select.unwrap());
    for piece in text.as_bytes().chunks(1000) {
        select.inspect(piece).unwrap();
    }
    select.finish().unwrap();
    drop(select);
    let matches = recorder.committed.pop().unwrap();
    assert_eq!(matches, [(0, Kind::Object, b"{\"x\":7,\"\":8}".to_vec())]);
}
