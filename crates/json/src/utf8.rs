//! Runs of characters beyond ASCII inside of strings: RFC 3629, Unicode Table 3-7.
//!
//! One load of four bytes and a pattern per character. Nothing is decided here about a sequence that is not
//! valid or is cut; the byte-exact machine does that.

use crate::word;

/// Where a run of characters ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Run {
    /// At an ASCII byte or the end of the slice.
    Ended(usize),
    /// At a sequence that the end of the slice may have cut.
    Cut(usize),
    /// At a sequence that is not valid.
    Bad(usize),
}

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

/// Goes over characters beyond ASCII from `from` on.
#[inline(always)]
pub(crate) fn run(bytes: &[u8], from: usize) -> Run {
    let mut at = from;
    while let Some(four) = word::four(bytes, at) {
        if is_three(four) {
            at = at.wrapping_add(3);
        } else if four & 0x80 == 0 {
            return Run::Ended(at);
        } else if is_two(four) {
            at = at.wrapping_add(2);
        } else if is_four(four) {
            at = at.wrapping_add(4);
        } else {
            return Run::Bad(at);
        }
    }
    last(bytes, at)
}

/// The same for the last three bytes.
#[inline(never)]
fn last(bytes: &[u8], from: usize) -> Run {
    let mut at = from;
    loop {
        let (four, left) = match bytes.get(at..) {
            Some(&[a, b, c]) => (u32::from_le_bytes([a, b, c, 0]), 3),
            Some(&[a, b]) => (u32::from_le_bytes([a, b, 0, 0]), 2),
            Some(&[a]) => (u32::from(a), 1),
            _ => return Run::Ended(at),
        };
        at = at.wrapping_add(match four & 0xff {
            0..=0x7f => return Run::Ended(at),
            0xc2..=0xdf if is_two(four) => 2,
            0xe0..=0xef if is_three(four) => 3,
            0xc2..=0xdf if left == 1 => return Run::Cut(at),
            0xe0..=0xef if left < 3 => return Run::Cut(at),
            0xf0..=0xf4 => return Run::Cut(at),
            _ => return Run::Bad(at),
        });
    }
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
        let expected = valid(bytes);
        let (end, ended) = match run(bytes, 0) {
            Run::Ended(end) => (end, true),
            Run::Cut(end) | Run::Bad(end) => (end, false),
        };
        assert_eq!(end, expected, "{bytes:x?}");
        assert_eq!(ended, bytes.get(end).is_none_or(u8::is_ascii), "{bytes:x?}");
        if let Run::Bad(_) = run(bytes, 0) {
            let error = core::str::from_utf8(&bytes[end..]).unwrap_err();
            assert!(error.error_len().is_some(), "{bytes:x?}");
        }
    }

    #[test]
    fn every_sequence_of_up_to_three_bytes_ends_where_core_says() {
        for a in 0x80..=0xff {
            agrees(&[a]);
            agrees(&[a, b'"', b'"', b'"']);
            for b in 0..=0xff {
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
        for a in 0xc0..=0xff {
            for b in borders {
                for c in borders {
                    for d in borders {
                        agrees(&[a, b, c, d]);
                        agrees(&[a, b, c, d, 0xe2, 0x82, 0xac, b'"', 0, 0]);
                    }
                }
            }
        }
    }
}
