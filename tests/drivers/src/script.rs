//! A source that brings a body as its script says, and counts what is done to it.

use std::cell::Cell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use embedded_io::{ErrorKind, ErrorType};

/// What happens at one position of the body, once, before the byte there is brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The read is interrupted.
    Interrupt,
    /// The connection breaks.
    Fail,
    /// The body seems to end.
    End,
    /// An asynchronous read is not ready at first.
    Pend,
    /// An asynchronous read is never ready.
    Stall,
}

/// What was done to a source. It outlives it.
#[derive(Clone, Debug, Default)]
pub struct Log(Rc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    reads: Cell<usize>,
    late: Cell<usize>,
    cancels: Cell<usize>,
    read: Cell<usize>,
    consumed: Cell<usize>,
}

impl Log {
    /// Reads, also those that failed or were not ready.
    #[must_use]
    pub fn reads(&self) -> usize {
        self.0.reads.get()
    }

    /// Reads after the cancel.
    #[must_use]
    pub fn late(&self) -> usize {
        self.0.late.get()
    }

    /// Cancels.
    #[must_use]
    pub fn cancels(&self) -> usize {
        self.0.cancels.get()
    }

    /// Bytes that were handed out by copying.
    #[must_use]
    pub fn read(&self) -> usize {
        self.0.read.get()
    }

    /// Bytes that were consumed of what was lent.
    #[must_use]
    pub fn consumed(&self) -> usize {
        self.0.consumed.get()
    }
}

fn add(cell: &Cell<usize>, count: usize) {
    cell.set(cell.get() + count);
}

/// The source.
#[derive(Debug)]
pub struct Script {
    body: Vec<u8>,
    at: usize,
    /// The most bytes brought at a time.
    step: usize,
    events: VecDeque<(usize, Event)>,
    log: Log,
}

impl Script {
    /// Brings `body` in steps of at most `step` bytes. Events stand in the order of their positions.
    #[must_use]
    pub fn new(body: &[u8], step: usize, events: impl IntoIterator<Item = (usize, Event)>) -> Self {
        let events = events.into_iter().collect();
        Self { body: body.to_vec(), at: 0, step, events, log: Log::default() }
    }

    /// Its log.
    #[must_use]
    pub fn log(&self) -> Log {
        self.log.clone()
    }

    /// What drivers call to give the request up.
    pub fn cancel(&mut self) {
        add(&self.log.0.cancels, 1);
    }

    /// The bytes of the body, where they lie.
    #[must_use]
    pub fn place(&self) -> std::ops::Range<*const u8> {
        self.body.as_ptr_range()
    }

    fn note(&self) {
        add(&self.log.0.reads, 1);
        if self.log.cancels() > 0 {
            add(&self.log.0.late, 1);
        }
    }

    fn event(&mut self, among: &[Event]) -> Option<Event> {
        match self.events.front() {
            Some(&(position, event)) if position == self.at && among.contains(&event) => {
                if event != Event::Stall {
                    self.events.pop_front();
                }
                Some(event)
            }
            _ => None,
        }
    }

    /// What can be brought now: never past the next event.
    fn ready(&mut self) -> Result<&[u8], ErrorKind> {
        while self.event(&[Event::Pend]).is_some() {} // a blocking read waits
        match self.event(&[Event::Interrupt, Event::Fail, Event::End]) {
            Some(Event::Interrupt) => return Err(ErrorKind::Interrupted),
            Some(Event::Fail) => return Err(ErrorKind::ConnectionReset),
            Some(_) => return Ok(&[]),
            None => {}
        }
        let next = self.events.front().map_or(usize::MAX, |&(position, _)| position);
        let end = (self.at + self.step).min(next).min(self.body.len());
        Ok(&self.body[self.at..end])
    }

    async fn wait(&mut self) {
        poll_fn(|context| match self.event(&[Event::Pend, Event::Stall]) {
            Some(_) => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            None => Poll::Ready(()),
        })
        .await;
    }

    /// Copies into `buffer`, whose old contents are spoiled first.
    fn copy(&mut self, buffer: &mut [u8]) -> Result<usize, ErrorKind> {
        buffer.fill(0xA5);
        if buffer.is_empty() {
            return Ok(0);
        }
        let ready = self.ready()?;
        let count = ready.len().min(buffer.len());
        buffer[..count].copy_from_slice(&ready[..count]);
        self.at += count;
        add(&self.log.0.read, count);
        Ok(count)
    }

    fn take(&mut self, count: usize) {
        self.at += count;
        assert!(self.at <= self.body.len(), "more was consumed than was lent");
        add(&self.log.0.consumed, count);
    }
}

impl ErrorType for Script {
    type Error = ErrorKind;
}

impl embedded_io::Read for Script {
    fn read(&mut self, buf: &mut [u8]) -> Result<usize, ErrorKind> {
        self.note();
        self.copy(buf)
    }
}

impl embedded_io::BufRead for Script {
    fn fill_buf(&mut self) -> Result<&[u8], ErrorKind> {
        self.note();
        self.ready()
    }

    fn consume(&mut self, amt: usize) {
        self.take(amt);
    }
}

impl embedded_io_async::Read for Script {
    async fn read(&mut self, buf: &mut [u8]) -> Result<usize, ErrorKind> {
        self.note();
        self.wait().await;
        self.copy(buf)
    }
}

impl embedded_io_async::BufRead for Script {
    async fn fill_buf(&mut self) -> Result<&[u8], ErrorKind> {
        self.note();
        self.wait().await;
        self.ready()
    }

    fn consume(&mut self, amt: usize) {
        self.take(amt);
    }
}
