//! The boards that images run on, all of them in QEMU:
//!
//! | target | board | memory | an instruction counter |
//! |---|---|---|---|
//! | `thumbv7em-none-eabihf` | `mps2-an386`, Cortex-M4F | 4 MiB flash, 4 MiB RAM | `SysTick`, to the next 40 |
//! | `thumbv6m-none-eabi` | `microbit`, Cortex-M0 | 256 KiB flash, 16 KiB RAM | `SysTick`, to the next 63 |
//! | `riscv32imc-unknown-none-elf` | `virt` | 4 MiB as flash, 4 MiB RAM | `minstret`, exact |
//!
//! Start and linker scripts are those of `cortex-m-rt` and `riscv-rt`; what an image's build script asks the linker for
//! is `-Tlink.x`, and `-Tdefmt.x` where it logs. An image is [`image!`] with its function, and either [`no_panics!`] or
//! [`panics_end!`].
//!
//! Text goes to the host's standard output ([`print`](semihosting::print)) and log frames to its standard error ([`log`]),
//! both through semihosting. [`counter`] counts instructions, [`stack`] tells how deep the stack was.
//!
//! What is `unsafe` in the firmware stands here, and in the image that tests this crate: where the hardware leaves no other
//! way, each with its reason.
#![no_std]

pub mod counter;
mod fault;
#[cfg(feature = "defmt")]
mod log;
mod panics;
pub mod semihosting;
pub mod stack;

#[cfg(target_arch = "riscv32")]
use riscv_rt as _; // for its start

pub use semihosting::{exit, print, print_number};

/// Makes an image of a function that takes nothing. When it returns, the run has gone well, unless the stack has used up
/// its room: then it has probably written over statics, which no processor here would notice. A large frame may leap over the
/// last word of the room and leave it untouched; that is not seen.
#[macro_export]
macro_rules! image {
    ($main:path) => {
        #[allow(unsafe_code, reason = "the runtime's start finds the image's function by this name")]
        #[unsafe(export_name = "main")]
        extern "C" fn image_main() -> ! {
            $crate::stack::paint();
            $main();
            $crate::end()
        }
    };
}

/// Ends a run that has gone well, unless the stack was too deep.
pub fn end() -> ! {
    let fits = stack::high_water() < stack::room();
    if !fits {
        print("the stack was too deep\n");
    }
    exit(fits)
}
