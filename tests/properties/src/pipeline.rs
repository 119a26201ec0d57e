//! The whole way of a response: limits, gzip, inflate, what the media type demands, and the sink.

use conformance::{Cut, Recorder, decode_all};
use plimsoll::budget::{Meter, WorkMeter};
use plimsoll::gzip::{Gunzip, Trailing};
use plimsoll::inflate::Inflate;
use plimsoll::json::Counted;
use plimsoll::{
    Coding, DefaultEngine, FlatDecoder, Head, Identity, Ingest, Inspect, Inspected, Inspector, Limits, Media,
    Next, Outcome, Policy, Reason, Rejection, Ring, Sink, Stage, Verdict,
};

use crate::input::Input;

/// A response in any pieces, through a ring or a flat buffer, comes to what its stages by themselves come to one after
/// the other; what the sink gets is what was decoded before the verdict, and it is told once whether that counts.
pub fn stages(input: Input<'_>) {
    let case = Case::of(input);
    let (expected, plain) = case.by_stages();
    let mut engine = DefaultEngine::new();
    for pieces in [vec![input.body], input.pieces()] {
        for exposes in [true, false] {
            let (outcome, bytes) =
                if exposes { case.ring(&mut engine, &pieces) } else { case.flat(&mut engine, &pieces) };
            assert_eq!(outcome.verdict, expected.verdict, "exposes: {exposes}");
            assert_eq!(outcome.decoded_bytes, expected.decoded_bytes, "{:?}", outcome.verdict);
            assert!(bytes == plain, "{} bytes, not {}: {outcome:?}", bytes.len(), plain.len());
            let exposed = if exposes { bytes.len() as u64 } else { 0 };
            assert_eq!(outcome.exposed_bytes, exposed);
            assert!(outcome.encoded_bytes <= case.policy.limits.encoded + 1);
            assert!(bytes.len() as u64 <= case.policy.limits.decoded);
        }
    }
}

/// A body, its coding and media type, and its limits.
pub(crate) struct Case<'a> {
    body: &'a [u8],
    pub(crate) coding: Coding,
    media: Media,
    pub(crate) policy: Policy,
}

impl<'a> Case<'a> {
    pub(crate) fn of(input: Input<'a>) -> Self {
        let media = [Media::Json, Media::NdJson, Media::JsonSequence, Media::Text, Media::Octets];
        let limits = Limits {
            encoded: input.wide_dial(6),
            decoded: input.wide_dial(8),
            header: input.wide_dial(10),
            work: input.wide_dial(12),
            members: input.dial(4),
            record: input.wide_dial(14),
            records: input.dial(16),
            ..Limits::HOST
        };
        let mut policy = Policy::strict(limits);
        policy.zero_padding = input.chosen(5, 0);
        policy.empty_body = input.chosen(5, 1);
        policy.preview = input.chosen(5, 3).then(|| input.wide_dial(18));
        let coding = if input.chosen(5, 2) { Coding::Identity } else { Coding::Gzip };
        Self { body: input.body, coding, media: media[usize::from(input.dials[17]) % 5], policy }
    }

    pub(crate) fn inspector(&self) -> Inspector<Counted<64>> {
        Inspector::new(self.media, &self.policy.limits).expect("there is room for the levels")
    }

