//! Raw DEFLATE (RFC 1951) through both kinds of history: distances, exact fills, blocks that are wrong.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use conformance::{Bits, Case, Cuts, Dynamic, Member, PATTERNS, Raw, Seen, agreed, inputs, oracle};
use plimsoll::{Detail, Reason};

/// Flat and through a ring of 32 KiB, which must come to the same; compared with the oracle.
#[track_caller]
fn both(data: &[u8]) -> Seen {
    let flat = Raw::new(data).flat(64 * 1024);
    let ring = Raw::new(data).ring(32 * 1024);
    assert!(flat == ring, "flat: {flat:?}\nring: {ring:?}");
    let expected = oracle::inflate(data);
    assert_eq!(
        flat.verdict.is_ok().then(|| (flat.bytes.clone(), flat.ended.unwrap())),
        expected,
        "the oracle says otherwise: {flat:?}"
    );
    flat
}

/// Refused as bad, at one of these bytes.
#[track_caller]
fn bad(data: &[u8], at: core::ops::RangeInclusive<usize>) {
    let rejection = both(data).refused();
    assert_eq!(rejection.reason(), Reason::BadDeflate, "{rejection:?}");
    let found = usize::try_from(rejection.at().unwrap()).unwrap();
    assert!(at.contains(&found), "at {found}, not in {at:?}");
}

/// The byte of the last bit written so far.
fn last(bits: &Bits) -> usize {
    (bits.count() - 1) / 8
}

#[test]
fn a_distance_before_the_start_is_refused_where_a_known_engine_lends_what_the_ring_held() {
    // A fixed block (bits 110) that begins with a match of length 10 (code 0001000) at distance 4 (00011),
    // whose last bit is the seventh of the second byte.
    let data = [0x43, 0x60, 0x04, 0x46, 0x60, 0x04, 0x06, 0x00];
    bad(&data, 1..=1);
    for size in [32 * 1024, 1024, 16] {
        let rejection = Raw::new(&data).ring(size).refused();
        assert_eq!((rejection.reason(), rejection.at()), (Reason::BadDeflate, Some(1)));
    }
    let member = Member::of(data.to_vec(), &PATTERNS[..1].repeat(10));
    agreed(&Case::gzip(member.bytes())).expect_fault(Reason::BadDeflate, 11);
    let first = Member::packed(b"something secret, of the response before", 6).bytes();
    let body = [&first[..], &member.bytes()].concat();
    let agreed = agreed(&Case::gzip(body).members(2));
    agreed.expect_fault(Reason::BadDeflate, first.len() + 11);
    assert_eq!(agreed.provisional, b"something secret, of the response before");
}

#[test]
fn a_distance_may_reach_the_first_byte_and_not_one_farther() {
    for produced in [1, 2, 4, 31, 255, 256, 257, 4096] {
        let plain: Vec<u8> = (0..produced).map(|n: usize| n as u8 ^ (n >> 8) as u8).collect();
        let mut bits = Bits::new();
        bits.stored(false, &plain).block(true, 1).fixed_match(3, produced as u16).fixed_end();
        let seen = both(&bits.bytes()).whole();
        let repeated = [plain[0], plain[1 % produced], plain[2 % produced]];
        assert_eq!(seen, [&plain[..], &repeated].concat());
        let mut bits = Bits::new();
        bits.stored(false, &plain).block(true, 1).fixed_match(3, produced as u16 + 1);
        let at = last(&bits);
        bits.fixed_end();
        bad(&bits.bytes(), at - 2..=at);
    }
}

