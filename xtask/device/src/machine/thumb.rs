//! Thumb, as ARMv6-M and ARMv7E-M have it. Encodings by their names in the ARMv7-M Architecture Reference Manual, chapter
//! A7.7.

use super::{Flow, Instruction, bits, signed};

const SP: u32 = 13;
const LR: u32 = 14;
const PC: u32 = 15;

/// Decodes what follows each other in one function, and knows the constants that were loaded on the way: a large frame is
/// subtracted through a register.
#[derive(Default)]
pub(crate) struct Decoder {
    constants: [Option<u32>; 16],
}

impl Decoder {
    /// Decodes the instruction at `address`, the first of `code`. `word` reads the image's memory.
    pub(crate) fn next(
        &mut self,
        address: u32,
        code: &[u8],
        word: impl Fn(u32) -> Option<u32>,
    ) -> Option<Instruction> {
        let (&[a, b], rest) = code.split_first_chunk()?;
        let first = u32::from(u16::from_le_bytes([a, b]));
        if first >> 11 < 0b11101 {
            let (sinks, flow) = self.narrow(address, first, word);
            return Some(Instruction { size: 2, sinks, flow });
        }
        let &[a, b] = rest.first_chunk()?;
        let (sinks, flow) = self.wide(address, first, u16::from_le_bytes([a, b]).into());
        Some(Instruction { size: 4, sinks, flow })
    }

    fn narrow(&mut self, address: u32, code: u32, word: impl Fn(u32) -> Option<u32>) -> (u32, Option<Flow>) {
        let nothing = (0, None);
        match code >> 8 {
            // LDR (literal), T1
            0x48..=0x4F => {
                let from = ((address + 4) & !3) + bits(code, 7, 0) * 4;
                self.constants[bits(code, 10, 8) as usize] = word(from);
                nothing
            }
            // ADD (SP plus register), T2: the register holds a negative number.
            0x44 if code & 0x87 == 0x85 => {
                (self.constants[bits(code, 6, 3) as usize].map_or(0, u32::wrapping_neg), None)
            }
            // MOV (register), T1
            0x46 if code & 0x87 == 0x87 && bits(code, 6, 3) != LR => (0, Some(Flow::IndirectJump)),
            // BX, T1 and BLX (register), T1
            0x47 if code & 0x80 == 0 && bits(code, 6, 3) != LR => (0, Some(Flow::IndirectJump)),
            0x47 if code & 0x80 != 0 => (0, Some(Flow::IndirectCall)),
            // SUB (SP minus immediate), T1
            0xB0 if code & 0x80 != 0 => (bits(code, 6, 0) * 4, None),
            // PUSH, T1
            0xB4 | 0xB5 => (bits(code, 8, 0).count_ones() * 4, None),
            // B, T1, but not UDF and SVC
            0xD0..=0xDD => {
                let offset = signed(bits(code, 7, 0) << 1, 9);
                (0, Some(Flow::Jump((address + 4).wrapping_add(offset))))
            }
            // B, T2
            0xE0..=0xE7 => {
                let offset = signed(bits(code, 10, 0) << 1, 12);
                (0, Some(Flow::Jump((address + 4).wrapping_add(offset))))
            }
            _ => nothing,
        }
    }

    fn wide(&mut self, address: u32, first: u32, second: u32) -> (u32, Option<Flow>) {
        let target = |offset: u32| (address + 4).wrapping_add(offset);
        let flow = match (first >> 11, second >> 14, bits(second, 12, 12)) {
            // BL, T1
            (0b11110, 0b11, 1) => Some(Flow::Call(target(far(first, second)))),
            // B, T4
            (0b11110, 0b10, 1) => Some(Flow::Jump(target(far(first, second)))),
            // B, T3, whose condition is not one of the two that are other instructions
            (0b11110, 0b10, 0) if bits(first, 9, 7) != 0b111 => {
                let offset = bits(first, 10, 10) << 20
                    | bits(second, 11, 11) << 19
                    | bits(second, 13, 13) << 18
                    | bits(first, 5, 0) << 12
                    | bits(second, 10, 0) << 1;
                Some(Flow::Jump(target(signed(offset, 21))))
            }
            // LDR (immediate or register), T3, T4 and T2, to the program counter and not off the stack
            (0b11111, ..) if first & 0xFFF0 == 0xF850 || first & 0xFFF0 == 0xF8D0 => {
                let (base, to) = (bits(first, 3, 0), bits(second, 15, 12));
                (to == PC && base != SP).then_some(Flow::IndirectJump)
            }
            _ => None,
        };
        (self.sinks(first, second), flow)
    }

    /// What a wide instruction takes off the stack pointer.
    fn sinks(&mut self, first: u32, second: u32) -> u32 {
        let immediate = bits(first, 10, 10) << 11 | bits(second, 14, 12) << 8 | bits(second, 7, 0);
        let to = bits(second, 11, 8);
        match first & 0xFBFF {
            // MOV (immediate), T3, and MOVT, T1
            0xF240 => {
                self.constants[to as usize] = Some(bits(first, 3, 0) << 12 | immediate);
            }
            _ if first & 0xFBF0 == 0xF240 => {
                self.constants[to as usize] = Some(bits(first, 3, 0) << 12 | immediate);
            }
            _ if first & 0xFBF0 == 0xF2C0 => {
                let half = bits(first, 3, 0) << 12 | immediate;
                let low = self.constants[to as usize].unwrap_or(0);
                self.constants[to as usize] = Some(half << 16 | low & 0xFFFF);
            }
            // MOV (immediate), T2
            0xF04F => self.constants[to as usize] = Some(expand(immediate)),
            // SUB (SP minus immediate), T2 and T3
            0xF1AD if to == SP => return expand(immediate),
            0xF2AD if to == SP => return immediate,
            _ => {}
        }
        match first {
            // STMDB, T1, and PUSH, T2
            0xE92D => second.count_ones() * 4,
            // STR (immediate), T4, and PUSH, T3: before the store
            0xF84D if bits(second, 11, 8) == 0b1101 => bits(second, 7, 0),
            // STRD (immediate), T1: before the store
            0xE96D => bits(second, 7, 0) * 4,
            // VPUSH, T1 and T2
            0xED2D | 0xED6D => bits(second, 7, 0) * 4,
            // SUB (SP minus register), T1
            0xEBAD if to == SP => self.constants[bits(second, 3, 0) as usize].unwrap_or(0),
            _ => 0,
        }
    }
}

