//! The drivers: a source, the push machine and a watch as one transfer.
//!
//! Nothing of decoding is here. A driver asks the source for a piece, looks at the time, pushes the piece and
//! consumes exactly what the machine counted as handed in. It keeps, besides these three, whether the source is
//! still open and the error that it failed with.

use core::fmt;
use core::future::poll_fn;
use core::pin::{Pin, pin};
use core::task::Poll;

use plimsoll_core::{Decode, Inspect, Reason, Rejection};
use plimsoll_inflate::Engine;

use crate::decoder::FlatDecoder;
use crate::ingest::{Ingest, Next};
use crate::outcome::Outcome;
use crate::sink::Sink;
use crate::source::{AsyncSource, Failure, Link, Source, Supply};
use crate::time::{Clock, Watch};

/// Reads a body from a blocking source to its outcome.
///
/// The source is read until it says that the body has ended, or until the verdict is reached: then it is
/// cancelled, once, and not read again. [`Outcome::cancelled`] says which. A source that fails ends the body as
/// `source_error`; pass the source as `&mut` or use a [`Transfer`] to learn the error itself. An interrupted
/// read is repeated, for as long as the deadline lets it.
///
/// ```
/// use plimsoll::{Coding, DefaultEngine, Head, Ingest, Limits, NoClock, Pace, Policy, Ring, Slice, Watch, read};
///
/// let (mut engine, mut window, mut memory) = (DefaultEngine::new(), [0; 1024], [0; 64]);
/// let head = Head::new(Coding::Identity).with_length(5);
/// let policy = Policy::strict(Limits::SMALL_DEVICE);
/// let mut sink = Slice::new(&mut memory);
/// let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), &mut sink);
///
/// let source = &b"hello"[..]; // a body in memory; sockets come as `ReadSource` or `BufReadSource`
/// let Ok(outcome) = read(machine, source, Watch::new(Pace::within(10_000), NoClock));
/// assert!(outcome.is_complete() && !outcome.cancelled);
/// assert_eq!(sink.body(), Some(&b"hello"[..]));
/// ```
///
/// # Errors
/// What the sink met. The source is then cancelled and the body discarded.
pub fn read<D: Decode, I: Inspect, K: Sink, S: Source, C: Clock, T>(
    machine: Ingest<D, I, K>,
    source: S,
    watch: Watch<C, T>,
) -> Result<Outcome, K::Error> {
    let mut transfer = Transfer::new(machine, source, watch);
    transfer.read()?;
    transfer.finish()
}

/// Reads a body from an asynchronous source to its outcome.
///
/// As [`read`], and while it waits for the source, the timer of the watch runs: when it is due, the body is
/// refused with `deadline` and the source is cancelled, also if the peer has sent nothing at all.
///
/// A future that is dropped cancels the source and discards the body. To go on after a drop, keep the machine
/// and the source in a [`Transfer`].
///
/// Every `async fn` links a panic, for a future that is polled after its end. Firmware without any pushes into the
/// machine from a future written by hand, as the asynchronous image in `tests/firmware` of the repository does.
///
/// ```
/// use std::{future::{Future, ready}, pin::pin, task::{Context, Poll, Waker}};
/// use plimsoll::{Coding, DefaultEngine, Head, Ingest, Limits, NoClock, Pace, Policy, Reason, Ring, Watch, read_async};
///
/// let (mut engine, mut window) = (DefaultEngine::new(), [0; 1024]);
/// let (head, policy) = (Head::new(Coding::Identity), Policy::strict(Limits::SMALL_DEVICE));
/// let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), ());
///
/// let timer = ready(()); // on a device: `embassy_time::Timer::after_millis(10_000)`
/// let watch = Watch::new(Pace::within(10_000), NoClock).with_timer(timer);
/// let transfer = pin!(read_async(machine, &b"hello"[..], watch));
/// let Poll::Ready(Ok(outcome)) = transfer.poll(&mut Context::from_waker(Waker::noop())) else { panic!() };
/// assert_eq!(outcome.rejection().map(|rejection| rejection.reason()), Some(Reason::Deadline));
/// assert!(outcome.cancelled);
/// ```
///
/// # Errors
/// What the sink met. The source is then cancelled and the body discarded.
pub async fn read_async<D, I, K, S, C, T>(
    machine: Ingest<D, I, K>,
    source: S,
    watch: Watch<C, T>,
) -> Result<Outcome, K::Error>
where
    D: Decode,
    I: Inspect,
    K: Sink,
    S: AsyncSource,
    C: Clock,
    T: Future<Output = ()> + Unpin,
{
    let mut transfer = Transfer::new(machine, source, watch);
    transfer.read_async().await?;
    transfer.finish()
}

