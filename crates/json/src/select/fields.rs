//! Matches in memory that the caller lends.
//!
//! [`Fields`] fills a byte slice from both ends: containers and what is found outside of them from the front, so that a
//! container within another shares its text; strings and numbers that are found within a container that is being kept
//! from the back, where their bytes are put down last byte first and turned around at their end. A slot per match
//! says where its text lies. Between calls it keeps the two slices and where they are filled: 72 bytes on 64-bit targets.

use core::fmt;

use super::document::{Retained, Select};
use super::pointer::Pointers;
use super::visit::{Kind, Visit};
use crate::levels::Levels;
use crate::limits::{Limits, LimitsError};
use crate::number::Number;
use crate::token::Text;

/// Where one match is kept: 12 bytes.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    start: u32,
    len: u32,
    pointer: u16,
    kind: Kind,
}

impl Slot {
    /// Without a match. All bytes are zero.
    pub const EMPTY: Self = Self { start: 0, len: 0, pointer: 0, kind: Kind::Null };
}

/// The length of a match that has not ended. No slice is that long.
const OPEN: u32 = u32::MAX;

/// Keeps matches in `bytes` and `slots` that the caller lends.
///
/// It has no way to look at them: that is [`Select::into_selected`], which needs a finished document, or the function
/// of [`RecordFields`](super::RecordFields), which is given each complete record. What the slices held before never shows.
pub struct Fields<'s> {
    bytes: &'s mut [u8],
    slots: &'s mut [Slot],
    /// How many slots are filled.
    used: usize,
    /// How many bytes are filled at the front, and at the back.
    front: usize,
    back: usize,
    /// How many containers are open.
    open: u32,
    /// How much of its end of `bytes` was filled when the current scalar began.
    mark: usize,
    /// Whether a scalar is open.
    scalar: bool,
    /// Whether the document that it is of is complete, so that the next one begins anew.
    complete: bool,
}

impl<'s> Fields<'s> {
    /// Room for `slots.len()` matches of `bytes.len()` bytes together.
    pub const fn new(bytes: &'s mut [u8], slots: &'s mut [Slot]) -> Self {
        Self { bytes, slots, used: 0, front: 0, back: 0, open: 0, mark: 0, scalar: false, complete: false }
    }

    /// What there is room for, as limits.
    #[must_use]
    pub const fn room(&self) -> Retained {
        Retained { bytes: most(self.bytes.len()), matches: most(self.slots.len()) }
    }

    /// Nothing is kept.
    pub(super) const fn clear(&mut self) {
        (self.used, self.front, self.back, self.open) = (0, 0, 0, 0);
        (self.scalar, self.complete) = (false, false);
    }

    /// What is kept.
    pub(super) fn selected(&self) -> Selected<'_> {
        Selected { bytes: self.bytes, slots: self.slots.get(..self.used).unwrap_or_default() }
    }

    /// Puts `text`, for which the limits have left room, at the front.
    fn append(&mut self, text: &[u8]) {
        let end = self.front.wrapping_add(text.len());
        if let Some(room) = self.bytes.get_mut(self.front..end) {
            room.copy_from_slice(text);
            self.front = end;
        }
    }

    /// The place of the current scalar, or of the one that ended last.
    fn scalar_place(&self) -> (usize, usize) {
        if self.open == 0 {
            (self.mark, self.front.wrapping_sub(self.mark))
        } else {
            (self.bytes.len().wrapping_sub(self.back), self.back.wrapping_sub(self.mark))
        }
    }
}

/// A length as a limit, which is the most that a slot can tell.
const fn most(len: usize) -> u32 {
    if len < OPEN as usize { len as u32 } else { OPEN.wrapping_sub(1) }
}

impl Visit for Fields<'_> {
    fn begin(&mut self, pointer: usize, kind: Kind) {
        if self.complete {
            self.clear();
        }
        let mut start = 0;
        if kind.is_container() {
            start = self.front;
        } else if !self.scalar {
            self.scalar = true;
            self.mark = if self.open == 0 { self.front } else { self.back };
        }
        if let Some(slot) = self.slots.get_mut(self.used) {
            *slot = Slot { start: start as u32, len: OPEN, pointer: pointer as u16, kind };
            self.used = self.used.wrapping_add(1);
        }
        if kind.is_container() {
            self.open = self.open.wrapping_add(1);
        }
    }

    fn scalar(&mut self, text: &[u8]) {
        if self.open == 0 {
            return self.append(text);
        }
        let end = self.bytes.len().wrapping_sub(self.back);
        if let Some(room) = self.bytes.get_mut(end.wrapping_sub(text.len())..end) {
            for (byte, &next) in room.iter_mut().rev().zip(text) {
                *byte = next;
            }
            self.back = self.back.wrapping_add(text.len());
        }
    }

    fn raw(&mut self, text: &[u8]) {
        self.append(text);
    }

    fn end(&mut self, pointer: usize) {
        let (start, len) = self.scalar_place();
        let used = self.slots.get_mut(..self.used).unwrap_or_default();
        let open = used.iter_mut().rfind(|slot| slot.len == OPEN && usize::from(slot.pointer) == pointer);
        let Some(slot) = open else { return };
        if slot.kind.is_container() {
            slot.len = self.front.wrapping_sub(slot.start as usize) as u32;
            self.open = self.open.wrapping_sub(1);
            return;
        }
        (slot.start, slot.len) = (start as u32, len as u32);
        if core::mem::take(&mut self.scalar) && self.open != 0 {
            let end = start.wrapping_add(len);
            self.bytes.get_mut(start..end).unwrap_or_default().reverse();
        }
    }

    fn commit(&mut self) {
        if self.complete {
            // Nothing of this one matched, and what is kept is of the one before.
            self.clear();
        }
        self.complete = true;
    }

    fn discard(&mut self) {
        self.clear();
    }
}

