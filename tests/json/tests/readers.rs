//! Pull readers over sources that fail, that are pending, and that count how often they are asked.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use core::cell::Cell;
use core::fmt;
use core::future::{Future, poll_fn};
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use embedded_io::ErrorKind;
use plimsoll_core::{Reason, Rejection};
use plimsoll_json::{
    Assembler, Counted, Framing, Limits, ReadError, Readable, Reader, RecordEvent, RecordLimits, Records,
    Token, Tokenizer,
};
use plimsoll_tests_json::feed::{self, Event};
use plimsoll_tests_json::{data, oracle, whole};

/// A source that fails with this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Failure(ErrorKind);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl core::error::Error for Failure {}

impl embedded_io::Error for Failure {
    fn kind(&self) -> ErrorKind {
        self.0
    }
}

/// Shows a body through a buffer that is overwritten before it is filled again. Where it has to fetch bytes, and where
/// it only shows them again, it fails or is pending first, if `trouble` says so for that request.
struct Source<'a, T> {
    rest: &'a [u8],
    size: usize,
    buffer: Vec<u8>,
    at: usize,
    trouble: T,
    asked: usize,
    /// How often it went for more bytes.
    fetched: &'a Cell<usize>,
}

impl<'a, T: FnMut(usize) -> bool> Source<'a, T> {
    fn new(body: &'a [u8], size: usize, fetched: &'a Cell<usize>, trouble: T) -> Self {
        fetched.set(0);
        Self { rest: body, size, buffer: Vec::new(), at: 0, trouble, asked: 0, fetched }
    }

    fn is_troubled(&mut self) -> bool {
        self.asked += 1;
        (self.trouble)(self.asked - 1)
    }

    fn show(&mut self) -> &[u8] {
        if self.at == self.buffer.len() {
            self.buffer.fill(0xff);
            self.fetched.set(self.fetched.get() + 1);
            let (next, rest) = self.rest.split_at(self.rest.len().min(self.size));
            (self.buffer, self.at, self.rest) = (next.to_vec(), 0, rest);
        }
        &self.buffer[self.at..]
    }

    fn take(&mut self, count: usize) {
        assert!(count <= self.buffer.len() - self.at);
        self.buffer[self.at..self.at + count].fill(0xff);
        self.at += count;
    }

    /// What nobody has consumed.
    fn left(&self) -> Vec<u8> {
        [&self.buffer[self.at..], self.rest].concat()
    }
}

impl<T> embedded_io::ErrorType for Source<'_, T> {
    type Error = Failure;
}

impl<T: FnMut(usize) -> bool> embedded_io::Read for Source<'_, T> {
    fn read(&mut self, _buffer: &mut [u8]) -> Result<usize, Failure> {
        panic!("a reader uses the source's buffer");
    }
}

impl<T: FnMut(usize) -> bool> embedded_io::BufRead for Source<'_, T> {
    fn fill_buf(&mut self) -> Result<&[u8], Failure> {
        if self.is_troubled() {
            let kind =
                if self.asked.is_multiple_of(2) { ErrorKind::Interrupted } else { ErrorKind::TimedOut };
            return Err(Failure(kind));
        }
        Ok(self.show())
    }

    fn consume(&mut self, count: usize) {
        self.take(count);
    }
}

impl<T: FnMut(usize) -> bool> embedded_io_async::Read for Source<'_, T> {
    async fn read(&mut self, _buffer: &mut [u8]) -> Result<usize, Failure> {
        panic!("a reader uses the source's buffer");
    }
}

impl<T: FnMut(usize) -> bool> embedded_io_async::BufRead for Source<'_, T> {
    async fn fill_buf(&mut self) -> Result<&[u8], Failure> {
        let mut troubled = self.is_troubled();
        poll_fn(|_| if core::mem::take(&mut troubled) { Poll::Pending } else { Poll::Ready(()) }).await;
        Ok(self.show())
    }

    fn consume(&mut self, count: usize) {
        self.take(count);
    }
}

const TEXT: &str = r#" { "plain" : "text", "esc\u0061ped": ["\ud83d\ude00", "é€😀", -1.5e+10, 0],
    "literals": [true, false, null, {}, [ ]], "long": "a string that is longer than most of the buffers here" } "#;

fn assembler(scratch: &mut [u8]) -> Assembler<'_, Counted<16>> {
    Assembler::new(Limits::DEVICE, scratch).unwrap()
}

