//! The grammar of RFC 8259, one byte at a time: the one authority on states, depth, limits, offsets and reasons.
//!
//! The fast paths of the checker and the tokenizer skip over whole tokens that are free of any doubt. Whatever
//! they are not sure of (a token cut by the end of the slice, a limit that would be passed, a fault) they leave
//! untouched to this machine, which alone decides. That is why a verdict cannot depend on how the input was cut.
//!
//! Between calls it keeps its limits (24 bytes), the offset, the counters, the state inside of the current
//! token (a code point or a literal so far, at most 4 bytes of it) and the levels: 64 bytes with 32 uncounted
//! levels. No byte of a document is stored.
//!
//! Where a fault is said to be (`at`), and which byte decides:
//!
//! | reason | `at` | decided by |
//! |---|---|---|
//! | `json_syntax` | the byte that cannot stand there | that byte |
//! | `byte_order_mark` | its first byte | its third byte |
//! | `invalid_utf8` | the first byte of the bad sequence, as `core::str::from_utf8` | the byte that cannot continue it |
//! | `lone_surrogate` | the backslash of the half's escape | the byte after which no other half can follow |
//! | `trailing_document` | the first byte behind the value that is not white space | that byte |
//! | a limit of bytes | the byte that is one too many; of an escape, its last | that byte |
//! | `depth_limit` `item_limit` `value_limit` | the first byte of the container, item or value | that byte |
//! | `incomplete_json` | the end of the input | the end |
//! | `incomplete_utf8` | the first byte of the cut character, inside of a string | the end |

use plimsoll_core::{Reason, Rejection};

use crate::levels::{Frame, Levels};
use crate::limits::{Limits, LimitsError};

/// Where the machine stands. The names of what may come next follow the grammar of RFC 8259, sections 2 to 7, and of
/// UTF-8 (RFC 3629, section 4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub(crate) enum State {
    /// Behind `[`: a value or `]`.
    FirstElement,
    /// Behind `{`: a key or `}`.
    FirstMember,
    /// Behind a key: a colon.
    Colon,
    /// Behind a colon, or behind a comma in an array: a value.
    Value,
    /// Behind a comma in an object: a key.
    Member,
    /// Behind a value in a container: a comma or the container's end.
    AfterValue,
    /// Inside of a string or key, between two characters.
    String,
    /// The document's value.
    Document,
    /// Behind the document's value.
    Done,
    /// The body's first byte: the document or a byte order mark.
    Start,
    /// Inside of a byte order mark.
    Mark,
    /// `\` was seen.
    Escape,
    /// `\u` and fewer than four digits.
    Hex,
    /// A high surrogate: `\` must follow.
    LowEscape,
    /// A high surrogate and `\`: `u` must follow.
    LowUnicode,
    /// A high surrogate, `\u` and fewer than four digits.
    LowHex,
    /// The second byte behind E0: A0 to BF.
    TailE0,
    /// The second byte behind ED: 80 to 9F.
    TailEd,
    /// The second byte behind F0: 90 to BF.
    TailF0,
    /// The second byte behind F4: 80 to 8F.
    TailF4,
    /// One continuation byte.
    Tail1,
    /// Two continuation bytes.
    Tail2,
    /// Three continuation bytes.
    Tail3,
    /// Inside of `true`, `false` or `null`.
    Literal,
    /// `-` was seen.
    Minus,
    /// A leading zero.
    Zero,
    /// Digits that began with 1 to 9.
    Integer,
    /// A decimal point without a digit.
    Point,
    /// Digits behind the point.
    Fraction,
    /// `e` or `E`.
    Exponent,
    /// The exponent's sign.
    ExponentSign,
    /// The exponent's digits.
    ExponentDigits,
    /// Refused, for good.
    Refused,
}

impl State {
    /// Whether this is a place inside of a number.
    pub(crate) const fn in_number(self) -> bool {
        self as u8 >= Self::Minus as u8 && self as u8 <= Self::ExponentDigits as u8
    }

