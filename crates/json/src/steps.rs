//! What a byte costs: every place that looks at bytes says at how many, and the tests of this module add that up over the
//! worst bodies that are known. Elsewhere nothing of it is compiled.
//!
//! The fast paths look ahead and may have to leave what they saw to the byte-exact machine, so a byte is looked at more
//! than once. That must be a constant number of times, whatever a peer sends and however it is cut; the crate's
//! documentation names the constants. In ordinary documents it is once, for the fast paths leave next to nothing.

/// Bytes from the index `from` to the index `to` were looked at.
#[cfg(not(test))]
#[inline(always)]
pub(crate) const fn count(_from: usize, _to: usize) {}

/// The byte-exact machine looked at a byte.
#[cfg(not(test))]
#[inline(always)]
pub(crate) const fn exact() {}

#[cfg(test)]
pub(crate) use counted::{count, exact};

#[cfg(test)]
mod counted {
    use core::cell::Cell;

    std::thread_local! {
        static LOOKED: Cell<usize> = const { Cell::new(0) };
        static EXACT: Cell<usize> = const { Cell::new(0) };
    }

    pub(crate) fn count(from: usize, to: usize) {
        LOOKED.set(LOOKED.get().wrapping_add(to.wrapping_sub(from)));
    }

    pub(crate) fn exact() {
        count(0, 1);
        EXACT.set(EXACT.get().wrapping_add(1));
    }

    pub(super) fn take() -> usize {
        LOOKED.take()
    }

