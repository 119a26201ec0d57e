//! `JSONTestSuite`, all 318 files: every verdict, in every cut.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_core::Reason;
use plimsoll_json::{Check, Counted, Limits, Tokenizer};
use plimsoll_tests_json::{data, feed};

/// Room for the suite's largest cases but the deep ones, which follow the depth limit.
const LIMITS: Limits = Limits { depth: 64, ..Limits::HOST };

/// The reason for which each file of the class `i_` is refused, where RFC 8259 leaves the choice. The rest are
/// accepted: numbers of any size are text.
const CHOSEN: [(&str, Option<Reason>); 35] = [
    ("i_number_double_huge_neg_exp.json", None),
    ("i_number_huge_exp.json", None),
    ("i_number_neg_int_huge_exp.json", None),
    ("i_number_pos_double_huge_exp.json", None),
    ("i_number_real_neg_overflow.json", None),
    ("i_number_real_pos_overflow.json", None),
    ("i_number_real_underflow.json", None),
    ("i_number_too_big_neg_int.json", None),
    ("i_number_too_big_pos_int.json", None),
    ("i_number_very_big_negative_int.json", None),
    ("i_object_key_lone_2nd_surrogate.json", Some(Reason::LoneSurrogate)),
    ("i_string_1st_surrogate_but_2nd_missing.json", Some(Reason::LoneSurrogate)),
    ("i_string_1st_valid_surrogate_2nd_invalid.json", Some(Reason::LoneSurrogate)),
    ("i_string_UTF-16LE_with_BOM.json", Some(Reason::JsonSyntax)),
    ("i_string_UTF-8_invalid_sequence.json", Some(Reason::InvalidUtf8)),
    ("i_string_UTF8_surrogate_U+D800.json", Some(Reason::InvalidUtf8)),
    ("i_string_incomplete_surrogate_and_escape_valid.json", Some(Reason::LoneSurrogate)),
    ("i_string_incomplete_surrogate_pair.json", Some(Reason::LoneSurrogate)),
    ("i_string_incomplete_surrogates_escape_valid.json", Some(Reason::LoneSurrogate)),
    ("i_string_invalid_lonely_surrogate.json", Some(Reason::LoneSurrogate)),
    ("i_string_invalid_surrogate.json", Some(Reason::LoneSurrogate)),
    ("i_string_invalid_utf-8.json", Some(Reason::InvalidUtf8)),
    ("i_string_inverted_surrogates_U+1D11E.json", Some(Reason::LoneSurrogate)),
    ("i_string_iso_latin_1.json", Some(Reason::InvalidUtf8)),
    ("i_string_lone_second_surrogate.json", Some(Reason::LoneSurrogate)),
    ("i_string_lone_utf8_continuation_byte.json", Some(Reason::InvalidUtf8)),
    ("i_string_not_in_unicode_range.json", Some(Reason::InvalidUtf8)),
    ("i_string_overlong_sequence_2_bytes.json", Some(Reason::InvalidUtf8)),
    ("i_string_overlong_sequence_6_bytes.json", Some(Reason::InvalidUtf8)),
    ("i_string_overlong_sequence_6_bytes_null.json", Some(Reason::InvalidUtf8)),
    ("i_string_truncated-utf-8.json", Some(Reason::InvalidUtf8)),
    ("i_string_utf16BE_no_BOM.json", Some(Reason::JsonSyntax)),
    ("i_string_utf16LE_no_BOM.json", Some(Reason::JsonSyntax)),
    ("i_structure_500_nested_arrays.json", Some(Reason::DepthLimit)),
    ("i_structure_UTF-8_BOM_empty_object.json", Some(Reason::ByteOrderMark)),
];

#[test]
fn every_file_gets_its_verdict_whole_byte_by_byte_and_at_every_split() {
    let checker = Check::<Counted<64>>::new(LIMITS).unwrap();
    let tokenizer = Tokenizer::<Counted<64>>::new(LIMITS).unwrap();
    let (mut accepted, mut refused, mut chosen) = (0, 0, 0);
    for (name, text) in data::suite() {
        let most = if text.len() > 4096 { 200 } else { 4096 };
        let (_, verdict) = feed::agree(&name, &text, checker, tokenizer, most);
        let reason = verdict.result.err().map(|rejection| rejection.reason());
        match name.split_at(2).0 {
            "y_" => {
                assert_eq!(reason, None, "{name}");
                accepted += 1;
            }
            "n_" => {
                assert_ne!(reason, None, "{name}");
                refused += 1;
            }
            _ => {
                assert_eq!((name.as_str(), reason), CHOSEN[chosen]);
                chosen += 1;
            }
        }
    }
    assert_eq!((accepted, refused, chosen), (95, 188, 35));
}

#[test]
fn five_hundred_levels_follow_the_depth_limit_and_a_mark_is_skipped_on_request() {
    let limits = Limits { depth: 500, ..LIMITS };
    let suite = data::suite();
    let text = |name: &str| &suite.iter().find(|(found, _)| found == name).unwrap().1;
    let deep = text("i_structure_500_nested_arrays.json");
    let checker = Check::<Counted<500>>::new(limits).unwrap();
    let tokenizer = Tokenizer::<Counted<500>>::new(limits).unwrap();
    assert_eq!(feed::agree("deep", deep, checker, tokenizer, 200).1.result, Ok(()));

    let mark = text("i_structure_UTF-8_BOM_empty_object.json");
    let (checker, tokenizer) = (checker.skip_byte_order_mark(), tokenizer.skip_byte_order_mark());
    assert_eq!(feed::agree("mark", mark, checker, tokenizer, 200).1.result, Ok(()));
}
