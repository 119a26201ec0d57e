//! The ways to cut a body into pieces.

use core::ops::Range;

/// One way to cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cut {
    /// In one piece, also where it is empty.
    Whole,
    /// In pieces of so many bytes. An empty body comes in no piece at all.
    Every(usize),
    /// In two pieces, of which either may be empty.
    At(usize),
    /// In pieces of 1, 2, 3, ... bytes, each behind an empty one.
    Growing,
    /// In pieces of these sizes in turn, some of them empty; in one piece where all are 0.
    Cycle([u8; 4]),
}

impl Cut {
    /// The pieces of a body of `length` bytes.
    #[must_use]
    pub fn pieces(self, length: usize) -> Vec<Range<usize>> {
        match self {
            Self::Whole => core::iter::once(0..length).collect(),
            Self::Every(size) => (0..length).step_by(size).map(|at| at..(at + size).min(length)).collect(),
            Self::At(at) => vec![0..at, at..length],
            Self::Growing => {
                let (mut pieces, mut at, mut size) = (Vec::new(), 0, 1);
                while at < length {
                    let end = (at + size).min(length);
                    pieces.extend([at..at, at..end]);
                    (at, size) = (end, size + 1);
                }
                pieces
            }
            Self::Cycle([0, 0, 0, 0]) => Self::Whole.pieces(length),
            Self::Cycle(sizes) => {
                let (mut pieces, mut at) = (Vec::new(), 0);
                for size in sizes.into_iter().cycle().map(usize::from) {
                    if at == length {
                        break;
                    }
                    let end = (at + size).min(length);
                    pieces.push(at..end);
                    at = end;
                }
                pieces
            }
        }
    }
}

/// How many of the two-way cuts are tried. The other cuts always are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cuts {
    /// All, up to 2,500 bytes; of a longer body the first and last 40 and 40 between.
    Usual,
    /// So many, spread over the body.
    Few(usize),
    /// None, and of the other cuts only the whole and this one.
    One(Cut),
}

impl Cuts {
    /// The cuts of a body of `length` bytes.
    #[must_use]
    pub fn of(self, length: usize) -> Vec<Cut> {
        if let Self::One(cut) = self {
            return vec![Cut::Whole, cut];
        }
        let spread = |count: usize| (1..=count).map(move |part| part * length / (count + 1));
        let mut at: Vec<usize> = match self {
            Self::Usual if length <= 2500 => (0..=length).collect(),
            Self::Usual => (0..40).chain(spread(40)).chain(length - 40..=length).collect(),
            Self::Few(count) => spread(count).collect(),
            Self::One(_) => Vec::new(),
        };
        at.dedup();
        let mut cuts = vec![Cut::Whole, Cut::Every(1), Cut::Every(7), Cut::Growing];
        cuts.extend(at.into_iter().map(Cut::At));
        cuts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_has_all_bytes_once_and_in_order() {
        for length in [0, 1, 2, 6, 7, 8, 100, 2500, 5000] {
            for cuts in [Cuts::Usual, Cuts::Few(5), Cuts::One(Cut::Cycle([3, 0, 1, 250]))] {
                for cut in cuts.of(length) {
                    let pieces = cut.pieces(length);
                    let joined: Vec<usize> = pieces.iter().cloned().flatten().collect();
                    assert!(joined.into_iter().eq(0..length), "{cut:?} of {length}: {pieces:?}");
                }
            }
        }
    }

    #[test]
    fn a_small_body_is_cut_at_every_place() {
        let cuts = Cuts::Usual.of(100);
        assert!((0..=100).all(|at| cuts.contains(&Cut::At(at))));
    }
}
