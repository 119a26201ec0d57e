//! Selection in one document.
//!
//! [`Select`] is the tokenizer, a place per pointer and a visitor. Where no pointer can match, tokens only pass: their
//! keys and strings are not looked at, let alone stored. It keeps the tokenizer, 16 bytes per pointer and 88 more;
//! no byte of the document.
//!
//! What makes the outcome independent of the cut: every byte that is retained has one byte of the input that decides on
//! it, and bytes are dealt with in that order. A refusal of the tokenizer is therefore put off until all before its
//! byte was dealt with, and where a scalar is taken both by itself and as part of a container, the input goes through
//! byte by byte, as both count against the same limit.

mod items;

use plimsoll_core::{Inspect, Reason, Refusal, Rejection};

use super::compact::Compact;
use super::path::Place;
use super::pointer::Pointers;
use super::visit::{Kind, Visit};
use crate::escape;
use crate::levels::Levels;
use crate::limits::{Limits, LimitsError};
use crate::token::{Step, Token};
use crate::tokenizer::Tokenizer;

/// What may be retained of one document at most. Exactly that much is accepted, one more is refused; 0 means none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Retained {
    /// Bytes of all matches together: `retained_limit`. Strings after unescaping, numbers as written, containers as
    /// JSON text without white space between tokens; `null`, `true` and `false` have none. A byte counts once however
    /// many pointers name it as a scalar, and once however many name it as part of a container.
    pub bytes: u32,
    /// Matches, which are the items of the result: `item_limit`. A set without `*` has at most one per pointer.
    pub matches: u32,
}

/// Looks for the values that JSON Pointers name, in one pass over a document that comes in slices, and tells a
/// visitor.
///
/// It is an [`Inspect`], to put behind a decoder, and checks all of the document as [`Check`](crate::Check) does, with
/// the same limits. What it tells is provisional until [`Visit::commit`], which
/// [`finish`](Inspect::finish) brings about when the document is complete. Behind a decoder the one who ends the body
/// calls that, after the decoder's own checks; among several inspectors this one is to be the last, so that the others
/// are asked before.
///
/// # What it refuses, besides what `Check` does
///
/// | reason | `at` | decided by |
/// |---|---|---|
/// | `retained_limit` | the byte that is one too many; of a character, its last; of an escape, its last | that byte |
/// | `item_limit` | of a container, its first byte; of another value, the byte behind which it is known to have ended | that byte |
/// | `duplicate_key` | the first byte of the second key on a pointer's way that is the same in one object | that key's closing quote |
/// | `missing_field` | none: see [`missing`](Self::missing) | the end of the document |
/// | whatever [`Visit::prepare`] answers | the end of the document, unless it says where | the end of the document |
///
/// A key is a duplicate if a pointer's way goes through both, whether or not both lead to a match: what follows would
/// depend on which of them a reader believes. Keys on no pointer's way, and those that a `*` matches, are not compared.
///
/// # Work
///
/// Of each item of a container that a pointer leads into: one look per pointer, and per byte of its key one comparison
/// per pointer that still matches. Of all other tokens none. So the work per byte of input is bounded by the number of
/// pointers, plus, per item, by the length of one reference token each.
///
/// ```
/// use plimsoll_core::Inspect;
/// use plimsoll_json::{Counted, Fields, Limits, Pointers, Retained, Select, Slot, Value};
///
/// let pointers = Pointers::new(["/user/name", "/tags", "/id"]).unwrap().require([true, false, true]);
/// let (mut bytes, mut slots) = ([0; 64], [Slot::EMPTY; 3]);
/// let fields = Fields::new(&mut bytes, &mut slots);
/// let mut select = Select::<Counted<16>, _, 3>::of_fields(&pointers, Limits::DEVICE, fields).unwrap();
/// for chunk in [&b"{\"id\": 17, \"user\": {\"na"[..], b"me\": \"Zo\\u00", b"eb\"}, \"tags\": [1, \"a\"]}"] {
///     select.inspect(chunk).map_err(|refusal| refusal.rejection)?;
/// }
/// select.finish()?;
/// let selected = select.into_selected().unwrap();
/// assert_eq!(selected.get(0).and_then(Value::as_str), Some("Zo\u{eb}"));
/// assert_eq!(selected.get(1).and_then(Value::as_json), Some("[1,\"a\"]"));
/// assert_eq!(selected.get(2).and_then(Value::as_number).and_then(|id| id.to_u32().ok()), Some(17));
/// # Ok::<(), plimsoll_core::Rejection>(())
/// ```
#[derive(Debug)]
pub struct Select<'p, L, V, const P: usize> {
    tokenizer: Tokenizer<L>,
    pointers: &'p Pointers<'p, P>,
    places: [Place; P],
    retained: Retained,
    /// What has been retained so far.
    bytes: u32,
    matches: u32,
    /// Matches of containers that are open.
    raw: u32,
    /// The container that no pointer leads into, by its depth; 0 outside of any.
    passing: u16,
    compact: Compact,
    /// Whether the current value has begun, and its bytes come in parts.
    in_value: bool,
    /// Whether a part of the current key was seen, and where it began.
    in_key: bool,
    key_at: u64,
    /// Whether the current item is on a pointer's way.
    entered: bool,
    /// Whether a pointer names the current scalar.
    named: bool,
    refused: Option<Decided>,
    /// Whether the visitor knows how it ended.
    told: bool,
    pub(super) visitor: V,
}