    /// Whether a number may end here.
    pub(crate) const fn ends_number(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::ExponentDigits)
    }

    /// Whether this is a place inside of a UTF-8 sequence.
    const fn in_sequence(self) -> bool {
        self as u8 >= Self::TailE0 as u8 && self as u8 <= Self::Tail3 as u8
    }

    /// The state behind a byte of a number: `None` when it cannot stand there, `AfterValue` when the number
    /// ended before it, at any depth.
    pub(crate) const fn number(self, byte: u8) -> Option<Self> {
        Some(match (self, byte) {
            (Self::Minus, b'0') => Self::Zero,
            (Self::Minus, b'1'..=b'9') | (Self::Integer, b'0'..=b'9') => Self::Integer,
            (Self::Zero, b'0'..=b'9') => return None,
            (Self::Zero | Self::Integer, b'.') => Self::Point,
            (Self::Point | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => Self::Exponent,
            (Self::Exponent, b'+' | b'-') => Self::ExponentSign,
            (Self::Exponent | Self::ExponentSign | Self::ExponentDigits, b'0'..=b'9') => Self::ExponentDigits,
            (Self::Zero | Self::Integer | Self::Fraction | Self::ExponentDigits, _) => Self::AfterValue,
            _ => return None,
        })
    }
}

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
    /// A plain ASCII character of a string or key; it is `code`.
    Plain,
    /// An escape or a character of several bytes; it is `code`.
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
    reason: Reason,
    back: u8,
}

impl Fault {
    const SYNTAX: Self = Self::here(Reason::JsonSyntax);

    const fn here(reason: Reason) -> Self {
        Self { reason, back: 0 }
    }
}

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine<L> {
    /// Offset of the next byte; after a refusal, of the byte that decided.
    pub(crate) offset: u64,
    pub(crate) limits: Limits,
    /// How many values more the document may have.
    pub(crate) values_left: u32,
    /// How many items more the current container may have. The document itself is one, of one item.
    pub(crate) items_left: u32,
    /// Bytes so far of the current string or key (decoded) or number (as written).
    pub(crate) length: u32,
    /// Code point so far, or the bytes still to come of a literal or byte order mark, next one lowest.
    pub(crate) code: u32,
    pub(crate) depth: u16,
    pub(crate) state: State,
    /// Bytes so far of a UTF-8 sequence, a byte order mark or a literal, or digits so far of an escape; after
    /// a refusal, how many bytes before `offset` the fault began.
    count: u8,
    /// Whether the current container is an object.
    pub(crate) object: bool,
    /// Whether the current string is a key.
    pub(crate) key: bool,
    pub(crate) skip_mark: bool,
    /// Why, in the state `Refused`.
    refused: Option<Reason>,
    pub(crate) levels: L,
}

impl<L: Levels> Machine<L> {
    pub(crate) const fn new(limits: Limits) -> Result<Self, LimitsError> {
        match limits.held_by::<L>() {
            Err(error) => Err(error),
            Ok(()) => Ok(Self {
                offset: 0,
                limits,
                values_left: limits.values,
                items_left: 1,
                length: 0,
                code: 0,
                depth: 0,
                state: State::Start,
                count: 0,
                object: false,
                key: false,
                skip_mark: false,
                refused: None,
                levels: L::EMPTY,
            }),
        }
    }

    /// Forgets the document. The next one begins at `offset`.
    pub(crate) fn restart(&mut self, offset: u64) {
        self.offset = offset;
        self.values_left = self.limits.values;
        self.depth = 0;
        self.set_frame(Frame { object: false, items_left: 1 });
        self.refused = None;
        self.state = if offset == 0 { State::Start } else { State::Document };
    }

    /// The frame of the current container.
    #[inline(always)]
    pub(crate) fn frame(&self) -> Frame {
        Frame { object: self.object, items_left: self.items_left }
    }

    #[inline(always)]
    pub(crate) fn set_frame(&mut self, frame: Frame) {
        self.object = frame.object;
        self.items_left = frame.items_left;
    }

    /// The state behind a value.
    #[inline(always)]
    pub(crate) fn after_value(&self) -> State {
        if self.depth == 0 { State::Done } else { State::AfterValue }
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

    /// The limit of the current string or key.
    #[inline(always)]
    pub(crate) fn text_limit(&self) -> u32 {
        if self.key { self.limits.key } else { self.limits.string }
    }

    /// Values begun so far.
    pub(crate) const fn values(&self) -> u32 {
        self.limits.values.wrapping_sub(self.values_left)
    }

    /// Whether the current container may have no item more.
    #[inline(always)]
    pub(crate) fn items_spent(&self) -> bool {
        L::COUNTS_ITEMS && self.items_left == 0
    }

    /// Counts a value, which is an item of its container.
    #[inline(always)]
    pub(crate) fn count_value(&mut self) {
        self.values_left = self.values_left.wrapping_sub(1);
        self.items_left = self.items_left.wrapping_sub(1);
    }

    /// Opens a container that is counted and whose depth was checked.
    #[inline(always)]
    pub(crate) fn push(&mut self, object: bool) {
        self.levels.save(self.depth, self.frame());
        self.depth = self.depth.wrapping_add(1);
        self.set_frame(Frame { object, items_left: self.limits.items });
    }

    /// Ends the current container, which is not the document.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.depth = self.depth.wrapping_sub(1);
        self.set_frame(self.levels.load(self.depth));
        self.state = self.after_value();
    }

