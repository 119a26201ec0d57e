//! Capacity between threads: what all hold together never passes the limit, the last byte and the last place are
//! given out, and everything comes back however a holder ends.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    reason = "a test that overflows or has none fails"
)]

use std::future::{Future, pending};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::task::{Context, Poll, Waker};
use std::thread;

use plimsoll_budget::{Capacity, Permit};

/// How often things happen, in thousandths: a few times where each step is interpreted.
const OFTEN: usize = if cfg!(miri) { 1 } else { 1000 };

const THREADS: usize = if cfg!(miri) { 3 } else { 8 };

/// Numbers that differ from thread to thread (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    const fn new(thread: u64) -> Self {
        Self(thread << 32 | 0x9E37_79B9)
    }

    fn below(&mut self, bound: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound).unwrap()
    }
}

/// Runs `work` in all threads, which begin together, and gives back what each came to.
fn in_threads<T: Send>(work: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let start = Barrier::new(THREADS);
    thread::scope(|scope| {
        let threads: Vec<_> = (1..=THREADS as u64)
            .map(|number| {
                let (work, start) = (&work, &start);
                scope.spawn(move || {
                    start.wait();
                    work(number)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// A count kept beside the capacity's own: raised after a share was taken, lowered before it is given back. It
/// is never more than what is held in truth, so it passes the limit only where the capacity did.
#[derive(Default)]
struct Ledger(AtomicUsize);

impl Ledger {
    fn raise(&self, by: usize, limit: usize) {
        assert!(self.0.fetch_add(by, SeqCst) + by <= limit, "more than the limit is held");
    }

    fn lower(&self, by: usize) {
        self.0.fetch_sub(by, SeqCst);
    }
}

/// What one thread came to: bodies that passed whole, and refusals of any kind.
#[derive(Default)]
struct Tally {
    whole: u32,
    refused: u32,
}

/// Takes shares of a capacity of `bytes` and `places` in all threads, in every order of calls.
fn share(bytes: usize, places: usize) {
    let capacity = Capacity::new(bytes, places);
    let (bytes_held, places_held) = (Ledger::default(), Ledger::default());
    let tallies = in_threads(|thread| {
        let mut random = Random::new(thread);
        let mut tally = Tally::default();
        for _ in 0..120 * OFTEN {
            let Ok(mut permit) = capacity.try_acquire() else {
                tally.refused += 1;
                continue;
            };
            places_held.raise(1, places);
            let mut passed = 0;
            for _ in 0..4 {
                match random.below(3) {
                    0 => tally.refused += u32::from(permit.reserve(random.below(300)).is_err()),
                    1 => permit.shrink_to_fit(),
                    _ => {
                        let wanted = random.below(400);
                        let admitted = permit.admit(wanted);
                        assert!(admitted == wanted || admitted < wanted && permit.rejection().is_some());
                        passed += admitted;
                        bytes_held.raise(admitted, bytes);
                    }
                }
                assert_eq!(permit.used(), passed);
                assert!(capacity.bytes_in_use() <= bytes && capacity.places_in_use() <= places);
            }
            if permit.rejection().is_none() {
                tally.whole += 1;
            }
            bytes_held.lower(passed);
            places_held.lower(1);
            drop(permit);
        }
        tally
    });
    assert_eq!((capacity.bytes_in_use(), capacity.places_in_use()), (0, 0));
    assert!(capacity.bytes_peak() <= bytes && capacity.places_peak() <= places);
    // One body alone wants at most 1600 bytes, and may want none: both happen whoever runs when.
    assert!(tallies.iter().any(|tally| tally.whole > 0));
    assert!(tallies.iter().any(|tally| tally.refused > 0));
}

#[test]
fn what_all_threads_hold_never_passes_a_limit_and_all_of_it_comes_back() {
    for (bytes, places) in [(1000, 5), (1000, 1), (300, 2), (1, THREADS)] {
        share(bytes, places);
    }
}

#[test]
fn between_threads_the_limit_is_given_out_to_the_last_byte_and_not_one_more() {
    const BYTES: usize = 2000 * OFTEN + 3;
    let capacity = Capacity::new(BYTES, THREADS);
    let permits = in_threads(|thread| {
        let mut random = Random::new(thread);
        let mut permit = capacity.try_acquire().unwrap();
        let mut passed = 0;
        while permit.rejection().is_none() {
            passed += permit.admit(1 + random.below(3));
        }
        assert_eq!(permit.used(), passed);
        permit
    });
    assert_eq!(permits.iter().map(Permit::used).sum::<usize>(), BYTES);
    assert_eq!((capacity.bytes_in_use(), capacity.bytes_peak()), (BYTES, BYTES));
    drop(permits);
    assert_eq!((capacity.bytes_in_use(), capacity.bytes_peak()), (0, BYTES));
}

#[test]
fn between_threads_the_places_are_given_out_to_the_last_one_and_not_one_more() {
    const PLACES: usize = 50 * OFTEN + 1;
    let capacity = Capacity::new(0, PLACES);
    let permits = in_threads(|_| std::iter::from_fn(|| capacity.try_acquire().ok()).collect::<Vec<_>>());
    assert_eq!(permits.iter().map(Vec::len).sum::<usize>(), PLACES);
    assert_eq!((capacity.places_in_use(), capacity.places_peak()), (PLACES, PLACES));
    drop(permits);
    assert_eq!((capacity.places_in_use(), capacity.places_peak()), (0, PLACES));
}

#[test]
fn a_thread_that_panics_gives_back_what_it_held() {
    let capacity = Capacity::new(100, 1);
    let panicked = thread::scope(|scope| {
        let holder = scope.spawn(|| {
            let mut permit = capacity.try_acquire().unwrap();
            permit.reserve(60).unwrap();
            assert_eq!(permit.admit(70), 70);
            resume_unwind(Box::new("no message on the test's output"));
        });
        holder.join().is_err()
    });
    assert!(panicked);
    assert_eq!((capacity.bytes_in_use(), capacity.bytes_peak()), (0, 70));
    assert!(capacity.try_acquire().is_ok());
}

#[test]
fn a_panic_that_is_caught_gives_back_what_was_held_on_the_way() {
    let capacity = Capacity::new(100, 2);
    let mut outer = capacity.try_acquire().unwrap();
    outer.reserve(10).unwrap();
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let mut inner = capacity.try_acquire().unwrap();
        inner.reserve(90).unwrap();
        assert!(outer.reserve(11).is_err());
        resume_unwind(Box::new(inner.held()));
    }));
    assert_eq!(caught.unwrap_err().downcast_ref(), Some(&90_usize));
    assert_eq!((capacity.bytes_in_use(), capacity.places_in_use()), (10, 1));
    assert!(outer.reserve(100).is_ok());
}

#[test]
fn a_future_dropped_half_way_gives_back_what_it_held() {
    let capacity = Capacity::new(100, 1);
    let receive = async || {
        let mut permit = capacity.try_acquire().unwrap();
        permit.reserve(60).unwrap();
        pending::<()>().await; // the peer sends nothing more
        permit.used()
    };
    {
        let mut future = pin!(receive());
        assert_eq!(capacity.places_in_use(), 0, "nothing is taken before the first poll");
        assert_eq!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Pending);
        assert_eq!((capacity.bytes_in_use(), capacity.places_in_use()), (60, 1));
    }
    assert_eq!((capacity.bytes_in_use(), capacity.places_in_use()), (0, 0));
}
