//! The reader form: decoded, checked bytes that are pulled, with an end that means that everything was checked.
//!
//! It keeps, besides its [`Transfer`], how much of the source's piece is admitted and decoded, which part of the
//! latest run is still to be handed out, three counters and the outcome: some 120 bytes, and no byte of a body.
//! A run lies in the decoder's own memory or in the source's piece, and is looked at again there.

#[cfg(feature = "embedded-io")]
mod embedded;
#[cfg(feature = "std")]
mod stdio;

use core::cell::Cell;
use core::fmt;

use plimsoll_core::{Inspect, Reason, Rejection};

use crate::decoder::Relend;
use crate::ingest::{Ingest, Pull};
use crate::outcome::{Outcome, Verdict};
use crate::source::{AsyncSource, Failure, Source, Supply};
use crate::time::{Clock, Watch};
use crate::transfer::{Fed, Transfer, race, receive};

/// Why a read brought nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ReadError {
    /// The body is refused. Every further read answers the same, and what was read before does not count.
    Rejected(Rejection),
    /// The policy asked for a preview, and it has been read as a whole; the body goes on behind it. Every
    /// further read answers the same.
    Preview,
    /// The source was interrupted and has lost nothing. The read can be repeated.
    Interrupted,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::Preview => f.write_str("the body goes on behind the preview that was asked for"),
            Self::Interrupted => f.write_str("the source was interrupted"),
        }
    }
}

impl core::error::Error for ReadError {}

/// Reads a body decoded.
///
/// With the features `embedded-io`, `embedded-io-async` and `std` it is a `Read` and a `BufRead` of each, over a
/// source that blocks or waits. [`fill`](Self::fill) and [`fill_async`](Self::fill_async) do the same without.
///
/// # Contract
///
/// - `Ok(0)`, or an empty buffer from `fill_buf`, is answered only when the body is complete: the source has
///   ended, and CRC-32, length field, trailing data, declared length and every inspector's end were checked.
///   Before that, what was read is provisional: a body that is refused at its last byte has been read almost as
///   a whole.
/// - A refusal is an error that holds the [`Rejection`]. The source is then cancelled, once, and not read again.
/// - A `read` into an empty buffer is `Ok(0)` and touches neither the source nor the decoder.
/// - An interrupted source is [`ReadError::Interrupted`] and loses nothing. Any other error of the source is a
///   refusal as `source_error`.
/// - A future of `read`, `fill_buf` or `fill_async` that is dropped loses what the source's own future loses.
/// - The time between two reads counts for the deadline, as a slow sink's does, but not for the least rate.
/// - A verdict that is reached while bytes before it are still to be read is told to the source behind them.
/// - Bytes that were lent or copied out count as exposed in the [`Outcome`].
/// - Dropped before the end, it cancels the source.
///
/// ```
/// use plimsoll::{Coding, DefaultEngine, Head, Ingest, Limits, NoClock, Pace, Policy, ReadError, Reader, Watch};
///
/// // `printf hello | gzip -n`
/// let body = [
///     0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
/// ];
/// let (mut engine, mut output) = (DefaultEngine::new(), [0; 64]);
/// let (head, policy) = (Head::new(Coding::Gzip), Policy::strict(Limits::SMALL_DEVICE));
/// let machine = Ingest::flat(&head, &policy, &mut engine, &mut output, ());
///
/// let mut reader = Reader::new(machine, &body[..], Watch::new(Pace::within(10_000), NoClock));
/// assert_eq!(reader.fill()?, b"hello"); // provisional
/// reader.consume(5);
/// assert_eq!(reader.fill()?, b""); // now it is checked
/// assert!(reader.finish().is_complete());
/// # Ok::<(), ReadError>(())
/// ```
pub struct Reader<D, I, S: Supply, C, T> {
    transfer: Transfer<D, I, (), S, C, T>,
    cursor: Cursor,
    /// Encoded bytes that the source was told are done with.
    consumed: u64,
    /// Decoded bytes that were taken.
    taken: u64,
    /// Decoded bytes that were shown, whether taken or not.
    exposed: u64,
    outcome: Option<Outcome>,
}

