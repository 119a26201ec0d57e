//! One value per record: indices, places, refused records passed over or not, and the same for every cut.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use core::cell::Cell;

use embedded_io::ErrorKind;
use heapless::String;
use plimsoll_core::{Reason, Rejection};
use plimsoll_json::de::{self, RecordValue, Values};
use plimsoll_json::{Assembler, Counted, Framing, Record, RecordLimits, Records, Skipped};
use plimsoll_tests_serde::assembler;
use plimsoll_tests_serde::source::{Failure, Source, quiet};
use serde::Deserialize;

#[derive(Deserialize, PartialEq, Clone, Debug)]
struct Line {
    n: u8,
    #[serde(default)]
    s: String<8>,
}

fn line(n: u8, s: &str) -> Line {
    Line { n, s: s.try_into().unwrap() }
}

fn records(scratch: &mut [u8], framing: Framing) -> Records<Assembler<'_, Counted<32>>> {
    Records::new(framing, RecordLimits { bytes: 40, records: 9 }, assembler(scratch))
}

type Outcome = (Vec<RecordValue<Line>>, Option<Rejection>);

/// What came of every record, and the verdict: whole and by 1 to 9 bytes, where interruptions come too.
fn read(body: &[u8], framing: Framing, skip: bool) -> Outcome {
    fn make(scratch: &mut [u8], framing: Framing, skip: bool) -> Records<Assembler<'_, Counted<32>>> {
        let records = records(scratch, framing);
        if skip { records.skip_refused() } else { records }
    }
    let mut scratch = [0xff; 16];
    let mut values = Values::from_slice(body, make(&mut scratch, framing, skip));
    let mut whole = Vec::new();
    let verdict = loop {
        match values.next() {
            Ok(Some(value)) => whole.push(value),
            Ok(None) => break None,
            Err(error) => {
                assert_eq!(values.next::<Line>().unwrap_err(), error);
                break error.rejection();
            }
        }
    };
    for size in 1..10 {
        let mut scratch = [0xff; 16];
        let interrupted = |request: usize| request.is_multiple_of(3).then_some(ErrorKind::Interrupted);
        let source = Source::new(body, size, interrupted);
        let mut values = Values::from_reader(source, make(&mut scratch, framing, skip));
        let mut cut = Vec::new();
        let cut_verdict = loop {
            match values.next() {
                Ok(Some(value)) => cut.push(value),
                Ok(None) => break None,
                Err(error) => break error.rejection(),
            }
        };
        assert_eq!((&cut, cut_verdict), (&whole, verdict), "by {size}");
    }
    (whole, verdict)
}

fn value(index: u64, at: u64, value: Line) -> RecordValue<Line> {
    RecordValue::Value { record: Record { index, at }, value }
}

fn skipped(index: u64, at: u64, bytes: u64, rejection: Rejection) -> RecordValue<Line> {
    let rejection = rejection.with_record(index);
    RecordValue::Skipped(Skipped { record: Record { index, at }, bytes, rejection })
}

/// Seven lines, of which four are refused; where each begins, how long it is, and where its fault is.
const LINES: &str = concat!(
    "{\"n\":1,\"s\":\"é\"}\r\n", // 0, 16 bytes
    "{\"n\":\"2\"}\n",           // 18, 9 bytes: at 23
    "\n{\"n\":3,\"m\":[]}\n",    // 28 blank, 29, 14 bytes
    "{\"n\":4,}\n",              // 44, 8 bytes: at 51
    "{\"n\":500}\n",             // 53, 9 bytes: at 58
    "{\"s\":\"6\"}\n",           // 63, 9 bytes: missing at 71
    "{\"n\":7}",                 // 73
);

#[test]
fn refused_records_are_passed_over_whether_it_is_json_or_the_type() {
    let (values, verdict) = read(LINES.as_bytes(), Framing::Lines, true);
    assert_eq!(verdict, None);
    assert_eq!(
        values,
        [
            value(0, 0, line(1, "é")),
            skipped(1, 18, 9, Rejection::fault(Reason::TypeMismatch, 23)),
            value(2, 29, line(3, "")),
            skipped(3, 44, 8, Rejection::fault(Reason::JsonSyntax, 51)),
            skipped(4, 53, 9, Rejection::fault(Reason::NumberRange, 58)),
            skipped(5, 63, 9, Rejection::fault(Reason::MissingField, 71)),
            value(6, 73, line(7, "")),
        ]
    );
}

