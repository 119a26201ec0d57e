//! The line to the host: ARM semihosting, which QEMU answers.

/// `SYS_WRITEC`: one character.
const WRITE_CHARACTER: usize = 0x03;
/// `SYS_EXIT`.
const EXIT: usize = 0x18;
/// `ADP_Stopped_ApplicationExit` and `ADP_Stopped_RunTimeErrorUnknown`.
const STOPPED: [usize; 2] = [0x20023, 0x20026];

/// Prints text.
pub fn print(text: &str) {
    for byte in text.as_bytes() {
        call(WRITE_CHARACTER, core::ptr::from_ref(byte) as usize);
    }
}

/// Prints a number in decimal.
pub fn print_number(number: u64) {
    if number >= 10 {
        print_number(number / 10);
    }
    call(WRITE_CHARACTER, core::ptr::from_ref(&(b'0' + (number % 10) as u8)) as usize);
}

/// Ends the run; whether it went well is QEMU's exit status.
pub fn exit(well: bool) -> ! {
    loop {
        call(EXIT, STOPPED[usize::from(well)]);
    }
}

#[allow(unsafe_code, reason = "a breakpoint instruction is how semihosting is called")]
fn call(operation: usize, argument: usize) {
    // SAFETY: The host reads what `argument` points at, which outlives the call, and writes no memory.
    unsafe {
        core::arch::asm!("bkpt 0xAB", inout("r0") operation => _, in("r1") argument, options(nostack));
    }
}
