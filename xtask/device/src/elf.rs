//! What a linked image holds: its sections, its functions, and the frames that the compiler tells.

use std::collections::BTreeMap;

use object::elf::{FileHeader32, SHF_ALLOC, SHF_EXECINSTR, SHF_WRITE, SHT_NOBITS};
use object::read::elf::{ElfFile32, SectionHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SymbolKind};

/// What an image takes of the device, and what is in it.
pub(crate) struct Image {
    /// Bytes of vectors, code, constants and the load image of initialised variables.
    pub(crate) flash: u32,
    /// Of these, the code.
    pub(crate) code: u32,
    /// Bytes of variables, the stack not included.
    pub(crate) memory: u32,
    /// Functions, by address.
    pub(crate) functions: BTreeMap<u32, Function>,
    /// Everything that has a name.
    pub(crate) symbols: Vec<Symbol>,
    /// Bytes of the frame of the function at an address, as the compiler tells.
    pub(crate) frames: BTreeMap<u32, u32>,
    /// Where stretches of instructions (`true`) and of constants among them (`false`) begin.
    pub(crate) stretches: BTreeMap<u32, bool>,
    sections: Vec<(u32, Vec<u8>)>,
}

/// A function of the image.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) size: u32,
}

/// A name in the image.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) size: u32,
}

impl Image {
    /// Reads a linked image.
    pub(crate) fn parse(elf: &[u8]) -> Self {
        let file = ElfFile32::<Endianness>::parse(elf).expect("an image is an ELF32 file");
        let mut image = Self {
            flash: 0,
            code: 0,
            memory: 0,
            functions: BTreeMap::new(),
            symbols: Vec::new(),
            frames: BTreeMap::new(),
            stretches: BTreeMap::new(),
            sections: Vec::new(),
        };
        for section in file.sections() {
            let header: &<FileHeader32<Endianness> as object::read::elf::FileHeader>::SectionHeader =
                section.elf_section_header();
            let flags = header.sh_flags(file.endian());
            let has = |flag| flags & flag == flag;
            let size = section.size() as u32;
            let data = section.data().unwrap_or_default();
            if section.name() == Ok(".stack_sizes") {
                image.frames = frames(data);
            }
            if !has(SHF_ALLOC) {
                continue;
            }
            image.sections.push((section.address() as u32, data.to_vec()));
            if header.sh_type(file.endian()) != SHT_NOBITS {
                image.flash += size;
            }
            if has(SHF_EXECINSTR) {
                image.code += size;
            }
            // The runtime of RISC-V has what is left of the memory as sections.
            if has(SHF_WRITE) && !matches!(section.name(), Ok(".stack" | ".heap")) {
                image.memory += size;
            }
        }
        for symbol in file.symbols() {
            let Ok(name) = symbol.name() else { continue };
            let (address, size) = (symbol.address() as u32, symbol.size() as u32);
            let kind = name.split('.').next().unwrap_or_default();
            if matches!(kind, "$t" | "$x" | "$d") || kind.starts_with("$xrv") {
                image.stretches.insert(address, kind != "$d");
                continue;
            }
            let name = format!("{:#}", rustc_demangle::demangle(name));
            if symbol.kind() == SymbolKind::Text && symbol.is_definition() {
                image.functions.insert(address & !1, Function { name: name.clone(), size });
            }
            if symbol.is_definition() && !name.is_empty() {
                image.symbols.push(Symbol { name, size });
            }
        }
        image
    }

    /// The bytes from `address` on, to the end of their section.
    pub(crate) fn bytes(&self, address: u32) -> &[u8] {
        self.sections
            .iter()
            .find_map(|(start, data)| data.get(address.checked_sub(*start)? as usize..))
            .unwrap_or_default()
    }

    /// The word at `address`.
    pub(crate) fn word(&self, address: u32) -> Option<u32> {
        self.bytes(address).first_chunk().map(|&word| u32::from_le_bytes(word))
    }

    /// All aligned words of the image.
    pub(crate) fn words(&self) -> impl Iterator<Item = u32> {
        self.sections.iter().flat_map(|(_, data)| {
            data.chunks_exact(4).filter_map(|word| word.first_chunk().map(|&word| u32::from_le_bytes(word)))
        })
    }

    /// The address of a function.
    pub(crate) fn function(&self, name: &str) -> Option<u32> {
        self.functions.iter().find(|(_, function)| function.name == name).map(|(&address, _)| address)
    }

    /// The function that `address` is in.
    pub(crate) fn function_at(&self, address: u32) -> Option<u32> {
        let (&start, function) = self.functions.range(..=address).next_back()?;
        (address - start < function.size.max(1)).then_some(start)
    }
}

/// A section `.stack_sizes`: for each function its address and, in LEB128, the bytes of its frame.
fn frames(mut data: &[u8]) -> BTreeMap<u32, u32> {
    let mut frames = BTreeMap::new();
    while let Some((&address, rest)) = data.split_first_chunk() {
        let length = rest.iter().position(|byte| byte & 0x80 == 0).map_or(rest.len(), |last| last + 1);
        let (number, behind) = rest.split_at(length);
        let frame = number.iter().rev().fold(0, |frame, byte| frame << 7 | u32::from(byte & 0x7F));
        frames.insert(u32::from_le_bytes(address) & !1, frame);
        data = behind;
    }
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_has_an_address_and_a_number_of_any_length() {
        let data = [1, 0, 0, 0x20, 0x08, 0x10, 0, 0, 0, 0x88, 0x0B];
        assert_eq!(frames(&data), BTreeMap::from([(0x2000_0000, 8), (0x10, 1416)]));
    }
}
