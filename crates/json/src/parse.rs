//! What a pull reader and a stream of records drive: a machine that is shown bytes first and lends afterwards.
//!
//! A step that lends from its input cannot be followed, on another path, by the next piece of the same source:
//! the borrow would have to last for one path and not for the other. So a step is made in two: [`Parse::find`]
//! says what there is and where, without a borrow, and [`Lend::lend`] gives it, shown the same bytes again. What was
//! found and not yet lent is a plain value, which outlives a dropped future.

use core::fmt::Debug;

use plimsoll_core::{Reason, Rejection};

use crate::assembler::Assembler;
use crate::event::{Event, Progress};
use crate::levels::Levels;
use crate::number::Number;
use crate::token::{Text, Token};
use crate::tokenizer::Tokenizer;

/// A machine that can be read from a source. In a private module, so that their set is closed.
pub trait Parse {
    /// What was found, without what it borrows.
    type Found: Copy + Debug;

    /// Makes one step. Nothing found means that all of `input` was consumed.
    fn find(&mut self, input: &[u8]) -> Result<Progress<Self::Found>, Rejection>;
    /// Says that the input has ended; until nothing is found.
    fn find_last(&mut self) -> Result<Option<Self::Found>, Rejection>;
    /// Whether it needs no more bytes, ever. Asked before each step, so that no step finds [`Event::End`].
    fn is_over(&self) -> bool;
    /// Whether the input has to be shown again to lend it.
    fn borrows(found: &Self::Found) -> bool;
}

/// A machine that gives what it has found.
pub trait Lend: Parse {
    /// What it gives.
    type Event<'a>: Copy + Debug
    where
        Self: 'a;

    /// What was found, in a slice that begins as the one it was found in. `None` if that is not so.
    fn lend<'a>(&'a self, found: Self::Found, input: &'a [u8]) -> Option<Self::Event<'a>>;
}

/// A machine for one document, which can be restarted.
pub trait Restart: Parse {
    /// A step that finds a token which is free of any doubt, and how many bytes that takes. Otherwise the index where
    /// [`exact`](Self::exact) goes on in the same input.
    fn quick(&mut self, input: &[u8]) -> Result<(usize, Self::Found), usize>;
    /// Any other step, from `from` on.
    fn exact(&mut self, input: &[u8], from: usize) -> Result<Progress<Self::Found>, Rejection>;
    /// Begins a document at the offset `at`. What follows it is refused and never handed back, for its slices end where it has to.
    fn restart(&mut self, at: u64);
    /// Offset of the next byte, or of the one that decided.
    fn offset(&self) -> u64;
    /// The same, in a slice that begins `by` bytes earlier.
    fn shifted(found: Self::Found, by: usize) -> Self::Found;
}

/// What [`Reader`](crate::Reader) reads: a [`Tokenizer`], an [`Assembler`], or
/// [`Records`](crate::Records) over either.
pub trait Readable: Lend {}

impl<T: Lend> Readable for T {}

/// A machine for one document: a [`Tokenizer`] or an [`Assembler`].
pub trait Document: Restart + Lend {}

impl<T: Restart + Lend> Document for T {}

/// The refusal of a source that does not show again what it has shown.
pub(crate) const FORGETFUL: Rejection = Rejection::new(Reason::SourceError);

/// A token or event without what it borrows, and the place of that.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    kind: Kind,
    /// Whether the text is in the scratch, from its first byte on.
    scratch: bool,
    /// Where the text begins in the slice.
    start: usize,
    len: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    BeginObject,
    EndObject,
    BeginArray,
    EndArray,
    Key,
    KeyPart,
    KeyCharacter(char),
    String,
    StringPart,
    StringCharacter(char),
    Number,
    NumberPart,
    True,
    False,
    Null,
    End,
}

impl Found {
    /// `text` lies in `input`, or else it is what a scratch begins with.
    #[inline(always)]
    fn new(kind: Kind, text: &[u8], input: &[u8]) -> Self {
        let start = text.as_ptr().addr().wrapping_sub(input.as_ptr().addr());
        let len = text.len();
        // Behind the slice's end, or before its start and wrapped around.
        let scratch = start > input.len();
        Self { kind, scratch: scratch && len != 0, start: if scratch { 0 } else { start }, len }
    }

