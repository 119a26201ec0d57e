//! A decoder whose every run passes an inspector before it is lent.

use crate::{Decode, Inspect, Rejection, Run, Step};

/// Joins a decoder and an inspector.
///
/// Where the inspector refuses within a run, the bytes it accepted are lent and the next call refuses. The end
/// is reported only when the inspector agrees that the bytes may end there.
#[derive(Clone, Copy, Debug)]
pub struct Inspected<D, I> {
    decoder: D,
    inspector: I,
    refused: Option<Rejection>,
    ended: bool,
}

impl<D, I> Inspected<D, I> {
    /// Lets every run of `decoder` pass `inspector`.
    #[must_use]
    pub const fn new(decoder: D, inspector: I) -> Self {
        Self { decoder, inspector, refused: None, ended: false }
    }

    /// The decoder.
    #[must_use]
    pub const fn decoder(&self) -> &D {
        &self.decoder
    }

    /// The inspector.
    #[must_use]
    pub const fn inspector(&self) -> &I {
        &self.inspector
    }

    /// Takes the two apart.
    #[must_use]
    pub fn into_parts(self) -> (D, I) {
        (self.decoder, self.inspector)
    }
}

impl<D: Decode, I: Inspect> Decode for Inspected<D, I> {
    fn decode<'a>(&'a mut self, input: &'a [u8]) -> Result<Step<'a>, Rejection> {
        if let Some(rejection) = self.refused {
            return Err(rejection);
        }
        let step = self.decoder.decode(input).inspect_err(|&rejection| self.refused = Some(rejection))?;
        match step.run {
            Run::Bytes(bytes) => {
                let Err(refusal) = self.inspector.inspect(bytes) else { return Ok(step) };
                self.refused = Some(refusal.rejection);
                match bytes.get(..refusal.accepted) {
                    Some(accepted) if !accepted.is_empty() => Ok(Step::lend(step.consumed, accepted)),
                    _ => Err(refusal.rejection),
                }
            }
            Run::NeedInput => Ok(step),
            Run::End => {
                if !self.ended {
                    self.inspector.finish().inspect_err(|&rejection| self.refused = Some(rejection))?;
                    self.ended = true;
                }
                Ok(step)
            }
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        if let Some(rejection) = self.refused {
            return Err(rejection);
        }
        if self.ended {
            return Ok(());
        }
        let verdict = self.decoder.finish().and_then(|()| self.inspector.finish());
        self.ended = verdict.is_ok();
        self.refused = verdict.err();
        verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::tests::RefuseAt;
    use crate::{Identity, Reason};

    #[test]
    fn what_was_accepted_is_lent_before_the_refusal() {
        for cut in 0..=6 {
            let (head, tail) = b"abcdef".split_at(cut);
            let mut stage = Inspected::new(Identity::new(), RefuseAt::new(4, Reason::JsonSyntax));
            let mut lent = 0;
            let mut verdict = Ok(());
            'pieces: for piece in [head, tail] {
                let mut rest = piece;
                loop {
                    match stage.decode(rest) {
                        Ok(Step { consumed, run: Run::Bytes(bytes) }) => {
                            lent += bytes.len();
                            rest = &rest[consumed..];
                        }
                        Ok(_) => break,
                        Err(rejection) => {
                            verdict = Err(rejection);
                            break 'pieces;
                        }
                    }
                }
            }
            assert_eq!((lent, verdict), (4, Err(Rejection::fault(Reason::JsonSyntax, 4))), "cut at {cut}");
            assert_eq!(stage.finish(), verdict);
            assert_eq!(stage.decode(b"x").unwrap_err(), verdict.unwrap_err());
        }
    }

    #[test]
    fn where_nothing_was_accepted_the_same_call_refuses() {
        let mut stage = Inspected::new(Identity::new(), RefuseAt::new(0, Reason::JsonSyntax));
        assert_eq!(stage.decode(b"abc"), Err(Rejection::fault(Reason::JsonSyntax, 0)));
    }

    #[test]
    fn a_whole_stream_passes() {
        let mut stage = Inspected::new(Identity::new(), RefuseAt::new(4, Reason::JsonSyntax));
        assert_eq!(stage.decode(b"abcd"), Ok(Step::lend(4, b"abcd")));
        assert_eq!(stage.decode(b""), Ok(Step::need_input(0)));
        assert_eq!((stage.finish(), stage.finish()), (Ok(()), Ok(())));
        assert_eq!(stage.inspector().seen, 4);
    }

    /// Ends at once, over bytes that its inspector does not let end.
    struct Ends;

    impl Decode for Ends {
        fn decode<'a>(&'a mut self, _input: &'a [u8]) -> Result<Step<'a>, Rejection> {
            Ok(Step::end(0))
        }
        fn finish(&mut self) -> Result<(), Rejection> {
            Ok(())
        }
    }

    struct Unfinished;

    impl Inspect for Unfinished {
        fn inspect(&mut self, _bytes: &[u8]) -> Result<(), crate::Refusal> {
            Ok(())
        }
        fn finish(&mut self) -> Result<(), Rejection> {
            Err(Rejection::fault(Reason::IncompleteUtf8, 0))
        }
    }

    #[test]
    fn no_end_is_reported_that_the_inspector_refuses() {
        let mut stage = Inspected::new(Ends, Unfinished);
        assert_eq!(stage.decode(b"").unwrap_err().reason(), Reason::IncompleteUtf8);
        assert_eq!(stage.finish().unwrap_err().reason(), Reason::IncompleteUtf8);
        let mut stage = Inspected::new(Ends, ());
        assert_eq!(stage.decode(b""), Ok(Step::end(0)));
        assert_eq!(stage.decode(b""), Ok(Step::end(0)));
        assert_eq!(stage.finish(), Ok(()));
    }
}