#[test]
fn the_longest_distance_is_taken_and_only_once_there_is_as_much_history() {
    let plain = inputs::incompressible(32_768);
    let pack = |history: &[u8]| {
        let mut bits = Bits::new();
        bits.stored(false, history).block(true, 1).fixed_match(258, 32_768).fixed_end();
        bits.bytes()
    };
    let cuts = Cuts::Few(40);
    for (history, legal) in [(32_767, false), (32_768, true)] {
        let data = pack(&plain[..history]);
        let flat = Raw::new(&data).cuts(cuts).flat(64 * 1024);
        let ring = Raw::new(&data).cuts(cuts).ring(32 * 1024);
        assert!(flat == ring, "flat: {flat:?}\nring: {ring:?}");
        assert_eq!(oracle::inflate(&data).is_some(), legal);
        if legal {
            assert!(flat.whole() == [&plain[..], &plain[..258]].concat());
        } else {
            assert_eq!(flat.refused().reason(), Reason::BadDeflate);
        }
    }
}

#[test]
fn after_laps_of_the_ring_every_distance_it_holds_is_legal() {
    // 100,000 bytes, then a match at each end of what a ring of 32 KiB holds.
    let plain = inputs::incompressible(100_000);
    for distance in [1, 2, 257, 16_384, 32_767, 32_768] {
        let mut bits = Bits::new();
        for block in plain.chunks(0xFFFF) {
            bits.stored(false, block);
        }
        bits.block(true, 1).fixed_match(100, distance).fixed_end();
        let mut expected = plain.clone();
        (0..100).for_each(|_| expected.push(expected[expected.len() - usize::from(distance)]));
        let data = bits.bytes();
        assert!(Raw::new(&data).cuts(Cuts::Few(5)).ring(32 * 1024).whole() == expected);
        assert!(Raw::new(&data).cuts(Cuts::Few(5)).flat(expected.len()).whole() == expected);
    }
}

#[test]
fn each_member_has_a_history_of_its_own() {
    let one = Member::fixed(b"0123456789").bytes();
    let reach = |own: &[u8], distance| {
        let mut bits = Bits::new();
        bits.block(true, 1).fixed_literals(own).fixed_match(4, distance).fixed_end();
        let mut plain = own.to_vec();
        for _ in 0..4 {
            plain.push(plain.len().checked_sub(usize::from(distance)).map_or(b'9', |at| plain[at]));
        }
        (Member::of(bits.bytes(), &plain).bytes(), plain)
    };
    for own in 1..6 {
        let (two, plain) = reach(&b"abcdef"[..own], own as u16);
        let body = [&one[..], &two].concat();
        agreed(&Case::gzip(body).members(2)).expect_complete(&[b"0123456789", &plain[..]].concat());
        for beyond in 1..9 {
            let (two, _) = reach(&b"abcdef"[..own], own as u16 + beyond);
            let body = [&one[..], &two].concat();
            let agreed = agreed(&Case::gzip(body).members(2));
            assert_eq!(agreed.rejection().reason(), Reason::BadDeflate);
            assert_eq!(agreed.provisional.len(), 10 + own, "what came before was lent, and nothing else");
        }
    }
}

#[test]
fn each_member_has_a_history_of_its_own_also_after_laps_of_the_ring() {
    let long = Member::stored(&vec![b's'; 70_000]).bytes();
    let mut bits = Bits::new();
    bits.block(true, 1).fixed_literals(b"own").fixed_match(3, 4).fixed_end();
    let body = [&long[..], &Member::of(bits.bytes(), b"owns").bytes()].concat();
    let case = Case::gzip(body).members(2).encoded(1 << 20).decoded(1 << 20).cuts(Cuts::Few(5));
    let agreed = agreed(&case);
    assert_eq!(agreed.rejection().reason(), Reason::BadDeflate);
    assert_eq!(agreed.decoded_bytes, 70_003);
}

