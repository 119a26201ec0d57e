//! What an image needs before its first line: vectors and start ([`image!`]), a line to the host
//! ([`semihosting`]), and an exact count of instructions ([`systick`]).
//!
//! This is the one place of the house with `unsafe`: each stands where the hardware leaves no other way.
#![no_std]

pub mod semihosting;
pub mod systick;

use core::panic::PanicInfo;

/// Makes an image of a function that takes nothing.
#[macro_export]
macro_rules! image {
    ($main:path) => {
        #[allow(unsafe_code, reason = "the start in assembler finds the image's function by this name")]
        #[unsafe(no_mangle)]
        extern "C" fn image_main() {
            $main();
            $crate::semihosting::exit(true);
        }
    };
}

/// A variable of an image, as firmware has it: static, and in `.bss` where its first value is zero. The image's
/// function runs once, so that each is lent once.
#[macro_export]
macro_rules! variable {
    ($type:ty = $value:expr) => {{
        static mut VARIABLE: $type = $value;
        #[allow(unsafe_code, reason = "only this line sees the variable, and it runs once")]
        let lent: &'static mut $type = unsafe { &mut *core::ptr::addr_of_mut!(VARIABLE) };
        lent
    }};
}

// The vectors, and the start: the hard-float ABI may use the FPU in any function, so it is switched on first;
// then .data is copied and .bss zeroed, in assembler because no Rust may run before that.
#[allow(unsafe_code, reason = "the processor starts here, before memory is what Rust needs it to be")]
mod start {
    core::arch::global_asm!(
        r#"
        .section .vectors, "a", %progbits
        .word __stack_top
        .word reset
        .rept 14
        .word fault
        .endr

        .section .text.start, "ax", %progbits
        .global reset
        .type reset, %function
        .thumb_func
    reset:
        ldr r0, =0xE000ED88
        ldr r1, [r0]
        orr r1, r1, #0xF00000
        str r1, [r0]
        dsb
        isb
        ldr r0, =__data_start
        ldr r1, =__data_end
        ldr r2, =__data_load
    1:  cmp r0, r1
        bhs 2f
        ldr r3, [r2], #4
        str r3, [r0], #4
        b 1b
    2:  ldr r0, =__bss_start
        ldr r1, =__bss_end
        movs r2, #0
    3:  cmp r0, r1
        bhs 4f
        str r2, [r0], #4
        b 3b
    4:  bl image_main

        .type fault, %function
        .thumb_func
    fault:
        movs r0, #0x18
        ldr r1, =0x20023
        bkpt 0xAB
        b fault
        "#
    );
}

#[panic_handler]
fn panicked(_: &PanicInfo<'_>) -> ! {
    semihosting::print("panicked\n");
    semihosting::exit(false)
}