    /// Where a token and its text are; nothing for `NeedInput`.
    #[inline(always)]
    fn of_token(token: Token<'_>, input: &[u8]) -> Option<Self> {
        Some(match token {
            Token::NeedInput => return None,
            Token::Key(text) => Found::new(Kind::Key, text.as_bytes(), input),
            Token::KeyPart(text) => Found::new(Kind::KeyPart, text.as_bytes(), input),
            Token::String(text) => Found::new(Kind::String, text.as_bytes(), input),
            Token::StringPart(text) => Found::new(Kind::StringPart, text.as_bytes(), input),
            Token::Number(text) => Found::new(Kind::Number, text.as_bytes(), input),
            Token::NumberPart(text) => Found::new(Kind::NumberPart, text.as_bytes(), input),
            Token::KeyCharacter(character) => Found::bare(Kind::KeyCharacter(character)),
            Token::StringCharacter(character) => Found::bare(Kind::StringCharacter(character)),
            Token::BeginObject => Found::bare(Kind::BeginObject),
            Token::EndObject => Found::bare(Kind::EndObject),
            Token::BeginArray => Found::bare(Kind::BeginArray),
            Token::EndArray => Found::bare(Kind::EndArray),
            Token::True => Found::bare(Kind::True),
            Token::False => Found::bare(Kind::False),
            Token::Null => Found::bare(Kind::Null),
            Token::End => Found::bare(Kind::End),
        })
    }

    /// Where an event and its text are.
    #[inline(always)]
    fn of_event(event: Event<'_>, input: &[u8]) -> Self {
        match event {
            Event::Key(text) => Found::new(Kind::Key, text.as_bytes(), input),
            Event::String(text) => Found::new(Kind::String, text.as_bytes(), input),
            Event::Number(number) => Found::new(Kind::Number, number.as_bytes(), input),
            Event::BeginObject => Found::bare(Kind::BeginObject),
            Event::EndObject => Found::bare(Kind::EndObject),
            Event::BeginArray => Found::bare(Kind::BeginArray),
            Event::EndArray => Found::bare(Kind::EndArray),
            Event::True => Found::bare(Kind::True),
            Event::False => Found::bare(Kind::False),
            Event::Null => Found::bare(Kind::Null),
            Event::End => Found::bare(Kind::End),
        }
    }

    const fn bare(kind: Kind) -> Self {
        Self { kind, scratch: false, start: 0, len: 0 }
    }

    /// Whether the text is in the slice.
    pub(crate) const fn borrows(&self) -> bool {
        self.len != 0 && !self.scratch
    }

    /// The same in a slice that begins `by` bytes earlier.
    pub(crate) const fn shifted(self, by: usize) -> Self {
        Self { start: self.start.wrapping_add(by), ..self }
    }

    /// The text.
    #[inline(always)]
    pub(crate) fn text<'a>(&self, input: &'a [u8], scratch: &'a [u8]) -> Option<&'a [u8]> {
        if self.len == 0 {
            return Some(&[]);
        }
        let (from, start) = if self.scratch { (scratch, 0) } else { (input, self.start) };
        from.get(start..start.checked_add(self.len)?)
    }
}

impl<L: Levels> Parse for Tokenizer<L> {
    type Found = Found;

    #[inline(always)]
    fn find(&mut self, input: &[u8]) -> Result<Progress<Found>, Rejection> {
        let step = self.step(input)?;
        Ok(Progress { consumed: step.consumed, event: Found::of_token(step.token, input) })
    }

    fn find_last(&mut self) -> Result<Option<Found>, Rejection> {
        Ok(match self.finish()? {
            Token::Number(_) => Some(Found::bare(Kind::Number)),
            _ => None,
        })
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }

    #[inline(always)]
    fn borrows(found: &Found) -> bool {
        found.borrows()
    }
}

impl<L: Levels> Lend for Tokenizer<L> {
    type Event<'a>
        = Token<'a>
    where
        L: 'a;

