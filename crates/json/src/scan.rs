//! The leaves of the fast paths: runs of white space, of plain characters and of digits inside of one slice.
//!
//! Nothing is kept between calls and nothing is decided: where a run ends in anything but the ordinary, the
//! caller leaves the token to the byte-exact machine.

use crate::escape;
use crate::machine::State;
use crate::utf8::{self, Run};
use crate::word::{self, Word};

/// The index of the first byte from `from` on that is no white space, or the end of the slice.
#[inline(never)]
fn any_white_space(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at = at.wrapping_add(1);
    }
    at
}

/// The same, where the byte at `from` is at most a space: made for a line's end and its indentation.
#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(not(target_pointer_width = "64"), inline(never))]
pub(crate) fn white_space(bytes: &[u8], from: usize) -> usize {
    const SPACES: Word = word::repeat(b' ');
    if !matches!(bytes.get(from), Some(b'\n' | b' ')) {
        return any_white_space(bytes, from);
    }
    let start = from.wrapping_add(1);
    let all = bytes.get(start..).unwrap_or_default();
    let mut rest = all;
    while let Some((word, behind)) = word::split(rest) {
        if word != SPACES {
            let spaces = word::first(word ^ SPACES);
            let at = start.wrapping_add(all.len().wrapping_sub(rest.len())).wrapping_add(spaces);
            let next = (word >> (spaces << 3)) as u8;
            return if next > b' ' { at } else { any_white_space(bytes, at) };
        }
        rest = behind;
    }
    any_white_space(bytes, start.wrapping_add(all.len().wrapping_sub(rest.len())))
}

/// The index of the first byte from `from` on that is not plain: printable ASCII, no quote, no backslash. In
/// the last bytes of the slice it may stop earlier.
#[cfg(target_pointer_width = "64")]
#[inline(always)]
pub(crate) fn plain(bytes: &[u8], from: usize) -> usize {
    /// Whether a byte is not plain. See `word::special_raw`; as signed bytes, those from 0x80 are small too.
    #[inline(always)]
    fn is_special(byte: u8) -> bool {
        ((byte ^ 0x02) as i8) < 0x21 || byte == b'\\'
    }
    let Some(mut rest) = bytes.get(from..) else { return from };
    while let Some((block, behind)) = rest.split_first_chunk::<16>() {
        if block.iter().fold(false, |any, &byte| any | is_special(byte)) {
            return bytes.len().wrapping_sub(rest.len()).wrapping_add(first_special(block));
        }
        rest = behind;
    }
    bytes.len().wrapping_sub(rest.len())
}

#[cfg(target_pointer_width = "64")]
#[inline(always)]
fn first_special(block: &[u8; 16]) -> usize {
    let (low, high) = (word::at(block, 0).unwrap_or(0), word::at(block, word::BYTES).unwrap_or(0));
    let (low, high) = (word::special(low), word::special(high));
    // Both are computed, so that the choice is no branch.
    let (first, second) = (word::first(low), word::first(high).wrapping_add(word::BYTES));
    if low != 0 { first } else { second }
}

/// The index of the first byte from `from` on that is not plain: printable ASCII, no quote, no backslash. In
/// the last bytes of the slice it may stop earlier.
#[cfg(not(target_pointer_width = "64"))]
#[inline(always)]
pub(crate) fn plain(bytes: &[u8], from: usize) -> usize {
    let Some(mut rest) = bytes.get(from..) else { return from };
    while let Some((&[a, b, c, d, e, f, g, h], behind)) = rest.split_first_chunk::<8>() {
        let low = word::special_raw(Word::from_le_bytes([a, b, c, d]));
        let high = word::special_raw(Word::from_le_bytes([e, f, g, h]));
        if word::high(low | high) != 0 {
            let (mask, skipped) = if word::high(low) != 0 { (low, 0) } else { (high, word::BYTES) };
            let at = bytes.len().wrapping_sub(rest.len()).wrapping_add(skipped);
            return at.wrapping_add(word::first(word::high(mask)));
        }
        rest = behind;
    }
    bytes.len().wrapping_sub(rest.len())
}

/// The same with a word at a time, for what follows something that was not plain.
#[inline(always)]
fn plain_words(bytes: &[u8], from: usize) -> usize {
    let Some(mut rest) = bytes.get(from..) else { return from };
    while let Some((word, behind)) = word::split(rest) {
        let mask = word::special(word);
        if mask != 0 {
            return bytes.len().wrapping_sub(rest.len()).wrapping_add(word::first(mask));
        }
        rest = behind;
    }
    bytes.len().wrapping_sub(rest.len())
}

/// The index where characters that stand for themselves end: at a quote, a backslash, the slice's end, or a
/// character that is cut or not allowed. `from` is where [`plain`] stopped.
#[inline(never)]
pub(crate) fn unescaped(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        match bytes.get(at) {
            None | Some(b'"' | b'\\' | 0x00..=0x1f) => return at,
            Some(0x20..=0x7f) => at = at.wrapping_add(1),
            Some(0x80..=0xff) => match utf8::run(bytes, at) {
                Run::Ended(end) => at = end,
                Run::Cut(end) | Run::Bad(end) => return end,
            },
        }
        at = plain_words(bytes, at);
    }
}

