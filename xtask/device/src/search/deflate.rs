//! Units of DEFLATE (RFC 1951): a few blocks of any type, with codes of any shape and few symbols.

use plimsoll_subjects::deflate::Bits;

use super::{Random, Unit};

const END: usize = 256;
/// Base lengths and distances with their extra bits are not needed: a symbol's extra bits are zeros.
const LENGTH_EXTRA: [u32; 29] =
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
/// The order in which the lengths of the code length code come (section 3.2.7).
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// A few blocks.
#[derive(Clone)]
pub(crate) struct Blocks(Vec<Block>);

#[derive(Clone)]
enum Block {
    Stored(u16),
    /// Literals and lengths, each length with the distance 1.
    Fixed(Vec<usize>),
    Dynamic(Codes, Vec<usize>),
}

/// Codes as the tree they make: how deep each leaf is, and which symbols have them.
#[derive(Clone)]
struct Codes {
    /// The lengths of the literal/length code's symbols in use, shortest sum of 2^-length is one, or one of length 1.
    literals: Vec<(usize, u32)>,
    /// The distance code: none, one of one bit, or two.
    distances: u32,
}

impl Codes {
    fn random(random: &mut Random) -> Self {
        let mut depths = vec![0_u32];
        let leaves = random.one_of(&[1, 1, 2, 2, 3, 5, 9, 17, 60, 286]);
        // A tree that leans to one side is as deep as codes may be.
        let leans = random.below(2) == 0;
        while depths.len() < leaves {
            let at = if leans { depths.len() - 1 } else { random.below(depths.len()) };
            let at =
                if depths[at] < 15 { at } else { (0..depths.len()).min_by_key(|&at| depths[at]).unwrap() };
            depths[at] += 1;
            depths.insert(at, depths[at]);
        }
        depths[0] = depths[0].max(1);
        let mut symbols: Vec<usize> = vec![END];
        let from = random.below(286);
        let spread = random.one_of(&[1, 1, 3, 7, 29]);
        let mut next = from;
        while symbols.len() < depths.len() {
            while symbols.contains(&next) {
                next = (next + 1) % 286;
            }
            symbols.push(next);
            next = (next + spread) % 286;
        }
        if random.below(2) == 0 {
            depths.reverse();
        }
        Self { literals: symbols.into_iter().zip(depths).collect(), distances: random.below(3) as u32 }
    }

    fn has_length(&self) -> bool {
        self.distances > 0 && self.literals.iter().any(|&(symbol, _)| symbol > END)
    }

    /// Writes HLIT to the last code length.
    fn write(&self, bits: &mut Bits) {
        let most = self.literals.iter().map(|&(symbol, _)| symbol).max().unwrap_or(END).max(END);
        let mut lengths = vec![0_u32; most + 1];
        self.literals.iter().for_each(|&(symbol, length)| lengths[symbol] = length);
        let distances = match self.distances {
            0 => vec![0],
            1 => vec![1],
            _ => vec![1, 1],
        };
        let all = [&lengths[..], &distances].concat();
        let runs = runs(&all);
        let mut used: Vec<usize> = runs.iter().map(|&(symbol, _)| symbol).collect();
        used.extend([0, 18]); // A code has two symbols at least.
        used.sort_unstable();
        used.dedup();
        // A complete code for them: the first so many have the shorter of two lengths.
        let shorter = used.len().ilog2();
        let short = (2 << shorter) - used.len();
        let code_of = |symbol: usize| {
            let index = used.iter().position(|&other| other == symbol)?;
            let (code, length) =
                if index < short { (index, shorter) } else { (2 * short + (index - short), shorter + 1) };
            Some((reversed(code as u32, length), length))
        };
        let count =
            ORDER.iter().rposition(|symbol| used.contains(symbol)).map_or(4, |last| (last + 1).max(4));
        bits.put(lengths.len() as u64 - 257, 5);
        bits.put(distances.len() as u64 - 1, 5);
        bits.put(count as u64 - 4, 4);
        for &symbol in &ORDER[..count] {
            bits.put(code_of(symbol).map_or(0, |(_, length)| length.into()), 3);
        }
        for (symbol, extra) in runs {
            let (code, length) = code_of(symbol).expect("it is in use");
            bits.put(code.into(), length);
            match symbol {
                16 => bits.put(extra, 2),
                17 => bits.put(extra, 3),
                18 => bits.put(extra, 7),
                _ => {}
            }
        }
    }

    /// The code of a symbol and its length: section 3.2.2.
    fn code(&self, symbol: usize) -> Option<(u32, u32)> {
        let mut sorted = self.literals.clone();
        sorted.sort_by_key(|&(symbol, length)| (length, symbol));
        let (mut code, mut before) = (0_u32, sorted.first()?.1);
        for (other, length) in sorted {
            code <<= length - before;
            before = length;
            if other == symbol {
                return Some((reversed(code, length), length));
            }
            code += 1;
        }
        None
    }
}

