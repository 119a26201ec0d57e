//! A small generator of random numbers (`SplitMix64`), so that a printed seed gives a stream again; or choices that
//! stand in a byte string, so that a fuzzer which changes a byte changes one choice.

/// The state: whatever the seed is, the numbers are well spread.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    /// Choices that are still to be made, the next one last.
    drawn: Vec<u8>,
}

impl Random {
    /// The numbers of `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed, drawn: Vec::new() }
    }

    /// The choices of `bytes`, a byte for each of up to 256 things; behind them, the numbers of the seed 0.
    #[must_use]
    pub fn drawn(bytes: &[u8]) -> Self {
        Self { state: 0, drawn: bytes.iter().rev().copied().collect() }
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        if self.drawn.is_empty() { self.mix() } else { self.take(8) }
    }

    const fn mix(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// The number in the next `count` bytes, the lowest first, of which the last ones may be missing.
    fn take(&mut self, count: u32) -> u64 {
        let bytes = (0..count).map_while(|place| Some((place, self.drawn.pop()?)));
        bytes.fold(0, |number, (place, byte)| number | u64::from(byte) << (8 * place))
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        let number = match end {
            _ if self.drawn.is_empty() => self.mix(),
            0..=0x100 => self.take(1),
            0x101..=0x1_0000 => self.take(2),
            _ => self.take(8),
        };
        (number % end as u64) as usize
    }

    /// A number from `least` to `most`.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several things.
    pub fn of<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())]
    }

    /// Brings things into a random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            let other = self.below(end + 1);
            things.swap(end, other);
        }
    }
}