    #[inline(always)]
    fn lend<'a>(&'a self, found: Found, input: &'a [u8]) -> Option<Token<'a>> {
        let text = Text::checked(found.text(input, &[])?);
        Some(match found.kind {
            Kind::Key => Token::Key(text),
            Kind::KeyPart => Token::KeyPart(text),
            Kind::String => Token::String(text),
            Kind::StringPart => Token::StringPart(text),
            Kind::Number => Token::Number(text),
            Kind::NumberPart => Token::NumberPart(text),
            Kind::KeyCharacter(character) => Token::KeyCharacter(character),
            Kind::StringCharacter(character) => Token::StringCharacter(character),
            Kind::BeginObject => Token::BeginObject,
            Kind::EndObject => Token::EndObject,
            Kind::BeginArray => Token::BeginArray,
            Kind::EndArray => Token::EndArray,
            Kind::True => Token::True,
            Kind::False => Token::False,
            Kind::Null => Token::Null,
            Kind::End => Token::End,
        })
    }
}

impl<L: Levels> Restart for Tokenizer<L> {
    #[inline(always)]
    fn quick(&mut self, input: &[u8]) -> Result<(usize, Found), usize> {
        let step = self.quick(input)?;
        let found = Found::of_token(step.token, input).ok_or(step.consumed)?;
        Ok((step.consumed, found))
    }

    fn exact(&mut self, input: &[u8], from: usize) -> Result<Progress<Found>, Rejection> {
        let step = self.exact(input, from)?;
        Ok(Progress { consumed: step.consumed, event: Found::of_token(step.token, input) })
    }

    fn restart(&mut self, at: u64) {
        self.hand_back = false;
        self.restart(at);
    }

    fn offset(&self) -> u64 {
        self.offset()
    }

    fn shifted(found: Found, by: usize) -> Found {
        found.shifted(by)
    }
}

impl<L: Levels> Parse for Assembler<'_, L> {
    type Found = Found;

    #[inline(always)]
    fn find(&mut self, input: &[u8]) -> Result<Progress<Found>, Rejection> {
        let step = self.step(input)?;
        Ok(Progress { consumed: step.consumed, event: step.event.map(|event| Found::of_event(event, input)) })
    }

    fn find_last(&mut self) -> Result<Option<Found>, Rejection> {
        Ok(match self.finish()? {
            Event::Number(number) => Some(Found::new(Kind::Number, number.as_bytes(), &[])),
            _ => None,
        })
    }

    fn is_over(&self) -> bool {
        self.tokenizer.is_over()
    }

    #[inline(always)]
    fn borrows(found: &Found) -> bool {
        found.borrows()
    }
}

impl<L: Levels> Lend for Assembler<'_, L> {
    type Event<'a>
        = Event<'a>
    where
        Self: 'a;

    #[inline(always)]
    fn lend<'a>(&'a self, found: Found, input: &'a [u8]) -> Option<Event<'a>> {
        let text = found.text(input, self.scratch())?;
        Some(match found.kind {
            Kind::Key => Event::Key(Text::checked(text)),
            Kind::String => Event::String(Text::checked(text)),
            Kind::Number => Event::Number(Number::checked(text)),
            Kind::BeginObject => Event::BeginObject,
            Kind::EndObject => Event::EndObject,
            Kind::BeginArray => Event::BeginArray,
            Kind::EndArray => Event::EndArray,
            Kind::True => Event::True,
            Kind::False => Event::False,
            Kind::Null => Event::Null,
            // Parts are no events.
            _ => Event::End,
        })
    }
}

impl<L: Levels> Restart for Assembler<'_, L> {
    #[inline(always)]
    fn quick(&mut self, input: &[u8]) -> Result<(usize, Found), usize> {
        let step = self.tokenizer.quick(input)?;
        let found = Found::of_token(step.token, input).ok_or(step.consumed)?;
        Ok((step.consumed, found))
    }

    fn exact(&mut self, input: &[u8], from: usize) -> Result<Progress<Found>, Rejection> {
        let step = self.join(input, from)?;
        Ok(Progress { consumed: step.consumed, event: step.event.map(|event| Found::of_event(event, input)) })
    }

    fn restart(&mut self, at: u64) {
        self.tokenizer.hand_back = false;
        self.restart(at);
    }

    fn offset(&self) -> u64 {
        self.offset()
    }

    fn shifted(found: Found, by: usize) -> Found {
        found.shifted(by)
    }
}
