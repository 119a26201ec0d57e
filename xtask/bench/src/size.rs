//! What a primitive takes of a device: for each `size-*` image of `xtask/metal`, linked with LTO for
//! thumbv7em, the flash over that of the image that does nothing, the static RAM, and the symbols of
//! panic machinery and of an allocator, of which there should be none. The flash is told apart: code, constants,
//! and the copying and clearing of memory that the compiler links from `compiler_builtins`, which firmware has once.

use core::fmt;
use std::fs;

use serde_json::{Value, json};

use crate::corpora::Corpora;
use crate::elf::{Image, Symbol};
use crate::metal::Images;
use crate::rounds::Settings;

const PREFIX: &str = "size-";
const EMPTY: &str = "empty";

/// Parts of the names of functions that panic, or that only a panic calls.
const PANIC: [&str; 7] =
    ["panic", "unwind", "unwrap_failed", "expect_failed", "index_fail", "slice_error", "mismatch_fail"];
const ALLOCATOR: [&str; 3] = ["__rust_alloc", "__rust_realloc", "handle_alloc_error"];

/// What the names of the compiler's functions for memory begin with or hold.
const MEMORY: [&str; 5] = ["__aeabi_mem", "compiler_builtins", "memcpy", "memmove", "memset"];

/// One image at one level.
struct Footprint {
    name: String,
    level: String,
    flash: usize,
    /// Of the flash, code without what is in `memory`.
    code: usize,
    constants: usize,
    memory: usize,
    ram: usize,
    panic: Vec<String>,
    allocator: Vec<String>,
}

/// The report.
pub(crate) struct Sizes(Vec<Footprint>);

pub(crate) fn run(settings: &Settings, levels: &[String]) -> Sizes {
    let images = Images::new(&Corpora::locate());
    let measure = |name: &str, level: &str| {
        let path = images.build(name, level);
        Image::parse(&fs::read(path).expect("the image was just built"))
    };
    let mut sizes = Vec::new();
    for level in levels {
        let nothing = measure(&format!("{PREFIX}{EMPTY}"), level);
        for image in images.names(PREFIX) {
            let name = image.trim_start_matches(PREFIX).to_owned();
            if name == EMPTY || !settings.filter.as_ref().is_none_or(|filter| name.contains(filter)) {
                continue;
            }
            let Image { flash, code, ram, symbols } = measure(&image, level);
            let having = |parts: &[&str]| -> Vec<&Symbol> {
                symbols.iter().filter(|symbol| parts.iter().any(|part| symbol.name.contains(part))).collect()
            };
            let named = |parts: &[&str]| having(parts).iter().map(|symbol| symbol.name.clone()).collect();
            let memory = having(&MEMORY).iter().map(|symbol| symbol.size).sum();
            let (flash, code) = (flash.saturating_sub(nothing.flash), code.saturating_sub(nothing.code));
            sizes.push(Footprint {
                name,
                level: level.clone(),
                flash,
                code: code.saturating_sub(memory),
                constants: flash.saturating_sub(code),
                memory,
                ram: ram.saturating_sub(nothing.ram),
                panic: named(&PANIC),
                allocator: named(&ALLOCATOR),
            });
        }
    }
    Sizes(sizes)
}

impl Sizes {
    /// The report for machines: `{"kind", "unit", "results": [...]}`.
    pub(crate) fn to_json(&self) -> Value {
        let results: Vec<Value> = self
            .0
            .iter()
            .map(|size| {
                json!({
                    "image": size.name, "opt_level": size.level, "flash": size.flash, "code": size.code,
                    "constants": size.constants, "memory": size.memory, "ram": size.ram, "panic": size.panic, "allocator": size.allocator,
                })
            })
            .collect();
        json!({ "kind": "size", "unit": "bytes", "results": results })
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "size: thumbv7em, LTO, bytes over an image that does nothing.\n")?;
        writeln!(
            f,
            "{:<32}{:>6}{:>8}{:>8}{:>11}{:>8}{:>8}",
            "image", "opt", "flash", "code", "constants", "memory", "ram"
        )?;
        for size in &self.0 {
            let Footprint { name, level, flash, code, constants, memory, ram, .. } = size;
            writeln!(f, "{name:<32}{level:>6}{flash:>8}{code:>8}{constants:>11}{memory:>8}{ram:>8}")?;
            for symbol in size.panic.iter().chain(&size.allocator) {
                writeln!(f, "  holds {symbol}")?;
            }
        }
        Ok(())
    }
}
