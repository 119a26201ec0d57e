//! Asks for the linker script of the board's runtime crate.

fn main() {
    println!("cargo::rustc-link-arg-bins=-Tlink.x");
}