/// The places of `len` pointers before a document.
const fn start<const P: usize>(len: usize) -> [Place; P] {
    let mut places = [Place::START; P];
    let (_, mut rest) = places.split_at_mut(if len < P { len } else { P });
    while let [place, behind @ ..] = rest {
        *place = Place::UNUSED;
        rest = behind;
    }
    places
}

/// A refusal and the offset of the byte that decided.
#[derive(Clone, Copy, Debug)]
struct Decided {
    rejection: Rejection,
    offset: u64,
}

impl<'p, L: Levels, V: Visit, const P: usize> Select<'p, L, V, P> {
    /// A selection at the start of a body.
    ///
    /// # Errors
    /// When the storage `L` cannot keep the limits.
    pub const fn new(
        pointers: &'p Pointers<'p, P>,
        limits: Limits,
        retained: Retained,
        visitor: V,
    ) -> Result<Self, LimitsError> {
        match Tokenizer::new(limits) {
            Ok(tokenizer) => Ok(Self::between(tokenizer, pointers, retained, visitor, false)),
            Err(error) => {
                // A constant cannot drop a value of any type.
                core::mem::forget(visitor);
                Err(error)
            }
        }
    }

    /// A selection whose visitor was `told` already how the document ended: one before its first document, which
    /// [`restart`](Self::restart) begins.
    pub(super) const fn between(
        tokenizer: Tokenizer<L>,
        pointers: &'p Pointers<'p, P>,
        retained: Retained,
        visitor: V,
        told: bool,
    ) -> Self {
        Self {
            tokenizer,
            pointers,
            places: start(pointers.len()),
            retained,
            bytes: 0,
            matches: 0,
            raw: 0,
            passing: 0,
            compact: Compact::Outside,
            in_value: false,
            in_key: false,
            key_at: 0,
            entered: false,
            named: false,
            refused: None,
            told,
            visitor,
        }
    }

    /// Skips a byte order mark at the start of the body instead of refusing it.
    #[must_use]
    pub fn skip_byte_order_mark(self) -> Self {
        Self { tokenizer: self.tokenizer.skip_byte_order_mark(), ..self }
    }

    /// Forgets the document, refused or not, and begins another one at the offset `at` of the body. Pointers and limits
    /// stay. A visitor that was not told how the document ended is told that it was discarded.
    pub fn restart(&mut self, at: u64) {
        self.abandon();
        self.tokenizer.restart(at);
        self.places = start(self.pointers.len());
        (self.bytes, self.matches, self.raw, self.passing) = (0, 0, 0, 0);
        self.compact = Compact::Outside;
        (self.in_value, self.in_key, self.entered, self.named) = (false, false, false, false);
        self.refused = None;
        self.told = false;
    }

    /// Gives the document up: the visitor is told that it does not count, if it was told neither before.
    pub fn abandon(&mut self) {
        if !self.told {
            self.told = true;
            self.visitor.discard();
        }
    }

