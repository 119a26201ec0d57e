//! The grammar of RFC 8259, one byte at a time: the one authority on states, depth, limits, offsets and reasons.
//!
//! The fast paths of the checker and the tokenizer skip over whole tokens that are free of any doubt. Whatever
//! they are not sure of (a token cut by the end of the slice, a limit that would be passed, a fault) they leave
//! untouched to this machine, which alone decides. That is why a verdict cannot depend on how the input was cut.
//!
//! Between calls it keeps its limits (24 bytes), the offset (8), what is open and left (12 and the levels), the
//! length of the current token and its code point or literal so far (8), and a few bytes of state: 64 bytes with 32
//! uncounted levels. No byte of a document is stored. Which fault is found where stands in the crate's
//! documentation.

use plimsoll_core::{Reason, Rejection};

use crate::levels::Levels;
use crate::limits::Limits;
use crate::state::State;
use crate::steps;
use crate::tally::Tally;

/// What a byte brought to an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Seen {
    /// Nothing that a reader would be told.
    Nothing,
    /// `{`
    BeginObject,
    /// `}`
    EndObject,
    /// `[`
    BeginArray,
    /// `]`
    EndArray,
    /// A character of a string or key; it is `code`.
    Character,
    /// The closing quote of a string or key.
    Quote,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// A number, before this byte, which was not consumed.
    Number,
}

/// Why a byte is refused, and how many bytes before it the fault began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fault {
    pub(crate) reason: Reason,
    pub(crate) back: u8,
}

impl Fault {
    pub(crate) const SYNTAX: Self = Self::here(Reason::JsonSyntax);

    pub(crate) const fn here(reason: Reason) -> Self {
        Self { reason, back: 0 }
    }
}

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine<L> {
    /// Offset of the next byte; after a refusal, of the byte that decided.
    pub(crate) offset: u64,
    pub(crate) limits: Limits,
    pub(crate) tally: Tally,
    /// Bytes so far of the current string or key (decoded) or number (as written).
    pub(crate) length: u32,
    /// Code point so far, or the bytes still to come of a literal or byte order mark, next one lowest.
    pub(crate) code: u32,
    pub(crate) state: State,
    /// Bytes so far of a UTF-8 sequence, a byte order mark or a literal, or digits so far of an escape; after
    /// a refusal, how many bytes before `offset` the fault began.
    pub(crate) count: u8,
    /// Whether the current string is a key.
    pub(crate) key: bool,
    pub(crate) skip_mark: bool,
    /// Why, in the state `Refused`.
    reason: Reason,
    pub(crate) levels: L,
}

impl<L: Levels> Machine<L> {
    /// At the start of a body, with limits that are [held](Limits::held_by) by `L`.
    pub(crate) const fn new(limits: Limits) -> Self {
        Self {
            offset: 0,
            limits,
            tally: Tally::new(limits.values),
            length: 0,
            code: 0,
            state: State::Start,
            count: 0,
            key: false,
            skip_mark: false,
            reason: Reason::JsonSyntax,
            levels: L::EMPTY,
        }
    }

    /// Forgets the document. The next one begins at `offset`.
    pub(crate) fn restart(&mut self, offset: u64) {
        self.offset = offset;
        self.tally = Tally::new(self.limits.values);
        self.state = if offset == 0 { State::Start } else { State::Document };
    }

    /// The state behind a value.
    #[inline(always)]
    pub(crate) fn after_value(&self) -> State {
        if self.tally.depth == 0 { State::Done } else { State::AfterValue }
    }

    /// The state behind a string or key.
    #[inline(always)]
    pub(crate) fn after_text(&self) -> State {
        if self.key { State::Colon } else { self.after_value() }
    }

    /// Whether the document's value is complete.
    #[inline(always)]
    pub(crate) fn is_complete(&self) -> bool {
        self.state == State::Done
    }

    /// How many bytes more the current string or key may have.
    #[inline(always)]
    pub(crate) fn text_room(&self) -> usize {
        (if self.key { self.limits.key } else { self.limits.string }).wrapping_sub(self.length) as usize
    }