#[test]
fn a_ring_serves_the_distances_it_holds_and_tells_a_longer_one_apart_from_a_wrong_one() {
    let plain = inputs::incompressible(2000);
    let pack = |history: usize, distance| {
        let mut bits = Bits::new();
        bits.stored(false, &plain[..history]).block(true, 1).fixed_match(10, distance).fixed_end();
        bits.bytes()
    };
    for size in [1, 2, 16, 256, 1024] {
        let data = pack(2000, size as u16);
        let mut expected = plain.clone();
        (0..10).for_each(|_| expected.push(expected[expected.len() - size]));
        assert!(
            Raw::new(&data).cuts(Cuts::Few(60)).ring(size).whole() == expected,
            "a distance of exactly the ring's size"
        );
        // Legal, since as much was produced, but not in the ring any more.
        for distance in [size + 1, size * 2 - 1, 1999, 2000] {
            if distance <= size || distance > 2000 {
                continue;
            }
            let data = pack(2000, distance as u16);
            assert!(oracle::inflate(&data).is_some());
            let rejection = Raw::new(&data).cuts(Cuts::Few(60)).ring(size).refused();
            assert_eq!(rejection.reason(), Reason::WindowTooSmall, "ring {size}, distance {distance}");
            let detail = rejection.detail().unwrap();
            assert!(
                [Detail::Window(distance as u16), Detail::WindowOrCorrupt].contains(&detail),
                "{detail:?}"
            );
        }
        // Before the start: wrong with any ring. (In one that has lapped, the engine may be unable to tell.)
        if size > 2 {
            let history = size / 2;
            let rejection = Raw::new(&pack(history, history as u16 + 1)).ring(size).refused();
            assert_eq!(rejection.reason(), Reason::BadDeflate, "ring {size}");
        }
    }
}

#[test]
fn a_fault_where_a_ring_has_just_been_filled_has_one_reason_for_every_cut() {
    for size in [1, 2, 4, 8, 64] {
        for literals in size - 1..size + 2 {
            let mut bits = Bits::new();
            bits.block(true, 1).fixed_literals(&vec![b'x'; literals]).fixed_symbol(286);
            let at = last(&bits);
            let data = [&bits.bytes()[..], &[0; 20]].concat();
            let rejection = Raw::new(&data).ring(size).refused();
            // An engine that does not tell its faults apart may blame the ring, once it is full.
            let reasons = [Reason::BadDeflate, Reason::WindowTooSmall];
            assert!(
                reasons[..1 + usize::from(literals >= size)].contains(&rejection.reason()),
                "{rejection:?}"
            );
            // The symbol's eight bits lie in two bytes.
            assert!((at as u64 - 1..=at as u64).contains(&rejection.at().unwrap()), "{rejection:?}");
        }
    }
}

#[test]
fn a_ring_of_any_size_lends_every_byte_of_a_body_without_longer_distances() {
    let mut bits = Bits::new();
    bits.stored(false, b"a stored block, longer than the small rings").fixed(false, b"and a fixed one");
    bits.block(true, 1).fixed_literals(b"x").fixed_match(258, 1).fixed_end();
    let (plain, _) = oracle::inflate(&bits.bytes()).unwrap();
    for size in [1, 2, 4, 8, 64, 4096, 65_536] {
        assert_eq!(Raw::new(&bits.bytes()).ring(size).whole(), plain, "ring {size}");
    }
}

#[test]
fn a_flat_buffer_of_exactly_the_output_serves_and_one_byte_less_does_not() {
    let mut stored = Bits::new();
    stored.stored(true, b"aaaaaa");
    let mut fixed = Bits::new();
    fixed.fixed(true, b"aaaaaa");
    let mut copied = Bits::new();
    copied.block(true, 1).fixed_literals(b"aa").fixed_match(4, 1).fixed_end();
    let code = Dynamic::new(&[(97, 1), (256, 2), (258, 2)], &[(0, 1)]);
    let mut dynamic = Bits::new();
    code.open(&mut dynamic, false);
    code.put(&mut dynamic, b"aa");
    code.copy(&mut dynamic, 4, 2_u16.pow(0));
    code.close(&mut dynamic);
    dynamic.stored(false, b"").fixed(true, b"");
    for (name, bits) in [("stored", stored), ("fixed", fixed), ("copied", copied), ("dynamic", dynamic)] {
        let data = bits.bytes();
        println!("{name}");
        assert_eq!(Raw::new(&data).flat(6).whole(), b"aaaaaa");
        assert_eq!(Raw::new(&data).flat(7).whole(), b"aaaaaa");
        for room in 0..6 {
            let seen = Raw::new(&data).flat(room);
            let rejection = seen.refused();
            assert_eq!(rejection.reason(), Reason::DecodedLimit, "room for {room}");
            assert_eq!(rejection.limit().unwrap().value, room as u64);
            assert_eq!(seen.bytes, &b"aaaaaa"[..room]);
        }
    }
}

