//! The items of containers that a pointer leads into, and what is retained of matches.
//!
//! Everything here says of each byte that is retained whether it fits before a visitor sees it.

use super::{Select, Stop, Why};
use crate::escape;
use crate::levels::Levels;
use crate::machine::Seen;
use crate::select::visit::{Kind, Visit};
use crate::state::State;

impl<L: Levels, V: Visit, const P: usize> Select<'_, L, V, P> {
    /// Goes over a key that the fast paths have left, or over an item on a pointer's way: to its end, or up to what no
    /// pointer leads into. Gives the index of that.
    pub(super) fn look(&mut self, bytes: &[u8], from: usize) -> Result<usize, Stop> {
        let mut at = from;
        while self.in_key || self.way.entered {
            // What is retained in two forms counts twice, byte by byte.
            if self.machine.state == State::String && self.raw == 0 {
                let part = self.machine.characters(bytes, at);
                if !part.is_empty() {
                    at = at.wrapping_add(part.len());
                    self.text(part, at)?;
                    continue;
                }
            }
            let Some(&byte) = bytes.get(at) else { break };
            let seen = match self.machine.byte(byte) {
                Ok(seen) => seen,
                Err(fault) => {
                    self.machine.refuse(fault);
                    return Err(Stop { at, why: Why::Document });
                }
            };
            if seen == Seen::Number {
                self.end_scalar(at)?;
                break;
            }
            let (last, one) = (at, core::slice::from_ref(&byte));
            if let Seen::BeginObject | Seen::BeginArray = seen {
                self.open(seen == Seen::BeginObject, last)?;
            }
            if self.raw != 0 {
                self.keep_raw(one, last)?;
            }
            at = at.wrapping_add(1);
            let (kind, part, ends) = match seen {
                Seen::Character => {
                    let (text, len) = (escape::utf8(self.machine.code), escape::utf8_len(self.machine.code));
                    self.text(text.get(..len as usize).unwrap_or_default(), at)?;
                    continue;
                }
                Seen::Quote if self.in_key => {
                    self.in_key = false;
                    self.way.key_part(&[], true);
                    if self.way.again {
                        return Err(Stop { at: last, why: Why::Again });
                    }
                    continue;
                }
                Seen::Nothing if self.machine.state.in_number() => (Kind::Number, one, false),
                Seen::Quote => (Kind::String, &[][..], true),
                Seen::True => (Kind::True, &[][..], true),
                Seen::False => (Kind::False, &[][..], true),
                Seen::Null => (Kind::Null, &[][..], true),
                _ => continue,
            };
            self.scalar(kind, part, at)?;
            if ends {
                self.end_scalar(last)?;
            }
        }
        Ok(at)
    }

    /// The next characters of a key or a string, of which the last byte is before the index `end`.
    fn text(&mut self, part: &[u8], end: usize) -> Result<(), Stop> {
        if self.in_key {
            self.way.key_part(part, false);
            return Ok(());
        }
        self.scalar(Kind::String, part, end)
    }

    /// The current item is a container, whose first byte has the index `at`.
    fn open(&mut self, object: bool, at: usize) -> Result<(), Stop> {
        let found = self.begin_matches(if object { Kind::Object } else { Kind::Array });
        self.count_matches(found, at)?;
        self.raw = self.raw.wrapping_add(found);
        if self.way.open(object) {
            return Ok(());
        }
        // Nothing more is to be known of it, or its end.
        self.keeping = found != 0;
        if self.keeping {
            self.way.entered = false;
        } else {
            self.way.leave();
        }
        Ok(())
    }

    /// The container that is kept or looked into has ended.
    pub(super) fn close(&mut self) {
        if !core::mem::take(&mut self.keeping) {
            self.way.depth = self.way.depth.wrapping_sub(1);
        }
        if self.raw != 0 {
            self.raw = self.raw.wrapping_sub(self.end_matches());
        }
        self.way.leave();
    }

    /// Tells the visitor of the current value, once per pointer that names it, and gives how many do.
    fn begin_matches(&mut self, kind: Kind) -> u32 {
        let mut found = 0_u32;
        let texts = self.way.pointers.places();
        for (pointer, (place, text)) in self.way.places.iter_mut().zip(texts).enumerate() {
            if place.names(text.as_bytes(), self.way.depth) {
                place.found = true;
                found = found.wrapping_add(1);
                self.visitor.begin(pointer, kind);
            }
        }
        found
    }

    /// Tells the visitor that the current value has ended, as often.
    fn end_matches(&mut self) -> u32 {
        let mut found = 0_u32;
        let texts = self.way.pointers.places();
        for (pointer, (place, text)) in self.way.places.iter().zip(texts).enumerate() {
            if place.names(text.as_bytes(), self.way.depth) {
                found = found.wrapping_add(1);
                self.visitor.end(pointer);
            }
        }
        found
    }

    /// Counts matches against their limit, on which the byte at the index `at` decides.
    fn count_matches(&mut self, found: u32, at: usize) -> Result<(), Stop> {
        if found > self.retained.matches.wrapping_sub(self.matches) {
            return Err(Stop { at, why: Why::Matches });
        }
        self.matches = self.matches.wrapping_add(found);
        Ok(())
    }

    /// The next part of a scalar, whose last byte is before the index `end`.
    #[inline(never)]
    fn scalar(&mut self, kind: Kind, part: &[u8], end: usize) -> Result<(), Stop> {
        if !core::mem::replace(&mut self.in_value, true) {
            self.named = self.begin_matches(kind) != 0;
        }
        if !self.named || part.is_empty() {
            return Ok(());
        }
        let fits = self.count_bytes(part);
        if let Some(text) = part.get(..fits.len).filter(|text| !text.is_empty()) {
            self.visitor.scalar(text);
        }
        match fits.over {
            Some(over) => {
                let at = end.wrapping_sub(part.len()).wrapping_add(over);
                Err(Stop { at, why: Why::Bytes })
            }
            None => Ok(()),
        }
    }

    /// The current scalar has ended, as is known at the index `at`.
    pub(super) fn end_scalar(&mut self, at: usize) -> Result<(), Stop> {
        self.in_value = false;
        if core::mem::take(&mut self.named) {
            let found = self.end_matches();
            self.count_matches(found, at)?;
        }
        self.way.leave();
        Ok(())
    }

    /// Retains what of `bytes` is no white space between tokens. They begin at the index `first`.
    pub(super) fn keep_raw(&mut self, bytes: &[u8], first: usize) -> Result<(), Stop> {
        let mut at = 0_usize;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let (kept, dropped) = self.compact.run(rest);
            let fits = kept.min(self.room() as usize);
            self.bytes = self.bytes.wrapping_add(fits as u32);
            if let Some(text) = rest.get(..fits).filter(|text| !text.is_empty()) {
                self.visitor.raw(text);
            }
            if fits != kept {
                let at = first.wrapping_add(at).wrapping_add(fits);
                return Err(Stop { at, why: Why::Bytes });
            }
            at = at.wrapping_add(kept).wrapping_add(dropped);
        }
        Ok(())
    }

    /// Counts the bytes of whole characters, as far as they fit.
    fn count_bytes(&mut self, part: &[u8]) -> Fits {
        let room = self.room() as usize;
        if part.len() <= room {
            self.bytes = self.bytes.wrapping_add(part.len() as u32);
            return Fits { len: part.len(), over: None };
        }
        let starts = |at: usize| part.get(at).is_none_or(|&byte| byte & 0xc0 != 0x80);
        let len = (0..=room).rev().find(|&at| starts(at)).unwrap_or(0);
        // The last byte of the character that does not fit.
        let next = (len.wrapping_add(1)..=part.len()).find(|&at| starts(at)).unwrap_or(part.len());
        self.bytes = self.bytes.wrapping_add(len as u32);
        Fits { len, over: Some(next.wrapping_sub(1)) }
    }

    /// How many bytes more may be retained.
    fn room(&self) -> u32 {
        self.retained.bytes.wrapping_sub(self.bytes)
    }
}

/// How much of a part fits, and the index of the byte that does not.
struct Fits {
    len: usize,
    over: Option<usize>,
}
