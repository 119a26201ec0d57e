//! The declared length: a number of encoded bytes, refused early where it is too much, held to otherwise.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use conformance::{Case, Member, PATTERNS, Recorder, agreed};
use plimsoll::{Coding, DefaultEngine, Ingest, Next, Reason, Ring, Verdict};

#[test]
fn a_length_as_declared_is_complete_for_both_codings() {
    let body = Member::fixed(b"hello").bytes();
    agreed(&Case::gzip(&body[..]).length(body.len() as u64)).expect_complete(b"hello");
    agreed(&Case::identity(b"hello").length(5)).expect_complete(b"hello");
    agreed(&Case::identity(b"").length(0)).expect_complete(b"");
}

#[test]
fn a_declared_length_over_the_limit_is_refused_before_a_byte_is_read() {
    let body = Member::fixed(b"hello").bytes();
    for case in [Case::gzip(&body[..]), Case::identity(b"hello"), Case::gzip(b"")] {
        let case = case.encoded(100);
        for length in [101, 1 << 40, u64::MAX] {
            let agreed = agreed(&case.clone().length(length));
            agreed.expect_limit(Reason::DeclaredLength, 100);
            assert_eq!((agreed.decided_after, agreed.decoded_bytes), (0, 0));
        }
    }
    agreed(&Case::gzip(&body[..]).encoded(body.len() as u64).length(body.len() as u64))
        .expect_complete(b"hello");
}

#[test]
fn its_verdict_stands_before_the_first_push_and_the_sink_is_told_at_once() {
    let case = Case::gzip(b"").encoded(100).length(101);
    let (mut engine, mut ring) = (DefaultEngine::default(), [PATTERNS[0]; 1024]);
    let mut recorder = Recorder::<true>::new(u64::MAX);
    let ring = Ring::new(&mut ring);
    let mut ingest = Ingest::ring(&case.head, &case.policy, &mut engine, ring, (), &mut recorder);
    assert!(matches!(ingest.verdict(), Some(Verdict::Rejected(r)) if r.reason() == Reason::DeclaredLength));
    assert_eq!(ingest.push(b"anything"), Ok(Next::Stop));
    assert_eq!(ingest.encoded_bytes(), 0);
    drop(ingest);
    assert_eq!((recorder.calls, recorder.commits, recorder.discards), (0, 0, 1));
}

#[test]
fn fewer_bytes_than_declared_are_a_mismatch_at_the_byte_that_is_missing() {
    let body = Member::fixed(b"hello").bytes();
    let length = body.len() as u64 + 1;
    let by_gzip = agreed(&Case::gzip(&body[..]).length(length));
    by_gzip.expect_fault(Reason::LengthMismatch, body.len());
    assert!(!by_gzip.lower_bound);
    assert_eq!(by_gzip.provisional, b"hello");
    // That gzip is cut short as well follows from it.
    agreed(&Case::gzip(&body[..12]).length(length)).expect_fault(Reason::LengthMismatch, 12);
    agreed(&Case::identity(b"hell").length(5)).expect_fault(Reason::LengthMismatch, 4);
    agreed(&Case::identity(b"").length(5)).expect_fault(Reason::LengthMismatch, 0);
    agreed(&Case::gzip(b"").length(5).empty_body()).expect_fault(Reason::LengthMismatch, 0);
}

#[test]
fn more_bytes_than_declared_are_a_mismatch_at_the_first_of_them() {
    let body = Member::fixed(b"hello").bytes();
    for length in 0..body.len() {
        let agreed = agreed(&Case::gzip(&body[..]).length(length as u64));
        agreed.expect_fault(Reason::LengthMismatch, length);
        assert_eq!(agreed.decided_after, length as u64 + 1);
        assert!(agreed.lower_bound);
    }
    for length in 0..5 {
        let agreed = agreed(&Case::identity(b"hello").length(length as u64));
        agreed.expect_fault(Reason::LengthMismatch, length);
        assert_eq!(agreed.provisional, &b"hello"[..length]);
    }
    // Also where the length is exactly the limit for encoded bytes: both say no, and the length was declared.
    agreed(&Case::identity(b"hello").length(4).encoded(4)).expect_fault(Reason::LengthMismatch, 4);
    // And where what follows would be refused by gzip itself.
    let garbage = [&body[..], b"garbage"].concat();
    agreed(&Case::gzip(garbage).length(body.len() as u64)).expect_fault(Reason::LengthMismatch, body.len());
}

#[test]
fn a_fault_within_the_declared_length_comes_before_the_mismatch() {
    let mut body = Member::fixed(b"hello").bytes();
    body[2] = 1;
    agreed(&Case::gzip(&body[..]).length(3)).expect_fault(Reason::BadHeader, 2);
    agreed(&Case::gzip(&body[..]).length(2)).expect_fault(Reason::LengthMismatch, 2);
    agreed(&Case::gzip(&body[..]).length(1000)).expect_fault(Reason::BadHeader, 2);
}

#[test]
fn it_counts_encoded_bytes_and_not_decoded_ones() {
    let plain = vec![b'a'; 4000];
    let body = Member::packed(&plain, 6).bytes();
    agreed(&Case::gzip(&body[..]).length(body.len() as u64)).expect_complete(&plain);
    agreed(&Case::gzip(&body[..]).length(4000)).expect_fault(Reason::LengthMismatch, body.len());
    // A length between both limits is over the encoded one.
    agreed(&Case::gzip(&body[..]).length(4000).encoded(3999)).expect_limit(Reason::DeclaredLength, 3999);
}

#[test]
fn codings_stack_no_deeper_than_one() {
    let reason = |value: &str| Coding::from_header(value).map_err(|rejection| rejection.reason());
    assert_eq!(reason(&["gzip"; 1000].join(", ")), Err(Reason::StackedCoding));
    assert_eq!(reason("gzip,gzip"), Err(Reason::StackedCoding));
    assert_eq!(reason(&["identity"; 1000].join(",")), Ok(Coding::Identity));
    assert_eq!(reason("br"), Err(Reason::UnsupportedCoding));
    assert_eq!(reason("x-gzip"), Ok(Coding::Gzip));
}
