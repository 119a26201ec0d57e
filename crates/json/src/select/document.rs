//! Selection in one document.
//!
//! [`Select`] is the byte-exact machine, a place per pointer and a visitor. Over what no pointer names or leads into it goes
//! as a check does; the keys of a container that one leads into are held against the pointers on the way there. A value
//! on a pointer's way is taken byte by byte, or by the parts of a string. It keeps the machine, 16 bytes per pointer
//! and 96 more; no byte of the document.
//!
//! What makes the outcome independent of the cut: every byte that is retained has one byte of the input that decides on
//! it, and bytes are dealt with in that order. Where a scalar is taken both by itself and as part of a container, each of
//! its bytes counts twice before the next one does, as both count against the same limit.

mod items;

use plimsoll_core::{Inspect, Reason, Refusal, Rejection};

use super::compact::Compact;
use super::pointer::Pointers;
use super::visit::Visit;
use super::way::Way;
use crate::levels::Levels;
use crate::limits::{Limits, LimitsError};
use crate::machine::Machine;
use crate::watch::Watch;

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
    machine: Machine<L>,
    way: Way<'p, P>,
    retained: Retained,
    /// What has been retained so far.
    bytes: u32,
    matches: u32,
    /// Matches of containers that are open.
    raw: u32,
    compact: Compact,
    /// Whether the current item is a container that a pointer names and none leads into.
    keeping: bool,
    /// Whether the current key has begun, and where.
    in_key: bool,
    key_at: u64,
    /// Whether the current value has begun, and its bytes come in parts.
    in_value: bool,
    /// Whether a pointer names the current scalar.
    named: bool,
    refused: Option<Rejection>,
    /// Whether the visitor knows how it ended.
    told: bool,
    pub(super) visitor: V,
}

/// Why a selection stops, and the index of the byte that decided.
#[derive(Clone, Copy, Debug)]
struct Stop {
    at: usize,
    why: Why,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Why {
    /// The machine has refused.
    Document,
    /// More bytes than may be retained.
    Bytes,
    /// More matches than there may be.
    Matches,
    /// A key on a pointer's way, which began at `key_at`, for the second time.
    Again,
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
        match limits.held_by::<L>() {
            Ok(()) => Ok(Self::between(Machine::new(limits), pointers, retained, visitor, false)),
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
        machine: Machine<L>,
        pointers: &'p Pointers<'p, P>,
        retained: Retained,
        visitor: V,
        told: bool,
    ) -> Self {
        Self {
            machine,
            way: Way::new(pointers),
            retained,
            bytes: 0,
            matches: 0,
            raw: 0,
            compact: Compact::Outside,
            keeping: false,
            in_key: false,
            key_at: 0,
            in_value: false,
            named: false,
            refused: None,
            told,
            visitor,
        }
    }

    /// Skips a byte order mark at the start of the body instead of refusing it.
    #[must_use]
    pub fn skip_byte_order_mark(self) -> Self {
        let mut select = self;
        select.machine.skip_mark = true;
        select
    }

    /// Forgets the document, refused or not, and begins another one at the offset `at` of the body. Pointers and limits
    /// stay. A visitor that was not told how the document ended is told that it was discarded.
    pub fn restart(&mut self, at: u64) {
        self.abandon();
        self.machine.restart(at);
        self.way = Way::new(self.way.pointers);
        (self.bytes, self.matches, self.raw) = (0, 0, 0);
        self.compact = Compact::Outside;
        (self.keeping, self.in_key, self.in_value, self.named) = (false, false, false, false);
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
    pub const fn offset(&self) -> u64 {
        self.machine.offset
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
        let required = self.way.pointers.required().iter();
        required.zip(&self.way.places).position(|(&required, place)| required && !place.found)
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

    /// Takes `bytes` in.
    fn take(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let mut at = 0;
        loop {
            if self.in_key || self.way.entered {
                at = self.look(bytes, at)?;
            }
            if at >= bytes.len() {
                return Ok(());
            }
            let from = at;
            let levels = self.way.depth.wrapping_add(u16::from(self.keeping));
            at = self.machine.advance(bytes, from, false, levels, &mut self.way);
            if self.raw != 0 {
                self.keep_raw(bytes.get(from..at).unwrap_or_default(), from)?;
            }
            if self.machine.is_refused() {
                return Err(Stop { at, why: Why::Document });
            }
            if self.machine.tally.depth < levels {
                self.close();
            } else if self.way.again {
                let key = at.wrapping_sub(self.way.key_len as usize).wrapping_sub(2);
                self.key_at = self.machine.offset.wrapping_add(key as u64);
                return Err(Stop { at: at.wrapping_sub(1), why: Why::Again });
            } else if at < bytes.len() && !self.way.entered {
                self.begin_item(at);
            }
        }
    }

    /// An item that the fast paths have left begins at the index `at`.
    fn begin_item(&mut self, at: usize) {
        if self.machine.tally.in_object() {
            self.in_key = true;
            self.key_at = self.machine.offset.wrapping_add(at as u64);
        } else {
            self.way.element(self.machine.tally.values_left);
        }
    }

    /// Refuses, for good. A limit's place is the byte that decided.
    #[cold]
    #[inline(never)]
    fn refuse(&mut self, rejection: Rejection) -> Rejection {
        let place = if rejection.at().is_none() && rejection.reason() != Reason::MissingField {
            rejection.with_at(self.machine.offset)
        } else {
            rejection
        };
        self.refused = Some(place);
        self.abandon();
        place
    }

    /// The refusal that stands for the reason of a stop.
    #[cold]
    #[inline(never)]
    fn rejection(&self, why: Why) -> Rejection {
        match why {
            Why::Document => self.machine.rejection(),
            Why::Bytes => Rejection::limit_exceeded(Reason::RetainedLimit, u64::from(self.retained.bytes)),
            Why::Matches => Rejection::limit_exceeded(Reason::ItemLimit, u64::from(self.retained.matches)),
            Why::Again => Rejection::fault(Reason::DuplicateKey, self.key_at),
        }
    }

    /// What is asked of a document that is complete.
    fn end(&mut self, in_number: bool) -> Result<(), Rejection> {
        self.machine.finish()?;
        if in_number {
            self.end_scalar(0).map_err(|stop| self.rejection(stop.why))?;
        }
        match self.missing() {
            Some(_) => Err(Rejection::new(Reason::MissingField)),
            None if self.told => Ok(()),
            None => self.visitor.prepare(),
        }
    }
}

impl<L: Levels, V: Visit, const P: usize> Inspect for Select<'_, L, V, P> {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        if let Some(rejection) = self.refused {
            return Err(Refusal { accepted: 0, rejection });
        }
        let outcome = self.take(bytes);
        let accepted = outcome.map_or_else(|stop| stop.at, |()| bytes.len());
        self.machine.offset = self.machine.offset.wrapping_add(accepted as u64);
        match outcome {
            Ok(()) => Ok(()),
            Err(stop) => {
                let rejection = self.rejection(stop.why);
                Err(Refusal { accepted, rejection: self.refuse(rejection) })
            }
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        if let Some(rejection) = self.refused {
            return Err(rejection);
        }
        let in_number = self.machine.state.in_number();
        if let Err(rejection) = self.end(in_number) {
            return Err(self.refuse(rejection));
        }
        if !self.told {
            self.told = true;
            self.visitor.commit();
        }
        Ok(())
    }
}
