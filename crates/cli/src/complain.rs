//! What the command says of itself, on standard error: in colour where that is a terminal that wants it.

use std::fmt::Display;
use std::io::Write;

use anstyle::{AnsiColor, Style};

const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Says what went wrong. Who closed standard error does not want it; the exit status says the same.
pub(crate) fn complain(what: impl Display) {
    let _ = writeln!(anstream::stderr(), "{ERROR}plimsoll:{ERROR:#} {what}");
}
