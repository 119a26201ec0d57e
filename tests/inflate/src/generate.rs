//! Random streams of legal and nearly legal blocks: every field at and over its border.
//!
//! A stream is legal but for at most one [`Twist`], and what follows a twist may be anything. Which verdict is
//! right is not said here; the reference and the oracles say it.

use crate::bits::BitWriter;
use crate::random::Random;

/// What is wrong, or at the border, in a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Twist {
    /// Nothing.
    None,
    /// Block type 3.
    BlockType,
    /// A bit of `NLEN` is wrong.
    Complement,
    /// 287 or 288 literal/length codes.
    LiteralCount,
    /// 31 or 32 distance codes.
    DistanceCount,
    /// A code length of the code length code is one off, or all are zero.
    CodeLengthCode,
    /// The first code length is a repeat of the one before.
    RepeatOfNothing,
    /// The last repeat is one too long or more.
    RepeatPastEnd,
    /// A literal/length code length is one off.
    LiteralCode,
    /// A distance code length is one off.
    DistanceCode,
    /// The end of the block has no code.
    MissingEndOfBlock,
    /// A bit pattern that is no code, or an undefined symbol of a fixed code.
    NoSymbol,
    /// The same among distances.
    NoDistance,
    /// A distance that reaches before the start, by one or more.
    TooFar,
    /// The stream ends somewhere.
    Truncated,
    /// One bit is another.
    Flipped,
}

impl Twist {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::None,
        Self::BlockType,
        Self::Complement,
        Self::LiteralCount,
        Self::DistanceCount,
        Self::CodeLengthCode,
        Self::RepeatOfNothing,
        Self::RepeatPastEnd,
        Self::LiteralCode,
        Self::DistanceCode,
        Self::MissingEndOfBlock,
        Self::NoSymbol,
        Self::NoDistance,
        Self::TooFar,
        Self::Truncated,
        Self::Flipped,
    ];
}

/// The length of each symbol's code, and the codes.
struct Code {
    lengths: Vec<u32>,
    codes: Vec<u32>,
}

impl Code {
    fn new(lengths: Vec<u32>) -> Self {
        let mut next = 0;
        let mut codes = vec![0; lengths.len()];
        for length in 1..=15 {
            next <<= 1;
            for (symbol, _) in lengths.iter().enumerate().filter(|&(_, &other)| other == length) {
                codes[symbol] = next;
                next += 1;
            }
        }
        Self { lengths, codes }
    }

    fn has(&self, symbol: usize) -> bool {
        self.lengths.get(symbol).is_some_and(|&length| length > 0)
    }

    fn write(&self, bits: &mut BitWriter, symbol: usize) {
        bits.code(self.codes[symbol], self.lengths[symbol]);
    }

    /// The symbols that have a code.
    fn used(&self) -> Vec<usize> {
        (0..self.lengths.len()).filter(|&symbol| self.has(symbol)).collect()
    }
}

/// The lengths of a complete code of at least two symbols, none over `longest`.
fn complete(random: &mut Random, symbols: usize, longest: u32) -> Vec<u32> {
    let mut leaves = vec![0];
    let skewed = random.once_in(3);
    while leaves.len() < symbols {
        let mut open: Vec<usize> = (0..leaves.len()).filter(|&leaf| leaves[leaf] < longest).collect();
        if skewed && random.below(4) > 0 {
            let deepest = open.iter().map(|&leaf| leaves[leaf]).max();
            open.retain(|&leaf| Some(leaves[leaf]) == deepest);
        }
        let leaf = random.of(&open);
        leaves[leaf] += 1;
        leaves.push(leaves[leaf]);
    }
    random.shuffle(&mut leaves);
    leaves
}

/// The lengths of a random code for the symbols `used` of an alphabet of `size`.
fn random_code(random: &mut Random, used: &[usize], size: usize, longest: u32) -> Vec<u32> {
    let mut lengths = vec![0; size];
    match used {
        [] => {}
        [only] => lengths[*only] = 1,
        _ => {
            for (&symbol, length) in used.iter().zip(complete(random, used.len(), longest)) {
                lengths[symbol] = length;
            }
        }
    }
    lengths
}

/// Makes one length longer or shorter by one, which no complete code survives.
fn off_by_one(random: &mut Random, lengths: &mut [u32], longest: u32) {
    let used: Vec<usize> = (0..lengths.len()).filter(|&symbol| lengths[symbol] > 0).collect();
    let Some(&symbol) = (!used.is_empty()).then(|| &used[random.below(used.len())]) else { return };
    let longer = lengths[symbol] < longest && (lengths[symbol] == 1 || random.once_in(2));
    lengths[symbol] = if longer { lengths[symbol] + 1 } else { lengths[symbol] - 1 };
}

