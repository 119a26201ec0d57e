//! Whole keys, strings and numbers.
//!
//! [`Assembler`] is the tokenizer with a scratch that the caller lends: a token that stands plainly in one slice is
//! lent from there, any other is joined in the scratch, which every token has to itself from its first byte on. It
//! keeps the tokenizer, the scratch and how much of it is filled: 24 bytes more than the tokenizer on 64-bit targets,
//! 12 on 32-bit ones; with the feature `serde` another 12, the limits of what is passed over.
//!
//! There is one authority on lengths, the tokenizer's limits, and none of them is larger than the scratch. What the
//! tokenizer lends of one token therefore always fits, and what would not fit was refused before.

use core::fmt;

use plimsoll_core::Rejection;

use crate::escape;
use crate::event::{Event, Progress};
use crate::levels::Levels;
use crate::limits::{Limits, LimitsError};
use crate::number::Number;
use crate::scan;
use crate::state::State;
use crate::steps;
use crate::token::{Text, Token};
use crate::tokenizer::Tokenizer;

/// Makes whole tokens of a JSON document that comes in slices.
///
/// # The scratch
///
/// The limits of strings, keys and numbers are each the smaller of the one in [`Limits`] and the scratch's length, and
/// [`limits`](Self::limits) tells the outcome. So it does not depend on how the input was cut whether a token is
/// taken: one that is longer than the scratch is refused with `string_limit`, `key_limit` or `number_limit` even where
/// it stands whole in a slice, at the byte that is one too many and before that byte is stored. A scratch of the
/// largest of the three limits loses nothing. An empty one leaves empty strings and keys.
///
/// What the scratch held before never reaches a token.
///
/// # Contract
///
/// - One [`step`](Self::step) consumes a prefix of its input and gives one whole [`Event`], which borrows from that
///   input or from the scratch and is valid until the next call; or it consumes all of it and gives none.
/// - Nothing of an input is needed after its event was used: the receive buffer may be overwritten.
/// - An empty input is fine at any time and never counts as the end; [`finish`](Self::finish) does, which is called
///   until it gives [`Event::End`].
/// - However the input is cut, the events, the verdict and its offset are the same.
/// - After a refusal every call gives the same.
///
/// Refuses what [`Check`](crate::Check) refuses, with the same reasons and offsets.
///
/// ```
/// use plimsoll_json::{Assembler, Counted, Event, Limits};
///
/// let mut scratch = [0; 64];
/// let mut assembler = Assembler::<Counted<16>>::new(Limits::DEVICE, &mut scratch).unwrap();
/// let mut names = Vec::new();
/// for chunk in [&b"[\"Zo\\u00"[..], b"eb\", \"Ada\", \"Li", b"n\"]"] {
///     let mut rest = chunk;
///     while !rest.is_empty() {
///         let step = assembler.step(rest)?;
///         rest = &rest[step.consumed..];
///         if let Some(Event::String(name)) = step.event {
///             names.push(name.as_str().to_owned());
///         }
///     }
/// }
/// while assembler.finish()? != Event::End {}
/// assert_eq!(names, ["Zoë", "Ada", "Lin"]);
/// # Ok::<(), plimsoll_core::Rejection>(())
/// ```
pub struct Assembler<'s, L> {
    pub(crate) tokenizer: Tokenizer<L>,
    scratch: &'s mut [u8],
    /// How many bytes the parts of the current token have so far.
    filled: usize,
    /// The limits of strings, keys and numbers that it was made with, which hold for what is passed over.
    #[cfg(feature = "serde")]
    pub(crate) asked: [u32; 3],
}

impl<'s, L: Levels> Assembler<'s, L> {
    /// An assembler at the start of a body, which joins what was cut in `scratch`.
    ///
    /// # Errors
    /// When the storage `L` cannot keep the limits.
    pub const fn new(limits: Limits, scratch: &'s mut [u8]) -> Result<Self, LimitsError> {
        #[cfg(feature = "serde")]
        let asked = [limits.string, limits.key, limits.number];
        let limits = Limits {
            string: smaller(limits.string, scratch.len()),
            key: smaller(limits.key, scratch.len()),
            number: smaller(limits.number, scratch.len()),
            ..limits
        };
        match Tokenizer::new(limits) {
            Ok(tokenizer) => Ok(Self {
                tokenizer,
                scratch,
                filled: 0,
                #[cfg(feature = "serde")]
                asked,
            }),
            Err(error) => Err(error),
        }
    }