    pub(super) fn take_exact() -> usize {
        EXACT.take()
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use std::format;
    use std::string::String;
    use std::vec;
    use std::vec::Vec;

    use plimsoll_core::Inspect;

    use super::counted::{take, take_exact};
    use crate::{
        Assembler, Check, CheckRecords, Counted, Framing, Limits, Pointers, RecordLimits, Records, Retained,
        Select, Skipped, Token, Tokenizer, Visit,
    };

    /// How often a byte of a document is looked at, at most; see the crate's documentation.
    const DOCUMENT: usize = 4;

    /// The same for a byte of a stream of records.
    const RECORDS: usize = 6;

    /// What the ends of a body may cost besides.
    const EDGE: usize = 64;

    const SIZE: usize = 1 << 10;

    const PLENTY: Limits =
        Limits { string: 1 << 30, key: 1 << 30, number: 1 << 30, items: 1 << 30, values: 1 << 30, depth: 64 };

    fn repeat(before: &str, unit: &str, behind: &str) -> Vec<u8> {
        [before, &unit.repeat(SIZE / unit.len()), behind].concat().into_bytes()
    }

    /// Documents that are all of one thing, whole and without their end.
    fn documents() -> Vec<Vec<u8>> {
        let deep = ["[".repeat(63), "]".repeat(63)].concat();
        let mut documents = vec![
            repeat("\"", "a", "\""),
            repeat("\"", "\\n", "\""),
            repeat("\"", "a\\\"", "\""),
            repeat("\"", "\\u00e9", "\""),
            repeat("\"", "\\ud83d\\ude00", "\""),
            repeat("\"", "aaaaaaaaaaaaaaaaaaaa\\ud83d\\ude00", "\""),
            repeat("\"", "é", "\""),
            repeat("\"", "a€😀", "\""),
            repeat("", "1", ""),
            repeat("-0.", "1", "e1"),
            repeat("[", "1,", "1]"),
            repeat("[", "-1.5e-9 ,", "1]"),
            repeat("[", "\"\",", "1]"),
            repeat("[", "\"\\ud83d\\ude00\",", "1]"),
            repeat("[", "[],", "1]"),
            repeat("[", "true,null,", "1]"),
            repeat("[", &format!("{deep},"), "1]"),
            repeat("{", "\"\":{},", "\"\":0}"),
            repeat("{", "\"a\" : 1 ,\n", "\"\":0}"),
            repeat("{\"", "a", "\":0}"),
            repeat("", " ", "1"),
            repeat("", "\r\n\t ", "1"),
            repeat("[1", " \t", "]"),
        ];
        let cut: Vec<_> = documents.iter().map(|text| text[..text.len() - 2].to_vec()).collect();
        documents.extend(cut);
        // Wrong at the end, and half a pair.
        for end in [&b"\xff\""[..], b"\xf0\x9f\"", b"\\ud83d\"", b"\x01", b"\\x"] {
            documents.push([&b"\""[..], &vec![b'a'; SIZE], end].concat());
        }
        documents
    }

    /// Every limit in turn so that it is met early, half-way, and at the last byte.
    fn limits() -> Vec<Limits> {
        let mut all = vec![PLENTY];
        for most in [0, 20, SIZE / 2, SIZE - 1] {
            let most = u32::try_from(most).unwrap();
            all.push(Limits { string: most, key: most, number: most, ..PLENTY });
            all.push(Limits { items: most, ..PLENTY });
            all.push(Limits { values: most, ..PLENTY });
        }
        all
    }

    const CUTS: [usize; 4] = [1, 7, 200, usize::MAX];

    /// Runs over all documents, limits and cuts, and holds what was looked at against the bound.
    fn each(bound: usize, bodies: &[Vec<u8>], mut run: impl FnMut(&[u8], Limits, usize)) {
        for body in bodies {
            for limits in limits() {
                for cut in CUTS {
                    let _ = take();
                    run(body, limits, cut);
                    let looked = take();
                    let (len, start) = (body.len(), String::from_utf8_lossy(&body[..40]));
                    assert!(
                        looked <= bound * len + EDGE,
                        "{looked} for {len} bytes by {cut} of {start}, {limits:?}"
                    );
                }
            }
        }
    }

    fn pieces(body: &[u8], cut: usize) -> impl Iterator<Item = &[u8]> {
        body.chunks(cut.min(body.len()))
    }

    #[test]
    #[cfg_attr(miri, ignore = "counts, and would take an hour there")]
    fn a_check_looks_at_a_byte_of_a_document_a_constant_number_of_times() {
        each(DOCUMENT, &documents(), |body, limits, cut| {
            let mut check = Check::<Counted<64>>::new(limits).unwrap();
            let _ = pieces(body, cut).try_for_each(|piece| check.inspect(piece));
        });
    }

    #[test]
    #[cfg_attr(miri, ignore = "counts, and would take an hour there")]
    fn a_tokenizer_and_an_assembler_do_so_too() {
        each(DOCUMENT, &documents(), |body, limits, cut| {
            let mut tokenizer = Tokenizer::<Counted<64>>::new(limits).unwrap();
            'all: for piece in pieces(body, cut) {
                let mut rest = piece;
                while !rest.is_empty() {
                    let Ok(step) = tokenizer.step(rest) else { break 'all };
                    rest = &rest[step.consumed..];
                }
            }
        });
        let mut scratch = vec![0; 2 * SIZE];
        for scratch_len in [2 * SIZE, SIZE / 2, 0] {
            each(DOCUMENT, &documents(), |body, limits, cut| {
                let mut assembler =
                    Assembler::<Counted<64>>::new(limits, &mut scratch[..scratch_len]).unwrap();
                'all: for piece in pieces(body, cut) {
                    let mut rest = piece;
                    while !rest.is_empty() {
                        let Ok(step) = assembler.step(rest) else { break 'all };
                        rest = &rest[step.consumed..];
                    }
                }
            });
        }
    }

    /// Ordinary documents, and how many of their bytes are left to the byte-exact machine. By a check: the first one, white space
    /// behind that, and white space behind the last one. By a tokenizer, of a document that has begun and goes on: of strings
    /// with escapes the quote, and the quote behind an escape.
    const ORDINARY: [(&str, usize, usize); 12] = [
        (r#"{"a":1,"bc":[true,false,null],"def":{"g":"h"},"":{}}"#, 1, 0),
        (r#"{"a": -0.5e+10, "b": [0, 1234567890, 1.25, -7], "c": {"d": {}, "e": []}}"#, 1, 0),
        ("{\n  \"a\" : 1 ,\n\t\"b\"\r\n:[ ] , \"c\" : { }, \"d\":\ttrue\n}\n", 1 + 3 + 1, 0),
        ("[[[]],[{}],[[ [{ \"a\":\n\n[ 1 , 2 ] } ] ] ] ]", 1, 0),
        ("[ \t \"\", \"a longer string than #1 word or block is!\",false ,\r\nnull]", 1 + 3, 0),
        ("[\"caf\u{e9}, \u{20ac} and \u{1f600}\",\"\u{e9}\",{\"\u{20ac}\":\"\u{1f600}\"}]", 1, 0),
        (r#"["\"", "\\\/\b\f\n\r\t", {"\u00e9": "a\ud83d\ude00b"}, "\n\n\n", ""]"#, 1, 2 + 2 + 2 + 1 + 2),
        (r#"["a string of some length", [[], []], {"": 0}, "", 1e5, 2E-3]"#, 1, 0),
        (r#"[100000000,-12345.678901234567,0.1,0,-0,"0"]"#, 1, 0),
        (r#"["a longer string as long as any here is\n\u00e9"]"#, 1, 2),
        // Containers that open where less is left than a fast path is begun for.
        ("[1,2,3,[4]]", 1, 0),
        (r#"{"a":1,"b":{"c":0}}"#, 1, 0),
    ];

    /// Just enough for all of these.
    const ENOUGH: Limits = Limits { string: 41, key: 3, number: 19, items: 6, values: 12, depth: 6 };

    #[test]
    fn of_an_ordinary_document_the_exact_machine_of_a_check_gets_the_first_byte_and_white_space() {
        for (document, left, _) in ORDINARY {
            let mut check = Check::<Counted<6>>::new(ENOUGH).unwrap();
            let _ = take_exact();
            check.inspect(document.as_bytes()).unwrap_or_else(|refusal| panic!("{document}: {refusal:?}"));
            assert_eq!(take_exact(), left, "{document}");
        }
    }

    #[test]
    fn of_a_document_in_slices_the_exact_machine_of_a_check_gets_what_is_cut() {
        let limits = Limits { string: 16, key: 16, number: 2, items: 10, values: 11, depth: 1 };
        for (slices, left) in [
            // The bracket and the closing quote.
            (&["[\"abcdefgh", "ijklmnop", "\", 1, 2, 3]"][..], 2),
            (&["[\"\\n\u{e9}efgh", "ijk\\u20ac", "\", 1, 2, 3]"], 2),
            // Besides these the colon, the space, and the digit with the comma behind it.
            (&["{\"abcdefgh", "ijklmnop", "\": 1, \"b\": 2}"], 6),
            // The bracket or brace.
            (&["[1,2,3,4,5,", "6,7,8,9,10]"], 1),
            (&["{\"a\":1,\"b\":2,", "\"c\":3,\"d\":4}"], 1),
            // The bracket, the digit that follows and the comma behind it.
            (&["[1,2,3,4,5,1", "2,6,7,8, 9]"], 3),
            // The bracket and the comma that shows that the number has ended.
            (&["[1,2,3,4,5,12", ",6,7,8, 9]"], 2),
        ] {
            let mut check = Check::<Counted<1>>::new(limits).unwrap();
            let _ = take_exact();
            assert!(slices.iter().all(|slice| check.inspect(slice.as_bytes()).is_ok()), "{slices:?}");
            assert_eq!(take_exact(), left, "{slices:?}");
        }
    }

    /// Makes all steps over `slice`.
    fn steps(tokenizer: &mut Tokenizer<Counted<7>>, slice: &str) {
        let mut rest = slice.as_bytes();
        loop {
            let step = tokenizer.step(rest).unwrap_or_else(|rejection| panic!("{slice}: {rejection:?}"));
            rest = &rest[step.consumed..];
            if step.token == Token::NeedInput {
                return;
            }
        }
    }

    #[test]
    fn of_an_ordinary_document_the_exact_machine_of_a_tokenizer_gets_the_quotes_of_strings_with_escapes() {
        let limits = Limits { items: 9, values: 1 + 12 + 8, depth: 7, ..ENOUGH };
        for (document, _, left) in ORDINARY {
            let mut tokenizer = Tokenizer::<Counted<7>>::new(limits).unwrap();
            steps(&mut tokenizer, "[");
            let _ = take_exact();
            steps(&mut tokenizer, &format!("{document},1,2,3,4,5,6,7,8]"));
            assert_eq!(take_exact(), left, "{document}");
        }
    }

    #[test]
    fn of_ordinary_records_the_exact_machine_gets_the_first_byte_of_each() {
        let line = "{\"a\": \"text\", \"b\": [1, true, null, -1.5, 200]}\n";
        let tokenizer = Tokenizer::<Counted<2>>::new(Limits { depth: 2, ..PLENTY }).unwrap();
        let mut records = Records::new(Framing::Lines, RecordLimits::DEVICE, tokenizer);
        let _ = take_exact();
        let body = line.repeat(10);
        let mut rest = body.as_bytes();
        while !rest.is_empty() {
            let step = records.step(rest).unwrap();
            rest = &rest[step.consumed..];
        }
        assert_eq!(take_exact(), 10);
    }

    /// Is told of matches and keeps nothing.
    struct Nobody;

    impl Visit for Nobody {
        fn begin(&mut self, _pointer: usize, _kind: crate::Kind) {}
        fn scalar(&mut self, _text: &[u8]) {}
        fn raw(&mut self, _text: &[u8]) {}
        fn end(&mut self, _pointer: usize) {}
        fn commit(&mut self) {}
        fn discard(&mut self) {}
    }

    #[test]
    #[cfg_attr(miri, ignore = "counts, and would take an hour there")]
    fn a_selection_does_so_too_wherever_its_pointers_lead() {
        let retained = Retained { bytes: u32::MAX, matches: u32::MAX };
        for set in [["", "/*"], ["/nowhere", "/99999/0"], ["/*/*", "/a"]] {
            let pointers = Pointers::new(set).unwrap();
            each(DOCUMENT, &documents(), |body, limits, cut| {
                let mut select =
                    Select::<Counted<64>, _, 2>::new(&pointers, limits, retained, Nobody).unwrap();
                let _ = pieces(body, cut).try_for_each(|piece| select.inspect(piece));
            });
        }
    }

    /// Streams of many records, of blank lines, of one record without an end, and of what must be passed over.
    fn streams() -> Vec<Vec<u8>> {
        let mut streams = documents();
        for unit in [
            "\n",
            "\r",
            "\r\n",
            " \n",
            "\r \n",
            "0\n",
            "0\r\n",
            "0\r",
            "]\n",
            "\"\n",
            "{}\n",
            "[]\r\n",
            "\x1e",
            "\x1e0",
            "\x1e0 ",
            "\x1e{}",
            "\x1e]",
            "\x1e\n",
            "a",
            "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\n",
            "[\"\\ud83d\\ude00\"]\n",
        ] {
            streams.push(repeat("", unit, ""));
            streams.push(repeat("\x1e", unit, "\n"));
        }
        streams
    }

    #[test]
    #[cfg_attr(miri, ignore = "counts, and would take an hour there")]
    fn a_byte_of_a_stream_of_records_is_looked_at_a_constant_number_of_times_refused_records_included() {
        for framing in [Framing::Lines, Framing::Sequence] {
            for bytes in [0, 1, 20, SIZE as u64 / 2, u64::MAX] {
                let records = RecordLimits { bytes, records: u64::MAX };
                each(RECORDS, &streams(), |body, limits, cut| {
                    let check = CheckRecords::<Counted<64>>::new(framing, records, limits).unwrap();
                    let mut check = check.skip_refused(|_: Skipped| {});
                    let _ = pieces(body, cut).try_for_each(|piece| check.inspect(piece));
                });
                let mut scratch = [0; 256];
                each(RECORDS, &streams(), |body, limits, cut| {
                    let assembler = Assembler::<Counted<64>>::new(limits, &mut scratch).unwrap();
                    let mut records = Records::new(framing, records, assembler).skip_refused();
                    'all: for piece in pieces(body, cut) {
                        let mut rest = piece;
                        loop {
                            let Ok(step) = records.step(rest) else { break 'all };
                            rest = &rest[step.consumed..];
                            if step.event.is_none() {
                                break;
                            }
                        }
                    }
                });
            }
        }
    }
}
