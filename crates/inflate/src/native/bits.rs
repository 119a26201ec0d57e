//! The bit reader of everything but the fast loops (RFC 1951, section 3.1.1).
//!
//! Up to eight bytes wait in a word. Where it is shifted by less than 32 bits the code says so (`& 31`): shorter on
//! 32-bit targets. Between calls at most the bits of one unfinished field are kept, so that
//! whatever a call took in too much it can hand back from its own input, and the end of a stream is exact.

/// Bits that wait between two calls: 9 bytes, padded to 16.
#[derive(Clone, Copy)]
pub(super) struct Carry {
    word: u64,
    count: u8,
}

impl Carry {
    pub(super) const EMPTY: Self = Self { word: 0, count: 0 };
}

/// A bit reader over one input.
pub(super) struct Bits<'i> {
    /// The unread bits, the next one lowest; zero above `count`.
    word: u64,
    count: u32,
    input: &'i [u8],
    /// How many bytes of the input were taken into the word.
    next: usize,
}

impl<'i> Bits<'i> {
    pub(super) const fn resume(carry: Carry, input: &'i [u8]) -> Self {
        Self { word: carry.word, count: carry.count as u32, input, next: 0 }
    }

    pub(super) const fn carry(&self) -> Carry {
        Carry { word: self.word, count: self.count as u8 }
    }

    /// Bytes of the input that were taken, those that wait in the word included.
    pub(super) const fn consumed(&self) -> usize {
        self.next
    }

    /// Takes bytes in where fewer than 32 bits are there: four of them, or all that are left. Returns how many bits
    /// are there then.
    #[inline(never)]
    pub(super) fn pull(&mut self) -> u32 {
        if self.count < 32 {
            let rest = self.rest();
            let (mut word, mut taken) = (0, 4);
            if let Some(bytes) = rest.first_chunk::<4>() {
                word = u32::from_le_bytes(*bytes);
            } else {
                taken = rest.len();
                for &byte in rest.iter().rev() {
                    word = (word << 8) | u32::from(byte);
                }
            }
            self.word |= u64::from(word).wrapping_shl(self.count & 31);
            self.count = self.count.wrapping_add((taken as u32).wrapping_shl(3));
            self.next = self.next.wrapping_add(taken);
        }
        self.count
    }

    /// Takes in what a symbol of up to 32 bits needs, where it is there.
    #[inline(always)]
    pub(super) fn prepare(&mut self, bits: u32) {
        if self.count < bits {
            self.pull();
        }
    }

    /// Whether a field of up to 32 bits is there.
    pub(super) fn has(&mut self, bits: u32) -> bool {
        self.pull() >= bits
    }

    /// Unread bits that are there.
    pub(super) const fn count(&self) -> u32 {
        self.count
    }

    /// The next bits, zero where there are none yet.
    pub(super) const fn peek(&self) -> u32 {
        self.word as u32
    }

    /// Passes over less than 32 bits that are there.
    pub(super) const fn skip(&mut self, bits: u32) {
        self.word = self.word.wrapping_shr(bits & 31);
        self.count = self.count.wrapping_sub(bits);
    }

    /// Reads a field of less than 32 bits that is there.
    #[inline(never)]
    pub(super) const fn take(&mut self, bits: u32) -> u32 {
        let field = low(self.peek(), bits);
        self.skip(bits);
        field
    }

    /// Passes over what is left of the current byte.
    pub(super) const fn align(&mut self) {
        let _ = self.take(self.count & 7);
    }

    /// Hands back the whole bytes that wait in the word.
    ///
    /// They all are this input's: a field that did not end in the call before used up the bits kept then.
    #[inline(never)]
    pub(super) const fn give_back(&mut self) {
        let bytes = self.count >> 3;
        self.next = self.next.wrapping_sub(bytes as usize);
        self.count &= 7;
        self.word = low(self.peek(), self.count & 7) as u64;
    }

    /// How many bytes before the end of what was consumed the next bit lies, `skipped` bits earlier.
    pub(super) const fn back(&self, skipped: u32) -> usize {
        self.count.wrapping_add(skipped).div_ceil(8) as usize
    }

    /// The input that was not taken into the word.
    pub(super) fn rest(&self) -> &'i [u8] {
        self.input.get(self.next..).unwrap_or(&[])
    }

    /// Passes over bytes, where [`rest`](Self::rest) has as many.
    pub(super) const fn advance(&mut self, bytes: usize) {
        self.next = self.next.wrapping_add(bytes);
    }

    /// For a reader with a position of its own: the unread part of the current byte and how many bits it has,
    /// and the input behind it. `None` while bits of an earlier input wait.
    #[inline(always)]
    pub(super) fn position(&mut self) -> Option<(u32, &'i [u8])> {
        if self.count as usize > self.next.saturating_mul(8) {
            return None;
        }
        self.give_back();
        let begun = usize::from(self.count != 0);
        let rest = self.input.get(self.next.saturating_sub(begun)..)?;
        Some((8_u32.wrapping_sub(self.count) & 7, rest))
    }

    /// Goes on where such a reader stopped, `used` bits into `rest`.
    #[inline(always)]
    pub(super) fn set_position(&mut self, used: u32, rest: &'i [u8]) {
        self.next = self.input.len().wrapping_sub(rest.len()).wrapping_add((used >> 3) as usize);
        self.count = 0;
        self.word = 0;
        let used = used & 7;
        if used != 0
            && let Some(&byte) = self.input.get(self.next)
        {
            self.next = self.next.wrapping_add(1);
            self.count = 8_u32.wrapping_sub(used);
            self.word = u64::from(byte.wrapping_shr(used));
        }
    }

    /// For a reader with a word of its own: the word, its number of bits, and the input behind them.
    pub(super) fn reservoir(&self) -> (u64, u32, &'i [u8]) {
        (self.word, self.count, self.rest())
    }

    /// Goes on where such a reader stopped. What the word holds above `count` may be anything.
    pub(super) fn set_reservoir(&mut self, word: u64, count: u32, rest: &'i [u8]) {
        let taken = self.input.len().wrapping_sub(rest.len());
        let bytes = (count.wrapping_shr(3) as usize).min(taken);
        self.next = taken.wrapping_sub(bytes);
        self.count = count.wrapping_sub((bytes as u32).wrapping_shl(3));
        self.word = word & !u64::MAX.wrapping_shl(self.count);
    }
}

/// The lowest `bits` bits, less than 32 of them.
#[inline(always)]
pub(super) const fn low(word: u32, bits: u32) -> u32 {
    word & !u32::MAX.wrapping_shl(bits)
}
