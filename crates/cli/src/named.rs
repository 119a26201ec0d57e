//! Files in messages.

use std::io;
use std::path::Path;

use crate::complain::harmless;

/// An error with the file it arose at.
pub(crate) fn named(path: &Path, error: &io::Error) -> io::Error {
    let name = if path.as_os_str() == "-" { "standard input".to_owned() } else { shown(path) };
    io::Error::new(error.kind(), format!("{name}: {error}"))
}

/// A name as it can be shown: what would steer a terminal or break a line is escaped, and what is not Unicode is
/// replaced.
pub(crate) fn shown(path: &Path) -> String {
    harmless(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_steer_a_terminal() {
        assert_eq!(shown(Path::new("a\u{1b}[2J\nb\u{9b}é.gz")), "a\\u{1b}[2J\\nb\\u{9b}é.gz");
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_not_unicode_is_shown_with_what_is() {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"a\xFF.gz");
        assert_eq!(shown(Path::new(name)), "a\u{FFFD}.gz");
    }
}
