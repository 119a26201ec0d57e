//! What a pull reader and a stream of records drive: a machine that is shown bytes first and lends afterwards.
//!
//! A step that lends from its input cannot be followed, on another path, by the next piece of the same source:
//! the borrow would have to last for one path and not for the other. So a step is made in two: [`Parse::find`]
//! says what there is and where, without a borrow, and [`Parse::lend`] gives it, shown the same bytes again. What was
//! found and not yet lent is a plain value, which outlives a dropped future.

use core::fmt::Debug;

use plimsoll_core::{Reason, Rejection};

use crate::assembler::Assembler;
use crate::event::{Event, Progress};
use crate::levels::Levels;
use crate::number::Number;
use crate::token::{Text, Token};
use crate::tokenizer::Tokenizer;

/// The place of a text in the slice that it was found in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    start: usize,
    end: usize,
}

impl Span {
    const EMPTY: Self = Self { start: 0, end: 0 };

    /// Where `text` lies in `input`; `None` if it lies elsewhere.
    fn of(text: &[u8], input: &[u8]) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::EMPTY);
        }
        let start = text.as_ptr().addr().checked_sub(input.as_ptr().addr())?;
        let end = start.checked_add(text.len())?;
        if end <= input.len() { Some(Self { start, end }) } else { None }
    }

    /// The bytes there.
    fn within(self, input: &[u8]) -> Option<&[u8]> {
        input.get(self.start..self.end)
    }

    /// The same place counted from `by` bytes earlier.
    fn shifted(self, by: usize) -> Self {
        if self == Self::EMPTY {
            return self;
        }
        Self { start: self.start.wrapping_add(by), end: self.end.wrapping_add(by) }
    }
}

/// A machine that can be read from a source. In a private module, so that their set is closed.
pub trait Parse {
    /// What was found, without what it borrows.
    type Found: Copy + Debug;
    /// What it gives.
    type Event<'a>
    where
        Self: 'a;

    /// Makes one step. Nothing found means that all of `input` was consumed.
    fn find(&mut self, input: &[u8]) -> Result<Progress<Self::Found>, Rejection>;
    /// Says that the input has ended; until nothing is found.
    fn find_last(&mut self) -> Result<Option<Self::Found>, Rejection>;
    /// Whether it needs no more bytes, ever.
    fn is_over(&self) -> bool;
    /// Whether what was found says that all has ended.
    fn is_end(found: &Self::Found) -> bool;
    /// Whether the input has to be shown again to lend it.
    fn borrows(found: &Self::Found) -> bool;
    /// What was found, in a slice that begins as the one it was found in. `None` if that is not so.
    fn lend<'a>(&'a self, found: Self::Found, input: &'a [u8]) -> Option<Self::Event<'a>>;
}

/// A machine for one document, which can be restarted.
pub trait Restart: Parse {
    /// Refuses what follows the document, for its slices end where it has to.
    fn keep_rest(&mut self);
    /// Begins a document at the offset `at`.
    fn restart(&mut self, at: u64);
    /// Offset of the next byte, or of the one that decided.
    fn offset(&self) -> u64;
    /// The same, in a slice that begins `by` bytes earlier.
    fn shifted(found: Self::Found, by: usize) -> Self::Found;
}

/// What [`Reader`](crate::Reader) reads: a [`Tokenizer`], an [`Assembler`], or
/// [`Records`](crate::Records) over either.
pub trait Readable: Parse {}

impl<T: Parse> Readable for T {}

/// A machine for one document: a [`Tokenizer`] or an [`Assembler`].
pub trait Document: Restart {}

impl<T: Restart> Document for T {}

/// The refusal of a source that does not show again what it has shown.
pub(crate) const FORGETFUL: Rejection = Rejection::new(Reason::SourceError);

/// A token without its text, and the place of that.
#[derive(Clone, Copy, Debug)]
pub struct FoundToken {
    token: Token<'static>,
    span: Span,
}

impl FoundToken {
    #[inline(always)]
    fn new(token: Token<'_>, input: &[u8]) -> Option<Self> {
        let bare = Text::default();
        let (token, text) = match token {
            Token::Key(text) => (Token::Key(bare), text),
            Token::KeyPart(text) => (Token::KeyPart(bare), text),
            Token::String(text) => (Token::String(bare), text),
            Token::StringPart(text) => (Token::StringPart(bare), text),
            Token::Number(text) => (Token::Number(bare), text),
            Token::NumberPart(text) => (Token::NumberPart(bare), text),
            Token::BeginObject => (Token::BeginObject, bare),
            Token::EndObject => (Token::EndObject, bare),
            Token::BeginArray => (Token::BeginArray, bare),
            Token::EndArray => (Token::EndArray, bare),
            Token::KeyCharacter(character) => (Token::KeyCharacter(character), bare),
            Token::StringCharacter(character) => (Token::StringCharacter(character), bare),
            Token::True => (Token::True, bare),
            Token::False => (Token::False, bare),
            Token::Null => (Token::Null, bare),
            Token::End => (Token::End, bare),
            Token::NeedInput => return None,
        };
        Some(Self { token, span: Span::of(text.as_bytes(), input).unwrap_or(Span::EMPTY) })
    }
}

