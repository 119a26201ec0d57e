//! The beginning of a body that goes on: shown to a person, and never taken for the body.

use core::fmt;

use plimsoll_core::{Inspect, Refusal, Rejection, Stage};
use plimsoll_utf8::Lossy;

/// The first bytes of a body that is longer. Nothing of it was checked to the end.
///
/// There is no way from here to a complete body: it cannot be compared with one, and its bytes come only by
/// names that say what they are.
#[derive(Clone, Copy)]
pub struct Preview<'m> {
    bytes: &'m [u8],
}

impl<'m> Preview<'m> {
    /// A preview of these bytes, for a sink that keeps them.
    #[must_use]
    pub const fn new(bytes: &'m [u8]) -> Self {
        Self { bytes }
    }

    /// The bytes as they were decoded, cut where the preview ended.
    #[must_use]
    pub const fn unchecked_bytes(&self) -> &'m [u8] {
        self.bytes
    }

    /// Writes the bytes as text: with one U+FFFD for each maximal subpart of what is not UTF-8, and up to the last
    /// whole character.
    ///
    /// # Errors
    /// What `out` answers.
    pub fn write_text(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let mut lossy = Lossy::new();
        let mut rest = self.bytes;
        while !rest.is_empty() {
            let run = lossy.step(rest);
            out.write_str(run.piece.as_str())?;
            rest = rest.get(run.consumed..).unwrap_or(&[]);
        }
        Ok(())
    }
}

/// Without the bytes, which are the body's.
impl fmt::Debug for Preview<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Preview").field("length", &self.bytes.len()).finish()
    }
}

/// What a flat machine or a slice has of a body at the end.
#[derive(Debug)]
pub enum Received<'m> {
    /// All of it, with every check passed.
    Complete(&'m mut [u8]),
    /// Its beginning.
    Preview(Preview<'m>),
    /// Nothing that counts.
    Nothing,
}

/// Lets malformed text pass while it may be that only its beginning is shown, where it is repaired. What was
/// refused is answered at the end of a body that was no longer than its preview.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lenient<I> {
    inspector: I,
    lenient: bool,
    /// Whether the inspector has refused, which it does again at the end.
    put_off: bool,
}

impl<I> Lenient<I> {
    pub(crate) const fn new(inspector: I, lenient: bool) -> Self {
        Self { inspector, lenient, put_off: false }
    }

    pub(crate) fn into_inner(self) -> I {
        self.inspector
    }
}

impl<I: Inspect> Inspect for Lenient<I> {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        if self.put_off {
            return Ok(());
        }
        let answer = self.inspector.inspect(bytes);
        if let Err(refusal) = &answer
            && self.lenient
            && refusal.rejection.stage() == Stage::Text
        {
            self.put_off = true;
            return Ok(());
        }
        answer
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        self.inspector.finish()
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::String;

    use super::*;

    fn text(bytes: &[u8]) -> String {
        let mut text = String::new();
        Preview::new(bytes).write_text(&mut text).unwrap();
        text
    }

    #[test]
    fn text_is_repaired_and_ends_at_a_character() {
        assert_eq!(text(b"ab\xE2\x82\xAC"), "ab€");
        assert_eq!(text(b"ab\xE2\x82"), "ab");
        assert_eq!(text(b"a\xFFb\xE2\x82c"), "a\u{FFFD}b\u{FFFD}c");
        assert_eq!(text(b""), "");
    }

    #[test]
    fn a_log_of_it_holds_none_of_its_bytes() {
        assert_eq!(std::format!("{:?}", Preview::new(b"secret")), "Preview { length: 6 }");
    }
}
