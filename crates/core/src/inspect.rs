//! Bytes that pass and may be refused.

use crate::Rejection;

/// Watches bytes pass, unchanged, and may refuse them.
///
/// Each inspector counts its own offsets from the first byte it is shown, which is the first of the body.
///
/// # Contract
///
/// - How the bytes are cut into calls makes no difference. An empty slice is allowed.
/// - A refusal says how many bytes of this slice were accepted before it. The byte behind them is the one that
///   decided; the place of the fault ([`Rejection::at`]) may lie earlier.
/// - After a refusal every call, also one with an empty slice, answers with the same rejection and accepts
///   nothing.
///
/// Inspectors join as tuples: all see the same bytes, and the refusal that a byte-by-byte run would meet first
/// is the one reported. `None` accepts everything.
pub trait Inspect {
    /// Looks at the next `bytes`.
    ///
    /// # Errors
    /// A [`Refusal`] with the number of bytes accepted before it.
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal>;

    /// Says that the bytes have ended.
    ///
    /// # Errors
    /// The rejection that tells what is missing, or the one met before.
    fn finish(&mut self) -> Result<(), Rejection>;
}

/// What [`Inspect::inspect`] answers when it refuses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refusal {
    /// How many bytes of the slice were accepted before the one that decided.
    pub accepted: usize,
    /// Why the rest is refused.
    pub rejection: Rejection,
}

impl<I: Inspect + ?Sized> Inspect for &mut I {
    #[inline]
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        (**self).inspect(bytes)
    }

    #[inline]
    fn finish(&mut self) -> Result<(), Rejection> {
        (**self).finish()
    }
}

impl<I: Inspect> Inspect for Option<I> {
    #[inline]
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        match self {
            Some(inspector) => inspector.inspect(bytes),
            None => Ok(()),
        }
    }

    #[inline]
    fn finish(&mut self) -> Result<(), Rejection> {
        match self {
            Some(inspector) => inspector.finish(),
            None => Ok(()),
        }
    }
}

impl Inspect for () {
    #[inline]
    fn inspect(&mut self, _bytes: &[u8]) -> Result<(), Refusal> {
        Ok(())
    }

    #[inline]
    fn finish(&mut self) -> Result<(), Rejection> {
        Ok(())
    }
}

/// Each inspector is shown what those before it accepted, so the last one that refuses is the earliest in the
/// stream. Before the end is announced, a refusal met earlier is looked for in all of them.
macro_rules! tuple {
    ($($name:ident $index:tt),+) => {
        impl<$($name: Inspect),+> Inspect for ($($name,)+) {
            #[inline]
            fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
                let mut bytes = bytes;
                let mut result = Ok(());
                $(
                    if let Err(refusal) = self.$index.inspect(bytes) {
                        bytes = bytes.get(..refusal.accepted).unwrap_or(bytes);
                        result = Err(refusal);
                    }
                )+
                let _ = bytes;
                result
            }

            #[inline]
            fn finish(&mut self) -> Result<(), Rejection> {
                self.inspect(&[]).map_err(|refusal| refusal.rejection)?;
                $(self.$index.finish()?;)+
                Ok(())
            }
        }
    };
}

tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
pub(crate) mod tests {
    use super::*;
    use crate::Reason;

    /// Refuses the byte at one offset, for good.
    pub(crate) struct RefuseAt {
        pub(crate) seen: u64,
        pub(crate) offset: u64,
        pub(crate) reason: Reason,
    }

    impl RefuseAt {
        pub(crate) const fn new(offset: u64, reason: Reason) -> Self {
            Self { seen: 0, offset, reason }
        }
    }

    impl Inspect for RefuseAt {
        fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
            let left = self.offset.saturating_sub(self.seen);
            if self.seen > self.offset || (bytes.len() as u64) > left {
                self.seen = self.offset + 1;
                let accepted = usize::try_from(left).unwrap();
                return Err(Refusal { accepted, rejection: Rejection::fault(self.reason, self.offset) });
            }
            self.seen += bytes.len() as u64;
            Ok(())
        }

        fn finish(&mut self) -> Result<(), Rejection> {
            if self.seen > self.offset { Err(Rejection::fault(self.reason, self.offset)) } else { Ok(()) }
        }
    }

    #[test]
    fn of_two_refusals_in_one_run_the_earlier_place_wins_whatever_the_order() {
        for (first, second, expected, accepted) in
            [(3, 5, Reason::InvalidUtf8, 3), (5, 3, Reason::JsonSyntax, 3)]
        {
            let mut both =
                (RefuseAt::new(first, Reason::InvalidUtf8), Some(RefuseAt::new(second, Reason::JsonSyntax)));
            let refusal = both.inspect(b"0123456789").unwrap_err();
            assert_eq!((refusal.accepted, refusal.rejection.reason()), (accepted, expected));
            let again = both.inspect(b"").unwrap_err();
            assert_eq!((again.accepted, again.rejection.reason()), (0, expected));
            assert_eq!(both.finish().unwrap_err().reason(), expected);
        }
    }

    #[test]
    fn at_one_place_the_first_in_order_wins() {
        let mut both = (RefuseAt::new(4, Reason::DecodedLimit), RefuseAt::new(4, Reason::JsonSyntax));
        assert_eq!(both.inspect(b"0123456789").unwrap_err().rejection.reason(), Reason::DecodedLimit);
        let mut both = (RefuseAt::new(4, Reason::DecodedLimit), RefuseAt::new(4, Reason::JsonSyntax));
        let verdict = (0..10).find_map(|_| both.inspect(b"x").err()).unwrap();
        assert_eq!(verdict.rejection.reason(), Reason::DecodedLimit);
    }

    #[test]
    fn nothing_and_none_accept_everything() {
        let mut none: Option<RefuseAt> = None;
        assert_eq!(Inspect::inspect(&mut none, b"abc"), Ok(()));
        assert_eq!(none.finish(), Ok(()));
        assert_eq!(().inspect(b"abc"), Ok(()));
        assert_eq!(().finish(), Ok(()));
    }

    #[test]
    fn an_inspector_that_is_lent_or_may_be_missing_is_the_inspector_itself() {
        /// By the implementation for `I`, and not by auto-dereference.
        fn drive<I: Inspect>(mut inspector: I) -> (Result<(), usize>, bool) {
            let looked = inspector.inspect(b"abcdef").map_err(|refusal| refusal.accepted);
            (looked, inspector.finish().is_err())
        }
        let mut inspector = RefuseAt::new(2, Reason::JsonSyntax);
        assert_eq!(drive(&mut inspector), (Err(2), true));
        assert_eq!(inspector.seen, 3);
        assert_eq!(drive(Some(RefuseAt::new(2, Reason::JsonSyntax))), (Err(2), true));
        assert_eq!(drive(Some(RefuseAt::new(6, Reason::JsonSyntax))), (Ok(()), false));
    }
}