/// A number of symbols out of `0..end`, in order.
fn some_of(random: &mut Random, end: usize, count: usize) -> Vec<usize> {
    let mut symbols: Vec<usize> = (0..end).collect();
    random.shuffle(&mut symbols);
    symbols.truncate(count);
    symbols.sort_unstable();
    symbols
}

/// Shortest distance of a symbol and its extra bits (RFC 1951, section 3.2.5).
const fn distance_symbol(symbol: usize) -> (usize, u32) {
    if symbol < 4 {
        return (symbol + 1, 0);
    }
    let extra = symbol / 2 - 1;
    (((2 + symbol % 2) << extra) + 1, extra as u32)
}

/// Shortest length of a symbol and its extra bits.
const fn length_symbol(symbol: usize) -> (usize, u32) {
    match symbol {
        257..265 => (symbol - 254, 0),
        285 => (258, 0),
        _ => {
            let extra = (symbol - 261) / 4;
            (((4 + (symbol - 257) % 4) << extra) + 3, extra as u32)
        }
    }
}

/// Makes one stream.
struct Generator {
    random: Random,
    bits: BitWriter,
    twist: Twist,
    /// Whether the twist is still to come.
    pending: bool,
    produced: usize,
}

/// A stream from a seed, and the twist that was wanted.
#[must_use]
pub fn stream(seed: u64) -> (Twist, Vec<u8>) {
    stream_of(Random::new(seed))
}

/// A stream from random numbers or drawn choices, and the twist that was wanted.
#[must_use]
pub fn stream_of(mut random: Random) -> (Twist, Vec<u8>) {
    let twist = if random.once_in(3) { Twist::None } else { random.of(&Twist::ALL) };
    (twist, stream_with(twist, random))
}

/// A stream from random numbers or drawn choices, with this twist.
#[must_use]
pub fn stream_with(twist: Twist, random: Random) -> Vec<u8> {
    let mut generator = Generator { random, bits: BitWriter::new(), twist, pending: true, produced: 0 };
    generator.stream()
}

impl Generator {
    /// Whether the twist is `twist` and comes here.
    fn twists(&mut self, twist: Twist) -> bool {
        let here = self.pending && self.twist == twist && self.random.below(3) > 0;
        if here {
            self.pending = false;
        }
        here
    }

    fn stream(&mut self) -> Vec<u8> {
        let blocks =
            if self.random.once_in(10) { self.random.between(5, 20) } else { self.random.between(1, 4) };
        for block in 1..=blocks {
            self.block(block == blocks);
        }
        let mut stream = self.bits.done();
        match self.twist {
            Twist::Truncated => stream.truncate(self.random.below(stream.len())),
            Twist::Flipped => {
                let byte = self.random.below(stream.len());
                stream[byte] ^= 1 << self.random.below(8);
            }
            _ => {
                for _ in 0..self.random.below(12) {
                    stream.push(self.random.number() as u8);
                }
            }
        }
        stream
    }

    fn block(&mut self, last: bool) {
        let wanted = match self.twist {
            Twist::Complement => 0,
            Twist::LiteralCount
            | Twist::DistanceCount
            | Twist::CodeLengthCode
            | Twist::RepeatOfNothing
            | Twist::RepeatPastEnd
            | Twist::LiteralCode
            | Twist::DistanceCode
            | Twist::MissingEndOfBlock => 2,
            _ => self.random.below(3) as u32,
        };
        let kind = if self.random.once_in(3) { self.random.below(3) as u32 } else { wanted };
        self.bits.field(u32::from(last), 1);
        if self.twists(Twist::BlockType) {
            self.bits.field(3, 2);
            return;
        }
        self.bits.field(kind, 2);
        match kind {
            0 => self.stored(),
            1 => {
                let literals = (0..288).map(|symbol| match symbol {
                    144..256 => 9,
                    256..280 => 7,
                    _ => 8,
                });
                let (literals, distances) = (Code::new(literals.collect()), Code::new(vec![5; 32]));
                self.symbols(&literals, &distances);
            }
            _ => self.dynamic(),
        }
    }

