//! Text for a preview: [`Lossy`] never refuses, and what it lends says in its type that it may have been
//! repaired.
//!
//! It keeps the 12 bytes of [`Runs`].

use crate::runs::{Carried, Runs};

/// Lends a byte stream as `&str`, over any chunking, with U+FFFD for each maximal subpart of what is
/// ill-formed.
///
/// The result is that of `String::from_utf8_lossy` on the whole (the Unicode Standard, section 3.9, "U+FFFD
/// Substitution of Maximal Subparts"). It is for showing: what was repaired is not what was sent, so no check
/// of a body may rest on it.
///
/// [`step`](Self::step) consumes a byte or lends something on every input that is not empty.
///
/// ```
/// use plimsoll_utf8::Lossy;
///
/// let mut lossy = Lossy::new();
/// let mut text = String::new();
/// for chunk in [&b"10 \xE2\x82"[..], b"\xAC; 20 \xE2\x82", b"."] {
///     let mut rest = chunk;
///     while !rest.is_empty() {
///         let run = lossy.step(rest);
///         text.push_str(run.piece.as_str());
///         rest = &rest[run.consumed..];
///     }
/// }
/// text.extend(lossy.finish().map(|piece| piece.as_str()));
/// assert_eq!(text, "10 €; 20 \u{FFFD}.");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Lossy {
    runs: Runs,
}

/// What a step of [`Lossy`] brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LossyRun<'a> {
    /// How many bytes of the input are done with.
    pub consumed: usize,
    /// What to show for them.
    pub piece: Piece<'a>,
}

/// A piece of text that may have been repaired.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece<'a> {
    /// Whole characters as they were sent; none where the input ended within a character.
    Text(&'a str),
    /// One maximal subpart of an ill-formed sequence, 1 to 3 bytes, which may have begun in an earlier chunk.
    Replacement,
}

impl<'a> Piece<'a> {
    /// The text to show: U+FFFD for a replacement.
    #[must_use]
    pub const fn as_str(self) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Replacement => "\u{FFFD}",
        }
    }
}

impl Lossy {
    /// A decoder at the start of a text.
    #[must_use]
    pub const fn new() -> Self {
        Self { runs: Runs::new() }
    }

    /// How many bytes of a character that was cut wait for their rest, up to 3.
    #[must_use]
    pub const fn pending(&self) -> usize {
        self.runs.validator().pending()
    }

    /// Makes one step over `input`.
    pub fn step<'a>(&'a mut self, input: &'a [u8]) -> LossyRun<'a> {
        if let Some(text) = self.runs.lend(input) {
            return LossyRun { consumed: text.len(), piece: Piece::Text(text) };
        }
        let begun = self.pending() > 0;
        match self.runs.carry(input) {
            Ok(Carried { consumed, length }) => {
                LossyRun { consumed, piece: Piece::Text(self.runs.carried(length)) }
            }
            Err(refusal) => {
                self.runs = Runs::new();
                // A byte that cannot begin a character is replaced; one that cannot go on is looked at again.
                let consumed = if begun { refusal.accepted } else { refusal.accepted.max(1) };
                LossyRun { consumed, piece: Piece::Replacement }
            }
        }
    }

    /// Says that the input has ended; a replacement where it ended within a character.
    ///
    /// A preview that has cut the stream itself does not ask: it ends at the last whole character.
    pub fn finish(&mut self) -> Option<Piece<'static>> {
        let ended = self.runs.finish();
        self.runs = Runs::new();
        ended.is_err().then_some(Piece::Replacement)
    }
}
