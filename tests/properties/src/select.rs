//! Selection by JSON Pointer.

use plimsoll::Reason;
use plimsoll::json::{Counted, Pointers, Retained, Tokenizer};
use plimsoll_tests_json::select::{self, LIMITS, Node};
use plimsoll_tests_json::{feed, oracle};

use crate::input::Input;
use crate::json::names_a_number;

/// The pointers of a body: up to its first line feed, with tabulators between them.
const COUNT: usize = 3;

/// Pointers find in a document what a walk through the tree that `serde_json` reads finds, in any pieces; a key that
/// comes twice on their way is refused; and no more is retained than the limits allow.
pub fn pointers(input: Input<'_>) {
    let end = input.body.iter().position(|&byte| byte == b'\n').unwrap_or(0);
    let (line, document) = input.body.split_at(end);
    let document = document.get(1..).unwrap_or_default();
    let Ok(line) = core::str::from_utf8(line) else { return };
    let mut texts = [line.split('\t').next().unwrap_or(""); COUNT];
    texts.iter_mut().zip(line.split('\t')).for_each(|(text, found)| *text = found);
    let Ok(set) = Pointers::new(texts) else { return };
    let input = input.with(document);

    let wide = Retained { bytes: 1 << 16, matches: 1 << 12 };
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
    let limits_met = [Reason::DepthLimit, Reason::KeyLimit, Reason::NumberLimit];
    if names_a_number(&events) || reason.is_some_and(|reason| limits_met.contains(&reason)) {
        return;
    }
    if oracle::events(document).is_none() {
        return assert!(run.result.is_err(), "serde_json refuses it");
    }
    let tree = Node::read(document);
    let found: Option<Vec<_>> =
        texts.iter().map(|text| tree.find(&text.split('/').skip(1).collect::<Vec<_>>())).collect();
    let Some(found) = found else {
        return assert!(
            matches!(reason, Some(Reason::DuplicateKey | Reason::ItemLimit)),
            "a key twice: {:?}",
            run.result
        );
    };
    let matches: usize = found.iter().map(Vec::len).sum();
    if matches > wide.matches as usize {
        return assert_eq!(reason, Some(Reason::ItemLimit));
    }
    assert_eq!(run.result, Ok(()));
    for (pointer, nodes) in found.into_iter().enumerate() {
        let nodes: Vec<_> = nodes.into_iter().map(Node::described).collect();
        assert_eq!(run.of(pointer), nodes, "{}", texts[pointer]);
    }
    // What fits is the same as what there is.
    let fits = run.bytes <= limits.bytes && matches <= limits.matches as usize;
    assert_eq!(tight.result.is_ok(), fits, "{:?}, {} bytes, {matches} matches", tight.result, run.bytes);
}
