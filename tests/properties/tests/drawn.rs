//! The properties over inputs that proptest draws: seeds of each kind, changed in a few places, under any dials; and
//! bytes that choose what is made.
//!
//! `PLIMSOLL_SEED` repeats a run, `PLIMSOLL_CASES` makes it longer. A case that fails is made as small as it can be and
//! written into `regressions/`, to be mended and committed: the input itself, which stays one where the seed that led to
//! it would not, and which a fuzz target takes as it is. The test of what is kept tries it in every later run.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use properties::seeds::{self, Kind};
use properties::{ALL, DIALS, LONGEST, Property, WIDE};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{self, Index};
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

/// The cases of each property in an ordinary run, which takes a few seconds.
const CASES: u32 = 200;

fn number<T: core::str::FromStr>(variable: &str) -> Option<T> {
    std::env::var(variable).ok()?.parse().ok()
}

/// A change of a body at a place. What is stretched becomes a long string, a long number, many items, many members or many
/// levels: up to what the longest input of a fuzz target has.
#[derive(Clone, Debug)]
enum Change {
    Set(Index, u8),
    Flip(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, u8),
    Repeat(Index, u8),
    Stretch(Index, u8, Index),
    Truncate(Index),
}

fn change() -> impl Strategy<Value = Change> {
    let place = any::<Index>;
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (place(), 0..8_u8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        (place(), vec(any::<u8>(), 1..4)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        (place(), 1..9_u8).prop_map(|(at, count)| Change::Remove(at, count)),
        (place(), 1..64_u8).prop_map(|(at, count)| Change::Repeat(at, count)),
        (place(), 1..9_u8, place()).prop_map(|(at, count, to)| Change::Stretch(at, count, to)),
        place().prop_map(Change::Truncate),
    ]
}

impl Change {
    fn apply(&self, body: &mut Vec<u8>) {
        if body.is_empty() {
            body.push(0);
        }
        let place = |at: &Index| at.index(body.len());
        let span = |at: &Index, count: u8| place(at)..(place(at) + usize::from(count)).min(body.len());
        match self {
            Self::Set(at, byte) => {
                let at = place(at);
                body[at] = *byte;
            }
            Self::Flip(at, bit) => {
                let at = place(at);
                body[at] ^= 1 << bit;
            }
            Self::Insert(at, bytes) => {
                let at = place(at);
                body.splice(at..at, bytes.iter().copied());
            }
            Self::Remove(at, count) => {
                let span = span(at, *count);
                body.drain(span);
            }
            Self::Repeat(at, count) => {
                let span = span(at, *count);
                let again = body[span.clone()].to_vec();
                body.splice(span.start..span.start, again);
            }
            Self::Stretch(at, count, to) => {
                let span = span(at, *count);
                let room = LONGEST.saturating_sub(DIALS + body.len());
                let times = to.index(room / span.len() + 1);
                let again = body[span.clone()].repeat(times);
                body.splice(span.start..span.start, again);
            }
            Self::Truncate(at) => {
                let at = place(at);
                body.truncate(at);
            }
        }
    }
}

/// Dials: mostly wide ones, with some of them turned.
fn dials() -> impl Strategy<Value = [u8; DIALS]> {
    let small = prop_oneof![0..8_u8, any::<u8>()];
    let turned = vec((0..DIALS, small), 0..10);
    turned.prop_map(|turned| {
        let mut dials = WIDE;
        for (at, value) in turned {
            dials[at] = value;
        }
        dials
    })
}

/// Bodies of a kind: a seed with a few changes; for choices, any bytes.
fn body(kind: Kind) -> BoxedStrategy<Vec<u8>> {
    if kind == Kind::Choices {
        return vec(any::<u8>(), 0..400).boxed();
    }
    let mut bodies = seeds::bodies(kind).unwrap();
    bodies.retain(|body| body.len() <= 1500);
    let changed = (sample::select(bodies), vec(change(), 0..4)).prop_map(|(mut body, changes)| {
        changes.iter().for_each(|change| change.apply(&mut body));
        body
    });
    changed.boxed()
}

fn holds(property: &Property) {
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_nanos() as u64);
    let seed: u64 = number("PLIMSOLL_SEED").unwrap_or_else(now);
    let cases = number("PLIMSOLL_CASES").unwrap_or(CASES);
    println!("{}: PLIMSOLL_SEED={seed} PLIMSOLL_CASES={cases}", property.name);
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 5000, ..Config::default() };
    let mut state = [0; 32];
    state[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &state);
    let strategy = (dials(), body(property.kind)).prop_map(|(dials, body)| [&dials[..], &body].concat());
    let checked = TestRunner::new_with_rng(config, random).run(&strategy, |input| {
        property.check(&input);
        Ok(())
    });
    if let Err(TestError::Fail(_, input)) = &checked {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(property.name);
        let path = folder.join(format!("drawn-{:08x}", crc32fast::hash(input)));
        fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input)).unwrap();
        println!("the smallest input is kept in {}", path.display());
    }
    if let Err(failure) = checked {
        panic!("{}: {failure}", property.name);
    }
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                holds(ALL.iter().find(|property| property.name == stringify!($name)).unwrap());
            }
        )*

        #[test]
        fn no_property_is_left_out() {
            let here = [$(stringify!($name)),*];
            assert!(ALL.iter().map(|property| property.name).eq(here));
        }
    };
}

tests! {
    inflate histories gzip gzip_limits machine pipeline reader drivers utf8 json json_limits records effects select select_records answer typed
    values policy report made_deflate made_gzip made_json made_responses
}