/// Everything that a blocking reader gives, when each failed call is repeated; and how often it failed.
fn read_all<T: FnMut(usize) -> bool>(source: Source<'_, T>) -> (Vec<Event>, Result<(), Rejection>, usize) {
    let mut scratch = [0xff; 64];
    let mut reader = Reader::new(source, assembler(&mut scratch));
    let (mut events, mut failures) = (Vec::new(), 0);
    loop {
        match reader.read() {
            Ok(Some(event)) => events.extend(whole::owned(event)),
            Ok(None) => return (events, Ok(()), failures),
            Err(ReadError::Source(_)) => failures += 1,
            Err(ReadError::Rejected(rejection)) => return (events, Err(rejection), failures),
        }
    }
}

/// The same of an async reader whose future is dropped whenever it is pending.
fn read_all_async<T: FnMut(usize) -> bool>(
    source: Source<'_, T>,
) -> (Vec<Event>, Result<(), Rejection>, usize) {
    let mut scratch = [0xff; 64];
    let mut reader = Reader::new(source, assembler(&mut scratch));
    let (mut events, mut dropped) = (Vec::new(), 0);
    loop {
        let outcome = match pin!(reader.read_async()).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => outcome,
            Poll::Pending => {
                dropped += 1;
                continue;
            }
        };
        match outcome {
            Ok(Some(event)) => events.extend(whole::owned(event)),
            Ok(None) => return (events, Ok(()), dropped),
            Err(ReadError::Rejected(rejection)) => return (events, Err(rejection), dropped),
            Err(ReadError::Source(failure)) => panic!("{failure}"),
        }
    }
}

#[test]
fn a_read_that_fails_at_any_request_loses_nothing() {
    let fetched = Cell::new(0);
    let expected = oracle::events(TEXT.as_bytes()).unwrap();
    for size in [1, 2, 3, 7, 64, 4096] {
        let mut asked = 0;
        let quiet = Source::new(TEXT.as_bytes(), size, &fetched, |request| {
            asked = request + 1;
            false
        });
        assert_eq!(read_all(quiet), (expected.clone(), Ok(()), 0));
        for at in 0..asked {
            let once = |request| request == at;
            let source = Source::new(TEXT.as_bytes(), size, &fetched, once);
            assert_eq!(read_all(source), (expected.clone(), Ok(()), 1), "buffer {size}, request {at}");
            let source = Source::new(TEXT.as_bytes(), size, &fetched, once);
            assert_eq!(read_all_async(source), (expected.clone(), Ok(()), 1), "buffer {size}, request {at}");
        }
        let every_other = |request: usize| !request.is_multiple_of(3);
        let source = Source::new(TEXT.as_bytes(), size, &fetched, every_other);
        assert_eq!(read_all(source).0, expected);
        let source = Source::new(TEXT.as_bytes(), size, &fetched, every_other);
        assert_eq!(read_all_async(source).0, expected);
    }
}

#[test]
fn a_refusal_is_told_from_a_failure_and_stays() {
    let fetched = Cell::new(0);
    let text = b"[1, \"two\", }";
    for size in [1, 3, 64] {
        let mut scratch = [0; 64];
        let source = Source::new(text, size, &fetched, |request| request == 1);
        let mut reader = Reader::new(source, assembler(&mut scratch));
        let mut failures = 0;
        let rejection = loop {
            match reader.read() {
                Ok(event) => assert!(event.is_some()),
                Err(ReadError::Source(failure)) => {
                    assert_eq!(failure, Failure(ErrorKind::Interrupted));
                    failures += 1;
                }
                Err(ReadError::Rejected(rejection)) => break rejection,
            }
        };
        assert_eq!((rejection, failures), (Rejection::fault(Reason::JsonSyntax, 11), 1));
        let before = fetched.get();
        for _ in 0..3 {
            assert_eq!(reader.read().unwrap_err(), ReadError::Rejected(rejection));
        }
        assert_eq!(fetched.get(), before);
    }
    for cut in 1..TEXT.trim_end().len() {
        let (_, verdict, _) = read_all(Source::new(&TEXT.as_bytes()[..cut], 16, &fetched, |_| false));
        let reason = verdict.unwrap_err().reason();
        assert!(matches!(reason, Reason::IncompleteJson | Reason::IncompleteUtf8), "{cut}: {reason}");
    }
}

