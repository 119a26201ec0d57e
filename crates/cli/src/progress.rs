//! A progress bar on standard error, for work that takes long on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use plimsoll::{Failure, Source, Supply};

/// Work that ends sooner shows nothing.
const SOON: Duration = Duration::from_secs(1);

/// A bar over the bytes of one source or of several, or a spinner where their length is not known.
///
/// It is shown once the work takes long, and only where standard error is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    pub(crate) fn new(length: Option<u64>) -> Self {
        let template = match length {
            Some(_) => "{msg}{wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
            None => "{msg}{spinner} {bytes} {bytes_per_sec}",
        };
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, started: Instant::now() }
    }

    /// The source, with what is taken of it shown here.
    pub(crate) fn over<S>(&self, source: S) -> Shown<'_, S> {
        Shown { source, progress: self }
    }

    /// Says before the bar which of several sources it is at.
    pub(crate) fn at(&self, number: usize, of: usize) {
        if of > 1 {
            self.bar.set_message(format!("{number}/{of} "));
        }
    }

    /// Counts everything up to `bytes` as done: of a body that is refused the rest is not read.
    pub(crate) fn reach(&self, bytes: u64) {
        self.bar.set_position(bytes);
    }

    /// Lets something be written to the terminal without the bar in its way.
    pub(crate) fn aside(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    fn show_when_late(&self) {
        if self.bar.is_hidden() && self.started.elapsed() >= SOON {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A source that is being watched.
pub(crate) struct Shown<'p, S> {
    source: S,
    progress: &'p Progress,
}

impl<S: Supply> Supply for Shown<'_, S> {
    type Error = S::Error;

    fn cancel(&mut self) {
        self.source.cancel();
    }
}

impl<S: Source> Source for Shown<'_, S> {
    fn fill(&mut self) -> Result<&[u8], Failure<S::Error>> {
        self.progress.show_when_late();
        self.source.fill()
    }

    fn consume(&mut self, count: usize) {
        self.source.consume(count);
        self.progress.bar.inc(count as u64);
    }
}