impl<L: Levels> Parse for Tokenizer<L> {
    type Found = FoundToken;
    type Event<'a>
        = Token<'a>
    where
        L: 'a;

    #[inline]
    fn find(&mut self, input: &[u8]) -> Result<Progress<FoundToken>, Rejection> {
        let step = self.step(input)?;
        Ok(Progress { consumed: step.consumed, event: FoundToken::new(step.token, input) })
    }

    fn find_last(&mut self) -> Result<Option<FoundToken>, Rejection> {
        let token = self.finish()?;
        Ok(if token == Token::End { None } else { FoundToken::new(token, &[]) })
    }

    fn is_over(&self) -> bool {
        self.is_over()
    }

    fn is_end(found: &FoundToken) -> bool {
        found.token == Token::End
    }

    fn borrows(found: &FoundToken) -> bool {
        found.span != Span::EMPTY
    }

    #[inline]
    fn lend<'a>(&'a self, found: FoundToken, input: &'a [u8]) -> Option<Token<'a>> {
        let text = Text::checked(found.span.within(input)?);
        Some(match found.token {
            Token::Key(_) => Token::Key(text),
            Token::KeyPart(_) => Token::KeyPart(text),
            Token::String(_) => Token::String(text),
            Token::StringPart(_) => Token::StringPart(text),
            Token::Number(_) => Token::Number(text),
            Token::NumberPart(_) => Token::NumberPart(text),
            other => other,
        })
    }
}

impl<L: Levels> Restart for Tokenizer<L> {
    fn keep_rest(&mut self) {
        self.hand_back = false;
    }

    fn restart(&mut self, at: u64) {
        self.restart(at);
    }

    fn offset(&self) -> u64 {
        self.offset()
    }

    fn shifted(found: FoundToken, by: usize) -> FoundToken {
        FoundToken { span: found.span.shifted(by), ..found }
    }
}

/// Where the text of an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// In the slice.
    Input(Span),
    /// So many bytes at the start of the scratch.
    Scratch(usize),
}

/// An event without its text, and the place of that.
#[derive(Clone, Copy, Debug)]
pub struct FoundEvent {
    event: Event<'static>,
    place: Place,
}

impl FoundEvent {
    #[inline(always)]
    fn new(event: Event<'_>, input: &[u8]) -> Self {
        let bare = Text::default();
        let (event, text) = match event {
            Event::Key(text) => (Event::Key(bare), text.as_bytes()),
            Event::String(text) => (Event::String(bare), text.as_bytes()),
            Event::Number(number) => (Event::Number(Number::checked(&[])), number.as_bytes()),
            Event::BeginObject => (Event::BeginObject, bare.as_bytes()),
            Event::EndObject => (Event::EndObject, bare.as_bytes()),
            Event::BeginArray => (Event::BeginArray, bare.as_bytes()),
            Event::EndArray => (Event::EndArray, bare.as_bytes()),
            Event::True => (Event::True, bare.as_bytes()),
            Event::False => (Event::False, bare.as_bytes()),
            Event::Null => (Event::Null, bare.as_bytes()),
            Event::End => (Event::End, bare.as_bytes()),
        };
        let place = match Span::of(text, input) {
            Some(span) => Place::Input(span),
            None => Place::Scratch(text.len()),
        };
        Self { event, place }
    }
}

impl<L: Levels> Parse for Assembler<'_, L> {
    type Found = FoundEvent;
    type Event<'a>
        = Event<'a>
    where
        Self: 'a;

    #[inline]
    fn find(&mut self, input: &[u8]) -> Result<Progress<FoundEvent>, Rejection> {
        let step = self.step(input)?;
        Ok(Progress { consumed: step.consumed, event: step.event.map(|event| FoundEvent::new(event, input)) })
    }

    fn find_last(&mut self) -> Result<Option<FoundEvent>, Rejection> {
        let event = self.finish()?;
        Ok(if event == Event::End { None } else { Some(FoundEvent::new(event, &[])) })
    }

    fn is_over(&self) -> bool {
        self.tokenizer.is_over()
    }

    fn is_end(found: &FoundEvent) -> bool {
        found.event == Event::End
    }

    fn borrows(found: &FoundEvent) -> bool {
        matches!(found.place, Place::Input(span) if span != Span::EMPTY)
    }

    #[inline]
    fn lend<'a>(&'a self, found: FoundEvent, input: &'a [u8]) -> Option<Event<'a>> {
        let text = match found.place {
            Place::Input(span) => span.within(input)?,
            Place::Scratch(len) => self.joined(len),
        };
        Some(match found.event {
            Event::Key(_) => Event::Key(Text::checked(text)),
            Event::String(_) => Event::String(Text::checked(text)),
            Event::Number(_) => Event::Number(Number::checked(text)),
            other => other,
        })
    }
}

impl<L: Levels> Restart for Assembler<'_, L> {
    fn keep_rest(&mut self) {
        self.tokenizer.hand_back = false;
    }

    fn restart(&mut self, at: u64) {
        self.restart(at);
    }

    fn offset(&self) -> u64 {
        self.offset()
    }

    fn shifted(found: FoundEvent, by: usize) -> FoundEvent {
        match found.place {
            Place::Input(span) => FoundEvent { place: Place::Input(span.shifted(by)), ..found },
            Place::Scratch(_) => found,
        }
    }
}