#[test]
fn without_leave_to_pass_over_the_first_refusal_is_the_streams() {
    let (values, verdict) = read(LINES.as_bytes(), Framing::Lines, false);
    assert_eq!(values, [value(0, 0, line(1, "é"))]);
    assert_eq!(verdict, Some(Rejection::fault(Reason::TypeMismatch, 23).with_record(1)));
    let (values, verdict) = read(b"{\"n\":1}\n{\"n\":2}x\n{\"n\":3}", Framing::Lines, false);
    assert_eq!(values, [value(0, 0, line(1, ""))]);
    assert_eq!(verdict, Some(Rejection::fault(Reason::TrailingDocument, 15).with_record(1)));
}

#[test]
fn a_record_limit_and_a_cut_record_are_passed_over_and_the_count_is_not() {
    let long = format!("{{\"n\":1}}\n{{\"n\":2,\"x\":\"{}\"}}\n{{\"n\":3\n{{\"n\":4}}\n", "y".repeat(40));
    let (values, verdict) = read(long.as_bytes(), Framing::Lines, true);
    assert_eq!(verdict, None);
    let limit = Rejection::limit_exceeded(Reason::RecordLimit, 40).with_at(48);
    assert_eq!(
        values,
        [
            value(0, 0, line(1, "")),
            skipped(1, 8, 54, limit),
            skipped(2, 63, 6, Rejection::fault(Reason::IncompleteJson, 69)),
            value(3, 70, line(4, "")),
        ]
    );
    let (values, verdict) = read("{\"n\":1}\n".repeat(10).as_bytes(), Framing::Lines, true);
    assert_eq!((values.len(), verdict.unwrap().reason()), (9, Reason::RecordCount));
    assert_eq!(read(b"", Framing::Lines, true), (vec![], None));
    assert_eq!(read(b"\n \n", Framing::Lines, true), (vec![], None));
}

#[test]
fn a_sequence_of_texts_has_values_too() {
    let body = b"\x1e{\"n\":1}\n\x1e[1]\n\x1e{\"n\":3,\"s\":\"\\u00e9\"}\n\x1e{\"n\":4";
    let (values, verdict) = read(body, Framing::Sequence, true);
    assert_eq!(verdict, None);
    assert_eq!(values.len(), 4);
    assert_eq!(values[0], value(0, 1, line(1, "")));
    assert_eq!(values[1], skipped(1, 10, 4, Rejection::fault(Reason::TypeMismatch, 10)));
    assert_eq!(values[2], value(2, 15, line(3, "é")));
    assert_eq!(values[3], skipped(3, 37, 6, Rejection::fault(Reason::IncompleteJson, 43)));
}

#[test]
fn numbers_at_the_end_of_a_record_are_whole() {
    for size in 1..6 {
        let mut scratch = [0; 16];
        let body = b"1\n22\r\n333\n-4\n5";
        let records = records(&mut scratch, Framing::Lines).skip_refused();
        let mut values = Values::from_reader(quiet(body, size), records);
        let mut numbers = Vec::new();
        while let Some(next) = values.next::<u8>().unwrap() {
            numbers.push(match next {
                RecordValue::Value { value, .. } => Ok(value),
                RecordValue::Skipped(skipped) => {
                    Err((skipped.rejection.reason(), skipped.rejection.at().unwrap()))
                }
            });
        }
        let range = |at| Err((Reason::NumberRange, at));
        assert_eq!(numbers, [Ok(1), Ok(22), range(6), range(10), Ok(5)], "by {size}");
    }
}