/// Without a byte of the body.
impl<D, I, S: Supply, C, T> fmt::Debug for Reader<D, I, S, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cursor, consumed, taken, exposed, outcome, transfer: _ } = self;
        f.debug_struct("Reader")
            .field("cursor", cursor)
            .field("consumed", consumed)
            .field("taken", taken)
            .field("exposed", exposed)
            .field("outcome", outcome)
            .finish_non_exhaustive()
    }
}

/// Where in the source's piece and in the latest run the reader stands.
#[derive(Debug, Default)]
struct Cursor {
    /// Whether the decoder has not asked for more than the piece.
    open: bool,
    /// Bytes at the front of the piece that are decoded, and whose run may lie in them.
    done: usize,
    /// Admitted bytes behind them.
    left: usize,
    /// The encoded offset behind the admitted bytes.
    end: u64,
    /// Whether the piece goes on behind what was admitted.
    over: bool,
    /// The latest run is handed out from here
    from: usize,
    /// to here.
    to: usize,
    /// Whether the source did not show again what is to be handed out.
    lost: Cell<bool>,
}

/// What is to be done before bytes can be lent.
enum Need {
    /// Nothing: there are some, or there never will be.
    Nothing(Result<bool, ReadError>),
    /// A step of the decoder without input.
    Step,
    /// A piece of the source, or what is left of the one before.
    Piece,
    /// The verdict is to be told to the source.
    Verdict,
    /// The body is to be refused, since bytes of it are missing.
    Refusal,
}

/// What an answer of the source came to.
enum Turn<E> {
    Stepped,
    Retry,
    End,
    Refused(Option<E>),
}

impl Cursor {
    /// How much of the run is left.
    const fn pending(&self) -> usize {
        self.to.saturating_sub(self.from)
    }

    /// Judges an answer of the source and makes one step over it.
    fn take<D: Relend, I: Inspect, S: Supply, C: Clock, T>(
        &mut self,
        machine: &mut Ingest<D, I, ()>,
        watch: &mut Watch<C, T>,
        answer: Option<Result<&[u8], Failure<S::Error>>>,
    ) -> Turn<S::Error> {
        let at = machine.encoded_bytes();
        let fed = if self.open {
            match answer {
                Some(Ok(piece)) if piece.len() >= self.left => Fed::Piece(piece),
                None => Fed::Refused(watch.late(), None),
                // It has not kept what it had lent, so bytes would be missing.
                Some(_) => Fed::Refused(Rejection::fault(Reason::SourceError, at), None),
            }
        } else {
            receive::<S, C, T>(watch, at, answer)
        };
        let piece = match fed {
            Fed::Piece(piece) => piece,
            Fed::End => return Turn::End,
            Fed::Retry => return Turn::Retry,
            Fed::Refused(rejection, error) => {
                machine.refuse(rejection);
                return Turn::Refused(error);
            }
        };
        if !self.open {
            let share = machine.admit(piece.len());
            watch.count(machine.encoded_bytes().saturating_sub(at));
            let over = share.admitted < piece.len();
            *self = Self { open: true, left: share.admitted, end: share.end, over, ..Self::default() };
        }
        self.step(machine, piece.get(..self.left).unwrap_or(piece));
        Turn::Stepped
    }

    /// Makes one step over what is left of the admitted bytes.
    fn step<D: Relend, I: Inspect>(&mut self, machine: &mut Ingest<D, I, ()>, rest: &[u8]) {
        let Ok(pull) = machine.pull(rest, self.end);
        match pull {
            Pull::Run { consumed, run } => {
                self.done = self.done.saturating_add(consumed);
                self.left = self.left.saturating_sub(consumed);
                self.from = 0;
                self.to = run;
            }
            Pull::Dry => {
                self.done = self.done.saturating_add(self.left);
                self.left = 0;
                self.open = false;
                if self.over {
                    machine.overrun(self.end);
                }
            }
        }
    }
}

impl<D: Relend, I: Inspect, S: Supply, C: Clock, T> Reader<D, I, S, C, T> {
    /// A reader at the start of a body. Where the machine has refused already, the source is cancelled before a
    /// byte is read.
    #[must_use]
    pub fn new(machine: Ingest<D, I, ()>, source: S, watch: Watch<C, T>) -> Self {
        Self {
            transfer: Transfer::new(machine, source, watch),
            cursor: Cursor::default(),
            consumed: 0,
            taken: 0,
            exposed: 0,
            outcome: None,
        }
    }

