//! Structure and limits only: an inspector to put behind a decoder.
//!
//! [`Check`] is the byte-exact machine (RFC 8259, all of it) with a fast path over whole tokens. It keeps nothing
//! besides the machine: 64 bytes with 32 uncounted levels.

use plimsoll_core::{Inspect, Refusal, Rejection};

use crate::cursor::Cursor;
use crate::levels::Levels;
use crate::limits::{Limits, LimitsError};
use crate::machine::{Machine, Seen};
use crate::scan::{self, Text};
use crate::state::State;
use crate::steps;
use crate::watch::{Nobody, Watch};

/// Checks that bytes are one JSON document within its limits, without a scratch.
///
/// Strict RFC 8259, with UTF-8 checked inside of strings. Refuses with `json_syntax`, `byte_order_mark`,
/// `invalid_utf8`, `lone_surrogate`, `trailing_document`, `depth_limit`, `string_limit`, `key_limit`,
/// `number_limit`, `item_limit` and `value_limit`; at the end with `incomplete_json` and `incomplete_utf8`. The
/// crate's documentation has a table of what [`Rejection::at`] is for each.
///
/// ```
/// use plimsoll_core::{Inspect, Reason};
/// use plimsoll_json::{Check, Counted, Limits};
///
/// let mut check = Check::<Counted<16>>::new(Limits::DEVICE).unwrap();
/// check.inspect(b"{\"pressure\": [101.3, 10").unwrap();
/// check.inspect(b"1.2]}").unwrap();
/// assert!(check.finish().is_ok());
///
/// let mut check = Check::<Counted<16>>::new(Limits::DEVICE).unwrap();
/// let refusal = check.inspect(b"[1, 2, ]").unwrap_err();
/// assert_eq!(refusal.rejection.reason(), Reason::JsonSyntax);
/// assert_eq!(refusal.rejection.at(), Some(7));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Check<L> {
    machine: Machine<L>,
}

/// With fewer bytes than this left, a fast path would not get far.
const SHORT: usize = 8;

impl<L: Levels> Check<L> {
    /// A check at the start of a body.
    ///
    /// # Errors
    /// When the storage `L` cannot keep the limits.
    pub const fn new(limits: Limits) -> Result<Self, LimitsError> {
        match limits.held_by::<L>() {
            Ok(()) => Ok(Self { machine: Machine::new(limits) }),
            Err(error) => Err(error),
        }
    }

    /// Skips a byte order mark at the start of the body instead of refusing it.
    #[must_use]
    pub const fn skip_byte_order_mark(self) -> Self {
        let mut check = self;
        check.machine.skip_mark = true;
        check
    }

    /// Forgets the document, refused or not, and begins another one at the offset `at` of the body. The limits
    /// stay, their counts begin anew: they are a document's.
    pub fn restart(&mut self, at: u64) {
        self.machine.restart(at);
    }

    /// Offset of the next byte; after a refusal, of the byte that decided.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.machine.offset
    }

    /// Values begun so far, containers included, keys not.
    #[must_use]
    pub const fn values(&self) -> u32 {
        self.machine.values()
    }

    /// Looks at the next `bytes` up to the end of the document's value, and leaves what follows it alone.
    ///
    /// `Some(n)` says that the value is complete and its last byte was before the byte `n` of this slice. Of a
    /// number at the top level that is known only when the byte behind it is seen, or by
    /// [`finish`](Inspect::finish).
    ///
    /// # Errors
    /// As [`Inspect::inspect`], but never `trailing_document`.
    pub fn inspect_value(&mut self, bytes: &[u8]) -> Result<Option<usize>, Refusal> {
        let end = self.take(bytes, true)?;
        Ok(if self.machine.is_complete() { Some(end) } else { None })
    }

    /// Takes `bytes` in, all of them or up to the value's end, and gives the index where it stopped.
    #[inline]
    fn take(&mut self, bytes: &[u8], only_value: bool) -> Result<usize, Refusal> {
        let mut end = 0;
        if !self.machine.is_refused() {
            end = self.machine.advance(bytes, 0, only_value, 0, &mut Nobody);
            self.machine.offset = self.machine.offset.wrapping_add(end as u64);
        }
        if self.machine.is_refused() {
            return Err(Refusal { accepted: end, rejection: self.machine.rejection() });
        }
        Ok(end)
    }
}