#[test]
fn a_failure_between_records_loses_nothing_and_within_one_that_record() {
    let body = b"{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n";
    let (mut lost, mut kept) = (0, 0);
    for size in [1, 4, 8] {
        for at in 0..60 {
            let source = Source::new(body, size, |request| (request == at).then_some(ErrorKind::TimedOut));
            let mut scratch = [0; 16];
            let mut values =
                Values::from_reader(source, records(&mut scratch, Framing::Lines).skip_refused());
            let (mut numbers, mut passed, mut failures) = (Vec::new(), Vec::new(), 0);
            loop {
                match values.next::<Line>() {
                    Ok(Some(RecordValue::Value { value, .. })) => numbers.push(value.n),
                    Ok(Some(RecordValue::Skipped(skipped))) => {
                        assert_eq!(skipped.rejection.reason(), Reason::SourceError);
                        assert_eq!(skipped.bytes, 7);
                        passed.push(skipped.record.index);
                    }
                    Ok(None) => break,
                    Err(error) => {
                        assert_eq!(error, de::Error::Source(Failure(ErrorKind::TimedOut)));
                        failures += 1;
                    }
                }
            }
            let expected: Vec<u8> = (1..=3).filter(|n| !passed.contains(&u64::from(n - 1))).collect();
            assert_eq!(numbers, expected, "by {size}, request {at}");
            assert!(failures <= 1 && passed.len() <= failures);
            lost += passed.len();
            kept += failures - passed.len();
        }
    }
    assert!(lost > 0 && kept > 0, "{lost} lost, {kept} kept");
}

#[test]
fn a_refused_stream_stays_so_and_its_source_is_not_asked_again() {
    let body = b"{\"n\":1}\n{\"n\":[2]}\n{\"n\":3}\n";
    for size in [1, 5, 64] {
        let asked = Cell::new(0);
        let count = |_| {
            asked.set(asked.get() + 1);
            None
        };
        let mut scratch = [0; 16];
        let records = records(&mut scratch, Framing::Lines);
        let mut values = Values::from_reader(Source::new(body, size, count), records);
        assert_eq!(values.next(), Ok(Some(value(0, 0, line(1, "")))));
        let refused = values.next::<Line>().unwrap_err();
        let rejection = Rejection::fault(Reason::TypeMismatch, 13).with_record(1);
        assert_eq!(refused, de::Error::Rejected { rejection, depth: 1 });
        let before = asked.get();
        for _ in 0..3 {
            assert_eq!(values.next::<Line>(), Err(refused), "by {size}");
        }
        assert_eq!(asked.get(), before, "by {size}");
    }
}

#[test]
fn a_failure_within_a_record_refuses_a_stream_that_passes_over_nothing() {
    let body = b"{\"n\":1}\n{\"n\":2}\n";
    let mut refused = [0; 2];
    for size in [1, 64] {
        for at in 0..60 {
            let source = Source::new(body, size, |request| (request == at).then_some(ErrorKind::TimedOut));
            let mut scratch = [0; 16];
            let mut values = Values::from_reader(source, records(&mut scratch, Framing::Lines));
            let (mut numbers, mut failed) = (Vec::new(), false);
            let error = loop {
                match values.next::<Line>() {
                    Ok(Some(RecordValue::Value { value, .. })) => numbers.push(value.n),
                    Ok(Some(RecordValue::Skipped(skipped))) => panic!("{skipped:?}"),
                    Ok(None) => break None,
                    Err(de::Error::Source(Failure(ErrorKind::TimedOut))) if !failed => failed = true,
                    Err(error) => break Some(error),
                }
            };
            let Some(error) = error else {
                assert_eq!(numbers, [1, 2]);
                continue;
            };
            let de::Error::Rejected { rejection, depth } = error else { panic!("{error}") };
            assert_eq!(rejection.reason(), Reason::SourceError);
            let (record, at) = (rejection.record().unwrap(), rejection.at().unwrap());
            assert_eq!(record, numbers.len() as u64);
            // Within the braces of `{"n":1}`, which is 7 bytes long and has an LF behind it.
            let within = at - 8 * record;
            assert_eq!(depth, u16::from((1..7).contains(&within)), "by {size}: {rejection}");
            refused[usize::from(depth)] += 1;
        }
    }
    assert!(refused.iter().all(|&count| count > 0), "{refused:?}");
}

/// Shows one line after the other, and counts them.
struct LineByLine<'a> {
    shown: &'a [u8],
    rest: &'a [u8],
    lines: &'a Cell<usize>,
}

impl embedded_io::ErrorType for LineByLine<'_> {
    type Error = Failure;
}

impl embedded_io::Read for LineByLine<'_> {
    fn read(&mut self, _buffer: &mut [u8]) -> Result<usize, Failure> {
        Err(Failure(ErrorKind::Unsupported))
    }
}

