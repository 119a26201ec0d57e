//! A progress bar on standard error, for work that takes long on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over the encoded bytes, or a spinner where their number is not known. It stays hidden where standard
/// error is not a terminal.
pub(crate) fn bar(length: Option<u64>) -> ProgressBar {
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
