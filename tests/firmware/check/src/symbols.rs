//! What may not be in an image: panics, and an allocator.
//!
//! A panic keeps an image from linking, see `no_panics!` of the board; that this is so for each image is seen here as
//! well, by the names of what it consists of.

use object::read::elf::ElfFile32;
use object::{Object, ObjectSymbol};

use crate::Outcome;

/// Parts of names, as they are mangled.
const FORBIDDEN: [&str; 6] =
    ["panicking", "rust_begin_unwind", "panic_fmt", "slice_index_fail", "_alloc", "5alloc"];

/// Refuses an image with a symbol that may not be there.
pub(crate) fn check(elf: &[u8]) -> Outcome {
    let file: ElfFile32<'_> = ElfFile32::parse(elf)?;
    let names: Vec<_> = file.symbols().filter_map(|symbol| symbol.name().ok()).collect();
    // Without symbols there would be nothing to find.
    if !names.contains(&"main") {
        return Err("it has no symbols".into());
    }
    let forbidden = |name: &&&str| FORBIDDEN.iter().any(|part| name.contains(part));
    match names.iter().find(forbidden) {
        Some(name) => Err(format!("it has `{name}`").into()),
        None => Ok(()),
    }
}
