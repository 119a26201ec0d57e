//! The last question before a document counts: whoever refuses it then refuses the document or the record, in every cut.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::panic_in_result_fn,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll_core::{Reason, Rejection};
use plimsoll_json::{
    Counted, Fields, Framing, Kind, Pointers, Record, RecordFields, RecordLimits, Retained, Select,
    SelectRecords, Selected, Slot, Visit,
};
use plimsoll_tests_json::select::{LIMITS, drive};

const NO: Rejection = Rejection::limit_exceeded(Reason::RetainedLimit, 5);

/// Refuses a document in which more than `most` values were found, and notes what it is told at the end of each.
#[derive(Default)]
struct Fussy {
    most: usize,
    found: usize,
    prepared: bool,
    told: Vec<&'static str>,
}

impl Visit for Fussy {
    fn begin(&mut self, _pointer: usize, _kind: Kind) {
        self.found += 1;
    }

    fn scalar(&mut self, _text: &[u8]) {}

    fn raw(&mut self, _text: &[u8]) {}

    fn end(&mut self, _pointer: usize) {}

    fn prepare(&mut self) -> Result<(), Rejection> {
        assert!(!self.prepared);
        self.prepared = true;
        if self.found > self.most { Err(NO) } else { Ok(()) }
    }

    fn commit(&mut self) {
        assert!(self.prepared);
        (self.found, self.prepared) = (0, false);
        self.told.push("commit");
    }

    fn discard(&mut self) {
        (self.found, self.prepared) = (0, false);
        self.told.push("discard");
    }
}

const RETAINED: Retained = Retained { bytes: 100, matches: 10 };

fn document(text: &str, most: usize, size: usize) -> (Result<(), Rejection>, Vec<&'static str>) {
    let pointers = Pointers::new(["/*"]).unwrap();
    let mut visitor = Fussy { most, ..Fussy::default() };
    let mut select = Select::<Counted<64>, _, 1>::new(&pointers, LIMITS, RETAINED, &mut visitor).unwrap();
    let result = drive(&mut select, text.as_bytes().chunks(size), Select::offset);
    assert_eq!(select.into_visitor().is_some(), result.is_ok());
    (result, visitor.told)
}

#[test]
fn a_document_that_is_refused_last_is_discarded_and_stays_refused() {
    for size in 1..10 {
        assert_eq!(document(" [1,2] ", 2, size), (Ok(()), vec!["commit"]));
        // At the end of the document, where nothing else is wrong.
        assert_eq!(document(" [1,2] ", 1, size), (Err(NO.with_at(7)), vec!["discard"]));
        let fault = Rejection::fault(Reason::TrailingDocument, 7);
        assert_eq!(document(" [1,2] x", 1, size), (Err(fault), vec!["discard"]));
    }
}

#[test]
fn a_record_that_is_refused_last_has_its_number_and_may_be_skipped() {
    let text = b"[1]\n[1,2]\n[3]\n";
    let pointers = Pointers::new(["/*"]).unwrap();
    for size in 1..=text.len() {
        let refuse = |skip: bool| {
            let mut visitor = Fussy { most: 1, ..Fussy::default() };
            let mut skipped = Vec::new();
            let select = SelectRecords::<Counted<64>, _, 1>::new(
                &pointers,
                Framing::Lines,
                RecordLimits::DEVICE,
                LIMITS,
                RETAINED,
                &mut visitor,
            );
            let select = select.unwrap();
            let result = if skip {
                let mut select = select.skip_refused(|it| skipped.push(it));
                drive(&mut select, text.chunks(size), SelectRecords::offset)
            } else {
                drive(&mut { select }, text.chunks(size), SelectRecords::offset)
            };
            (result, visitor.told, skipped)
        };
        let rejection = NO.with_at(9).with_record(1);
        let (result, told, _) = refuse(false);
        assert_eq!((result, told), (Err(rejection), vec!["commit", "discard"]), "{size}");
        let (result, told, skipped) = refuse(true);
        assert_eq!((result, told), (Ok(()), vec!["commit", "discard", "commit"]), "{size}");
        let [skipped] = skipped.as_slice() else { panic!("{skipped:?}") };
        assert_eq!((skipped.record, skipped.rejection), (Record { index: 1, at: 4 }, rejection));
    }
}

