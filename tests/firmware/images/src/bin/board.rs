//! Whether the board can be relied on: what it prints, counts and finds on its stack is known beforehand.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_board::{counter, print, print_number, stack};

plimsoll_board::no_panics!();
plimsoll_board::image!(run);

fn run() {
    numbers();
    instructions();
    stack_depth();
}

/// Both ends of the range.
fn numbers() {
    for number in [0, 7, 10, u64::MAX] {
        print_number(number);
        print("\n");
    }
}

/// 20,000 instructions are counted as such, to what the coarsest timer may miss at either end.
fn instructions() {
    let counted = counter::count(&mut || spend(10_000)).unwrap_or(0);
    print(if (20_000..20_200).contains(&counted) {
        "20000 instructions\n"
    } else {
        "not 20000 instructions\n"
    });
}

/// Takes two instructions per round.
fn spend(rounds: usize) {
    #[allow(unsafe_code, reason = "only in assembler is the number of instructions known")]
    // SAFETY: It counts a register down.
    unsafe {
        #[cfg(target_arch = "arm")]
        core::arch::asm!("2: subs {0}, #1", "bne 2b", inout(reg) rounds => _, options(nomem, nostack));
        #[cfg(target_arch = "riscv32")]
        core::arch::asm!("2: addi {0}, {0}, -1", "bnez {0}, 2b", inout(reg) rounds => _, options(nomem, nostack));
    }
}

/// A function that keeps 4,000 bytes needs as many, and little more.
fn stack_depth() {
    let used = stack::used(&mut keep::<4000>);
    print(if (4000..4200).contains(&used) { "4000 bytes deep\n" } else { "not 4000 bytes deep\n" });
}

#[inline(never)]
fn keep<const BYTES: usize>() {
    black_box([1_u8; BYTES]);
}