    fn stored(&mut self) {
        let length = match self.random.below(60) {
            0 => self.random.between(1000, 40_000),
            1 => 65_535,
            2..20 => 0,
            _ => self.random.below(40),
        };
        // Bits that fill up a byte may be anything.
        let padding = self.random.number() as u32;
        let filled = self.bits.done().len();
        while self.bits.clone().field(1, 1).done().len() == filled {
            self.bits.field(padding, 1);
        }
        let mut complement = !(length as u16);
        if self.twists(Twist::Complement) {
            complement ^= 1 << self.random.below(16);
        }
        self.bits.bytes(&(length as u16).to_le_bytes()).bytes(&complement.to_le_bytes());
        let byte = self.random.number();
        let bytes: Vec<u8> =
            (0..length as u64).map(|place| (byte ^ place.wrapping_mul(0x9E37_79B9) >> 7) as u8).collect();
        self.bits.bytes(&bytes);
        self.produced += length;
    }

    fn dynamic(&mut self) {
        let count = match self.random.below(6) {
            0 => 0,
            1 => self.random.below(3),
            2 => 256,
            _ => self.random.below(80),
        };
        let mut used = some_of(&mut self.random, 256, count);
        if !self.twists(Twist::MissingEndOfBlock) {
            used.push(256);
        }
        let most = self.random.between(0, 29);
        let lengths = some_of(&mut self.random, 29, most);
        if self.random.below(4) > 0 {
            used.extend(lengths.iter().map(|symbol| 257 + symbol));
        }
        let longest = self.random.between(9, 15) as u32;
        let mut literals = random_code(&mut self.random, &used, 286, longest);
        if self.twists(Twist::LiteralCode) {
            off_by_one(&mut self.random, &mut literals, 15);
        }
        let count = match self.random.below(6) {
            0 => 0,
            1 => 1,
            2 => 30,
            _ => self.random.between(2, 30),
        };
        let used = some_of(&mut self.random, 30, count);
        let mut distances = random_code(&mut self.random, &used, 30, longest.max(7));
        if self.twists(Twist::DistanceCode) {
            off_by_one(&mut self.random, &mut distances, 15);
        }
        // The shortest list of lengths, or a longer one that ends in zeros.
        let least = |lengths: &[u32], least| {
            lengths.iter().rposition(|&length| length > 0).map_or(least, |last| last + 1).max(least)
        };
        let mut counts = [least(&literals, 257), least(&distances, 1)];
        for (count, most) in counts.iter_mut().zip([286, 30]) {
            if self.random.once_in(3) {
                *count = self.random.between(*count, most);
            }
        }
        if self.twists(Twist::LiteralCount) {
            counts[0] = self.random.between(287, 288);
        }
        if self.twists(Twist::DistanceCount) {
            counts[1] = self.random.between(31, 32);
        }
        literals.resize(counts[0], 0);
        distances.resize(counts[1], 0);
        let all: Vec<u32> = literals.iter().chain(&distances).copied().collect();
        self.bits.field(counts[0] as u32 - 257, 5).field(counts[1] as u32 - 1, 5);
        self.code_lengths(&all);
        self.symbols(&Code::new(literals), &Code::new(distances));
    }

    /// `HCLEN`, the code length code and the code lengths.
    fn code_lengths(&mut self, all: &[u32]) {
        const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
        let mut symbols: Vec<(usize, u32, u32)> = Vec::new();
        if self.twists(Twist::RepeatOfNothing) {
            symbols.push((16, 0, 2));
        }
        let mut rest = all;
        let mut previous = None;
        let eager = self.random.once_in(4);
        while let Some(&length) = rest.first() {
            let run = rest.iter().take_while(|&&other| other == length).count();
            let wanted = if eager || self.random.below(4) > 0 { run } else { self.random.between(1, run) };
            let taken = if length == 0 && wanted >= 11 && self.random.below(8) > 0 {
                let taken = wanted.min(138);
                symbols.push((18, taken as u32 - 11, 7));
                taken
            } else if length == 0 && wanted >= 3 && self.random.below(8) > 0 {
                let taken = wanted.min(10);
                symbols.push((17, taken as u32 - 3, 3));
                taken
            } else if Some(length) == previous && wanted >= 3 {
                let taken = wanted.min(6);
                symbols.push((16, taken as u32 - 3, 2));
                taken
            } else {
                symbols.push((length as usize, 0, 0));
                1
            };
            previous = Some(length);
            rest = &rest[taken..];
        }
        if self.twists(Twist::RepeatPastEnd) {
            let symbol = self.random.of(&[(16, 2), (17, 3), (18, 7)]);
            if self.random.once_in(2) {
                symbols.pop();
            }
            symbols.push((symbol.0, self.random.number() as u32 & 3, symbol.1));
        }
        let mut used: Vec<usize> = symbols.iter().map(|&(symbol, ..)| symbol).collect();
        // A code has at least two symbols; sometimes there are more than are used.
        while used.len() < 2 || self.random.once_in(5) {
            used.push(self.random.below(19));
            used.sort_unstable();
            used.dedup();
        }
        used.sort_unstable();
        used.dedup();
        while used.len() < 2 {
            used.push((used[0] + 1 + self.random.below(18)) % 19);
        }
        let mut lengths = random_code(&mut self.random, &used, 19, 7);
        let code = Code::new(lengths.clone());
        if self.twists(Twist::CodeLengthCode) {
            if self.random.once_in(4) {
                lengths.fill(0);
            } else {
                off_by_one(&mut self.random, &mut lengths, 7);
            }
        }
        let least = ORDER.iter().rposition(|&symbol| lengths[symbol] > 0).map_or(0, |last| last + 1).max(4);
        let count = if self.random.once_in(3) { self.random.between(least, 19) } else { least };
        self.bits.field(count as u32 - 4, 4);
        for &symbol in &ORDER[..count] {
            self.bits.field(lengths[symbol], 3);
        }
        for (symbol, extra, bits) in symbols {
            code.write(&mut self.bits, symbol);
            self.bits.field(extra, bits);
        }
    }

