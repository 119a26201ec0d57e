//! Selection by JSON Pointer.

use core::cell::RefCell;

use plimsoll::Reason;
use plimsoll::json::{Counted, Framing, Pointers, RecordLimits, Retained, SelectRecords, Tokenizer};
use plimsoll_tests_json::records::{self, Item, Stream};
use plimsoll_tests_json::select::{self, LIMITS, Node, Recorder, Run};
use plimsoll_tests_json::{feed, oracle};

use crate::input::Input;
use crate::json::names_a_number;

/// The pointers of a body: up to its first line feed, with tabulators between them.
const COUNT: usize = 3;

/// Pointers find in a document what a walk through the tree that `serde_json` reads finds, in any pieces; a key that
/// comes twice on their way is refused; and no more is retained than the limits allow.
pub fn pointers(input: Input<'_>) {
    let Some((set, input)) = parts(input) else { return };
    let (texts, document) = (set.texts(), input.body);

    let wide = Retained { bytes: 1 << 20, matches: 1 << 16 };
    let run = select::visit(&set, wide, [document]);
    assert_eq!(select::visit(&set, wide, input.pieces()), run, "in pieces");
    let limits = Retained { bytes: input.wide_dial(4) as u32, matches: input.wide_dial(6) as u32 & 0xFFF };
    let tight = select::visit(&set, limits, [document]);
    assert_eq!(select::keep(&set, limits, [document]), tight, "kept");
    assert_eq!(select::keep(&set, limits, input.pieces()), tight, "kept, in pieces");
    assert!(tight.bytes <= limits.bytes, "{} bytes are retained of {}", tight.bytes, limits.bytes);
    assert!(tight.matches.iter().all(|matches| matches.len() <= limits.matches as usize));

    let tokenizer = Tokenizer::<Counted<64>>::new(LIMITS).unwrap();
    let (events, _) = feed::tokens(tokenizer, [document], &mut Vec::new());
    let reason = run.result.err().map(|rejection| rejection.reason());
    if names_a_number(&events) || reason == Some(Reason::DepthLimit) {
        return;
    }
    if oracle::events(document).is_none() {
        return assert!(run.result.is_err(), "serde_json refuses it");
    }
    let tree = Node::read(document);
    let found: Option<Vec<_>> =
        texts.iter().map(|text| tree.find(&text.split('/').skip(1).collect::<Vec<_>>())).collect();
    let Some(found) = found else {
        return assert_eq!(reason, Some(Reason::DuplicateKey), "a key twice");
    };
    let matches: usize = found.iter().map(Vec::len).sum();
    assert_eq!(run.result, Ok(()));
    for (pointer, nodes) in found.into_iter().enumerate() {
        let nodes: Vec<_> = nodes.into_iter().map(Node::described).collect();
        assert_eq!(run.of(pointer), nodes, "{}", texts[pointer]);
    }
    // What fits is the same as what there is.
    let fits = run.bytes <= limits.bytes && matches <= limits.matches as usize;
    assert_eq!(tight.result.is_ok(), fits, "{:?}, {} bytes, {matches} matches", tight.result, run.bytes);
}

/// The pointers in front of a body, and what is behind them.
pub(crate) fn parts(input: Input<'_>) -> Option<(Pointers<'_, COUNT>, Input<'_>)> {
    let end = input.body.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (line, behind) = input.body.split_at(end);
    let line = core::str::from_utf8(line).ok()?;
    let mut texts = [line.split('\t').next().unwrap_or(""); COUNT];
    texts.iter_mut().zip(line.split('\t')).for_each(|(text, found)| *text = found);
    Some((Pointers::new(texts).ok()?, input.with(behind.get(1..).unwrap_or_default())))
}

/// Each record that a check accepts is selected from as a document of its own, in any pieces: its matches are committed,
/// or it is skipped for the same reason. A record that the check skips is skipped.
pub fn records(input: Input<'_>) {
    let Some((set, input)) = parts(input) else { return };
    let required = [input.chosen(10, 0), input.chosen(10, 1), input.chosen(10, 2)];
    let set = set.require(required);
    let retained = Retained { bytes: input.wide_dial(8) as u32, matches: input.dial(11) as u32 };
    let framing = if input.chosen(4, 0) { Framing::Lines } else { Framing::Sequence };
    let limits = RecordLimits { bytes: input.wide_dial(5), records: input.dial(7) };
    let stream = Stream { body: input.body, framing, limits, skip: true };
    let checked = records::check(stream, [input.body], &mut Vec::new());

    let run = |pieces: Vec<&[u8]>| {
        let skipped = RefCell::new(Vec::new());
        let mut recorder = Recorder::default();
        let select = SelectRecords::<Counted<64>, _, COUNT>::new(
            &set,
            framing,
            limits,
            LIMITS,
            retained,
            &mut recorder,
        );
        let mut select = select.unwrap().skip_refused(|record| skipped.borrow_mut().push(record));
        let result = select::drive(&mut select, pieces, SelectRecords::offset);
        let counted = (select.offset(), select.records());
        (result, counted, recorder.committed, skipped.into_inner())
    };
    let whole = run(vec![input.body]);
    assert_eq!(run(input.pieces()), whole, "in pieces");
    let (result, counted, committed, skipped) = whole;
    assert_eq!((result, counted), (checked.result, (checked.offset, checked.records)));

    // What stands before the first RS of a sequence is passed over without being begun.
    let mut frames = records::frames(stream, [input.body]).into_iter().peekable();
    let passed = |item: &Item| if let Item::Skipped(skipped) = item { Some(*skipped) } else { None };
    let mut passed_over = checked.items.iter().filter_map(passed).peekable();
    let (mut committed, mut skipped) = (committed.into_iter(), skipped.into_iter());
    // The last one that was begun may not have come to its end.
    for index in 0..checked.records - u64::from(result.is_err()) {
        let frame = frames.next_if(|(record, _)| record.index == index);
        let found = frame.map(|(_, bytes)| select::visit(&set, retained, [bytes.as_slice()]));
        let by_check = passed_over.next_if(|skipped| skipped.record.index == index);
        if let (Some(Run { result: Ok(()), matches, .. }), None) = (&found, by_check) {
            assert_eq!(&committed.next(), matches, "record {index}");
            continue;
        }
        let told = skipped.next().expect("it is skipped");
        assert_eq!(told.record.index, index);
        // What comes first is told, of the document's faults and the selection's.
        let reason = told.rejection.reason();
        let alone = found.and_then(|run| run.result.err()).map(|rejection| rejection.reason());
        let known = alone == Some(reason) || by_check.is_some_and(|by| by.rejection.reason() == reason);
        assert!(known, "record {index}: {told:?}, the check {by_check:?}, alone {alone:?}");
    }
    assert_eq!((committed.next(), skipped.next()), (None, None));
}
