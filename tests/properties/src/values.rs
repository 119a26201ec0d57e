//! Streams of typed values.

use core::fmt::Debug;
use std::collections::BTreeMap;

use embedded_io::ErrorKind;
use plimsoll::Rejection;
use plimsoll::json::de::{self, RecordValue, Values};
use plimsoll::json::{Assembler, Counted, Framing, RecordLimits, Records, Skipped};
use plimsoll_tests_json::records::{self, Item, LIMITS, Stream};
use plimsoll_tests_serde::source::Source;
use plimsoll_tests_serde::types::{Blob, Default, Passed, Reading, Small, Sort, Strict, Tree, Triple};
use serde::de::DeserializeOwned;

use crate::input::Input;

/// The types of [`typed::values`](crate::typed::values), in the same order.
const TYPES: [fn(Input<'_>); 16] = [
    of::<Reading>,
    of::<Sort>,
    of::<Tree>,
    of::<Strict>,
    of::<Default>,
    of::<Triple>,
    of::<Blob>,
    of::<Passed>,
    of::<Vec<Passed>>,
    of::<Vec<Option<i64>>>,
    of::<Vec<u128>>,
    of::<Vec<f64>>,
    of::<Vec<String>>,
    of::<Vec<char>>,
    of::<BTreeMap<i16, bool>>,
    of::<Small>,
];

/// Each record of a stream is read into the value that it has as a document of its own, or refused for what refuses it
/// alone or in the stream; in a slice, and from a source in any pieces that is interrupted.
pub fn streamed(input: Input<'_>) {
    TYPES[usize::from(input.dials[4]) % TYPES.len()](input);
}

/// What came of each record, and the verdict.
type Found<T> = (Vec<RecordValue<T>>, Result<(), Rejection>);

fn of<T: DeserializeOwned + PartialEq + Debug>(input: Input<'_>) {
    let stream = Stream {
        body: input.body,
        framing: if input.chosen(9, 0) { Framing::Lines } else { Framing::Sequence },
        limits: RecordLimits { bytes: input.wide_dial(5), records: input.dial(7) },
        skip: input.chosen(9, 1),
    };
    let mut scratch = vec![0xA5; input.body.len().max(1)];
    let mut values = Values::from_slice(stream.body, machine(stream, &mut scratch));
    let whole: Found<T> = collect(|| values.next().map_err(|error| error.rejection().expect("a refusal")));

    let size = usize::from(input.dials[8]) % 64 + 1;
    let interrupted = |request: usize| request.is_multiple_of(3).then_some(ErrorKind::Interrupted);
    let mut scratch = vec![0x5A; input.body.len().max(1)];
    let source = Source::new(stream.body, size, interrupted);
    let mut values = Values::from_reader(source, machine(stream, &mut scratch));
    let cut: Found<T> = collect(|| values.next().map_err(|error| error.rejection().expect("a refusal")));
    assert_eq!(cut, whole, "by {size}");

    by_themselves(stream, whole);
}

fn machine<'s>(stream: Stream<'_>, scratch: &'s mut [u8]) -> Records<Assembler<'s, Counted<64>>> {
    let assembler = Assembler::new(LIMITS, scratch).unwrap();
    let records = Records::new(stream.framing, stream.limits, assembler);
    if stream.skip { records.skip_refused() } else { records }
}

/// Goes on to the end, and then asks once more.
fn collect<T: PartialEq + Debug>(
    mut next: impl FnMut() -> Result<Option<RecordValue<T>>, Rejection>,
) -> Found<T> {
    let mut values = Vec::new();
    loop {
        let end = match next() {
            Ok(Some(value)) => {
                values.push(value);
                continue;
            }
            Ok(None) => Ok(()),
            Err(rejection) => Err(rejection),
        };
        assert_eq!(next(), end.map(|()| None), "the end and a refusal are final");
        return (values, end);
    }
}

/// Compares with each record that was begun as a document of its own, and with the check of the stream.
fn by_themselves<T: DeserializeOwned + PartialEq + Debug>(stream: Stream<'_>, (values, result): Found<T>) {
    let checked = records::check(stream, [stream.body], &mut Vec::new());
    let skipped = |item: &Item| if let Item::Skipped(skipped) = item { Some(*skipped) } else { None };
    let mut passed_over = checked.items.iter().filter_map(skipped).peekable();
    // What stands before the first RS of a sequence is passed over without being begun.
    let mut frames = records::frames(stream, [stream.body]).into_iter().peekable();
    let mut values = values.into_iter();
    for index in 0..checked.records {
        let frame = frames.next_if(|(record, _)| record.index == index);
        let by_check: Option<Skipped> = passed_over.next_if(|skipped| skipped.record.index == index);
        let by_stream = checked.result.err().filter(|rejection| rejection.record() == Some(index));
        let refused = by_check.map(|skipped| skipped.rejection).or(by_stream);
        // White space before a line's value is counted, but not lent.
        let line = frame.as_ref().filter(|_| stream.framing == Framing::Lines);
        let leading = line.map_or(0, |(record, _)| {
            let is_white = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
            stream.body.iter().skip(record.at as usize).take_while(is_white).count() as u64
        });
        let alone = frame.as_ref().map(|(record, bytes)| {
            let mut scratch = vec![0xA5; bytes.len().max(1)];
            let assembler = Assembler::<Counted<64>>::new(LIMITS, &mut scratch).unwrap();
            de::from_slice::<T, _>(bytes, assembler).map_err(|error| {
                let rejection = error.rejection().expect("a refusal");
                let at = rejection.at().expect("a document's refusal has a place");
                rejection.with_at(record.at + leading + at).with_record(index)
            })
        });
        if let (Some((record, _)), Some(Ok(value)), None) = (&frame, &alone, refused) {
            match values.next() {
                Some(RecordValue::Value { record: found, value: ours }) => {
                    assert_eq!((found, &ours), (*record, value));
                }
                other => panic!("record {index} is {value:?}, but {other:?}, {result:?}"),
            }
            continue;
        }
        let told = match values.next() {
            Some(RecordValue::Skipped(skipped)) if stream.skip => {
                assert_eq!(skipped.record.index, index);
                match (by_check, &frame) {
                    (Some(by_check), _) => assert_eq!(skipped.bytes, by_check.bytes),
                    (None, Some((record, bytes))) => {
                        assert_eq!((skipped.record, skipped.bytes), (*record, leading + bytes.len() as u64));
                    }
                    (None, None) => panic!("record {index} was not begun: {skipped:?}"),
                }
                skipped.rejection
            }
            Some(other) => panic!("record {index} is refused, but {other:?}"),
            None => {
                let rejection = result.expect_err("it is refused");
                assert!(!stream.skip || refused == Some(rejection), "{rejection:?} does not end the stream");
                rejection
            }
        };
        let alone = alone.and_then(Result::err);
        assert!(Some(told) == alone || Some(told) == refused, "{told:?}, not {alone:?} nor {refused:?}");
        if result == Err(told) {
            return assert_eq!(values.next(), None);
        }
    }
    assert_eq!((values.next(), result), (None, checked.result));
}
