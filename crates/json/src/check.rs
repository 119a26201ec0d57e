//! Structure and limits only: an inspector to put behind a decoder.
//!
//! [`Check`] is the byte-exact machine (RFC 8259, all of it) with a fast path over whole tokens. It keeps nothing
//! besides the machine: 64 bytes with 32 uncounted levels.

use plimsoll_core::{Inspect, Refusal, Rejection};

use crate::cursor::Cursor;
use crate::levels::{Frame, Levels};
use crate::limits::{Limits, LimitsError};
use crate::machine::{Machine, Seen, State};
use crate::scan::{self, Text};

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
        match Machine::new(limits) {
            Ok(machine) => Ok(Self { machine }),
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
        let end = self.advance(bytes, true)?;
        Ok(if self.machine.is_complete() { Some(end) } else { None })
    }

    /// Takes `bytes` in; all of them, or up to the value's end. Gives the index where it stopped.
    fn advance(&mut self, bytes: &[u8], only_value: bool) -> Result<usize, Refusal> {
        if let Some(rejection) = self.machine.refused() {
            return Err(Refusal { accepted: 0, rejection });
        }
        let mut at = 0;
        while at < bytes.len() {
            if self.can_go_fast(bytes, at) {
                at = self.fast(bytes, at);
            }
            at = self.exact(bytes, at, only_value)?;
            if only_value && self.machine.is_complete() {
                break;
            }
        }
        self.machine.offset = self.machine.offset.wrapping_add(at as u64);
        Ok(at)
    }

    /// Whether the fast path can begin at `at`, and has some way to go.
    #[inline(always)]
    fn can_go_fast(&self, bytes: &[u8], at: usize) -> bool {
        matches!(self.machine.state, State::Value | State::Member | State::AfterValue | State::String)
            && bytes.len().wrapping_sub(at) >= SHORT
    }

    /// Takes bytes in one by one from `from` on: at least one, if there is one, and up to where the fast path can
    /// begin or the value ends. Gives the index where it stopped.
    #[inline(never)]
    fn exact(&mut self, bytes: &[u8], from: usize, only_value: bool) -> Result<usize, Refusal> {
        let mut at = from;
        while let Some(&byte) = bytes.get(at) {
            if only_value && self.machine.is_complete() {
                break;
            }
            match self.machine.byte(byte) {
                Ok(Seen::Number) => {}
                Ok(_) => at = at.wrapping_add(1),
                Err(fault) => {
                    self.machine.offset = self.machine.offset.wrapping_add(at as u64);
                    return Err(Refusal { accepted: at, rejection: self.machine.refuse(fault) });
                }
            }
            if self.can_go_fast(bytes, at) {
                break;
            }
        }
        Ok(at)
    }

    /// Goes over whole tokens, and over what a slice has of a string, from `start` on. Gives the index where the
    /// machine goes on: behind the document's value, or at the start of the first token that is cut, at fault or
    /// over a limit. Nothing of a token is counted before all of it is in order.
    #[inline(never)]
    fn fast(&mut self, bytes: &[u8], start: usize) -> usize {
        let machine = &mut self.machine;
        let limits = machine.limits;
        let mut cursor = Cursor { bytes, at: start };
        let mut tally =
            Tally { values_left: machine.values_left, depth: machine.depth, frame: machine.frame() };
        // Only where the loops are entered: behind that, each place knows what is expected.
        let mut enter = machine.state;

        let state = 'scan: {
            if enter == State::String {
                let Some(text) = scan::text(bytes, start, scan::plain(bytes, start)) else {
                    break 'scan State::String;
                };
                if text.decoded > machine.text_limit().wrapping_sub(machine.length) as usize {
                    break 'scan State::String;
                }
                cursor.at = text.end;
                if text.cut {
                    machine.length = machine.length.wrapping_add(text.decoded as u32);
                    break 'scan State::String;
                }
                cursor.skip(1);
                enter = machine.after_text();
                if enter != State::AfterValue {
                    break 'scan enter;
                }
            }
            'member: loop {
                if enter == State::Member {
                    if cursor.significant() != Some(b'"') {
                        break 'scan State::Member;
                    }
                    let Some(key) = quoted(&cursor) else { break 'scan State::Member };
                    if key.decoded > limits.key as usize || !tally.item_fits::<L>() {
                        break 'scan State::Member;
                    }
                    cursor.at = key.end;
                    if key.cut {
                        (machine.length, machine.key) = (key.decoded as u32, true);
                        break 'scan State::String;
                    }
                    cursor.skip(1);
                    if cursor.significant() != Some(b':') {
                        break 'scan State::Colon;
                    }
                    cursor.skip(1);
                    enter = State::Value;
                }
                'value: loop {
                    if enter == State::Value {
                        let Some(byte) = cursor.value() else { break 'scan State::Value };
                        if !tally.value_fits::<L>() {
                            break 'scan State::Value;
                        }
                        if byte == b'"' {
                            let Some(text) = quoted(&cursor) else { break 'scan State::Value };
                            if text.decoded > limits.string as usize {
                                break 'scan State::Value;
                            }
                            tally.count_value();
                            cursor.at = text.end;
                            if text.cut {
                                (machine.length, machine.key) = (text.decoded as u32, false);
                                break 'scan State::String;
                            }
                            cursor.skip(1);
                        } else if byte <= b'9' {
                            let (end, state) = scan::number(bytes, cursor.at);
                            let length = end.wrapping_sub(cursor.at);
                            if state == State::Refused || length > limits.number as usize {
                                break 'scan State::Value;
                            }
                            tally.count_value();
                            cursor.at = end;
                            if state != State::AfterValue {
                                machine.length = length as u32;
                                break 'scan state;
                            }
                        } else {
                            match byte {
                                b'{' if tally.depth < limits.depth => {
                                    tally.count_value();
                                    tally.open(&mut machine.levels, true, limits.items);
                                    cursor.skip(1);
                                    match cursor.significant() {
                                        Some(b'"') => {
                                            enter = State::Member;
                                            continue 'member;
                                        }
                                        Some(b'}') => {}
                                        _ => break 'scan State::FirstMember,
                                    }
                                    cursor.skip(1);
                                    if tally.close(&machine.levels) {
                                        break 'scan State::Done;
                                    }
                                }
                                b'[' if tally.depth < limits.depth => {
                                    tally.count_value();
                                    tally.open(&mut machine.levels, false, limits.items);
                                    cursor.skip(1);
                                    match cursor.significant() {
                                        Some(b']') => {}
                                        Some(_) => continue 'value,
                                        None => break 'scan State::FirstElement,
                                    }
                                    cursor.skip(1);
                                    if tally.close(&machine.levels) {
                                        break 'scan State::Done;
                                    }
                                }
                                b't' if cursor.ends_with(0, *b"true") => {
                                    tally.count_value();
                                    cursor.skip(4);
                                }
                                b'n' if cursor.ends_with(0, *b"null") => {
                                    tally.count_value();
                                    cursor.skip(4);
                                }
                                b'f' if cursor.ends_with(1, *b"alse") => {
                                    tally.count_value();
                                    cursor.skip(5);
                                }
                                _ => break 'scan State::Value,
                            }
                        }
                    }
                    // Behind a value.
                    loop {
                        match (tally.frame.object, cursor.significant()) {
                            (true, Some(b',')) => {
                                cursor.skip(1);
                                enter = State::Member;
                                continue 'member;
                            }
                            (false, Some(b',')) => {
                                cursor.skip(1);
                                enter = State::Value;
                                continue 'value;
                            }
                            (true, Some(b'}')) | (false, Some(b']')) => {
                                cursor.skip(1);
                                if tally.close(&machine.levels) {
                                    break 'scan State::Done;
                                }
                            }
                            _ => break 'scan State::AfterValue,
                        }
                    }
                }
            }
        };
        machine.state = state;
        machine.values_left = tally.values_left;
        machine.depth = tally.depth;
        machine.set_frame(tally.frame);
        cursor.at
    }
}

