//! The line to the host: semihosting, which QEMU answers on all three boards with `-semihosting-config
//! enable=on,target=native`.
//!
//! Three operations of Arm's specification of semihosting, which that of RISC-V takes over. The crates that have them bring
//! panics or `core::fmt`, neither of which may be in an image.

use core::ffi::CStr;
use core::sync::atomic::{AtomicUsize, Ordering};

/// `SYS_OPEN`: a file's name, how to open it, the name's length; answers a handle, which is not 0.
const OPEN: usize = 0x01;
/// `SYS_WRITE`: a handle, bytes, how many.
const WRITE: usize = 0x05;
/// `SYS_EXIT`: a reason.
const EXIT: usize = 0x18;

/// The console.
const CONSOLE: &CStr = c":tt";
/// Opened as `w` it is standard output, opened as `a` it is standard error.
const AS_OUTPUT: usize = 4;
const AS_ERROR: usize = 8;

/// `ADP_Stopped_ApplicationExit` and `ADP_Stopped_RunTimeErrorUnknown`.
const WELL: usize = 0x20026;
const NOT_WELL: usize = 0x20023;

/// Prints text on the host's standard output.
pub fn print(text: &str) {
    static OUTPUT: Stream = Stream::new(AS_OUTPUT);
    OUTPUT.write(text.as_bytes());
}

/// Prints a number in decimal. Formatting by `core::fmt` would bring several kilobytes.
pub fn print_number(number: u64) {
    let mut digits = [0; 20]; // as many as the greatest has
    let mut rest = number;
    let mut start = digits.len();
    for digit in digits.iter_mut().rev() {
        *digit = b'0' | (rest % 10) as u8;
        rest /= 10;
        start = start.saturating_sub(1);
        if rest == 0 {
            break;
        }
    }
    print(digits.get(start..).and_then(|digits| core::str::from_utf8(digits).ok()).unwrap_or(""));
}

/// Sends bytes to the host's standard error.
pub fn send(bytes: &[u8]) {
    static ERROR: Stream = Stream::new(AS_ERROR);
    ERROR.write(bytes);
}

/// Ends the run. Whether it went well is QEMU's exit status: 0 or 1.
pub fn exit(well: bool) -> ! {
    loop {
        call(EXIT, if well { WELL } else { NOT_WELL });
    }
}

/// A stream of the host, opened when it is first used.
struct Stream {
    mode: usize,
    /// 0 until then.
    handle: AtomicUsize,
}

impl Stream {
    const fn new(mode: usize) -> Self {
        Self { mode, handle: AtomicUsize::new(0) }
    }

    /// Whether the host takes the bytes is not looked at: there is nobody else to tell.
    fn write(&self, bytes: &[u8]) {
        let mut handle = self.handle.load(Ordering::Relaxed);
        if handle == 0 {
            let name = [CONSOLE.as_ptr().expose_provenance(), self.mode, CONSOLE.count_bytes()];
            handle = call(OPEN, (&raw const name).expose_provenance());
            self.handle.store(handle, Ordering::Relaxed);
        }
        let block = [handle, bytes.as_ptr().expose_provenance(), bytes.len()];
        call(WRITE, (&raw const block).expose_provenance());
    }
}

/// Asks the host. `argument` is a number or the address of a block of them, as the operation has it.
fn call(operation: usize, argument: usize) -> usize {
    let answer;
    #[allow(unsafe_code, reason = "an instruction that stops the processor is how the host is asked")]
    // SAFETY: What the operations above are given they only read, and it outlives the call.
    unsafe {
        #[cfg(target_arch = "arm")]
        core::arch::asm!(
            "bkpt 0xAB",
            inout("r0") operation => answer, inout("r1") argument => _,
            options(nostack, readonly)
        );
        // The two instructions around the breakpoint do nothing but tell it from others. None of the three is compressed,
        // and all are in one page.
        #[cfg(target_arch = "riscv32")]
        core::arch::asm!(
            ".balign 16",
            ".option push",
            ".option norvc",
            "slli x0, x0, 0x1f",
            "ebreak",
            "srai x0, x0, 7",
            ".option pop",
            inout("a0") operation => answer, inout("a1") argument => _,
            options(nostack, readonly)
        );
    }
    answer
}
