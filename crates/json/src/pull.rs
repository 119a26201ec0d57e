//! A machine that is shown the buffer of a source, and says what of it is taken and what is lent.
//!
//! [`Pull`] keeps, besides the machine, what was found and not lent yet: 40 bytes.

use plimsoll_core::Rejection;

use crate::parse::Parse;
#[cfg(any(feature = "embedded-io", feature = "async"))]
use crate::parse::{FORGETFUL, Lend};

/// All of a reader but the source.
#[derive(Debug)]
pub(crate) struct Pull<P: Parse> {
    pub(crate) machine: P,
    /// What was found in the source's buffer and how many bytes of that it takes, until it is lent.
    found: Option<(P::Found, usize)>,
    /// Bytes of the source that were lent, and are consumed by the next call.
    taken: usize,
    phase: Phase,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Reading,
    /// The source has ended.
    Ended,
    /// Everything has ended.
    Over,
    Refused,
}

impl<P: Parse> Pull<P> {
    /// At the start of a body.
    pub(crate) const fn new(machine: P) -> Self {
        Self { machine, found: None, taken: 0, phase: Phase::Reading }
    }

    /// Bytes of the source that are done with.
    pub(crate) fn done(&mut self) -> usize {
        core::mem::take(&mut self.taken)
    }

    /// Whether the source's buffer is needed to find anything.
    #[inline(always)]
    pub(crate) fn wants_bytes(&mut self) -> Result<bool, Rejection> {
        if self.found.is_some() {
            return Ok(false);
        }
        if self.phase == Phase::Reading {
            return Ok(!self.machine.is_over());
        }
        self.wind_up()?;
        Ok(false)
    }

    /// Finds what is still to come when no bytes are.
    #[cold]
    fn wind_up(&mut self) -> Result<(), Rejection> {
        match self.phase {
            Phase::Ended => match self.machine.find_last() {
                Ok(Some(found)) => self.found = Some((found, 0)),
                Ok(None) => self.phase = Phase::Over,
                Err(rejection) => return Err(self.refuse(rejection)),
            },
            Phase::Refused => _ = self.machine.find(&[])?,
            Phase::Reading | Phase::Over => {}
        }
        Ok(())
    }

    /// Looks at the source's buffer, which is empty at its end. Gives the bytes that are done with.
    #[inline(always)]
    pub(crate) fn look_at(&mut self, buffer: &[u8]) -> Result<usize, Rejection> {
        if buffer.is_empty() {
            self.phase = Phase::Ended;
            return Ok(0);
        }
        let step = match self.machine.find(buffer) {
            Ok(step) => step,
            Err(rejection) => return Err(self.refuse(rejection)),
        };
        let Some(found) = step.event else { return Ok(step.consumed) };
        let lent = if P::borrows(&found) { step.consumed } else { 0 };
        self.found = Some((found, lent));
        Ok(step.consumed.wrapping_sub(lent))
    }

    /// Whether the source's buffer is needed to lend what was found.
    #[cfg(any(feature = "embedded-io", feature = "async"))]
    pub(crate) fn borrows(&self) -> bool {
        self.found.as_ref().is_some_and(|(found, _)| P::borrows(found))
    }

    /// What was found and not lent yet.
    #[cfg(feature = "serde")]
    pub(crate) const fn found(&self) -> Option<P::Found> {
        match self.found {
            Some((found, _)) => Some(found),
            None => None,
        }
    }

    /// What was found, without lending it. Nothing of the source's buffer is needed any more by the next call.
    #[cfg(feature = "serde")]
    pub(crate) fn take(&mut self) -> Option<P::Found> {
        let (found, taken) = self.found.take()?;
        self.taken = taken;
        Some(found)
    }

    #[cold]
    fn refuse(&mut self, rejection: Rejection) -> Rejection {
        self.phase = Phase::Refused;
        rejection
    }
}

#[cfg(any(feature = "embedded-io", feature = "async"))]
impl<P: Lend> Pull<P> {
    /// Lends what was found.
    #[inline(always)]
    pub(crate) fn lend<'a>(&'a mut self, buffer: &'a [u8]) -> Result<Option<P::Event<'a>>, Rejection> {
        let Some((found, taken)) = self.found else { return Ok(None) };
        let event = self.machine.lend(found, buffer).ok_or(FORGETFUL)?;
        (self.found, self.taken) = (None, taken);
        Ok(Some(event))
    }
}
