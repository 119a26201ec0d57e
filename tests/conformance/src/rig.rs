//! The memory that runs share: one engine, one ring, one output buffer, one receive buffer.
//!
//! Nothing is cleared between runs. Ring and output are filled with a pattern before each, and the receive
//! buffer with poison after each piece, so whatever is read from them without having been written is seen.

use core::ops::Range;

/// What history and output are filled with beforehand. The runs with one and with the other must not differ.
pub const PATTERNS: [u8; 2] = [0xA5, 0x1F];

/// What the receive buffer is filled with after each piece.
pub const POISON: u8 = 0x6E;

/// The memory of one run after the other.
#[derive(Debug)]
pub struct Rig<E> {
    /// The engine, with whatever the run before left in it.
    pub engine: E,
    /// A ring of the size asked for.
    pub ring: Vec<u8>,
    /// An output buffer of the size asked for.
    pub output: Vec<u8>,
    /// The one receive buffer.
    pub receive: Receive,
}

/// The receive buffer of a run.
#[derive(Debug)]
pub struct Receive {
    bytes: Vec<u8>,
}

impl<E: Default> Rig<E> {
    /// Memory for a ring of `ring` bytes, an output of `output` bytes and pieces of up to `piece` bytes.
    #[must_use]
    pub fn new(ring: usize, output: usize, piece: usize) -> Self {
        Self {
            engine: E::default(),
            ring: vec![0; ring],
            output: vec![0; output],
            receive: Receive { bytes: vec![POISON; piece.max(1)] },
        }
    }

    /// Fills ring and output with a pattern.
    pub fn fill(&mut self, pattern: u8) {
        self.ring.fill(pattern);
        self.output.fill(pattern);
    }
}

impl Receive {
    /// Puts a piece of `body` into the buffer, shows it to `take`, and overwrites it.
    pub fn with<R>(&mut self, body: &[u8], piece: Range<usize>, take: impl FnOnce(&[u8]) -> R) -> R {
        let held = &mut self.bytes[..piece.len()];
        held.copy_from_slice(&body[piece]);
        let answer = take(held);
        held.fill(POISON);
        answer
    }

    /// A piece that does not belong to the body.
    #[must_use]
    pub fn poison(&self) -> &[u8] {
        &self.bytes
    }
}