#[test]
fn where_the_buffer_is_full_and_the_rest_is_missing_or_wrong_that_is_the_verdict() {
    // Exactly full, and then: the end, a wrong block, half of a block's head.
    let mut bits = Bits::new();
    bits.fixed(false, b"abc").block(true, 3);
    let data = bits.bytes();
    let rejection = Raw::new(&data).flat(3).refused();
    assert_eq!(rejection.reason(), Reason::BadDeflate);
    let mut bits = Bits::new();
    bits.stored(false, b"abc");
    let rejection = Raw::new(&bits.bytes()).flat(3).refused();
    assert_eq!((rejection.reason(), rejection.at()), (Reason::IncompleteGzip, Some(8)));
    // A stored block that announces more is over the limit only when more is there.
    let mut bits = Bits::new();
    bits.stored(true, b"abcd");
    let data = bits.bytes();
    let rejection = Raw::new(&data[..data.len() - 1]).flat(3).refused();
    assert_eq!((rejection.reason(), rejection.at()), (Reason::IncompleteGzip, Some(8)));
    assert_eq!(Raw::new(&data).flat(3).refused().reason(), Reason::DecodedLimit);
}

#[test]
fn the_end_is_found_to_the_byte_and_what_follows_is_handed_back() {
    let mut ends = vec![Bits::new(), Bits::new(), Bits::new()];
    ends[0].stored(true, b"ab");
    ends[1].fixed(true, b"ab");
    ends[2].block(true, 1).fixed_literals(b"ab").fixed_match(258, 2).fixed_end();
    for bits in ends {
        let data = bits.bytes();
        for behind in [&b""[..], &[0], &[0xFF; 9], &[0; 300]] {
            let seen = both(&[&data[..], behind].concat());
            assert_eq!(seen.ended, Some(data.len()));
        }
    }
}

#[test]
fn block_type_three_is_refused_wherever_it_stands() {
    for last in [false, true] {
        let mut bits = Bits::new();
        bits.block(last, 3);
        bad(&bits.bytes(), 0..=0);
        let mut bits = Bits::new();
        bits.stored(false, b"ab").fixed(false, b"c").block(last, 3);
        let at = (bits.count() - 3) / 8..=(bits.count() - 1) / 8;
        bad(&[&bits.bytes()[..], &[0; 20]].concat(), at);
    }
}

#[test]
fn a_stored_length_that_differs_from_its_complement_in_any_bit_is_refused() {
    for bit in 0..16 {
        let mut bits = Bits::new();
        bits.block(true, 0).align(0).number(5, 16).number((!5 & 0xFFFF) ^ (1 << bit), 16);
        let data = [&bits.bytes()[..], b"hello"].concat();
        bad(&data, 1..=4);
    }
}

#[test]
fn the_bits_before_a_stored_length_may_have_any_value() {
    for filler in 0..32 {
        let mut bits = Bits::new();
        bits.block(true, 0).number(filler, 5).number(2, 16).number(!2 & 0xFFFF, 16);
        let data = [&bits.bytes()[..], b"hi"].concat();
        assert_eq!(both(&data).whole(), b"hi");
    }
}