#[test]
fn the_function_of_record_fields_may_refuse_a_record() {
    let text = b"{\"id\":1}\n{\"id\":22}\n{\"id\":3}\n";
    let pointers = Pointers::new(["/id"]).unwrap();
    for size in 1..=text.len() {
        let (mut bytes, mut slots, mut ids) = ([0; 8], [Slot::EMPTY; 1], Vec::new());
        let each = |record: Record, selected: Selected<'_>| {
            let id = selected.get(0).and_then(|id| id.as_number()).unwrap().as_str().to_owned();
            ids.push((record.index, id));
            if ids.len() > 1 { Err(NO) } else { Ok(()) }
        };
        let fields = RecordFields::new(Fields::new(&mut bytes, &mut slots), each);
        let (limits, room) = (RecordLimits::DEVICE, fields.room());
        let lines = Framing::Lines;
        let mut select =
            SelectRecords::<Counted<64>, _, 1>::new(&pointers, lines, limits, LIMITS, room, fields).unwrap();
        let result = drive(&mut select, text.chunks(size), SelectRecords::offset);
        assert_eq!(result, Err(NO.with_at(18).with_record(1)), "{size}");
        assert_eq!(ids, [(0, "1".to_owned()), (1, "22".to_owned())]);
    }
}

#[test]
fn fields_refuse_what_they_have_no_room_for_where_the_limits_are_larger() {
    let pointers = Pointers::new(["/a", "/b", "/a/*"]).unwrap();
    let kept = |text: &str, bytes: usize, matches: usize, size: usize| {
        let (mut bytes, mut slots) = (vec![0xff; bytes], vec![Slot::EMPTY; matches]);
        let fields = Fields::new(&mut bytes, &mut slots);
        let mut select = Select::<Counted<64>, _, 3>::new(&pointers, LIMITS, RETAINED, fields).unwrap();
        let result = drive(&mut select, text.as_bytes().chunks(size), Select::offset);
        let kept = select.into_selected().map(|selected| selected.len());
        assert_eq!(kept.is_some(), result.is_ok());
        let one = [text, "\n"].concat();
        let records = RecordFields::new(Fields::new(&mut bytes, &mut slots), |_, _| {});
        let mut select = SelectRecords::<Counted<64>, _, 3>::new(
            &pointers,
            Framing::Lines,
            RecordLimits::DEVICE,
            LIMITS,
            RETAINED,
            records,
        )
        .unwrap();
        let framed = drive(&mut select, one.as_bytes().chunks(size), SelectRecords::offset);
        assert_eq!(
            framed.map_err(|rejection| rejection.reason()),
            result.map_err(|rejection| rejection.reason())
        );
        result.map(|()| kept.unwrap())
    };
    let no =
        |reason, limit, text: &str| Err(Rejection::limit_exceeded(reason, limit).with_at(text.len() as u64));
    for (text, bytes, matches) in [
        (r#"{"a":"abc","b":12}"#, 5, 2),
        // The array is kept beside its elements, as far as they have bytes.
        (r#"{"a":["abc",12,null],"b":true}"#, 20, 5),
        (r#"{"b":[[1]],"a":["x"]}"#, 11, 3),
    ] {
        for size in 1..=text.len() {
            assert_eq!(kept(text, bytes, matches, size), Ok(matches), "{text}");
            for less in 0..bytes {
                let refused = no(Reason::RetainedLimit, less as u64, text);
                assert_eq!(kept(text, less, matches, size), refused, "{text} {less}");
            }
            for less in 0..matches {
                let refused = no(Reason::ItemLimit, less as u64, text);
                assert_eq!(kept(text, bytes, less, size), refused, "{text} {less}");
            }
        }
    }
}
