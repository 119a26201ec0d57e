//! gzip framing (RFC 1952): every field of header and trailer, members, what follows them, what is missing.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use conformance::{Case, Cuts, Gunzipped, HeaderCrc, Member, agreed, flag};
use plimsoll::budget::WorkMeter;
use plimsoll::gzip::{Gunzip, Policy, Trailing};
use plimsoll::inflate::{Flat, Inflate};
use plimsoll::{Decode, DefaultEngine, Detail, Reason};

fn hello() -> Member {
    Member::fixed(b"hello")
}

#[test]
fn a_wrong_magic_is_refused_at_its_first_wrong_byte() {
    for byte in 0..=255 {
        for place in 0..2 {
            let mut member = hello();
            if member.id[place] == byte {
                continue;
            }
            member.id[place] = byte;
            let agreed = agreed(&Case::gzip(member.bytes()).cuts(Cuts::Few(2)));
            agreed.expect_fault(Reason::NotGzip, place);
            assert_eq!(agreed.decided_after, place as u64 + 1);
        }
    }
    for body in ["{\"plain\": \"json\"}", "<html>", "\0\0\0\0", "PK\u{3}\u{4}", "x\u{1}"] {
        agreed(&Case::gzip(body)).expect_fault(Reason::NotGzip, 0);
    }
    // zlib and compress(1) have magics of their own.
    agreed(&Case::gzip([0x78, 0x9C, 3, 0, 0, 0, 0, 1])).expect_fault(Reason::NotGzip, 0);
    agreed(&Case::gzip([0x1F, 0x9D, 0x90])).expect_fault(Reason::NotGzip, 1);
}

#[test]
fn a_method_other_than_deflate_is_refused_at_its_byte() {
    for method in (0..=255).filter(|&method| method != 8) {
        let agreed = agreed(&Case::gzip(Member { method, ..hello() }.bytes()).cuts(Cuts::Few(2)));
        let rejection = agreed.expect_fault(Reason::BadHeader, 2);
        assert_eq!(rejection.detail(), Some(Detail::Method(method)));
        assert_eq!(agreed.decided_after, 3);
    }
}

#[test]
fn each_reserved_flag_is_refused_at_its_byte() {
    for flags in 0x20..=255 {
        let agreed = agreed(&Case::gzip(Member { flags, ..hello() }.bytes()).cuts(Cuts::Few(2)));
        let rejection = agreed.expect_fault(Reason::BadHeader, 3);
        assert_eq!(rejection.detail(), Some(Detail::ReservedFlags(flags & 0xE0)));
        assert_eq!(agreed.decided_after, 4);
    }
}

#[test]
fn time_extra_flags_and_system_may_have_any_value() {
    for value in 0..=255 {
        for member in [
            Member { xfl: value, ..hello() },
            Member { os: value, ..hello() },
            Member { mtime: [value; 4], ..hello() },
        ] {
            agreed(&Case::gzip(member.bytes()).cuts(Cuts::Few(2))).expect_complete(b"hello");
        }
    }
}

/// All combinations of optional fields.
fn headers() -> Vec<Member> {
    (0..32)
        .map(|bits| Member {
            flags: if bits & 16 != 0 { flag::TEXT } else { 0 },
            extra: (bits & 1 != 0).then(|| b"ex\0tra\0".to_vec()),
            name: (bits & 2 != 0).then(|| b"a name".to_vec()),
            comment: (bits & 4 != 0).then(|| b"a comment\n".to_vec()),
            header_crc: if bits & 8 != 0 { HeaderCrc::Right } else { HeaderCrc::Absent },
            ..hello()
        })
        .collect()
}

#[test]
fn every_combination_of_optional_fields_is_skipped() {
    for member in headers() {
        agreed(&Case::gzip(member.bytes())).expect_complete(b"hello");
    }
}

#[test]
fn optional_fields_may_be_empty() {
    let member = Member {
        extra: Some(Vec::new()),
        name: Some(Vec::new()),
        comment: Some(Vec::new()),
        header_crc: HeaderCrc::Right,
        ..hello()
    };
    agreed(&Case::gzip(member.bytes())).expect_complete(b"hello");
}

