//! Selection: what pointers name by the letter of RFC 6901, found in a tree, and what ours tells in pieces.

use plimsoll_core::{Inspect, Rejection};
use plimsoll_json::{
    Counted, Fields, Kind, Limits, Pointers, Record, Retained, Select, Selected, Slot, Value, Visit,
};

use crate::feed::{Event, poison, splits};
use crate::oracle;

/// The limits of all documents here.
pub const LIMITS: Limits = Limits { depth: 64, number: 1 << 20, key: 1 << 20, ..Limits::HOST };

/// Enough for every document here.
pub const PLENTY: Retained = Retained { bytes: 1 << 24, matches: 1 << 20 };

/// A match: its pointer, what it is and its text.
pub type Match = (usize, Kind, Vec<u8>);

/// A value in a tree, with the members of an object in order.
#[derive(Clone, Debug)]
pub enum Node {
    /// Anything without items.
    Scalar(Event),
    /// The elements.
    Array(Vec<Node>),
    /// The members.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// The tree of a document that `serde_json` takes.
    ///
    /// # Panics
    /// When it does not take it.
    #[must_use]
    pub fn read(text: &[u8]) -> Self {
        let events = oracle::events(text).unwrap();
        let mut events = events.into_iter();
        let first = events.next().unwrap();
        Self::of(first, &mut events)
    }

    fn of(first: Event, events: &mut impl Iterator<Item = Event>) -> Self {
        match first {
            Event::BeginArray => {
                let mut items = Vec::new();
                loop {
                    match events.next().unwrap() {
                        Event::EndArray => return Self::Array(items),
                        first => items.push(Self::of(first, events)),
                    }
                }
            }
            Event::BeginObject => {
                let mut members = Vec::new();
                loop {
                    match events.next().unwrap() {
                        Event::Key(key) => {
                            let first = events.next().unwrap();
                            members.push((key, Self::of(first, events)));
                        }
                        _ => return Self::Object(members),
                    }
                }
            }
            scalar => Self::Scalar(scalar),
        }
    }

    /// What a pointer's tokens name, in order; nothing at all if two members on its way have the same key.
    #[must_use]
    pub fn find(&self, tokens: &[&str]) -> Option<Vec<&Self>> {
        let Some((&token, rest)) = tokens.split_first() else { return Some(vec![self]) };
        let mut found = Vec::new();
        match self {
            Self::Scalar(_) => {}
            Self::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if token == "*" || token == index.to_string() {
                        found.extend(item.find(rest)?);
                    }
                }
            }
            Self::Object(members) => {
                let name = token.replace("~2", "*").replace("~1", "/").replace("~0", "~");
                if token != "*" && members.iter().filter(|(key, _)| *key == name).count() > 1 {
                    return None;
                }
                for (key, value) in members {
                    if token == "*" || *key == name {
                        found.extend(value.find(rest)?);
                    }
                }
            }
        }
        Some(found)
    }

    /// What kind of value it is, and the text of a string or number; of a container its events, as text.
    #[must_use]
    pub fn described(&self) -> (Kind, String) {
        let (kind, text) = match self {
            Self::Array(_) => (Kind::Array, format!("{:?}", self.events())),
            Self::Object(_) => (Kind::Object, format!("{:?}", self.events())),
            Self::Scalar(Event::String(text)) => (Kind::String, text.clone()),
            Self::Scalar(Event::Number(text)) => (Kind::Number, text.clone()),
            Self::Scalar(Event::True) => (Kind::True, String::new()),
            Self::Scalar(Event::False) => (Kind::False, String::new()),
            Self::Scalar(_) => (Kind::Null, String::new()),
        };
        (kind, text)
    }

    fn events(&self) -> Vec<Event> {
        match self {
            Self::Scalar(event) => vec![event.clone()],
            Self::Array(items) => {
                let inner = items.iter().flat_map(Self::events);
                [Event::BeginArray].into_iter().chain(inner).chain([Event::EndArray]).collect()
            }
            Self::Object(members) => {
                let inner = members
                    .iter()
                    .flat_map(|(key, value)| [Event::Key(key.clone())].into_iter().chain(value.events()));
                [Event::BeginObject].into_iter().chain(inner).chain([Event::EndObject]).collect()
            }
        }
    }
}

