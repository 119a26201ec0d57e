//! Streams of records: what they are by the letter of the two formats, found with everything in memory, and what
//! each of our forms makes of them in pieces.

use core::cell::RefCell;

use plimsoll_core::{Inspect, Reason, Rejection};
use plimsoll_json::{
    Assembler, Check, CheckRecords, Counted, Document, Frame, Framer, Framing, Limits, Record, RecordEvent,
    RecordLimits, Records, Skipped, Token, Tokenizer,
};

use crate::feed::{Event, Joiner, poison};
use crate::{oracle, whole};

/// The limits of all documents here.
pub const LIMITS: Limits = Limits { depth: 64, number: 1 << 20, key: 1 << 20, ..Limits::HOST };

/// A stream and what it may have.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    /// All of it.
    pub body: &'a [u8],
    /// How its records are told apart.
    pub framing: Framing,
    /// Its limits.
    pub limits: RecordLimits,
    /// Whether refused records are skipped.
    pub skip: bool,
}

/// A record that came to an end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It was accepted, with these events.
    Accepted(Record, Vec<Event>),
    /// It was refused and skipped.
    Skipped(Skipped),
}

/// What came of a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcomes {
    /// Its records in order.
    pub records: Vec<Outcome>,
    /// The verdict.
    pub result: Result<(), Rejection>,
}

/// Every event of a stream in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A record began.
    Begin(Record),
    /// It has this.
    Event(Event),
    /// It ended.
    End,
    /// It was skipped.
    Skipped(Skipped),
}

/// What one of our forms made of a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What it told.
    pub items: Vec<Item>,
    /// The verdict.
    pub result: Result<(), Rejection>,
    /// Offset of the next byte, or of the one that decided.
    pub offset: u64,
    /// Records begun.
    pub records: u64,
}

impl Run {
    /// The records of a run that gave their events.
    ///
    /// # Panics
    /// When the items are not in order.
    #[must_use]
    pub fn outcomes(&self) -> Outcomes {
        let mut records = Vec::new();
        let mut open: Option<(Record, Vec<Event>)> = None;
        for item in &self.items {
            match item {
                Item::Begin(record) => {
                    assert_eq!(open, None);
                    open = Some((*record, Vec::new()));
                }
                // serde_json writes every exponent with a small letter.
                Item::Event(Event::Number(number)) => {
                    open.as_mut().unwrap().1.push(Event::Number(number.replace('E', "e")));
                }
                Item::Event(event) => open.as_mut().unwrap().1.push(event.clone()),
                Item::End => {
                    let (record, events) = open.take().unwrap();
                    records.push(Outcome::Accepted(record, oracle::signed_exponents(events)));
                }
                Item::Skipped(skipped) => {
                    if let Some((record, _)) = open.take() {
                        assert_eq!(record, skipped.record);
                    }
                    records.push(Outcome::Skipped(*skipped));
                }
            }
        }
        assert!(open.is_none() || self.result.is_err());
        Outcomes { records, result: self.result }
    }
}

/// What stands between two delimiters.
struct Between {
    at: usize,
    end: usize,
    /// White space that belongs to no document.
    leading: usize,
    /// Whether it is refused for where it stands.
    misplaced: bool,
}