#[test]
fn a_header_crc_is_the_low_half_over_the_whole_header_and_nothing_else() {
    for member in headers() {
        let without = Member { header_crc: HeaderCrc::Absent, ..member.clone() };
        // The flag is part of what is summed.
        let mut header = without.header();
        header[3] |= flag::HEADER_CRC;
        let crc = crc32fast::hash(&header);
        let at = header.len();
        let right = crc as u16;
        let values = [
            (crc >> 16) as u16,
            right.swap_bytes(),
            !right,
            crc32fast::hash(&header[..10]) as u16,
            crc32fast::hash(&header[2..]) as u16,
            crc32fast::hash(&without.header()) as u16,
            0,
        ];
        for value in values {
            let case = Case::gzip(Member { header_crc: HeaderCrc::Value(value), ..member.clone() }.bytes());
            if value == right {
                // Without optional fields the CRC over the first ten bytes is the right one.
                agreed(&case.cuts(Cuts::Few(9))).expect_complete(b"hello");
            } else {
                let agreed = agreed(&case.cuts(Cuts::Few(9)));
                agreed.expect_fault(Reason::HeaderChecksum, at);
                assert_eq!(agreed.decided_after, at as u64 + 2);
            }
        }
        for bit in 0..16 {
            let crc = HeaderCrc::Flipped(1 << bit);
            let case = Case::gzip(Member { header_crc: crc, ..member.clone() }.bytes());
            agreed(&case.cuts(Cuts::Few(5))).expect_fault(Reason::HeaderChecksum, at);
        }
    }
}

#[test]
fn a_header_crc_covers_its_own_members_header_only() {
    let member = Member { header_crc: HeaderCrc::Right, name: Some(b"n".to_vec()), ..hello() };
    let body = member.bytes().repeat(3);
    agreed(&Case::gzip(body).members(3)).expect_complete(b"hellohellohello");
    let spoiled = Member { header_crc: HeaderCrc::Flipped(0x8000), ..member.clone() };
    let body = [member.bytes(), spoiled.bytes()].concat();
    agreed(&Case::gzip(body).members(3))
        .expect_fault(Reason::HeaderChecksum, member.bytes().len() + member.header().len() - 2);
}

#[test]
fn a_file_name_of_one_mebibyte_is_skipped_only_where_the_header_may_be_that_long() {
    let name = vec![b'n'; 1024 * 1024];
    for member in [
        Member { name: Some(name.clone()), ..hello() },
        Member { comment: Some(name.clone()), header_crc: HeaderCrc::Right, ..hello() },
    ] {
        let case = Case::gzip(member.bytes()).encoded(2 << 20).cuts(Cuts::Few(1));
        let refused = agreed(&case.clone());
        refused.expect_limit(Reason::HeaderLimit, 4096);
        assert_eq!(refused.decided_after, 4097);
        let length = member.header().len() as u64;
        agreed(&case.header(length)).expect_complete(b"hello");
    }
}

#[test]
fn the_longest_extra_field_is_skipped_only_where_the_header_may_be_that_long() {
    let member = Member { extra: Some(vec![0; 0xFFFF]), ..hello() };
    let case = Case::gzip(member.bytes()).encoded(1 << 20).cuts(Cuts::Few(5));
    agreed(&case.clone()).expect_limit(Reason::HeaderLimit, 4096);
    agreed(&case.header(12 + 0xFFFF)).expect_complete(b"hello");
}

#[test]
fn a_name_a_comment_or_an_extra_field_without_end_is_incomplete_or_over_the_limit() {
    for flags in [flag::NAME, flag::COMMENT] {
        let mut body = Member { flags, ..hello() }.header();
        body.resize(300, b'x');
        agreed(&Case::gzip(&body[..])).expect_fault(Reason::IncompleteGzip, 300);
        body.resize(5000, b'x');
        agreed(&Case::gzip(&body[..])).expect_limit(Reason::HeaderLimit, 4096);
    }
    let mut body = Member { flags: flag::EXTRA, ..hello() }.header();
    body.extend_from_slice(&[0xFF, 0xFF]);
    body.resize(300, 0);
    agreed(&Case::gzip(&body[..])).expect_fault(Reason::IncompleteGzip, 300);
    body.resize(5000, 0);
    agreed(&Case::gzip(&body[..])).expect_limit(Reason::HeaderLimit, 4096);
}

#[test]
fn a_member_cut_at_any_byte_is_incomplete_there() {
    for member in headers().into_iter().step_by(5) {
        let body = member.bytes();
        for length in 0..body.len() {
            let agreed = agreed(&Case::gzip(&body[..length]).cuts(Cuts::Few(9)));
            agreed.expect_fault(Reason::IncompleteGzip, length);
            assert!(!agreed.lower_bound);
        }
        agreed(&Case::gzip(&body[..])).expect_complete(b"hello");
    }
}

