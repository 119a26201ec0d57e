//! Links every image for the board that `mps2-an386.ld` describes.

fn main() {
    println!("cargo::rustc-link-arg-bins=-T{}/mps2-an386.ld", env!("CARGO_MANIFEST_DIR"));
    println!("cargo::rerun-if-changed=mps2-an386.ld");
}