impl<L: Levels> Machine<L> {
    /// Goes over `bytes` from `from` on to their end, to the document's end, to that of the first container that leaves
    /// fewer than `levels` open, to an item that `watch` wants, or to the byte that is refused, and gives the index of
    /// that: the machine byte by byte, and the fast paths wherever they get on. The offset stays that of the first of
    /// `bytes`.
    #[inline(never)]
    pub(crate) fn advance<W: Watch>(
        &mut self,
        bytes: &[u8],
        from: usize,
        only_value: bool,
        levels: u16,
        watch: &mut W,
    ) -> usize {
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            if self.tally.depth < levels {
                break;
            }
            if bytes.len().wrapping_sub(at) >= SHORT {
                let end = match self.state {
                    State::String => self.rest_of_string(bytes, at),
                    State::AfterValue | State::Member => self.tokens(bytes, at, levels, watch),
                    State::Value if !self.tally.in_object() => self.tokens(bytes, at, levels, watch),
                    // Where the container does not end and no white space comes first, as behind a comma.
                    State::FirstMember if byte == b'"' => self.tokens(bytes, at, levels, watch),
                    State::FirstElement if byte > b' ' && byte != b']' => {
                        self.tokens(bytes, at, levels, watch)
                    }
                    _ => at,
                };
                let moved = end != at;
                at = end;
                if watch.wants() {
                    break;
                }
                if moved {
                    continue;
                }
            }
            if watch.asks(&self.tally) && self.begins_item(byte) {
                break;
            }
            if only_value && self.is_complete() {
                break;
            }
            match self.byte(byte) {
                Ok(Seen::Number) => {}
                Ok(_) => at = at.wrapping_add(1),
                Err(fault) => {
                    self.refuse(fault);
                    break;
                }
            }
        }
        at
    }

    /// Whether `byte` is the first of an item, as far as that can be told from it.
    #[inline(always)]
    fn begins_item(&self, byte: u8) -> bool {
        match self.state {
            State::FirstMember | State::Member => byte == b'"',
            State::FirstElement | State::Value => {
                !self.tally.in_object() && !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b']')
            }
            _ => false,
        }
    }

    /// Goes over what the slice has of a string or key that began in an earlier one, and no farther than it may be
    /// long: what was looked at is dealt with, so that no byte is looked at again and again on the way to a limit.
    /// Gives the index where the machine goes on.
    #[cfg_attr(target_pointer_width = "64", inline(never))]
    fn rest_of_string(&mut self, bytes: &[u8], start: usize) -> usize {
        // Unescaping makes nothing longer, so all of this fits.
        let farthest = start.saturating_add(self.text_room());
        let text = scan::rest_of_text(bytes.get(..farthest).unwrap_or(bytes), start);
        steps::count(start, text.end);
        self.length = self.length.wrapping_add(text.decoded as u32);
        text.end
    }

    /// Goes over whole tokens from `start` on, and over what the slice has of its last string. Gives the index where
    /// the machine goes on: behind the document's value, or at the start of the first token that is cut, at fault
    /// or over a limit. Nothing of a token is counted before all of it is in order.
    ///
    /// It begins where a key or a value of an array stands, or behind a value. A turn of the loop is one member
    /// or element; a container that opens begins the next turn.
    ///
    /// At a value that `watch` wants it stops, and behind a key that it refuses.
    #[inline(never)]
    fn tokens<W: Watch>(&mut self, bytes: &[u8], start: usize, levels: u16, watch: &mut W) -> usize {
        let machine = self;
        let last = levels.saturating_sub(1);
        let outside = if last == 0 { State::Done } else { State::AfterValue };
        let limits = machine.limits;
        let mut cursor = Cursor { bytes, at: start };
        let mut tally = machine.tally;
        if machine.state == State::AfterValue {
            // Ends are left to the machine here.
            if cursor.significant() != Some(b',') {
                return cursor.at;
            }
            cursor.skip(1);
        }
        let state = 'scan: loop {
            if tally.in_object() {
                if cursor.significant() != Some(b'"') {
                    break State::Member;
                }
                let (key, closed) = quoted(&cursor);
                let asked = watch.asks(&tally);
                if !closed {
                    if asked || !tally.item_fits::<L>() || !machine.begin_text(key, true) {
                        break State::Member;
                    }
                    cursor.at = key.end;
                    break State::String;
                }
                if key.decoded > limits.key as usize || !tally.item_fits::<L>() {
                    break State::Member;
                }
                if asked {
                    let from = cursor.at.wrapping_add(1);
                    let text = bytes.get(from..key.end).unwrap_or_default();
                    // With an escape it is not what is written.
                    if text.len() != key.decoded {
                        break State::Member;
                    }
                    if watch.key(text) {
                        cursor.at = key.end.wrapping_add(1);
                        break State::Colon;
                    }
                }
                cursor.at = key.end.wrapping_add(1);
                if cursor.significant() != Some(b':') {
                    break State::Colon;
                }
                cursor.skip(1);
            } else if watch.asks(&tally) {
                watch.element(tally.values_left);
            }
            let Some(byte) = cursor.value() else { break State::Value };
            if watch.wants() {
                break State::Value;
            }
            if !tally.value_fits::<L>() {
                break State::Value;
            }
            if byte == b'"' {
                let (text, closed) = quoted(&cursor);
                if !closed {
                    if !machine.begin_text(text, false) {
                        break State::Value;
                    }
                    tally.count_value::<L>();
                    cursor.at = text.end;
                    break State::String;
                }
                if text.decoded > limits.string as usize {
                    break State::Value;
                }
                tally.count_value::<L>();
                cursor.at = text.end.wrapping_add(1);
            } else if byte <= b'9' {
                let (end, state) = scan::number(bytes, cursor.at);
                steps::count(cursor.at, end);
                let length = end.wrapping_sub(cursor.at);
                if state != State::AfterValue {
                    if state == State::Refused || length > limits.number as usize {
                        break State::Value;
                    }
                    tally.count_value::<L>();
                    machine.length = length as u32;
                    cursor.at = end;
                    break state;
                }
                if length > limits.number as usize {
                    break State::Value;
                }
                tally.count_value::<L>();
                cursor.at = end;
            } else if byte | 0x20 == b'{' {
                // An opening brace or bracket.
                if tally.depth >= limits.depth {
                    break State::Value;
                }
                let object = byte == b'{';
                tally.count_value::<L>();
                tally.open(&mut machine.levels, object, limits.items);
                cursor.skip(1);
                match cursor.significant() {
                    // Its end, two characters further in ASCII for both: dealt with below.
                    Some(next) if next == byte.wrapping_add(2) => {}
                    Some(next) if !object || next == b'"' => continue,
                    _ => break if object { State::FirstMember } else { State::FirstElement },
                }
            } else {
                let (len, end) = match byte {
                    b't' => (4, *b"true"),
                    b'f' => (5, *b"alse"),
                    b'n' => (4, *b"null"),
                    _ => break State::Value,
                };
                if !cursor.ends_with(len, end) {
                    break State::Value;
                }
                tally.count_value::<L>();
                cursor.skip(len);
            }
            // As many ends as there are, then a comma.
            while cursor.peek() != Some(b',') {
                let Some(byte) = cursor.significant() else { break 'scan State::AfterValue };
                if byte == b',' {
                    break;
                }
                if byte != if tally.in_object() { b'}' } else { b']' } {
                    break 'scan State::AfterValue;
                }
                cursor.skip(1);
                if tally.close(&machine.levels) == last {
                    break 'scan outside;
                }
            }
            cursor.skip(1);
        };
        machine.state = state;
        machine.tally = tally;
        cursor.at
    }
}

/// The string or key whose quote is the cursor's next byte, as far as the slice has it, and whether that is all of it.
#[inline(always)]
fn quoted(cursor: &Cursor<'_>) -> (Text, bool) {
    let from = cursor.at.wrapping_add(1);
    let end = scan::plain(cursor.bytes, from);
    steps::count(from, end);
    let plain = Text { end, decoded: end.wrapping_sub(from) };
    if plain.is_closed(cursor.bytes) {
        return (plain, true);
    }
    let text = scan::text(cursor.bytes, from, end);
    steps::count(end, text.end);
    (text, text.is_closed(cursor.bytes))
}

impl<L: Levels> Inspect for Check<L> {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.take(bytes, false).map(|_| ())
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        self.machine.finish()
    }
}
