//! Effects of records.

use plimsoll::json::{CheckRecords, Counted, Framing, Record, RecordLimits, Skipped};
use plimsoll::{EachRecord, Limits, RecordEffect};
use plimsoll_tests_json::records::{self, Item, LIMITS, Stream};
use plimsoll_tests_json::select;

use crate::input::Input;

/// What an effect was told, in order.
#[derive(Default, PartialEq, Eq, Debug)]
struct Told {
    records: Vec<(Record, Vec<u8>)>,
    skipped: Vec<Item>,
}

impl RecordEffect for &mut Told {
    fn record(&mut self, record: Record, bytes: &[u8]) {
        self.records.push((record, bytes.to_vec()));
    }

    fn skipped(&mut self, skipped: Skipped) {
        self.skipped.push(Item::Skipped(skipped));
    }
}

/// Under limits on records and a buffer of any length, each record that the check accepts is handed on once, whole and in
/// order, and none that is refused, cut or too long; verdict and counters are the check's, in any pieces.
pub fn handed_on(input: Input<'_>) {
    let framing = if input.chosen(4, 0) { Framing::Lines } else { Framing::Sequence };
    let (skip, room) = (input.chosen(4, 1), input.wide_dial(8));
    let limits =
        Limits { record: input.wide_dial(5), records: input.dial(7), document: LIMITS, ..Limits::HOST };
    let most = RecordLimits { bytes: limits.record.min(room), records: limits.records };
    let stream = Stream { body: input.body, framing, limits: most, skip };
    let checked = records::check(stream, [input.body], &mut Vec::new());

    let refused = checked.result.err().map(|rejection| rejection.record().expect("it is a record's"));
    let is_skipped = |record: Record| {
        checked.items.iter().any(|item| matches!(item, Item::Skipped(skipped) if skipped.record == record))
    };
    let mut accepted = records::frames(stream, [input.body]);
    accepted.retain(|(record, _)| refused.is_none_or(|at| record.index < at) && !is_skipped(*record));
    let expected = Told { records: accepted, skipped: checked.items.clone() };

    let mut buffer = vec![0xA5; usize::try_from(room).unwrap()];
    for pieces in [vec![input.body], input.pieces()] {
        let mut told = Told::default();
        let make = if skip { EachRecord::skipping } else { EachRecord::refusing };
        let mut each = make(framing, &limits, &mut buffer, &mut told).unwrap();
        let result = select::drive(&mut each, pieces, CheckRecords::<Counted<64>, _>::offset);
        assert_eq!(
            (result, each.offset(), each.records()),
            (checked.result, checked.offset, checked.records)
        );
        assert_eq!(told, expected);
    }
}
