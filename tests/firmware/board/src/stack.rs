//! How deep the stack was, found by painting it: what is still painted was not used.
//!
//! The stack has all RAM behind the statics, and grows downwards. A word that was used and happens to hold the paint at the
//! deepest place would be missed; nothing else is estimated.

use core::ptr::{read_volatile, with_exposed_provenance};

const PAINT: u32 = 0xAC1D_F00D;
const WORD: usize = size_of::<u32>();

#[allow(unsafe_code, reason = "symbols of the linker script, of which the address is all there is")]
mod symbols {
    unsafe extern "C" {
        /// The end of RAM, where the stack starts.
        #[link_name = "_stack_start"]
        safe static TOP: u32;
        /// The end of the statics, where the stack must end.
        #[cfg_attr(target_arch = "arm", link_name = "_stack_end")]
        #[cfg_attr(target_arch = "riscv32", link_name = "__eheap")]
        safe static BOTTOM: u32;
    }

    pub(super) fn top() -> usize {
        (&raw const TOP).expose_provenance()
    }

    pub(super) fn bottom() -> usize {
        (&raw const BOTTOM).expose_provenance()
    }
}

/// How many bytes of RAM the image leaves for the stack.
#[must_use]
pub fn room() -> usize {
    symbols::top().wrapping_sub(symbols::bottom())
}

/// How many bytes of stack `run` needs beyond those in use where this is called, its own call included.
pub fn used(run: &mut dyn FnMut()) -> usize {
    let from = paint();
    run();
    from.saturating_sub(deepest())
}

/// How many bytes of stack were in use at the deepest place since [`paint`] was called, and at its call.
#[must_use]
pub fn high_water() -> usize {
    symbols::top().wrapping_sub(deepest())
}

/// Paints all that is not in use, and says where that ends.
#[inline(never)]
pub fn paint() -> usize {
    let end: usize;
    // In one piece, so that the compiler keeps nothing below the stack pointer that is looked at.
    #[allow(unsafe_code, reason = "memory that belongs to no object, up to where a register points")]
    // SAFETY: Aligned, within RAM, behind all statics and below the stack pointer: nothing lives there.
    unsafe {
        #[cfg(target_arch = "arm")]
        core::arch::asm!(
            "2: cmp {address}, sp",
            "bhs 3f",
            "str {paint}, [{address}]",
            "adds {address}, #4",
            "b 2b",
            "3:",
            address = inout(reg) symbols::bottom() => end,
            paint = in(reg) PAINT,
        );
        #[cfg(target_arch = "riscv32")]
        core::arch::asm!(
            "2: bgeu {address}, sp, 3f",
            "sw {paint}, 0({address})",
            "addi {address}, {address}, 4",
            "j 2b",
            "3:",
            address = inout(reg) symbols::bottom() => end,
            paint = in(reg) PAINT,
        );
    }
    end
}

/// The lowest address that is no longer painted.
fn deepest() -> usize {
    let mut address = symbols::bottom();
    while address < symbols::top() {
        #[allow(unsafe_code, reason = "memory that belongs to no object")]
        // SAFETY: Aligned and within RAM; a word of any content may be read.
        let word: u32 = unsafe { read_volatile(with_exposed_provenance(address)) };
        if word != PAINT {
            break;
        }
        address = address.wrapping_add(WORD);
    }
    address
}
