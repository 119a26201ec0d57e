//! Exactly the limit is accepted, one more is refused, 0 means 0; each limit counts over the whole body.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use conformance::{Bits, Case, Cuts, Dynamic, Member, Raw, agreed, inputs, oracle};
use plimsoll::{Ingest, Limits, Next, Policy, Reason, Unit};

/// "abab..." in each kind of block, of exactly `size` bytes, the last byte with the end of the block behind it.
fn blocks_of(size: usize) -> Vec<(&'static str, Member)> {
    let plain = vec![b'a'; size];
    let mut matched = Bits::new();
    matched.block(true, 1);
    if size > 258 {
        matched.fixed_literals(&plain[..size - 258]).fixed_match(258, 1);
    } else {
        matched.fixed_literals(&plain);
    }
    matched.fixed_end();
    let code = Dynamic::new(&[(97, 1), (256, 1)], &[]);
    let mut dynamic = Bits::new();
    code.open(&mut dynamic, true);
    code.put(&mut dynamic, &plain);
    code.close(&mut dynamic);
    let mut one_stored = Bits::new();
    one_stored.stored(true, &plain);
    let mut empties = Bits::new();
    empties.fixed(false, b"").stored(false, b"").fixed(false, &plain).stored(false, b"").fixed(false, b"");
    code.open(&mut empties, false);
    code.close(&mut empties);
    empties.stored(true, b"");
    [
        ("fixed", Bits::new().fixed(true, &plain).bytes()),
        ("fixed with a match last", matched.bytes()),
        ("dynamic", dynamic.bytes()),
        ("stored", one_stored.bytes()),
        ("with empty blocks around", empties.bytes()),
    ]
    .into_iter()
    .map(|(name, data)| (name, Member::of(data, &plain)))
    .collect()
}

#[test]
fn exactly_the_decoded_limit_passes_in_every_kind_of_block_and_one_more_does_not() {
    for size in [1, 2, 258, 300] {
        for (name, member) in blocks_of(size) {
            let body = member.bytes();
            println!("{size} bytes, {name}");
            let case = Case::gzip(&body[..]).cuts(Cuts::Usual);
            agreed(&case.clone().decoded(size as u64)).expect_complete(&vec![b'a'; size]);
            agreed(&case.clone().decoded(size as u64 + 1)).expect_complete(&vec![b'a'; size]);
            agreed(&case.decoded(size as u64 - 1)).expect_decoded_limit(size as u64 - 1);
        }
    }
}

#[test]
fn a_buffer_or_sink_smaller_than_the_limit_is_a_limit_itself() {
    let body = Member::fixed(b"hello").bytes();
    agreed(&Case::gzip(&body[..]).room(5)).expect_complete(b"hello");
    agreed(&Case::gzip(&body[..]).room(4)).expect_decoded_limit(4);
    agreed(&Case::gzip(&body[..]).room(0)).expect_decoded_limit(0);
    agreed(&Case::identity(b"hello").room(5)).expect_complete(b"hello");
    agreed(&Case::identity(b"hello").room(4)).expect_decoded_limit(4);
}

#[test]
fn a_decoded_limit_of_zero_refuses_the_first_byte_in_every_kind_of_block() {
    for (name, member) in blocks_of(1) {
        println!("{name}");
        agreed(&Case::gzip(member.bytes()).decoded(0)).expect_decoded_limit(0);
    }
}

#[test]
fn exactly_the_encoded_limit_passes_and_one_more_does_not() {
    let body = oracle::gzip(b"hello", 6);
    let length = body.len() as u64;
    agreed(&Case::gzip(&body[..]).encoded(length)).expect_complete(b"hello");
    for limit in 0..length {
        let agreed = agreed(&Case::gzip(&body[..]).encoded(limit));
        let rejection = agreed.expect_limit(Reason::EncodedLimit, limit);
        assert_eq!(rejection.limit().unwrap().unit, Unit::Bytes);
        assert_eq!(agreed.decided_after, limit + 1);
    }
}

