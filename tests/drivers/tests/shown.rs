//! What is shown of what holds a body, as a log would show it: never a byte of it. And the texts and kinds of errors.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by a panic")]

use std::fmt::Debug;
use std::io;

use embedded_io::{Error, ErrorKind, Write};
use plimsoll::json::{Counted, Framing, Record};
use plimsoll::{
    BufReadSource, Coding, DefaultEngine, EachRecord, Head, Ingest, Inspect, Limits, Memory, NoClock, Pace,
    Policy, ReadError, ReadSource, Reader, Reason, Rejection, Ring, Sink, Slice, Source, StdIo, Through,
    Transfer, VecSink, Watch, WriteError,
};
use plimsoll_tests_drivers::body;

const BODY: &[u8] = b"\"SECRET\"\n";

/// Neither as text nor as the numbers of its bytes.
fn hides(what: &dyn Debug) {
    for shown in [format!("{what:?}"), format!("{what:#?}")] {
        let joined: String = shown.split_whitespace().collect();
        assert!(!joined.contains("SECRET") && !joined.contains("83,69,67"), "{shown}");
        assert!(shown.len() > 3, "{shown}");
    }
}

#[test]
fn memory_sinks_and_sources_show_no_byte_of_the_body_they_hold() {
    let mut memory = Memory::<64>::default();
    let policy = Policy::strict(Limits { decoded: 64, ..Limits::SMALL_DEVICE });
    let mut ingest = memory.flat(&Head::new(Coding::Identity), &policy, ());
    let _ = ingest.push(BODY).unwrap();
    hides(&ingest);
    drop(ingest);
    hides(&memory);

    let mut bytes = [0; 64];
    let mut slice = Slice::new(&mut bytes);
    let Ok(()) = slice.provisional(BODY);
    let Ok(()) = slice.commit();
    assert_eq!(slice.body(), Some(BODY));
    hides(&slice);

    let mut vector = VecSink::<64>::new();
    let Ok(()) = vector.provisional(BODY);
    hides(&vector);

    let mut buffer = [0; 16];
    let mut source = ReadSource::new(BODY, &mut buffer, |_: &mut &[u8]| ());
    assert_eq!(source.fill().unwrap(), BODY);
    assert_eq!(source.reader().len(), 0);
    hides(&source);
    let mut source = BufReadSource::new(BODY, |_: &mut &[u8]| ());
    assert_eq!(source.fill().unwrap(), BODY);
    assert_eq!(source.reader().len(), BODY.len());
    hides(&source);
    assert_eq!(source.into_reader(), BODY);
}

#[test]
fn a_record_that_has_begun_is_not_shown() {
    let mut buffer = [0; 64];
    let limits = Limits::SMALL_DEVICE;
    let effect = |_: Record, _: &[u8]| ();
    let mut records =
        EachRecord::refusing::<Counted<64>>(Framing::Lines, &limits, &mut buffer, effect).unwrap();
    records.inspect(b"[\"SECRET").unwrap();
    hides(&records);
}

#[test]
fn drivers_show_no_byte_of_what_they_hold() {
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 512]);
    let policy = body::policy();
    let head = Head::new(Coding::Gzip);
    let sent = body::gzip(BODY);
    let watch = || Watch::new(Pace::within(1), NoClock);
    let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
    let mut transfer = Transfer::new(machine, &sent[..], watch());
    let Ok(()) = transfer.read();
    assert_eq!(transfer.machine().decoded_bytes(), BODY.len() as u64);
    let shown = format!("{transfer:?}");
    assert!(shown.contains("open: false") && shown.contains("cancelled: false"), "{shown}");
    hides(&transfer);
    drop(transfer);

    let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
    let mut reader = Reader::new(machine, &sent[..], watch());
    assert_eq!(reader.fill(), Ok(BODY));
    hides(&reader);
    drop(reader);
    hides(&engine);
}

#[test]
fn a_reader_s_error_has_the_text_of_its_rejection_and_the_kind_that_fits() {
    let text = |error: ReadError| error.to_string();
    let rejection = Rejection::fault(Reason::Checksum, 7);
    assert_eq!(text(ReadError::Rejected(rejection)), rejection.to_string());
    assert_eq!(text(ReadError::Preview), "the body goes on behind the preview that was asked for");
    assert_eq!(text(ReadError::Interrupted), "the source was interrupted");
    for (reason, kind) in [
        (Reason::Deadline, ErrorKind::TimedOut),
        (Reason::TooSlow, ErrorKind::TimedOut),
        (Reason::Cancelled, ErrorKind::ConnectionAborted),
        (Reason::SourceError, ErrorKind::ConnectionAborted),
        (Reason::Capacity, ErrorKind::OutOfMemory),
        (Reason::UnsupportedCoding, ErrorKind::Unsupported),
        (Reason::StackedCoding, ErrorKind::Unsupported),
        (Reason::UnsupportedMedia, ErrorKind::Unsupported),
        (Reason::Checksum, ErrorKind::InvalidData),
    ] {
        assert_eq!(ReadError::Rejected(Rejection::new(reason)).kind(), kind, "{reason}");
    }
    assert_eq!(ReadError::Interrupted.kind(), ErrorKind::Interrupted);
    assert_eq!(ReadError::Preview.kind(), ErrorKind::Other);
}

#[test]
fn a_sink_s_error_has_the_text_and_the_kind_of_its_writer_s() {
    let full = || io::Error::from(io::ErrorKind::OutOfMemory);
    let errors = [
        (WriteError::Zero, "the writer took nothing".to_owned(), ErrorKind::WriteZero),
        (WriteError::Writer(full()), full().to_string(), ErrorKind::OutOfMemory),
        (WriteError::Spent, "the sink has had its body".to_owned(), ErrorKind::InvalidInput),
    ];
    for (error, text, kind) in errors {
        assert_eq!((error.to_string(), error.kind()), (text, kind));
    }
}

/// Buffers, and gives nothing on without a flush.
struct Lazy {
    kept: Vec<u8>,
    out: Vec<u8>,
    room: usize,
}

impl io::Write for Lazy {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.room.saturating_sub(self.kept.len()));
        self.kept.extend(bytes.iter().take(count));
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.append(&mut self.kept);
        Ok(())
    }
}

#[test]
fn a_writer_of_the_standard_library_is_flushed_and_its_nothing_is_an_error() {
    let mut writer = StdIo::new(Lazy { kept: Vec::new(), out: Vec::new(), room: 5 });
    assert_eq!(writer.write(b"load line").unwrap(), 5);
    assert_eq!(writer.write(b"").unwrap(), 0);
    assert_eq!(writer.write(b"line").unwrap_err().kind(), io::ErrorKind::WriteZero);
    assert_eq!(writer.inner().out, b"");
    writer.flush().unwrap();
    assert_eq!(writer.into_inner().out, b"load ");

    let mut sink = Through::new(StdIo::new(Lazy { kept: Vec::new(), out: Vec::new(), room: 5 }));
    sink.provisional(b"load").unwrap();
    sink.commit().unwrap();
    assert_eq!(sink.into_writer().into_inner().out, b"load");
}
