//! Random gzip bodies and random mutations of them: complete exactly where the oracle takes all of it, with the
//! same bytes. `PLIMSOLL_SEED` and `PLIMSOLL_ROUNDS` choose other bodies and more of them.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "this is test code throughout: whatever goes wrong here fails a test"
)]

use conformance::{Bits, Case, Cuts, Dynamic, HeaderCrc, Member, Raw, agreed, flag, inputs, oracle};
use fastrand::Rng;
use plimsoll::{Reason, Verdict};

/// A generator and a number of rounds, both printed.
fn rounds(name: &str, usual: u64) -> (Rng, u64) {
    let number = |variable: &str| std::env::var(variable).ok().map(|value| value.parse::<u64>().unwrap());
    let seed = number("PLIMSOLL_SEED").unwrap_or(20_261_130);
    let rounds = number("PLIMSOLL_ROUNDS").unwrap_or(usual);
    println!("{name}: PLIMSOLL_SEED={seed} PLIMSOLL_ROUNDS={rounds}");
    (Rng::with_seed(seed), rounds)
}

/// A member around a random body, with random header fields.
fn member(rng: &mut Rng, most: usize) -> (Member, Vec<u8>) {
    let plain = inputs::random(rng, most);
    let mut member = Member::packed(&plain, rng.u32(..10));
    member.xfl = rng.u8(..);
    member.os = rng.u8(..);
    if rng.u8(..3) == 0 {
        let mut text = |most| -> Vec<u8> {
            let size = rng.usize(..most);
            core::iter::repeat_with(|| rng.u8(1..)).take(size).collect()
        };
        member.flags = flag::TEXT;
        member.extra = Some(text(40));
        member.name = Some(text(20));
        member.comment = Some(text(20));
        member.header_crc = HeaderCrc::Right;
    }
    (member, plain)
}

/// Changes a body at random.
fn mutate(rng: &mut Rng, body: &mut Vec<u8>) {
    for _ in 0..=rng.u8(..3) {
        let at = rng.usize(..=body.len());
        match rng.u8(..7) {
            0 if at < body.len() => body[at] ^= 1 << rng.u8(..8),
            1 if at < body.len() => body[at] = rng.u8(..),
            2 if at < body.len() => drop(body.remove(at)),
            3 => body.insert(at, rng.u8(..)),
            4 => body.truncate(at),
            5 => (0..rng.u8(1..9)).for_each(|_| body.push(if rng.bool() { 0 } else { rng.u8(..) })),
            _ => {
                let until = rng.usize(at..=body.len());
                let part = body[at..until].to_vec();
                body.extend_from_slice(&part);
            }
        }
    }
}

/// A case with limits that no body here exceeds.
fn roomy(body: &[u8], members: u64) -> Case {
    Case::gzip(body)
        .encoded(1 << 20)
        .decoded(1 << 18)
        .header(1 << 18)
        .work(1 << 20)
        .members(members)
        .cuts(Cuts::Few(3))
}

#[test]
fn whatever_an_encoder_of_any_level_packs_comes_out() {
    let (mut rng, rounds) = rounds("packed", 20);
    for round in 0..rounds {
        for level in 0..10 {
            let plain = inputs::random(&mut rng, 20_000);
            let body = oracle::gzip(&plain, level);
            println!("round {round}, level {level}: {} bytes from {}", body.len(), plain.len());
            agreed(&roomy(&body, 1)).expect_complete(&plain);
            // With the body's own size as the limit, and one less.
            let size = plain.len() as u64;
            agreed(&roomy(&body, 1).decoded(size)).expect_complete(&plain);
            if size > 0 {
                agreed(&roomy(&body, 1).decoded(size - 1)).expect_decoded_limit(size - 1);
            }
        }
    }
}

#[test]
fn several_members_come_out_as_one_body() {
    let (mut rng, rounds) = rounds("members", 40);
    for round in 0..rounds {
        let (mut body, mut plain) = (Vec::new(), Vec::new());
        let count = rng.usize(1..6);
        for _ in 0..count {
            let (member, part) = member(&mut rng, 3000);
            body.extend_from_slice(&member.bytes());
            plain.extend_from_slice(&part);
        }
        println!("round {round}: {count} members, {} bytes", body.len());
        assert_eq!(oracle::gunzip_many(&body).as_ref(), Some(&plain));
        agreed(&roomy(&body, count as u64)).expect_complete(&plain);
    }
}