#[test]
fn a_trailer_cut_at_any_byte_is_incomplete_and_its_bytes_are_still_provisional() {
    let body = hello().bytes();
    for missing in 1..=8 {
        let agreed = agreed(&Case::gzip(&body[..body.len() - missing]));
        agreed.expect_fault(Reason::IncompleteGzip, body.len() - missing);
        assert_eq!((agreed.decoded_bytes, &agreed.provisional[..]), (5, &b"hello"[..]));
    }
}

#[test]
fn a_second_member_cut_at_any_byte_is_incomplete_there_and_not_complete_before() {
    let one = hello().bytes();
    let body = one.repeat(2);
    for length in one.len() + 1..body.len() {
        let agreed = agreed(&Case::gzip(&body[..length]).members(2).cuts(Cuts::Few(9)));
        agreed.expect_fault(Reason::IncompleteGzip, length);
    }
    agreed(&Case::gzip(&one[..]).members(2)).expect_complete(b"hello");
}

#[test]
fn each_bit_of_checksum_and_length_counts() {
    let right = hello();
    let at = right.header().len() + right.data.len();
    for bit in 0..32 {
        let member = Member { crc: right.crc ^ (1 << bit), ..right.clone() };
        let by_checksum = agreed(&Case::gzip(member.bytes()));
        by_checksum.expect_fault(Reason::Checksum, at);
        assert_eq!(by_checksum.decided_after, at as u64 + 4);
        let member = Member { length: right.length ^ (1 << bit), ..right.clone() };
        let by_length = agreed(&Case::gzip(member.bytes()));
        by_length.expect_fault(Reason::LengthField, at + 4);
        assert_eq!(by_length.decided_after, at as u64 + 8);
    }
    // Both wrong: the checksum comes first in the body.
    let member = Member { crc: 0, length: 0, ..right };
    agreed(&Case::gzip(member.bytes())).expect_fault(Reason::Checksum, at);
}

#[test]
fn checksum_and_length_are_each_members_own() {
    let (one, two) = (Member::fixed(b"hello"), Member::fixed(b"world!"));
    let body = [one.bytes(), two.bytes()].concat();
    agreed(&Case::gzip(body).members(2)).expect_complete(b"helloworld!");
    // Over both members: what a decoder that did not begin anew would expect.
    let at = one.bytes().len() + two.header().len() + two.data.len();
    let joined = Member { crc: crc32fast::hash(b"helloworld!"), ..two.clone() };
    let body = [one.bytes(), joined.bytes()].concat();
    agreed(&Case::gzip(body).members(2)).expect_fault(Reason::Checksum, at);
    let joined = Member { length: 11, ..two };
    let body = [one.bytes(), joined.bytes()].concat();
    agreed(&Case::gzip(body).members(2)).expect_fault(Reason::LengthField, at + 4);
    // A first member that is wrong is refused before the second is looked at.
    let spoiled = Member { crc: 1, ..one.clone() };
    let body = [spoiled.bytes(), one.bytes()].concat();
    agreed(&Case::gzip(body).members(2)).expect_fault(Reason::Checksum, one.header().len() + one.data.len());
}

#[test]
fn a_length_field_is_never_believed_as_a_size() {
    for length in [0, 4, 6, u32::MAX] {
        let member = Member { length, ..hello() };
        agreed(&Case::gzip(member.bytes()).decoded(5))
            .expect_fault(Reason::LengthField, member.bytes().len() - 4);
    }
}

#[test]
fn a_fault_in_a_second_header_has_its_place_in_the_body() {
    let one = hello().bytes();
    let at = one.len();
    let two = |member: Member| agreed(&Case::gzip([&one[..], &member.bytes()].concat()).members(3));
    two(Member { method: 9, ..hello() }).expect_fault(Reason::BadHeader, at + 2);
    two(Member { flags: 0x80, ..hello() }).expect_fault(Reason::BadHeader, at + 3);
    two(Member { id: [0x1F, 0x8C], ..hello() }).expect_fault(Reason::TrailingData, at);
    two(Member { id: [0x1E, 0x8B], ..hello() }).expect_fault(Reason::TrailingData, at);
    two(Member { crc: 0, ..hello() }).expect_fault(Reason::Checksum, at + 10 + 7);
}