/// A push machine, its source and its watch.
///
/// It outlives the futures that drive it: one that is dropped has lost nothing that the machine had, and what
/// the source lends is pushed and consumed without an await between, so [`read_async`](Self::read_async) goes
/// on where it was. What is dropped before its end cancels the source, and its sink discards.
pub struct Transfer<D, I, K: Sink, S: Supply, C, T> {
    pub(crate) machine: Ingest<D, I, K>,
    pub(crate) link: Link<S>,
    pub(crate) watch: Watch<C, T>,
    pub(crate) failed: Option<S::Error>,
}

/// Without a byte of the body.
impl<D, I, K: Sink, S: Supply, C, T> fmt::Debug for Transfer<D, I, K, S, C, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transfer")
            .field("failed", &self.failed.is_some())
            .field("open", &self.link.is_open())
            .field("cancelled", &self.link.is_cancelled())
            .finish_non_exhaustive()
    }
}

/// What became of an answer of the source.
pub(crate) enum Fed<'a, E> {
    /// The next piece. It is not empty.
    Piece(&'a [u8]),
    /// The body has ended.
    End,
    /// Nothing was lost; ask again.
    Retry,
    /// The body is refused, and the source may have failed with this.
    Refused(Rejection, Option<E>),
}

/// Judges an answer of the source: first whether it came in time, then what it is.
pub(crate) fn receive<'a, S: Supply, C: Clock, T>(
    watch: &mut Watch<C, T>,
    at: u64,
    answer: Option<Result<&'a [u8], Failure<S::Error>>>,
) -> Fed<'a, S::Error> {
    let Some(answer) = answer else { return Fed::Refused(watch.late(), None) };
    if let Err(rejection) = watch.after(at) {
        let error = match answer {
            Err(Failure::Failed(error)) => Some(error),
            _ => None,
        };
        return Fed::Refused(rejection, error);
    }
    match answer {
        Ok([]) => Fed::End,
        Ok(piece) => Fed::Piece(piece),
        Err(Failure::Interrupted) => Fed::Retry,
        Err(Failure::Failed(error)) => Fed::Refused(Rejection::fault(Reason::SourceError, at), Some(error)),
    }
}

/// Waits for a source, but not longer than for the timer, which goes first so that a source which always has
/// something cannot hold it back. `None` says that the timer was due.
pub(crate) async fn race<'a, S: AsyncSource, C: Clock, T: Future<Output = ()> + Unpin>(
    source: &'a mut S,
    watch: &mut Watch<C, T>,
) -> Option<Result<&'a [u8], Failure<S::Error>>> {
    let mut wait = watch.wait();
    let mut fill = pin!(source.fill());
    let answer = poll_fn(|context| match Pin::new(wait.timer()).poll(context) {
        Poll::Ready(()) => Poll::Ready(None),
        Poll::Pending => fill.as_mut().poll(context).map(Some),
    })
    .await;
    wait.over();
    answer
}

impl<D: Decode, I: Inspect, K: Sink, S: Supply, C: Clock, T> Transfer<D, I, K, S, C, T> {
    /// A transfer that is about to begin. Where the machine has refused already, for a declared length over the
    /// limit, the source is cancelled before a byte is read.
    #[must_use]
    pub fn new(machine: Ingest<D, I, K>, source: S, watch: Watch<C, T>) -> Self {
        let mut transfer = Self { machine, link: Link::new(source), watch, failed: None };
        if transfer.machine.verdict().is_some() {
            transfer.link.cancel();
        }
        transfer
    }

    /// The machine, to look at its counters.
    #[must_use]
    pub const fn machine(&self) -> &Ingest<D, I, K> {
        &self.machine
    }

    /// The error that the source failed with, where the reason is `source_error`.
    #[must_use]
    pub const fn source_error(&self) -> Option<&S::Error> {
        self.failed.as_ref()
    }

    /// Refuses the body for a reason of the caller's, such as `cancelled`, and cancels the source unless it was
    /// read to its end. A verdict that was reached before stays.
    pub fn refuse(&mut self, rejection: Rejection) {
        self.machine.refuse(rejection);
        self.link.cancel();
    }

    /// Takes note of what an answer came to.
    fn settle(&mut self, then: Then<S::Error, K::Error>) -> Result<(), K::Error> {
        match then {
            Then::Read => {}
            Then::Stop => self.link.cancel(),
            Then::End => self.link.end(),
            Then::Refused(error) => {
                self.failed = error;
                self.link.cancel();
            }
            Then::Sink(error) => {
                self.link.cancel();
                return Err(error);
            }
        }
        Ok(())
    }