#[test]
fn what_stands_within_the_encoded_limit_decides_before_the_limit_does() {
    // The fault is the third byte: an encoded limit of 3 or more has let it in, one of 2 has not.
    let mut body = Member::fixed(b"hello").bytes();
    body[2] = 7;
    agreed(&Case::gzip(&body[..]).encoded(2)).expect_limit(Reason::EncodedLimit, 2);
    agreed(&Case::gzip(&body[..]).encoded(3)).expect_fault(Reason::BadHeader, 2);
    // Garbage behind the member, at and behind the limit.
    let mut body = Member::fixed(b"hello").bytes();
    let length = body.len();
    body.push(b'!');
    agreed(&Case::gzip(&body[..]).encoded(length as u64)).expect_limit(Reason::EncodedLimit, length as u64);
    agreed(&Case::gzip(&body[..]).encoded(length as u64 + 1)).expect_fault(Reason::TrailingData, length);
}

#[test]
fn of_two_limits_the_one_met_first_in_the_body_decides() {
    // Eight literals of eight bits behind ten bytes of header and three bits: the byte 10 + n brings the last
    // bits of literal n, so the literal of the decoded limit comes with the encoded byte 10 + limit + 1.
    let body = Member::fixed(b"abcdefgh").bytes();
    for decoded in 0..8 {
        let needed = 10 + decoded + 2;
        let case = Case::gzip(&body[..]).decoded(decoded);
        let by_decoded = agreed(&case.clone().encoded(needed));
        by_decoded.expect_decoded_limit(decoded);
        assert_eq!(by_decoded.decided_after, needed);
        let by_encoded = agreed(&case.encoded(needed - 1));
        by_encoded.expect_limit(Reason::EncodedLimit, needed - 1);
        assert_eq!(by_encoded.decoded_bytes, decoded);
    }
}

#[test]
fn the_largest_limits_do_not_overflow() {
    let case = Case::gzip(Member::fixed(b"hello").bytes()).room(64);
    let case = case.encoded(u64::MAX).decoded(u64::MAX).header(u64::MAX).work(u64::MAX).members(u64::MAX);
    agreed(&case).expect_complete(b"hello");
    agreed(&case.clone().length(u64::MAX)).expect_fault(Reason::LengthMismatch, case.body.len());
    agreed(&case.clone().preview(u64::MAX)).expect_complete(b"hello");
    agreed(
        &Case { body: b"hello".to_vec(), ..Case::identity(b"") }.encoded(u64::MAX).decoded(u64::MAX).room(64),
    )
    .expect_complete(b"hello");
}

#[test]
fn a_header_of_exactly_the_limit_passes_and_one_byte_more_does_not() {
    let mut member = Member { name: Some(b"name".to_vec()), ..Member::fixed(b"hello") };
    for crc in [conformance::HeaderCrc::Absent, conformance::HeaderCrc::Right] {
        member.header_crc = crc;
        let length = member.header().len() as u64;
        agreed(&Case::gzip(member.bytes()).header(length)).expect_complete(b"hello");
        for limit in 0..length {
            let agreed = agreed(&Case::gzip(member.bytes()).header(limit));
            agreed.expect_limit(Reason::HeaderLimit, limit);
            assert_eq!(agreed.decided_after, limit + 1, "the first byte too many is refused at once");
        }
    }
}

#[test]
fn header_bytes_are_counted_over_all_members() {
    let member = Member::fixed(b"hello").bytes();
    let body = member.repeat(3);
    let case = Case::gzip(body).members(3);
    agreed(&case.clone().header(30)).expect_complete(b"hellohellohello");
    let agreed = agreed(&case.header(29));
    agreed.expect_limit(Reason::HeaderLimit, 29);
    assert_eq!(agreed.decided_after, 2 * member.len() as u64 + 10);
}

