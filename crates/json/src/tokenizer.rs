//! Tokens, borrowed from the slice they came in.
//!
//! [`Tokenizer`] is the byte-exact machine (RFC 8259, all of it) with a fast path for the token that stands whole in
//! the slice. It buffers nothing and keeps nothing besides the machine: 64 bytes with 32 uncounted levels.

use plimsoll_core::Rejection;

use crate::cursor::Cursor;
use crate::escape;
use crate::levels::Levels;
use crate::limits::{Limits, LimitsError};
use crate::machine::{Machine, Seen};
use crate::scan;
use crate::state::State;
use crate::steps;
use crate::token::{Step, Text, Token};

/// Makes tokens of a JSON document that comes in slices, without a scratch.
///
/// # Contract
///
/// - One [`step`](Self::step) consumes a prefix of its input and gives one [`Token`], which borrows from that
///   input only. The caller goes on with what was not consumed until the token is [`Token::NeedInput`], which has
///   consumed everything.
/// - Nothing of an input is needed after its tokens were used: the receive buffer may be overwritten.
/// - An empty input is fine at any time and never counts as the end; [`finish`](Self::finish) does. To be called
///   after `NeedInput`, until it gives [`Token::End`].
/// - However the input is cut, the tokens join to the same, and the verdict and its offset are the same. What is
///   lent never exceeds a limit.
/// - After a refusal every call gives the same.
///
/// Refuses what [`Check`](crate::Check) refuses, with the same reasons and offsets.
///
/// # One document, or one of several
///
/// By default anything but white space behind the value is `trailing_document`, and only `finish` gives `End`.
/// With [`hand_back_rest`](Self::hand_back_rest) the step behind the value's last token gives `End`, consumes
/// nothing, and goes on doing so; the rest of the slice is the caller's. [`restart`](Self::restart) begins the
/// next document.
///
/// ```
/// use plimsoll_json::{Counted, Limits, Token, Tokenizer};
///
/// let mut tokenizer = Tokenizer::<Counted<16>>::new(Limits::DEVICE).unwrap();
/// let mut name = String::new();
/// for chunk in [&b"{\"na"[..], b"me\": \"caf\\u00", b"e9\"}"] {
///     let mut rest = chunk;
///     loop {
///         let step = tokenizer.step(rest)?;
///         rest = &rest[step.consumed..];
///         match step.token {
///             Token::NeedInput => break,
///             Token::String(text) | Token::StringPart(text) => name.push_str(text.as_str()),
///             Token::StringCharacter(character) => name.push(character),
///             _ => {}
///         }
///     }
/// }
/// while tokenizer.finish()? != Token::End {}
/// assert_eq!(name, "café");
/// # Ok::<(), plimsoll_core::Rejection>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tokenizer<L> {
    pub(crate) machine: Machine<L>,
    pub(crate) hand_back: bool,
}

impl<L: Levels> Tokenizer<L> {
    /// A tokenizer at the start of a body.
    ///
    /// # Errors
    /// When the storage `L` cannot keep the limits.
    pub const fn new(limits: Limits) -> Result<Self, LimitsError> {
        match limits.held_by::<L>() {
            Ok(()) => Ok(Self { machine: Machine::new(limits), hand_back: false }),
            Err(error) => Err(error),
        }
    }

    /// Skips a byte order mark at the start of the body instead of refusing it.
    #[must_use]
    pub const fn skip_byte_order_mark(self) -> Self {
        let mut tokenizer = self;
        tokenizer.machine.skip_mark = true;
        tokenizer
    }

    /// Stops behind the document's value instead of refusing what follows.
    #[must_use]
    pub const fn hand_back_rest(self) -> Self {
        let mut tokenizer = self;
        tokenizer.hand_back = true;
        tokenizer
    }

    /// Forgets the document, refused or not, and begins another one at the offset `at` of the body. The limits
    /// stay, their counts begin anew: they are a document's.
    pub fn restart(&mut self, at: u64) {
        self.machine.restart(at);
    }

    /// Whether the document has ended and its rest is the caller's.
    pub(crate) fn is_over(&self) -> bool {
        self.hand_back && self.machine.is_complete()
    }

