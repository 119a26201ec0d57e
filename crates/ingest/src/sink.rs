//! Where a body goes: provisional bytes, and then exactly one word on whether they count.

mod hash;
#[cfg(feature = "heapless")]
mod heapless;
#[cfg(feature = "embedded-io")]
mod write;

use core::convert::Infallible;
use core::fmt;

use crate::preview::Preview;

pub use hash::HashSink;
#[cfg(feature = "embedded-io")]
pub use write::{Staged, Through, WriteError};

#[cfg(feature = "heapless")]
pub use self::heapless::VecSink;

/// Takes the decoded bytes of one body.
///
/// # Contract
///
/// - [`provisional`](Self::provisional) is called any number of times, in the order of the body. Nothing has
///   been checked to the end yet: what it is given must not take effect.
/// - Then exactly one of [`commit`](Self::commit) (the body is complete and every check has passed) and
///   [`discard`](Self::discard) (or [`preview`](Self::preview), which is a discard unless the sink says
///   otherwise) is called, once, and nothing afterwards. Also where a push machine is dropped
///   without having been finished, and where `provisional` failed.
pub trait Sink {
    /// What can go wrong in the sink itself. It is not the peer's fault and so it is no
    /// [`Rejection`](plimsoll_core::Rejection).
    type Error;

    /// Whether provisional bytes can be seen by others before the verdict. They are then counted as exposed.
    const EXPOSES: bool;

    /// The most bytes that the sink can take. One more is refused with `decoded_limit` before it is offered.
    fn capacity(&self) -> u64;

    /// Takes more bytes, at least one.
    ///
    /// # Errors
    /// Whatever the sink met; the body is then discarded.
    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// The body is complete.
    ///
    /// # Errors
    /// Whatever the sink met. Whether the body took effect is then for the sink to say.
    fn commit(&mut self) -> Result<(), Self::Error>;

    /// The body does not count.
    fn discard(&mut self);

    /// Instead of [`discard`](Self::discard): the body does not count, and what was provisional is the preview that
    /// was asked for. A sink that can show one keeps it, as a [`Preview`]; any other discards.
    fn preview(&mut self) {
        self.discard();
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    type Error = S::Error;
    const EXPOSES: bool = S::EXPOSES;

    fn capacity(&self) -> u64 {
        (**self).capacity()
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        (**self).provisional(bytes)
    }

    fn commit(&mut self) -> Result<(), Self::Error> {
        (**self).commit()
    }

    fn discard(&mut self) {
        (**self).discard();
    }

    fn preview(&mut self) {
        (**self).preview();
    }
}

/// Keeps nothing: for a body that is checked or measured only, or that a flat decoder holds.
impl Sink for () {
    type Error = Infallible;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn provisional(&mut self, _bytes: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn discard(&mut self) {}
}

/// Keeps nothing, and counts every byte as exposed: for a body whose records take effect as they pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Exposed;

impl Sink for Exposed {
    type Error = Infallible;
    const EXPOSES: bool = true;

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn provisional(&mut self, _bytes: &[u8]) -> Result<(), Infallible> {
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn discard(&mut self) {}
}

/// A sink over a slice of the caller's, which yields the body only when it is complete.
///
/// The slice's length is a limit: one byte more is `decoded_limit`. After a body that was discarded it can take
/// another; one that already has a body or a preview and is handed to a machine once more yields nothing.
pub struct Slice<'m> {
    bytes: &'m mut [u8],
    filled: usize,
    state: State,
}

/// What the bytes of a slice are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Provisional,
    Body,
    Preview,
    /// Those of more than one body, or not all of one: they never count.
    Spent,
}

impl<'m> Slice<'m> {
    /// A sink that fills `bytes` from its start.
    #[must_use]
    pub const fn new(bytes: &'m mut [u8]) -> Self {
        Self { bytes, filled: 0, state: State::Provisional }
    }

    /// The body, once it is complete.
    #[must_use]
    pub fn body(&self) -> Option<&[u8]> {
        if self.state == State::Body { self.bytes.get(..self.filled) } else { None }
    }

    /// The preview, if one was asked for and the body goes on behind it.
    #[must_use]
    pub fn preview(&self) -> Option<Preview<'_>> {
        if self.state == State::Preview { self.bytes.get(..self.filled).map(Preview::new) } else { None }
    }

    /// The body for as long as the slice lives, if it is complete.
    #[must_use]
    pub fn into_body(self) -> Option<&'m mut [u8]> {
        if self.state == State::Body { self.bytes.get_mut(..self.filled) } else { None }
    }
}

/// Without a byte of the body.
impl fmt::Debug for Slice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slice")
            .field("filled", &self.filled)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl Sink for Slice<'_> {
    type Error = Infallible;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        let free = self.bytes.get_mut(self.filled..).unwrap_or(&mut []);
        if self.state != State::Provisional || bytes.len() > free.len() {
            self.state = State::Spent;
            return Ok(());
        }
        for (to, &from) in free.iter_mut().zip(bytes) {
            *to = from;
        }
        self.filled = self.filled.saturating_add(bytes.len());
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Infallible> {
        self.state = if self.state == State::Provisional { State::Body } else { State::Spent };
        Ok(())
    }

    fn discard(&mut self) {
        self.filled = 0;
        if self.state != State::Provisional {
            self.state = State::Spent;
        }
    }

    fn preview(&mut self) {
        self.state = if self.state == State::Provisional { State::Preview } else { State::Spent };
    }
}