    /// Offset of the next byte; after a refusal, of the byte that decided.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.refused.map_or(self.tokenizer.offset(), |refused| refused.offset)
    }

    /// Bytes retained so far.
    #[must_use]
    pub const fn retained_bytes(&self) -> u32 {
        self.bytes
    }

    /// Matches so far.
    #[must_use]
    pub const fn matches(&self) -> u32 {
        self.matches
    }

    /// The first pointer that is required and has not matched, by its index.
    #[must_use]
    pub fn missing(&self) -> Option<usize> {
        let required = self.pointers.required().iter();
        required.zip(&self.places).position(|(&required, place)| required && !place.found)
    }

    /// The visitor, if [`finish`](Inspect::finish) was called and the document is complete. It is not called here: only
    /// what stands before this one knows whether its bytes are all there and in order.
    #[must_use]
    pub fn into_visitor(self) -> Option<V> {
        if self.is_committed() { Some(self.visitor) } else { None }
    }

    /// Whether the visitor was told that the document counts.
    pub(super) const fn is_committed(&self) -> bool {
        self.told && self.refused.is_none()
    }

    /// Takes `bytes` in. `Err` has the index of the byte that decided.
    fn take(&mut self, bytes: &[u8]) -> Result<(), (usize, Rejection)> {
        let mut at = 0_usize;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            // A scalar that is retained in two forms counts twice, byte by byte.
            let turns = self.raw != 0 && self.passing == 0;
            let rest = if turns { rest.get(..1).unwrap_or_default() } else { rest };
            if self.passing != 0 && self.raw == 0 {
                let end = self.pass(rest);
                at = at.wrapping_add(end);
                if let Some(rejection) = self.tokenizer.machine.refused() {
                    return Err((at, rejection));
                }
                if at >= bytes.len() {
                    return Ok(());
                }
                continue;
            }
            let (step, shown, exact) = match self.tokenizer.quick(rest) {
                Ok(step) if self.is_nobodys(step.token) => {
                    at = at.wrapping_add(step.consumed);
                    continue;
                }
                Ok(step) => (step, rest, false),
                Err(from) => {
                    let (step, shown) = self.exact(rest, from).map_err(|rejection| (at, rejection))?;
                    (step, shown, true)
                }
            };
            self.token(step, shown, exact)
                .map_err(|(index, rejection)| (at.wrapping_add(index), rejection))?;
            at = at.wrapping_add(step.consumed);
            if matches!(step.token, Token::NeedInput) && at >= bytes.len() {
                return Ok(());
            }
        }
    }

    /// Whether a whole token is a member's value that no pointer leads to, and is needed for nothing else.
    #[inline(always)]
    fn is_nobodys(&self, token: Token<'_>) -> bool {
        let scalar =
            matches!(token, Token::String(_) | Token::Number(_) | Token::True | Token::False | Token::Null);
        scalar && !self.entered && self.raw == 0 && self.tokenizer.machine.tally.in_object()
    }

    /// Goes over `bytes` to their end, to that of the container that no pointer leads into, or to the byte that is
    /// refused, as a check does, and gives the index of that.
    #[inline(always)]
    fn pass(&mut self, bytes: &[u8]) -> usize {
        let end = self.tokenizer.machine.advance(bytes, false, self.passing);
        if self.tokenizer.depth() < self.passing {
            self.passing = 0;
            self.leave();
        }
        end
    }

    /// A step of the byte-exact machine, and the bytes it was shown. What stands before a byte at fault comes first, so
    /// that `Err` says that the first byte is.
    fn exact<'a>(&mut self, input: &'a [u8], from: usize) -> Result<(Step<'a>, &'a [u8]), Rejection> {
        // A token ends where a container begins or ends, so the levels are as they were.
        let before = self.tokenizer.machine.without_levels();
        match self.tokenizer.exact(input, from) {
            Ok(step) => Ok((step, input)),
            Err(rejection) => {
                let index = self.tokenizer.offset().wrapping_sub(before.offset) as usize;
                match input.get(..index) {
                    None | Some([]) => Err(rejection),
                    Some(sound) => {
                        self.tokenizer.machine.go_back(&before);
                        Ok((self.tokenizer.exact(sound, from)?, sound))
                    }
                }
            }
        }
    }

    /// Deals with a token, which came with the first bytes of `input`. `Err` has the index of the byte that decided.
    #[inline(always)]
    fn token(&mut self, step: Step<'_>, input: &[u8], exact: bool) -> Result<(), (usize, Rejection)> {
        let Step { consumed, token } = step;
        let bytes = input.get(..consumed).unwrap_or_default();
        let last = consumed.wrapping_sub(1);
        if let Token::BeginObject | Token::BeginArray = token {
            let object = matches!(token, Token::BeginObject);
            return self.open(bytes, object);
        }
        if self.raw != 0 {
            self.keep_raw(bytes, 0)?;
        }
        if self.passing != 0 {
            if self.tokenizer.depth() < self.passing {
                self.passing = 0;
                self.close();
            }
            return Ok(());
        }
        match token {
            Token::BeginObject | Token::BeginArray | Token::End => Ok(()),
            Token::EndObject | Token::EndArray => {
                self.close();
                Ok(())
            }
            Token::NeedInput => {
                self.key_began(bytes, consumed);
                Ok(())
            }
            Token::KeyPart(text) => {
                self.key_began(bytes, consumed);
                self.key_part(text.as_bytes());
                Ok(())
            }
            Token::KeyCharacter(character) => {
                self.key_began(bytes, consumed);
                let (bytes, len) = (escape::utf8(character.into()), escape::utf8_len(character.into()));
                self.key_part(bytes.get(..len as usize).unwrap_or_default());
                Ok(())
            }
            Token::Key(text) => {
                if exact {
                    self.key_began(bytes, consumed);
                    self.key_part(text.as_bytes());
                    return self.end_key().map_err(|rejection| (last, rejection));
                }
                // The quick step may have taken the colon too.
                let quote = if bytes.get(last) == Some(&b'"') { last } else { last.wrapping_sub(1) };
                self.whole_key(text.as_bytes(), consumed.wrapping_sub(quote))
                    .map_err(|rejection| (quote, rejection))
            }
            Token::StringCharacter(character) => {
                let (bytes, len) = (escape::utf8(character.into()), escape::utf8_len(character.into()));
                let text = bytes.get(..len as usize).unwrap_or_default();
                self.scalar(Kind::String, text, consumed, None)
            }
            Token::StringPart(text) => self.scalar(Kind::String, text.as_bytes(), consumed, None),
            Token::String(text) => self.scalar(Kind::String, text.as_bytes(), last, Some(last)),
            Token::NumberPart(text) => self.scalar(Kind::Number, text.as_bytes(), consumed, None),
            Token::Number(text) => self.scalar(Kind::Number, text.as_bytes(), consumed, Some(consumed)),
            Token::True => self.scalar(Kind::True, &[], consumed, Some(last)),
            Token::False => self.scalar(Kind::False, &[], consumed, Some(last)),
            Token::Null => self.scalar(Kind::Null, &[], consumed, Some(last)),
        }
    }

    /// The container that `bytes` end with begins.
    fn open(&mut self, bytes: &[u8], object: bool) -> Result<(), (usize, Rejection)> {
        let last = bytes.len().wrapping_sub(1);
        let (before, bracket) = bytes.split_at_checked(last).unwrap_or_default();
        if self.raw != 0 {
            self.keep_raw(before, 0)?;
        }
        if self.passing == 0 {
            let depth = self.tokenizer.depth();
            let kind = if object { Kind::Object } else { Kind::Array };
            self.begin_value(depth.wrapping_sub(1));
            let found = if self.entered { self.begin_matches(kind, depth.wrapping_sub(1)) } else { 0 };
            self.count_matches(found).map_err(|rejection| (last, rejection))?;
            if found != 0 && self.raw == 0 {
                self.compact = Compact::Outside;
            }
            self.raw = self.raw.wrapping_add(found);
            let mut leads = false;
            if self.entered {
                for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
                    leads |= place.open(text.as_bytes(), depth, object);
                }
            }
            self.entered = false;
            if !leads {
                self.passing = depth;
            }
        }
        if self.raw != 0 {
            self.keep_raw(bracket, last)?;
        }
        Ok(())
    }

    /// A container has ended.
    fn close(&mut self) {
        if self.raw != 0 {
            let depth = self.tokenizer.depth();
            for (pointer, (place, text)) in self.places.iter().zip(self.pointers.places()).enumerate() {
                if place.names(text.as_bytes(), depth) {
                    self.visitor.end(pointer);
                    self.raw = self.raw.wrapping_sub(1);
                }
            }
        }
        self.leave();
    }

    /// The current item has ended.
    #[inline(never)]
    fn leave(&mut self) {
        let depth = self.tokenizer.depth();
        for (place, text) in self.places.iter_mut().zip(self.pointers.places()) {
            place.leave(text.as_bytes(), depth);
        }
        self.entered = false;
    }

    /// Refuses, for good. A limit's place is the byte that decided.
    #[cold]
    fn refuse(&mut self, rejection: Rejection, offset: u64) -> Rejection {
        let place = if rejection.at().is_none() && rejection.reason() != Reason::MissingField {
            rejection.with_at(offset)
        } else {
            rejection
        };
        self.refused = Some(Decided { rejection: place, offset });
        self.abandon();
        place
    }
}

