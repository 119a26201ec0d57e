//! What the processor finds wrong ends the run as failed, so that nothing waits for the time limit.

use crate::semihosting::{exit, print};

#[cfg(target_arch = "arm")]
#[allow(unsafe_code, reason = "the vector table finds the handler by this name")]
#[cortex_m_rt::exception]
unsafe fn HardFault(_: &cortex_m_rt::ExceptionFrame) -> ! {
    print("hard fault\n");
    exit(false)
}

#[cfg(target_arch = "riscv32")]
#[allow(unsafe_code, reason = "the runtime's trap goes by this name")]
#[unsafe(export_name = "abort")]
extern "C" fn trapped() -> ! {
    print("trap\n");
    exit(false)
}