#[test]
fn exactly_as_many_members_as_allowed_pass_and_one_more_does_not() {
    let member = Member::fixed(b"hi").bytes();
    for count in 2..5 {
        let case = Case::gzip(member.repeat(count));
        agreed(&case.clone().members(count as u64)).expect_complete(&b"hi".repeat(count));
        agreed(&case.clone().members(u64::MAX)).expect_complete(&b"hi".repeat(count));
        if count > 2 {
            let agreed = agreed(&case.members(count as u64 - 1));
            let rejection = agreed.expect_limit(Reason::MemberLimit, count as u64 - 1);
            assert_eq!(rejection.limit().unwrap().unit, Unit::Members);
            // Known at the second byte of its magic: with the first alone it may as well be garbage.
            assert_eq!(agreed.decided_after, (member.len() * (count - 1)) as u64 + 2);
        }
    }
}

#[test]
fn with_no_members_allowed_none_is_taken() {
    agreed(&Case::gzip(Member::fixed(b"hi").bytes()).members(0)).expect_limit(Reason::MemberLimit, 0);
}

#[test]
fn the_decoded_limit_is_counted_over_members_and_not_begun_anew() {
    let body = Member::fixed(b"hello").bytes().repeat(4);
    let case = Case::gzip(body).members(4);
    agreed(&case.clone().decoded(20)).expect_complete(b"hellohellohellohello");
    for limit in [0, 4, 5, 6, 9, 10, 11, 15, 19] {
        agreed(&case.clone().decoded(limit)).expect_decoded_limit(limit);
    }
}

#[test]
fn a_member_of_exactly_the_limit_followed_by_empty_ones_is_complete() {
    let full = Member::fixed(b"hello").bytes();
    let empty = Member::fixed(b"").bytes();
    let body = [&empty[..], &full, &empty, &empty].concat();
    agreed(&Case::gzip(&body[..]).members(4).decoded(5)).expect_complete(b"hello");
    let stored = Member::stored(b"").bytes();
    let body = [&full[..], &stored].concat();
    agreed(&Case::gzip(&body[..]).members(2).decoded(5)).expect_complete(b"hello");
    let body = [&full[..], &Member::fixed(b"!").bytes()].concat();
    agreed(&Case::gzip(&body[..]).members(2).decoded(5)).expect_decoded_limit(5);
}

#[test]
fn a_limit_looks_at_every_byte_also_of_a_large_piece() {
    // 1 MiB in one push against limits of every size around the powers of two.
    let plain = inputs::json(200_000);
    let body = oracle::gzip(&plain, 6);
    for limit in [1, 255, 256, 257, 32_767, 32_768, 32_769, 65_535, 65_536, 65_537] {
        agreed(&Case::gzip(&body[..]).encoded(1 << 20).decoded(limit).cuts(Cuts::Few(3)))
            .expect_decoded_limit(limit);
    }
}

/// Some 64 KiB of `block`, bit after bit, and a last one.
fn many(block: impl Fn(&mut Bits, bool)) -> Vec<u8> {
    let mut bits = Bits::new();
    while bits.count() < 8 * 64 * 1024 {
        block(&mut bits, false);
    }
    block(&mut bits, true);
    bits.bytes()
}

#[test]
fn sixty_four_kibibytes_of_empty_blocks_exceed_the_limit_for_work_whatever_their_type() {
    let code = Dynamic::new(&[(256, 1)], &[]);
    let kinds: [(&str, Vec<u8>); 3] = [
        (
            "fixed",
            many(|bits, last| {
                bits.fixed(last, b"");
            }),
        ),
        (
            "stored",
            many(|bits, last| {
                bits.stored(last, b"");
            }),
        ),
        (
            "dynamic",
            many(|bits, last| {
                code.open(bits, last);
                code.close(bits);
            }),
        ),
    ];
    for (name, data) in kinds {
        println!("{name}: {} bytes", data.len());
        let body = Member::of(data.clone(), b"").bytes();
        let case = Case::gzip(&body[..]).encoded(1 << 20).cuts(Cuts::Few(3));
        for limit in [0, 10_000] {
            let agreed = agreed(&case.clone().work(limit));
            let rejection = agreed.expect_limit(Reason::WorkLimit, limit);
            assert_eq!(rejection.limit().unwrap().unit, Unit::Steps);
            assert_eq!(agreed.decoded_bytes, 0);
        }
        let seen = Raw::new(&data).work(1 << 30).cuts(Cuts::Few(0)).ring(256);
        assert_eq!((seen.ended, seen.whole()), (Some(data.len()), Vec::new()));
    }
}

