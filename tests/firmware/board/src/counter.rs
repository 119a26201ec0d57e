//! How many instructions something takes. Under QEMU's `-icount shift=0` an instruction takes 1 ns of virtual time, so that
//! the boards' counters count instructions, the same number on every run. Without that option they count time.

/// How many instructions `run` took; `None` where the counter went round. `SysTick` holds 2^24 ticks: 671 million
/// instructions on the Cortex-M4, 1,048 million on the Cortex-M0.
pub fn count(run: &mut dyn FnMut()) -> Option<u64> {
    board::count(run)
}

#[cfg(target_arch = "arm")]
mod board {
    use cortex_m::Peripherals;
    use cortex_m::peripheral::SYST;
    use cortex_m::peripheral::syst::SystClkSource;

    /// Instructions in two ticks: 25 MHz on the mps2-an386, 16 MHz on the micro:bit.
    const IN_TWO_TICKS: u64 = if cfg!(board = "microbit") { 125 } else { 80 };
    const LARGEST: u32 = 0x00FF_FFFF;

    pub(super) fn count(run: &mut dyn FnMut()) -> Option<u64> {
        #[allow(unsafe_code, reason = "a timer that is taken as often as something is counted")]
        // SAFETY: Nothing else here uses SysTick, and it raises no interrupt.
        let mut timer = unsafe { Peripherals::steal() }.SYST;
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(LARGEST);
        timer.clear_current();
        timer.enable_counter();
        while SYST::get_current() == 0 {}
        let _ = timer.has_wrapped(); // Forgets the first reload.
        let start = SYST::get_current();
        run();
        let end = SYST::get_current();
        let ticks = start.wrapping_sub(end) & LARGEST;
        (!timer.has_wrapped()).then(|| u64::from(ticks).wrapping_mul(IN_TWO_TICKS) / 2)
    }
}

#[cfg(target_arch = "riscv32")]
mod board {
    use riscv::register::minstret;

    pub(super) fn count(run: &mut dyn FnMut()) -> Option<u64> {
        let start = minstret::read64();
        run();
        Some(minstret::read64().wrapping_sub(start))
    }
}
