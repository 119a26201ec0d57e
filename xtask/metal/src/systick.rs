//! Exact instruction counts. Under QEMU's `-icount shift=0` an instruction takes 1 ns, and SysTick counts 25
//! MHz: a tick is 40 instructions, and its 24 bits hold 671 million.

use core::ptr;

const CONTROL: *mut u32 = 0xE000_E010 as *mut u32;
const RELOAD: *mut u32 = 0xE000_E014 as *mut u32;
const CURRENT: *mut u32 = 0xE000_E018 as *mut u32;

const ENABLE_FROM_CORE_CLOCK: u32 = 0b101;
const WRAPPED: u32 = 1 << 16;
const LARGEST: u32 = 0x00FF_FFFF;
const INSTRUCTIONS: u64 = 40;

/// How many instructions `run` took, to the next 40; `None` where the counter went round.
pub fn count(run: &mut dyn FnMut()) -> Option<u64> {
    write(RELOAD, LARGEST);
    write(CURRENT, 0);
    write(CONTROL, ENABLE_FROM_CORE_CLOCK);
    while read(CURRENT) == 0 {}
    let _ = read(CONTROL); // Clears the mark of the first reload.
    let start = read(CURRENT);
    run();
    let end = read(CURRENT);
    let wrapped = read(CONTROL) & WRAPPED != 0;
    (!wrapped).then(|| u64::from(start.wrapping_sub(end) & LARGEST) * INSTRUCTIONS)
}

#[allow(unsafe_code, reason = "a register of the processor")]
fn read(register: *mut u32) -> u32 {
    // SAFETY: Called with the three registers above only, which every Cortex-M4 has.
    unsafe { ptr::read_volatile(register) }
}

#[allow(unsafe_code, reason = "a register of the processor")]
fn write(register: *mut u32, value: u32) {
    // SAFETY: As in `read`; writing them starts and stops a timer and touches no memory.
    unsafe { ptr::write_volatile(register, value) }
}