fn is_white(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// The lines that have a record, or are too long for a blank one.
fn lines(stream: Stream<'_>) -> Vec<Between> {
    let mut records = Vec::new();
    let mut at = 0;
    for line in stream.body.split_inclusive(|&byte| byte == b'\n') {
        let content = match line {
            [content @ .., b'\r', b'\n'] | [content @ .., b'\n'] => content,
            content => content,
        };
        let leading = content.iter().take_while(|byte| is_white(byte)).count();
        if leading != content.len() || content.len() as u64 > stream.limits.bytes {
            records.push(Between { at, end: at + content.len(), leading, misplaced: false });
        }
        at += line.len();
    }
    records
}

/// What stands before the first RS, and every text behind one.
fn texts(stream: Stream<'_>) -> Vec<Between> {
    let mut records = Vec::new();
    let mut at = 0;
    let pieces: Vec<&[u8]> = stream.body.split(|&byte| byte == 0x1e).collect();
    for (index, piece) in pieces.iter().enumerate() {
        // Between two RS there need not be anything, but behind the last one there must.
        let last = index + 1 == pieces.len();
        if !piece.is_empty() || (last && index != 0) {
            records.push(Between { at, end: at + piece.len(), leading: 0, misplaced: index == 0 });
        }
        at += piece.len() + 1;
    }
    records
}

/// What RFC 7464 and the rules of NDJSON make of a stream. Whether a document is one says `serde_json`; where
/// it is wrong says [`Check`], which other tests hold against that.
///
/// # Panics
/// When `serde_json` and [`Check`] do not agree.
#[must_use]
pub fn reference(stream: Stream<'_>) -> Outcomes {
    let mut outcomes = Outcomes { records: Vec::new(), result: Ok(()) };
    let found = match stream.framing {
        Framing::Lines => lines(stream),
        Framing::Sequence => texts(stream),
    };
    for (index, between) in found.iter().enumerate() {
        let record = Record { index: index as u64, at: between.at as u64 };
        let too_many = record.index >= stream.limits.records;
        if too_many && between.leading as u64 <= stream.limits.bytes {
            let rejection = Rejection::limit_exceeded(Reason::RecordCount, stream.limits.records);
            let at = (between.at + between.leading) as u64;
            outcomes.result = Err(rejection.with_at(at).with_record(record.index));
            return outcomes;
        }
        match verdict(stream, between) {
            Ok(events) => outcomes.records.push(Outcome::Accepted(record, events)),
            Err(rejection) => {
                let rejection = rejection.with_record(record.index);
                if !stream.skip {
                    outcomes.result = Err(rejection);
                    return outcomes;
                }
                let bytes = (between.end - between.at) as u64;
                outcomes.records.push(Outcome::Skipped(Skipped { record, bytes, rejection }));
            }
        }
    }
    outcomes
}

fn verdict(stream: Stream<'_>, between: &Between) -> Result<Vec<Event>, Rejection> {
    let most = usize::try_from(stream.limits.bytes).unwrap_or(usize::MAX);
    let content = &stream.body[between.at..between.end];
    let over = content.len() > most;
    let seen = &content[..content.len().min(most)];
    if between.misplaced {
        return Err(Rejection::fault(Reason::JsonSyntax, between.at as u64));
    }
    let mut check = Check::<Counted<64>>::new(LIMITS).unwrap();
    check.restart((between.at + between.leading) as u64);
    let refused = seen.get(between.leading..).and_then(|document| check.inspect(document).err());
    if let Some(refusal) = refused {
        return Err(refusal.rejection);
    }
    if over {
        let rejection = Rejection::limit_exceeded(Reason::RecordLimit, stream.limits.bytes);
        return Err(rejection.with_at((between.at + most) as u64));
    }
    let events = oracle::events(content);
    assert_eq!(check.finish().is_ok(), events.is_some(), "{}", content.escape_ascii());
    check.finish()?;
    let delimited = content.first().is_some_and(|_| {
        let value = content.trim_ascii_start();
        matches!(value[0], b'[' | b'{' | b'"') || content.last().is_some_and(is_white)
    });
    if stream.framing == Framing::Sequence && !delimited {
        return Err(Rejection::fault(Reason::IncompleteJson, between.end as u64));
    }
    Ok(events.unwrap())
}

/// What [`CheckRecords`] makes of a stream in `pieces`: only the skipped records are told.
///
/// # Panics
/// When a refusal changes, or its place in the piece does not fit its offset.
pub fn check<'a>(
    stream: Stream<'_>,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    buffer: &mut Vec<u8>,
) -> Run {
    let skipped = RefCell::new(Vec::new());
    let strict = CheckRecords::<Counted<64>>::new(stream.framing, stream.limits, LIMITS).unwrap();
    let (result, offset, records) = if stream.skip {
        drive(
            strict.skip_refused(|record| skipped.borrow_mut().push(Item::Skipped(record))),
            |check| (check.offset(), check.records()),
            pieces,
            buffer,
        )
    } else {
        drive(strict, |check| (check.offset(), check.records()), pieces, buffer)
    };
    Run { items: skipped.into_inner(), result, offset, records }
}