#[test]
fn a_mutated_body_is_complete_exactly_where_the_oracle_takes_all_of_it() {
    let (mut rng, rounds) = rounds("mutated", 3000);
    let (mut complete, mut refused) = (0, std::collections::BTreeMap::<&str, u64>::new());
    for round in 0..rounds {
        let most = if rng.u8(..4) == 0 { 5000 } else { 200 };
        let (one, _) = member(&mut rng, most);
        let (two, _) = member(&mut rng, 40);
        let mut body = one.bytes();
        if rng.u8(..3) == 0 {
            body.extend_from_slice(&two.bytes());
        }
        if rng.u8(..16) > 0 {
            mutate(&mut rng, &mut body);
        }
        let several = rng.bool();
        let agreed = agreed(&roomy(&body, if several { 1000 } else { 1 }));
        let expected = if several { oracle::gunzip_many(&body) } else { oracle::gunzip_one(&body) };
        assert!(agreed.body == expected, "round {round}: {agreed:?}, the oracle {expected:?}\n{body:02x?}");
        if expected.is_some() {
            complete += 1;
        } else {
            *refused.entry(agreed.rejection().reason().as_str()).or_default() += 1;
        }
    }
    println!("{complete} complete, refused: {refused:?}");
    assert!(complete > rounds / 20 && refused.len() > 5, "the mutations are worth something");
}

#[test]
fn mutated_raw_data_is_taken_exactly_where_the_oracle_takes_it_and_to_the_same_byte() {
    // No checksum hides what the decoder makes of it here.
    let (mut rng, rounds) = rounds("raw", 6000);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..rounds {
        let plain = inputs::random(&mut rng, 400);
        let level = rng.u32(..10);
        let mut data = oracle::deflate(&plain, level);
        mutate(&mut rng, &mut data);
        let expected = oracle::inflate(&data);
        let flat = Raw::new(&data).work(1 << 20).cuts(Cuts::Few(3)).flat(1 << 17);
        let ring = Raw::new(&data).work(1 << 20).cuts(Cuts::Few(3)).ring(1 << 15);
        assert!(flat == ring, "round {round}: flat {flat:?}, ring {ring:?}");
        let found = flat.verdict.is_ok().then(|| (flat.bytes.clone(), flat.ended.unwrap()));
        assert!(
            found == expected,
            "round {round}: {flat:?}, the oracle {:?}\n{data:02x?}",
            expected.map(|(plain, end)| (plain.len(), end))
        );
        match flat.verdict {
            Ok(()) => taken += 1,
            Err(rejection) => {
                refused += 1;
                let reasons = [Reason::BadDeflate, Reason::IncompleteGzip];
                assert!(reasons.contains(&rejection.reason()), "round {round}: {rejection:?}");
            }
        }
    }
    println!("{taken} taken, {refused} refused");
    assert!(taken > rounds / 20 && refused > rounds / 20);
}

#[test]
fn random_bits_as_blocks_are_taken_exactly_where_the_oracle_takes_them() {
    // Mostly heads of dynamic blocks: where decoders differ in what they let pass.
    let (mut rng, rounds) = rounds("bits", 20_000);
    let (mut taken, mut reached) = (0, 0);
    for round in 0..rounds {
        let size = rng.usize(8..120);
        let mut data: Vec<u8> = core::iter::repeat_with(|| rng.u8(..)).take(size).collect();
        // Last block, dynamic or fixed; few codes, so that more of them are complete.
        data[0] = if rng.u8(..4) == 0 { data[0] & 0xF8 | 3 } else { data[0] & 0x18 | 5 };
        if rng.bool() {
            data[1] &= 0xE1;
        }
        let expected = oracle::inflate(&data);
        let found = Raw::new(&data).cuts(Cuts::Few(1)).flat(1 << 15);
        let took = found.verdict.is_ok().then(|| (found.bytes.clone(), found.ended.unwrap()));
        assert!(took == expected, "round {round}: {found:?}, the oracle {expected:?}\n{data:02x?}");
        taken += u64::from(expected.is_some());
        reached += u64::from(!found.bytes.is_empty());
    }
    println!("{taken} taken, {reached} with output");
    assert!(taken > 0 && reached > rounds / 20);
}

