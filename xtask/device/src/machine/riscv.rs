//! RV32IMC. Encodings by their names in the RISC-V Instruction Set Manual, volume I, chapters 2 and 16.

use super::{Flow, Instruction, bits, signed};

const ZERO: u32 = 0;
const RA: u32 = 1;
const SP: u32 = 2;
/// The alternative link register, from which a call in the middle of a call returns.
const T0: u32 = 5;

/// Decodes what follows each other in one function, and knows the addresses and constants that were put together on the
/// way: a far call and a large frame take two instructions.
#[derive(Default)]
pub(crate) struct Decoder {
    constants: [Option<u32>; 32],
    /// The register and the value of an AUIPC that stands right before.
    near: Option<(u32, u32)>,
}

impl Decoder {
    /// Decodes the instruction at `address`, the first of `code`.
    pub(crate) fn next(&mut self, address: u32, code: &[u8]) -> Option<Instruction> {
        let near = self.near.take();
        let &[a, b] = code.first_chunk()?;
        let half = u32::from(u16::from_le_bytes([a, b]));
        if half & 3 != 3 {
            let (sinks, flow) = self.compressed(address, half);
            return Some(Instruction { size: 2, sinks, flow });
        }
        let (sinks, flow) = self.full(address, u32::from_le_bytes(*code.first_chunk()?), near);
        Some(Instruction { size: 4, sinks, flow })
    }

    fn compressed(&mut self, address: u32, code: u32) -> (u32, Option<Flow>) {
        let register = bits(code, 11, 7);
        let immediate = signed(bits(code, 12, 12) << 5 | bits(code, 6, 2), 6);
        let target = address.wrapping_add(near(code));
        match (code & 3, code >> 13) {
            // C.ADDI
            (1, 0b000) => (self.add(register, register, immediate), None),
            // C.JAL and C.J
            (1, 0b001) => (0, Some(Flow::Call(target))),
            (1, 0b101) => (0, Some(Flow::Jump(target))),
            // C.LI
            (1, 0b010) => {
                self.constants[register as usize] = Some(immediate);
                (0, None)
            }
            // C.ADDI16SP
            (1, 0b011) if register == SP => {
                let immediate = bits(code, 12, 12) << 9
                    | bits(code, 4, 3) << 7
                    | bits(code, 5, 5) << 6
                    | bits(code, 2, 2) << 5
                    | bits(code, 6, 6) << 4;
                (self.add(SP, SP, signed(immediate, 10)), None)
            }
            // C.LUI
            (1, 0b011) => {
                self.constants[register as usize] = Some(immediate << 12);
                (0, None)
            }
            // C.BEQZ and C.BNEZ stay within 256 bytes, as conditional jumps of a function do.
            // C.JR and C.JALR
            (2, 0b100) if bits(code, 6, 2) == 0 && register != ZERO => {
                let link = if bits(code, 12, 12) == 1 { RA } else { ZERO };
                (0, through(register, 0, link, None))
            }
            _ => (0, None),
        }
    }

    fn full(&mut self, address: u32, code: u32, near: Option<(u32, u32)>) -> (u32, Option<Flow>) {
        let (to, from) = (bits(code, 11, 7), bits(code, 19, 15));
        let immediate = signed(code >> 20, 12);
        match code & 0x7F {
            // LUI and AUIPC
            0x37 => {
                self.constants[to as usize] = Some(code & 0xFFFF_F000);
                (0, None)
            }
            0x17 => {
                self.near = Some((to, address.wrapping_add(code & 0xFFFF_F000)));
                (0, None)
            }
            // ADDI
            0x13 if bits(code, 14, 12) == 0 => (self.add(to, from, immediate), None),
            // SUB and ADD of a constant, to the stack pointer
            0x33 if to == SP && from == SP && bits(code, 14, 12) == 0 => {
                let value = self.constants[bits(code, 24, 20) as usize].unwrap_or(0);
                let sinks = if bits(code, 30, 30) == 1 { value } else { value.wrapping_neg() };
                (if (sinks as i32) < 0 { 0 } else { sinks }, None)
            }
            // JAL
            0x6F => {
                let offset = bits(code, 31, 31) << 20
                    | bits(code, 19, 12) << 12
                    | bits(code, 20, 20) << 11
                    | bits(code, 30, 21) << 1;
                let target = address.wrapping_add(signed(offset, 21));
                (0, Some(if to == ZERO { Flow::Jump(target) } else { Flow::Call(target) }))
            }
            // JALR
            0x67 => (0, through(from, immediate, to, near)),
            _ => (0, None),
        }
    }

