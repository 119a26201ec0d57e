//! An assembler that can say what comes next without taking it, and pass over a value without keeping any of it.
//!
//! serde asks before it takes: whether an option is `null`, whether an array has another element, whether a value is of
//! its type at all. The first byte of a token answers that, so that no token is joined before it is known to be wanted,
//! and the place of a mismatch is the byte that was looked at. Besides the assembler it keeps what to do next: 4 bytes.

use plimsoll_core::Rejection;

use crate::assembler::Assembler;
use crate::cursor::Cursor;
use crate::event::Progress;
use crate::levels::Levels;
use crate::machine::Machine;
use crate::parse::{Found as Place, Parse, Restart};
use crate::records::{Record, RecordEvent, Records, Skipped};
use crate::state::State;
use crate::token::Token;

/// What the next step is to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// Go on to the first byte of the next token, and leave it.
    Ahead,
    /// Take the next token.
    Token,
    /// Pass over the next value, which begins with this many containers open.
    Skip(u16),
}

/// What a step found.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    /// The byte that the next token begins with. It may stand there; no limit was asked yet.
    Ahead(u8),
    /// A token, and where its text is.
    Token(Place),
    /// A value was passed over.
    Skipped,
}

/// What a step came to, for a document and for records.
#[derive(Clone, Copy, Debug)]
pub enum Signal {
    Ahead(u8),
    Token,
    Skipped,
    /// A record begins.
    Begin(Record),
    /// A record has ended.
    End,
    /// A record was refused and passed over.
    Refused(Skipped),
}

/// An [`Assembler`] as a deserializer reads it.
///
/// Strings, keys and numbers that are asked for have the assembler's limits, of which none is larger than its scratch.
/// What is passed over has the limits that the assembler was made with, since it takes no scratch.
#[derive(Debug)]
pub struct Lookahead<'s, L> {
    assembler: Assembler<'s, L>,
    want: Want,
}

impl<'s, L: Levels> Lookahead<'s, L> {
    pub(super) const fn new(assembler: Assembler<'s, L>) -> Self {
        let mut assembler = assembler;
        assembler.tokenizer.hand_back = false;
        Self { assembler, want: Want::Ahead }
    }

    /// The limits of what is passed over, or of what has to fit the scratch.
    fn set_limits(&mut self, skips: bool) {
        let [string, key, number] = self.assembler.asked;
        let room = self.assembler.scratch().len();
        let room = if skips { u32::MAX } else { u32::try_from(room).unwrap_or(u32::MAX) };
        let limits = &mut self.assembler.tokenizer.machine.limits;
        (limits.string, limits.key, limits.number) = (string.min(room), key.min(room), number.min(room));
    }

    /// Goes on over white space, commas and colons from `from` on to the byte that a token begins with.
    fn ahead(&mut self, input: &[u8], from: usize) -> Result<Progress<Found>, Rejection> {
        let machine = &mut self.assembler.tokenizer.machine;
        if machine.state == State::Refused {
            return Err(machine.rejection());
        }
        let mut cursor = Cursor { bytes: input, at: from };
        let outcome = loop {
            if machine.state != State::Start && machine.state != State::Mark {
                cursor.significant();
            }
            let Some(byte) = cursor.peek() else { break Ok(None) };
            if may_begin(machine, byte) {
                break Ok(Some(Found::Ahead(byte)));
            }
            match (machine.state, byte) {
                // What mostly stands there. The machine would say the same.
                (State::AfterValue, b',') if !machine.tally.in_object() => machine.state = State::Value,
                (State::AfterValue, b',') => machine.state = State::Member,
                (State::Colon, b':') => machine.state = State::Value,
                _ => {
                    if let Err(fault) = machine.byte(byte) {
                        break Err(fault);
                    }
                }
            }
            cursor.skip(1);
        };
        machine.offset = machine.offset.wrapping_add(cursor.at as u64);
        match outcome {
            Ok(event) => Ok(Progress { consumed: cursor.at, event }),
            Err(fault) => {
                machine.refuse(fault);
                Err(machine.rejection())
            }
        }
    }

    /// Passes over the rest of a value that began with `depth` containers open.
    fn pass_over(&mut self, input: &[u8], depth: u16) -> Result<Progress<Found>, Rejection> {
        let tokenizer = &mut self.assembler.tokenizer;
        let mut consumed = 0_usize;
        loop {
            let step = tokenizer.step(input.get(consumed..).unwrap_or_default())?;
            consumed = consumed.wrapping_add(step.consumed);
            match step.token {
                Token::NeedInput => return Ok(Progress::need_input(consumed)),
                Token::EndObject
                | Token::EndArray
                | Token::String(_)
                | Token::Number(_)
                | Token::True
                | Token::False
                | Token::Null
                    if tokenizer.depth() == depth =>
                {
                    return Ok(Progress::event(consumed, Found::Skipped));
                }
                _ => {}
            }
        }
    }
}

/// Whether `byte` may begin a token, or end the container, where the machine stands.
fn may_begin<L: Levels>(machine: &Machine<L>, byte: u8) -> bool {
    let begins_value = matches!(byte, b'"' | b'-' | b'0'..=b'9' | b'[' | b'f' | b'n' | b't' | b'{');
    match machine.state {
        State::Start | State::Document | State::Value => begins_value,
        State::FirstElement => begins_value || byte == b']',
        State::FirstMember => matches!(byte, b'"' | b'}'),
        State::Member => byte == b'"',
        State::AfterValue => byte == if machine.tally.in_object() { b'}' } else { b']' },
        _ => false,
    }
}