    /// Takes one byte in, or refuses it. Not to be called after a refusal.
    pub(crate) fn byte(&mut self, byte: u8) -> Result<Seen, Fault> {
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
            State::String => self.character(byte),
            State::Escape => self.escape(byte),
            State::Hex | State::LowHex => self.hex(byte),
            State::LowEscape => self.low(byte, b'\\', State::LowUnicode, 6),
            State::LowUnicode => self.low(byte, b'u', State::LowHex, 7),
            State::TailE0
            | State::TailEd
            | State::TailF0
            | State::TailF4
            | State::Tail1
            | State::Tail2
            | State::Tail3 => self.tail(byte),
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
                if self.items_spent() {
                    return Err(Fault::here(Reason::ItemLimit));
                }
                (self.state, self.key, self.length) = (State::String, true, 0);
            }
            (State::Colon, b':') => self.state = State::Value,
            (State::Done, _) => return Err(Fault::here(Reason::TrailingDocument)),
            (State::AfterValue, b',') => {
                self.state = if self.object { State::Member } else { State::Value };
            }
            (State::AfterValue, b'}') if self.object => return Ok(self.end()),
            (State::AfterValue, b']') if !self.object => return Ok(self.end()),
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
        if self.values_left == 0 {
            return Err(Fault::here(Reason::ValueLimit));
        }
        // A member's key has asked already, and the answer is the same.
        if self.items_spent() {
            return Err(Fault::here(Reason::ItemLimit));
        }
        match next {
            State::FirstMember | State::FirstElement => {
                if self.depth >= self.limits.depth {
                    return Err(Fault::here(Reason::DepthLimit));
                }
                let object = byte == b'{';
                self.count_value();
                self.push(object);
                self.state = next;
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
                self.length = 0;
                self.lengthen(1, self.limits.number, Reason::NumberLimit)?;
            }
        }
        self.count_value();
        self.state = next;
        Ok(Seen::Nothing)
    }

    /// The end of the current container.
    fn end(&mut self) -> Seen {
        let seen = if self.object { Seen::EndObject } else { Seen::EndArray };
        self.pop();
        seen
    }

    /// Counts bytes of the current token.
    fn lengthen(&mut self, bytes: u32, limit: u32, reason: Reason) -> Result<(), Fault> {
        if bytes > limit.wrapping_sub(self.length) {
            return Err(Fault::here(reason));
        }
        self.length = self.length.wrapping_add(bytes);
        Ok(())
    }

    /// Counts bytes of the current string or key.
    pub(crate) fn lengthen_text(&mut self, bytes: u32) -> Result<(), Fault> {
        let reason = if self.key { Reason::KeyLimit } else { Reason::StringLimit };
        self.lengthen(bytes, self.text_limit(), reason)
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

    /// Between two characters of a string.
    fn character(&mut self, byte: u8) -> Result<Seen, Fault> {
        let next = match byte {
            b'"' => {
                self.state = self.after_text();
                return Ok(Seen::Quote);
            }
            b'\\' => {
                self.state = State::Escape;
                return Ok(Seen::Nothing);
            }
            0x00..=0x1f => return Err(Fault::SYNTAX),
            0x20..=0x7f => {
                self.lengthen_text(1)?;
                self.code = u32::from(byte);
                return Ok(Seen::Plain);
            }
            0xc2..=0xdf => State::Tail1,
            0xe0 => State::TailE0,
            0xed => State::TailEd,
            0xe1..=0xef => State::Tail2,
            0xf0 => State::TailF0,
            0xf1..=0xf3 => State::Tail3,
            0xf4 => State::TailF4,
            0x80..=0xc1 | 0xf5..=0xff => return Err(Fault::here(Reason::InvalidUtf8)),
        };
        self.lengthen_text(1)?;
        let payload = match next {
            State::Tail1 => 0x1f,
            State::TailE0 | State::TailEd | State::Tail2 => 0x0f,
            _ => 0x07,
        };
        (self.state, self.code, self.count) = (next, u32::from(byte) & payload, 1);
        Ok(Seen::Nothing)
    }

    /// The second to fourth byte of a character.
    fn tail(&mut self, byte: u8) -> Result<Seen, Fault> {
        let (first, last, next) = match self.state {
            State::TailE0 => (0xa0, 0xbf, State::Tail1),
            State::TailEd => (0x80, 0x9f, State::Tail1),
            State::TailF0 => (0x90, 0xbf, State::Tail2),
            State::TailF4 => (0x80, 0x8f, State::Tail2),
            State::Tail3 => (0x80, 0xbf, State::Tail2),
            State::Tail2 => (0x80, 0xbf, State::Tail1),
            _ => (0x80, 0xbf, State::String),
        };
        if byte < first || byte > last {
            return Err(Fault { reason: Reason::InvalidUtf8, back: self.count });
        }
        self.lengthen_text(1)?;
        self.code = self.code << 6 | u32::from(byte & 0x3f);
        self.count = self.count.wrapping_add(1);
        self.state = next;
        Ok(if next == State::String { Seen::Character } else { Seen::Nothing })
    }

    /// Behind a backslash.
    fn escape(&mut self, byte: u8) -> Result<Seen, Fault> {
        if byte == b'u' {
            (self.state, self.code, self.count) = (State::Hex, 0, 0);
            return Ok(Seen::Nothing);
        }
        self.code = match crate::escape::simple(byte) {
            Some(character) => u32::from(character),
            None => return Err(Fault::SYNTAX),
        };
        self.lengthen_text(1)?;
        self.state = State::String;
        Ok(Seen::Character)
    }

    /// A digit of `\uXXXX`. The escape is judged when all four are there. For a pair, `code` holds what the high
    /// surrogate adds, above the 16 bits of the low one.
    fn hex(&mut self, byte: u8) -> Result<Seen, Fault> {
        let Some(digit) = crate::escape::hex_digit(byte) else { return Err(Fault::SYNTAX) };
        self.count = self.count.wrapping_add(1);
        let high = if self.state == State::LowHex { self.code >> 16 << 16 } else { 0 };
        let unit = (self.code << 4 & 0xffff) | u32::from(digit);
        self.code = high | unit;
        if self.count < 4 {
            return Ok(Seen::Nothing);
        }
        if self.state == State::LowHex {
            if !crate::escape::is_low(unit) {
                return Err(Fault { reason: Reason::LoneSurrogate, back: 11 });
            }
            self.code = crate::escape::join(high >> 16, unit);
        } else if crate::escape::is_low(unit) {
            return Err(Fault { reason: Reason::LoneSurrogate, back: 5 });
        } else if crate::escape::is_high(unit) {
            self.state = State::LowEscape;
            return Ok(Seen::Nothing);
        }
        self.lengthen_text(crate::escape::utf8_len(self.code))?;
        self.state = State::String;
        Ok(Seen::Character)
    }

    /// Between the two halves of a surrogate pair, the first of which began `back` bytes ago.
    fn low(&mut self, byte: u8, expected: u8, next: State, back: u8) -> Result<Seen, Fault> {
        if byte != expected {
            return Err(Fault { reason: Reason::LoneSurrogate, back });
        }
        if next == State::LowHex {
            (self.code, self.count) = (self.code << 16, 0);
        }
        self.state = next;
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
        self.lengthen(1, self.limits.number, Reason::NumberLimit)?;
        self.state = next;
        Ok(Seen::Nothing)
    }

    /// Goes over to the state `Refused`. The byte that decided is the one at `offset`.
    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(&mut self, fault: Fault) -> Rejection {
        self.state = State::Refused;
        self.refused = Some(fault.reason);
        self.count = fault.back;
        self.rejection(fault.reason)
    }

    /// The refusal met before, in the state `Refused`.
    #[inline(always)]
    pub(crate) fn refused(&self) -> Option<Rejection> {
        if self.state == State::Refused { self.refused.map(|reason| self.rejection(reason)) } else { None }
    }

    #[cold]
    #[inline(never)]
    fn rejection(&self, reason: Reason) -> Rejection {
        let at = self.offset.wrapping_sub(u64::from(self.count));
        let limit = match reason {
            Reason::StringLimit => self.limits.string,
            Reason::KeyLimit => self.limits.key,
            Reason::NumberLimit => self.limits.number,
            Reason::ItemLimit => self.limits.items,
            Reason::ValueLimit => self.limits.values,
            Reason::DepthLimit => u32::from(self.limits.depth),
            _ => return Rejection::fault(reason, at),
        };
        Rejection::limit_exceeded(reason, u64::from(limit)).with_at(at)
    }

    /// The input has ended.
    pub(crate) fn finish(&mut self) -> Result<(), Rejection> {
        if let Some(rejection) = self.refused() {
            return Err(rejection);
        }
        if self.depth == 0 && self.state.ends_number() {
            self.state = State::Done;
        }
        if self.is_complete() {
            return Ok(());
        }
        Err(self.refuse(if self.state.in_sequence() {
            Fault { reason: Reason::IncompleteUtf8, back: self.count }
        } else {
            Fault::here(Reason::IncompleteJson)
        }))
    }
}
