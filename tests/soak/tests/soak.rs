//! Responses without end, from several threads, under one shared capacity: every verdict is the oracle's, nothing is
//! allocated for any of them, every permit comes back, and the process does not grow.
//!
//! `PLIMSOLL_SOAK` is how many; `cargo xtask soak` runs a million.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use fastrand::Rng;
use plimsoll::budget::{Capacity, Permit};
use plimsoll::{Outcome, Verdict};
use plimsoll_tests_soak::intake::{Form, Room, take};
use plimsoll_tests_soak::oracle::Expected;
use plimsoll_tests_soak::response::{LARGEST, Response, generate};

/// As many as take some ten seconds on two cores.
const RESPONSES: u64 = 200_000;

const THREADS: u64 = 4;

/// Places and bytes for fewer responses than there are threads, so that some have to wait.
const PLACES: usize = 3;
const BYTES: usize = 2 * LARGEST + LARGEST / 2;

/// What the process may grow by after its first responses: what the allocator of the generator scatters.
const GROWTH_KIB: u64 = 4 * 1024;

/// What all threads came to.
#[derive(Default)]
struct Tally {
    /// How often each outcome was reached; those of the same reason together.
    outcomes: BTreeMap<&'static str, u64>,
    /// How often there was no place or were no bytes.
    waits: u64,
    encoded: u64,
    decoded: u64,
}

#[test]
fn every_verdict_is_the_oracle_s_and_nothing_grows() {
    let responses = std::env::var("PLIMSOLL_SOAK").map_or(RESPONSES, |count| count.parse().unwrap());
    let seed: u64 = std::env::var("PLIMSOLL_SEED").map_or(20_261_130, |seed| seed.parse().unwrap());
    let (capacity, done, settled) = (Capacity::new(BYTES, PLACES), AtomicU64::new(0), AtomicU64::new(0));
    let started = Instant::now();
    let tally = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|number| {
                let (capacity, done, settled) = (&capacity, &done, &settled);
                scope.spawn(move || {
                    let mut tally = Tally::default();
                    let mut room = Room::default();
                    loop {
                        let index = done.fetch_add(1, Ordering::Relaxed);
                        if index >= responses {
                            return tally;
                        }
                        if index == responses / 10 {
                            settled.store(peak_kib(), Ordering::Relaxed);
                        }
                        // Each response has a seed of its own, so that one can be made again alone.
                        let mut rng = Rng::with_seed(seed.wrapping_add(index));
                        one(index, number, &mut rng, capacity, &mut room, &mut tally);
                    }
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("a thread that fails, fails the test")).fold(
            Tally::default(),
            |mut all, tally| {
                for (outcome, count) in tally.outcomes {
                    *all.outcomes.entry(outcome).or_default() += count;
                }
                all.waits += tally.waits;
                all.encoded += tally.encoded;
                all.decoded += tally.decoded;
                all
            },
        )
    });

    assert_eq!((capacity.bytes_in_use(), capacity.places_in_use()), (0, 0), "something was not given back");
    assert!(capacity.bytes_peak() <= BYTES && capacity.places_peak() <= PLACES);
    assert_eq!(tally.outcomes.values().sum::<u64>(), responses);
    let (settled, peak) = (settled.into_inner(), peak_kib());
    println!(
        "{responses} responses in {:.0} s; {} MiB in, {} MiB decoded; {} waits; {settled} KiB settled, {peak} KiB peak",
        started.elapsed().as_secs_f64(),
        tally.encoded >> 20,
        tally.decoded >> 20,
        tally.waits,
    );
    for (outcome, count) in &tally.outcomes {
        println!("{count:>8} {outcome}");
    }
    assert!(peak <= settled + GROWTH_KIB, "grew from {settled} to {peak} KiB");
}

/// Makes one response, takes it in, and compares.
fn one(index: u64, thread: u64, rng: &mut Rng, capacity: &Capacity, room: &mut Room, tally: &mut Tally) {
    let response = generate(rng);
    let form = rng.choice(Form::ALL).unwrap();
    let mut permit = acquire(capacity, tally);

    let mut result = None;
    let allocations = allocation_counter::measure(|| {
        result = Some(take(form, &response, room, &mut permit, rng));
    });
    let (outcome, same) = result.unwrap();
    let text = || String::from_utf8_lossy(&response.text);
    let context = || {
        format!("response {index} in thread {thread}, {form:?}, {outcome:?}, text {}, {response:?}", text())
    };
    assert_eq!(allocations.count_total, 0, "something was allocated: {}", context());
    assert!(agree(&outcome, &response), "expected {}: {}", response.expected, context());
    // A broken byte may be one that means nothing, such as a gzip header's time.
    assert_eq!(same, outcome.is_complete().then_some(true), "not the body: {}", context());
    assert!(permit.used() as u64 <= outcome.decoded_bytes, "counted twice: {}", context());
    assert!(outcome.is_complete() <= (permit.used() as u64 == outcome.decoded_bytes), "{}", context());

    tally.encoded += outcome.encoded_bytes;
    tally.decoded += outcome.decoded_bytes;
    let name = outcome.rejection().map_or("complete", |rejection| rejection.reason().as_str());
    *tally.outcomes.entry(name).or_default() += 1;
}

/// A permit for a whole body. Another thread gives back what is lacking.
fn acquire<'c>(capacity: &'c Capacity, tally: &mut Tally) -> Permit<'c> {
    let mut waiting = || {
        tally.waits += 1;
        thread::yield_now();
    };
    let mut permit = loop {
        match capacity.try_acquire() {
            Ok(permit) => break permit,
            Err(_) => waiting(),
        }
    };
    while permit.reserve(LARGEST).is_err() {
        waiting();
    }
    permit
}

fn agree(outcome: &Outcome, response: &Response) -> bool {
    match (&response.expected, outcome.verdict) {
        (Expected::Complete, Verdict::Complete) => true,
        (Expected::Among(reasons), Verdict::Rejected(rejection)) => reasons.contains(&rejection.reason()),
        (&Expected::Limit(reason, value), Verdict::Rejected(rejection)) => {
            rejection.reason() == reason && rejection.limit().is_some_and(|limit| limit.value == value)
        }
        _ => false,
    }
}

/// The peak resident size of this process in KiB; 0 where that cannot be told.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")).and_then(|kib| kib.trim().parse().ok()).unwrap_or(0)
}
