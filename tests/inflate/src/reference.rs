//! A decoder written from RFC 1951, a bit at a time and without tables, that says what the verdict, its place
//! and the work must be. It is slow and short, and shares nothing with the engines.
//!
//! `at` is the byte that holds the first bit of: the block header for `BlockType`; `LEN` for `StoredLength`;
//! `HLIT` for `TooManyCodes`; the last code length for `CodeLengthCode`; the symbol for `CodeLengthRepeat`,
//! `LengthSymbol`, `DistanceSymbol`, `DistanceTooFar` and `Window`; the symbol that brought the last code length for
//! `MissingEndOfBlock`, `LiteralCode` and `DistanceCode`, in this order. A distance that reaches before the start is
//! that, also where it reaches beyond the ring.

use plimsoll_core::{Detail, Reason, Rejection};

use crate::drive::{Memory, Outcome};

/// Why decoding stops early.
enum Halt {
    Incomplete,
    Refused(Rejection),
}

type Flow<T> = Result<T, Halt>;

struct Reference<'i> {
    input: &'i [u8],
    /// In bits.
    position: usize,
    output: Vec<u8>,
    memory: Memory,
    owed: u64,
    limit: u64,
    paid: usize,
}

/// How many codes there are of each length, and the symbols in order.
struct Code {
    counts: [usize; 16],
    symbols: Vec<usize>,
}

enum Fit {
    Complete,
    Incomplete,
    OverSubscribed,
}

impl Code {
    fn new(lengths: &[usize]) -> (Self, Fit) {
        let mut counts = [0; 16];
        let mut symbols = Vec::new();
        for (length, count) in counts.iter_mut().enumerate().skip(1) {
            for (symbol, _) in lengths.iter().enumerate().filter(|&(_, &other)| other == length) {
                *count += 1;
                symbols.push(symbol);
            }
        }
        // In units of the longest code.
        let used: usize = (1..=15).map(|length| counts[length] << (15 - length)).sum();
        let fit = match used.cmp(&(1 << 15)) {
            core::cmp::Ordering::Less => Fit::Incomplete,
            core::cmp::Ordering::Equal => Fit::Complete,
            core::cmp::Ordering::Greater => Fit::OverSubscribed,
        };
        (Self { counts, symbols }, fit)
    }

    fn longest(&self) -> usize {
        (1..=15).rev().find(|&length| self.counts[length] > 0).unwrap_or(0)
    }
}

/// What the engines must make of `input`.
#[must_use]
pub fn inflate(memory: Memory, limit: u64, input: &[u8]) -> Outcome {
    let mut reference = Reference { input, position: 0, output: Vec::new(), memory, owed: 0, limit, paid: 0 };
    let verdict = match reference.stream() {
        Ok(()) => Ok(reference.position.div_ceil(8)),
        Err(Halt::Incomplete) => Err(Rejection::fault(Reason::IncompleteGzip, input.len() as u64)),
        Err(Halt::Refused(rejection)) => Err(rejection),
    };
    if reference.owed <= limit {
        reference.pay();
    }
    Outcome { bytes: reference.output, verdict, owed: reference.owed }
}

