//! Validation: [`Utf8`] watches bytes pass and refuses the first one that cannot belong to UTF-8 (the Unicode
//! Standard, section 3.9, Table 3-7; RFC 3629, section 4).
//!
//! Between calls it keeps 8 bytes: the state within a character that was cut, 1 byte, and the offset in the
//! stream, 7 bytes. 56 bits are enough for 72 petabytes; a longer stream is still checked, but its offset
//! stays at that value.

use plimsoll_core::{Detail, Inspect, Refusal, Rejection};

use crate::bulk;
use crate::state::State;

/// Refuses what is not UTF-8, over any chunking. An [`Inspect`] of 8 bytes.
///
/// # Refuses
/// - `invalid_utf8`: at the first byte that cannot continue its character. [`Rejection::at`] is where the
///   character began, which may lie in an earlier chunk; [`Refusal::accepted`] counts the bytes of this chunk
///   before the one that decided, the beginning of that character included.
/// - `incomplete_utf8`: from [`finish`](Inspect::finish) only, where the text ends within a character.
///
/// [`Rejection::detail`] is [`Detail::Subpart`] with the length of the maximal subpart: offset and length are
/// those that `core::str::from_utf8` reports for the whole text as `valid_up_to` and `error_len`.
///
/// ```
/// use plimsoll_core::{Detail, Inspect, Reason};
/// use plimsoll_utf8::Utf8;
///
/// let mut utf8 = Utf8::new();
/// utf8.inspect(b"10 \xE2\x82")?; // The beginning of the euro sign,
/// utf8.inspect(b"\xAC; 20 \xE2")?; // its end, and another one
/// let refusal = utf8.inspect(b"\x82.").unwrap_err(); // that has no end.
/// assert_eq!(refusal.accepted, 1);
/// assert_eq!(refusal.rejection.reason(), Reason::InvalidUtf8);
/// assert_eq!(refusal.rejection.at(), Some(11));
/// assert_eq!(refusal.rejection.detail(), Some(Detail::Subpart(2)));
/// # Ok::<(), plimsoll_core::Refusal>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Utf8 {
    /// Bytes accepted, or, after a refusal, where the character at fault began: the lower 32 bits and the
    /// upper 24, which change once in four gigabytes.
    low: u32,
    high: [u8; 3],
    state: State,
}

/// From how many bytes on a call for the bulk is cheaper than a step for each byte.
const BULK: usize = 8;

impl Utf8 {
    /// A validator at the start of a text.
    #[must_use]
    pub const fn new() -> Self {
        Self { low: 0, high: [0; 3], state: State::Boundary }
    }

    /// Whether the bytes so far are whole characters, so that the text may end here.
    #[must_use]
    pub const fn is_boundary(&self) -> bool {
        matches!(self.state, State::Boundary)
    }

    /// How many bytes of a character that was cut have been accepted: 0 at a boundary, up to 3.
    ///
    /// A preview that ends at a character leaves these out.
    #[must_use]
    pub const fn pending(&self) -> usize {
        match self.state.refused() {
            None => self.state.seen() as usize,
            Some(_) => 0,
        }
    }

    /// The refusal, if there was one.
    pub(crate) fn rejection(&self) -> Option<Rejection> {
        let reason = self.state.refused()?;
        Some(Rejection::fault(reason, self.offset()).with_detail(Detail::Subpart(self.state.seen())))
    }

    /// Counts `bytes` that were accepted.
    pub(crate) fn skip(&mut self, bytes: usize) {
        let (low, carried) = self.low.overflowing_add(bytes as u32);
        self.low = low;
        if carried || bytes as u64 > u64::from(u32::MAX) {
            self.carry(bytes as u64 >> 32, carried);
        }
    }

    /// The upper part of [`skip`](Self::skip): once in four gigabytes.
    #[cold]
    #[inline(never)]
    fn carry(&mut self, high: u64, carried: bool) {
        let high = (self.offset() >> 32).saturating_add(high).saturating_add(u64::from(carried));
        if high < 1 << 24 {
            self.set_high(high);
        } else {
            self.low = u32::MAX;
            self.high = [u8::MAX; 3];
        }
    }