/// The rest of a string or key in a slice, as far as it goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    /// The index of its closing quote; where it is cut, of the first byte that is not dealt with.
    pub(crate) end: usize,
    /// Its bytes after unescaping.
    pub(crate) decoded: usize,
    /// Whether the slice ends before the string does.
    pub(crate) cut: bool,
}

/// Goes over a string's rest from `from` on, with escapes and characters beyond ASCII; `at` is where [`plain`]
/// stopped. `None` when there is something in it that is not allowed.
#[inline(never)]
pub(crate) fn text(bytes: &[u8], from: usize, mut at: usize) -> Option<Text> {
    // What escapes take more as written than after unescaping.
    let mut excess = 0_usize;
    let cut = loop {
        match bytes.get(at) {
            None => break true,
            Some(b'"') => break false,
            Some(b'\\') => {
                if bytes.get(at.wrapping_add(1)).is_some_and(|&byte| escape::simple(byte).is_some()) {
                    at = at.wrapping_add(2);
                    excess = excess.wrapping_add(1);
                    if bytes.get(at) == Some(&b'\\') {
                        continue;
                    }
                } else {
                    let rest = bytes.get(at..)?;
                    let Some(escape) = escape::whole(rest) else {
                        // Not valid, or cut: the longest has twelve bytes.
                        if rest.len() < 12 {
                            break true;
                        }
                        return None;
                    };
                    at = at.wrapping_add(escape.len);
                    excess =
                        excess.wrapping_add(escape.len).wrapping_sub(escape::utf8_len(escape.code) as usize);
                }
            }
            Some(0x00..=0x1f) => return None,
            Some(0x20..=0x7f) => at = at.wrapping_add(1),
            Some(0x80..=0xff) => match utf8::run(bytes, at) {
                Run::Ended(end) => at = end,
                Run::Cut(end) => {
                    at = end;
                    break true;
                }
                Run::Bad(_) => return None,
            },
        }
        at = plain_words(bytes, at);
    };
    Some(Text { end: at, decoded: at.wrapping_sub(from).wrapping_sub(excess), cut })
}

/// The index of the first byte from `from` on that is no digit, or the end of the slice.
#[inline(always)]
fn digits(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(word) = word::at(bytes, at) {
        let mask = word::not_digit(word);
        if mask != 0 {
            return at.wrapping_add(word::first(mask));
        }
        at = at.wrapping_add(word::BYTES);
    }
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at = at.wrapping_add(1);
    }
    at
}

/// The same for the digits of an integer, which are few: the first three are told by branches that predict.
#[inline(always)]
fn few_digits(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    for _ in 0..3 {
        if !bytes.get(at).is_some_and(u8::is_ascii_digit) {
            return at;
        }
        at = at.wrapping_add(1);
    }
    digits(bytes, at)
}

/// Goes over a number whose first byte is at `from`. Gives the index behind it and the state there:
/// `AfterValue` when another byte ended it, a state inside of numbers when the slice did, and `Refused` when it
/// is no number.
#[inline(always)]
pub(crate) fn number(bytes: &[u8], from: usize) -> (usize, State) {
    let mut at = from;
    let mut next = bytes.get(at);
    if next == Some(&b'-') {
        at = at.wrapping_add(1);
        next = bytes.get(at);
        if next.is_none() {
            return (at, State::Minus);
        }
    }
    match next {
        Some(b'0') => {
            at = at.wrapping_add(1);
            next = match bytes.get(at) {
                None => return (at, State::Zero),
                Some(b'0'..=b'9') => return (at, State::Refused),
                next => next,
            };
        }
        Some(b'1'..=b'9') => {
            at = few_digits(bytes, at.wrapping_add(1));
            next = bytes.get(at);
            if next.is_none() {
                return (at, State::Integer);
            }
        }
        _ => return (at, State::Refused),
    }
    if next == Some(&b'.') {
        let first = at.wrapping_add(1);
        at = digits(bytes, first);
        next = bytes.get(at);
        if at == first {
            return (at, if next.is_none() { State::Point } else { State::Refused });
        }
        if next.is_none() {
            return (at, State::Fraction);
        }
    }
    if let Some(b'e' | b'E') = next {
        at = at.wrapping_add(1);
        let mut cut = State::Exponent;
        if let Some(b'+' | b'-') = bytes.get(at) {
            at = at.wrapping_add(1);
            cut = State::ExponentSign;
        }
        let first = at;
        at = digits(bytes, first);
        return match (at == first, bytes.get(at).is_none()) {
            (true, true) => (at, cut),
            (true, false) => (at, State::Refused),
            (false, true) => (at, State::ExponentDigits),
            (false, false) => (at, State::AfterValue),
        };
    }
    (at, State::AfterValue)
}
