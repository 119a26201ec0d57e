//! What the command says of itself, on standard error: in colour where that is a terminal that wants it.

use std::fmt::Display;
use std::io::Write;

use anstyle::{AnsiColor, Style};

const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Says what went wrong, in which words of a peer's may stand. Who closed standard error does not want it; the exit status
/// says the same.
pub(crate) fn complain(what: impl Display) {
    let what = harmless(&what.to_string());
    let _ = writeln!(anstream::stderr(), "{ERROR}plimsoll:{ERROR:#} {what}");
}

/// Text with what would steer a terminal or break a line escaped.
pub(crate) fn harmless(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut harmless, character| {
        if character.is_control() {
            harmless.extend(character.escape_default());
        } else {
            harmless.push(character);
        }
        harmless
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_steer_a_terminal() {
        assert_eq!(harmless("a\u{1b}[2J\nb\u{9b}é \u{FFFD}"), "a\\u{1b}[2J\\nb\\u{9b}é \u{FFFD}");
    }
}