    /// Tells the outcome. Where neither the end of the body nor a verdict was reached, the body is refused as
    /// `cancelled`: a prefix never counts.
    ///
    /// # Errors
    /// What the sink met while it committed.
    pub fn finish(mut self) -> Result<Outcome, K::Error> {
        self.give_up();
        // Not taken apart, which would move the machine: 400 bytes of a device's stack.
        let outcome = self.machine.end()?;
        Ok(Outcome { cancelled: self.link.is_cancelled(), ..outcome })
    }

    fn give_up(&mut self) {
        if self.link.is_open() {
            self.refuse(Rejection::new(Reason::Cancelled));
        }
    }
}

impl<D: Decode, I: Inspect, K: Sink, S: Source, C: Clock, T> Transfer<D, I, K, S, C, T> {
    /// Reads until the body has ended or the verdict is reached. [`finish`](Self::finish) tells it.
    ///
    /// # Errors
    /// What the sink met. The source is then cancelled and the body discarded.
    pub fn read(&mut self) -> Result<(), K::Error> {
        while self.link.is_open() {
            self.watch.before();
            let answer = self.link.source.fill();
            let taken = take::<_, _, _, S, _, _>(&mut self.machine, &mut self.watch, Some(answer));
            self.link.source.consume(taken.consumed);
            self.settle(taken.then)?;
        }
        Ok(())
    }
}

impl<D, I, K, S, C, T> Transfer<D, I, K, S, C, T>
where
    D: Decode,
    I: Inspect,
    K: Sink,
    S: AsyncSource,
    C: Clock,
    T: Future<Output = ()> + Unpin,
{
    /// Reads until the body has ended, the verdict is reached or the timer is due. [`finish`](Self::finish)
    /// tells the outcome.
    ///
    /// The future awaits nothing but the source and the timer. Dropped, it loses what the source's own future
    /// loses; called again, it goes on. The timer goes on too.
    ///
    /// # Errors
    /// What the sink met. The source is then cancelled and the body discarded.
    pub async fn read_async(&mut self) -> Result<(), K::Error> {
        while self.link.is_open() {
            self.watch.before();
            let answer = race(&mut self.link.source, &mut self.watch).await;
            let taken = take::<_, _, _, S, _, _>(&mut self.machine, &mut self.watch, answer);
            self.link.source.consume(taken.consumed);
            self.settle(taken.then)?;
        }
        Ok(())
    }
}

impl<'m, E: Engine, I: Inspect, S: Supply, C: Clock, T> Transfer<FlatDecoder<'m, E>, I, (), S, C, T> {
    /// As [`finish`](Self::finish), and gives the body back if it is complete.
    pub fn finish_flat(mut self) -> (Outcome, Option<&'m mut [u8]>) {
        self.give_up();
        let (outcome, body) = self.machine.finish_flat();
        (Outcome { cancelled: self.link.is_cancelled(), ..outcome }, body)
    }
}

/// What one answer of the source came to.
struct Taken<E, X> {
    /// How much of the piece was handed in, and so is consumed.
    consumed: usize,
    then: Then<E, X>,
}

enum Then<E, X> {
    Read,
    /// The verdict is reached.
    Stop,
    /// The body has ended.
    End,
    /// The body is refused, and the source may have failed.
    Refused(Option<E>),
    /// The sink has failed.
    Sink(X),
}

/// Judges an answer of the source and pushes what it brought.
fn take<D: Decode, I: Inspect, K: Sink, S: Supply, C: Clock, T>(
    machine: &mut Ingest<D, I, K>,
    watch: &mut Watch<C, T>,
    answer: Option<Result<&[u8], Failure<S::Error>>>,
) -> Taken<S::Error, K::Error> {
    let before = machine.encoded_bytes();
    let then = match receive::<S, C, T>(watch, before, answer) {
        Fed::Piece(piece) => match machine.push(piece) {
            Ok(Next::Read) => Then::Read,
            Ok(Next::Stop) => Then::Stop,
            Err(error) => Then::Sink(error),
        },
        Fed::End => Then::End,
        Fed::Retry => Then::Read,
        Fed::Refused(rejection, error) => {
            machine.refuse(rejection);
            Then::Refused(error)
        }
    };
    let consumed = machine.encoded_bytes().saturating_sub(before);
    watch.count(consumed);
    Taken { consumed: usize::try_from(consumed).unwrap_or(usize::MAX), then }
}
