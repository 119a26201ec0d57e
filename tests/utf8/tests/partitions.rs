//! Mixed texts, in every partition.
#![allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]

use plimsoll_tests_utf8::Comparison;

/// Well-formed, ill-formed in each of the ways of Table 3-7, and cut; at most 14 bytes, so 8192 partitions
/// each.
const TEXTS: &[&[u8]] = &[
    b"",
    b"plain ASCII",
    "é€😀".as_bytes(),
    "aé a€ a😀".as_bytes(),
    "\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}".as_bytes(),
    "\u{10000}\u{10FFFF}\u{FEFF}".as_bytes(),
    "\u{D7FF}\u{E000}\0\u{FFFD}".as_bytes(),
    // A byte that begins nothing: a continuation byte, C0 and C1, F5 and beyond.
    b"a\x80b",
    b"\xC3\xA9\xBF\xC3\xA9",
    b"a\xC0\xAFb",
    b"\xE2\x82\xAC\xC1\xBF",
    b"\xF0\x9F\x98\x80\xF5\x80\x80\x80",
    b"a\xFE\xFFb",
    // Overlong forms, surrogates, beyond U+10FFFF: the second byte is out of its range.
    b"ab\xE0\x80\xAFc",
    b"ab\xE0\x9F\xBFc",
    b"\xC3\xA9\xED\xA0\x80\xED\xB0\x80",
    b"\xF0\x80\x80\xAFab",
    b"\xF0\x8F\xBF\xBFab",
    b"a\xF4\x90\x80\x80b",
    // A character without its end, before ASCII, another character, and one without its end.
    b"a\xC3b",
    b"a\xE2\x82b\xE2\xAC",
    b"\xF0\x9F\x98\xC3\xA9a",
    b"\xF0\x9F\xE2\x82\xF0\x9F\x98a",
    b"a\xC3\xC3\xA9\xE2\x82\xE2\x82\xAC",
    // Cut at the end, after a whole text and after a fault.
    b"ab\xC3",
    b"ab\xE2",
    b"ab\xE2\x82",
    b"ab\xF0",
    b"ab\xF0\x9F",
    b"ab\xF0\x9F\x98",
    b"\xFF\xF0\x9F\x98",
    // Truncated sequences of every length, one behind the other.
    b"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64",
    b"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41",
];

#[test]
fn mixed_texts_are_judged_and_lent_and_repaired_the_same_however_they_are_cut() {
    let mut comparison = Comparison::default();
    for text in TEXTS {
        comparison.expect(text);
        comparison.compare_partitions();
    }
}

#[test]
fn empty_chunks_change_nothing() {
    let mut comparison = Comparison::default();
    for text in TEXTS {
        comparison.expect(text);
        comparison.compare(text.iter().flat_map(|_| [0, 1, 0]));
    }
}

#[test]
fn long_runs_around_a_fault_are_judged_the_same_at_every_two_way_split() {
    let mut comparison = Comparison::default();
    for text in TEXTS {
        let long = [b"0123456789abcdef".repeat(3).as_slice(), text, "±§".repeat(20).as_bytes()].concat();
        comparison.expect(&long);
        for cut in 0..=long.len() {
            comparison.compare([cut, long.len() - cut].into_iter());
        }
    }
}
