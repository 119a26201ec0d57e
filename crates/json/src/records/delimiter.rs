//! The search for one byte.

use crate::steps;
use crate::word::{self, Word};

/// The index of the first `byte` in `bytes`.
#[inline(always)]
pub(super) fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    let found = search(bytes, byte);
    steps::count(0, found.unwrap_or(bytes.len()));
    found
}

#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(not(target_pointer_width = "64"), inline(never))]
fn search(bytes: &[u8], byte: u8) -> Option<usize> {
    let mut at = 0_usize;
    // In blocks that a host has registers for.
    #[cfg(target_pointer_width = "64")]
    while let Some(block) = bytes.get(at..).and_then(|rest| rest.first_chunk::<32>()) {
        if block.iter().fold(false, |any, &next| any | (next == byte)) {
            break;
        }
        at = at.wrapping_add(32);
    }
    while let Some(word) = word::at(bytes, at) {
        let hits = zeros(word ^ word::repeat(byte));
        if hits != 0 {
            return Some(at.wrapping_add(word::first(hits)));
        }
        at = at.wrapping_add(word::BYTES);
    }
    let last = bytes.get(at..)?.iter().position(|&next| next == byte)?;
    Some(at.wrapping_add(last))
}

/// Marks the bytes that are zero; of the mask only the lowest bit is exact.
#[inline(always)]
const fn zeros(word: Word) -> Word {
    word.wrapping_sub(word::repeat(0x01)) & !word & word::repeat(0x80)
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;
    use std::vec;

    #[test]
    fn the_first_of_a_byte_is_found_wherever_it_stands() {
        // A few of the lengths and places where each step is interpreted.
        let (lengths, places) = if cfg!(miri) { (49, 5) } else { (1, 1) };
        for filler in [0, b' ', b'\n' - 1, b'\n' + 1, 0x1e, 0x8a, 0xff] {
            for len in (0..100).step_by(lengths) {
                let mut bytes = vec![filler; len];
                assert_eq!(find(&bytes, b'\n'), None);
                for at in (0..len).rev().step_by(places) {
                    bytes[at] = b'\n';
                    assert_eq!(find(&bytes, b'\n'), Some(at));
                }
            }
        }
    }
}
