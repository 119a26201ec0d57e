//! The exercise this library began from: small bodies that decode to more than there is room for.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use conformance::{Bits, Case, Cuts, Member, agreed, oracle};
use plimsoll::Reason;

#[test]
fn two_mebibytes_of_one_letter_pass_the_encoded_limit_and_stop_at_the_decoded_one_with_nothing_handed_on() {
    let body = oracle::gzip(&vec![b'a'; 2 * 1024 * 1024], 9);
    assert!((1500..2500).contains(&body.len()), "{} bytes", body.len());
    let case = Case::gzip(&body[..]).encoded(64 * 1024).decoded(256 * 1024).cuts(Cuts::Few(20));
    let agreed = agreed(&case);
    agreed.expect_decoded_limit(256 * 1024);
    assert_eq!(agreed.body, None);
    // That nothing was exposed but to the sink that exposes, and how often a sink was told so, is for the driver.
    assert!(agreed.decided_after < 600, "an eighth of the body suffices, not {}", agreed.decided_after);
}

#[test]
fn the_same_at_every_cut_of_its_first_kilobyte_with_a_smaller_limit() {
    let body = oracle::gzip(&vec![b'a'; 2 * 1024 * 1024], 9);
    agreed(&Case::gzip(&body[..1024]).decoded(20_000)).expect_decoded_limit(20_000);
}

#[test]
fn a_hundred_thousand_equal_letters_are_over_a_limit_of_8192() {
    for level in [1, 6, 9] {
        let body = oracle::gzip(&vec![b'z'; 100_000], level);
        agreed(&Case::gzip(body)).expect_decoded_limit(8192);
    }
}

#[test]
fn a_member_short_of_its_last_four_bytes_is_incomplete() {
    let body = oracle::gzip(b"hello hello hello", 6);
    let cut = &body[..body.len() - 4];
    let agreed = agreed(&Case::gzip(cut));
    agreed.expect_fault(Reason::IncompleteGzip, cut.len());
    assert!(!agreed.lower_bound, "the body was read to its end");
    assert_eq!((agreed.decoded_bytes, &agreed.provisional[..]), (17, &b"hello hello hello"[..]));
}

#[test]
fn a_second_member_is_trailing_data_where_one_is_allowed() {
    let member = oracle::gzip(b"hello", 6);
    let body = [&member[..], &member[..]].concat();
    let agreed = agreed(&Case::gzip(body));
    agreed.expect_fault(Reason::TrailingData, member.len());
    assert_eq!(agreed.decided_after, member.len() as u64 + 1);
}

#[test]
fn hello_fits_a_limit_of_five_and_an_empty_member_a_limit_of_zero() {
    agreed(&Case::gzip(Member::fixed(b"hello").bytes()).decoded(5)).expect_complete(b"hello");
    agreed(&Case::gzip(Member::fixed(b"hello").bytes()).decoded(4)).expect_decoded_limit(4);
    for data in [Bits::new().fixed(true, b"").bytes(), Bits::new().stored(true, b"").bytes()] {
        agreed(&Case::gzip(Member::of(data, b"").bytes()).decoded(0)).expect_complete(b"");
    }
}