/// Without the bytes, which are of the body.
impl fmt::Debug for Fields<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fields")
            .field("bytes", &self.bytes.len())
            .field("matches", &self.used)
            .finish_non_exhaustive()
    }
}

impl<'p, 's, L: Levels, const P: usize> Select<'p, L, Fields<'s>, P> {
    /// A selection that keeps its matches in `fields`, as much as there is room for.
    ///
    /// # Errors
    /// When the storage `L` cannot keep the limits.
    pub const fn of_fields(
        pointers: &'p Pointers<'p, P>,
        limits: Limits,
        fields: Fields<'s>,
    ) -> Result<Self, LimitsError> {
        let room = fields.room();
        Self::new(pointers, limits, room, fields)
    }

    /// The matches, if [`finish`](plimsoll_core::Inspect::finish) was called and the document is complete: see
    /// [`into_visitor`](Self::into_visitor).
    #[must_use]
    pub fn into_selected(self) -> Option<Selected<'s>> {
        let Fields { bytes, slots, used, .. } = self.into_visitor()?;
        Some(Selected { bytes, slots: slots.get(..used).unwrap_or_default() })
    }
}

/// The matches of a complete document, in the order in which they began.
#[derive(Clone, Copy)]
pub struct Selected<'s> {
    bytes: &'s [u8],
    slots: &'s [Slot],
}

impl<'s> Selected<'s> {
    /// The first match of a pointer.
    #[must_use]
    pub fn get(&self, pointer: usize) -> Option<Value<'s>> {
        self.all(pointer).next()
    }

    /// All matches of a pointer.
    pub fn all(&self, pointer: usize) -> impl Iterator<Item = Value<'s>> + use<'s> {
        self.iter().filter(move |&(of, _)| of == pointer).map(|(_, value)| value)
    }

    /// All matches, each with its pointer's index.
    pub fn iter(&self) -> impl Iterator<Item = (usize, Value<'s>)> + use<'s> {
        let bytes = self.bytes;
        self.slots.iter().map(move |slot| {
            let start = slot.start as usize;
            let text = bytes.get(start..start.wrapping_add(slot.len as usize)).unwrap_or_default();
            (usize::from(slot.pointer), Value::new(slot.kind, text))
        })
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }
}

/// Without the bytes, which are of the body.
impl fmt::Debug for Selected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Selected").field("matches", &self.slots.len()).finish_non_exhaustive()
    }
}

/// The value of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number<'a>),
    /// A string, without its escapes.
    String(Text<'a>),
    /// An array as JSON text.
    Array(Text<'a>),
    /// An object as JSON text.
    Object(Text<'a>),
}

impl<'a> Value<'a> {
    /// Of text that was checked.
    const fn new(kind: Kind, text: &'a [u8]) -> Self {
        match kind {
            Kind::Null => Self::Null,
            Kind::False => Self::Bool(false),
            Kind::True => Self::Bool(true),
            Kind::Number => Self::Number(Number::checked(text)),
            Kind::String => Self::String(Text::checked(text)),
            Kind::Array => Self::Array(Text::checked(text)),
            Kind::Object => Self::Object(Text::checked(text)),
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub const fn is_null(self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value of `true` or `false`.
    #[must_use]
    pub const fn as_bool(self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The number.
    #[must_use]
    pub const fn as_number(self) -> Option<Number<'a>> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The string.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        match self {
            Self::String(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// The JSON text of an array or object: its tokens as written, without white space between them.
    #[must_use]
    pub fn as_json(self) -> Option<&'a str> {
        match self {
            Self::Array(text) | Self::Object(text) => Some(text.as_str()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_of_4_gib_is_as_much_room_as_a_slot_can_tell() {
        for (len, expected) in [(0, 0), (17, 17), (0xffff_fffe, 0xffff_fffe), (0xffff_ffff, 0xffff_fffe)] {
            assert_eq!(most(len), expected);
        }
        assert_eq!(most(usize::MAX), 0xffff_fffe);
    }
}