#[test]
fn empty_members_by_the_thousand_are_complete_where_they_are_allowed() {
    let body = Member::fixed(b"").bytes().repeat(1500);
    let case = Case::gzip(body).encoded(1 << 20).header(15_000).decoded(0).cuts(Cuts::Few(9));
    agreed(&case.clone().members(1500)).expect_complete(b"");
    agreed(&case.clone().members(1499)).expect_limit(Reason::MemberLimit, 1499);
    agreed(&case.clone().members(1500).header(14_999)).expect_limit(Reason::HeaderLimit, 14_999);
    agreed(&case.members(1)).expect_fault(Reason::TrailingData, 20);
}

#[test]
fn garbage_behind_a_member_is_trailing_data_whatever_it_begins_with() {
    let member = hello().bytes();
    let at = member.len();
    for byte in 0..=255_u8 {
        for garbage in [&[byte][..], &[byte, byte, byte], &[byte, 0x8B]] {
            let body = [&member[..], garbage].concat();
            let one = agreed(&Case::gzip(&body[..]).cuts(Cuts::Few(5)));
            one.expect_fault(Reason::TrailingData, at);
            assert_eq!(one.decided_after, at as u64 + 1, "at the first byte");
            let several = agreed(&Case::gzip(&body[..]).members(2).cuts(Cuts::Few(5)));
            if byte == 0x1F && (garbage.len() == 1 || garbage[1] == 0x8B) {
                // The beginning of a member.
                several.expect_fault(Reason::IncompleteGzip, body.len());
            } else {
                several.expect_fault(Reason::TrailingData, at);
            }
            let padded = agreed(&Case::gzip(&body[..]).zero_padding().cuts(Cuts::Few(5)));
            match garbage {
                [0] | [0, 0, 0] => padded.expect_complete(b"hello"),
                [0, _] => drop(padded.expect_fault(Reason::TrailingData, at + 1)),
                _ => drop(padded.expect_fault(Reason::TrailingData, at)),
            }
        }
    }
}

#[test]
fn the_first_byte_of_a_magic_behind_the_last_member_allowed_is_trailing_data() {
    let body = [hello().bytes(), hello().bytes(), vec![0x1F]].concat();
    agreed(&Case::gzip(&body[..]).members(2)).expect_fault(Reason::TrailingData, body.len() - 1);
}

#[test]
fn where_no_member_is_allowed_a_body_is_still_incomplete_until_its_magic_is_whole() {
    agreed(&Case::gzip([0x1F]).members(0)).expect_fault(Reason::IncompleteGzip, 1);
    agreed(&Case::gzip([0x1F, 0x8B]).members(0)).expect_limit(Reason::MemberLimit, 0);
}

#[test]
fn zero_padding_is_taken_only_where_the_policy_has_it() {
    for members in [1, 2] {
        for count in [1, 2, 7, 512, 1000] {
            let member = hello().bytes().repeat(members);
            let body = [&member[..], &vec![0; count]].concat();
            let plain = b"hello".repeat(members);
            let case = Case::gzip(&body[..]).members(members as u64);
            agreed(&case).expect_fault(Reason::TrailingData, member.len());
            agreed(&case.clone().zero_padding()).expect_complete(&plain);
            agreed(&case.clone().members(9).zero_padding()).expect_complete(&plain);
            // What is no zero ends it, a member too.
            let mut spoiled = case.clone().zero_padding().cuts(Cuts::Few(9));
            spoiled.body.push(1);
            agreed(&spoiled).expect_fault(Reason::TrailingData, body.len());
            let mut spoiled = case.clone().members(9).zero_padding().cuts(Cuts::Few(9));
            spoiled.body.extend_from_slice(&hello().bytes());
            agreed(&spoiled).expect_fault(Reason::TrailingData, body.len());
        }
    }
}

#[test]
fn zero_padding_counts_as_encoded_bytes() {
    let member = hello().bytes();
    let body = [&member[..], &[0; 100]].concat();
    let case = Case::gzip(&body[..]).zero_padding();
    agreed(&case.clone().encoded(body.len() as u64)).expect_complete(b"hello");
    agreed(&case.encoded(body.len() as u64 - 1)).expect_limit(Reason::EncodedLimit, body.len() as u64 - 1);
}

#[test]
fn zeros_alone_are_no_gzip_body_also_where_padding_is_allowed() {
    agreed(&Case::gzip([0; 20]).zero_padding()).expect_fault(Reason::NotGzip, 0);
    agreed(&Case::gzip([0; 20]).zero_padding().empty_body()).expect_fault(Reason::NotGzip, 0);
}

