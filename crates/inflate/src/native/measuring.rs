//! A layout for measuring: the entries of [`Wide`], and a fast loop that does nothing, so that the exact one sees every
//! distance.
//!
//! It keeps the greatest distance, two bytes. The engines that decode in earnest pay nothing for it.

use super::bits::Bits;
use super::code::{Codes, Fast};
use super::entry::{Alphabet, Entries, Layout, Symbol};
use super::output::{Match, Output};
use super::wide::Wide;

pub(super) use super::wide::LITERALS;

/// Keeps the greatest distance that the exact loop has accepted. 32,768 fits.
pub(super) struct Exact {
    greatest: u16,
}

impl Exact {
    pub(super) const fn greatest(&self) -> usize {
        self.greatest as usize
    }
}

impl Entries for Exact {
    fn entry(alphabet: Alphabet, symbol: u16, length: u16) -> u16 {
        Wide::entry(alphabet, symbol, length)
    }

    fn long(alphabet: Alphabet) -> u16 {
        Wide::long(alphabet)
    }

    fn literal_bits(entry: u16) -> u32 {
        Wide::literal_bits(entry)
    }

    fn literal(entry: u16, word: u32) -> Symbol {
        Wide::literal(entry, word)
    }

    fn distance_bits(entry: u16) -> u32 {
        Wide::distance_bits(entry)
    }

    fn distance(entry: u16, word: u32) -> Option<usize> {
        Wide::distance(entry, word)
    }
}

impl Layout<LITERALS> for Exact {
    const START: Self = Self { greatest: 0 };
    const FIXED: &'static Fast<LITERALS> = Wide::FIXED;
    const INPUT: usize = 0;
    const ROOM: usize = 0;

    /// Decodes nothing, and so leaves everything to the exact loop.
    fn fast<const WRAPS: bool>(
        _codes: Codes<'_, LITERALS>,
        _bits: &mut Bits<'_>,
        _output: &mut Output<'_>,
        _unfinished: &mut Match,
    ) -> bool {
        false
    }

    fn reached(&mut self, distance: usize) {
        self.greatest = self.greatest.max(distance as u16);
    }
}
