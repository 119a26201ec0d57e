//! Limits that a storage cannot keep, a byte order mark where it may be skipped, and a visitor that refuses at the last.
#![allow(clippy::arithmetic_side_effects, clippy::unwrap_used, reason = "a test fails by a panic")]

use plimsoll_core::{Inspect, Reason, Rejection};
use plimsoll_json::{
    Assembler, Check, CheckRecords, Counted, Event, Framing, Kind, Limits, LimitsError, Pointers, Record,
    RecordLimits, Retained, Select, SelectRecords, Tokenizer, Visit,
};

const LIMITS: Limits = Limits { depth: 8, ..Limits::DEVICE };
const RECORDS: RecordLimits = RecordLimits { bytes: 64, records: 4 };
const RETAINED: Retained = Retained { bytes: 64, matches: 4 };

/// Counts what it is told, and refuses where it is asked last if it is to.
#[derive(Default, Debug)]
struct Told {
    refuses: bool,
    records: u64,
    text: String,
    prepared: usize,
    committed: usize,
    discarded: usize,
}

impl Visit for Told {
    fn record(&mut self, record: Record) {
        self.records = record.index;
    }
    fn begin(&mut self, _pointer: usize, _kind: Kind) {}
    fn scalar(&mut self, text: &[u8]) {
        self.text.push_str(std::str::from_utf8(text).unwrap());
    }
    fn raw(&mut self, _text: &[u8]) {}
    fn end(&mut self, _pointer: usize) {}
    fn prepare(&mut self) -> Result<(), Rejection> {
        self.prepared += 1;
        if self.refuses { Err(Rejection::limit_exceeded(Reason::RetainedLimit, 0)) } else { Ok(()) }
    }
    fn commit(&mut self) {
        self.committed += 1;
    }
    fn discard(&mut self) {
        self.discarded += 1;
    }
}

#[test]
fn none_is_made_whose_storage_cannot_keep_its_limits() {
    const ERROR: LimitsError = LimitsError::Depth { capacity: 7 };
    let pointers = Pointers::new(["/a"]).unwrap();
    let mut told = Told::default();
    assert_eq!(Tokenizer::<Counted<7>>::new(LIMITS).err(), Some(ERROR));
    assert_eq!(Check::<Counted<7>>::new(LIMITS).err(), Some(ERROR));
    assert_eq!(Assembler::<Counted<7>>::new(LIMITS, &mut [0; 8]).err(), Some(ERROR));
    assert_eq!(CheckRecords::<Counted<7>>::new(Framing::Lines, RECORDS, LIMITS).err(), Some(ERROR));
    let select = Select::<Counted<7>, _, 1>::new(&pointers, LIMITS, RETAINED, &mut told);
    assert_eq!(select.err(), Some(ERROR));
    let records = SelectRecords::<Counted<7>, _, 1>::new(
        &pointers,
        Framing::Lines,
        RECORDS,
        LIMITS,
        RETAINED,
        &mut told,
    );
    assert_eq!(records.err(), Some(ERROR));
    assert_eq!((told.committed, told.discarded), (0, 0));
}

#[test]
fn a_byte_order_mark_before_a_document_is_skipped_where_that_was_asked_for() {
    let body = "\u{feff}[1]".as_bytes();
    for skips in [false, true] {
        let mut scratch = [0; 8];
        let mut assembler = Assembler::<Counted<8>>::new(LIMITS, &mut scratch).unwrap();
        if skips {
            assembler = assembler.skip_byte_order_mark();
        }
        let step = assembler.step(body).map(|step| (step.consumed, step.event == Some(Event::BeginArray)));
        assert_eq!(step, if skips { Ok((4, true)) } else { Err(Rejection::fault(Reason::ByteOrderMark, 0)) });
    }
}

#[test]
fn a_byte_order_mark_counts_as_bytes_of_the_first_record() {
    let pointers = Pointers::new(["/a"]).unwrap();
    let body = "\u{feff}{\"a\":\"x\"}\n{\"a\":\"y\"}\n".as_bytes();
    for (bytes, skips, expected) in
        [(12, true, Ok(())), (11, true, Err(Reason::RecordLimit)), (12, false, Err(Reason::ByteOrderMark))]
    {
        for size in 1..=body.len() {
            let mut told = Told::default();
            let most = RecordLimits { bytes, records: 4 };
            let mut select = SelectRecords::<Counted<8>, _, 1>::new(
                &pointers,
                Framing::Lines,
                most,
                LIMITS,
                RETAINED,
                &mut told,
            )
            .unwrap();
            if skips {
                select = select.skip_byte_order_mark();
            }
            let verdict = body.chunks(size).try_for_each(|piece| select.inspect(piece));
            let verdict = verdict.map_err(|refusal| refusal.rejection).and_then(|()| select.finish());
            assert_eq!(verdict.map_err(|rejection| rejection.reason()), expected, "by {size}");
            let told = (told.text.as_str(), told.records, told.committed, told.discarded);
            if expected.is_ok() {
                assert_eq!(told, ("xy", 1, 2, 0), "by {size}");
            } else {
                assert_eq!((told.2, told.3), (0, 1), "by {size}");
            }
        }
    }
}

#[test]
fn a_visitor_that_refuses_at_the_last_is_told_discard_and_the_refusal_stays() {
    let pointers = Pointers::new(["/a"]).unwrap();
    let body = b"{\"a\":\"x\"} ";
    for size in 1..=body.len() {
        for refuses in [false, true] {
            let mut told = Told { refuses, ..Told::default() };
            let mut select = Select::<Counted<8>, _, 1>::new(&pointers, LIMITS, RETAINED, &mut told).unwrap();
            assert_eq!(body.chunks(size).try_for_each(|piece| select.inspect(piece)), Ok(()));
            let refusal = Rejection::limit_exceeded(Reason::RetainedLimit, 0).with_at(body.len() as u64);
            let expected = if refuses { Err(refusal) } else { Ok(()) };
            assert_eq!((select.finish(), select.finish()), (expected, expected), "by {size}");
            let counts = (told.prepared, told.committed, told.discarded);
            assert_eq!(counts, if refuses { (1, 0, 1) } else { (1, 1, 0) }, "by {size}");
        }
    }
}