#[test]
fn the_source_is_asked_for_more_only_when_nothing_can_be_given_without() {
    let fetched = Cell::new(0);
    let mut scratch = [0; 64];
    let source = Source::new(b"[1, true, \"two\"] [3]", 5, &fetched, |_| false);
    let mut reader = Reader::new(source, assembler(&mut scratch).hand_back_rest());
    let mut needed = Vec::new();
    while reader.read().unwrap().is_some() {
        needed.push(fetched.get());
    }
    // `[1, t` `rue, ` `"two"` `] [3]`: the last read ends at the bracket and needs nothing.
    assert_eq!(needed, [1, 1, 2, 3, 4]);
    assert_eq!(fetched.get(), 4);
    assert_eq!(reader.read().unwrap(), None);
    let (source, assembler) = reader.into_parts();
    assert_eq!(source.left(), b" [3]");
    assert_eq!(assembler.offset(), 16);
}

/// `[1,` ` tr` `ue]`: the bracket is the last that the source has shown.
#[test]
fn nothing_is_asked_for_behind_a_document_whose_rest_is_handed_back() {
    fn left_of(machine: impl Readable) -> Vec<u8> {
        let fetched = Cell::new(0);
        let mut reader = Reader::new(Source::new(b"[1, true] [3]", 3, &fetched, |_| false), machine);
        while reader.read().unwrap().is_some() {}
        assert_eq!(fetched.get(), 3);
        reader.into_parts().0.left()
    }
    let mut scratch = [0; 64];
    let tokenizer = Tokenizer::<Counted<16>>::new(Limits::DEVICE).unwrap().hand_back_rest();
    assert_eq!(left_of(tokenizer), b" [3]");
    assert_eq!(left_of(assembler(&mut scratch).hand_back_rest()), b" [3]");
}

#[test]
fn the_source_is_asked_to_show_its_buffer_once_for_a_token_and_again_for_its_text() {
    fn requests(machine: impl Readable) -> Vec<usize> {
        let (fetched, asked) = (Cell::new(0), Cell::new(0));
        let source = Source::new(b"[1, true, \"two\", {}]", 64, &fetched, |_| {
            asked.set(asked.get() + 1);
            false
        });
        let mut reader = Reader::new(source, machine);
        let mut requests = Vec::new();
        while reader.read().unwrap().is_some() {
            requests.push(asked.take());
        }
        requests
    }
    let mut scratch = [0; 64];
    let tokenizer = Tokenizer::<Counted<16>>::new(Limits::DEVICE).unwrap();
    assert_eq!(requests(tokenizer), [1, 2, 1, 2, 1, 1, 1]);
    assert_eq!(requests(assembler(&mut scratch)), [1, 2, 1, 2, 1, 1, 1]);
}

#[test]
fn what_was_given_is_consumed_when_the_reader_is_taken_apart() {
    let fetched = Cell::new(0);
    let text = b"[\"one\",\"two\"]";
    let mut scratch = [0; 64];
    let mut reader = Reader::new(Source::new(text, 64, &fetched, |_| false), assembler(&mut scratch));
    assert_eq!(reader.read().unwrap().and_then(whole::owned), Some(Event::BeginArray));
    assert_eq!(reader.read().unwrap().and_then(whole::owned), Some(Event::String("one".into())));
    let (source, _) = reader.into_parts();
    assert_eq!(source.left(), b",\"two\"]");
    let mut reader = Reader::new(Source::new(text, 64, &fetched, |_| false), assembler(&mut scratch));
    for _ in 0..2 {
        let next = pin!(reader.read_async()).poll(&mut Context::from_waker(Waker::noop())).is_ready();
        assert!(next);
    }
    assert_eq!(reader.into_parts_async().0.left(), b",\"two\"]");
}

#[test]
fn contents_of_real_documents_are_those_of_serde_json() {
    let fetched = Cell::new(0);
    for (name, text) in data::real() {
        let expected = oracle::events(&text).unwrap();
        for size in [64, 4096] {
            let mut scratch = vec![0xff; 64 << 10];
            let assembler = Assembler::<Counted<64>>::new(Limits::HOST, &mut scratch).unwrap();
            let mut reader = Reader::new(Source::new(&text, size, &fetched, |_| false), assembler);
            let mut events = Vec::new();
            while let Some(event) = reader.read().unwrap() {
                events.extend(whole::owned(event));
            }
            assert!(oracle::signed_exponents(events) == expected, "{name} by {size} bytes");
        }
    }
}