impl<L: Levels, V: Visit, const P: usize> Inspect for Select<'_, L, V, P> {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        if let Some(refused) = self.refused {
            return Err(Refusal { accepted: 0, rejection: refused.rejection });
        }
        let start = self.tokenizer.offset();
        match self.take(bytes) {
            Ok(()) => Ok(()),
            Err((accepted, rejection)) => {
                let rejection = self.refuse(rejection, start.wrapping_add(accepted as u64));
                Err(Refusal { accepted, rejection })
            }
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        if let Some(refused) = self.refused {
            return Err(refused.rejection);
        }
        let offset = self.tokenizer.offset();
        let last = match self.tokenizer.finish() {
            Ok(Token::Number(_)) => self.end_scalar(),
            Ok(_) => Ok(()),
            Err(rejection) => Err(rejection),
        };
        let missing = || match self.missing() {
            Some(_) => Err(Rejection::new(Reason::MissingField)),
            None => Ok(()),
        };
        if let Err(rejection) = last.and_then(|()| missing()) {
            return Err(self.refuse(rejection, offset));
        }
        if !self.told {
            if let Err(rejection) = self.visitor.prepare() {
                return Err(self.refuse(rejection, offset));
            }
            self.told = true;
            self.visitor.commit();
        }
        Ok(())
    }
}
