//! All drivers that read a source to its outcome.

use std::future::Pending;

use embedded_io::{BufRead, ErrorKind};
use plimsoll::inflate::Engine;
use plimsoll::{
    AsyncSource, BufReadSource, Clock, Decode, FlatDecoder, Ingest, Inspect, Next, Outcome, ReadSource,
    Reason, Rejection, Sink, Source, StdIo, Transfer, Watch,
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
        Driver::Push => {
            let (machine, cancelled) = push(machine, script)?;
            Ok(Outcome { cancelled, ..machine.finish()? })
        }
        Driver::Copying => {
            block(machine, ReadSource::new(script, &mut buffer, Script::cancel), watch)?.finish()
        }
        Driver::Lending => block(machine, BufReadSource::new(script, Script::cancel), watch)?.finish(),
        Driver::StdCopying => {
            let source = ReadSource::new(StdIo::new(StdScript(script)), &mut buffer, cancel);
            block(machine, source, watch)?.finish()
        }
        Driver::StdLending => {
            block(machine, BufReadSource::new(StdIo::new(StdScript(script)), cancel), watch)?.finish()
        }
        Driver::AsyncCopying => {
            wait(machine, ReadSource::new(script, &mut buffer, Script::cancel), watch)?.finish()
        }
        Driver::AsyncLending => wait(machine, BufReadSource::new(script, Script::cancel), watch)?.finish(),
    }
}

/// The same with a flat body, which comes back if it is complete.
pub fn drive_flat<E: Engine, I: Inspect, C: Clock>(
    driver: Driver,
    machine: Ingest<FlatDecoder<'_, E>, I, ()>,
    script: Script,
    watch: Watch<C>,
) -> (Outcome, Option<Vec<u8>>) {
    let mut buffer = [0xEE; 64];
    let (outcome, body) = match driver {
        Driver::Push => {
            let Ok((mut machine, cancelled)) = push(machine, script);
            let (outcome, body) = machine.finish_flat();
            (Outcome { cancelled, ..outcome }, body)
        }
        Driver::Copying => {
            let Ok(transfer) = block(machine, ReadSource::new(script, &mut buffer, Script::cancel), watch);
            transfer.finish_flat()
        }
        Driver::StdCopying => {
            let source = ReadSource::new(StdIo::new(StdScript(script)), &mut buffer, cancel);
            let Ok(transfer) = block(machine, source, watch);
            transfer.finish_flat()
        }
        Driver::StdLending => {
            let source = BufReadSource::new(StdIo::new(StdScript(script)), cancel);
            let Ok(transfer) = block(machine, source, watch);
            transfer.finish_flat()
        }
        Driver::Lending => {
            let Ok(transfer) = block(machine, BufReadSource::new(script, Script::cancel), watch);
            transfer.finish_flat()
        }
        Driver::AsyncCopying => {
            let Ok(transfer) = wait(machine, ReadSource::new(script, &mut buffer, Script::cancel), watch);
            transfer.finish_flat()
        }
        Driver::AsyncLending => {
            let Ok(transfer) = wait(machine, BufReadSource::new(script, Script::cancel), watch);
            transfer.finish_flat()
        }
    };
    (outcome, body.map(|body| body.to_vec()))
}

/// Gives up a script that is a reader of `std::io`.
pub fn cancel(reader: &mut StdIo<StdScript>) {
    reader.inner_mut().0.cancel();
}

/// A transfer that has been read.
type Read<D, I, K, S, C> = Transfer<D, I, K, S, C, Pending<()>>;

/// A machine that was pushed into, and whether its source was given up.
type Pushed<D, I, K> = (Ingest<D, I, K>, bool);

fn block<D: Decode, I: Inspect, K: Sink, S: Source, C: Clock>(
    machine: Ingest<D, I, K>,
    source: S,
    watch: Watch<C>,
) -> Result<Read<D, I, K, S, C>, K::Error> {
    let mut transfer = Transfer::new(machine, source, watch);
    transfer.read()?;
    transfer.read()?;
    Ok(transfer)
}

fn wait<D: Decode, I: Inspect, K: Sink, S: AsyncSource, C: Clock>(
    machine: Ingest<D, I, K>,
    source: S,
    watch: Watch<C>,
) -> Result<Read<D, I, K, S, C>, K::Error> {
    let mut transfer = Transfer::new(machine, source, watch);
    for _ in 0..2 {
        loop {
            if let Some(result) = poll(transfer.read_async(), 1) {
                result?;
                break;
            }
        }
    }
    Ok(transfer)
}

/// The loop of the README, which has no clock. Gives the machine back, and whether the script was given up.
fn push<D: Decode, I: Inspect, K: Sink>(
    mut machine: Ingest<D, I, K>,
    mut script: Script,
) -> Result<Pushed<D, I, K>, K::Error> {
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
    Ok((machine, cancelled))
}
