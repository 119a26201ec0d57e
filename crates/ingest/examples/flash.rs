//! A manifest into a flash partition: written as it comes, valid only when the body was complete.
//!
//! `cargo run -p plimsoll --example flash --features embedded-io`
//!
//! Two slots and a flag that says which of them counts. The body goes to the other slot through [`Staged`], and the flag is
//! turned over in its commit step, after CRC-32, length, JSON and everything else was checked. A power failure at any moment
//! leaves the old manifest. The body is never in RAM as a whole: only what the ring of 16 KiB holds, and a
//! packer that reaches further back is `window_too_small`.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "an example may stop"
)]

use core::convert::Infallible;

use embedded_io::{ErrorType, Write};
use plimsoll::json::Counted;
use plimsoll::{
    Coding, Head, Inspector, Limits, Media, Memory, NoClock, Outcome, Pace, Policy, Staged, Watch, read,
};

const SLOT: usize = 32 * 1024;
const PAGE: usize = 4096;

/// Two slots of NOR flash, whose bytes can be written once after an erase.
struct Flash {
    slots: [Vec<u8>; 2],
    valid: usize,
    written: usize,
}

impl Flash {
    fn new() -> Self {
        Self { slots: [vec![0xFF; SLOT], vec![0xFF; SLOT]], valid: 0, written: 0 }
    }

    fn erase(&mut self) {
        self.slots[1 - self.valid].chunks_mut(PAGE).for_each(|page| page.fill(0xFF));
        self.written = 0;
    }

    /// The one write that decides: a word in a page of its own.
    fn turn_over(&mut self) -> Result<(), Infallible> {
        self.valid = 1 - self.valid;
        Ok(())
    }

    fn manifest(&self) -> &[u8] {
        let slot = &self.slots[self.valid];
        &slot[..slot.iter().position(|&byte| byte == 0xFF).unwrap_or(SLOT)]
    }
}

impl ErrorType for Flash {
    type Error = Infallible;
}

impl Write for Flash {
    fn write(&mut self, run: &[u8]) -> Result<usize, Infallible> {
        let slot = &mut self.slots[1 - self.valid][self.written..][..run.len()];
        if slot.iter().any(|&byte| byte != 0xFF) {
            return Ok(0); // not erased: the sink makes it an error of the writer
        }
        slot.copy_from_slice(run);
        self.written += run.len();
        Ok(run.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

fn update(flash: &mut Flash, memory: &mut Memory<{ 16 * 1024 }>, body: &[u8]) -> Outcome {
    let policy = Policy::strict(Limits { decoded: SLOT as u64, ..Limits::SMALL_DEVICE });
    let json =
        Inspector::<Counted<16>>::new(Media::Json, &policy.limits).expect("16 levels, as the limits say");
    flash.erase();
    let sink = Staged::new(flash, SLOT as u64, |flash| flash.turn_over(), |flash| flash.erase());
    let machine = memory.ring(&Head::new(Coding::Gzip), &policy, json, sink);
    // On a device the source is the connection, and the clock its timer.
    read(machine, body, Watch::new(Pace::within(30_000), NoClock)).expect("a flash that can be written")
}

fn main() {
    let (mut flash, mut memory) = (Flash::new(), Memory::new());
    let body = include_bytes!("../../../fixtures/telemetry.json.gz");

    let outcome = update(&mut flash, &mut memory, &body[..body.len() - 1]);
    println!("cut: {:?}, {} bytes count", outcome.verdict, flash.manifest().len());
    assert!(flash.manifest().is_empty());

    let outcome = update(&mut flash, &mut memory, body);
    println!("whole: {:?}, {} bytes count", outcome.verdict, flash.manifest().len());
    assert_eq!(flash.manifest().len() as u64, outcome.decoded_bytes);

    let mut spoiled = body.to_vec();
    spoiled[body.len() - 5] ^= 1; // in the CRC-32
    let outcome = update(&mut flash, &mut memory, &spoiled);
    println!("spoiled: {:?}, the old {} bytes count", outcome.verdict, flash.manifest().len());
    assert!(!outcome.is_complete() && !flash.manifest().is_empty());
}
