//! Several bytes at a time in one machine word: four on 32-bit targets, eight on 64-bit ones.
//!
//! A mask has the high bit of each byte that was looked for. A borrow or carry can run into the bytes above a
//! hit, so that of a mask only its lowest bit is exact; nothing else is asked of it.

#[cfg(target_pointer_width = "64")]
pub(crate) type Word = u64;
#[cfg(not(target_pointer_width = "64"))]
pub(crate) type Word = u32;

/// Bytes in a word.
pub(crate) const BYTES: usize = size_of::<Word>();

const HIGH: Word = repeat(0x80);

/// A word of the same byte.
pub(crate) const fn repeat(byte: u8) -> Word {
    Word::from_le_bytes([byte; BYTES])
}

/// The word at `from`, if it lies in the slice.
#[inline(always)]
pub(crate) fn at(bytes: &[u8], from: usize) -> Option<Word> {
    Some(Word::from_le_bytes(*bytes.get(from..)?.first_chunk()?))
}

/// The first word of a slice and what follows it.
#[inline(always)]
pub(crate) fn split(bytes: &[u8]) -> Option<(Word, &[u8])> {
    let (word, behind) = bytes.split_first_chunk()?;
    Some((Word::from_le_bytes(*word), behind))
}

/// Four bytes at `from`, if they lie in the slice.
#[inline(always)]
pub(crate) fn four(bytes: &[u8], from: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(from..)?.first_chunk()?))
}

/// The index of the lowest byte in a mask that is not zero; `BYTES` for zero.
#[inline(always)]
pub(crate) const fn first(mask: Word) -> usize {
    (mask.trailing_zeros() >> 3) as usize
}

/// Marks what is not plain in a string: quote, backslash, control characters, and bytes from 0x80.
///
/// `x ^ 2` takes the quote to 0x20 and leaves no other printable character below 0x21. The bits besides the high
/// ones are noise.
#[inline(always)]
pub(crate) const fn special_raw(word: Word) -> Word {
    (word ^ repeat(0x02)).wrapping_sub(repeat(0x21))
        | (word ^ repeat(b'\\')).wrapping_sub(repeat(0x01))
        | word
}

/// [`special_raw`] without its noise.
#[inline(always)]
pub(crate) const fn special(word: Word) -> Word {
    special_raw(word) & HIGH
}

/// The high bits of a mask with noise.
#[cfg(not(target_pointer_width = "64"))]
#[inline(always)]
pub(crate) const fn high(word: Word) -> Word {
    word & HIGH
}

/// Marks what is no decimal digit.
#[inline(always)]
pub(crate) const fn not_digit(word: Word) -> Word {
    let value = word ^ repeat(b'0');
    (value.wrapping_add(repeat(0x76)) | value) & HIGH
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    /// Holds a mask against a predicate with every byte at every place, alone and before every other byte.
    fn finds_the_first(mask: impl Fn(Word) -> Word, hit: impl Fn(u8) -> bool, filler: u8) {
        // A few of the bytes where each step is interpreted.
        let (bytes, nexts, places) = if cfg!(miri) { (2, 255, 3) } else { (1, 1, 1) };
        for byte in (0..=u8::MAX).step_by(bytes) {
            for next in (0..=u8::MAX).step_by(nexts) {
                for place in (0..BYTES).step_by(places) {
                    let mut bytes = [filler; BYTES];
                    bytes[place] = byte;
                    if let Some(behind) = bytes.get_mut(place + 1) {
                        *behind = next;
                    }
                    let expected = bytes.iter().position(|&byte| hit(byte)).unwrap_or(BYTES);
                    assert_eq!(first(mask(Word::from_le_bytes(bytes))), expected, "{bytes:x?}");
                }
            }
        }
    }

    #[test]
    fn the_lowest_bit_of_a_mask_is_the_first_byte_looked_for() {
        let plain = |byte: u8| matches!(byte, 0x20..=0x7f) && byte != b'"' && byte != b'\\';
        finds_the_first(special, |byte| !plain(byte), b'a');
        finds_the_first(special, |byte| !plain(byte), b' ');
        finds_the_first(not_digit, |byte| !byte.is_ascii_digit(), b'0');
        finds_the_first(not_digit, |byte| !byte.is_ascii_digit(), b'9');
    }
}
