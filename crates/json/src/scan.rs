//! The leaves of the fast paths: runs of white space, of plain characters and of digits inside of one slice.
//!
//! Nothing is kept between calls and nothing is decided: where a run ends in anything but the ordinary, the
//! caller leaves the token to the byte-exact machine.

use crate::escape;
use crate::state::State;
use crate::utf8;
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
    let mut at = from.wrapping_add(1);
    if let Some(last) = bytes.len().checked_sub(word::BYTES) {
        while at <= last {
            let word = word::at(bytes, at).unwrap_or(0);
            if word != SPACES {
                at = at.wrapping_add(word::first(word ^ SPACES));
                return match bytes.get(at) {
                    Some(0..=b' ') => any_white_space(bytes, at),
                    _ => at,
                };
            }
            at = at.wrapping_add(word::BYTES);
        }
    }
    any_white_space(bytes, at)
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
                end if end == at => return at,
                end => at = end,
            },
        }
        at = plain_words(bytes, at);
    }
}

/// What a slice has of a string or key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    /// The index of its closing quote. Where that is not reached, of the first byte that is not dealt with: it
    /// is cut by the slice's end or not allowed, and is no quote.
    pub(crate) end: usize,
    /// Bytes up to there after unescaping.
    pub(crate) decoded: usize,
}

impl Text {
    /// Whether the closing quote was reached.
    #[inline(always)]
    pub(crate) fn is_closed(self, bytes: &[u8]) -> bool {
        bytes.get(self.end) == Some(&b'"')
    }
}

/// Goes over a string from `from` on, with its escapes and characters beyond ASCII; `at` is where [`plain`]
/// stopped.
#[inline(never)]
pub(crate) fn text(bytes: &[u8], from: usize, mut at: usize) -> Text {
    // What escapes take more as written than after unescaping.
    let mut excess = 0_usize;
    loop {
        match bytes.get(at) {
            None | Some(b'"' | 0x00..=0x1f) => break,
            Some(b'\\') => {
                if bytes.get(at.wrapping_add(1)).is_some_and(|&byte| escape::simple(byte).is_some()) {
                    at = at.wrapping_add(2);
                    excess = excess.wrapping_add(1);
                    if bytes.get(at) == Some(&b'\\') {
                        continue;
                    }
                } else {
                    let Some(escape) = bytes.get(at..).and_then(escape::whole) else { break };
                    at = at.wrapping_add(escape.len);
                    excess =
                        excess.wrapping_add(escape.len).wrapping_sub(escape::utf8_len(escape.code) as usize);
                }
            }
            Some(0x20..=0x7f) => at = at.wrapping_add(1),
            Some(0x80..=0xff) => match utf8::run(bytes, at) {
                end if end == at => break,
                end => at = end,
            },
        }
        at = plain_words(bytes, at);
    }
    Text { end: at, decoded: at.wrapping_sub(from).wrapping_sub(excess) }
}

/// The same from the start or the middle of a string, where nothing was looked at yet.
#[inline(always)]
pub(crate) fn rest_of_text(bytes: &[u8], from: usize) -> Text {
    // A third copy of `plain` is worth its room where there is plenty of it.
    text(bytes, from, if cfg!(target_pointer_width = "64") { plain(bytes, from) } else { from })
}

/// The index of the first byte from `from` on that is no digit, or the end of the slice.
#[cfg_attr(target_pointer_width = "64", inline(always))]
#[cfg_attr(not(target_pointer_width = "64"), inline(never))]
fn digits(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    if let Some(last) = bytes.len().checked_sub(word::BYTES) {
        while at <= last {
            let mask = word::not_digit(word::at(bytes, at).unwrap_or(0));
            if mask != 0 {
                return at.wrapping_add(word::first(mask));
            }
            at = at.wrapping_add(word::BYTES);
        }
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
        match bytes.get(at) {
            Some(b'0'..=b'9') => at = at.wrapping_add(1),
            _ => return at,
        }
    }
    digits(bytes, at)
}

/// Goes over a number whose first byte is at `from`. Gives the index behind it and the state there:
/// `AfterValue` when another byte ended it, a state inside of numbers when the slice did, and `Refused` when it
/// is no number.
#[cfg(target_pointer_width = "64")]
#[inline(always)]
pub(crate) fn number(bytes: &[u8], from: usize) -> (usize, State) {
    match short_number(bytes, from) {
        Some(end) => (end, State::AfterValue),
        None => any_number(bytes, from),
    }
}

