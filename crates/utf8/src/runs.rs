//! Text as `&str`: [`Runs`] lends whole characters from its input, and a character that was cut from its own
//! four bytes.
//!
//! Between calls it keeps 12 bytes: the validator of 8, and the bytes of a character that was cut.

use core::slice;

use plimsoll_core::{Inspect, Refusal, Rejection};

use crate::bulk;
use crate::utf8::Utf8;

/// Lends a byte stream as `&str`, over any chunking: the characters in order, none cut, none changed.
///
/// # Contract
/// - [`step`](Self::step) consumes a prefix of its input, at least one byte of an input that is not empty,
///   and lends
///   text from it or from the decoder. The text is empty where the input ended within a character.
/// - A fault is reported by the first step that has no text before it to lend.
/// - Nothing of the input is needed after the step.
///
/// # Refuses
/// As [`Utf8`], with the same offsets and details.
///
/// ```
/// use plimsoll_utf8::Runs;
///
/// let mut runs = Runs::new();
/// let mut text = String::new();
/// for chunk in [&b"10 \xE2\x82"[..], b"\xAC; 20 \xE2", b"\x82\xAC"] {
///     let mut rest = chunk;
///     while !rest.is_empty() {
///         let run = runs.step(rest)?;
///         text.push_str(run.text);
///         rest = &rest[run.consumed..];
///     }
/// }
/// runs.finish()?;
/// assert_eq!(text, "10 €; 20 €");
/// # Ok::<(), plimsoll_core::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Runs {
    utf8: Utf8,
    carry: [u8; 4],
}

/// What a step of [`Runs`] brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextRun<'a> {
    /// How many bytes of the input are done with.
    pub consumed: usize,
    /// Whole characters.
    pub text: &'a str,
}

/// What [`Runs::carry`] took.
pub(crate) struct Carried {
    pub(crate) consumed: usize,
    /// Length of the character in the carry; 0 while it is not whole.
    pub(crate) length: usize,
}

impl Runs {
    /// A decoder at the start of a text.
    #[must_use]
    pub const fn new() -> Self {
        Self { utf8: Utf8::new(), carry: [0; 4] }
    }

    /// The validator: whether the text may end here, and how many bytes of a cut character wait for their
    /// rest.
    #[must_use]
    pub const fn validator(&self) -> &Utf8 {
        &self.utf8
    }

    /// Makes one step over `input`.
    ///
    /// # Errors
    /// `invalid_utf8`, or the rejection met before.
    pub fn step<'a>(&'a mut self, input: &'a [u8]) -> Result<TextRun<'a>, Rejection> {
        if let Some(text) = self.lend(input) {
            return Ok(TextRun { consumed: text.len(), text });
        }
        let Carried { consumed, length } = self.carry(input).map_err(|refusal| refusal.rejection)?;
        Ok(TextRun { consumed, text: self.carried(length) })
    }

    /// Says that the input has ended.
    ///
    /// # Errors
    /// `incomplete_utf8` where it ended within a character, or the rejection met before.
    pub fn finish(&mut self) -> Result<(), Rejection> {
        self.utf8.finish()
    }

    /// The whole characters that `input` begins with, unless one is in hand or the text was refused.
    pub(crate) fn lend<'a>(&mut self, input: &'a [u8]) -> Option<&'a str> {
        if !self.utf8.is_boundary() {
            return None;
        }
        let text = match bulk::text(without_cut_character(input)) {
            Ok(text) => text,
            Err(valid) => bulk::text(input.get(..valid)?).ok()?,
        };
        self.utf8.skip(text.len());
        (!text.is_empty()).then_some(text)
    }

    /// Takes the bytes of one character: of the one that has begun, or of the one that begins here.
    pub(crate) fn carry(&mut self, input: &[u8]) -> Result<Carried, Refusal> {
        self.utf8.inspect(&[])?;
        for (accepted, byte) in input.iter().enumerate() {
            let seen = self.utf8.pending();
            self.utf8.inspect(slice::from_ref(byte)).map_err(|refusal| Refusal { accepted, ..refusal })?;
            if let Some(place) = self.carry.get_mut(seen) {
                *place = *byte;
            }
            if self.utf8.is_boundary() {
                let (consumed, length) = (accepted.saturating_add(1), seen.saturating_add(1));
                return Ok(Carried { consumed, length });
            }
        }
        Ok(Carried { consumed: input.len(), length: 0 })
    }

    /// The character in the carry.
    pub(crate) fn carried(&self, length: usize) -> &str {
        // The validator has followed it to its end, so it is text.
        self.carry.get(..length).and_then(|character| bulk::text(character).ok()).unwrap_or_default()
    }
}

/// `bytes` without a character at their end that lacks some of its own, as its first byte tells.
const fn without_cut_character(bytes: &[u8]) -> &[u8] {
    match bytes {
        [head @ .., 0xC0..=0xFF] | [head @ .., 0xE0..=0xFF, _] | [head @ .., 0xF0..=0xFF, _, _] => head,
        whole => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_twelve_bytes() {
        assert_eq!(size_of::<Runs>(), 12);
    }

    #[test]
    fn a_step_lends_what_it_can_from_the_input_itself() {
        let input = "ab€".as_bytes();
        let (head, tail) = input.split_at(4);
        let mut runs = Runs::new();
        let run = runs.step(head).unwrap();
        assert_eq!((run.consumed, run.text, run.text.as_ptr()), (2, "ab", input.as_ptr()));
        assert_eq!(runs.step(b"\xE2\x82"), Ok(TextRun { consumed: 2, text: "" }));
        assert_eq!(runs.validator().pending(), 2);
        assert_eq!(runs.step(tail), Ok(TextRun { consumed: 1, text: "€" }));
        assert_eq!(runs.step(b""), Ok(TextRun { consumed: 0, text: "" }));
        assert_eq!(runs.finish(), Ok(()));
    }

    #[test]
    fn only_a_character_that_lacks_bytes_is_left_for_the_next_step() {
        for (bytes, length) in [
            (&b""[..], 0),
            (b"a", 1),
            (b"a\xC3", 1),
            (b"\xC3\xA9", 2),
            (b"a\xE2\x82", 1),
            (b"\xE2\x82\xAC", 3),
            (b"a\xF0\x9F\x98", 1),
            (b"\xF0\x9F\x98\x80", 4),
        ] {
            assert_eq!(without_cut_character(bytes), &bytes[..length]);
        }
    }
}