    /// The verdict and the decoded bytes before it, of one stage after the other.
    pub(crate) fn by_stages(&self) -> (Outcome, Vec<u8>) {
        // Bytes behind the limit are not looked at.
        let most = usize::try_from(self.policy.limits.encoded).unwrap_or(usize::MAX);
        let body = &self.body[..self.body.len().min(most)];
        let over = body.len() < self.body.len();
        let preview = self.policy.preview;
        let meter = Meter::decoded(self.policy.limits.decoded.min(preview.unwrap_or(u64::MAX)));
        let mut receive = conformance::Rig::<DefaultEngine>::new(0, 0, body.len()).receive;
        let seen = match self.coding {
            Coding::Gzip => {
                let (mut engine, mut ring) = (DefaultEngine::new(), vec![0; 1 << 15]);
                let ring = Ring::from_slice(&mut ring).expect("a power of two");
                let inflate = Inflate::new(&mut engine, ring, WorkMeter::new(self.policy.limits.work));
                let mut decoder = Inspected::new(Gunzip::new(inflate, self.gzip()), meter);
                decode_all(&mut decoder, body, Cut::Whole, &mut receive)
            }
            _ => {
                let mut decoder = Inspected::new(Identity::new(), meter);
                decode_all(&mut decoder, body, Cut::Whole, &mut receive)
            }
        };
        let mut plain = seen.bytes;
        let mut inspector = self.inspector();
        let decoded = plain.len() as u64;
        let stopped = |rejection: Rejection, decoded_bytes| (Verdict::Rejected(rejection), decoded_bytes);
        // Of what may be shown in part only, malformed text is refused at the end.
        let (inspected, put_off) = match inspector.inspect(&plain) {
            Err(refusal) if preview.is_some() && refusal.rejection.stage() == Stage::Text => {
                (Ok(()), Some(refusal.rejection))
            }
            inspected => (inspected, None),
        };
        let (verdict, decoded_bytes) = match (inspected, seen.verdict) {
            (Err(refusal), _) => {
                plain.truncate(refusal.accepted);
                stopped(refusal.rejection, refusal.accepted as u64 + 1)
            }
            // It is not the end yet.
            (Ok(()), end) if over && !decided(end) => {
                stopped(Rejection::limit_exceeded(Reason::EncodedLimit, most as u64), decoded)
            }
            (Ok(()), Err(rejection)) if rejection.reason() == Reason::DecodedLimit => {
                if preview == Some(decoded) {
                    (Verdict::Preview, decoded)
                } else {
                    stopped(rejection, decoded + 1)
                }
            }
            (Ok(()), Err(rejection)) => stopped(rejection, decoded),
            (Ok(()), Ok(())) => {
                let end = put_off.map_or_else(|| inspector.finish(), Err);
                (end.map_or_else(Verdict::Rejected, |()| Verdict::Complete), decoded)
            }
        };
        let outcome = Outcome {
            verdict,
            encoded_bytes: 0,
            decoded_bytes,
            lower_bound: false,
            exposed_bytes: 0,
            cancelled: false,
        };
        (outcome, plain)
    }

    fn gzip(&self) -> plimsoll::gzip::Policy {
        plimsoll::gzip::Policy {
            header_limit: self.policy.limits.header,
            members: self.policy.limits.members,
            trailing: if self.policy.zero_padding { Trailing::ZeroPadding } else { Trailing::Refuse },
            empty: self.policy.empty_body,
        }
    }

    fn ring(&self, engine: &mut DefaultEngine, pieces: &[&[u8]]) -> (Outcome, Vec<u8>) {
        let mut ring = vec![0xA5; 1 << 15];
        let ring = Ring::from_slice(&mut ring).expect("a power of two");
        let mut recorder = Recorder::<true>::new(u64::MAX);
        let head = Head::new(self.coding);
        let ingest = Ingest::ring(&head, &self.policy, engine, ring, self.inspector(), &mut recorder);
        let outcome = push(ingest, pieces);
        told(&recorder, &outcome);
        (outcome, recorder.bytes)
    }

    fn flat(&self, engine: &mut DefaultEngine, pieces: &[&[u8]]) -> (Outcome, Vec<u8>) {
        let mut output = vec![0xA5; usize::try_from(self.policy.limits.decoded).unwrap() + 16];
        let mut recorder = Recorder::<false>::new(u64::MAX);
        let decoder = FlatDecoder::new(self.coding, &self.policy, engine, &mut output);
        let head = Head::new(self.coding);
        let ingest = Ingest::new(&head, &self.policy, decoder, self.inspector(), &mut recorder);
        let outcome = push(ingest, pieces);
        told(&recorder, &outcome);
        (outcome, recorder.bytes)
    }
}

/// Whether a decoder that came to this would have said so before the end of its input.
fn decided(verdict: Result<(), Rejection>) -> bool {
    verdict.is_err_and(|rejection| rejection.reason() != Reason::IncompleteGzip)
}

fn push<D: plimsoll::Decode, I: Inspect, S: Sink>(mut ingest: Ingest<D, I, S>, pieces: &[&[u8]]) -> Outcome
where
    S::Error: core::fmt::Debug,
{
    let mut receive = Vec::new();
    for piece in pieces {
        receive.clear();
        receive.extend_from_slice(piece);
        let next = ingest.push(&receive).expect("a sink that works");
        receive.fill(conformance::POISON);
        if next == Next::Stop {
            break;
        }
    }
    ingest.finish().expect("a sink that works")
}

pub(crate) fn told<const EXPOSES: bool>(recorder: &Recorder<EXPOSES>, outcome: &Outcome) {
    let complete = u64::from(outcome.is_complete());
    assert_eq!((recorder.commits, recorder.discards), (complete, 1 - complete));
    assert!(!recorder.late, "the sink was told something after the last word");
}