#[test]
fn an_empty_body_under_gzip_is_incomplete_unless_no_body_is_allowed() {
    agreed(&Case::gzip(b"")).expect_fault(Reason::IncompleteGzip, 0);
    agreed(&Case::gzip(b"").zero_padding().members(5)).expect_fault(Reason::IncompleteGzip, 0);
    agreed(&Case::gzip(b"").empty_body()).expect_complete(b"");
    agreed(&Case::gzip(b"").empty_body().length(0).decoded(0).encoded(0)).expect_complete(b"");
    // The permission is for no byte at all.
    for length in 1..hello().bytes().len() {
        agreed(&Case::gzip(&hello().bytes()[..length]).empty_body().cuts(Cuts::Few(3)))
            .expect_fault(Reason::IncompleteGzip, length);
    }
    agreed(&Case::gzip(hello().bytes()).empty_body()).expect_complete(b"hello");
}

#[test]
fn header_bytes_and_members_are_counted_as_they_are_limited() {
    let named = Member { name: Some(b"name".to_vec()), header_crc: HeaderCrc::Right, ..hello() };
    for (body, bytes, members) in [
        (hello().bytes(), 10, 1),
        // The fixed ten, a name with its zero, and a CRC of two.
        (named.bytes(), 10 + 5 + 2, 1),
        ([hello().bytes(), named.bytes()].concat(), 10 + 17, 2),
        (hello().bytes()[..7].to_vec(), 7, 0),
    ] {
        let mut output = [0; 10];
        let mut engine = DefaultEngine::new();
        let inflate = Inflate::new(&mut engine, Flat::new(&mut output), WorkMeter::new(4096));
        let policy = Policy { header_limit: 100, members: 2, trailing: Trailing::Refuse, empty: false };
        let mut gunzip = Gunzip::new(inflate, policy);
        let mut rest = &body[..];
        while !rest.is_empty() {
            rest = &rest[gunzip.decode(rest).unwrap().consumed..];
        }
        assert_eq!((gunzip.header_bytes(), gunzip.members()), (bytes, members));
    }
}

/// The policy that hands back what follows up to so many members.
fn hand_back(members: u64) -> Policy {
    Policy { header_limit: 4096, members, trailing: Trailing::HandBack, empty: false }
}

#[test]
fn what_follows_the_last_member_is_handed_back_to_the_byte() {
    let member = hello().bytes();
    for rest in [&b""[..], b"\0", b"next frame", &[0x1F], &[0x1F, 0x8B, 8], &member] {
        let body = [&member[..], rest].concat();
        let seen = Gunzipped::new(&body, hand_back(1)).both();
        assert_eq!(seen.ended, Some(member.len()));
        assert_eq!(seen.whole(), b"hello");
    }
}

#[test]
fn with_several_members_it_is_handed_back_from_the_first_byte_that_begins_none() {
    let member = hello().bytes();
    for rest in [&b"\0"[..], b"next frame", &[0x8B, 0x1F], &[0xFF]] {
        for members in 1..3 {
            let body = [&member.repeat(members)[..], rest].concat();
            let seen = Gunzipped::new(&body, hand_back(2)).both();
            assert_eq!(seen.ended, Some(member.len() * members));
            assert_eq!(seen.whole(), b"hello".repeat(members));
        }
    }
    // Behind as many members as are asked for, a member is handed back like anything else.
    let body = member.repeat(3);
    let seen = Gunzipped::new(&body, hand_back(2)).both();
    assert_eq!((seen.ended, seen.whole()), (Some(2 * member.len()), b"hellohello".to_vec()));
    // The end of the input behind a member is an end as good as any.
    let seen = Gunzipped::new(&member, hand_back(2)).both();
    assert_eq!((seen.ended, seen.whole()), (None, b"hello".to_vec()));
}

#[test]
fn handing_back_does_not_excuse_a_bad_member() {
    let member = hello().bytes();
    for missing in 1..=member.len() {
        let body = &member[..member.len() - missing];
        let rejection = Gunzipped::new(body, hand_back(1)).cuts(Cuts::Few(5)).both().refused();
        assert_eq!((rejection.reason(), rejection.at()), (Reason::IncompleteGzip, Some(body.len() as u64)));
    }
    let body = Member { crc: 0, ..hello() }.bytes();
    let rejection = Gunzipped::new(&body, hand_back(1)).both().refused();
    assert_eq!((rejection.reason(), rejection.at()), (Reason::Checksum, Some(17)));
    assert_eq!(Gunzipped::new(b"no", hand_back(1)).both().refused().reason(), Reason::NotGzip);
}
