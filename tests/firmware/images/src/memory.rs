//! The memory of one ingestion: the decompressor's tables and its history.
//!
//! With RAM to spare the history is a ring of 16 KiB, which reaches back as far as any document of that size can refer to, and
//! would do for longer ones that refer no farther. On the micro:bit the history is *flat*: the document as a whole, 11 KiB
//! of the 16 KiB that there are.

use plimsoll::{DefaultEngine, Head, Ingest, Inspect, Policy};

/// Bytes of history that the documents of the gateway need.
#[cfg(little_ram)]
pub const HISTORY: usize = 11_200;
/// Bytes of history that the documents of the gateway need, as a power of two.
#[cfg(not(little_ram))]
pub const HISTORY: usize = 16_384;

/// The decoder over this memory.
#[cfg(little_ram)]
pub type Decoder<'m> = plimsoll::FlatDecoder<'m, DefaultEngine>;
/// The decoder over this memory.
#[cfg(not(little_ram))]
pub type Decoder<'m> = plimsoll::RingDecoder<'m, DefaultEngine>;

/// All zeros at first, so that a `static` of it is in `.bss`.
pub struct Memory<const BYTES: usize = HISTORY> {
    /// The tables.
    pub engine: DefaultEngine,
    /// The history.
    pub history: [u8; BYTES],
}

impl<const BYTES: usize> Memory<BYTES> {
    /// Memory that holds nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { engine: DefaultEngine::new(), history: [0; BYTES] }
    }

    /// A push machine over this memory. No sink takes the body: what is wanted of it, the inspector keeps.
    pub fn machine<I: Inspect>(
        &mut self,
        head: &Head,
        policy: &Policy,
        inspector: I,
    ) -> Ingest<Decoder<'_>, I, ()> {
        let Self { engine, history } = self;
        #[cfg(little_ram)]
        return Ingest::flat(head, policy, engine, history, inspector);
        #[cfg(not(little_ram))]
        return Ingest::ring(head, policy, engine, plimsoll::Ring::new(history), inspector, ());
    }
}

impl<const BYTES: usize> Default for Memory<BYTES> {
    fn default() -> Self {
        Self::new()
    }
}