/// A match as [`Node::described`] has it.
///
/// # Panics
/// When the text of a container is not JSON, or has white space between tokens.
#[must_use]
pub fn described(found: &Match) -> (Kind, String) {
    let (_, kind, text) = found;
    if kind.is_container() {
        assert!(is_compact(text), "{}", text.escape_ascii());
        return Node::read(text).described();
    }
    let text = String::from_utf8(text.clone()).unwrap();
    if *kind == Kind::Number {
        // As serde_json writes it.
        let number = oracle::signed_exponents(vec![Event::Number(text.replace('E', "e"))]);
        return Node::Scalar(number[0].clone()).described();
    }
    (*kind, text)
}

fn is_compact(text: &[u8]) -> bool {
    let (mut inside, mut escape) = (false, false);
    text.iter().all(|&byte| {
        let fine = inside || !byte.is_ascii_whitespace();
        match byte {
            _ if escape => escape = false,
            b'\\' => escape = true,
            b'"' => inside = !inside,
            _ => {}
        }
        fine
    })
}

/// Joins what it is told, and insists on the contract.
#[derive(Clone, Default, Debug)]
pub struct Recorder {
    /// Matches that have ended, in the order in which they began.
    matches: Vec<(Match, bool)>,
    /// What was committed.
    pub committed: Vec<Vec<Match>>,
    /// How many documents were discarded.
    pub discarded: usize,
}

impl Recorder {
    fn add(&mut self, text: &[u8], container: bool) {
        assert!(core::str::from_utf8(text).is_ok() || container);
        assert!(!text.is_empty());
        let mut any = false;
        for ((_, kind, joined), open) in &mut self.matches {
            if *open && kind.is_container() == container {
                joined.extend_from_slice(text);
                any = true;
            }
        }
        assert!(any);
    }
}

impl Visit for Recorder {
    fn record(&mut self, _record: Record) {
        assert!(self.matches.is_empty());
    }

    fn begin(&mut self, pointer: usize, kind: Kind) {
        assert!(!self.matches.iter().any(|((of, ..), open)| *open && *of == pointer));
        self.matches.push(((pointer, kind, Vec::new()), true));
    }

    fn scalar(&mut self, text: &[u8]) {
        self.add(text, false);
    }

    fn raw(&mut self, text: &[u8]) {
        self.add(text, true);
    }

    fn end(&mut self, pointer: usize) {
        let open = self.matches.iter_mut().find(|((of, ..), open)| *open && *of == pointer);
        open.unwrap().1 = false;
    }

    fn commit(&mut self) {
        assert!(self.matches.iter().all(|(_, open)| !open));
        self.committed.push(self.matches.drain(..).map(|(found, _)| found).collect());
    }

    fn discard(&mut self) {
        self.matches.clear();
        self.discarded += 1;
    }
}

/// What came of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The matches, if it is complete.
    pub matches: Option<Vec<Match>>,
    /// The verdict.
    pub result: Result<(), Rejection>,
    /// Offset of the next byte, or of the one that decided.
    pub offset: u64,
    /// The first pointer that is missing.
    pub missing: Option<usize>,
    /// What was retained.
    pub bytes: u32,
}

impl Run {
    /// The matches of one pointer, described.
    ///
    /// # Panics
    /// When the document was refused.
    #[must_use]
    pub fn of(&self, pointer: usize) -> Vec<(Kind, String)> {
        let matches = self.matches.as_ref().unwrap();
        matches.iter().filter(|(of, ..)| *of == pointer).map(described).collect()
    }
}