    /// Offset of the next byte; after a refusal, of the byte that decided.
    #[inline(always)]
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.machine.offset
    }

    /// How many containers are open.
    #[inline(always)]
    #[must_use]
    pub const fn depth(&self) -> u16 {
        self.machine.tally.depth
    }

    /// Values begun so far, containers included, keys not.
    #[inline(always)]
    #[must_use]
    pub const fn values(&self) -> u32 {
        self.machine.values()
    }

    /// The limits it was made with.
    #[inline(always)]
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.machine.limits
    }

    /// Makes one step over `input`.
    ///
    /// # Errors
    /// See [`Check`](crate::Check).
    #[inline(always)]
    pub fn step<'a>(&mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        match self.quick(input) {
            Ok(step) => Ok(step),
            Err(at) => {
                let mut outcome = Ok(Step { consumed: 0, token: Token::NeedInput });
                self.exact_into(input, at, &mut outcome);
                outcome
            }
        }
    }

    /// Says that the input has ended. Gives [`Token::Number`] without bytes if that ended a number at the top level,
    /// else [`Token::End`].
    ///
    /// # Errors
    /// `incomplete_json`, `incomplete_utf8`, or the rejection met before.
    pub fn finish(&mut self) -> Result<Token<'static>, Rejection> {
        let ends_number = self.machine.state.in_number();
        self.machine.finish()?;
        Ok(if ends_number { Token::Number(Text::default()) } else { Token::End })
    }

    /// A step that gives a whole token. Otherwise the index where [`exact`](Self::exact) goes on.
    #[inline(always)]
    pub(crate) fn quick<'a>(&mut self, input: &'a [u8]) -> Result<Step<'a>, usize> {
        let step = self.whole(input)?;
        self.machine.offset = self.machine.offset.wrapping_add(step.consumed as u64);
        Ok(step)
    }

    /// The next token, if it is whole and free of any doubt. Otherwise the index where the machine goes on:
    /// white space, commas and colons before the token may have been dealt with, the token was not.
    #[inline(always)]
    fn whole<'a>(&mut self, input: &'a [u8]) -> Result<Step<'a>, usize> {
        let machine = &mut self.machine;
        let mut cursor = Cursor { bytes: input, at: 0 };
        let mut state = machine.state;
        if state >= State::String {
            return Err(0);
        }
        // Ranges of states, and few of them: branches that predict, where a table of jumps would not.
        if state >= State::Colon {
            let object = machine.tally.in_object();
            match (state == State::Colon, cursor.significant()) {
                (true, Some(b':')) => state = State::Value,
                (false, Some(b',')) => state = if object { State::Member } else { State::Value },
                (false, Some(b'}')) if object => return Ok(end(machine, &cursor, Token::EndObject)),
                (false, Some(b']')) if !object => return Ok(end(machine, &cursor, Token::EndArray)),
                _ => return Err(cursor.at),
            }
            cursor.skip(1);
            machine.state = state;
        }
        if state <= State::Member {
            return match cursor.significant() {
                Some(b'"') => {
                    let key = quoted(&cursor, machine.limits.key)?;
                    if !machine.tally.item_fits::<L>() {
                        return Err(cursor.at);
                    }
                    cursor.skip(key.len().wrapping_add(2));
                    machine.state = State::Colon;
                    if cursor.peek() == Some(b':') {
                        cursor.skip(1);
                        machine.state = State::Value;
                    }
                    Ok(Step { consumed: cursor.at, token: Token::Key(Text::checked(key)) })
                }
                Some(b'}') if state == State::FirstMember => Ok(end(machine, &cursor, Token::EndObject)),
                _ => Err(cursor.at),
            };
        }
        let byte = cursor.value().ok_or(cursor.at)?;
        if byte == b']' && state == State::FirstElement {
            return Ok(end(machine, &cursor, Token::EndArray));
        }
        if !machine.tally.value_fits::<L>() {
            return Err(cursor.at);
        }
        let (consumed, token) = match byte {
            b'"' => {
                let text = quoted(&cursor, machine.limits.string)?;
                (cursor.at.wrapping_add(text.len()).wrapping_add(2), Token::String(Text::checked(text)))
            }
            b'-' | b'0'..=b'9' => {
                let (end, state) = scan::number(input, cursor.at);
                steps::count(cursor.at, end);
                if state != State::AfterValue {
                    return Err(cursor.at);
                }
                let text = input.get(cursor.at..end).ok_or(cursor.at)?;
                if text.len() > machine.limits.number as usize {
                    return Err(cursor.at);
                }
                (end, Token::Number(Text::checked(text)))
            }
            b'{' | b'[' if machine.tally.depth < machine.limits.depth => {
                let object = byte == b'{';
                machine.tally.count_value::<L>();
                machine.open(object);
                let token = if object { Token::BeginObject } else { Token::BeginArray };
                return Ok(Step { consumed: cursor.at.wrapping_add(1), token });
            }
            b't' if cursor.ends_with(4, *b"true") => (cursor.at.wrapping_add(4), Token::True),
            b'n' if cursor.ends_with(4, *b"null") => (cursor.at.wrapping_add(4), Token::Null),
            b'f' if cursor.ends_with(5, *b"alse") => (cursor.at.wrapping_add(5), Token::False),
            _ => return Err(cursor.at),
        };
        machine.tally.count_value::<L>();
        machine.state = State::AfterValue;
        Ok(Step { consumed, token })
    }

    #[inline(never)]
    fn exact_into<'a>(&mut self, input: &'a [u8], from: usize, outcome: &mut Result<Step<'a>, Rejection>) {
        *outcome = self.exact(input, from);
    }

    /// The next token from `from` on, byte by byte: tokens that are cut, have escapes, end the document, or are
    /// refused.
    #[inline(never)]
    pub(crate) fn exact<'a>(&mut self, input: &'a [u8], from: usize) -> Result<Step<'a>, Rejection> {
        if self.machine.state == State::Refused {
            return Err(self.machine.rejection());
        }
        let mut at = from;
        let mut number = self.machine.state.in_number().then_some(at);
        let token = loop {
            if self.machine.state == State::String {
                if let Some(step) = self.piece(input, at) {
                    return Ok(step);
                }
            } else if self.hand_back && self.machine.is_complete() {
                break Token::End;
            }
            let Some(&byte) = input.get(at) else {
                break match number.and_then(|first| input.get(first..at)) {
                    Some(part) if !part.is_empty() => Token::NumberPart(Text::checked(part)),
                    _ => Token::NeedInput,
                };
            };
            let seen = match self.machine.byte(byte) {
                Ok(Seen::Number) => {
                    let text = number.and_then(|first| input.get(first..at)).unwrap_or_default();
                    break Token::Number(Text::checked(text));
                }
                Ok(seen) => seen,
                Err(fault) => {
                    self.machine.offset = self.machine.offset.wrapping_add(at as u64);
                    self.machine.refuse(fault);
                    return Err(self.machine.rejection());
                }
            };
            at = at.wrapping_add(1);
            break match seen {
                Seen::Nothing | Seen::Number => {
                    if number.is_none() && self.machine.state.in_number() {
                        number = Some(at.wrapping_sub(1));
                    }
                    continue;
                }
                Seen::BeginObject => Token::BeginObject,
                Seen::EndObject => Token::EndObject,
                Seen::BeginArray => Token::BeginArray,
                Seen::EndArray => Token::EndArray,
                Seen::Quote => self.rest(Text::default()),
                Seen::Character => self.escaped(self.machine.code),
                Seen::True => Token::True,
                Seen::False => Token::False,
                Seen::Null => Token::Null,
            };
        };
        Ok(self.consume(at, token))
    }

    /// The next part of a string between two of its characters: those that stand for themselves, or one escape,
    /// if that stands whole at `at`. `None` where the machine has to look at the next byte.
    #[inline(always)]
    fn piece<'a>(&mut self, input: &'a [u8], at: usize) -> Option<Step<'a>> {
        match input.get(at)? {
            b'"' | 0x00..=0x1f => return None,
            b'\\' => {
                let escape = escape::whole(input.get(at..)?)?;
                let decoded = escape::utf8_len(escape.code);
                if decoded as usize > self.machine.text_room() {
                    return None;
                }
                self.machine.length = self.machine.length.wrapping_add(decoded);
                let token = self.escaped(escape.code);
                return Some(self.consume(at.wrapping_add(escape.len), token));
            }
            _ => {}
        }
        let text = self.machine.characters(input, at);
        if text.is_empty() {
            return None;
        }
        let (end, text) = (at.wrapping_add(text.len()), Text::checked(text));
        if input.get(end) == Some(&b'"') {
            self.machine.state = self.machine.after_text();
            let token = self.rest(text);
            return Some(self.consume(end.wrapping_add(1), token));
        }
        let token = self.part(text);
        Some(self.consume(end, token))
    }

    /// The last part of the current string or key.
    fn rest<'a>(&self, text: Text<'a>) -> Token<'a> {
        if self.machine.key { Token::Key(text) } else { Token::String(text) }
    }

    /// A part of the current string or key that is not the last.
    fn part<'a>(&self, text: Text<'a>) -> Token<'a> {
        if self.machine.key { Token::KeyPart(text) } else { Token::StringPart(text) }
    }

    /// One character of the current string or key.
    fn escaped(&self, code: u32) -> Token<'static> {
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        if self.machine.key { Token::KeyCharacter(character) } else { Token::StringCharacter(character) }
    }

    #[inline(always)]
    fn consume<'a>(&mut self, consumed: usize, token: Token<'a>) -> Step<'a> {
        self.machine.offset = self.machine.offset.wrapping_add(consumed as u64);
        Step { consumed, token }
    }
}

/// The end of the current container, which is the cursor's next byte.
#[inline(always)]
fn end<L: Levels>(machine: &mut Machine<L>, cursor: &Cursor<'_>, token: Token<'static>) -> Step<'static> {
    machine.close();
    Step { consumed: cursor.at.wrapping_add(1), token }
}

/// The contents of the string or key whose quote is the cursor's next byte, if it ends in the slice, has no escapes
/// and at most `limit` bytes. Otherwise where the machine goes on: at its quote.
#[inline(always)]
fn quoted<'a>(cursor: &Cursor<'a>, limit: u32) -> Result<&'a [u8], usize> {
    let from = cursor.at.wrapping_add(1);
    let mut end = scan::plain(cursor.bytes, from);
    if cursor.bytes.get(end).is_some_and(|&byte| byte >= 0x80) {
        end = scan::unescaped(cursor.bytes, end);
    }
    steps::count(from, end);
    match cursor.bytes.get(from..end) {
        Some(text) if cursor.bytes.get(end) == Some(&b'"') && text.len() <= limit as usize => Ok(text),
        _ => Err(cursor.at),
    }
}