    /// The outcome, once the end was answered or a refusal was.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The error that the source failed with, where the reason is `source_error`.
    #[must_use]
    pub const fn source_error(&self) -> Option<&S::Error> {
        self.transfer.source_error()
    }

    /// Takes note that the first `count` bytes of what was lent are read.
    pub fn consume(&mut self, count: usize) {
        let count = count.min(self.cursor.pending());
        self.cursor.from = self.cursor.from.saturating_add(count);
        self.taken = self.taken.saturating_add(count as u64);
        self.exposed = self.exposed.max(self.taken);
    }

    /// Gives the body up, unless its outcome is known, and tells the outcome. A body whose end was not answered
    /// is refused as `cancelled`, however much of it was read.
    #[must_use]
    pub fn finish(mut self) -> Outcome {
        if let Some(outcome) = self.outcome {
            return outcome;
        }
        self.transfer.refuse(Rejection::new(Reason::Cancelled));
        self.conclude()
    }

    fn need(&self) -> Need {
        if self.cursor.lost.get() {
            return Need::Refusal;
        }
        if self.cursor.pending() > 0 {
            return Need::Nothing(Ok(true));
        }
        if let Some(outcome) = self.outcome {
            return Need::Nothing(match outcome.verdict {
                Verdict::Complete => Ok(false),
                Verdict::Preview => Err(ReadError::Preview),
                Verdict::Rejected(rejection) => Err(ReadError::Rejected(rejection)),
            });
        }
        if self.transfer.machine.verdict().is_some() {
            return Need::Verdict;
        }
        if self.cursor.open && self.cursor.left == 0 { Need::Step } else { Need::Piece }
    }

    /// How much of the piece is done with, now that its run has been read.
    fn release(&mut self) -> usize {
        let count = core::mem::take(&mut self.cursor.done);
        self.consumed = self.consumed.saturating_add(count as u64);
        count
    }

    /// How much of the piece was counted and not consumed, now that nothing more of it will be decoded.
    fn rest(&mut self) -> usize {
        let counted = self.transfer.machine.encoded_bytes();
        let count = counted.saturating_sub(self.consumed);
        self.consumed = counted;
        usize::try_from(count).unwrap_or(usize::MAX)
    }

    /// Takes note of what an answer came to.
    fn settle(&mut self, turn: Turn<S::Error>) -> Result<(), ReadError> {
        match turn {
            Turn::Stepped => {}
            Turn::Retry => return Err(ReadError::Interrupted),
            Turn::End => {
                self.transfer.link.end();
                self.conclude();
            }
            Turn::Refused(error) => self.transfer.failed = error,
        }
        Ok(())
    }

    /// Tells the source and keeps the outcome.
    fn conclude(&mut self) -> Outcome {
        self.transfer.link.cancel();
        let Ok(outcome) = self.transfer.machine.end();
        let cancelled = self.transfer.link.is_cancelled();
        let outcome = Outcome { exposed_bytes: self.exposed, cancelled, ..outcome };
        self.outcome = Some(outcome);
        outcome
    }

    /// Refuses the body for good, because the source has not kept what it had lent.
    fn lose(&mut self) {
        self.cursor = Cursor::default();
        self.transfer.machine.refuse(Rejection::new(Reason::SourceError));
    }

    /// Takes note that the rest of the run is about to be lent.
    fn expose(&mut self) {
        self.exposed = self.exposed.max(self.taken.saturating_add(self.cursor.pending() as u64));
    }

    /// What of `run` is left. To be asked only while something is, since an empty answer would mean the end.
    fn left_of<'a>(cursor: &Cursor, run: &'a [u8]) -> Result<&'a [u8], ReadError> {
        run.get(cursor.from..cursor.to).ok_or_else(|| {
            cursor.lost.set(true);
            ReadError::Rejected(Rejection::new(Reason::SourceError))
        })
    }
}

impl<D: Relend, I: Inspect, S: Source, C: Clock, T> Reader<D, I, S, C, T> {
    /// Lends the next decoded bytes; empty only when the body is complete. They are lent again until
    /// [`consume`](Self::consume) takes note of them.
    ///
    /// # Errors
    /// [`ReadError`]: a refusal, the end of a preview, or an interruption, after which it may be asked again.
    pub fn fill(&mut self) -> Result<&[u8], ReadError> {
        if !self.advance()? {
            return Ok(&[]);
        }
        self.expose();
        self.run()
    }

