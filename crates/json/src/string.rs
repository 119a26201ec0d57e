//! The machine inside of a string or key: RFC 8259, section 7, over UTF-8 as in RFC 3629, section 4.
//!
//! Every byte says what it adds to the string after unescaping. That is held against the limit in one place, before
//! the byte counts as taken. Of a character of several bytes each byte adds itself; of an escape the last one adds
//! all of it.

use plimsoll_core::Reason;

use crate::escape;
use crate::levels::Levels;
use crate::machine::{Fault, Machine, Seen};
use crate::scan::{self, Text};
use crate::state::State;
use crate::steps;

/// What a byte of a string brings, if its limit allows that.
struct Taken {
    /// Bytes after unescaping.
    decoded: u32,
    next: State,
    seen: Seen,
}

impl Taken {
    /// A byte in the middle of something.
    const fn on_the_way(next: State) -> Self {
        Self { decoded: 0, next, seen: Seen::Nothing }
    }
}

impl<L: Levels> Machine<L> {
    /// Stands in the middle of a string or key, of which `text` was found to be in order, if its limit allows that.
    #[inline(always)]
    pub(crate) fn begin_text(&mut self, text: Text, key: bool) -> bool {
        (self.key, self.length) = (key, 0);
        let fits = text.decoded <= self.text_room();
        self.length = text.decoded as u32;
        fits
    }

    /// Goes over the characters from `at` on that stand for themselves, between two characters of a string or key, as far
    /// as its limit allows. There may be none; the next byte is the machine's.
    #[inline(always)]
    pub(crate) fn characters<'a>(&mut self, bytes: &'a [u8], at: usize) -> &'a [u8] {
        let end = scan::unescaped(bytes, scan::plain(bytes, at));
        steps::count(at, end);
        let text = bytes.get(at..end).unwrap_or_default();
        let room = self.text_room();
        let fits = if text.len() > room {
            (0..=room).rev().find(|&end| text.get(end).is_none_or(|&byte| byte & 0xc0 != 0x80)).unwrap_or(0)
        } else {
            text.len()
        };
        self.length = self.length.wrapping_add(fits as u32);
        text.get(..fits).unwrap_or_default()
    }

    /// One byte inside of a string or key.
    #[inline(always)]
    pub(crate) fn string(&mut self, byte: u8) -> Result<Seen, Fault> {
        let taken = match self.state {
            State::String => self.character(byte)?,
            State::Escape => self.escape(byte)?,
            State::Hex | State::LowHex => self.hex(byte)?,
            State::LowEscape | State::LowUnicode => self.low_half(byte)?,
            _ => self.tail(byte)?,
        };
        if taken.decoded as usize > self.text_room() {
            return Err(Fault::here(if self.key { Reason::KeyLimit } else { Reason::StringLimit }));
        }
        self.length = self.length.wrapping_add(taken.decoded);
        self.state = taken.next;
        Ok(taken.seen)
    }

    /// Between two characters.
    #[inline(always)]
    fn character(&mut self, byte: u8) -> Result<Taken, Fault> {
        let next = match byte {
            b'"' => return Ok(Taken { decoded: 0, next: self.after_text(), seen: Seen::Quote }),
            b'\\' => return Ok(Taken::on_the_way(State::Escape)),
            0x00..=0x1f => return Err(Fault::SYNTAX),
            0x20..=0x7f => {
                self.code = u32::from(byte);
                return Ok(Taken { decoded: 1, next: State::String, seen: Seen::Character });
            }
            0xc2..=0xdf => State::Tail1,
            0xe0..=0xef => State::Tail2,
            0xf0..=0xf4 => State::Tail3,
            0x80..=0xc1 | 0xf5..=0xff => return Err(Fault::here(Reason::InvalidUtf8)),
        };
        // The payload of the first byte is what follows its first zero bit.
        self.code = u32::from(byte & (0x7f >> byte.leading_ones()));
        self.count = 1;
        Ok(Taken { decoded: 1, next, seen: Seen::Nothing })
    }

    /// The second to fourth byte of a character.
    #[inline(always)]
    fn tail(&mut self, byte: u8) -> Result<Taken, Fault> {
        let code = self.code << 6 | u32::from(byte & 0x3f);
        // With its second byte it is known whether a character is written in too many bytes, is half a surrogate pair, or
        // lies beyond U+10FFFF. Of four bytes, three make a code beyond all that three bytes have to be held against.
        let (sound, next) = match self.state {
            State::Tail3 => (matches!(code, 0x10..=0x10f), State::Tail2),
            State::Tail2 => (!matches!(code, 0..0x20 | 0x360..=0x37f), State::Tail1),
            _ => (true, State::String),
        };
        if byte & 0xc0 != 0x80 || !sound {
            return Err(Fault { reason: Reason::InvalidUtf8, back: self.count });
        }
        self.code = code;
        self.count = self.count.wrapping_add(1);
        let seen = if next == State::String { Seen::Character } else { Seen::Nothing };
        Ok(Taken { decoded: 1, next, seen })
    }

    /// Behind a backslash.
    #[inline(always)]
    fn escape(&mut self, byte: u8) -> Result<Taken, Fault> {
        if byte == b'u' {
            (self.code, self.count) = (0, 0);
            return Ok(Taken::on_the_way(State::Hex));
        }
        self.code = u32::from(escape::simple(byte).ok_or(Fault::SYNTAX)?);
        Ok(Taken { decoded: 1, next: State::String, seen: Seen::Character })
    }

    /// A digit of `\uXXXX`. The escape is judged when all four are there. In the second half of a pair, `code` holds
    /// the first one above its own 16 bits.
    #[inline(always)]
    fn hex(&mut self, byte: u8) -> Result<Taken, Fault> {
        let digit = escape::hex_digit(byte).ok_or(Fault::SYNTAX)?;
        let low_half = self.state == State::LowHex;
        let unit = (self.code << 4 & 0xffff) | u32::from(digit);
        self.code = (self.code & 0xffff_0000) | unit;
        self.count = self.count.wrapping_add(1);
        if self.count < 4 {
            return Ok(Taken::on_the_way(self.state));
        }
        if escape::is_low(unit) != low_half {
            // Five bytes of this escape are behind, and six of the one before.
            return Err(Fault { reason: Reason::LoneSurrogate, back: if low_half { 11 } else { 5 } });
        }
        if low_half {
            self.code = escape::join(self.code >> 16, unit);
        } else if escape::is_high(unit) {
            return Ok(Taken::on_the_way(State::LowEscape));
        }
        Ok(Taken { decoded: escape::utf8_len(self.code), next: State::String, seen: Seen::Character })
    }

    /// Between the two halves of a pair.
    #[inline(always)]
    fn low_half(&mut self, byte: u8) -> Result<Taken, Fault> {
        match (self.state, byte) {
            (State::LowEscape, b'\\') => Ok(Taken::on_the_way(State::LowUnicode)),
            (State::LowUnicode, b'u') => {
                (self.code, self.count) = (self.code << 16, 0);
                Ok(Taken::on_the_way(State::LowHex))
            }
            (state, _) => {
                let back = if state == State::LowEscape { 6 } else { 7 };
                Err(Fault { reason: Reason::LoneSurrogate, back })
            }
        }
    }
}
