//! Random legal and nearly legal streams: the native engines against the reference, zlib-rs and `miniz_oxide`.
//!
//! `PLIMSOLL_SEED` repeats one run, `PLIMSOLL_STREAMS` makes it longer.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that overflows or finds nothing fails"
)]

use std::collections::BTreeMap;
use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

use plimsoll_core::Reason;
use plimsoll_tests_inflate::oracles::{self, Opinion};
use plimsoll_tests_inflate::random::Random;
use plimsoll_tests_inflate::{Cut, Engines, Memory, Outcome, generate, reference};

const NO_LIMIT: u64 = u64::MAX;

fn number(variable: &str) -> Option<u64> {
    Some(env::var(variable).ok()?.parse().expect("a number"))
}

#[test]
fn random_streams_are_judged_as_by_the_reference_and_accepted_as_by_the_oracles() {
    let seed = number("PLIMSOLL_SEED").unwrap_or_else(|| {
        SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970").as_nanos() as u64
    });
    let streams = number("PLIMSOLL_STREAMS").unwrap_or(100_000);
    println!("PLIMSOLL_SEED={seed} PLIMSOLL_STREAMS={streams}");
    let mut engines = Engines::default();
    let mut random = Random::new(seed);
    let mut verdicts: BTreeMap<String, u64> = BTreeMap::new();
    for _ in 0..streams {
        let seed = random.number();
        let (twist, stream) = generate::stream(seed);
        let context = format!("stream {seed} with {twist:?}");
        for verdict in judge(&mut engines, &mut random, &stream, &context) {
            *verdicts.entry(verdict).or_default() += 1;
        }
    }
    for (verdict, count) in &verdicts {
        println!("{count:7} {verdict}");
    }
    for expected in [
        "whole",
        "BlockType",
        "StoredLength",
        "TooManyCodes",
        "CodeLengthRepeat",
        "CodeLengthCode",
        "LiteralCode",
        "DistanceCode",
        "MissingEndOfBlock",
        "LengthSymbol",
        "DistanceSymbol",
        "DistanceTooFar",
    ] {
        let count = verdicts.get(expected).copied().unwrap_or(0);
        assert!(count >= streams / 100, "only {count} verdicts on {streams} streams are {expected}");
    }
}

/// Puts one stream to all of them, and says what the verdicts are: with ample memory, with scarce memory or a
/// ring, and with a scarce limit.
fn judge(engines: &mut Engines, random: &mut Random, stream: &[u8], context: &str) -> Vec<String> {
    let large = Memory::Flat(4 << 20);
    let expected = reference::inflate(large, NO_LIMIT, stream);
    let produced = expected.bytes.len();

    // What is accepted, its bytes and its length.
    let opinion = match expected.verdict {
        Ok(length) => Opinion::Whole(expected.bytes.clone(), length),
        Err(_) => Opinion::Refused(expected.bytes.clone()),
    };
    assert_eq!(oracles::zlib_rs(stream, produced + 600), opinion, "{context}: zlib-rs");
    match (oracles::miniz_oxide(stream, produced + 600), &opinion) {
        (Opinion::Refused(_), Opinion::Refused(_)) => {}
        (other, _) => assert_eq!(other, opinion, "{context}: miniz_oxide"),
    }

    // The same for every way to cut, every memory that suffices, and one that does not.
    let flat = Memory::Flat(produced);
    let whole = engines.native(flat, NO_LIMIT, stream, Cut::Whole);
    assert!(whole == expected, "{context}: {:?} is not {:?}", whole.verdict, expected.verdict);
    let roomy = engines.native(Memory::Flat(produced + 300), NO_LIMIT, stream, Cut::Random(random.number()));
    assert!(roomy == expected, "{context}: cut, {:?} is not {:?}", roomy.verdict, expected.verdict);
    let ring = Memory::Ring(1 << random.below(17));
    let cut = match random.below(4) {
        0 => Cut::Whole,
        1 if stream.len() < 2000 => Cut::Each(1),
        2 => Cut::Each(random.between(2, 80)),
        _ => Cut::Random(random.number()),
    };
    let mut verdicts = vec![name(&expected)];
    for memory in [ring, Memory::Flat(random.below(produced + 1))] {
        let expected = reference::inflate(memory, NO_LIMIT, stream);
        let outcome = engines.native(memory, NO_LIMIT, stream, cut);
        assert!(
            outcome == expected,
            "{context}: {memory:?}, {cut:?}: {:?} is not {:?}, or {} bytes {}",
            outcome.verdict,
            expected.verdict,
            outcome.bytes.len(),
            expected.bytes.len(),
        );
        verdicts.push(name(&expected));
    }
    let limit = random.below(1500) as u64;
    let limited = reference::inflate(ring, limit, stream);
    let outcome = engines.native(ring, limit, stream, cut);
    assert!(
        outcome == limited,
        "{context}: limit {limit}: {:?} is not {:?}",
        outcome.verdict,
        limited.verdict
    );

    verdicts.push(name(&limited));
    verdicts
}

fn name(outcome: &Outcome) -> String {
    match outcome.verdict {
        Ok(_) => "whole".to_owned(),
        Err(rejection) => match (rejection.reason(), rejection.detail()) {
            (Reason::BadDeflate, Some(detail)) => format!("{detail:?}"),
            (reason, _) => reason.as_str().to_owned(),
        },
    }
}