    /// Copies decoded bytes out: `Ok(0)` for a buffer that is not empty only when the body is complete.
    #[cfg(feature = "embedded-io")]
    fn copy(&mut self, buffer: &mut [u8]) -> Result<usize, ReadError> {
        if buffer.is_empty() || !self.advance()? {
            return Ok(0);
        }
        let count = copy(self.run()?, buffer);
        self.consume(count);
        Ok(count)
    }

    /// Goes on until there is something to lend, or says that the body is complete.
    fn advance(&mut self) -> Result<bool, ReadError> {
        loop {
            match self.need() {
                Need::Nothing(answer) => return answer,
                Need::Verdict => {
                    let count = self.rest();
                    self.transfer.link.source.consume(count);
                    self.conclude();
                }
                Need::Refusal => self.lose(),
                Need::Step => self.cursor.step(&mut self.transfer.machine, &[]),
                Need::Piece => {
                    let count = self.release();
                    let Transfer { machine, link, watch, .. } = &mut self.transfer;
                    link.source.consume(count);
                    if !self.cursor.open {
                        watch.before();
                    }
                    let answer = Some(link.source.fill());
                    let turn = self.cursor.take::<_, _, S, _, _>(machine, watch, answer);
                    self.settle(turn)?;
                }
            }
        }
    }

    /// What is left of the latest run.
    fn run(&mut self) -> Result<&[u8], ReadError> {
        let run = match self.transfer.machine.decoder().latest() {
            Some(run) => run,
            None => self.transfer.link.source.fill().unwrap_or(&[]),
        };
        Self::left_of(&self.cursor, run)
    }
}

impl<D, I, S, C, T> Reader<D, I, S, C, T>
where
    D: Relend,
    I: Inspect,
    S: AsyncSource,
    C: Clock,
    T: Future<Output = ()> + Unpin,
{
    /// As [`fill`](Self::fill), over a source that waits. While it does, the timer of the watch runs.
    ///
    /// A future that is dropped loses what the source's own future loses.
    ///
    /// # Errors
    /// [`ReadError`]: a refusal, the end of a preview, or an interruption, after which it may be asked again.
    pub async fn fill_async(&mut self) -> Result<&[u8], ReadError> {
        if !self.advance_async().await? {
            return Ok(&[]);
        }
        self.expose();
        self.run_async().await
    }

    #[cfg(feature = "embedded-io-async")]
    async fn copy_async(&mut self, buffer: &mut [u8]) -> Result<usize, ReadError> {
        if buffer.is_empty() || !self.advance_async().await? {
            return Ok(0);
        }
        let count = copy(self.run_async().await?, buffer);
        self.consume(count);
        Ok(count)
    }

    async fn advance_async(&mut self) -> Result<bool, ReadError> {
        loop {
            match self.need() {
                Need::Nothing(answer) => return answer,
                Need::Verdict => {
                    let count = self.rest();
                    self.transfer.link.source.consume(count);
                    self.conclude();
                }
                Need::Refusal => self.lose(),
                Need::Step => self.cursor.step(&mut self.transfer.machine, &[]),
                Need::Piece => {
                    let count = self.release();
                    let Transfer { machine, link, watch, .. } = &mut self.transfer;
                    link.source.consume(count);
                    if !self.cursor.open {
                        watch.before();
                    }
                    let answer = race(&mut link.source, watch).await;
                    let turn = self.cursor.take::<_, _, S, _, _>(machine, watch, answer);
                    self.settle(turn)?;
                }
            }
        }
    }

    /// The source answers at once here, since it has something that was not consumed.
    async fn run_async(&mut self) -> Result<&[u8], ReadError> {
        let run = match self.transfer.machine.decoder().latest() {
            Some(run) => run,
            None => self.transfer.link.source.fill().await.unwrap_or(&[]),
        };
        Self::left_of(&self.cursor, run)
    }
}

/// Copies as much of `run` as fits, and says how much that was.
#[cfg(feature = "embedded-io")]
fn copy(run: &[u8], buffer: &mut [u8]) -> usize {
    for (to, &from) in buffer.iter_mut().zip(run) {
        *to = from;
    }
    run.len().min(buffer.len())
}