#[test]
fn stored_blocks_may_be_empty_and_of_the_greatest_length() {
    let plain = inputs::incompressible(0xFFFF);
    let mut bits = Bits::new();
    bits.stored(false, b"").stored(false, &plain).stored(true, b"");
    let data = bits.bytes();
    assert!(Raw::new(&data).cuts(Cuts::Few(20)).flat(0xFFFF).whole() == plain);
    assert!(Raw::new(&data).cuts(Cuts::Few(20)).ring(32 * 1024).whole() == plain);
}

#[test]
fn every_length_and_every_distance_code_stands_for_what_the_tables_say() {
    let plain = inputs::incompressible(32_768);
    let mut bits = Bits::new();
    bits.stored(false, &plain).block(true, 1);
    let mut expected = plain;
    let mut distances: Vec<u16> = (0..=14).flat_map(|power| [1 << power, (1 << power) + 1]).collect();
    distances.extend([3, 6, 7, 13, 24_576, 24_577, 32_766, 32_767, 32_768]);
    let matches =
        (3..=258).map(|length| (length, 1 + length * 100)).chain(distances.into_iter().map(|d| (4, d)));
    for (length, distance) in matches {
        bits.fixed_match(length, distance);
        (0..length).for_each(|_| expected.push(expected[expected.len() - usize::from(distance)]));
    }
    bits.fixed_end();
    let data = bits.bytes();
    assert_eq!(oracle::inflate(&data).map(|(plain, _)| plain == expected), Some(true));
    assert!(Raw::new(&data).cuts(Cuts::Few(50)).flat(expected.len()).whole() == expected);
    assert!(Raw::new(&data).cuts(Cuts::Few(50)).ring(32 * 1024).whole() == expected);
}

#[test]
fn overlapping_matches_repeat_their_own_output() {
    for distance in 1..=40_usize {
        let start: Vec<u8> = (0..distance as u8).collect();
        let mut bits = Bits::new();
        bits.stored(false, &start).block(true, 1);
        for length in [3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 258] {
            bits.fixed_match(length, distance as u16).fixed_symbol(0xEE);
        }
        bits.fixed_end();
        let data = bits.bytes();
        let (expected, _) = oracle::inflate(&data).unwrap();
        for size in [64, 32 * 1024] {
            assert!(Raw::new(&data).cuts(Cuts::Few(9)).ring(size).whole() == expected, "distance {distance}");
        }
        assert!(Raw::new(&data).cuts(Cuts::Few(9)).flat(expected.len()).whole() == expected);
    }
}

#[test]
fn undefined_length_and_distance_symbols_are_refused() {
    for symbol in [286, 287] {
        let mut bits = Bits::new();
        bits.block(true, 1).fixed_literals(b"abc").fixed_symbol(symbol);
        let at = last(&bits);
        bits.code(0, 5).fixed_end();
        bad(&[&bits.bytes()[..], &[0; 20]].concat(), at - 1..=at);
    }
    for symbol in [30, 31] {
        let mut bits = Bits::new();
        bits.block(true, 1).fixed_literals(b"abc").fixed_symbol(257).code(symbol, 5);
        let at = last(&bits);
        bits.fixed_end();
        bad(&[&bits.bytes()[..], &[0; 20]].concat(), at - 1..=at);
    }
}

#[test]
fn a_length_of_258_may_be_written_in_both_ways() {
    // Code 284 with the extra bits 31 is 227 + 31 (section 3.2.5 lists it up to 257; zlib takes it).
    let mut bits = Bits::new();
    bits.block(true, 1).fixed_literals(b"a").fixed_symbol(284).number(31, 5).code(0, 5);
    bits.fixed_symbol(285).code(0, 5).fixed_end();
    assert_eq!(both(&bits.bytes()).whole(), vec![b'a'; 1 + 258 + 258]);
}