/// The index behind a number of the kind that most are: up to three digits with or without a fraction of up to 15,
/// or an integer, not in the last bytes of the slice. For any other, `None`.
///
/// One test of the slice's length serves for all of it. The digits before the point are told by branches that
/// predict, which do not make what follows wait.
#[cfg(target_pointer_width = "64")]
#[inline(always)]
fn short_number(bytes: &[u8], from: usize) -> Option<usize> {
    let window = bytes.get(from..)?.first_chunk::<24>()?;
    let (start, window): (usize, &[u8; 23]) = match window {
        [b'-', unsigned @ ..] => (from.wrapping_add(1), unsigned),
        [unsigned @ .., _] => (from, unsigned),
    };
    let mut len: usize = match window {
        [b'0', b'0'..=b'9', ..] => return None,
        [b'0', ..] => 1,
        [b'1'..=b'9', b'0'..=b'9', b'0'..=b'9', b'0'..=b'9', ..] => {
            let end = digits(bytes, start.wrapping_add(4));
            return bytes.get(end).filter(|byte| !matches!(byte, b'.' | b'e' | b'E')).map(|_| end);
        }
        [b'1'..=b'9', b'0'..=b'9', b'0'..=b'9', ..] => 3,
        [b'1'..=b'9', b'0'..=b'9', ..] => 2,
        [b'1'..=b'9', ..] => 1,
        _ => return None,
    };
    let mut next = window.get(len)?;
    if *next == b'.' {
        len = len.wrapping_add(1);
        let mut mask = word::not_digit(word::at(window, len)?);
        if mask == 0 {
            len = len.wrapping_add(word::BYTES);
            mask = word::not_digit(word::at(window, len)?);
            if mask == 0 {
                return None;
            }
        } else if word::first(mask) == 0 {
            return None;
        }
        len = len.wrapping_add(word::first(mask));
        next = window.get(len)?;
    }
    if let b'e' | b'E' = next { None } else { Some(start.wrapping_add(len)) }
}

#[cfg(not(target_pointer_width = "64"))]
pub(crate) use any_number as number;

/// The same, for any number.
#[cfg_attr(target_pointer_width = "64", inline(never))]
#[cfg_attr(not(target_pointer_width = "64"), inline(always))]
pub(crate) fn any_number(bytes: &[u8], from: usize) -> (usize, State) {
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

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    use super::*;

    /// What [`number`] has to say, from the automaton, a byte at a time.
    fn by_the_grammar(bytes: &[u8]) -> (Option<usize>, State) {
        let mut state = match bytes.first() {
            Some(b'-') => State::Minus,
            Some(b'0') => State::Zero,
            Some(b'1'..=b'9') => State::Integer,
            _ => return (None, State::Refused),
        };
        for (at, &byte) in bytes.iter().enumerate().skip(1) {
            match state.number(byte) {
                Some(State::AfterValue) => return (Some(at), State::AfterValue),
                Some(next) => state = next,
                None => return (None, State::Refused),
            }
        }
        (Some(bytes.len()), state)
    }

    fn agrees(text: &str) {
        let (end, state) = by_the_grammar(text.as_bytes());
        let found = number(text.as_bytes(), 0);
        assert_eq!(found.1, state, "{text}");
        assert!(end.is_none_or(|end| found.0 == end), "{text}");
    }

    #[test]
    fn a_number_is_what_the_grammar_says_at_any_place_in_the_slice() {
        let parts = ["", "-", "0", "1", "9", ".", "e", "E", "+", ",", "]", "/", ":", "\u{e9}"];
        let mut texts: Vec<String> = parts.map(String::from).to_vec();
        // Shorter texts where each step is interpreted.
        for _ in 0..if cfg!(miri) { 1 } else { 3 } {
            texts = texts.iter().flat_map(|text| parts.map(|part| String::from(text) + part)).collect();
        }
        for text in &texts {
            agrees(text);
            agrees(&(String::from(text) + ",\n                                "));
        }
    }

    #[test]
    fn a_number_may_have_any_count_of_digits_in_each_part() {
        let digits = "1234567890123456789012345678901234567890";
        // A few of the counts where each step is interpreted.
        let (pairs, paddings) = if cfg!(miri) { (53, 13) } else { (1, 1) };
        let counts = (0..22).flat_map(|before| (0..22).map(move |behind| (before, behind)));
        for (before, behind) in counts.step_by(pairs) {
            let (before, behind) = (digits.split_at(before).0, digits.split_at(behind).0);
            for sign in ["", "-"] {
                for text in [
                    std::format!("{sign}{before}"),
                    std::format!("{sign}{before}.{behind}"),
                    std::format!("{sign}{before}.{behind}e{before}"),
                    std::format!("{sign}0.{behind}{before}"),
                ] {
                    for padding in (0..40).step_by(paddings) {
                        agrees(&(text.clone() + ", ".repeat(20).split_at(padding).0));
                    }
                }
            }
        }
    }
}
