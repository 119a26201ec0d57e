//! Hash and forget: a sink that keeps nothing but a state which every run is folded into.

use core::convert::Infallible;

use super::Sink;

/// Folds the body into a state, such as a hash, and yields it only when the body is complete.
///
/// `F` is how: most hash crates have a method of the right form. It serves one body: after a discard the state holds
/// bytes of the one that was refused, so it is never yielded.
///
/// ```
/// use std::hash::{DefaultHasher, Hasher};
/// use plimsoll::{HashSink, Sink};
///
/// let mut sink = HashSink::new(DefaultHasher::new(), Hasher::write); // or `Sha256::new(), |sha, run| sha.update(run)`
/// let Ok(()) = sink.provisional(b"hello");
/// assert!(sink.hash().is_none());
/// let Ok(()) = sink.commit();
/// assert!(sink.into_hash().is_some());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct HashSink<H, F> {
    hash: H,
    update: F,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Provisional,
    /// The body is complete.
    Body,
    /// A body was discarded, or something came behind the first.
    Spent,
}

impl<H, F: FnMut(&mut H, &[u8])> HashSink<H, F> {
    /// A sink that begins with `hash`.
    #[must_use]
    pub const fn new(hash: H, update: F) -> Self {
        Self { hash, update, state: State::Provisional }
    }
}

impl<H, F> HashSink<H, F> {
    /// The state, once the body is complete.
    #[must_use]
    pub const fn hash(&self) -> Option<&H> {
        if matches!(self.state, State::Body) { Some(&self.hash) } else { None }
    }

    /// The state, if the body is complete.
    #[must_use]
    pub fn into_hash(self) -> Option<H> {
        if self.state == State::Body { Some(self.hash) } else { None }
    }
}

impl<H, F: FnMut(&mut H, &[u8])> Sink for HashSink<H, F> {
    type Error = Infallible;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Infallible> {
        if self.state != State::Provisional {
            self.state = State::Spent;
        }
        (self.update)(&mut self.hash, bytes);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Infallible> {
        self.state = if self.state == State::Provisional { State::Body } else { State::Spent };
        Ok(())
    }

    fn discard(&mut self) {
        self.state = State::Spent;
    }
}