#[test]
fn a_dynamic_block_may_be_without_distances_or_with_one() {
    // "One distance code of zero bits means that there are no distance codes used at all" (section 3.2.7).
    let code = Dynamic::new(&[(97, 1), (98, 2), (256, 2)], &[]);
    let mut bits = Bits::new();
    code.open(&mut bits, true);
    code.put(&mut bits, b"abab");
    code.close(&mut bits);
    assert_eq!(both(&bits.bytes()).whole(), b"abab");
    // "If only one distance code is used, it is encoded using one bit."
    let code = Dynamic::new(&[(97, 1), (256, 2), (258, 2)], &[(1, 1)]);
    let mut bits = Bits::new();
    code.open(&mut bits, true);
    code.put(&mut bits, b"aa");
    code.copy(&mut bits, 4, 2);
    code.close(&mut bits);
    assert_eq!(both(&bits.bytes()).whole(), b"aaaaaa");
}

#[test]
fn a_match_without_a_distance_code_and_the_unused_half_of_a_single_one_are_refused() {
    for (distances, bit) in [(&[][..], 0), (&[], 1), (&[(1, 1)], 1)] {
        let code = Dynamic::new(&[(97, 1), (256, 2), (258, 2)], distances);
        let mut bits = Bits::new();
        code.open(&mut bits, true);
        code.put(&mut bits, b"aaaa");
        code.symbol(&mut bits, 258);
        let from = last(&bits);
        bits.number(bit, 1);
        code.close(&mut bits);
        bad(&[&bits.bytes()[..], &[0; 9]].concat(), from..=bits.bytes().len());
    }
}

/// A dynamic block of "a" with these codes, closed, and more behind it.
fn dynamic(code: &Dynamic) -> Vec<u8> {
    let mut bits = Bits::new();
    code.open(&mut bits, true);
    bits.number(0, 16);
    [&bits.bytes()[..], &[0; 20]].concat()
}

#[test]
fn codes_that_are_over_subscribed_or_incomplete_are_refused() {
    for (name, literals, distances) in [
        ("three literals of one bit", &[(97, 1), (98, 1), (256, 1)][..], &[(0, 1)][..]),
        ("a literal code with room left", &[(97, 2), (98, 2), (256, 2)], &[(0, 1)]),
        ("a literal code far from full", &[(97, 9), (256, 9)], &[(0, 1)]),
        ("a literal code of one symbol of two bits", &[(256, 2)], &[(0, 1)]),
        ("three distances of one bit", &[(97, 1), (256, 1)], &[(0, 1), (1, 1), (2, 1)]),
        ("a distance code with room left", &[(97, 1), (256, 1)], &[(0, 2), (1, 2), (2, 2)]),
        ("a distance code of one symbol of two bits", &[(97, 1), (256, 1)], &[(0, 2)]),
    ] {
        println!("{name}");
        let data = dynamic(&Dynamic::new(literals, distances));
        bad(&data, 0..=data.len() - 20);
    }
}

#[test]
fn a_literal_code_without_an_end_of_block_is_never_complete() {
    // An engine that does not look for the code goes on until the input ends; then that is what is wrong.
    let data = dynamic(&Dynamic::new(&[(97, 1), (98, 1)], &[(0, 1)]));
    let rejection = both(&data).refused();
    if rejection.reason() == Reason::IncompleteGzip {
        assert_eq!(rejection.at(), Some(data.len() as u64));
    } else {
        bad(&data, 0..=data.len() - 20);
    }
}

#[test]
fn more_codes_than_are_defined_are_refused_and_as_many_are_not() {
    for (literals, distances) in [(287, 1), (288, 1), (257, 31), (257, 32), (288, 32)] {
        let mut code = Dynamic::new(&[(97, 1), (256, 1)], &[(0, 1)]);
        code.literals.resize(literals, 0);
        code.distances.resize(distances, 0);
        let data = dynamic(&code);
        bad(&data, 0..=data.len() - 20);
    }
    let mut code = Dynamic::new(&[(97, 1), (256, 1)], &[(0, 1)]);
    code.literals.resize(286, 0);
    code.distances.resize(30, 0);
    let mut bits = Bits::new();
    code.open(&mut bits, true);
    code.put(&mut bits, b"aaa");
    code.close(&mut bits);
    assert_eq!(both(&bits.bytes()).whole(), b"aaa");
}

