//! Asks for the linker scripts of the board's runtime crate and of defmt, and says which board is short of RAM.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
    println!("cargo::rustc-link-arg-bins=-Tdefmt.x");
    println!("cargo::rustc-check-cfg=cfg(little_ram)");
    if std::env::var("TARGET")?.starts_with("thumbv6m") {
        println!("cargo::rustc-cfg=little_ram");
    }
    Ok(())
}