    /// Adds a constant; what that takes off the stack pointer.
    fn add(&mut self, to: u32, from: u32, immediate: u32) -> u32 {
        if to == SP && from == SP {
            return if (immediate as i32) < 0 { immediate.wrapping_neg() } else { 0 };
        }
        let value = if from == ZERO { Some(0) } else { self.constants[from as usize] };
        self.constants[to as usize] = value.map(|value| value.wrapping_add(immediate));
        0
    }
}

/// A jump to where a register points, which is known right behind an AUIPC.
fn through(register: u32, immediate: u32, link: u32, near: Option<(u32, u32)>) -> Option<Flow> {
    if link == ZERO && (register == RA || register == T0) && immediate == 0 {
        return None; // a return
    }
    Some(match (near, link) {
        (Some((of, base)), ZERO) if of == register => Flow::Jump(base.wrapping_add(immediate)),
        (Some((of, base)), _) if of == register => Flow::Call(base.wrapping_add(immediate)),
        (_, ZERO) => Flow::IndirectJump,
        (_, _) => Flow::IndirectCall,
    })
}

/// The offset of C.J and C.JAL.
fn near(code: u32) -> u32 {
    let offset = bits(code, 12, 12) << 11
        | bits(code, 8, 8) << 10
        | bits(code, 10, 9) << 8
        | bits(code, 6, 6) << 7
        | bits(code, 7, 7) << 6
        | bits(code, 2, 2) << 5
        | bits(code, 11, 11) << 4
        | bits(code, 5, 3) << 1;
    signed(offset, 12)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes code at 0x1000.
    fn decode(code: &[u8]) -> Vec<Instruction> {
        let (mut decoder, mut at, mut found) = (Decoder::default(), 0, Vec::new());
        while let Some(instruction) = decoder.next(0x1000 + at as u32, &code[at..]) {
            at += instruction.size;
            found.push(instruction);
        }
        found
    }

    fn words(words: &[u32]) -> Vec<Instruction> {
        decode(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())
    }

    fn half(half: u16) -> Instruction {
        decode(&half.to_le_bytes())[0]
    }

    #[test]
    fn what_is_taken_off_the_stack_pointer_is_counted() {
        assert_eq!(half(0x1141).sinks, 16); // c.addi sp, -16
        assert_eq!(half(0x7139).sinks, 64); // c.addi16sp sp, -64
        assert_eq!(half(0x6121).sinks, 0); // c.addi16sp sp, 64
        assert_eq!(words(&[0xA001_0113])[0].sinks, 1536); // addi sp, sp, -1536
        // lui t0, 1; addi t0, t0, -96; sub sp, sp, t0
        let found = words(&[0x0000_12B7, 0xFA02_8293, 0x4051_0133]);
        assert_eq!(found[2].sinks, 4000);
    }

    #[test]
    fn calls_and_jumps_have_their_targets() {
        assert_eq!(words(&[0x0000_00EF])[0].flow, Some(Flow::Call(0x1000))); // jal ra, 0
        assert_eq!(words(&[0xFFDF_F06F])[0].flow, Some(Flow::Jump(0xFFC))); // j -4
        assert_eq!(half(0x2001).flow, Some(Flow::Call(0x1000))); // c.jal 0
        assert_eq!(half(0xBFFD).flow, Some(Flow::Jump(0xFFE))); // c.j -2
        // auipc ra, 1; jalr ra, 16(ra)
        assert_eq!(words(&[0x0000_1097, 0x0100_80E7])[1].flow, Some(Flow::Call(0x2010)));
        // auipc t1, 1; jr 16(t1)
        assert_eq!(words(&[0x0000_1317, 0x0103_0067])[1].flow, Some(Flow::Jump(0x2010)));
    }

    #[test]
    fn what_goes_through_a_register_is_told_from_a_return() {
        assert_eq!(half(0x8082).flow, None); // c.jr ra
        assert_eq!(half(0x8502).flow, Some(Flow::IndirectJump)); // c.jr a0
        assert_eq!(half(0x9502).flow, Some(Flow::IndirectCall)); // c.jalr a0
        assert_eq!(words(&[0x0000_8067])[0].flow, None); // ret
    }
}
