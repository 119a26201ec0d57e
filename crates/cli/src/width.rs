//! How wide the text on standard output may be.

use std::io;

use terminal_size::{Width, terminal_size_of};

/// The width of the terminal that standard output is, or what `COLUMNS` says; `None` where neither does, as for a
/// file or a pipe.
pub(crate) fn of_output() -> Option<usize> {
    let terminal = terminal_size_of(io::stdout()).map(|(Width(width), _)| usize::from(width));
    let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(columns).filter(|&width| width > 0)
}
