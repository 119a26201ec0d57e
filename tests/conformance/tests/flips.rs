//! Every single-bit error in a few small bodies: never complete with other bytes, and every cut says the same.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use conformance::{Bits, Case, Cuts, Dynamic, HeaderCrc, Member, agreed, flag, inputs, oracle};
use plimsoll::{Stage, Verdict};

/// Inverts each bit of a body in turn. What is complete must be what it was, and what the oracle says of the
/// verdict must hold.
fn flip_each_bit(body: &[u8], plain: &[u8], members: u64) {
    let mut complete = 0;
    for bit in 0..body.len() * 8 {
        let mut flipped = body.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let agreed = agreed(&Case::gzip(&flipped[..]).members(members).cuts(Cuts::Few(7)));
        let expected =
            if members == 1 { oracle::gunzip_one(&flipped) } else { oracle::gunzip_many(&flipped) };
        assert_eq!(agreed.body, expected, "bit {bit}: {agreed:?}");
        match agreed.verdict {
            Verdict::Complete => {
                assert!(agreed.body.as_deref() == Some(plain), "bit {bit}: complete, with other bytes");
                complete += 1;
            }
            Verdict::Rejected(rejection) => assert_eq!(rejection.stage(), Stage::Decoder, "bit {bit}"),
            Verdict::Preview => panic!("no preview was asked for"),
        }
    }
    // MTIME, XFL, OS and FTEXT of each member may change, and hardly anything else.
    assert!(complete < body.len() * 8 / 2, "{complete} flips do not matter");
}

#[test]
fn a_flipped_bit_in_a_fixed_block_is_found() {
    flip_each_bit(&Member::fixed(b"hello").bytes(), b"hello", 1);
    flip_each_bit(&oracle::gzip(b"abcabcabcabcabcabc abcabc", 9), b"abcabcabcabcabcabc abcabc", 1);
}

#[test]
fn a_flipped_bit_in_a_stored_block_is_found() {
    flip_each_bit(&Member::stored(b"hello stored").bytes(), b"hello stored", 1);
    flip_each_bit(&Member::fixed(b"").bytes(), b"", 1);
}

#[test]
fn a_flipped_bit_in_a_dynamic_block_is_found() {
    let plain = &inputs::json(400)[..400];
    let packed = oracle::deflate(plain, 9);
    assert_eq!(packed[0] >> 1 & 3, 2, "the encoder chose a dynamic block");
    flip_each_bit(&Member::of(packed, plain).bytes(), plain, 1);
    let code = Dynamic::new(&[(97, 1), (256, 2), (258, 2)], &[(1, 1)]);
    let mut bits = Bits::new();
    code.open(&mut bits, true);
    code.put(&mut bits, b"aa");
    code.copy(&mut bits, 4, 2);
    code.close(&mut bits);
    flip_each_bit(&Member::of(bits.bytes(), b"aaaaaa").bytes(), b"aaaaaa", 1);
}

#[test]
fn a_flipped_bit_in_a_header_with_everything_in_it_is_found() {
    let member = Member {
        flags: flag::TEXT,
        extra: Some(b"extra".to_vec()),
        name: Some(b"name".to_vec()),
        comment: Some(b"comment".to_vec()),
        header_crc: HeaderCrc::Right,
        ..Member::fixed(b"hi")
    };
    flip_each_bit(&member.bytes(), b"hi", 1);
}

#[test]
fn a_flipped_bit_in_one_of_two_members_is_found() {
    let body = [Member::fixed(b"one").bytes(), Member::fixed(b"two").bytes()].concat();
    flip_each_bit(&body, b"onetwo", 2);
}