/// Code lengths as code length symbols with the values of their extra bits.
fn runs(lengths: &[u32]) -> Vec<(usize, u64)> {
    let (mut runs, mut at) = (Vec::new(), 0);
    while at < lengths.len() {
        let same = lengths[at..].iter().take_while(|&&length| length == lengths[at]).count();
        if lengths[at] == 0 && same >= 3 {
            let count = same.min(138);
            runs.push(if count < 11 { (17, count as u64 - 3) } else { (18, count as u64 - 11) });
            at += count;
        } else if same >= 4 {
            let count = (same - 1).min(6);
            runs.push((lengths[at] as usize, 0));
            runs.push((16, count as u64 - 3));
            at += count + 1;
        } else {
            runs.push((lengths[at] as usize, 0));
            at += 1;
        }
    }
    runs
}

fn reversed(code: u32, length: u32) -> u32 {
    code.reverse_bits() >> (32 - length)
}

/// The extra bits of a length symbol, zeros, and its distance: 1, which has the code 0 in every code here.
fn behind_length(symbol: usize, distance_bits: u32, bits: &mut Bits) {
    if symbol > END {
        bits.put(0, LENGTH_EXTRA[symbol - 257] + distance_bits);
    }
}

impl Block {
    fn random(random: &mut Random) -> Self {
        let count = random.one_of(&[0, 0, 0, 1, 2, 5, 20]);
        match random.below(4) {
            0 => Self::Stored(random.one_of(&[0, 0, 1, 2, 8])),
            1 => Self::Fixed(
                (0..count).map(|_| random.one_of(&[0, 65, 143, 144, 255, 257, 257, 264, 265])).collect(),
            ),
            _ => {
                let codes = Codes::random(random);
                let allowed: Vec<usize> = codes
                    .literals
                    .iter()
                    .map(|&(symbol, _)| symbol)
                    .filter(|&symbol| symbol < END || (symbol > END && codes.has_length()))
                    .collect();
                let symbols = match allowed.is_empty() {
                    true => Vec::new(),
                    false => (0..count).map(|_| random.one_of(&allowed)).collect(),
                };
                Self::Dynamic(codes, symbols)
            }
        }
    }

    fn write(&self, bits: &mut Bits) {
        match self {
            Self::Stored(length) => {
                bits.header(false, 0);
                bits.align();
                bits.put(u64::from(*length) | u64::from(!*length) << 16, 32);
                (0..*length).for_each(|_| bits.put(0, 8));
            }
            Self::Fixed(symbols) => {
                bits.header(false, 1);
                for &symbol in symbols.iter().chain([&END]) {
                    // Section 3.2.6.
                    let (code, length) = match symbol as u32 {
                        symbol @ 0..=143 => (0x30 + symbol, 8),
                        symbol @ 144..=255 => (0x190 + symbol - 144, 9),
                        symbol @ 256..=279 => (symbol - 256, 7),
                        symbol => (0xC0 + symbol - 280, 8),
                    };
                    bits.put(u64::from(reversed(code, length)), length);
                    behind_length(symbol, 5, bits);
                }
            }
            Self::Dynamic(codes, symbols) => {
                bits.header(false, 2);
                codes.write(bits);
                for &symbol in symbols.iter().chain([&END]) {
                    let (code, length) = codes.code(symbol).expect("a symbol of the code");
                    bits.put(u64::from(code), length);
                    behind_length(symbol, 1, bits);
                }
            }
        }
    }
}

impl Unit for Blocks {
    fn random(random: &mut Random) -> Self {
        let count = 1 + random.below(4);
        Self((0..count).map(|_| Block::random(random)).collect())
    }

    fn changed(&self, random: &mut Random) -> Self {
        let mut blocks = self.0.clone();
        let at = random.below(blocks.len());
        match random.below(5) {
            0 => blocks.push(Block::random(random)),
            1 if blocks.len() > 1 => drop(blocks.remove(at)),
            2 => match &mut blocks[at] {
                Block::Fixed(symbols) | Block::Dynamic(_, symbols) if !symbols.is_empty() => {
                    symbols.truncate(symbols.len() - 1)
                }
                Block::Stored(length) => *length = 0,
                _ => {}
            },
            3 => {
                let other = blocks[random.below(blocks.len())].clone();
                blocks.insert(at, other);
            }
            _ => blocks[at] = Block::random(random),
        }
        blocks.truncate(8);
        Self(blocks)
    }

    fn repeated(&self, size: usize) -> Vec<u8> {
        let mut bits = Bits::default();
        // A literal first, so that a distance of 1 has something to reach for.
        Block::Fixed(vec![0]).write(&mut bits);
        while bits.len() < size {
            self.0.iter().for_each(|block| block.write(&mut bits));
        }
        bits.fixed(true);
        bits.finish()
    }

    fn thought_of(size: usize) -> Vec<Vec<u8>> {
        plimsoll_subjects::deflate::empty(size).into_iter().map(|stream| stream.body).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_and_its_changes_come_to_an_end() {
        let mut random = Random(7);
        for _ in 0..500 {
            let unit = Blocks::random(&mut random).changed(&mut random);
            assert!(unit.repeated(100).len() >= 100);
        }
    }
}