    /// Symbols and the end of the block.
    fn symbols(&mut self, literals: &Code, distances: &Code) {
        let used = literals.used();
        let bytes: Vec<usize> = used.iter().copied().filter(|&symbol| symbol < 256).collect();
        let lengths: Vec<usize> = used.iter().copied().filter(|symbol| (257..286).contains(symbol)).collect();
        let reaches: Vec<usize> = distances.used().into_iter().filter(|&symbol| symbol < 30).collect();
        let count = match self.random.below(12) {
            0 => 0,
            1 => self.random.between(100, 1500),
            _ => self.random.below(50),
        };
        // Mostly literals, mostly matches, or as it comes.
        let bias = self.random.below(11);
        for _ in 0..count {
            if self.random.below(10) < bias && !bytes.is_empty() {
                let byte = self.random.of(&bytes);
                literals.write(&mut self.bits, byte);
                self.produced += 1;
            } else if !lengths.is_empty() {
                self.length_and_distance(literals, &lengths, distances, &reaches);
            }
            if !self.pending {
                break;
            }
        }
        if self.twists(Twist::NoSymbol) {
            if literals.has(286) {
                let undefined = self.random.between(286, 287);
                literals.write(&mut self.bits, undefined);
            } else {
                // The other pattern of a code of one bit.
                self.bits.field(1, 1);
            }
        }
        if self.pending && self.twist == Twist::NoDistance && !lengths.is_empty() {
            let length = self.random.of(&lengths);
            if distances.has(30) {
                literals.write(&mut self.bits, length);
                self.bits.field(self.random.number() as u32, length_symbol(length).1);
                let undefined = self.random.between(30, 31);
                distances.write(&mut self.bits, undefined);
                self.pending = false;
            } else if distances.used().len() < 2 {
                literals.write(&mut self.bits, length);
                self.bits.field(self.random.number() as u32, length_symbol(length).1);
                self.bits.field(1, 1);
                self.pending = false;
            }
        }
        if literals.has(256) {
            literals.write(&mut self.bits, 256);
        }
    }

    fn length_and_distance(
        &mut self,
        literals: &Code,
        lengths: &[usize],
        distances: &Code,
        reaches: &[usize],
    ) {
        let too_far = self.twist == Twist::TooFar && self.pending && self.random.once_in(4);
        let candidates: Vec<usize> = reaches
            .iter()
            .copied()
            .filter(|&symbol| {
                let (shortest, extra) = distance_symbol(symbol);
                if too_far { shortest + (1 << extra) > self.produced + 1 } else { shortest <= self.produced }
            })
            .collect();
        if candidates.is_empty() {
            return;
        }
        let symbol = self.random.of(&candidates);
        let (shortest, extra) = distance_symbol(symbol);
        let (least, most) = if too_far {
            self.pending = false;
            (shortest.max(self.produced + 1), shortest + (1 << extra) - 1)
        } else {
            (shortest, self.produced.min(shortest + (1 << extra) - 1))
        };
        let distance = match self.random.below(4) {
            0 => least,
            1 => most,
            _ => self.random.between(least, most),
        };
        let length = self.random.of(lengths);
        let (shortest_length, length_extra) = length_symbol(length);
        let more = match self.random.below(4) {
            0 => 0,
            1 => (1 << length_extra) - 1,
            _ => self.random.below(1 << length_extra),
        };
        literals.write(&mut self.bits, length);
        self.bits.field(more as u32, length_extra);
        distances.write(&mut self.bits, symbol);
        self.bits.field((distance - shortest) as u32, extra);
        self.produced += shortest_length + more;
    }
}
