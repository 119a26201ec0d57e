//! How often the stages behind a decoder step, and call back, for each byte: UTF-8, tokens, records and selections.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use plimsoll::Inspect;
use plimsoll::json::{
    CheckRecords, Counted, Framing, Kind, Limits, Pointers, Record, RecordLimits, Report, Retained, Select,
    Skipped, Token, Tokenizer, Visit,
};
use plimsoll::utf8::{Lossy, Runs};

const SIZE: usize = 4_096;

const CUTS: [usize; 4] = [1, 3, 100, SIZE];

fn repeat(unit: &[u8]) -> Vec<u8> {
    unit.repeat(SIZE / unit.len())
}

#[test]
fn text_takes_two_steps_for_a_byte_at_most_whether_it_is_repaired_or_not() {
    for unit in [
        &b"a"[..],
        "é".as_bytes(),
        "😀".as_bytes(),
        b"\xFF",
        b"a\xFF",
        b"\xE2\x82",
        b"\xF0\x9F\x98a",
        b"\xED\xA0\x80",
    ] {
        let text = repeat(unit);
        for cut in CUTS {
            let (mut lossy, mut steps, mut shown) = (Lossy::new(), 0, 0);
            for piece in text.chunks(cut) {
                let mut rest = piece;
                while !rest.is_empty() {
                    let run = lossy.step(rest);
                    steps += 1;
                    shown += run.piece.as_str().len();
                    rest = &rest[run.consumed..];
                }
            }
            assert!(steps <= 2 * text.len(), "{unit:?} by {cut}: {steps}");
            // A byte becomes three at most, those of U+FFFD.
            assert!(shown <= 3 * text.len(), "{unit:?} by {cut}: {shown}");

            let (mut runs, mut steps, mut lent) = (Runs::new(), 0, 0);
            'all: for piece in text.chunks(cut) {
                let mut rest = piece;
                while !rest.is_empty() {
                    steps += 1;
                    let Ok(run) = runs.step(rest) else { break 'all };
                    lent += run.text.len();
                    rest = &rest[run.consumed..];
                }
            }
            assert!(steps <= 2 * text.len() && lent <= text.len(), "{unit:?} by {cut}: {steps}");
        }
    }
}

const PLENTY: Limits =
    Limits { string: 1 << 20, key: 1 << 20, number: 1 << 20, items: 1 << 20, values: 1 << 20, depth: 64 };

#[test]
fn a_document_has_no_more_tokens_than_bytes_and_lends_each_byte_once() {
    let deep = ["[".repeat(63), "]".repeat(63), ",".into()].concat();
    for unit in [
        "1,",
        "\"\",",
        "[],",
        "{},",
        "\"\\n\",",
        "\"\\ud83d\\ude00\",",
        "\"\\u0000\\u0000\",",
        "null,",
        &deep,
    ] {
        let text = [b"[", &repeat(unit.as_bytes())[..], b"0]"].concat();
        for cut in CUTS {
            let mut tokenizer = Tokenizer::<Counted<64>>::new(PLENTY).unwrap();
            let (mut steps, mut tokens, mut lent, mut pieces) = (0, 0, 0, 0);
            for piece in text.chunks(cut) {
                pieces += 1;
                let mut rest = piece;
                loop {
                    let step = tokenizer.step(rest).unwrap();
                    steps += 1;
                    rest = &rest[step.consumed..];
                    match step.token {
                        Token::NeedInput => break,
                        Token::String(text)
                        | Token::StringPart(text)
                        | Token::Number(text)
                        | Token::NumberPart(text) => {
                            lent += text.as_bytes().len();
                        }
                        Token::StringCharacter(character) => lent += character.len_utf8(),
                        _ => {}
                    }
                    tokens += 1;
                }
            }
            assert_eq!(tokenizer.finish(), Ok(Token::End));
            // A number that is ended by the next byte is a token that takes none.
            assert!(tokens <= text.len() + pieces, "{unit} by {cut}: {tokens}");
            assert_eq!(steps, tokens + pieces, "{unit} by {cut}");
            assert!(lent <= text.len(), "{unit} by {cut}: {lent}");
        }
    }
}

