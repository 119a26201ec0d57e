//! All forms of the reader.

use embedded_io::Read as _;
use plimsoll::{
    AsyncSource, BufReadSource, Clock, Ingest, Inspect, Outcome, ReadError, ReadSource, Reader, Relend,
    Source, StdIo, Watch,
};
use plimsoll_tests_drivers::executor::poll;
use plimsoll_tests_drivers::script::Script;

use crate::drive::cancel;
use crate::std_script::StdScript;

/// A way to pull a body out of a reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `fill` and `consume`.
    Lend,
    /// `embedded_io::Read`.
    Read,
    /// `embedded_io::BufRead`.
    BufRead,
    /// `std::io::Read` over a source of `std::io`.
    StdRead,
    /// `std::io::BufRead` over a source of `std::io`.
    StdBufRead,
    /// `fill_async` with a future that is dropped whenever it waits.
    AsyncLend,
    /// `embedded_io_async::Read`, likewise.
    AsyncRead,
    /// `embedded_io_async::BufRead`, likewise.
    AsyncBufRead,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Lend,
        Self::Read,
        Self::BufRead,
        Self::StdRead,
        Self::StdBufRead,
        Self::AsyncLend,
        Self::AsyncRead,
        Self::AsyncBufRead,
    ];
}

/// What came out of a reader, and how that ended.
#[derive(Debug)]
pub struct Pulled {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The end, or the refusal, which was answered twice.
    pub end: Result<(), ReadError>,
    /// The outcome.
    pub outcome: Outcome,
}

/// Pulls a body out in parts of at most seven bytes, over a source that copies or one that lends.
pub fn pull<D: Relend, I: Inspect, C: Clock>(
    form: Form,
    lending: bool,
    machine: Ingest<D, I, ()>,
    script: Script,
    watch: Watch<C>,
) -> Pulled {
    let mut buffer = [0xEE; 64];
    match (form, lending) {
        (Form::StdRead | Form::StdBufRead, false) => {
            let source = ReadSource::new(StdIo::new(StdScript(script)), &mut buffer, cancel);
            block(form, Reader::new(machine, source, watch))
        }
        (Form::StdRead | Form::StdBufRead, true) => {
            let source = BufReadSource::new(StdIo::new(StdScript(script)), cancel);
            block(form, Reader::new(machine, source, watch))
        }
        (Form::AsyncLend | Form::AsyncRead | Form::AsyncBufRead, false) => {
            wait(form, Reader::new(machine, ReadSource::new(script, &mut buffer, Script::cancel), watch))
        }
        (Form::AsyncLend | Form::AsyncRead | Form::AsyncBufRead, true) => {
            wait(form, Reader::new(machine, BufReadSource::new(script, Script::cancel), watch))
        }
        (_, false) => {
            block(form, Reader::new(machine, ReadSource::new(script, &mut buffer, Script::cancel), watch))
        }
        (_, true) => block(form, Reader::new(machine, BufReadSource::new(script, Script::cancel), watch)),
    }
}

/// Goes on until there are no more bytes, and then asks once more.
fn collect(
    mut next: impl FnMut(&mut Vec<u8>) -> Result<usize, ReadError>,
) -> (Vec<u8>, Result<(), ReadError>) {
    let mut bytes = Vec::new();
    let mut retrying = |bytes: &mut Vec<u8>| loop {
        match next(bytes) {
            Err(ReadError::Interrupted) => {}
            answer => return answer,
        }
    };
    let end = loop {
        match retrying(&mut bytes) {
            Ok(0) => break Ok(()),
            Ok(_) => {}
            Err(error) => break Err(error),
        }
    };
    let length = bytes.len();
    assert_eq!(retrying(&mut bytes).map(|count| assert_eq!(count, 0)), end, "the end is answered again");
    assert_eq!(bytes.len(), length);
    (bytes, end)
}

fn block<D: Relend, I: Inspect, S: Source, C: Clock>(
    form: Form,
    mut reader: Reader<D, I, S, C, std::future::Pending<()>>,
) -> Pulled {
    let (bytes, end) = collect(|bytes| {
        let mut part = [0xEE; 7];
        match form {
            Form::Read => {
                let count = reader.read(&mut part)?;
                bytes.extend_from_slice(&part[..count]);
                Ok(count)
            }
            Form::StdRead => {
                let count = std::io::Read::read(&mut reader, &mut part).map_err(read_error)?;
                bytes.extend_from_slice(&part[..count]);
                Ok(count)
            }
            _ => {
                let lent = match form {
                    Form::BufRead => embedded_io::BufRead::fill_buf(&mut reader)?,
                    Form::StdBufRead => std::io::BufRead::fill_buf(&mut reader).map_err(read_error)?,
                    _ => reader.fill()?,
                };
                let count = lent.len().min(7);
                bytes.extend_from_slice(&lent[..count]);
                reader.consume(count);
                Ok(count)
            }
        }
    });
    Pulled { bytes, end, outcome: reader.finish() }
}

/// What an error of `std::io` holds.
fn read_error(error: std::io::Error) -> ReadError {
    if error.kind() == std::io::ErrorKind::Interrupted {
        return ReadError::Interrupted;
    }
    *error.get_ref().unwrap().downcast_ref().unwrap()
}

fn wait<D: Relend, I: Inspect, S: AsyncSource, C: Clock>(
    form: Form,
    mut reader: Reader<D, I, S, C, std::future::Pending<()>>,
) -> Pulled {
    let (bytes, end) = collect(|bytes| {
        loop {
            let mut part = [0xEE; 7];
            let polled = match form {
                Form::AsyncRead => poll(embedded_io_async::Read::read(&mut reader, &mut part), 1)
                    .map(|answer| answer.inspect(|&count| bytes.extend_from_slice(&part[..count]))),
                _ => {
                    let mut take = |lent: &[u8]| {
                        let count = lent.len().min(7);
                        bytes.extend_from_slice(&lent[..count]);
                        count
                    };
                    let polled = match form {
                        Form::AsyncBufRead => poll(embedded_io_async::BufRead::fill_buf(&mut reader), 1)
                            .map(|lent| lent.map(&mut take)),
                        _ => poll(reader.fill_async(), 1).map(|lent| lent.map(&mut take)),
                    };
                    if let Some(Ok(count)) = polled {
                        reader.consume(count);
                    }
                    polled
                }
            };
            if let Some(answer) = polled {
                return answer;
            }
        }
    });
    Pulled { bytes, end, outcome: reader.finish() }
}
