//! What the images that count instructions have in common: a line for each contestant, and a sink for what it decodes.

use core::hint::black_box;

use plimsoll_board::counter::count;
use plimsoll_board::{print, print_number};

/// Kind, name, one pass over an input in pieces of a size, which says whether the answer was right, and the sizes; one of 0
/// is all at once.
pub type Contestant = (&'static str, &'static str, fn(usize) -> bool, &'static [usize]);

/// Counts the instructions of each contestant, and prints a line for it: kind, size of the pieces, name behind `mark`,
/// instructions, and the bytes of the document, separated by tabs. One that does not give the right answer gets no number.
pub fn run(contestants: &[Contestant], mark: &str, document: &[u8]) {
    for &(kind, name, pass, sizes) in contestants {
        for &size in sizes {
            let size = if size == 0 { usize::MAX } else { size };
            let right = black_box(pass)(size);
            let instructions = count(&mut || _ = black_box(pass)(black_box(size)));
            line([kind, name], mark, size, instructions.filter(|_| right), document);
        }
    }
}

fn line([kind, name]: [&str; 2], mark: &str, size: usize, instructions: Option<u64>, document: &[u8]) {
    print(kind);
    print("\t");
    if size == usize::MAX {
        print("whole");
    } else {
        print_number(size as u64);
    }
    for text in ["\t", mark, name, "\t"] {
        print(text);
    }
    match instructions {
        Some(instructions) => print_number(instructions),
        None => print("-"),
    }
    print("\t");
    print_number(document.len() as u64);
    print("\n");
}

/// Holds what is decoded against the document.
pub struct Sink {
    rest: Option<&'static [u8]>,
}

impl Sink {
    /// Before the first byte.
    #[inline]
    #[must_use]
    pub fn new(document: &'static [u8]) -> Self {
        Self { rest: Some(document) }
    }

    /// Looks at the length alone: a comparison would be counted.
    #[inline]
    pub fn take(&mut self, run: &[u8]) {
        self.rest = self.rest.and_then(|rest| rest.get(black_box(run).len()..));
    }

    /// Whether as much came as the document has.
    #[inline]
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.rest.is_some_and(|rest| rest.is_empty())
    }
}
