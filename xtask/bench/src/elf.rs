//! As much of ELF32, little-endian, as the size of an image asks for: its sections and its symbols.

/// `SHF_WRITE`, `SHF_ALLOC`, `SHF_EXECINSTR`.
const WRITE: u32 = 1;
const ALLOC: u32 = 2;
const EXECUTE: u32 = 4;
/// `SHT_SYMTAB`, `SHT_NOBITS`.
const SYMBOLS: u32 = 2;
const NO_BITS: u32 = 8;

/// What an image takes of the device, and the names of what is in it.
pub(crate) struct Image {
    /// Bytes of vectors, code, constants and the load image of initialised variables.
    pub(crate) flash: usize,
    /// Of these, the code.
    pub(crate) code: usize,
    /// Bytes of variables, the stack not included.
    pub(crate) ram: usize,
    pub(crate) symbols: Vec<Symbol>,
}

/// A function or an object.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    /// Bytes.
    pub(crate) size: usize,
}

struct Section {
    kind: u32,
    flags: u32,
    offset: usize,
    size: usize,
    link: usize,
}

impl Image {
    /// Reads a linked image.
    pub(crate) fn parse(elf: &[u8]) -> Self {
        assert!(elf.starts_with(b"\x7fELF\x01\x01"), "not a little-endian ELF32");
        let (start, entry, count) = (word(elf, 0x20) as usize, half(elf, 0x2E), half(elf, 0x30));
        let sections: Vec<Section> = (0..count)
            .map(|index| {
                let at = start + index * entry;
                Section {
                    kind: word(elf, at + 4),
                    flags: word(elf, at + 8),
                    offset: word(elf, at + 16) as usize,
                    size: word(elf, at + 20) as usize,
                    link: word(elf, at + 24) as usize,
                }
            })
            .collect();
        let loaded = sections.iter().filter(|section| section.flags & ALLOC != 0);
        let variable = |section: &&Section| section.flags & WRITE != 0;
        Self {
            flash: loaded.clone().filter(|section| section.kind != NO_BITS).map(|section| section.size).sum(),
            code: loaded
                .clone()
                .filter(|section| section.flags & EXECUTE != 0)
                .map(|section| section.size)
                .sum(),
            ram: loaded.filter(variable).map(|section| section.size).sum(),
            symbols: symbols(elf, &sections),
        }
    }
}

/// What the symbol table names, files and sections left out.
fn symbols(elf: &[u8], sections: &[Section]) -> Vec<Symbol> {
    const ENTRY: usize = 16;
    const FUNCTION: u8 = 2;
    let Some(table) = sections.iter().find(|section| section.kind == SYMBOLS) else { return Vec::new() };
    let names = &sections[table.link];
    elf[table.offset..table.offset + table.size]
        .chunks_exact(ENTRY)
        .filter(|symbol| symbol[12] & 0xF <= FUNCTION)
        .map(|symbol| {
            let name = &elf[names.offset + word(symbol, 0) as usize..];
            let length = name.iter().position(|&byte| byte == 0).expect("a name ends with a zero");
            let name = String::from_utf8_lossy(&name[..length]).into_owned();
            Symbol { name, size: word(symbol, 8) as usize }
        })
        .collect()
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn half(bytes: &[u8], at: usize) -> usize {
    usize::from(u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header, then sections as `[kind, flags, offset, size, link]`, then `data` at 1024.
    fn elf(sections: &[[u32; 5]], data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x7fELF\x01\x01".to_vec();
        bytes.resize(0x34, 0);
        bytes[0x20] = 0x34;
        bytes[0x2E] = 40;
        bytes[0x30] = sections.len() as u8;
        for &[kind, flags, offset, size, link] in sections {
            for field in [0, kind, flags, 0, offset, size, link, 0, 0, 0] {
                bytes.extend(field.to_le_bytes());
            }
        }
        bytes.resize(1024, 0);
        [&bytes, data].concat()
    }

    #[test]
    fn flash_is_what_is_loaded_and_ram_is_what_can_be_written() {
        let (code, constants, initialised, zeroed) =
            ([1, 2 | 4, 0, 100, 0], [1, 2, 0, 30, 0], [1, 2 | 1, 0, 8, 0], [8, 2 | 1, 0, 500, 0]);
        let comment = [1, 0, 0, 7777, 0];
        let image = Image::parse(&elf(&[code, constants, initialised, zeroed, comment], &[]));
        assert_eq!((image.flash, image.code, image.ram), (100 + 30 + 8, 100, 8 + 500));
        assert!(image.symbols.is_empty());
    }

    #[test]
    fn names_of_functions_are_found_and_names_of_files_are_not() {
        let symbol =
            |name: u8, kind: u8| [&[name][..], &[0; 7], &[7, 0, 0, 0], &[0x10 | kind], &[0; 3]].concat();
        let data = [symbol(1, 2), symbol(6, 4), b"\0main\0file\0".to_vec()].concat();
        let image = Image::parse(&elf(&[[2, 0, 1024, 32, 1], [3, 0, 1056, 11, 0]], &data));
        assert_eq!(image.symbols, [Symbol { name: "main".to_owned(), size: 7 }]);
    }
}
