//! A progress bar on standard error, for work that takes long on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that ends sooner shows nothing.
const SOON: Duration = Duration::from_secs(1);

/// Encoded bytes that came, shown once it takes long. It stays hidden where standard error is not a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
}

impl Progress {
    /// A bar over `length` encoded bytes, or a spinner where their number is not known.
    pub(crate) fn new(length: Option<u64>) -> Self {
        let template = match length {
            Some(_) => "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
            None => "{spinner} {bytes} {bytes_per_sec}",
        };
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, started: Instant::now() }
    }

    /// Notes that `bytes` more came.
    pub(crate) fn add(&self, bytes: usize) {
        self.bar.inc(bytes as u64);
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
