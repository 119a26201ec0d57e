//! Each input is refused for its reason and nothing less is, and the page says so.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by a panic")]

use std::path::Path;

use plimsoll::Reason;
use reasons::{ENTRIES, Entry, page};

fn provokes(entry: &Entry, input: &[u8]) -> bool {
    (entry.take)(input).map(|rejection| rejection.reason()) == Some(entry.reason)
}

#[test]
fn every_reason_is_listed_once_and_in_the_order_of_the_vocabulary() {
    let listed: Vec<_> = ENTRIES.iter().map(|entry| entry.reason).collect();
    assert_eq!(listed, Reason::ALL);
}

#[test]
fn every_input_is_refused_for_its_reason() {
    for entry in ENTRIES {
        let answer = (entry.take)(entry.input.bytes());
        assert!(provokes(entry, entry.input.bytes()), "{}: {answer:?}", entry.reason);
    }
}

#[test]
fn without_any_one_of_its_bytes_an_input_is_not_refused_or_for_another_reason() {
    for entry in ENTRIES {
        for index in 0..entry.input.bytes().len() {
            let mut less = entry.input.bytes().to_vec();
            less.remove(index);
            assert!(!provokes(entry, &less), "{} without byte {index}", entry.reason);
        }
    }
}

#[test]
fn of_inputs_up_to_three_bytes_there_is_no_shorter_one() {
    for entry in ENTRIES {
        let len = entry.input.bytes().len();
        let shorter = (0..len as u32).take_while(|_| len <= 3);
        for (len, number) in shorter.flat_map(|len| (0..256_u32.pow(len)).map(move |number| (len, number))) {
            let bytes = number.to_le_bytes();
            let input = bytes.get(..len as usize).expect("at most two bytes");
            assert!(!provokes(entry, input), "{}: {input:02X?}", entry.reason);
        }
    }
}

/// With `PLIMSOLL_WRITE` in the environment the page is written.
#[test]
fn the_page_is_made_of_the_entries() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/core/REASONS.md");
    if std::env::var_os("PLIMSOLL_WRITE").is_some() {
        std::fs::write(&path, page()).expect("a file that can be written");
    }
    let found = std::fs::read_to_string(&path).expect("the page");
    assert!(
        found == page(),
        "crates/core/REASONS.md is not what the entries say: PLIMSOLL_WRITE=1 cargo test -p plimsoll-tests-reasons"
    );
}