#[test]
fn empty_blocks_between_output_are_counted_and_over_members_too() {
    // A byte of output for every hundred empty blocks does not pay for them.
    let mut bits = Bits::new();
    while bits.count() < 8 * 32 * 1024 {
        for _ in 0..100 {
            bits.fixed(false, b"");
        }
        bits.fixed(false, b"x");
    }
    let plain = vec![b'x'; bits.count() / (8 * 126) + 1];
    let body = Member::of(bits.stored(true, b"").bytes(), &plain).bytes();
    agreed(&Case::gzip(body).work(8 * 1024).cuts(Cuts::Few(2))).expect_limit(Reason::WorkLimit, 8 * 1024);
    // A thousand members of a hundred empty blocks each.
    let mut bits = Bits::new();
    for _ in 0..100 {
        bits.stored(false, b"");
    }
    let member = Member::of(bits.stored(true, b"").bytes(), b"").bytes();
    let case = Case::gzip(member.repeat(100)).members(1000).header(1 << 20).encoded(1 << 20);
    agreed(&case.work(8 * 1024).cuts(Cuts::Few(2))).expect_limit(Reason::WorkLimit, 8 * 1024);
}

#[test]
fn bodies_that_bring_output_at_any_legal_rate_stay_within_the_presets_limit_for_work() {
    // Literals of nine bits (RFC 1951, section 3.2.6): 300 KB of them are longer than what they stand for.
    let plain = vec![0xF0; 300_000];
    let nine_bits = Member::fixed(&plain);
    // A code of which one literal has fifteen bits, the longest there is: two bytes for each.
    let lengths: Vec<(usize, u8)> =
        (0..14).map(|symbol| (symbol, symbol as u8 + 1)).chain([(14, 15), (256, 15)]).collect();
    let code = Dynamic::new(&lengths, &[]);
    let mut bits = Bits::new();
    code.open(&mut bits, true);
    code.put(&mut bits, &[14; 100_000]);
    code.close(&mut bits);
    let fifteen_bits = Member::of(bits.bytes(), &[14; 100_000]);
    // Random bytes as an ordinary encoder packs them.
    let random = inputs::incompressible(300_000);
    // The small device's limit for work is the strictest of the presets.
    let limits = Limits { encoded: 1 << 20, decoded: 1 << 20, ..Limits::SMALL_DEVICE };
    for (name, member, plain) in [
        ("nine bits", &nine_bits, &plain[..]),
        ("fifteen bits", &fifteen_bits, &[14; 100_000]),
        ("random", &Member::packed(&random, 6), &random),
    ] {
        println!("{name} at {} steps", limits.work);
        let mut case = Case::gzip(member.bytes()).cuts(Cuts::Few(3));
        case.policy = Policy::strict(limits);
        agreed(&case).expect_complete(plain);
    }
}

#[test]
fn a_peer_that_never_ends_is_stopped_after_as_much_as_the_limits_allow() {
    // Gigabytes would follow; a driver that stops when it is told to reads only this much.
    let piece = [0; 512];
    let case = Case::identity(b"");
    let mut output = vec![0; 8192];
    let mut engine = plimsoll::DefaultEngine::default();
    let mut ingest = Ingest::flat(&case.head, &case.policy, &mut engine, &mut output, ());
    let mut pushes = 0;
    while ingest.push(&piece).unwrap() == Next::Read {
        pushes += 1;
    }
    assert_eq!(pushes, 8192 / 512);
    let (outcome, body) = ingest.finish_flat();
    assert_eq!((outcome.decoded_bytes, outcome.lower_bound, body), (8193, true, None));
}
