//! Runs of characters beyond ASCII inside of strings: RFC 3629, Unicode Table 3-7.
//!
//! One load of four bytes and a pattern per character. Nothing is decided here about a sequence that is not
//! valid or is cut; the byte-exact machine does that.

use crate::word;

/// Whether the low three bytes of `four` are a character of three bytes.
#[inline(always)]
const fn is_three(four: u32) -> bool {
    // 1110xxxx 10xxxxxx 10xxxxxx. Behind E0 the next bit must be set, behind ED it must not.
    let choice = four & 0x200f;
    four & 0x00c0_c0f0 == 0x0080_80e0 && choice != 0 && choice != 0x200d
}

/// Whether the low two bytes of `four` are a character of two bytes.
#[inline(always)]
const fn is_two(four: u32) -> bool {
    // 110xxxxx 10xxxxxx, and more than seven bits of payload.
    four & 0xc0e0 == 0x80c0 && four & 0x1e != 0
}

/// Whether `four` is a character of four bytes.
#[inline(always)]
const fn is_four(four: u32) -> bool {
    // 11110xxx 10xxxxxx 10xxxxxx 10xxxxxx, in the planes 1 to 16.
    let plane = (four & 7) << 2 | (four >> 12 & 3);
    four & 0xc0c0_c0f8 == 0x8080_80f0 && plane >= 1 && plane <= 16
}

/// Goes over characters beyond ASCII from `from` on. Gives the index of the first byte that is ASCII or begins a
/// sequence that is not whole and valid, or the end of the slice.
#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(not(target_pointer_width = "64"), inline(never))]
pub(crate) fn run(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        let four = word::four(bytes, at).unwrap_or_else(|| last(bytes, at));
        if is_three(four) {
            at = at.wrapping_add(3);
        } else if four & 0x80 == 0 {
            return at;
        } else if is_two(four) {
            at = at.wrapping_add(2);
        } else if is_four(four) {
            at = at.wrapping_add(4);
        } else {
            return at;
        }
    }
}

/// The last bytes of a slice, fewer than four, with zeros behind them.
#[cold]
#[inline(never)]
fn last(bytes: &[u8], from: usize) -> u32 {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.iter().rev().fold(0, |four, &byte| four << 8 | u32::from(byte))
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    /// Where `core::str::from_utf8` says that the valid characters beyond ASCII end.
    fn valid(bytes: &[u8]) -> usize {
        let end = match core::str::from_utf8(bytes) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        bytes[..end].iter().position(u8::is_ascii).unwrap_or(end)
    }

    fn agrees(bytes: &[u8]) {
        assert_eq!(run(bytes, 0), valid(bytes), "{bytes:x?}");
    }

    #[test]
    fn every_sequence_of_up_to_three_bytes_ends_where_core_says() {
        // A few of the sequences where each step is interpreted.
        let (firsts, seconds) = if cfg!(miri) { (17, 31) } else { (1, 1) };
        for a in (0x80..=0xff).step_by(firsts) {
            agrees(&[a]);
            agrees(&[a, b'"', b'"', b'"']);
            for b in (0..=0xff).step_by(seconds) {
                agrees(&[a, b]);
                agrees(&[a, b, b'"', b'"']);
                for c in [0, 0x22, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xff] {
                    agrees(&[a, b, c]);
                    agrees(&[a, b, c, b'"']);
                }
            }
        }
    }

    #[test]
    fn every_border_of_four_bytes_is_where_core_says() {
        let borders = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];
        // A few of the sequences where each step is interpreted.
        let (firsts, others) = if cfg!(miri) { (13, 3) } else { (1, 1) };
        for a in (0xc0..=0xff).step_by(firsts) {
            for b in borders {
                for c in borders.into_iter().step_by(others) {
                    for d in borders.into_iter().step_by(others) {
                        agrees(&[a, b, c, d]);
                        agrees(&[a, b, c, d, 0xe2, 0x82, 0xac, b'"', 0, 0]);
                    }
                }
            }
        }
    }
}
