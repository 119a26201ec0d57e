//! The memory of one ingestion as one struct for a `static`, and how much of it a policy needs.

use core::fmt;

use plimsoll_core::Inspect;
use plimsoll_inflate::{DefaultEngine, Engine, MAX_DISTANCE, Ring};

use crate::decoder::{FlatDecoder, RingDecoder};
use crate::head::Head;
use crate::ingest::Ingest;
use crate::policy::Policy;
use crate::sink::Sink;

/// An engine, and `BYTES` bytes that are the output of a flat decoder or the window of a ring.
///
/// [`new`](Self::new) is all zeros, so a `static` of it lies in `.bss`; its size is `size_of` of it. Nothing of a
/// body before can reach the next one, so it need not be cleared. Whoever has the engine and the bytes
/// elsewhere passes them to [`Ingest::flat`] or [`Ingest::ring`].
///
/// A device says at compile time that its memory and its policy fit:
///
/// ```
/// use plimsoll::{Coding, Head, Limits, Memory, Policy};
///
/// const POLICY: Policy = Policy::strict(Limits { decoded: 8192, ..Limits::SMALL_DEVICE });
/// const _: () = assert!(Memory::<8192>::holds_flat(&POLICY), "the output is smaller than the decoded limit");
///
/// let mut memory = Memory::<8192>::new(); // on a device: in a static
/// let mut ingest = memory.flat(&Head::new(Coding::Identity), &POLICY, ());
/// let Ok(_) = ingest.push(b"hello");
/// assert_eq!(ingest.finish_flat().1.map(|body| body.len()), Some(5));
/// ```
///
/// ```compile_fail
/// use plimsoll::{Limits, Memory, Policy};
///
/// const POLICY: Policy = Policy::strict(Limits { decoded: 8192, ..Limits::SMALL_DEVICE });
/// const _: () = assert!(Memory::<4096>::holds_flat(&POLICY), "the output is smaller than the decoded limit");
/// ```
pub struct Memory<const BYTES: usize, E = DefaultEngine> {
    engine: E,
    bytes: [u8; BYTES],
}

impl<const BYTES: usize> Memory<BYTES> {
    /// Memory that holds nothing, with the default engine.
    #[must_use]
    pub const fn new() -> Self {
        Self::with_engine(DefaultEngine::new())
    }
}

/// Without a byte of a body.
impl<const BYTES: usize, E> fmt::Debug for Memory<BYTES, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("bytes", &BYTES).finish_non_exhaustive()
    }
}

impl<const BYTES: usize> Default for Memory<BYTES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const BYTES: usize, E> Memory<BYTES, E> {
    /// Memory that holds nothing, with an engine of the caller's choice.
    #[must_use]
    pub const fn with_engine(engine: E) -> Self {
        Self { engine, bytes: [0; BYTES] }
    }

    /// Whether a flat decoder in this memory takes every body that the policy's decoded limit lets pass.
    #[must_use]
    pub const fn holds_flat(policy: &Policy) -> bool {
        flat_bytes(policy) <= BYTES as u64
    }

    /// Whether a ring in this memory takes every body that the policy's decoded limit lets pass, whatever
    /// window its encoder has.
    #[must_use]
    pub const fn holds_ring(policy: &Policy) -> bool {
        BYTES.is_power_of_two() && ring_bytes(policy) <= BYTES as u64
    }
}

impl<const BYTES: usize, E: Engine> Memory<BYTES, E> {
    /// Takes a body into this memory. See [`Ingest::flat`].
    #[must_use]
    pub fn flat<I: Inspect>(
        &mut self,
        head: &Head,
        policy: &Policy,
        inspector: I,
    ) -> Ingest<FlatDecoder<'_, E>, I, ()> {
        Ingest::flat(head, policy, &mut self.engine, &mut self.bytes, inspector)
    }

    /// Takes a body through this memory into `sink`. See [`Ingest::ring`]. It does not compile if `BYTES` is not a
    /// power of two.
    #[must_use]
    pub fn ring<I: Inspect, S: Sink>(
        &mut self,
        head: &Head,
        policy: &Policy,
        inspector: I,
        sink: S,
    ) -> Ingest<RingDecoder<'_, E>, I, S> {
        Ingest::ring(head, policy, &mut self.engine, Ring::new(&mut self.bytes), inspector, sink)
    }
}

/// How many bytes of output a flat decoder needs, so that no body within the policy is refused for want of
/// memory: the decoded limit.
#[must_use]
pub const fn flat_bytes(policy: &Policy) -> u64 {
    policy.limits.decoded
}

/// How many bytes of window a ring needs, so that no body within the policy is refused as `window_too_small`:
/// 32 KiB (RFC 1951, section 3.2.5), or the power of two that holds the decoded limit where that is less, since
/// no distance reaches before the start of the body.
#[must_use]
pub const fn ring_bytes(policy: &Policy) -> u64 {
    let farthest = MAX_DISTANCE as u64;
    let decoded = policy.limits.decoded;
    let needed = if decoded < farthest { decoded } else { farthest };
    needed.next_power_of_two()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Limits;

    const fn policy(decoded: u64) -> Policy {
        Policy::strict(Limits { decoded, ..Limits::HOST })
    }

    #[test]
    fn a_flat_decoder_needs_what_the_decoded_limit_lets_pass() {
        assert_eq!(flat_bytes(&policy(8192)), 8192);
        assert!(Memory::<8192>::holds_flat(&policy(8192)));
        assert!(!Memory::<8191>::holds_flat(&policy(8192)));
        assert!(Memory::<0>::holds_flat(&policy(0)));
    }

    #[test]
    fn a_ring_needs_no_more_than_32_kib_and_no_more_than_the_body() {
        let needed =
            [(0, 1), (1, 1), (5, 8), (4096, 4096), (4097, 8192), (32_767, 32_768), (u64::MAX, 32_768)];
        for (decoded, bytes) in needed {
            assert_eq!(ring_bytes(&policy(decoded)), bytes, "{decoded}");
        }
        assert!(Memory::<32_768>::holds_ring(&policy(u64::MAX)));
        assert!(!Memory::<16_384>::holds_ring(&policy(u64::MAX)));
        assert!(!Memory::<40_000>::holds_ring(&policy(u64::MAX)));
    }
}
