//! The inspector that measures: what a document or the records of a body have at most.
//!
//! It is as strict as the inspector of `plimsoll ingest`, so that what is measured is what would be taken. The
//! tokenizer and the framer of the library find everything here; this only counts. It keeps an item count for each
//! open container.

use plimsoll::json::{
    Counted, Framing, Limits, LimitsError, RecordEvent, RecordLimits, Records, Token, Tokenizer,
};
use plimsoll::utf8::Utf8;
use plimsoll::{Inspect, Media, Refusal, Rejection};

use super::longest::Longest;
use crate::args::LEVELS;

type Tokens = Tokenizer<Counted<{ LEVELS as usize }>>;

/// As much as the tokenizer can count.
const CEILING: Limits = Limits {
    string: u32::MAX,
    key: u32::MAX,
    number: u32::MAX,
    items: i32::MAX.unsigned_abs(),
    values: u32::MAX,
    depth: LEVELS,
};

/// The most that a document, or any record, has of each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Document {
    pub(crate) depth: u64,
    pub(crate) string: u64,
    pub(crate) key: u64,
    pub(crate) number: u64,
    pub(crate) items: u64,
    pub(crate) values: u64,
}

/// How many records there are, and the bytes of the longest one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stream {
    pub(crate) records: u64,
    pub(crate) longest: u64,
}

/// Measures decoded bytes by their media type.
pub(crate) enum Gauge {
    Octets,
    Text(Utf8),
    Json { tokens: Box<Tokens>, tally: Tally },
    Records { records: Box<Records<Tokens>>, tally: Tally, longest: Longest },
}

impl Gauge {
    /// # Errors
    /// If the command had no room for the levels that it says it has.
    pub(crate) fn new(media: Media) -> Result<Self, LimitsError> {
        let records = |framing| {
            let unlimited = RecordLimits { bytes: u64::MAX, records: u64::MAX };
            let records = Box::new(Records::new(framing, unlimited, Tokens::new(CEILING)?));
            Ok(Self::Records { records, tally: Tally::default(), longest: Longest::of(framing) })
        };
        match media {
            Media::Json => {
                Ok(Self::Json { tokens: Box::new(Tokens::new(CEILING)?), tally: Tally::default() })
            }
            Media::NdJson => records(Framing::Lines),
            Media::JsonSequence => records(Framing::Sequence),
            Media::Text => Ok(Self::Text(Utf8::new())),
            _ => Ok(Self::Octets),
        }
    }

    /// What was measured, once the body is complete.
    pub(crate) fn measured(&self) -> (Option<Document>, Option<Stream>) {
        match self {
            Self::Octets | Self::Text(_) => (None, None),
            Self::Json { tally, .. } => (Some(tally.most), None),
            Self::Records { records, tally, longest } => {
                let stream = Stream { records: records.records(), longest: longest.bytes() };
                (Some(tally.most), Some(stream))
            }
        }
    }
}

impl Inspect for Gauge {
    fn inspect(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        let refusal = |start: u64, decided: u64, rejection| {
            let accepted = usize::try_from(decided.saturating_sub(start)).unwrap_or(usize::MAX);
            Refusal { accepted: accepted.min(bytes.len()), rejection }
        };
        match self {
            Self::Octets => Ok(()),
            Self::Text(utf8) => utf8.inspect(bytes),
            Self::Json { tokens, tally } => {
                let start = tokens.offset();
                tally.read(tokens, bytes).map_err(|rejection| refusal(start, tokens.offset(), rejection))
            }
            Self::Records { records, tally, longest } => {
                let start = records.offset();
                longest.see(bytes);
                tally
                    .read_records(records, bytes)
                    .map_err(|rejection| refusal(start, records.offset(), rejection))
            }
        }
    }

    fn finish(&mut self) -> Result<(), Rejection> {
        match self {
            Self::Octets => {}
            Self::Text(utf8) => utf8.finish()?,
            Self::Json { tokens, tally } => loop {
                match tokens.finish()? {
                    Token::End => break,
                    token => tally.see(&token),
                }
            },
            Self::Records { records, tally, .. } => {
                while let Some(event) = records.finish()? {
                    tally.see_event(&event);
                }
            }
        }
        Ok(())
    }
}

/// Counts of the current document, and the most of all so far.
#[derive(Default)]
pub(crate) struct Tally {
    most: Document,
    values: u64,
    /// Bytes of the current string, key or number so far.
    text: u64,
    /// Items of each open container so far.
    open: Vec<u64>,
}

impl Tally {
    fn read(&mut self, tokens: &mut Tokens, bytes: &[u8]) -> Result<(), Rejection> {
        let mut rest = bytes;
        loop {
            let step = tokens.step(rest)?;
            rest = rest.get(step.consumed..).unwrap_or(&[]);
            match step.token {
                Token::NeedInput => return Ok(()),
                token => self.see(&token),
            }
        }
    }

    fn read_records(&mut self, records: &mut Records<Tokens>, bytes: &[u8]) -> Result<(), Rejection> {
        let mut rest = bytes;
        loop {
            let step = records.step(rest)?;
            rest = rest.get(step.consumed..).unwrap_or(&[]);
            match step.event {
                Some(event) => self.see_event(&event),
                None => return Ok(()),
            }
        }
    }

    fn see_event(&mut self, event: &RecordEvent<Token<'_>>) {
        match event {
            RecordEvent::Begin(_) => self.values = 0,
            RecordEvent::Token(token) => self.see(token),
            RecordEvent::End | RecordEvent::Skipped(_) => {}
        }
    }

    fn see(&mut self, token: &Token<'_>) {
        match token {
            Token::BeginObject | Token::BeginArray => {
                self.value();
                self.open.push(0);
                self.most.depth = self.most.depth.max(self.open.len() as u64);
            }
            Token::EndObject | Token::EndArray => {
                self.open.pop();
            }
            Token::KeyPart(part) | Token::StringPart(part) | Token::NumberPart(part) => self.part(part.len()),
            Token::KeyCharacter(character) | Token::StringCharacter(character) => {
                self.part(character.len_utf8());
            }
            Token::Key(rest) => self.most.key = self.most.key.max(self.whole(rest.len())),
            Token::String(rest) => {
                self.most.string = self.most.string.max(self.whole(rest.len()));
                self.value();
            }
            Token::Number(rest) => {
                self.most.number = self.most.number.max(self.whole(rest.len()));
                self.value();
            }
            Token::True | Token::False | Token::Null => self.value(),
            Token::NeedInput | Token::End => {}
        }
    }

    /// Counts a value, which is an item of its container too.
    fn value(&mut self) {
        self.values = self.values.saturating_add(1);
        self.most.values = self.most.values.max(self.values);
        if let Some(items) = self.open.last_mut() {
            *items = items.saturating_add(1);
            self.most.items = self.most.items.max(*items);
        }
    }

    fn part(&mut self, bytes: usize) {
        self.text = self.text.saturating_add(bytes as u64);
    }

    /// The bytes of a text that ends with these.
    fn whole(&mut self, rest: usize) -> u64 {
        self.part(rest);
        std::mem::take(&mut self.text)
    }
}