    /// Skips a byte order mark at the start of the body instead of refusing it.
    #[must_use]
    pub const fn skip_byte_order_mark(self) -> Self {
        Self { tokenizer: self.tokenizer.skip_byte_order_mark(), ..self }
    }

    /// Stops behind the document's value instead of refusing what follows: see
    /// [`Tokenizer::hand_back_rest`].
    #[must_use]
    pub const fn hand_back_rest(self) -> Self {
        Self { tokenizer: self.tokenizer.hand_back_rest(), ..self }
    }

    /// Forgets the document, refused or not, and begins another one at the offset `at` of the body. The limits
    /// stay, their counts begin anew: they are a document's.
    pub fn restart(&mut self, at: u64) {
        self.tokenizer.restart(at);
        self.filled = 0;
    }

    /// Offset of the next byte; after a refusal, of the byte that decided.
    #[inline(always)]
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.tokenizer.offset()
    }

    /// How many containers are open.
    #[inline(always)]
    #[must_use]
    pub const fn depth(&self) -> u16 {
        self.tokenizer.depth()
    }

    /// Values begun so far, containers included, keys not.
    #[inline(always)]
    #[must_use]
    pub const fn values(&self) -> u32 {
        self.tokenizer.values()
    }

    /// The limits in force: those it was made with, where the scratch is not smaller.
    #[inline(always)]
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        self.tokenizer.limits()
    }

    /// Makes one step over `input`.
    ///
    /// # Errors
    /// See [`Check`](crate::Check).
    #[inline(always)]
    pub fn step<'a>(&'a mut self, input: &'a [u8]) -> Result<Progress<Event<'a>>, Rejection> {
        match self.tokenizer.quick(input) {
            // Between tokens, where the scratch is empty.
            Ok(step) => Ok(Progress { consumed: step.consumed, event: Event::whole(step.token) }),
            Err(at) => {
                // The outcome has a place of its own, so that the quick one stays in registers.
                let mut outcome = Ok(Progress::need_input(0));
                self.join_into(input, at, &mut outcome);
                outcome
            }
        }
    }

    /// Says that the input has ended. Gives [`Event::Number`] if that ended a number at the top level, else
    /// [`Event::End`].
    ///
    /// # Errors
    /// `incomplete_json`, `incomplete_utf8`, or the rejection met before.
    pub fn finish(&mut self) -> Result<Event<'_>, Rejection> {
        Ok(match self.tokenizer.finish()? {
            Token::Number(_) => Event::Number(Number::checked(self.take())),
            _ => Event::End,
        })
    }

    /// See [`join`](Self::join).
    #[inline(never)]
    fn join_into<'a>(
        &'a mut self,
        input: &'a [u8],
        from: usize,
        outcome: &mut Result<Progress<Event<'a>>, Rejection>,
    ) {
        *outcome = self.join(input, from);
    }

    /// Goes on from `from` on with a token that is not whole in the slice or has escapes, to its end or the slice's.
    pub(crate) fn join<'a>(
        &'a mut self,
        input: &'a [u8],
        from: usize,
    ) -> Result<Progress<Event<'a>>, Rejection> {
        let mut step = self.tokenizer.exact(input, from)?;
        let mut consumed = step.consumed;
        loop {
            match step.token {
                Token::KeyPart(part) | Token::StringPart(part) | Token::NumberPart(part) => {
                    self.append(part.as_bytes());
                }
                Token::KeyCharacter(character) | Token::StringCharacter(character) => {
                    self.append_character(character.into());
                }
                Token::NeedInput => return Ok(Progress::need_input(consumed)),
                Token::Key(rest) if self.filled != 0 => {
                    self.append(rest.as_bytes());
                    return Ok(Progress::event(consumed, Event::Key(Text::checked(self.take()))));
                }
                Token::String(rest) if self.filled != 0 => {
                    self.append(rest.as_bytes());
                    return Ok(Progress::event(consumed, Event::String(Text::checked(self.take()))));
                }
                Token::Number(rest) if self.filled != 0 => {
                    self.append(rest.as_bytes());
                    return Ok(Progress::event(consumed, Event::Number(Number::checked(self.take()))));
                }
                token => return Ok(Progress { consumed, event: Event::whole(token) }),
            }
            consumed = consumed.wrapping_add(self.unescape(input.get(consumed..).unwrap_or_default()));
            step = self.tokenizer.exact(input.get(consumed..).unwrap_or_default(), 0)?;
            consumed = consumed.wrapping_add(step.consumed);
        }
    }

    /// Goes on within a string or key, over characters that stand for themselves and whole escapes, as far as they are
    /// free of any doubt and within the limit. Gives how many bytes of `input` they take.
    fn unescape(&mut self, input: &[u8]) -> usize {
        if self.tokenizer.machine.state != State::String {
            return 0;
        }
        let all = self.tokenizer.machine.text_room();
        let mut room = all;
        let mut at = 0;
        loop {
            if input.get(at) == Some(&b'\\') {
                let Some(escape) = input.get(at..).and_then(escape::whole) else { break };
                let len = escape::utf8_len(escape.code) as usize;
                if len > room {
                    break;
                }
                self.append_character(escape.code);
                room = room.wrapping_sub(len);
                at = at.wrapping_add(escape.len);
                continue;
            }
            let end = scan::unescaped(input, scan::plain(input, at));
            steps::count(at, end);
            let Some(run) = input.get(at..end) else { break };
            if run.is_empty() || run.len() > room {
                break;
            }
            self.append(run);
            room = room.wrapping_sub(run.len());
            at = end;
        }
        let machine = &mut self.tokenizer.machine;
        machine.length = machine.length.wrapping_add(all.wrapping_sub(room) as u32);
        machine.offset = machine.offset.wrapping_add(at as u64);
        at
    }

    /// Stores a code point, which the limits have left room for.
    #[inline(always)]
    fn append_character(&mut self, code: u32) {
        let [a, b, c, d] = escape::utf8(code);
        let len = escape::utf8_len(code);
        match (len, self.scratch.get_mut(self.filled..)) {
            (1, Some([first, ..])) => *first = a,
            (2, Some([first, second, ..])) => (*first, *second) = (a, b),
            (3, Some([first, second, third, ..])) => (*first, *second, *third) = (a, b, c),
            (_, Some([first, second, third, fourth, ..])) => {
                (*first, *second, *third, *fourth) = (a, b, c, d);
            }
            _ => return,
        }
        self.filled = self.filled.wrapping_add(len as usize);
    }

    /// Stores a part, which the limits have left room for.
    #[inline(always)]
    fn append(&mut self, part: &[u8]) {
        let end = self.filled.wrapping_add(part.len());
        if let Some(room) = self.scratch.get_mut(self.filled..end) {
            room.copy_from_slice(part);
            self.filled = end;
        }
    }

    /// The token that is whole now. The next one begins with an empty scratch.
    fn take(&mut self) -> &[u8] {
        let filled = core::mem::take(&mut self.filled);
        self.scratch.get(..filled).unwrap_or_default()
    }

    /// The scratch, which begins with the token that was joined last.
    pub(crate) const fn scratch(&self) -> &[u8] {
        self.scratch
    }
}

/// The smaller of a limit and a length.
const fn smaller(limit: u32, len: usize) -> u32 {
    if len < limit as usize { len as u32 } else { limit }
}

/// Without the scratch, which holds bytes of the body.
impl<L: fmt::Debug> fmt::Debug for Assembler<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Assembler")
            .field("tokenizer", &self.tokenizer)
            .field("scratch", &self.scratch.len())
            .field("filled", &self.filled)
            .finish()
    }
}