impl<L: Levels> Parse for Lookahead<'_, L> {
    type Found = Found;

    fn find(&mut self, input: &[u8]) -> Result<Progress<Found>, Rejection> {
        match self.want {
            Want::Ahead => self.ahead(input, 0),
            Want::Skip(depth) => self.pass_over(input, depth),
            Want::Token => {
                let step = self.assembler.find(input)?;
                Ok(Progress { consumed: step.consumed, event: step.event.map(Found::Token) })
            }
        }
    }

    fn find_last(&mut self) -> Result<Option<Found>, Rejection> {
        match self.want {
            Want::Token => Ok(self.assembler.find_last()?.map(Found::Token)),
            Want::Ahead | Want::Skip(_) => match self.assembler.tokenizer.finish()? {
                Token::Number(_) => Ok(Some(Found::Skipped)),
                _ => Ok(None),
            },
        }
    }

    fn is_over(&self) -> bool {
        false
    }

    fn borrows(found: &Found) -> bool {
        matches!(found, Found::Token(place) if place.borrows())
    }
}

impl<L: Levels> Restart for Lookahead<'_, L> {
    #[inline(always)]
    fn quick(&mut self, input: &[u8]) -> Result<(usize, Found), usize> {
        if self.want != Want::Token {
            return Err(0);
        }
        let (consumed, place) = Restart::quick(&mut self.assembler, input)?;
        Ok((consumed, Found::Token(place)))
    }

    fn exact(&mut self, input: &[u8], from: usize) -> Result<Progress<Found>, Rejection> {
        match self.want {
            Want::Ahead => self.ahead(input, from),
            Want::Skip(depth) => self.pass_over(input, depth),
            Want::Token => {
                let step = Restart::exact(&mut self.assembler, input, from)?;
                Ok(Progress { consumed: step.consumed, event: step.event.map(Found::Token) })
            }
        }
    }

    fn restart(&mut self, at: u64) {
        Restart::restart(&mut self.assembler, at);
    }

    fn offset(&self) -> u64 {
        self.assembler.offset()
    }

    fn shifted(found: Found, by: usize) -> Found {
        match found {
            Found::Token(place) => Found::Token(place.shifted(by)),
            other => other,
        }
    }
}

/// What a deserializer reads: one document, or the documents of records. In a private module, so that their set is
/// closed.
pub trait Walk: Parse {
    /// Says what the next step is to do.
    fn want(&mut self, want: Want);
    /// How many containers of the document are open.
    fn depth(&self) -> u16;
    /// Offset of the document's next byte.
    fn at(&self) -> u64;
    /// What was found.
    fn signal(found: &Self::Found) -> Signal;
    /// The text of a token in a slice that begins as the one it was found in.
    fn text<'a>(&'a self, found: Self::Found, input: &'a [u8]) -> Option<&'a [u8]>;
    /// The text of a token that is [known](Parse::borrows) to be in that slice.
    fn borrowed(found: Self::Found, input: &[u8]) -> Option<&[u8]>;
}

impl<L: Levels> Walk for Lookahead<'_, L> {
    #[inline]
    fn want(&mut self, want: Want) {
        let skips = |want| matches!(want, Want::Skip(_));
        if skips(want) != skips(self.want) {
            self.set_limits(skips(want));
        }
        self.want = want;
    }

    fn depth(&self) -> u16 {
        self.assembler.depth()
    }

    fn at(&self) -> u64 {
        Restart::offset(self)
    }

    fn signal(found: &Found) -> Signal {
        match found {
            Found::Ahead(byte) => Signal::Ahead(*byte),
            Found::Token(_) => Signal::Token,
            Found::Skipped => Signal::Skipped,
        }
    }

    fn text<'a>(&'a self, found: Found, input: &'a [u8]) -> Option<&'a [u8]> {
        match found {
            Found::Token(place) => place.text(input, self.assembler.scratch()),
            _ => None,
        }
    }

    fn borrowed(found: Found, input: &[u8]) -> Option<&[u8]> {
        match found {
            Found::Token(place) => place.text(input, &[]),
            _ => None,
        }
    }
}

impl<L: Levels> Walk for Records<Lookahead<'_, L>> {
    fn want(&mut self, want: Want) {
        self.document_mut().want(want);
    }

    fn depth(&self) -> u16 {
        self.document().depth()
    }

    fn at(&self) -> u64 {
        self.document().at()
    }

    fn signal(found: &Self::Found) -> Signal {
        match found {
            RecordEvent::Begin(record) => Signal::Begin(*record),
            RecordEvent::Token(found) => Lookahead::<L>::signal(found),
            RecordEvent::End => Signal::End,
            RecordEvent::Skipped(skipped) => Signal::Refused(*skipped),
        }
    }

    fn text<'a>(&'a self, found: Self::Found, input: &'a [u8]) -> Option<&'a [u8]> {
        match found {
            RecordEvent::Token(found) => self.document().text(found, input),
            _ => None,
        }
    }

    fn borrowed(found: Self::Found, input: &[u8]) -> Option<&[u8]> {
        match found {
            RecordEvent::Token(found) => Lookahead::<L>::borrowed(found, input),
            _ => None,
        }
    }
}
