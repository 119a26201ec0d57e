//! Chooses the board of the target, for the code as `cfg(board = "...")`, and puts its memory map where the linker
//! scripts of the runtime crates look for it.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let board = match std::env::var("TARGET")?.as_str() {
        "thumbv7em-none-eabi" | "thumbv7em-none-eabihf" => "mps2-an386",
        "thumbv6m-none-eabi" => "microbit",
        "riscv32imc-unknown-none-elf" => "virt",
        target => return Err(format!("there is no board for {target}").into()),
    };
    println!("cargo::rustc-check-cfg=cfg(board, values(\"mps2-an386\", \"microbit\", \"virt\"))");
    println!("cargo::rustc-cfg=board=\"{board}\"");

    let map = format!("{board}.x");
    println!("cargo::rerun-if-changed={map}");
    let out = std::env::var("OUT_DIR")?;
    std::fs::copy(map, Path::new(&out).join("memory.x"))?;
    println!("cargo::rustc-link-search={out}");
    Ok(())
}
