//! Whole tokens, and how every machine of this crate but the tokenizer says what a step did.

use crate::number::Number;
use crate::token::{Text, Token};

/// A whole token, as the [`Assembler`](crate::Assembler) gives it: never a part of one, and nothing that is still
/// escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event<'a> {
    /// `{`
    BeginObject,
    /// `}`
    EndObject,
    /// `[`
    BeginArray,
    /// `]`
    EndArray,
    /// A key.
    Key(Text<'a>),
    /// A string.
    String(Text<'a>),
    /// A number.
    Number(Number<'a>),
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// The document has ended.
    End,
}

impl<'a> Event<'a> {
    /// A token that is whole by itself; `None` for a part of one, and for `NeedInput`.
    #[inline(always)]
    pub(crate) const fn whole(token: Token<'a>) -> Option<Self> {
        Some(match token {
            Token::BeginObject => Self::BeginObject,
            Token::EndObject => Self::EndObject,
            Token::BeginArray => Self::BeginArray,
            Token::EndArray => Self::EndArray,
            Token::Key(text) => Self::Key(text),
            Token::String(text) => Self::String(text),
            Token::Number(text) => Self::Number(Number::checked(text.as_bytes())),
            Token::True => Self::True,
            Token::False => Self::False,
            Token::Null => Self::Null,
            Token::End => Self::End,
            Token::NeedInput
            | Token::KeyPart(_)
            | Token::KeyCharacter(_)
            | Token::StringPart(_)
            | Token::StringCharacter(_)
            | Token::NumberPart(_) => return None,
        })
    }
}

/// The outcome of one step of an [`Assembler`](crate::Assembler), a [`Framer`](crate::Framer) or
/// [`Records`](crate::Records).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress<T> {
    /// How many bytes of the slice are done with.
    pub consumed: usize,
    /// What they brought. `None` says that all of the slice was consumed and that there is nothing to tell without
    /// more.
    pub event: Option<T>,
}

impl<T> Progress<T> {
    /// `consumed` bytes brought `event`.
    #[inline(always)]
    pub(crate) const fn event(consumed: usize, event: T) -> Self {
        Self { consumed, event: Some(event) }
    }

    /// All of a slice of `consumed` bytes was consumed.
    #[inline(always)]
    pub(crate) const fn need_input(consumed: usize) -> Self {
        Self { consumed, event: None }
    }
}
