//! Feeding a document in pieces through one receive buffer that is overwritten after every call.

use plimsoll_core::{Inspect, Rejection};
use plimsoll_json::{Check, Levels, Token, Tokenizer};

/// What a token became once its parts were joined.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names of the tokens")]
pub enum Event {
    BeginObject,
    EndObject,
    BeginArray,
    EndArray,
    Key(String),
    String(String),
    Number(String),
    True,
    False,
    Null,
}

/// The verdict on a document, and the counters when it fell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Whether the document is whole and in order.
    pub result: Result<(), Rejection>,
    /// Offset of the next byte, or of the one that decided.
    pub offset: u64,
    /// Values begun.
    pub values: u32,
}

/// Overwrites a receive buffer with what would be refused anywhere.
fn poison(buffer: &mut [u8]) {
    buffer.fill(0xff);
}

/// Feeds `pieces` to a check, then the end. After a refusal it must stay refused.
///
/// # Panics
/// When a refusal changes or its place in the piece does not fit its offset.
pub fn check<'a, L: Levels>(
    mut check: Check<L>,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    buffer: &mut Vec<u8>,
) -> Verdict {
    let mut fed = 0;
    let mut result = Ok(());
    for piece in pieces {
        buffer.clear();
        buffer.extend_from_slice(piece);
        let outcome = check.inspect(buffer);
        poison(buffer);
        if let Err(refusal) = outcome {
            assert_eq!(check.offset(), fed + refusal.accepted as u64);
            assert!(refusal.accepted < piece.len());
            result = Err(refusal.rejection);
            break;
        }
        fed += piece.len() as u64;
        assert_eq!(check.offset(), fed);
    }
    result = result.and_then(|()| check.finish());
    assert_eq!(check.finish(), result);
    if let Err(rejection) = result {
        for more in [&b""[..], b" ", b"0123456789"] {
            let refusal = check.inspect(more).unwrap_err();
            assert_eq!((refusal.accepted, refusal.rejection), (0, rejection));
        }
        assert_eq!(check.finish(), Err(rejection));
    }
    Verdict { result, offset: check.offset(), values: check.values() }
}

/// Joins parts.
#[derive(Default)]
struct Joiner {
    events: Vec<Event>,
    text: String,
}

impl Joiner {
    fn take(&mut self, last: &str) -> String {
        self.text.push_str(last);
        core::mem::take(&mut self.text)
    }

    fn add(&mut self, token: Token<'_>) {
        let event = match token {
            Token::KeyPart(text) | Token::StringPart(text) | Token::NumberPart(text) => {
                assert!(!text.is_empty());
                assert_eq!(text.as_str().as_bytes(), text.as_bytes());
                return self.text.push_str(text.as_str());
            }
            Token::KeyCharacter(character) | Token::StringCharacter(character) => {
                return self.text.push(character);
            }
            Token::NeedInput | Token::End => return,
            Token::Key(text) => Event::Key(self.take(text.as_str())),
            Token::String(text) => Event::String(self.take(text.as_str())),
            Token::Number(text) => Event::Number(self.take(text.as_str())),
            Token::BeginObject => Event::BeginObject,
            Token::EndObject => Event::EndObject,
            Token::BeginArray => Event::BeginArray,
            Token::EndArray => Event::EndArray,
            Token::True => Event::True,
            Token::False => Event::False,
            Token::Null => Event::Null,
        };
        assert!(self.text.is_empty());
        self.events.push(event);
    }
}

/// Feeds `pieces` to a tokenizer, then the end, and joins the parts. Nothing lent may exceed a limit. After a
/// refusal it must stay refused.
///
/// # Panics
/// When a limit is exceeded, a refusal changes, or an offset is wrong.
pub fn tokens<'a, L: Levels>(
    mut tokenizer: Tokenizer<L>,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    buffer: &mut Vec<u8>,
) -> (Vec<Event>, Verdict) {
    let limits = *tokenizer.limits();
    let longest = limits.string.max(limits.key).max(limits.number) as usize;
    let mut joiner = Joiner::default();
    let mut fed = 0;
    let mut result = Ok(());
    'body: for piece in pieces {
        buffer.clear();
        buffer.extend_from_slice(piece);
        let mut rest = buffer.as_slice();
        loop {
            match tokenizer.step(rest) {
                Ok(step) => {
                    rest = &rest[step.consumed..];
                    fed += step.consumed as u64;
                    assert_eq!(tokenizer.offset(), fed);
                    joiner.add(step.token);
                    assert!(joiner.text.len() <= longest);
                    if step.token == Token::NeedInput {
                        assert!(rest.is_empty());
                        break;
                    }
                }
                Err(rejection) => {
                    assert!(tokenizer.offset() - fed < rest.len() as u64);
                    result = Err(rejection);
                    break 'body;
                }
            }
        }
        poison(buffer);
    }
    while result.is_ok() {
        match tokenizer.finish() {
            Ok(Token::End) => break,
            Ok(token) => joiner.add(token),
            Err(rejection) => result = Err(rejection),
        }
    }
    if let Err(rejection) = result {
        for more in [&b""[..], b" ", b"0123456789"] {
            assert_eq!(tokenizer.step(more), Err(rejection));
        }
        assert_eq!(tokenizer.finish(), Err(rejection));
    }
    (joiner.events, Verdict { result, offset: tokenizer.offset(), values: tokenizer.values() })
}

/// Where to cut a text of `len` bytes in two: everywhere, or at `most` places spread over it.
pub fn splits(len: usize, most: usize) -> impl Iterator<Item = usize> {
    let count = if len <= most { len + 1 } else { most };
    (0..count).map(move |index| if len <= most { index } else { index * len / most })
}

/// What a check and a tokenizer say of a text in every cut that matters: whole, byte by byte, in twos to nines,
/// and in two pieces at up to `most` places. All of it must agree.
///
/// # Panics
/// When two cuts, or the check and the tokenizer, do not agree.
pub fn agree<L: Levels>(
    name: &str,
    text: &[u8],
    checker: Check<L>,
    tokenizer: Tokenizer<L>,
    most: usize,
) -> (Vec<Event>, Verdict) {
    let mut buffer = Vec::new();
    let (events, verdict) = tokens(tokenizer, [text], &mut buffer);
    let mut compare = |pieces: &[&[u8]], cut: usize| {
        let checked = check(checker, pieces.iter().copied(), &mut buffer);
        assert_eq!(checked, verdict, "check, {name}, cut {cut}");
        let (cut_events, cut_verdict) = tokens(tokenizer, pieces.iter().copied(), &mut buffer);
        assert_eq!(cut_verdict, verdict, "tokenizer, {name}, cut {cut}");
        assert!(cut_events == events, "tokens, {name}, cut {cut}");
    };
    compare(&[text], 0);
    for size in 1..10 {
        let mut pieces: Vec<&[u8]> = text.chunks(size).collect();
        compare(&pieces, size);
        pieces.insert(pieces.len() / 2, b"");
        compare(&pieces, size);
    }
    for split in splits(text.len(), most) {
        compare(&[&text[..split], &text[split..]], split);
    }
    (events, verdict)
}
