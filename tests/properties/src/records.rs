//! Records: NDJSON and RFC 7464.

use plimsoll::json::{Framing, RecordLimits};
use plimsoll_tests_json::records::{self, Item, Run, Stream};

use crate::input::Input;
use crate::json::names_a_number;

/// A stream of lines or of RFC 7464 has the records that its format and `serde_json` say, refused ones end it or are
/// skipped and told once, and check, tokens, whole strings and frames agree in any pieces.
pub fn stream(input: Input<'_>) {
    let body = input.body;
    let stream = Stream {
        body,
        framing: if input.chosen(4, 0) { Framing::Lines } else { Framing::Sequence },
        limits: RecordLimits { bytes: input.wide_dial(5), records: input.dial(7) },
        skip: input.chosen(4, 1),
    };
    let mut buffer = Vec::new();
    let all = records::strings(stream, [body], &mut buffer);
    let events =
        all.items.iter().filter_map(|item| if let Item::Event(event) = item { Some(event) } else { None });
    if !names_a_number(events) {
        assert_eq!(all.outcomes(), records::reference(stream), "the reference");
    }

    let lent = records::frames(stream, [body]);
    let skipped = all.items.iter().filter(|item| matches!(item, Item::Skipped(_))).cloned().collect();
    let checked = Run { items: skipped, ..all.clone() };
    for pieces in [vec![body], input.pieces()] {
        let pieces = || pieces.iter().copied();
        assert_eq!(records::strings(stream, pieces(), &mut buffer), all, "whole strings");
        assert_eq!(records::tokens(stream, pieces(), &mut buffer), all, "tokens");
        assert_eq!(records::check(stream, pieces(), &mut buffer), checked, "check");
        assert_eq!(records::frames(stream, pieces()), lent, "frames");
    }
}
