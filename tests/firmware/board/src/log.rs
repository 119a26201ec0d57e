//! Where defmt's frames go: to the host's standard error, apart from the text on its standard output.
//!
//! As `defmt-semihosting`, but without its panics, which would stay in every image.

use core::cell::UnsafeCell;

use critical_section::RestoreState;
use defmt::Encoder;

use crate::semihosting::send;

#[defmt::global_logger]
struct Logger;

/// What a frame needs while it is written.
struct Line {
    encoder: Encoder,
    restore: RestoreState,
}

struct Exclusive(UnsafeCell<Line>);

#[allow(unsafe_code, reason = "a static that one frame at a time uses")]
// SAFETY: Used from `acquire` to `release` only, which is one critical section.
unsafe impl Sync for Exclusive {}

static LINE: Exclusive =
    Exclusive(UnsafeCell::new(Line { encoder: Encoder::new(), restore: RestoreState::invalid() }));

#[allow(unsafe_code, reason = "defmt's contract, and that of critical sections")]
// SAFETY: `acquire` begins a critical section and `release` ends it, so no other frame comes between.
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        // SAFETY: Released by `release`, which defmt calls after each `acquire`.
        let restore = unsafe { critical_section::acquire() };
        // SAFETY: In the critical section, and defmt calls `acquire` not again before `release`.
        let line = unsafe { &mut *LINE.0.get() };
        line.restore = restore;
        line.encoder.start_frame(send);
    }

    unsafe fn flush() {
        // The host has everything that was written.
    }

    unsafe fn release() {
        // SAFETY: In the critical section that `acquire` began.
        let Line { encoder, restore } = unsafe { &mut *LINE.0.get() };
        encoder.end_frame(send);
        // SAFETY: The state that the critical section began with.
        unsafe { critical_section::release(*restore) };
    }

    unsafe fn write(bytes: &[u8]) {
        // SAFETY: In the critical section that `acquire` began.
        let Line { encoder, .. } = unsafe { &mut *LINE.0.get() };
        encoder.write(bytes, send);
    }
}
