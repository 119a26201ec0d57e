//! Raw DEFLATE.

use plimsoll::{Reason, Rejection};
use plimsoll_tests_inflate::drive::inflate;
use plimsoll_tests_inflate::oracles::{self, Opinion};
use plimsoll_tests_inflate::{Cut, Engines, Memory, Outcome, reference};

use crate::input::Input;

const NO_LIMIT: u64 = u64::MAX;

/// The output of a stream is looked at up to here.
const MOST: usize = 1 << 16;

/// The engines judge a stream as a decoder written from RFC 1951 does, and accept what zlib-rs accepts: the same
/// bytes, verdict and length.
pub fn judged(input: Input<'_>) {
    let stream = input.body;
    let expected = reference::inflate(Memory::Flat(MOST), NO_LIMIT, stream);
    let produced = expected.bytes.len();
    let opinion = match expected.verdict {
        Ok(length) => Opinion::Whole(expected.bytes.clone(), length),
        Err(_) => Opinion::Refused(expected.bytes.clone()),
    };
    // zlib-rs needs room behind the output, but where the output is to end.
    let over = expected.verdict.is_err_and(|rejection| rejection.reason() == Reason::DecodedLimit);
    let room = if over { MOST } else { produced + 600 };
    assert_eq!(oracles::zlib_rs(stream, room), opinion, "zlib-rs");

    let mut engines = Engines::default();
    let cut = Cut::Cycle(input.sizes());
    let whole = engines.native(Memory::Flat(MOST), NO_LIMIT, stream, cut);
    assert!(whole == expected, "{:?} is not {:?}", whole.verdict, expected.verdict);

    // With engines that were used before, in a ring, in a buffer that may be too small, and with little work.
    let ring = Memory::Ring(1 << (input.dial(4) % 17));
    let scarce = usize::try_from(input.wide_dial(5)).unwrap_or(0).min(produced);
    for (memory, limit) in [(ring, input.wide_dial(7)), (Memory::Flat(scarce), NO_LIMIT)] {
        // A ring goes on for ever.
        if over && matches!(memory, Memory::Ring(_)) {
            continue;
        }
        let expected = reference::inflate(memory, limit, stream);
        let outcome = engines.native(memory, limit, stream, cut);
        assert!(
            outcome == expected,
            "{memory:?}, {limit} steps: {:?} is not {:?}",
            outcome.verdict,
            expected.verdict
        );
    }
}

/// A ring and a flat buffer give the same bytes and verdict, whatever the cut, the ring's size and the engine, but for
/// a ring that is too small for a distance and a buffer that is full.
pub fn histories(input: Input<'_>) {
    let stream = input.body;
    let mut engines = Engines::default();
    let cut = Cut::Cycle(input.sizes());
    let limit = if input.chosen(9, 0) { input.wide_dial(7) } else { NO_LIMIT };
    let size = 1 << (input.dial(4) % 16);
    let large = engines.native(Memory::Ring(1 << 15), limit, stream, Cut::Whole);
    let again = engines.native(Memory::Ring(1 << 15), limit, stream, cut);
    assert!(again == large, "{:?} is not {:?}", again.verdict, large.verdict);

    let small = engines.native(Memory::Ring(size), limit, stream, cut);
    if reason(&small) == Some(Reason::WindowTooSmall) {
        assert!(small.bytes.len() >= size, "the ring was not even full");
        assert!(large.bytes.starts_with(&small.bytes));
    } else {
        assert!(small == large, "{:?} is not {:?}", small.verdict, large.verdict);
    }

    let room = usize::try_from(input.wide_dial(5)).unwrap_or(MOST);
    let flat = engines.native(Memory::Flat(room), limit, stream, cut);
    if large.bytes.len() > room {
        assert_eq!(flat.verdict, Err(Rejection::limit_exceeded(Reason::DecodedLimit, room as u64)));
        assert!(flat.bytes == large.bytes[..room]);
    } else {
        assert!(flat == large, "{:?} is not {:?}", flat.verdict, large.verdict);
    }

    // Its prices are its own, and it does not know causes.
    if limit == NO_LIMIT {
        for memory in [Memory::Ring(1 << 15), Memory::Flat(large.bytes.len())] {
            let whole = inflate(&mut engines.miniz, memory, limit, stream, Cut::Whole);
            match large.verdict {
                Ok(length) => assert_eq!(whole.verdict, Ok(length), "miniz, {memory:?}"),
                Err(_) => assert!(whole.verdict.is_err(), "miniz, {memory:?}"),
            }
            assert!(large.verdict.is_err() || whole.bytes == large.bytes, "miniz, {memory:?}");
            let pieces = inflate(&mut engines.miniz, memory, limit, stream, cut);
            assert!(pieces.verdict == whole.verdict && pieces.bytes == whole.bytes, "miniz, {memory:?}");
        }
    }
}

fn reason(outcome: &Outcome) -> Option<Reason> {
    outcome.verdict.err().map(|rejection| rejection.reason())
}
