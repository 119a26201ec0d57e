//! Looks for the bytes that cost most: from random inputs of a grammar on, whatever a change makes dearer is kept.
//!
//! Each generation is a batch that runs in one image: changes of the few best so far, and some new ones. An input is a unit
//! again and again, so that its cost per byte is one that a peer can keep up. What is found goes to `fixtures/worst`.

mod deflate;
mod json;

use std::fs;

use plimsoll_subjects::corpora::Corpora;

use crate::cost::{self, Input, PIECES, Runner, Subject};
use crate::images::Images;

/// Inputs in a generation, the ones that are kept of it, and the new ones in each.
const BATCH: usize = 48;
const KEPT: usize = 8;
const NEW: usize = 12;
/// Bytes of an input, about: while searching, and of what is kept.
const SIZE: usize = 512;
const KEPT_SIZE: usize = 2048;

/// A unit, as what it was made from.
trait Unit: Clone {
    fn random(random: &mut Random) -> Self;
    /// The same with one change.
    fn changed(&self, random: &mut Random) -> Self;
    /// An input of `size` bytes or a little more.
    fn repeated(&self, size: usize) -> Vec<u8>;
    /// Inputs of that size that were thought of before.
    fn thought_of(size: usize) -> Vec<Vec<u8>>;
}

/// Searches for each subject and size of pieces over so many generations, and keeps what is worse than what is known.
pub(crate) fn run(generations: u32, seed: u64) {
    let corpora = Corpora::locate();
    let runner = Runner::new(&Images::new(&corpora));
    for subject in Subject::ALL {
        for piece in PIECES {
            let mut random = Random(seed | 1);
            let (bytes, rate) = match subject {
                Subject::Inflate => {
                    climb::<deflate::Blocks>(&runner, subject, piece, generations, &mut random)
                }
                _ => climb::<json::Value>(&runner, subject, piece, generations, &mut random),
            };
            let path = cost::file(corpora.root(), subject, piece);
            let known =
                fs::read(&path).ok().map(|bytes| runner.run(&[Input { subject, piece, bytes }])[0].rate);
            println!("{}, pieces of {piece}: {rate:.1}, known {:.1}", subject.name(), known.unwrap_or(0.0));
            if known.is_none_or(|known| rate > known) {
                fs::write(&path, bytes).expect("the fixtures can be written");
            }
        }
    }
}

fn climb<U: Unit>(
    runner: &Runner,
    subject: Subject,
    piece: u16,
    generations: u32,
    random: &mut Random,
) -> (Vec<u8>, f64) {
    let mut best: Vec<(f64, U)> = Vec::new();
    for _ in 0..generations {
        let mut units: Vec<U> = (0..NEW).map(|_| U::random(random)).collect();
        while units.len() < BATCH {
            let unit = match best.len() {
                0 => U::random(random),
                known => best[random.below(known)].1.changed(random),
            };
            // Now and then several changes at once.
            units.push(if random.below(3) == 0 { unit.changed(random) } else { unit });
        }
        let inputs: Vec<Input> =
            units.iter().map(|unit| Input { subject, piece, bytes: unit.repeated(SIZE) }).collect();
        let costs = runner.run(&inputs);
        best.extend(
            costs.iter().zip(units).filter(|(cost, _)| cost.taken).map(|(cost, unit)| (cost.rate, unit)),
        );
        best.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        best.dedup_by(|(one, _), (other, _)| one == other);
        best.truncate(KEPT);
    }
    let (_, unit) = best.first().expect("some input is taken");
    let candidates = [vec![unit.repeated(KEPT_SIZE)], U::thought_of(KEPT_SIZE)].concat();
    let inputs: Vec<Input> = candidates.into_iter().map(|bytes| Input { subject, piece, bytes }).collect();
    let rates = runner.run(&inputs).into_iter().map(|cost| cost.rate);
    let worst = inputs.into_iter().zip(rates).max_by(|(_, one), (_, other)| one.total_cmp(other));
    worst.map(|(input, rate)| (input.bytes, rate)).expect("there is at least one")
}

/// The generator `xorshift64`: the same search for the same seed.
pub(crate) struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 8
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