/// A dynamic head whose code length code has two codes of one bit: 0 for the length 1, 1 for the symbol given,
/// 16, 17 or 18. HLIT 257, HDIST 1.
fn repeats(symbol: usize) -> Bits {
    let mut bits = Bits::new();
    Dynamic::open_counts(&mut bits, true, 257, 1, 18);
    for other in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1] {
        bits.number(u32::from(other == symbol || other == 1), 3);
    }
    bits
}

#[test]
fn a_repeat_of_code_lengths_needs_one_before_it_and_ends_with_the_last() {
    // 16 first: nothing to repeat.
    let mut bits = repeats(16);
    let from = bits.count() / 8;
    bits.number(1, 1).number(0, 2);
    let at = from..=last(&bits);
    bad(&[&bits.bytes()[..], &[0xFF; 90]].concat(), at);
    // 138 zeros, 138 zeros: past 258.
    let mut bits = repeats(18);
    bits.number(1, 1).number(127, 7);
    let from = bits.count() / 8;
    bits.number(1, 1).number(127, 7);
    let at = from..=last(&bits);
    bad(&[&bits.bytes()[..], &[0; 30]].concat(), at);
    // Up to exactly the last, over both codes: 97 zeros, one 1, 138 + 20 zeros, 1, 1; 97 stands for itself.
    let mut bits = repeats(18);
    bits.number(1, 1).number(97 - 11, 7).number(0, 1);
    bits.number(1, 1).number(127, 7).number(1, 1).number(20 - 11, 7).number(0, 1).number(0, 1);
    bits.number(0, 1).number(0, 1).number(1, 1);
    assert_eq!(both(&bits.bytes()).whole(), b"aa");
}

#[test]
fn a_code_length_code_must_be_complete() {
    for (name, lengths) in [
        ("all zero", [0; 19]),
        ("one code of one bit", core::array::from_fn(|at| u32::from(at == 3))),
        ("three codes of one bit", core::array::from_fn(|at| u32::from(at > 2 && at < 6))),
        ("two codes of two bits", core::array::from_fn(|at| if at > 2 && at < 5 { 2 } else { 0 })),
    ] {
        println!("{name}");
        let mut bits = Bits::new();
        Dynamic::open_counts(&mut bits, true, 257, 1, 19);
        let from = bits.count() / 8;
        for length in lengths {
            bits.number(length, 3);
        }
        let data = [&bits.bytes()[..], &[0; 90]].concat();
        let rejection = both(&data).refused();
        assert_eq!(rejection.reason(), Reason::BadDeflate);
        assert!(rejection.at().unwrap() >= from as u64);
    }
}

#[test]
fn a_stream_cut_at_any_byte_is_incomplete_there() {
    let mut bits = Bits::new();
    bits.stored(false, b"stored").fixed(false, b"fixed");
    let code = Dynamic::new(&[(97, 1), (256, 2), (258, 2)], &[(1, 1)]);
    code.open(&mut bits, true);
    code.put(&mut bits, b"aa");
    code.copy(&mut bits, 4, 2);
    code.close(&mut bits);
    let data = bits.bytes();
    for length in 0..data.len() {
        for seen in [
            Raw::new(&data[..length]).cuts(Cuts::Few(9)).flat(64),
            Raw::new(&data[..length]).cuts(Cuts::Few(9)).ring(64),
        ] {
            let rejection = seen.refused();
            assert_eq!((rejection.reason(), rejection.at()), (Reason::IncompleteGzip, Some(length as u64)));
        }
    }
    assert_eq!(both(&data).whole(), b"storedfixedaaaaaa");
}
