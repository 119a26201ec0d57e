//! Bytes in, other bytes out.

use crate::Rejection;

/// A decoder: a state machine that is fed slices of an encoded stream and lends the decoded bytes in runs.
///
/// # Contract
///
/// - One call makes one step. It consumes a prefix of `input` and answers with a [`Run`]. The caller goes on
///   with what was not consumed until the answer is [`Run::NeedInput`] or [`Run::End`].
/// - A run borrows from the decoder's own memory or from `input`, and is valid until the next call.
/// - Nothing of `input` is needed after the call: the receive buffer may be overwritten.
/// - An empty `input` is fine at any time. It never counts as the end; [`finish`](Self::finish) does.
/// - A fault is reported by the first call that has nothing left to lend from before it. After a rejection
///   every call answers with the same rejection.
pub trait Decode {
    /// Makes one step over `input`.
    ///
    /// # Errors
    /// The rejection of the stage that met a fault or an exceeded limit.
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection>;

    /// Says that the input has ended. To be called after [`Run::NeedInput`] or [`Run::End`].
    ///
    /// `Ok` means that the stream is whole and everything that can be checked was checked.
    ///
    /// # Errors
    /// The rejection that tells what is missing, or the one met before.
    fn finish(&mut self) -> Result<(), Rejection>;
}

/// A decoder that can begin another stream, such as the next gzip member.
pub trait Restart {
    /// Forgets the stream and its history. Limits are not reset: what was spent stays spent.
    fn restart(&mut self);
}

/// The outcome of one call of [`Decode::decode`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<'a> {
    /// How many bytes of the input are done with.
    pub consumed: usize,
    /// What they brought.
    pub run: Run<'a>,
}

/// What a step brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Run<'a> {
    /// Decoded bytes. An empty run says that the step made progress and there is nothing to lend yet.
    Bytes(&'a [u8]),
    /// All of the input was consumed, and nothing more can be lent without more of it.
    NeedInput,
    /// The stream is complete and checked. What was not consumed does not belong to it.
    End,
}

impl<'a> Step<'a> {
    /// A step that consumed `consumed` bytes and lends `bytes`.
    #[must_use]
    pub const fn lend(consumed: usize, bytes: &'a [u8]) -> Self {
        Self { consumed, run: Run::Bytes(bytes) }
    }

    /// A step that consumed `consumed` bytes and has nothing to lend yet.
    #[must_use]
    pub const fn silent(consumed: usize) -> Self {
        Self { consumed, run: Run::Bytes(&[]) }
    }

    /// A step that consumed all of an input of `consumed` bytes.
    #[must_use]
    pub const fn need_input(consumed: usize) -> Self {
        Self { consumed, run: Run::NeedInput }
    }

    /// A step that consumed `consumed` bytes and reached the end of the stream.
    #[must_use]
    pub const fn end(consumed: usize) -> Self {
        Self { consumed, run: Run::End }
    }
}

impl<D: Decode + ?Sized> Decode for &mut D {
    #[inline]
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        (**self).decode(input)
    }

    #[inline]
    fn finish(&mut self) -> Result<(), Rejection> {
        (**self).finish()
    }
}

impl<D: Restart + ?Sized> Restart for &mut D {
    #[inline]
    fn restart(&mut self) {
        (**self).restart();
    }
}

/// The decoder of a body without a content coding: it lends its input as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Identity;

impl Identity {
    /// A decoder at the start of a stream.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Decode for Identity {
    #[inline]
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        Ok(if input.is_empty() { Step::need_input(0) } else { Step::lend(input.len(), input) })
    }

    #[inline]
    fn finish(&mut self) -> Result<(), Rejection> {
        Ok(())
    }
}

impl Restart for Identity {
    #[inline]
    fn restart(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;

    #[test]
    fn identity_lends_its_input_and_never_ends_by_itself() {
        let mut decoder = Identity::new();
        assert_eq!(decoder.decode(b"abc"), Ok(Step::lend(3, b"abc")));
        assert_eq!(decoder.decode(b""), Ok(Step::need_input(0)));
        assert_eq!(decoder.finish(), Ok(()));
        decoder.restart();
        assert_eq!(decoder.decode(b"def"), Ok(Step::lend(3, b"def")));
    }

    /// Says how often it was called.
    #[derive(Default)]
    struct Calls {
        finished: usize,
        restarted: usize,
    }

    impl Decode for Calls {
        fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
            Ok(Step::end(input.len()))
        }

        fn finish(&mut self) -> Result<(), Rejection> {
            self.finished = self.finished.saturating_add(1);
            Err(Rejection::new(Reason::IncompleteGzip))
        }
    }

    impl Restart for Calls {
        fn restart(&mut self) {
            self.restarted = self.restarted.saturating_add(1);
        }
    }

    #[test]
    fn a_decoder_that_is_lent_is_the_decoder_itself() {
        /// By the implementations for references, and not by auto-dereference.
        fn drive<D: Decode + Restart>(mut decoder: D) {
            assert_eq!(decoder.decode(b"abc"), Ok(Step::end(3)));
            decoder.restart();
            assert_eq!(decoder.finish(), Err(Rejection::new(Reason::IncompleteGzip)));
        }
        let mut calls = Calls::default();
        drive(&mut calls);
        assert_eq!((calls.finished, calls.restarted), (1, 1));
    }
}
