//! An engine over a history, fed in pieces as a program would: with a receive buffer that is overwritten after
//! every call, and memory that held something else before.

use plimsoll_budget::WorkMeter;
use plimsoll_core::{Decode, Rejection, Run, Work};
use plimsoll_inflate::{Engine, Flat, Inflate, Miniz, Native32, Native64, Ring};

/// What came of a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// All that was lent.
    pub bytes: Vec<u8>,
    /// The length of the stream, or what refused it.
    pub verdict: Result<usize, Rejection>,
    /// What the meter says is owed.
    pub owed: u64,
}

/// Memory for output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// A flat buffer of so many bytes.
    Flat(usize),
    /// A ring of so many bytes.
    Ring(usize),
}

/// How the input comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// In one piece.
    Whole,
    /// In pieces of this many bytes.
    Each(usize),
    /// In two pieces, the first of this many bytes.
    At(usize),
    /// In pieces of random lengths up to 40, from this seed, some of them empty.
    Random(u64),
    /// In pieces of these lengths in turn, some of them empty; in one piece where all are 0.
    Cycle([u8; 4]),
}

impl Cut {
    /// The pieces of `input`.
    fn pieces(self, input: &[u8]) -> Vec<&[u8]> {
        match self {
            Self::Whole => vec![input],
            Self::Each(size) => input.chunks(size).collect(),
            Self::At(at) => {
                let (first, second) = input.split_at(at);
                vec![first, second]
            }
            Self::Random(seed) => {
                let mut random = crate::random::Random::new(seed);
                let mut rest = input;
                let mut pieces = Vec::new();
                while !rest.is_empty() {
                    let piece;
                    let length = if random.once_in(8) { random.below(3) } else { random.below(41) };
                    (piece, rest) = rest.split_at(length.min(rest.len()));
                    pieces.push(piece);
                }
                pieces
            }
            Self::Cycle([0, 0, 0, 0]) => vec![input],
            Self::Cycle(lengths) => {
                let mut rest = input;
                let mut pieces = Vec::new();
                for length in lengths.into_iter().cycle().map(usize::from) {
                    if rest.is_empty() {
                        break;
                    }
                    let piece;
                    (piece, rest) = rest.split_at(length.min(rest.len()));
                    pieces.push(piece);
                }
                pieces
            }
        }
    }
}

/// Feeds `decoder`.
fn feed(decoder: &mut impl Decode, input: &[u8], cut: Cut) -> (Vec<u8>, Result<usize, Rejection>) {
    let mut bytes = Vec::new();
    let mut total = 0;
    let mut receive = Vec::new();
    for piece in cut.pieces(input) {
        receive.clear();
        receive.extend_from_slice(piece);
        let mut given = 0;
        let mut idle = 0;
        loop {
            let step = match decoder.decode(&receive[given..]) {
                Ok(step) => step,
                Err(rejection) => {
                    assert_eq!(decoder.decode(&receive[given..]).err(), Some(rejection), "it stays refused");
                    assert_eq!(decoder.finish(), Err(rejection));
                    return (bytes, Err(rejection));
                }
            };
            given += step.consumed;
            total += step.consumed;
            match step.run {
                Run::Bytes(run) => {
                    bytes.extend_from_slice(run);
                    idle = if run.is_empty() && step.consumed == 0 { idle + 1 } else { 0 };
                    assert!(idle < 3, "it spins");
                }
                Run::NeedInput => {
                    assert_eq!(given, receive.len(), "it wants more and leaves some");
                    break;
                }
                Run::End => {
                    assert_eq!(decoder.finish(), Ok(()));
                    return (bytes, Ok(total));
                }
            }
        }
        receive.fill(0xA5);
    }
    let rejection = decoder.finish().expect_err("a stream without an end is not finished");
    (bytes, Err(rejection))
}

/// What `engine` makes of `input`.
pub fn inflate<E: Engine>(engine: &mut E, memory: Memory, limit: u64, input: &[u8], cut: Cut) -> Outcome {
    let work = WorkMeter::new(limit);
    match memory {
        Memory::Flat(size) => {
            let mut buffer = vec![0xEE; size];
            let mut inflate = Inflate::new(engine, Flat::new(&mut buffer), work);
            let (bytes, verdict) = feed(&mut inflate, input, cut);
            let owed = inflate.work().owed();
            assert_eq!(inflate.into_history().into_written(), bytes, "a flat buffer keeps what was lent");
            Outcome { bytes, verdict, owed }
        }
        Memory::Ring(size) => {
            let mut buffer = vec![0xEE; size];
            let ring = Ring::from_slice(&mut buffer).expect("a ring is a power of two");
            let mut inflate = Inflate::new(engine, ring, work);
            let (bytes, verdict) = feed(&mut inflate, input, cut);
            Outcome { bytes, verdict, owed: inflate.work().owed() }
        }
    }
}

/// A meter that refuses nothing and keeps the most that was ever owed.
#[derive(Clone, Copy, Default, Debug)]
struct Peak {
    owed: u64,
    most: u64,
}

impl Work for Peak {
    fn charge(&mut self, steps: u32) -> Result<(), Rejection> {
        self.owed += u64::from(steps);
        self.most = self.most.max(self.owed);
        Ok(())
    }

    fn credit(&mut self, bytes: usize) {
        self.owed = self.owed.saturating_sub(bytes as u64);
    }
}

/// The most work that a stream ever owes.
pub fn most_owed<E: Engine>(engine: &mut E, input: &[u8]) -> u64 {
    let mut ring = vec![0; 1 << 15];
    let ring = Ring::from_slice(&mut ring).expect("a ring is a power of two");
    let mut inflate = Inflate::new(engine, ring, Peak::default());
    let (_, verdict) = feed(&mut inflate, input, Cut::Whole);
    verdict.expect("a stream of a real encoder is whole");
    inflate.work().most
}

/// One of each engine, used again for every stream.
#[derive(Default, Debug)]
pub struct Engines {
    /// The native one for 64-bit words.
    pub wide: Native64,
    /// The native one for 32-bit words.
    pub narrow: Native32,
    /// The one over `miniz_oxide`.
    pub miniz: Miniz,
}

impl Engines {
    /// What the native engines make of `input`, which must be the same.
    pub fn native(&mut self, memory: Memory, limit: u64, input: &[u8], cut: Cut) -> Outcome {
        let wide = inflate(&mut self.wide, memory, limit, input, cut);
        let narrow = inflate(&mut self.narrow, memory, limit, input, cut);
        assert!(wide == narrow, "the layouts differ: {:?} and {:?}", wide.verdict, narrow.verdict);
        wide
    }
}
