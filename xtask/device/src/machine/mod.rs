//! As much of two instruction sets as it takes to know what a function calls and how much stack it keeps.
//!
//! Frames are also told by the compiler, in the section `.stack_sizes`; what is decoded here serves for the functions
//! that it did not compile with the image, which are those of `compiler_builtins`.

pub(crate) mod riscv;
pub(crate) mod thumb;

/// What an instruction does to the flow of control, where that leaves the function or may leave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    /// A call of the function at an address.
    Call(u32),
    /// A jump, conditional or not, to an address: within the function, or the tail call of another.
    Jump(u32),
    /// A call of what a register points at.
    IndirectCall,
    /// A jump to where a register points: a table of the function's own cases, or the tail call of another.
    IndirectJump,
}

/// What was found in one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Instruction {
    /// Its bytes.
    pub(crate) size: usize,
    /// Bytes by which it moves the stack pointer down.
    pub(crate) sinks: u32,
    pub(crate) flow: Option<Flow>,
}

/// The value that `bits` bits of `value` have as a two's complement.
const fn signed(value: u32, bits: u32) -> u32 {
    let shift = 32 - bits;
    (((value << shift) as i32) >> shift) as u32
}

/// Field `from` to `to`, both included.
const fn bits(value: u32, to: u32, from: u32) -> u32 {
    (value >> from) & ((1 << (to - from + 1)) - 1)
}