impl embedded_io::BufRead for LineByLine<'_> {
    fn fill_buf(&mut self) -> Result<&[u8], Failure> {
        if self.shown.is_empty() {
            let end = self.rest.iter().position(|&byte| byte == b'\n').map_or(self.rest.len(), |at| at + 1);
            (self.shown, self.rest) = self.rest.split_at(end);
            self.lines.set(self.lines.get() + 1);
        }
        Ok(self.shown)
    }

    fn consume(&mut self, count: usize) {
        self.shown = &self.shown[count..];
    }
}

#[test]
fn a_record_is_told_before_the_source_is_asked_for_the_next_one() {
    // Refused by the grammar, by the type at once and at its end, and by nobody.
    let body = b"{\"n\":1,}\n[2]\n{\"s\":\"3\"}\n{\"n\":4}\n";
    let lines = Cell::new(0);
    let source = LineByLine { shown: &[], rest: body, lines: &lines };
    let mut scratch = [0; 16];
    let mut values = Values::from_reader(source, records(&mut scratch, Framing::Lines).skip_refused());
    for index in 0..4 {
        let told = match values.next::<Line>().unwrap().unwrap() {
            RecordValue::Value { record, .. } | RecordValue::Skipped(Skipped { record, .. }) => record,
        };
        assert_eq!((told.index, lines.get()), (index, 1 + index as usize));
    }
    assert_eq!(values.next::<Line>(), Ok(None));
}

#[derive(Deserialize, Debug)]
struct Wrapped(#[allow(dead_code, reason = "it is never filled")] Option<Line>);

#[test]
fn refused_records_of_a_wrapped_type_are_passed_over_however_many_they_are() {
    let body = "[2]\n".repeat(100);
    let mut scratch = [0; 16];
    let limits = RecordLimits { bytes: 40, records: 100 };
    let records = Records::new(Framing::Lines, limits, assembler(&mut scratch)).skip_refused();
    let mut values = Values::from_slice(body.as_bytes(), records);
    for index in 0..100 {
        let Some(RecordValue::Skipped(skipped)) = values.next::<Wrapped>().unwrap() else {
            panic!("{index}")
        };
        let rejection = Rejection::fault(Reason::TypeMismatch, 4 * index).with_record(index);
        assert_eq!(skipped.rejection, rejection);
    }
    assert!(values.next::<Wrapped>().unwrap().is_none());
}

#[derive(Deserialize, PartialEq, Debug)]
struct Outer {
    inner: Line,
}

#[test]
fn what_a_record_has_and_its_type_has_not_is_passed_over_at_any_depth() {
    let body = b"{\"inner\":{\"x\":[{\"n\":0}],\"n\":1,\"y\":{\"n\":[2]}},\"n\":[[3]]}\n";
    for size in 1..=body.len() {
        let mut scratch = [0; 16];
        let framing =
            Records::new(Framing::Lines, RecordLimits { bytes: 80, records: 1 }, assembler(&mut scratch));
        let mut values = Values::from_reader(quiet(body, size), framing);
        let record = Record { index: 0, at: 0 };
        let expected = RecordValue::Value { record, value: Outer { inner: line(1, "") } };
        assert_eq!(values.next(), Ok(Some(expected)), "by {size}");
        assert_eq!(values.next::<Outer>(), Ok(None));
    }
}

#[test]
fn what_follows_a_value_in_its_record_refuses_the_record() {
    let (values, verdict) = read(b"{\"n\":1} x\n{\"n\":2}\n", Framing::Lines, true);
    let trailing = Rejection::fault(Reason::TrailingDocument, 8);
    assert_eq!((values, verdict), (vec![skipped(0, 0, 9, trailing), value(1, 10, line(2, ""))], None));
}

/// serde would have to keep a copy of it.
#[derive(Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Either {
    Number(u8),
    Name(char),
}

#[test]
fn a_type_that_cannot_be_read_ends_the_stream_also_where_records_are_passed_over() {
    let mut scratch = [0; 16];
    let mut values = Values::from_slice(b"1\n2\n", records(&mut scratch, Framing::Lines).skip_refused());
    let unsupported = Err(de::Error::Unsupported(de::Unsupported::Buffer));
    assert_eq!(values.next::<Either>(), unsupported);
    assert_eq!(values.next::<Either>(), unsupported);
}