    /// Accepts what it can of `bytes`, and says how many that is.
    fn accept(&mut self, bytes: &[u8]) -> usize {
        if self.state.refused().is_some() {
            return 0;
        }
        let mut rest = bytes;
        let mut state = self.state;
        let refused = loop {
            if state == State::Boundary && rest.len() >= BULK {
                let whole = bulk::text(rest).map_or_else(|valid| valid, str::len);
                // The character behind them is cut or at fault: which of the two, and where, 4 bytes tell.
                rest = rest.get(whole..).unwrap_or_default();
            }
            let Some((&byte, behind)) = rest.split_first() else { break None };
            let next = state.then(byte);
            if next.refused().is_some() {
                break Some(next);
            }
            (state, rest) = (next, behind);
        };
        let accepted = bytes.len().saturating_sub(rest.len());
        self.skip(accepted);
        self.state = state;
        if let Some(refused) = refused {
            self.refuse(refused);
        }
        accepted
    }

    /// Goes back to where the character at fault began, for good.
    #[cold]
    #[inline(never)]
    fn refuse(&mut self, refused: State) {
        let at = self.offset().saturating_sub(u64::from(self.state.seen()));
        self.low = at as u32;
        self.set_high(at >> 32);
        self.state = refused;
    }

    fn offset(&self) -> u64 {
        let [a, b, c] = self.high;
        u64::from(u32::from_le_bytes([a, b, c, 0])) << 32 | u64::from(self.low)
    }

    fn set_high(&mut self, high: u64) {
        let [a, b, c, ..] = high.to_le_bytes();
        self.high = [a, b, c];
    }
}

impl Inspect for Utf8 {
    #[inline]
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let accepted = self.accept(bytes);
        match self.rejection() {
            None => Ok(()),
            Some(rejection) => Err(Refusal { accepted, rejection }),
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        if self.pending() > 0 {
            self.refuse(self.state.ended());
        }
        match self.rejection() {
            None => Ok(()),
            Some(rejection) => Err(rejection),
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use plimsoll_core::Reason;

    use super::*;

    #[test]
    fn it_keeps_eight_bytes_and_begins_with_zeros() {
        assert_eq!(size_of::<Utf8>(), 8);
        let Utf8 { low, high, state } = Utf8::new();
        assert_eq!((low, high, state as u8), (0, [0; 3], 0));
    }

    #[test]
    fn a_fault_behind_four_gigabytes_has_its_offset() {
        let mut utf8 = Utf8::new();
        for _ in 0..8 {
            utf8.skip(1 << 30);
        }
        assert_eq!(utf8.inspect(b"a\xF0\x9F"), Ok(()));
        let refusal = utf8.inspect(b"\x98a").unwrap_err();
        assert_eq!((refusal.accepted, refusal.rejection.at()), (1, Some((8 << 30) + 1)));
        assert_eq!(refusal.rejection.detail(), Some(Detail::Subpart(3)));
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn one_piece_of_more_than_four_gigabytes_is_counted_whole() {
        let mut utf8 = Utf8::new();
        utf8.skip((5 << 32) + 7);
        assert_eq!(utf8.inspect(b"a\xFF").unwrap_err().rejection.at(), Some((5 << 32) + 8));
    }

    #[test]
    fn an_offset_that_cannot_be_counted_stays_and_the_text_is_still_checked() {
        let mut utf8 = Utf8 { low: u32::MAX - 2, high: [u8::MAX; 3], state: State::Boundary };
        assert_eq!(utf8.inspect("ab€".as_bytes()), Ok(()));
        let refusal = utf8.inspect(b"ab\xFF").unwrap_err();
        assert_eq!((refusal.accepted, refusal.rejection.at()), (2, Some((1 << 56) - 1)));
    }

    #[test]
    fn what_is_pending_is_known_until_the_text_is_refused() {
        let mut utf8 = Utf8::new();
        for (byte, pending) in [(0xF0, 1), (0x9F, 2), (0x98, 3), (0x80, 0)] {
            assert_eq!(utf8.inspect(&[byte]), Ok(()));
            assert_eq!((utf8.pending(), utf8.is_boundary()), (pending, pending == 0));
        }
        assert_eq!(utf8.inspect(b"\xE2"), Ok(()));
        let rejection = utf8.finish().unwrap_err();
        assert_eq!((rejection.reason(), rejection.at()), (Reason::IncompleteUtf8, Some(4)));
        assert_eq!((utf8.pending(), utf8.is_boundary()), (0, false));
        assert_eq!(utf8.inspect(b"\x82\xAC"), Err(Refusal { accepted: 0, rejection }));
    }
}
