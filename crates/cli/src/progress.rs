//! A progress bar on standard error, for work that takes long on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use plimsoll::{Failure, Source, Supply};

/// Work that ends sooner shows nothing.
const SOON: Duration = Duration::from_secs(1);

/// A source with a bar over what was taken of it, or a spinner where its length is not known.
///
/// It is shown once the work takes long, and only where standard error is a terminal.
pub(crate) struct Shown<S> {
    source: S,
    bar: ProgressBar,
    started: Instant,
}

impl<S> Shown<S> {
    pub(crate) fn new(source: S, length: Option<u64>) -> Self {
        let template = match length {
            Some(_) => "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
            None => "{spinner} {bytes} {bytes_per_sec}",
        };
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { source, bar, started: Instant::now() }
    }
}

impl<S> Drop for Shown<S> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl<S: Supply> Supply for Shown<S> {
    type Error = S::Error;

    fn cancel(&mut self) {
        self.source.cancel();
    }
}

impl<S: Source> Source for Shown<S> {
    fn fill(&mut self) -> Result<&[u8], Failure<S::Error>> {
        if self.bar.is_hidden() && self.started.elapsed() >= SOON {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
        self.source.fill()
    }

    fn consume(&mut self, count: usize) {
        self.source.consume(count);
        self.bar.inc(count as u64);
    }
}