fn drive<'a, I: Inspect>(
    mut check: I,
    counters: impl Fn(&I) -> (u64, u64),
    pieces: impl IntoIterator<Item = &'a [u8]>,
    buffer: &mut Vec<u8>,
) -> (Result<(), Rejection>, u64, u64) {
    let mut fed = 0;
    let mut result = Ok(());
    for piece in pieces {
        buffer.clear();
        buffer.extend_from_slice(piece);
        let outcome = check.inspect(buffer);
        poison(buffer);
        if let Err(refusal) = outcome {
            assert!(refusal.accepted < piece.len());
            assert_eq!(counters(&check).0, fed + refusal.accepted as u64);
            result = Err(refusal.rejection);
            break;
        }
        fed += piece.len() as u64;
        assert_eq!(counters(&check).0, fed);
    }
    result = result.and_then(|()| check.finish());
    assert_eq!(check.finish(), result);
    if let Err(rejection) = result {
        for more in [&b""[..], b"\n", b"[]\n\x1e[]"] {
            let refusal = check.inspect(more).unwrap_err();
            assert_eq!((refusal.accepted, refusal.rejection), (0, rejection));
        }
        assert_eq!(check.finish(), Err(rejection));
    }
    let (offset, records) = counters(&check);
    (result, offset, records)
}

/// Makes events that own their text of what a document gives.
trait Own<D: Document> {
    /// A record begins: what came of a refused one is forgotten.
    fn begin(&mut self);
    fn own(&mut self, event: D::Event<'_>) -> Option<Event>;
}

impl Own<Tokenizer<Counted<64>>> for Joiner {
    fn begin(&mut self) {
        *self = Self::default();
    }

    fn own(&mut self, token: Token<'_>) -> Option<Event> {
        self.add(token);
        self.events.pop()
    }
}

/// Nothing to join.
struct Whole;

impl<'s> Own<Assembler<'s, Counted<64>>> for Whole {
    fn begin(&mut self) {}

    fn own(&mut self, event: plimsoll_json::Event<'_>) -> Option<Event> {
        whole::owned(event)
    }
}

/// What [`Records`] of tokens make of a stream in `pieces`.
pub fn tokens<'a>(
    stream: Stream<'_>,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    buffer: &mut Vec<u8>,
) -> Run {
    let tokenizer = Tokenizer::<Counted<64>>::new(LIMITS).unwrap().hand_back_rest();
    read(stream, tokenizer, Joiner::default(), Shown::Whole, pieces, buffer)
}

/// What [`Records`] of whole strings make of a stream in `pieces`.
pub fn strings<'a>(
    stream: Stream<'_>,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    buffer: &mut Vec<u8>,
) -> Run {
    let mut scratch = vec![0xff; stream.body.len().max(1)];
    let assembler = Assembler::<Counted<64>>::new(LIMITS, &mut scratch).unwrap().hand_back_rest();
    read(stream, assembler, Whole, Shown::Whole, pieces, buffer)
}

/// What both make of a stream of which each step is shown a byte more than the one before, as by a source whose buffer fills.
fn grown(stream: Stream<'_>, buffer: &mut Vec<u8>) -> [Run; 2] {
    let tokenizer = Tokenizer::<Counted<64>>::new(LIMITS).unwrap();
    let mut scratch = vec![0xff; stream.body.len().max(1)];
    let assembler = Assembler::<Counted<64>>::new(LIMITS, &mut scratch).unwrap();
    [
        read(stream, tokenizer, Joiner::default(), Shown::Growing, [stream.body], buffer),
        read(stream, assembler, Whole, Shown::Growing, [stream.body], buffer),
    ]
}

/// What a step is shown of a piece: all that was not consumed, or that up to a place that moves on with each step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Whole,
    Growing,
}