#[test]
fn a_reader_of_tokens_gives_parts_as_they_come() {
    let fetched = Cell::new(0);
    let text = TEXT.as_bytes();
    let tokenizer = Tokenizer::<Counted<16>>::new(Limits::DEVICE).unwrap();
    let mut buffer = Vec::new();
    for size in [1, 5, 64, 4096] {
        let mut reader = Reader::new(Source::new(text, size, &fetched, |request| request == 7), tokenizer);
        let mut joined = String::new();
        let mut strings = Vec::new();
        loop {
            match reader.read() {
                Ok(Some(Token::StringPart(part))) => joined.push_str(part.as_str()),
                Ok(Some(Token::StringCharacter(character))) => joined.push(character),
                Ok(Some(Token::String(rest))) => {
                    joined.push_str(rest.as_str());
                    strings.push(Event::String(core::mem::take(&mut joined)));
                }
                Ok(Some(token)) => assert!(!matches!(token, Token::NeedInput | Token::End)),
                Ok(None) => break,
                Err(ReadError::Source(_)) => {}
                Err(ReadError::Rejected(rejection)) => panic!("{rejection}"),
            }
        }
        let (mut expected, _) = feed::tokens(tokenizer, [text], &mut buffer);
        expected.retain(|event| matches!(event, Event::String(_)));
        assert_eq!(strings, expected);
    }
}

#[test]
fn a_reader_of_records_goes_on_behind_a_refused_one() {
    let fetched = Cell::new(0);
    let body = b"{\"a\":1}\r\n\n{\"a\":,}\n[\"b\"]\n17";
    for size in [1, 2, 5, 64] {
        for at in 0..20 {
            let mut scratch = [0xff; 16];
            let limits = RecordLimits { bytes: 8, records: 4 };
            let records = Records::new(Framing::Lines, limits, assembler(&mut scratch)).skip_refused();
            let mut reader = Reader::new(Source::new(body, size, &fetched, |request| request == at), records);
            let (mut whole, mut skipped, mut events) = (0, Vec::new(), Vec::new());
            loop {
                match reader.read() {
                    Ok(Some(RecordEvent::Begin(_))) => {}
                    Ok(Some(RecordEvent::Token(event))) => events.extend(whole::owned(event)),
                    Ok(Some(RecordEvent::End)) => whole += 1,
                    Ok(Some(RecordEvent::Skipped(record))) => {
                        skipped.push((record.record.index, record.record.at, record.bytes));
                    }
                    Ok(None) => break,
                    Err(ReadError::Source(_)) => {}
                    Err(ReadError::Rejected(rejection)) => panic!("{rejection}"),
                }
            }
            assert_eq!((whole, skipped), (3, vec![(1, 10, 7)]));
            assert_eq!(events.last(), Some(&Event::Number("17".into())));
            assert_eq!(reader.machine().records(), 4);
        }
    }
}

/// Shows half of what it has shown when it is asked again.
struct Forgetful<'a>(&'a [u8], bool);

impl embedded_io::ErrorType for Forgetful<'_> {
    type Error = Failure;
}

impl embedded_io::Read for Forgetful<'_> {
    fn read(&mut self, _buffer: &mut [u8]) -> Result<usize, Failure> {
        panic!("a reader uses the source's buffer");
    }
}

impl embedded_io::BufRead for Forgetful<'_> {
    fn fill_buf(&mut self) -> Result<&[u8], Failure> {
        self.1 = !self.1;
        Ok(if self.1 { self.0 } else { &self.0[..self.0.len() / 2] })
    }

    fn consume(&mut self, count: usize) {
        self.0 = &self.0[count..];
    }
}

#[test]
fn a_source_that_does_not_show_again_what_it_has_shown_is_answered_with_source_error() {
    let mut scratch = [0; 64];
    let mut reader = Reader::new(Forgetful(b"\"a string of some length\" ", false), assembler(&mut scratch));
    assert_eq!(reader.read().unwrap_err(), ReadError::Rejected(Rejection::new(Reason::SourceError)));
}

#[test]
fn a_reader_s_error_shows_the_rejection_or_the_source_s_own() {
    use core::error::Error;

    let rejection = Rejection::fault(Reason::JsonSyntax, 3);
    let refused: ReadError<Failure> = rejection.into();
    assert_eq!((refused.to_string(), refused.source().is_some()), (rejection.to_string(), false));
    let failed = ReadError::Source(Failure(ErrorKind::TimedOut));
    let source = failed.source().map(ToString::to_string);
    assert_eq!(
        (failed.to_string(), source),
        (ErrorKind::TimedOut.to_string(), Some(ErrorKind::TimedOut.to_string()))
    );
}