    /// Values begun so far.
    pub(crate) const fn values(&self) -> u32 {
        self.limits.values.wrapping_sub(self.tally.values_left)
    }

    /// Opens a container, whose value is counted and for which there is a level.
    #[inline(always)]
    pub(crate) fn open(&mut self, object: bool) {
        self.tally.open(&mut self.levels, object, self.limits.items);
        self.state = if object { State::FirstMember } else { State::FirstElement };
    }

    /// Ends the current container.
    #[inline(always)]
    pub(crate) fn close(&mut self) {
        let open = self.tally.close(&self.levels);
        self.state = if open == 0 { State::Done } else { State::AfterValue };
    }

    /// Takes one byte in, or refuses it. Not to be called after a refusal.
    pub(crate) fn byte(&mut self, byte: u8) -> Result<Seen, Fault> {
        steps::exact();
        match self.state {
            State::Start if byte == 0xef => {
                (self.state, self.code, self.count) = (State::Mark, 0xbfbb, 1);
                Ok(Seen::Nothing)
            }
            State::Start
            | State::Document
            | State::Done
            | State::Value
            | State::FirstElement
            | State::FirstMember
            | State::Member
            | State::Colon
            | State::AfterValue => self.structure(byte),
            State::Mark => self.mark(byte),
            State::String
            | State::Escape
            | State::Hex
            | State::LowEscape
            | State::LowUnicode
            | State::LowHex
            | State::Tail1
            | State::Tail2
            | State::Tail3 => self.string(byte),
            State::Literal => self.literal(byte),
            State::Minus
            | State::Zero
            | State::Integer
            | State::Point
            | State::Fraction
            | State::Exponent
            | State::ExponentSign
            | State::ExponentDigits => self.number(byte),
            State::Refused => Err(Fault::SYNTAX),
        }
    }

    /// Between two tokens.
    fn structure(&mut self, byte: u8) -> Result<Seen, Fault> {
        match (self.state, byte) {
            (_, b' ' | b'\t' | b'\n' | b'\r') => {
                if self.state == State::Start {
                    self.state = State::Document;
                }
            }
            (State::FirstElement, b']') => return Ok(self.end()),
            (State::Start | State::Document | State::Value | State::FirstElement, _) => {
                return self.value(byte);
            }
            (State::FirstMember, b'}') => return Ok(self.end()),
            (State::FirstMember | State::Member, b'"') => {
                if !self.tally.item_fits::<L>() {
                    return Err(Fault::here(Reason::ItemLimit));
                }
                (self.state, self.key, self.length) = (State::String, true, 0);
            }
            (State::Colon, b':') => self.state = State::Value,
            (State::Done, _) => return Err(Fault::here(Reason::TrailingDocument)),
            (State::AfterValue, b',') => {
                self.state = if self.tally.in_object() { State::Member } else { State::Value };
            }
            (State::AfterValue, b'}') if self.tally.in_object() => return Ok(self.end()),
            (State::AfterValue, b']') if !self.tally.in_object() => return Ok(self.end()),
            _ => return Err(Fault::SYNTAX),
        }
        Ok(Seen::Nothing)
    }

    /// A value's first byte.
    fn value(&mut self, byte: u8) -> Result<Seen, Fault> {
        let next = match byte {
            b'"' => State::String,
            b'{' => State::FirstMember,
            b'[' => State::FirstElement,
            b't' | b'f' | b'n' => State::Literal,
            b'-' => State::Minus,
            b'0' => State::Zero,
            b'1'..=b'9' => State::Integer,
            _ => return Err(Fault::SYNTAX),
        };
        if self.tally.values_left == 0 {
            return Err(Fault::here(Reason::ValueLimit));
        }
        // A member's key has asked already, and the answer is the same.
        if !self.tally.item_fits::<L>() {
            return Err(Fault::here(Reason::ItemLimit));
        }
        match next {
            State::FirstMember | State::FirstElement => {
                if self.tally.depth >= self.limits.depth {
                    return Err(Fault::here(Reason::DepthLimit));
                }
                let object = byte == b'{';
                self.tally.count_value::<L>();
                self.open(object);
                return Ok(if object { Seen::BeginObject } else { Seen::BeginArray });
            }
            State::String => (self.key, self.length) = (false, 0),
            State::Literal => {
                (self.code, self.count) = (
                    u32::from_le_bytes(match byte {
                        b't' => *b"rue\0",
                        b'f' => *b"alse",
                        _ => *b"ull\0",
                    }),
                    byte,
                );
            }
            _ => {
                if self.limits.number == 0 {
                    return Err(Fault::here(Reason::NumberLimit));
                }
                self.length = 1;
            }
        }
        self.tally.count_value::<L>();
        self.state = next;
        Ok(Seen::Nothing)
    }

