//! JSON documents.

use plimsoll::Reason;
use plimsoll::json::{Check, Counted, Limits, Tokenizer, Uncounted};
use plimsoll_tests_json::feed::{self, Event};
use plimsoll_tests_json::{oracle, whole};

use crate::input::Input;

/// Limits that no document here meets, but of depth.
pub(crate) const LIMITS: Limits = Limits { depth: 64, number: 1 << 20, key: 1 << 20, ..Limits::HOST };

/// Check, tokenizer and assembler take exactly the documents that `serde_json` takes, in any pieces, and tell the same
/// keys, strings and numbers.
pub fn document(input: Input<'_>) {
    let text = input.body;
    let mut buffer = Vec::new();
    let check = Check::<Counted<64>>::new(LIMITS).unwrap();
    let tokenizer = Tokenizer::<Counted<64>>::new(LIMITS).unwrap();
    let (events, verdict) = feed::tokens(tokenizer, [text], &mut buffer);
    for pieces in [vec![text], input.pieces()] {
        let pieces = || pieces.iter().copied();
        assert_eq!(feed::check(check, pieces(), &mut buffer), verdict, "check");
        let told = feed::tokens(tokenizer, pieces(), &mut buffer);
        assert_eq!((&told.0, told.1), (&events, verdict), "tokenizer");
        let told = whole::events(LIMITS, text.len(), pieces(), &mut buffer);
        assert_eq!((&told.0, told.1), (&events, verdict), "assembler");
    }
    match verdict.result {
        Err(rejection) if rejection.reason().is_limit() => {
            assert_eq!(rejection.reason(), Reason::DepthLimit, "no other limit is met");
        }
        _ if names_a_number(&events) => {}
        result => {
            let expected = oracle::events(text);
            assert_eq!(result.is_ok(), expected.is_some(), "{result:?}, but serde_json otherwise");
            assert!(expected.is_none_or(|expected| told(events) == expected), "other contents");
        }
    }
}

/// Whether there is a key by which `serde_json` tells a number from a map, so that it cannot be asked.
pub(crate) fn names_a_number<'e>(events: impl IntoIterator<Item = &'e Event>) -> bool {
    events.into_iter().any(|event| matches!(event, Event::Key(key) if key.starts_with("$serde_json::")))
}

/// Events as `serde_json` tells them: exponents have a small letter and a sign.
pub(crate) fn told(mut events: Vec<Event>) -> Vec<Event> {
    for event in &mut events {
        if let Event::Number(text) = event {
            *text = text.replace('E', "e");
        }
    }
    oracle::signed_exponents(events)
}

/// Under limits on strings, keys, numbers, items, values and depth, a document is accepted exactly where it is accepted
/// without them and has no more of anything than they allow; and no more than that is ever lent.
pub fn limited(input: Input<'_>) {
    let text = input.body;
    let mut buffer = Vec::new();
    let tokenizer = Tokenizer::<Counted<64>>::new(LIMITS).unwrap();
    let (events, all) = feed::tokens(tokenizer, [text], &mut buffer);
    let limits = Limits {
        string: number(input, 4),
        key: number(input, 5),
        number: number(input, 6),
        items: number(input, 7),
        values: number(input, 8),
        depth: u16::from(input.dials[9]).min(64),
    };
    let tokenizer = Tokenizer::<Counted<64>>::new(limits).unwrap();
    let check = Check::<Counted<64>>::new(limits).unwrap();
    let (lent, verdict) = feed::tokens(tokenizer, input.pieces(), &mut buffer);
    assert_eq!(feed::check(check, [text], &mut buffer), verdict, "check");
    let scratch = limits.string.max(limits.key).max(limits.number) as usize;
    let assembled = whole::events(limits, scratch, input.pieces(), &mut buffer);
    assert_eq!((&assembled.0, assembled.1), (&lent, verdict), "assembler");
    // Levels that are not counted, where no limit asks for a count.
    let plain = Limits { items: u32::MAX, ..limits };
    let uncounted = feed::check(Check::<Uncounted<8>>::new(plain).unwrap(), input.pieces(), &mut buffer);
    let counted = Limits { items: u32::MAX >> 1, ..limits };
    let counted = feed::check(Check::<Counted<64>>::new(counted).unwrap(), [text], &mut buffer);
    assert_eq!(uncounted, counted, "levels without counts");

    assert!(events.starts_with(&lent), "the same up to the refusal");
    let measured = Measured::of(&lent);
    assert!(measured.over(&limits).is_empty(), "{measured:?} was lent under {limits:?}");
    let over = Measured::of(&events).over(&limits);
    match (verdict.result, all.result) {
        (Ok(()), all) => assert_eq!(all, Ok(())),
        (Err(rejection), Ok(())) => {
            assert!(over.contains(&rejection.reason()), "{rejection:?}, but only {over:?} are over");
            let at = rejection.at().expect("a limit of a document has a place");
            assert_eq!(verdict.offset, at, "the byte that is one too many");
        }
        // What is wrong may come before or behind what is too much.
        (Err(_), Err(_)) => {}
    }
    assert!(verdict.result.is_err() || over.is_empty(), "accepted, and over are {over:?}");
}

fn number(input: Input<'_>, at: usize) -> u32 {
    input.dials[at].into()
}

/// The most that a document has of everything that is limited, counted by its events.
#[derive(Clone, Copy, Default, Debug)]
struct Measured {
    string: usize,
    key: usize,
    number: usize,
    items: usize,
    values: usize,
    depth: usize,
}

impl Measured {
    fn of(events: &[Event]) -> Self {
        let mut most = Self::default();
        // The items so far of each container that is open.
        let mut open: Vec<usize> = Vec::new();
        for event in events {
            match event {
                Event::Key(key) => most.key = most.key.max(key.len()),
                Event::EndArray | Event::EndObject => drop(open.pop()),
                value => {
                    most.values += 1;
                    if let Some(items) = open.last_mut() {
                        *items += 1;
                        most.items = most.items.max(*items);
                    }
                    match value {
                        Event::String(text) => most.string = most.string.max(text.len()),
                        Event::Number(text) => most.number = most.number.max(text.len()),
                        Event::BeginArray | Event::BeginObject => open.push(0),
                        _ => {}
                    }
                    most.depth = most.depth.max(open.len());
                }
            }
        }
        most
    }

    /// The limits that are exceeded.
    fn over(&self, limits: &Limits) -> Vec<Reason> {
        let over = [
            (self.string, limits.string, Reason::StringLimit),
            (self.key, limits.key, Reason::KeyLimit),
            (self.number, limits.number, Reason::NumberLimit),
            (self.items, limits.items, Reason::ItemLimit),
            (self.values, limits.values, Reason::ValueLimit),
            (self.depth, limits.depth.into(), Reason::DepthLimit),
        ];
        over.iter().filter(|(has, most, _)| *has > *most as usize).map(|&(_, _, reason)| reason).collect()
    }
}