fn read<'a, D: Document>(
    stream: Stream<'_>,
    document: D,
    mut owner: impl Own<D>,
    shown: Shown,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    buffer: &mut Vec<u8>,
) -> Run {
    let mut records = Records::new(stream.framing, stream.limits, document);
    if stream.skip {
        records = records.skip_refused();
    }
    let mut items: Vec<Item> = Vec::new();
    let mut add = |event: RecordEvent<D::Event<'_>>| {
        let item = match event {
            RecordEvent::Begin(record) => {
                owner.begin();
                Item::Begin(record)
            }
            RecordEvent::Token(token) => match owner.own(token) {
                Some(event) => Item::Event(event),
                None => return,
            },
            RecordEvent::End => Item::End,
            RecordEvent::Skipped(skipped) => Item::Skipped(skipped),
        };
        items.push(item);
    };
    let mut fed = 0;
    let mut result = Ok(());
    'body: for piece in pieces {
        buffer.clear();
        buffer.extend_from_slice(piece);
        let (mut at, mut end) = (0, if shown == Shown::Whole { buffer.len() } else { 0 });
        loop {
            match records.step(&buffer[at..end]) {
                Ok(step) => {
                    at += step.consumed;
                    fed += step.consumed as u64;
                    match step.event {
                        Some(event) => {
                            add(event);
                            assert_eq!(records.offset(), fed);
                        }
                        None => {
                            assert_eq!(at, end);
                            if end == buffer.len() {
                                break;
                            }
                        }
                    }
                    end = buffer.len().min(end + 1);
                }
                Err(rejection) => {
                    assert!(records.offset() - fed < (end - at) as u64);
                    result = Err(rejection);
                    break 'body;
                }
            }
        }
        poison(buffer);
    }
    while result.is_ok() {
        match records.finish() {
            Ok(Some(event)) => add(event),
            Ok(None) => break,
            Err(rejection) => result = Err(rejection),
        }
    }
    if let Err(rejection) = result {
        for more in [&b""[..], b"\n", b"[]\n\x1e[]"] {
            assert_eq!(records.step(more).map(|_| ()), Err(rejection));
        }
        assert_eq!(records.finish().map(|_| ()), Err(rejection));
    } else {
        assert!(records.finish().unwrap().is_none());
    }
    Run { items, result, offset: records.offset(), records: records.records() }
}

/// The records that a [`Framer`] begins in `pieces` and the bytes of each that it lends, up to a refusal.
///
/// # Panics
/// When more is lent than the limit.
pub fn frames<'a>(stream: Stream<'_>, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<(Record, Vec<u8>)> {
    let mut framer = Framer::new(stream.framing, stream.limits);
    if stream.skip {
        framer = framer.skip_refused();
    }
    let mut records: Vec<(Record, Vec<u8>)> = Vec::new();
    let mut add = |frame: Frame<'_>| match frame {
        Frame::Begin(record) => records.push((record, Vec::new())),
        Frame::Bytes(bytes) => {
            let (_, record) = records.last_mut().unwrap();
            record.extend_from_slice(bytes);
            assert!(record.len() as u64 <= stream.limits.bytes);
        }
        Frame::End | Frame::Skipped(_) => {}
    };
    for piece in pieces {
        let mut rest = piece;
        loop {
            let Ok(step) = framer.step(rest) else { return records };
            rest = &rest[step.consumed..];
            let Some(frame) = step.event else { break };
            add(frame);
        }
    }
    while let Ok(Some(frame)) = framer.finish() {
        add(frame);
    }
    records
}

/// Holds all forms, in every cut that matters, against each other and against the reference: whole, byte by byte,
/// in threes, and in two pieces at up to `most` places.
///
/// # Panics
/// When they do not agree.
#[allow(clippy::must_use_candidate, reason = "that they agree is mostly all that is wanted")]
pub fn agree(name: &str, stream: Stream<'_>, most: usize) -> Outcomes {
    let body = stream.body;
    let mut buffer = Vec::new();
    let expected = reference(stream);
    let all = strings(stream, [body], &mut buffer);
    let about = || format!("{name}: {:?} {} {stream:?}", stream.framing, body.escape_ascii());
    assert_eq!(all.outcomes(), expected, "{}", about());
    let lent = frames(stream, [body]);
    let skipped: Vec<Item> =
        all.items.iter().filter(|item| matches!(item, Item::Skipped(_))).cloned().collect();
    let mut compare = |pieces: &[&[u8]], cut: usize| {
        let pieces = || pieces.iter().copied();
        assert_eq!(strings(stream, pieces(), &mut buffer), all, "cut {cut}, strings, {}", about());
        assert_eq!(tokens(stream, pieces(), &mut buffer), all, "cut {cut}, tokens, {}", about());
        let checked = Run { items: skipped.clone(), ..all.clone() };
        assert_eq!(check(stream, pieces(), &mut buffer), checked, "cut {cut}, check, {}", about());
        assert_eq!(frames(stream, pieces()), lent, "cut {cut}, frames, {}", about());
    };
    compare(&[body], 0);
    assert!(grown(stream, &mut Vec::new()).iter().all(|run| *run == all), "growing, {}", about());
    for size in [1, 3] {
        let mut pieces: Vec<&[u8]> = body.chunks(size).collect();
        pieces.insert(pieces.len() / 2, b"");
        compare(&pieces, size);
    }
    for split in crate::feed::splits(body.len(), most) {
        compare(&[&body[..split], &body[split..]], split);
    }
    expected
}