/// The string or key whose quote is the cursor's next byte, as far as the slice has it; `None` when there is
/// something in it that is not allowed.
#[inline(always)]
fn quoted(cursor: &Cursor<'_>) -> Option<Text> {
    let from = cursor.at.wrapping_add(1);
    let end = scan::plain(cursor.bytes, from);
    if cursor.bytes.get(end) == Some(&b'"') {
        return Some(Text { end, decoded: end.wrapping_sub(from), cut: false });
    }
    scan::text(cursor.bytes, from, end)
}

/// The machine's counters while the fast path has them in locals. The depth is at least 1.
struct Tally {
    values_left: u32,
    depth: u16,
    frame: Frame,
}

impl Tally {
    /// Whether the container may have one item more.
    #[inline(always)]
    fn item_fits<L: Levels>(&self) -> bool {
        !L::COUNTS_ITEMS || self.frame.items_left != 0
    }

    /// Whether there may be one value more here, which is an item too. In an object its key was asked for
    /// already, and the answer is the same.
    #[inline(always)]
    fn value_fits<L: Levels>(&self) -> bool {
        self.values_left != 0 && self.item_fits::<L>()
    }

    #[inline(always)]
    fn count_value(&mut self) {
        self.values_left = self.values_left.wrapping_sub(1);
        self.frame.items_left = self.frame.items_left.wrapping_sub(1);
    }

    #[inline(always)]
    fn open<L: Levels>(&mut self, levels: &mut L, object: bool, items_left: u32) {
        levels.save(self.depth, self.frame);
        self.depth = self.depth.wrapping_add(1);
        self.frame = Frame { object, items_left };
    }

    /// Ends the current container and says whether it was the outermost.
    #[inline(always)]
    fn close<L: Levels>(&mut self, levels: &L) -> bool {
        self.depth = self.depth.wrapping_sub(1);
        self.frame = levels.load(self.depth);
        self.depth == 0
    }
}

impl<L: Levels> Inspect for Check<L> {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        self.advance(bytes, false).map(|_| ())
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        self.machine.finish()
    }
}
