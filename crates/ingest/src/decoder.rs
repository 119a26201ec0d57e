//! The decoders behind a content coding: through a ring for a sink, or flat into one buffer.

use plimsoll_budget::WorkMeter;
use plimsoll_core::{Decode, Identity, Reason, Rejection, Step};
use plimsoll_gzip::Gunzip;
use plimsoll_inflate::{Engine, Flat, History, Inflate, Ring, Room};

use crate::head::Coding;
use crate::policy::Policy;

/// Either of the two codings of a body: `I` decodes one without a coding, `G` one with gzip.
#[derive(Debug)]
pub enum Coded<I, G> {
    /// No content coding.
    Identity(I),
    /// gzip.
    Gzip(G),
}

impl<I: Decode, G: Decode> Decode for Coded<I, G> {
    #[inline(never)]
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        match self {
            Self::Identity(decoder) => decoder.decode(input),
            Self::Gzip(decoder) => decoder.decode(input),
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        match self {
            Self::Identity(decoder) => decoder.finish(),
            Self::Gzip(decoder) => decoder.finish(),
        }
    }
}

/// A decoder whose latest run can be looked at again, so that a reader can hand it out in parts.
pub trait Relend: Decode {
    /// The latest run that was lent, as long as nothing was decoded since. `None` where it lies in the input
    /// that was given, from its first byte.
    fn latest(&self) -> Option<&[u8]>;
}

impl<D: Relend + ?Sized> Relend for &mut D {
    fn latest(&self) -> Option<&[u8]> {
        (**self).latest()
    }
}

impl Relend for Identity {
    fn latest(&self) -> Option<&[u8]> {
        None
    }
}

impl<E: Engine, H: History> Relend for Gunzip<Inflate<E, H, WorkMeter>> {
    fn latest(&self) -> Option<&[u8]> {
        Some(self.inner().latest())
    }
}

impl<I: Relend, G: Relend> Relend for Coded<I, G> {
    fn latest(&self) -> Option<&[u8]> {
        match self {
            Self::Identity(decoder) => decoder.latest(),
            Self::Gzip(decoder) => decoder.latest(),
        }
    }
}

/// Decodes through a ring and lends run by run.
pub type RingDecoder<'m, E> = Coded<Identity, Gunzip<Inflate<&'m mut E, Ring<'m>, WorkMeter>>>;

impl<'m, E: Engine> RingDecoder<'m, E> {
    /// The decoder for a coding. A body without one does not touch the engine or the ring.
    #[must_use]
    pub fn new(coding: Coding, policy: &Policy, engine: &'m mut E, ring: Ring<'m>) -> Self {
        match coding {
            Coding::Identity => Self::Identity(Identity::new()),
            Coding::Gzip => {
                let inflate = Inflate::new(engine, ring, WorkMeter::new(policy.limits.work));
                Self::Gzip(Gunzip::new(inflate, policy.gzip()))
            }
        }
    }
}

/// Decodes into one buffer, which holds the whole body at the end.
pub type FlatDecoder<'m, E> = Coded<Copying<'m>, Gunzip<Inflate<&'m mut E, Flat<'m>, WorkMeter>>>;

impl<'m, E: Engine> FlatDecoder<'m, E> {
    /// The decoder for a coding. No more of `output` is used than the decoded limit allows.
    #[must_use]
    pub fn new(coding: Coding, policy: &Policy, engine: &'m mut E, output: &'m mut [u8]) -> Self {
        let most = usize::try_from(policy.limits.decoded).unwrap_or(usize::MAX).min(output.len());
        let flat = Flat::new(output.get_mut(..most).unwrap_or(&mut []));
        match coding {
            Coding::Identity => Self::Identity(Copying { flat, run: 0 }),
            Coding::Gzip => {
                let inflate = Inflate::new(engine, flat, WorkMeter::new(policy.limits.work));
                Self::Gzip(Gunzip::new(inflate, policy.gzip()))
            }
        }
    }

    /// Everything decoded so far: the body, if the outcome is complete. The decoder has no memory then.
    pub(crate) fn take_written(&mut self) -> &'m mut [u8] {
        match self {
            Self::Identity(copying) => copying.flat.take_written(),
            Self::Gzip(gunzip) => gunzip.inner_mut().history_mut().take_written(),
        }
    }
}

/// A body without a coding, copied to where a decoded one would be.
#[derive(Debug)]
pub struct Copying<'m> {
    flat: Flat<'m>,
    /// Length of the latest run.
    run: usize,
}

impl Relend for Copying<'_> {
    fn latest(&self) -> Option<&[u8]> {
        Some(self.flat.latest(self.run))
    }
}

impl Decode for Copying<'_> {
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        if input.is_empty() {
            return Ok(Step::need_input(0));
        }
        let Room { bytes, at, .. } = self.flat.room();
        let free = bytes.get_mut(at..).unwrap_or(&mut []);
        let count = free.len().min(input.len());
        if count == 0 {
            return Err(Rejection::limit_exceeded(Reason::DecodedLimit, self.flat.capacity()));
        }
        for (to, &from) in free.iter_mut().zip(input) {
            *to = from;
        }
        self.run = count;
        Ok(Step::lend(count, self.flat.wrote(count)))
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        Ok(())
    }
}
