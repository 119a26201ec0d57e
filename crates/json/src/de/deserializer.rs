//! What serde's view of a document is taken from: tokens, one at a time, and what ends them.
//!
//! [`Deserializer`] keeps a source, a machine, and between two calls the byte that the next token begins with, its
//! offset, and why it was refused. It has no buffer: a text is lent from the source or the machine's scratch.

use plimsoll_core::{Reason, Rejection};
use serde::de::{self, Visitor};

use super::error::{Error, Unsupported};
use super::lookahead::{Signal, Walk, Want};
use super::source::Bytes;
use crate::parse::FORGETFUL;
use crate::pull::Pull;
use crate::records::Skipped;
use crate::token::Text;

/// A [`serde::Deserializer`] over one JSON document, as `&mut Deserializer`.
///
/// [`from_slice`](super::from_slice) and [`from_reader`](super::from_reader) do all that is needed for a value; this is
/// for a [`DeserializeSeed`](de::DeserializeSeed), or for what else wants a deserializer. Nothing counts as received before
/// [`end`](Self::end) has said so.
///
/// After an error every call gives the same, but for an error of the source: that is told once, and what comes of
/// later calls does not count.
pub struct Deserializer<S, P: Walk> {
    source: S,
    pull: Pull<P>,
    /// The byte that the next token begins with, if that was looked at.
    ahead: Option<u8>,
    /// Its offset, or that of the last token that was looked at.
    start: u64,
    /// Why there is nothing more.
    failed: Option<Error>,
    /// The current record, if it was refused and passed over.
    passed: Option<Skipped>,
    /// How many types have asked for the value at hand, one inside of the other.
    wrappers: u8,
}

/// The most options and newtypes around a value. A type that has more contains itself, and would ask forever.
const MOST_WRAPPERS: u8 = 32;

/// A text, from where it lives.
#[derive(Clone, Copy)]
pub(super) enum Lent<'de, 'a> {
    /// In the body, which outlives everything.
    Borrowed(Text<'de>),
    /// In a buffer that is about to be overwritten.
    Transient(Text<'a>),
}

impl<'de> Lent<'de, '_> {
    pub(super) const fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Borrowed(text) => text.as_bytes(),
            Self::Transient(text) => text.as_bytes(),
        }
    }

    pub(super) fn visit<V: Visitor<'de>, E: de::Error>(self, visitor: V) -> Result<V::Value, E> {
        match self {
            Self::Borrowed(text) => visitor.visit_borrowed_str(text.as_str()),
            Self::Transient(text) => visitor.visit_str(text.as_str()),
        }
    }

    pub(super) fn visit_bytes<V: Visitor<'de>, E: de::Error>(self, visitor: V) -> Result<V::Value, E> {
        match self {
            Self::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            Self::Transient(text) => visitor.visit_bytes(text.as_bytes()),
        }
    }
}

impl<'de, S: Bytes<'de>, P: Walk> Deserializer<S, P> {
    pub(super) const fn over(source: S, machine: P) -> Self {
        Self {
            source,
            pull: Pull::new(machine),
            ahead: None,
            start: 0,
            failed: None,
            passed: None,
            wrappers: 0,
        }
    }

    /// Reads on to the end of the body, and says whether the document ends there and all of it was checked.
    ///
    /// # Errors
    /// `trailing_document`, or what the body's end brings; `incomplete_json` where the value was not taken.
    pub fn end(&mut self) -> Result<(), Error<S::Error>> {
        match self.step(Want::Ahead)? {
            None => Ok(()),
            Some(_) => Err(self.misused()),
        }
    }

    pub(super) const fn machine(&mut self) -> &mut P {
        &mut self.pull.machine
    }

    /// Reads on to the end of the current record, which comes behind its value.
    pub(super) fn end_record(&mut self) -> Result<(), Error<S::Error>> {
        match self.step(Want::Ahead)? {
            Some(Signal::End) => Ok(()),
            other => Err(self.unexpected(other)),
        }
    }

    /// The refusal of a record that was passed over while its value was read. Then the next one may begin.
    pub(super) fn take_passed(&mut self) -> Option<Skipped> {
        let passed = self.passed?;
        self.forget();
        Some(passed)
    }

    /// Stays refused.
    pub(super) const fn fail(&mut self, rejection: Rejection, depth: u16) {
        self.failed = Some(Error::Rejected { rejection, depth });
    }

    /// Forgets what the last value came to, for the next record.
    pub(super) const fn forget(&mut self) {
        (self.passed, self.failed, self.ahead) = (None, None, None);
        self.wrappers = 0;
    }

    /// Offset of the token that was looked at last.
    pub(super) const fn start(&self) -> u64 {
        self.start
    }

    /// Pulls until the machine has found what is wanted. `None` at the end of everything.
    pub(super) fn step(&mut self, want: Want) -> Result<Option<Signal>, Error<S::Error>> {
        if let Some(error) = self.failed {
            return Err(error.over());
        }
        self.pull.machine.want(want);
        self.source.consume(self.pull.done());
        loop {
            match self.pull.wants_bytes() {
                Ok(false) => break,
                Ok(true) => {}
                Err(rejection) => return Err(self.refuse(rejection)),
            }
            match self.source.fill() {
                Ok(buffer) => match self.pull.look_at(buffer) {
                    Ok(done) => self.source.consume(done),
                    Err(rejection) => return Err(self.refuse(rejection)),
                },
                Err(error) if S::is_interruption(&error) => {}
                Err(error) => return Err(Error::Source(error)),
            }
        }
        let Some(found) = self.pull.found() else { return Ok(None) };
        let signal = P::signal(&found);
        // A token's text is still to be lent.
        if !matches!(signal, Signal::Token) {
            self.pull.take();
        }
        if let Signal::Ahead(byte) = signal {
            (self.ahead, self.start) = (Some(byte), self.pull.machine.at());
        }
        Ok(Some(signal))
    }

