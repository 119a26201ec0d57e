//! A progress bar on standard error, for work that takes long on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use plimsoll::{Failure, Source, Supply};

/// A bar over the encoded bytes, or a spinner where their number is not known. It stays hidden where standard
/// error is not a terminal.
fn bar(length: Option<u64>) -> ProgressBar {
    let template = match length {
        Some(_) => "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
        None => "{spinner} {bytes} {bytes_per_sec}",
    };
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A source with a bar over what was taken of it.
pub(crate) struct Shown<S> {
    source: S,
    bar: ProgressBar,
}

impl<S> Shown<S> {
    pub(crate) fn new(source: S, length: Option<u64>) -> Self {
        Self { source, bar: bar(length) }
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
        self.source.fill()
    }

    fn consume(&mut self, count: usize) {
        self.source.consume(count);
        self.bar.inc(count as u64);
    }
}
