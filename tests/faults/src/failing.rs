//! A sink around any other that fails at one call, and notes what it was told.

use std::cell::Cell;

use plimsoll::Sink;

/// What a sink was told. It outlives it.
#[derive(Debug, Default)]
pub struct Told {
    /// Calls that can fail: of `provisional` and of `commit`.
    pub calls: Cell<u64>,
    /// How often the body was said to be complete.
    pub commits: Cell<u64>,
    /// How often it was said not to count.
    pub discards: Cell<u64>,
    /// Whether anything was said behind either, or nothing with an empty run.
    pub late: Cell<bool>,
}

impl Told {
    fn note(&self, counter: &Cell<u64>) {
        self.late.set(self.late.get() || self.commits.get() + self.discards.get() > 0);
        counter.set(counter.get() + 1);
    }
}

/// What a [`Failing`] answers: its own failure, or the inner sink's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure<E> {
    /// It was told to fail here.
    Asked,
    /// The inner sink has failed.
    Inner(E),
}

/// Fails at the call of number `at`, from 0, when the inner sink has taken what came with it. A commit that fails is
/// not handed on.
#[derive(Debug)]
pub struct Failing<'t, S> {
    /// The inner sink.
    pub inner: S,
    told: &'t Told,
    at: u64,
}

impl<'t, S> Failing<'t, S> {
    /// A sink around `inner`.
    pub const fn new(inner: S, told: &'t Told, at: u64) -> Self {
        Self { inner, told, at }
    }
}

impl<S: Sink> Sink for Failing<'_, S> {
    type Error = Failure<S::Error>;
    const EXPOSES: bool = S::EXPOSES;

    fn capacity(&self) -> u64 {
        self.inner.capacity()
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        // An empty run says nothing, and a machine brings none.
        self.told.late.set(self.told.late.get() || bytes.is_empty());
        let call = self.told.calls.get();
        self.told.note(&self.told.calls);
        self.inner.provisional(bytes).map_err(Failure::Inner)?;
        if call == self.at { Err(Failure::Asked) } else { Ok(()) }
    }

    fn commit(&mut self) -> Result<(), Self::Error> {
        let call = self.told.calls.get();
        self.told.note(&self.told.commits);
        self.told.calls.set(call + 1);
        if call == self.at {
            return Err(Failure::Asked);
        }
        self.inner.commit().map_err(Failure::Inner)
    }

    fn discard(&mut self) {
        self.told.note(&self.told.discards);
        self.inner.discard();
    }

    fn preview(&mut self) {
        self.told.note(&self.told.discards);
        self.inner.preview();
    }
}
