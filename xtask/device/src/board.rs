//! The boards that the images run on: those of `tests/firmware/board`.

/// An instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Set {
    Thumb,
    RiscV,
}

/// A board, and the target that images for it have.
#[derive(Debug)]
pub(crate) struct Board {
    pub(crate) name: &'static str,
    pub(crate) target: &'static str,
    pub(crate) set: Set,
    /// What runs an image, which comes behind it.
    pub(crate) qemu: &'static [&'static str],
}

pub(crate) const BOARDS: [Board; 3] = [
    Board {
        name: "Cortex-M4",
        target: "thumbv7em-none-eabihf",
        set: Set::Thumb,
        qemu: &["qemu-system-arm", "-machine", "mps2-an386", "-cpu", "cortex-m4"],
    },
    Board {
        name: "Cortex-M0",
        target: "thumbv6m-none-eabi",
        set: Set::Thumb,
        qemu: &["qemu-system-arm", "-machine", "microbit"],
    },
    Board {
        name: "RV32IMC",
        target: "riscv32imc-unknown-none-elf",
        set: Set::RiscV,
        qemu: &["qemu-system-riscv32", "-machine", "virt", "-bios", "none"],
    },
];