/// The offset of BL, T1 and B, T4.
fn far(first: u32, second: u32) -> u32 {
    let sign = bits(first, 10, 10);
    let i1 = 1 ^ bits(second, 13, 13) ^ sign;
    let i2 = 1 ^ bits(second, 11, 11) ^ sign;
    signed(sign << 24 | i1 << 23 | i2 << 22 | bits(first, 9, 0) << 12 | bits(second, 10, 0) << 1, 25)
}

/// `ThumbExpandImm`.
fn expand(immediate: u32) -> u32 {
    let byte = bits(immediate, 7, 0);
    match bits(immediate, 11, 8) {
        0 => byte,
        1 => byte << 16 | byte,
        2 => byte << 24 | byte << 8,
        3 => byte * 0x0101_0101,
        _ => (0x80 | byte & 0x7F).rotate_right(bits(immediate, 11, 7)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes halfwords at 0x1000, over memory that holds one word everywhere.
    fn decode(memory: u32, halves: &[u16]) -> Vec<Instruction> {
        let code: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
        let (mut decoder, mut at, mut found) = (Decoder::default(), 0, Vec::new());
        while let Some(instruction) = decoder.next(0x1000 + at as u32, &code[at..], |_| Some(memory)) {
            at += instruction.size;
            found.push(instruction);
        }
        found
    }

    fn sinks(halves: &[u16]) -> u32 {
        decode(0, halves).iter().map(|instruction| instruction.sinks).sum()
    }

    fn flow(halves: &[u16]) -> Option<Flow> {
        decode(0, halves)[0].flow
    }

    #[test]
    fn what_is_pushed_and_subtracted_is_counted() {
        assert_eq!(sinks(&[0xB5F0]), 20); // push {r4-r7, lr}
        assert_eq!(sinks(&[0xB510, 0xB08B]), 8 + 44); // push {r4, lr}; sub sp, #44
        assert_eq!(sinks(&[0xE92D, 0x0F00]), 16); // stmdb sp!, {r8-r11}
        assert_eq!(sinks(&[0xF84D, 0xBD04]), 4); // str r11, [sp, #-4]!
        assert_eq!(sinks(&[0xED2D, 0x8B04]), 16); // vpush {d8, d9}
        assert_eq!(sinks(&[0xF5AD, 0x7D16]), 600); // sub.w sp, sp, #600
        assert_eq!(sinks(&[0xF2AD, 0x4D05]), 1029); // subw sp, sp, #1029
        assert_eq!(sinks(&[0xB00B]), 0); // add sp, #44
    }

    #[test]
    fn a_large_frame_is_found_behind_the_constant_in_a_register() {
        let found = decode(0u32.wrapping_sub(2000), &[0x4C01, 0x44A5]); // ldr r4, [pc, #4]; add sp, r4
        assert_eq!(found[1].sinks, 2000);
        // movw r4, #34464; movt r4, #1; sub.w sp, sp, r4
        assert_eq!(sinks(&[0xF248, 0x64A0, 0xF2C0, 0x0401, 0xEBAD, 0x0D04]), 100_000);
    }

    #[test]
    fn calls_and_jumps_have_their_targets() {
        assert_eq!(flow(&[0xF000, 0xF8EC]), Some(Flow::Call(0x1000 + 4 + 0x1D8))); // bl
        assert_eq!(flow(&[0xF7FF, 0xFFFE]), Some(Flow::Call(0x1000))); // bl to itself
        assert_eq!(flow(&[0xF000, 0xB800]), Some(Flow::Jump(0x1004))); // b.w
        assert_eq!(flow(&[0xE7FE]), Some(Flow::Jump(0x1000))); // b to itself
        assert_eq!(flow(&[0xD0FE]), Some(Flow::Jump(0x1000))); // beq to itself
        assert_eq!(flow(&[0xF43F, 0xAFFE]), Some(Flow::Jump(0x1000))); // beq.w to itself
    }

    #[test]
    fn what_goes_through_a_register_is_told_from_a_return() {
        assert_eq!(flow(&[0x4798]), Some(Flow::IndirectCall)); // blx r3
        assert_eq!(flow(&[0x4718]), Some(Flow::IndirectJump)); // bx r3
        assert_eq!(flow(&[0x4687]), Some(Flow::IndirectJump)); // mov pc, r0
        assert_eq!(flow(&[0x4770]), None); // bx lr
        assert_eq!(flow(&[0xBDF0]), None); // pop {r4-r7, pc}
        assert_eq!(flow(&[0xF85D, 0xFB04]), None); // ldr pc, [sp], #4
        assert_eq!(flow(&[0xE8DF, 0xF001]), None); // tbb [pc, r1]
    }
}