    /// The byte that the next token begins with, and its offset is [`start`](Self::start) from now on.
    pub(super) fn ahead(&mut self) -> Result<u8, Error<S::Error>> {
        match self.ahead {
            Some(byte) => Ok(byte),
            None => match self.step(Want::Ahead)? {
                Some(Signal::Ahead(byte)) => Ok(byte),
                other => Err(self.unexpected(other)),
            },
        }
    }

    /// Looks at a value that a type asks for in the name of another one. Gives its first byte and its place.
    pub(super) fn wrapped(&mut self) -> Result<(u8, u64), Error<S::Error>> {
        let byte = self.ahead()?;
        self.wrappers = self.wrappers.saturating_add(1);
        if self.wrappers > MOST_WRAPPERS {
            return Err(self.place(Error::Unsupported(Unsupported::Recursion), self.start));
        }
        Ok((byte, self.start))
    }

    /// Takes the next token, and shows its text.
    pub(super) fn token<T>(
        &mut self,
        visit: impl FnOnce(Lent<'de, '_>) -> Result<T, Error<S::Error>>,
    ) -> Result<T, Error<S::Error>> {
        (self.ahead, self.wrappers) = (None, 0);
        match self.step(Want::Token)? {
            Some(Signal::Token) => {}
            other => return Err(self.unexpected(other)),
        }
        let Some(found) = self.pull.take() else { return Err(self.misused()) };
        if !P::borrows(&found) {
            let text = self.pull.machine.text(found, &[]).unwrap_or_default();
            if text.is_empty() && self.source.whole().is_some() {
                return visit(Lent::Borrowed(Text::default()));
            }
            return visit(Lent::Transient(Text::checked(text)));
        }
        if let Some(whole) = self.source.whole() {
            let text = P::borrowed(found, whole).unwrap_or_default();
            return visit(Lent::Borrowed(Text::checked(text)));
        }
        loop {
            match self.source.fill() {
                Ok(buffer) => {
                    return match self.pull.machine.text(found, buffer) {
                        Some(text) => visit(Lent::Transient(Text::checked(text))),
                        None => Err(self.refuse(FORGETFUL)),
                    };
                }
                Err(error) if S::is_interruption(&error) => {}
                Err(error) => return Err(Error::Source(error)),
            }
        }
    }

    /// Takes the next token, which has no text or whose text nobody wants.
    pub(super) fn structure(&mut self) -> Result<(), Error<S::Error>> {
        self.token(|_| Ok(()))
    }

    /// Passes over the next value.
    pub(super) fn skip(&mut self) -> Result<(), Error<S::Error>> {
        (self.ahead, self.wrappers) = (None, 0);
        let depth = self.pull.machine.depth();
        match self.step(Want::Skip(depth))? {
            Some(Signal::Skipped) => Ok(()),
            other => Err(self.unexpected(other)),
        }
    }

    /// Takes the end of the container, behind which its value is complete. Where something else stands, the type has
    /// no place for it.
    pub(super) fn close(&mut self, end: u8) -> Result<(), Error<S::Error>> {
        if self.ahead()? == end { self.structure() } else { Err(self.mismatch()) }
    }

    /// The value that was looked at is not of its type.
    pub(super) fn mismatch(&mut self) -> Error<S::Error> {
        self.place(Error::mismatch(), self.start)
    }

    /// Gives `error` the place `at`, if it has none, and stays refused.
    #[cold]
    pub(super) fn place(&mut self, error: Error<S::Error>, at: u64) -> Error<S::Error> {
        let error = match error {
            Error::Rejected { rejection, .. } if error.is_unplaced() => {
                Error::Rejected { rejection: rejection.with_at(at), depth: self.pull.machine.depth() }
            }
            placed => placed,
        };
        self.failed = self.failed.or(error.own());
        error
    }

    /// What the machine refuses.
    #[cold]
    pub(super) fn refuse(&mut self, rejection: Rejection) -> Error<S::Error> {
        let error = Error::Rejected { rejection, depth: self.pull.machine.depth() };
        self.failed = Some(error);
        error.over()
    }

    /// Something that does not belong to the value: the record was refused meanwhile, or there is no value.
    #[cold]
    pub(super) fn unexpected(&mut self, signal: Option<Signal>) -> Error<S::Error> {
        match signal {
            Some(Signal::Refused(skipped)) => {
                self.passed = Some(skipped);
                self.refuse(skipped.rejection)
            }
            _ => self.misused(),
        }
    }

    /// The deserializer was asked for a value where there is none, or for the end before the value.
    #[cold]
    fn misused(&mut self) -> Error<S::Error> {
        let at = self.pull.machine.at();
        self.refuse(Rejection::fault(Reason::IncompleteJson, at))
    }
}
