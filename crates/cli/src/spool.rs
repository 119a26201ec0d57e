//! The sink of the command: a temporary file that becomes the body, or is never seen.
//!
//! With a regular file as target, the temporary file lies beside it and is renamed over it, so that the target
//! appears whole or not at all, also where the command is killed. Anything else (standard output, a pipe, a
//! device) cannot be renamed over: there the body is copied once it is complete.

use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use plimsoll::Sink;
use plimsoll::core::Inspect;
use plimsoll::utf8::Utf8;
use tempfile::{Builder, NamedTempFile};

/// A body on its way.
pub(crate) struct Spool {
    spooled: BufWriter<File>,
    /// Taken by the commit.
    target: Option<Target>,
}

enum Target {
    /// Renamed over `path`.
    Rename { beside: NamedTempFile, path: PathBuf },
    /// Copied to what cannot be renamed over.
    Copy(Box<dyn Write>),
}

impl Spool {
    /// A spool for `output`, or for standard output.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(crate) fn open(output: Option<&Path>) -> io::Result<Self> {
        match output {
            Some(path) if path.as_os_str() != "-" => Self::open_file(path)
                .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
            _ => Self::copying(Box::new(io::stdout())),
        }
    }

    fn open_file(path: &Path) -> io::Result<Self> {
        // A link is followed, so that what it points to is replaced and not the link.
        let (path, present) = match fs::canonicalize(path) {
            Ok(path) => {
                let metadata = fs::metadata(&path)?;
                (path, Some(metadata))
            }
            Err(_) => (path.to_owned(), None),
        };
        match &present {
            Some(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Some(metadata) if !metadata.is_file() => return Self::copying(Box::new(File::create(&path)?)),
            _ => {}
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut builder = Builder::new();
        builder.prefix(".plimsoll-");
        if let Some(permissions) = present.map(|metadata| metadata.permissions()).or_else(ordinary) {
            builder.permissions(permissions);
        }
        let beside = builder.tempfile_in(folder)?;
        let spooled = BufWriter::new(beside.reopen()?);
        Ok(Self { spooled, target: Some(Target::Rename { beside, path }) })
    }

    fn copying(target: Box<dyn Write>) -> io::Result<Self> {
        Ok(Self { spooled: BufWriter::new(tempfile::tempfile()?), target: Some(Target::Copy(target)) })
    }

    /// What was spooled, from its beginning.
    fn spooled(&mut self) -> io::Result<&mut File> {
        self.spooled.flush()?;
        let file = self.spooled.get_mut();
        file.rewind()?;
        Ok(file)
    }

    /// Shows what was spooled on standard output: the preview of a body that goes on behind it. A preview of
    /// text ends at a character.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub(crate) fn show(mut self, text: bool) -> io::Result<()> {
        let length = self.spooled()?.metadata()?.len();
        let cut = if text { cut_character(self.spooled()?)? } else { 0 };
        let mut shown = self.spooled()?.take(length.saturating_sub(cut));
        io::copy(&mut shown, &mut io::stdout())?;
        io::stdout().flush()
    }
}

/// How many bytes of a last, cut character a text ends with.
fn cut_character(text: impl Read) -> io::Result<u64> {
    let mut utf8 = Utf8::new();
    let mut text = BufReader::new(text);
    loop {
        let bytes = text.fill_buf()?;
        let count = bytes.len();
        if count == 0 || utf8.inspect(bytes).is_err() {
            return Ok(utf8.pending() as u64);
        }
        text.consume(count);
    }
}

/// What a new file gets from the process, and not the narrow rights of a temporary one.
#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "other systems have none")]
fn ordinary() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn ordinary() -> Option<Permissions> {
    None
}

impl Sink for Spool {
    type Error = io::Error;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn provisional(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.spooled.write_all(bytes)
    }

    fn commit(&mut self) -> io::Result<()> {
        match self.target.take() {
            Some(Target::Rename { beside, path }) => {
                self.spooled.flush()?;
                let named =
                    |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
                beside.persist(&path).map(drop).map_err(|error| named(error.error))
            }
            Some(Target::Copy(mut target)) => {
                io::copy(self.spooled()?, &mut target)?;
                target.flush()
            }
            None => Ok(()),
        }
    }

    /// The temporary file goes with the spool; until then a preview can be shown from it.
    fn discard(&mut self) {}
}
