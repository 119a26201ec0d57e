//! The boards and what runs on them.

/// One board.
pub(crate) struct Board {
    pub(crate) name: &'static str,
    pub(crate) target: &'static str,
    /// The emulator and the arguments that make it this board.
    pub(crate) emulator: &'static str,
    pub(crate) arguments: &'static [&'static str],
    /// Whether there is RAM for the asynchronous image, whose task is kept beside the document. The micro:bit is 300 bytes
    /// short of it.
    roomy: bool,
}

pub(crate) const BOARDS: [Board; 3] = [
    Board {
        name: "mps2-an386 (Cortex-M4)",
        target: "thumbv7em-none-eabihf",
        emulator: "qemu-system-arm",
        arguments: &["-machine", "mps2-an386", "-cpu", "cortex-m4"],
        roomy: true,
    },
    Board {
        name: "micro:bit (Cortex-M0)",
        target: "thumbv6m-none-eabi",
        emulator: "qemu-system-arm",
        arguments: &["-machine", "microbit"],
        roomy: false,
    },
    Board {
        name: "virt (RISC-V)",
        target: "riscv32imc-unknown-none-elf",
        emulator: "qemu-system-riscv32",
        arguments: &["-machine", "virt", "-bios", "none"],
        roomy: true,
    },
];

impl Board {
    /// The images that it runs.
    pub(crate) fn images(&self) -> impl Iterator<Item = &'static str> {
        let more = self.roomy.then_some("telemetry_async");
        ["board", "telemetry", "refusals"].into_iter().chain(more)
    }
}
