//! What the tokenizer lends.

use core::fmt;

/// Bytes of a string, a key or a number, borrowed from the slice they came in. They are valid UTF-8, and no
/// character is cut at their ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Text<'a>(&'a [u8]);

impl<'a> Text<'a> {
    /// Only for bytes that were checked.
    #[inline(always)]
    pub(crate) const fn checked(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[inline(always)]
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text. This looks at every byte once more, because safe code cannot take the tokenizer's word for it.
    #[inline]
    #[must_use]
    pub fn as_str(self) -> &'a str {
        core::str::from_utf8(self.0).unwrap_or_default()
    }

    /// How many bytes it has.
    #[inline(always)]
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.len()
    }

    /// Whether it has no bytes.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

/// What a step of the [`Tokenizer`](crate::Tokenizer) brought.
///
/// A string, key or number that stands plainly in one slice is one token. Otherwise it comes in parts: any number
/// of `…Part` and `…Character`, then the token itself with what is left, which may be empty. To join them, append
/// until the token without a suffix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token<'a> {
    /// All of the slice was consumed, and there is nothing to tell without more.
    NeedInput,
    /// `{`
    BeginObject,
    /// `}`
    EndObject,
    /// `[`
    BeginArray,
    /// `]`
    EndArray,
    /// A key, or its rest.
    Key(Text<'a>),
    /// A part of a key.
    KeyPart(Text<'a>),
    /// A character of a key that was escaped or cut.
    KeyCharacter(char),
    /// A string, or its rest.
    String(Text<'a>),
    /// A part of a string.
    StringPart(Text<'a>),
    /// A character of a string that was escaped or cut.
    StringCharacter(char),
    /// A number, or its rest.
    Number(Text<'a>),
    /// A part of a number.
    NumberPart(Text<'a>),
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// The document has ended.
    End,
}

/// The outcome of one call of [`Tokenizer::step`](crate::Tokenizer::step).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<'a> {
    /// How many bytes of the slice are done with.
    pub consumed: usize,
    /// What they brought.
    pub token: Token<'a>,
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn a_text_tells_its_bytes_and_is_shown_in_quotes() {
        let text = Text::checked("\u{e9}\"".as_bytes());
        assert_eq!((text.len(), text.is_empty()), (3, false));
        assert_eq!(std::format!("{text:?}"), "\"\u{e9}\\\"\"");
        assert_eq!((Text::default().len(), Text::default().is_empty()), (0, true));
    }
}