/// Feeds `pieces` to any selection, then the end. After a refusal it must stay refused. Gives the verdict.
///
/// # Errors
/// What the selection refuses.
///
/// # Panics
/// When a refusal changes or its place in the piece does not fit its offset.
pub fn drive<'a, I: Inspect>(
    select: &mut I,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    offset: impl Fn(&I) -> u64,
) -> Result<(), Rejection> {
    let mut buffer = Vec::new();
    let mut fed = 0;
    let mut result = Ok(());
    for piece in pieces {
        buffer.clear();
        buffer.extend_from_slice(piece);
        let outcome = select.inspect(&buffer);
        poison(&mut buffer);
        if let Err(refusal) = outcome {
            assert_eq!(offset(select), fed + refusal.accepted as u64);
            assert!(refusal.accepted < piece.len());
            result = Err(refusal.rejection);
            break;
        }
        fed += piece.len() as u64;
        assert_eq!(offset(select), fed);
    }
    result = result.and_then(|()| select.finish());
    assert_eq!(select.finish(), result);
    if let Err(rejection) = result {
        for more in [&b""[..], b" ", b"0123456789"] {
            let refusal = select.inspect(more).unwrap_err();
            assert_eq!((refusal.accepted, refusal.rejection), (0, rejection));
        }
        assert_eq!(select.finish(), Err(rejection));
    }
    result
}

/// What a selection with a visitor makes of a document in `pieces`.
///
/// # Panics
/// When it does not keep its contract.
pub fn visit<'a, const P: usize>(
    pointers: &Pointers<'_, P>,
    retained: Retained,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Run {
    let mut recorder = Recorder::default();
    let mut select = Select::<Counted<64>, _, P>::new(pointers, LIMITS, retained, &mut recorder).unwrap();
    let result = drive(&mut select, pieces, Select::offset);
    let (offset, missing, bytes) = (select.offset(), select.missing(), select.retained_bytes());
    assert_eq!(select.into_visitor().is_some(), result.is_ok());
    let complete = usize::from(result.is_ok());
    assert_eq!((recorder.committed.len(), recorder.discarded), (complete, 1 - complete));
    Run { matches: recorder.committed.pop(), result, offset, missing, bytes }
}

/// The matches that are shown.
///
/// # Panics
/// Never.
#[must_use]
pub fn shown(selected: &Selected<'_>) -> Vec<Match> {
    selected
        .iter()
        .map(|(pointer, value)| {
            let (kind, text) = match value {
                Value::Null => (Kind::Null, &[][..]),
                Value::Bool(false) => (Kind::False, &[][..]),
                Value::Bool(true) => (Kind::True, &[][..]),
                Value::Number(number) => (Kind::Number, number.as_bytes()),
                Value::String(text) => (Kind::String, text.as_bytes()),
                Value::Array(text) => (Kind::Array, text.as_bytes()),
                Value::Object(text) => (Kind::Object, text.as_bytes()),
            };
            (pointer, kind, text.to_vec())
        })
        .collect()
}

/// The same in memory of `retained` bytes and slots, which is poisoned before.
///
/// # Panics
/// When it does not keep its contract.
pub fn keep<'a, const P: usize>(
    pointers: &Pointers<'_, P>,
    retained: Retained,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Run {
    let mut bytes = vec![0xff; retained.bytes as usize];
    let mut slots = vec![Slot::EMPTY; retained.matches as usize];
    let fields = Fields::new(&mut bytes, &mut slots);
    let mut select = Select::<Counted<64>, _, P>::of_fields(pointers, LIMITS, fields).unwrap();
    let result = drive(&mut select, pieces, Select::offset);
    let (offset, missing, bytes) = (select.offset(), select.missing(), select.retained_bytes());
    let selected = select.into_selected();
    assert_eq!(selected.is_some(), result.is_ok());
    Run { matches: selected.map(|selected| shown(&selected)), result, offset, missing, bytes }
}

/// What both make of a text in every cut that matters. All of it must agree.
///
/// # Panics
/// When two cuts or both forms do not agree.
#[must_use]
pub fn agree<const P: usize>(
    name: &str,
    text: &[u8],
    pointers: &Pointers<'_, P>,
    retained: Retained,
    most: usize,
) -> Run {
    let run = visit(pointers, retained, [text]);
    let compare = |pieces: &[&[u8]], cut: usize| {
        assert_eq!(visit(pointers, retained, pieces.iter().copied()), run, "{name}, cut {cut}");
        if retained.bytes <= 1 << 16 {
            assert_eq!(keep(pointers, retained, pieces.iter().copied()), run, "{name}, kept, cut {cut}");
        }
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
    run
}