    /// The end of the current container.
    fn end(&mut self) -> Seen {
        let seen = if self.tally.in_object() { Seen::EndObject } else { Seen::EndArray };
        self.close();
        seen
    }

    /// Behind the first byte of a byte order mark.
    fn mark(&mut self, byte: u8) -> Result<Seen, Fault> {
        if u32::from(byte) != self.code & 0xff {
            return Err(Fault { reason: Reason::JsonSyntax, back: self.count });
        }
        self.code >>= 8;
        if self.code == 0 {
            if !self.skip_mark {
                return Err(Fault { reason: Reason::ByteOrderMark, back: self.count });
            }
            self.state = State::Document;
        }
        self.count = self.count.wrapping_add(1);
        Ok(Seen::Nothing)
    }

    /// Inside of `true`, `false` or `null`; `count` is its first byte.
    fn literal(&mut self, byte: u8) -> Result<Seen, Fault> {
        if u32::from(byte) != self.code & 0xff {
            return Err(Fault::SYNTAX);
        }
        self.code >>= 8;
        if self.code != 0 {
            return Ok(Seen::Nothing);
        }
        self.state = self.after_value();
        Ok(match self.count {
            b't' => Seen::True,
            b'f' => Seen::False,
            _ => Seen::Null,
        })
    }

    /// Inside of a number.
    fn number(&mut self, byte: u8) -> Result<Seen, Fault> {
        let Some(next) = self.state.number(byte) else { return Err(Fault::SYNTAX) };
        if next == State::AfterValue {
            self.state = self.after_value();
            return Ok(Seen::Number);
        }
        if self.length >= self.limits.number {
            return Err(Fault::here(Reason::NumberLimit));
        }
        self.length = self.length.wrapping_add(1);
        self.state = next;
        Ok(Seen::Nothing)
    }

    /// Goes over to the state `Refused`. The byte that decided is the one at `offset`, as soon as that is up to date.
    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(&mut self, fault: Fault) {
        self.state = State::Refused;
        self.reason = fault.reason;
        self.count = fault.back;
    }

    /// Whether it has refused.
    #[inline(always)]
    pub(crate) fn is_refused(&self) -> bool {
        self.state == State::Refused
    }

    /// What is said in the state `Refused`.
    #[cold]
    #[inline(never)]
    pub(crate) fn rejection(&self) -> Rejection {
        let at = self.offset.wrapping_sub(u64::from(self.count));
        let limit = match self.reason {
            Reason::StringLimit => self.limits.string,
            Reason::KeyLimit => self.limits.key,
            Reason::NumberLimit => self.limits.number,
            Reason::ItemLimit => self.limits.items,
            Reason::ValueLimit => self.limits.values,
            Reason::DepthLimit => u32::from(self.limits.depth),
            _ => return Rejection::fault(self.reason, at),
        };
        Rejection::limit_exceeded(self.reason, u64::from(limit)).with_at(at)
    }

    /// The input has ended.
    pub(crate) fn finish(&mut self) -> Result<(), Rejection> {
        if self.tally.depth == 0 && self.state.ends_number() {
            self.state = State::Done;
        }
        match self.state {
            State::Done => return Ok(()),
            State::Refused => {}
            state if state.in_sequence() => {
                self.refuse(Fault { reason: Reason::IncompleteUtf8, back: self.count });
            }
            _ => self.refuse(Fault::here(Reason::IncompleteJson)),
        }
        Err(self.rejection())
    }
}
