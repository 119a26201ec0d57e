//! All drivers that read a source to its outcome.

use embedded_io::{BufRead, ErrorKind};
use plimsoll::{
    AsyncSource, BufReadSource, Clock, Decode, Ingest, Inspect, Next, Outcome, ReadSource, Reason, Rejection,
    Sink, Source, StdIo, Transfer, Watch,
};
use plimsoll_tests_drivers::executor::poll;
use plimsoll_tests_drivers::script::Script;

use crate::std_script::StdScript;

/// A way to take in a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Driver {
    /// Pushed by hand, as a caller without a driver does it.
    Push,
    /// `read` over a reader that copies.
    Copying,
    /// `read` over a reader that lends.
    Lending,
    /// `read` over `std::io::Read`.
    StdCopying,
    /// `read` over `std::io::BufRead`.
    StdLending,
    /// `read_async` over a reader that copies, with a future that is dropped whenever it waits.
    AsyncCopying,
    /// The same over a reader that lends.
    AsyncLending,
}

impl Driver {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Push,
        Self::Copying,
        Self::Lending,
        Self::StdCopying,
        Self::StdLending,
        Self::AsyncCopying,
        Self::AsyncLending,
    ];
}

/// Reads a script to its outcome. Where a driver is done, it is asked to read once more, which must change nothing.
///
/// # Errors
/// What the sink met.
pub fn drive<D: Decode, I: Inspect, K: Sink, C: Clock>(
    driver: Driver,
    machine: Ingest<D, I, K>,
    script: Script,
    watch: Watch<C>,
) -> Result<Outcome, K::Error> {
    let mut buffer = [0xEE; 64];
    match driver {
        Driver::Push => push(machine, script),
        Driver::Copying => block(machine, ReadSource::new(script, &mut buffer, Script::cancel), watch),
        Driver::Lending => block(machine, BufReadSource::new(script, Script::cancel), watch),
        Driver::StdCopying => {
            let source = ReadSource::new(StdIo::new(StdScript(script)), &mut buffer, cancel);
            block(machine, source, watch)
        }
        Driver::StdLending => {
            block(machine, BufReadSource::new(StdIo::new(StdScript(script)), cancel), watch)
        }
        Driver::AsyncCopying => wait(machine, ReadSource::new(script, &mut buffer, Script::cancel), watch),
        Driver::AsyncLending => wait(machine, BufReadSource::new(script, Script::cancel), watch),
    }
}

/// Gives up a script that is a reader of `std::io`.
pub fn cancel(reader: &mut StdIo<StdScript>) {
    reader.inner_mut().0.cancel();
}

fn block<D: Decode, I: Inspect, K: Sink, S: Source, C: Clock>(
    machine: Ingest<D, I, K>,
    source: S,
    watch: Watch<C>,
) -> Result<Outcome, K::Error> {
    let mut transfer = Transfer::new(machine, source, watch);
    transfer.read()?;
    transfer.read()?;
    transfer.finish()
}

fn wait<D: Decode, I: Inspect, K: Sink, S: AsyncSource, C: Clock>(
    machine: Ingest<D, I, K>,
    source: S,
    watch: Watch<C>,
) -> Result<Outcome, K::Error> {
    let mut transfer = Transfer::new(machine, source, watch);
    for _ in 0..2 {
        loop {
            if let Some(result) = poll(transfer.read_async(), 1) {
                result?;
                break;
            }
        }
    }
    transfer.finish()
}

/// The loop of the README, which has no clock.
fn push<D: Decode, I: Inspect, K: Sink>(
    mut machine: Ingest<D, I, K>,
    mut script: Script,
) -> Result<Outcome, K::Error> {
    let mut cancelled = false;
    let mut stop = |script: &mut Script| {
        script.cancel();
        cancelled = true;
    };
    if machine.verdict().is_some() {
        stop(&mut script);
    } else {
        loop {
            let before = machine.encoded_bytes();
            let result = match script.fill_buf() {
                Ok([]) => break,
                Ok(piece) => machine.push(piece),
                Err(ErrorKind::Interrupted) => continue,
                Err(_) => {
                    machine.refuse(Rejection::fault(Reason::SourceError, before));
                    Ok(Next::Stop)
                }
            };
            script.consume(usize::try_from(machine.encoded_bytes() - before).unwrap());
            match result {
                Ok(Next::Read) => {}
                Ok(Next::Stop) => {
                    stop(&mut script);
                    break;
                }
                Err(error) => {
                    script.cancel();
                    return Err(error);
                }
            }
        }
    }
    Ok(Outcome { cancelled, ..machine.finish()? })
}
