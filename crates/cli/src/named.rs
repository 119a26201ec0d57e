//! Errors that name their file.

use std::io;
use std::path::Path;

/// An error with the file it arose at.
pub(crate) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