/// The lengths of a code for some of `symbols` symbols: complete, and sometimes then spoiled.
fn lengths(rng: &mut Rng, symbols: usize, count: usize, always: Option<usize>) -> Vec<u8> {
    // Split a leaf of the code's tree until there are as many as symbols.
    let mut depths = vec![0_u8];
    while depths.len() < count {
        let at = rng.usize(..depths.len());
        let depth = depths.swap_remove(at);
        let split = if depth < 15 { [Some(depth + 1); 2] } else { [Some(depth), None] };
        depths.extend(split.into_iter().flatten());
    }
    if count == 1 {
        depths = vec![1];
    }
    let mut lengths = vec![0; symbols];
    let mut free: Vec<usize> = (0..symbols).collect();
    for (index, depth) in depths.into_iter().enumerate() {
        let symbol = match always {
            Some(symbol) if index == 0 => symbol,
            _ => free[rng.usize(..free.len())],
        };
        free.retain(|&other| other != symbol);
        lengths[symbol] = depth;
    }
    if rng.u8(..3) == 0 {
        lengths[rng.usize(..symbols)] = rng.u8(..16);
    }
    lengths
}

#[test]
fn random_codes_are_taken_exactly_where_the_oracle_takes_them() {
    let (mut rng, rounds) = rounds("codes", 15_000);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..rounds {
        let mut bits = Bits::new();
        bits.stored(false, b"some history to reach into");
        let symbols = rng.usize(257..287);
        let literal_codes = [1, 2, 3, 8, 40, 200][rng.usize(..6)];
        let always = (rng.u8(..10) > 0).then_some(256);
        let distance_symbols = rng.usize(1..31);
        let distance_codes = [1, 1, 2, 4, 30][rng.usize(..5)].min(distance_symbols);
        let mut code = Dynamic::new(&[], &[]);
        code.literals = lengths(&mut rng, symbols, literal_codes, always);
        code.distances = lengths(&mut rng, distance_symbols, distance_codes, None);
        if rng.u8(..4) == 0 {
            code.distances = vec![0];
        }
        code.open(&mut bits, true);
        for _ in 0..60 {
            bits.number(rng.u32(..256), 8);
        }
        let data = bits.bytes();
        let expected = oracle::inflate(&data);
        let found = Raw::new(&data).cuts(Cuts::Few(1)).flat(1 << 15);
        let took = found.verdict.is_ok().then(|| (found.bytes.clone(), found.ended.unwrap()));
        assert!(took == expected, "round {round}: {found:?}, the oracle {expected:?}\n{code:?}");
        if expected.is_some() {
            taken += 1;
        } else {
            refused += 1;
        }
    }
    println!("{taken} taken, {refused} refused");
    assert!(taken > rounds / 10 && refused > rounds / 10);
}

#[test]
fn a_limit_for_work_says_the_same_with_every_cut_and_history_and_with_an_engine_that_was_used_before() {
    let (mut rng, rounds) = rounds("work", 100);
    let (mut complete, mut refused) = (0, 0);
    for round in 0..rounds {
        let (mut body, mut plain) = (Vec::new(), Vec::new());
        let members = rng.u64(1..4);
        for _ in 0..members {
            let (mut bits, from) = (Bits::new(), plain.len());
            for _ in 0..rng.usize(1..120) {
                match rng.u8(..8) {
                    0 => {
                        plain.extend_from_slice(b"some output");
                        bits.fixed(false, b"some output");
                    }
                    1 => {
                        plain.extend_from_slice(&[b'm'; 31]);
                        bits.block(false, 1).fixed_literals(b"m").fixed_match(30, 1).fixed_end();
                    }
                    2 | 3 => {
                        let code = Dynamic::new(&[(256, 1)], &[]);
                        code.open(&mut bits, false);
                        code.close(&mut bits);
                    }
                    4 | 5 => {
                        bits.stored(false, b"");
                    }
                    _ => {
                        bits.fixed(false, b"");
                    }
                }
            }
            bits.fixed(true, b"");
            body.extend_from_slice(&Member::of(bits.bytes(), &plain[from..]).bytes());
        }
        // An engine may price a block at several steps.
        let most = (body.len() as u64 + 300) * rng.u64(1..8);
        let limit = rng.u64(..most);
        let decoded = if rng.bool() { plain.len() as u64 } else { rng.u64(..=plain.len() as u64) };
        let case = roomy(&body, members).work(limit).decoded(decoded).cuts(Cuts::Few(9));
        let agreed = agreed(&case);
        println!("round {round}: {} bytes, limit {limit}: {agreed:?}", body.len());
        if agreed.body.is_some() {
            agreed.expect_complete(&plain);
            complete += 1;
        } else {
            let reason = agreed.rejection().reason();
            assert!([Reason::WorkLimit, Reason::DecodedLimit].contains(&reason), "{agreed:?}");
            refused += u64::from(reason == Reason::WorkLimit);
        }
    }
    println!("{complete} complete, {refused} refused");
    assert!(complete > rounds / 20 && refused > rounds / 20);
}