impl Reference<'_> {
    fn bit(&mut self) -> Flow<usize> {
        let byte = *self.input.get(self.position / 8).ok_or(Halt::Incomplete)?;
        let bit = byte >> (self.position % 8) & 1;
        self.position += 1;
        Ok(usize::from(bit))
    }

    fn field(&mut self, bits: usize) -> Flow<usize> {
        let mut field = 0;
        for bit in 0..bits {
            field |= self.bit()? << bit;
        }
        Ok(field)
    }

    /// The next symbol, or `None` where no code begins with the next bits.
    fn symbol(&mut self, code: &Code) -> Flow<Option<usize>> {
        let (mut bits, mut first, mut place) = (0, 0, 0);
        for length in 1..=code.longest().max(1) {
            bits = bits << 1 | self.bit()?;
            first <<= 1;
            let count = code.counts[length];
            if bits < first + count {
                return Ok(Some(code.symbols[place + bits - first]));
            }
            first += count;
            place += count;
        }
        Ok(None)
    }

    fn fault<T>(&self, detail: Detail, position: usize) -> Flow<T> {
        let rejection = Rejection::fault(Reason::BadDeflate, (position / 8) as u64).with_detail(detail);
        Err(Halt::Refused(rejection))
    }

    fn pay(&mut self) {
        self.owed = self.owed.saturating_sub((self.output.len() - self.paid) as u64);
        self.paid = self.output.len();
    }

    fn charge(&mut self, steps: usize) -> Flow<()> {
        self.pay();
        self.owed += steps as u64;
        if self.owed > self.limit {
            self.owed = self.limit + 1;
            return Err(Halt::Refused(Rejection::limit_exceeded(Reason::WorkLimit, self.limit)));
        }
        Ok(())
    }

    fn write(&mut self, byte: u8) -> Flow<()> {
        if let Memory::Flat(size) = self.memory
            && self.output.len() == size
        {
            let rejection = Rejection::limit_exceeded(Reason::DecodedLimit, size as u64);
            return Err(Halt::Refused(rejection));
        }
        self.output.push(byte);
        Ok(())
    }

    fn stream(&mut self) -> Flow<()> {
        loop {
            let begin = self.position;
            let header = self.field(3)?;
            if header >> 1 == 3 {
                return self.fault(Detail::BlockType, begin);
            }
            self.charge(4)?;
            match header >> 1 {
                0 => self.stored()?,
                1 => {
                    let literals = (0..288)
                        .map(|symbol| match symbol {
                            0..144 => 8,
                            144..256 => 9,
                            256..280 => 7,
                            _ => 8,
                        })
                        .collect::<Vec<_>>();
                    let (literals, distances) = (Code::new(&literals).0, Code::new(&[5; 32]).0);
                    self.symbols(&literals, &distances)?;
                }
                _ => {
                    let (literals, distances) = self.codes()?;
                    self.symbols(&literals, &distances)?;
                }
            }
            if header & 1 == 1 {
                return Ok(());
            }
        }
    }

    fn stored(&mut self) -> Flow<()> {
        self.position = self.position.next_multiple_of(8);
        let begin = self.position;
        let (length, complement) = (self.field(16)?, self.field(16)?);
        if length ^ complement != 0xFFFF {
            return self.fault(Detail::StoredLength, begin);
        }
        for _ in 0..length {
            let byte = self.field(8)? as u8;
            self.write(byte)?;
        }
        Ok(())
    }

    fn codes(&mut self) -> Flow<(Code, Code)> {
        const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
        let begin = self.position;
        let (literals, distances) = (self.field(5)? + 257, self.field(5)? + 1);
        let count = self.field(4)? + 4;
        if literals > 286 || distances > 30 {
            return self.fault(Detail::TooManyCodes, begin);
        }
        self.charge(256 + literals + distances)?;
        let mut lengths = [0; 19];
        for &symbol in &ORDER[..count] {
            lengths[symbol] = self.field(3)?;
        }
        let (code, fit) = Code::new(&lengths);
        if !matches!(fit, Fit::Complete) {
            return self.fault(Detail::CodeLengthCode, self.position - 3);
        }
        let mut lengths = Vec::new();
        let mut last = self.position;
        while lengths.len() < literals + distances {
            last = self.position;
            let symbol = self.symbol(&code)?.expect("the code is complete");
            let (value, repeat) = match symbol {
                16 => (lengths.last().copied(), 3 + self.field(2)?),
                17 => (Some(0), 3 + self.field(3)?),
                18 => (Some(0), 11 + self.field(7)?),
                length => (Some(length), 1),
            };
            let Some(value) = value else { return self.fault(Detail::CodeLengthRepeat, last) };
            if lengths.len() + repeat > literals + distances {
                return self.fault(Detail::CodeLengthRepeat, last);
            }
            lengths.extend(core::iter::repeat_n(value, repeat));
        }
        if lengths[256] == 0 {
            return self.fault(Detail::MissingEndOfBlock, last);
        }
        let accepted = |code: &Code, fit| match fit {
            Fit::Complete => true,
            Fit::Incomplete => code.longest() <= 1,
            Fit::OverSubscribed => false,
        };
        let (literals, distances) = lengths.split_at(literals);
        let (literals, fit) = Code::new(literals);
        if !accepted(&literals, fit) {
            return self.fault(Detail::LiteralCode, last);
        }
        let (distances, fit) = Code::new(distances);
        if !accepted(&distances, fit) {
            return self.fault(Detail::DistanceCode, last);
        }
        Ok((literals, distances))
    }

    fn symbols(&mut self, literals: &Code, distances: &Code) -> Flow<()> {
        /// Shortest length and extra bits of the symbols 257 to 285, from the table of section 3.2.5.
        const LENGTHS: [(usize, usize); 29] = [
            (3, 0),
            (4, 0),
            (5, 0),
            (6, 0),
            (7, 0),
            (8, 0),
            (9, 0),
            (10, 0),
            (11, 1),
            (13, 1),
            (15, 1),
            (17, 1),
            (19, 2),
            (23, 2),
            (27, 2),
            (31, 2),
            (35, 3),
            (43, 3),
            (51, 3),
            (59, 3),
            (67, 4),
            (83, 4),
            (99, 4),
            (115, 4),
            (131, 5),
            (163, 5),
            (195, 5),
            (227, 5),
            (258, 0),
        ];
        /// Shortest distance and extra bits of the symbols 0 to 29.
        const DISTANCES: [(usize, usize); 30] = [
            (1, 0),
            (2, 0),
            (3, 0),
            (4, 0),
            (5, 1),
            (7, 1),
            (9, 2),
            (13, 2),
            (17, 3),
            (25, 3),
            (33, 4),
            (49, 4),
            (65, 5),
            (97, 5),
            (129, 6),
            (193, 6),
            (257, 7),
            (385, 7),
            (513, 8),
            (769, 8),
            (1025, 9),
            (1537, 9),
            (2049, 10),
            (3073, 10),
            (4097, 11),
            (6145, 11),
            (8193, 12),
            (12289, 12),
            (16385, 13),
            (24577, 13),
        ];
        loop {
            let begin = self.position;
            let length = match self.symbol(literals)? {
                Some(byte @ 0..256) => {
                    self.write(byte as u8)?;
                    continue;
                }
                Some(256) => return Ok(()),
                Some(symbol @ 257..286) => {
                    let (shortest, extra) = LENGTHS[symbol - 257];
                    shortest + self.field(extra)?
                }
                _ => return self.fault(Detail::LengthSymbol, begin),
            };
            let begin = self.position;
            let distance = match self.symbol(distances)? {
                Some(symbol @ 0..30) => {
                    let (shortest, extra) = DISTANCES[symbol];
                    shortest + self.field(extra)?
                }
                _ => return self.fault(Detail::DistanceSymbol, begin),
            };
            if distance > self.output.len() {
                return self.fault(Detail::DistanceTooFar, begin);
            }
            if let Memory::Ring(size) = self.memory
                && distance > size
            {
                let rejection = Rejection::fault(Reason::WindowTooSmall, (begin / 8) as u64);
                return Err(Halt::Refused(rejection.with_detail(Detail::Window(distance as u16))));
            }
            for _ in 0..length {
                self.write(self.output[self.output.len() - distance])?;
            }
        }
    }
}