/// Counts what it is told.
#[derive(Default)]
struct Told {
    calls: usize,
    bytes: usize,
}

impl Report for &mut Told {
    fn begin(&mut self, _record: Record) {
        self.calls += 1;
    }
    fn bytes(&mut self, bytes: &[u8]) {
        self.calls += 1;
        self.bytes += bytes.len();
    }
    fn end(&mut self) {
        self.calls += 1;
    }
    fn skipped(&mut self, _skipped: Skipped) {
        self.calls += 1;
    }
}

#[test]
fn records_call_back_twice_for_a_byte_at_most_and_tell_each_byte_once() {
    let records = RecordLimits { bytes: 50, records: 1 << 20 };
    for unit in [
        "\n",
        "\r\n",
        " \n",
        "0\n",
        "0\r\n",
        "]\n",
        "\"\n",
        "[]\n",
        "{\"a\":1}\n",
        "\x1e",
        "\x1e0 ",
        "\x1e0",
        "\x1e]",
        "\x1e\x1e[]",
        "\"0123456789012345678901234567890123456789012345678901234567890123456789\"\n",
    ] {
        let body = repeat(unit.as_bytes());
        for framing in [Framing::Lines, Framing::Sequence] {
            for cut in CUTS {
                let mut told = Told::default();
                let check = CheckRecords::<Counted<64>>::new(framing, records, PLENTY).unwrap();
                let mut check = check.skip_refused(&mut told);
                for piece in body.chunks(cut) {
                    check.inspect(piece).unwrap();
                }
                let _ = check.finish();
                let Told { calls, bytes } = told;
                assert!(calls <= 2 * body.len() + 2, "{unit:?} {framing:?} by {cut}: {calls}");
                assert!(bytes <= body.len(), "{unit:?} {framing:?} by {cut}: {bytes}");
                if framing == Framing::Lines && unit.trim().is_empty() {
                    assert_eq!(calls, 0, "blank lines are no records");
                }
            }
        }
    }
}

impl Visit for &mut Told {
    fn begin(&mut self, _pointer: usize, _kind: Kind) {
        self.calls += 1;
    }
    fn scalar(&mut self, text: &[u8]) {
        self.calls += 1;
        self.bytes += text.len();
    }
    fn raw(&mut self, text: &[u8]) {
        self.calls += 1;
        self.bytes += text.len();
    }
    fn end(&mut self, _pointer: usize) {
        self.calls += 1;
    }
    fn commit(&mut self) {
        self.calls += 1;
    }
    fn discard(&mut self) {
        self.calls += 1;
    }
}

#[test]
fn a_selection_calls_back_twice_for_a_byte_and_each_pointer_at_most() {
    let deep = ["[".repeat(60), "]".repeat(60), ",".into()].concat();
    let retained = Retained { bytes: u32::MAX, matches: u32::MAX };
    let sets = [["", "", ""], ["/*", "/*", "/*"], ["", "/*", "/*/*"], ["/0", "/1", "/nowhere"]];
    for unit in ["1,", "\"\",", "[],", "[[]],", "\"\\n\",", "null,", "{\"\":0},", &deep] {
        let text = [b"[", &repeat(unit.as_bytes())[..], b"0]"].concat();
        for set in sets {
            let pointers = Pointers::new(set).unwrap();
            for cut in CUTS {
                let mut told = Told::default();
                let mut select =
                    Select::<Counted<64>, _, 3>::new(&pointers, PLENTY, retained, &mut told).unwrap();
                for piece in text.chunks(cut) {
                    select.inspect(piece).unwrap();
                }
                select.finish().unwrap();
                let Told { calls, bytes } = told;
                assert!(calls <= 2 * 3 * text.len(), "{unit} {set:?} by {cut}: {calls}");
                // Once as a scalar, and once as a part of a container.
                assert!(bytes <= 2 * text.len(), "{unit} {set:?} by {cut}: {bytes}");
            }
        }
    }
}