#[test]
fn a_small_ring_says_what_a_large_one_does_or_that_it_is_too_small() {
    let (mut rng, rounds) = rounds("rings", 3000);
    let (mut same, mut small) = (0, 0);
    for round in 0..rounds {
        let plain = inputs::random(&mut rng, 1500);
        let level = rng.u32(..10);
        let mut data = oracle::deflate(&plain, level);
        if rng.bool() {
            mutate(&mut rng, &mut data);
        }
        let size = 1 << rng.u32(..12);
        let raw = Raw::new(&data).work(1 << 20).cuts(Cuts::Few(3));
        let (large, ring) = (raw.ring(1 << 15), raw.ring(size));
        assert!(large.bytes.starts_with(&ring.bytes), "round {round}: {large:?}, in {size}: {ring:?}");
        match (large.verdict, ring.verdict) {
            (_, Err(rejection)) if rejection.reason() == Reason::WindowTooSmall => {
                assert!(ring.bytes.len() >= size, "round {round}: before the ring was full, {ring:?}");
                small += 1;
            }
            _ => {
                assert_eq!(large, ring, "round {round}, in {size}");
                same += 1;
            }
        }
    }
    println!("{same} the same, {small} too small");
    assert!(same > rounds / 10 && small > rounds / 10);
}

#[test]
fn under_any_policy_every_form_and_cut_says_the_same() {
    // The driver compares; here are policies whose limits meet in the body in every order.
    let (mut rng, rounds) = rounds("policies", 1500);
    let mut verdicts = std::collections::BTreeMap::<&str, u64>::new();
    for _ in 0..rounds {
        let (mut body, mut plain) = (Vec::new(), Vec::new());
        for _ in 0..rng.u8(..4) {
            let (member, part) = member(&mut rng, 60);
            body.extend_from_slice(&member.bytes());
            plain.extend_from_slice(&part);
        }
        if rng.u8(..3) == 0 {
            mutate(&mut rng, &mut body);
        }
        if rng.u8(..3) == 0 {
            body.extend_from_slice(&[0; 5]);
        }
        let identity = rng.u8(..8) == 0;
        // Near what the body has, on either side.
        let mut near = |count: usize| match rng.u8(..4) {
            0 => rng.u64(..=count as u64),
            1 => (count as u64).saturating_sub(1),
            2 => count as u64,
            _ => count as u64 + 100,
        };
        let (encoded, decoded, header, room) =
            (near(body.len()), near(plain.len()), near(90), near(plain.len()));
        let (length, preview) = (near(body.len()), near(plain.len()));
        let mut case = if identity { Case::identity(body) } else { Case::gzip(body) };
        case =
            case.encoded(encoded).decoded(decoded).header(header).work(rng.u64(..200)).members(rng.u64(..4));
        for (chance, change) in [(3, Case::zero_padding as fn(Case) -> Case), (3, Case::empty_body)] {
            if rng.u8(..chance) == 0 {
                case = change(case);
            }
        }
        if rng.u8(..3) == 0 {
            case = case.room(room);
        }
        if rng.u8(..4) == 0 {
            case = case.length(length);
        }
        if rng.u8(..4) == 0 {
            case = case.preview(preview);
        }
        let agreed = agreed(&case.cuts(Cuts::Few(9)));
        let name = match agreed.verdict {
            Verdict::Complete => "complete",
            Verdict::Preview => "preview",
            Verdict::Rejected(rejection) => rejection.reason().as_str(),
        };
        *verdicts.entry(name).or_default() += 1;
    }
    println!("{verdicts:?}");
    assert!(verdicts.len() >= 16, "{verdicts:?}");
}
