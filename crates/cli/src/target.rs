//! Where a complete body goes: over a file by renaming, or into what cannot be renamed over.
//!
//! A regular file is replaced by a temporary one that lies beside it, so that it appears whole or not at all. The
//! temporary file is its owner's alone until then, and goes with the process, whether that ends by itself or by
//! a signal that can be caught. Standard output, a pipe or a device gets a copy.

use std::env;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};

use tempfile::{Builder, NamedTempFile};

use crate::named::{named, shown};

/// What becomes of a complete body.
pub(crate) enum Target {
    /// The temporary file takes the place of `path`.
    Rename { beside: NamedTempFile, path: PathBuf, permissions: Permissions },
    /// Written to what is there already, which is opened when there is something to write.
    Copy(PathBuf),
    /// Standard output.
    Stdout,
}

/// Names of standard output that are links to whatever lies behind it.
const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

impl Target {
    /// Finds out what `output` is, or takes standard output.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(crate) fn new(output: Option<&Path>) -> io::Result<Self> {
        outlive_size_limit();
        match output {
            Some(path) if !STDOUT.iter().any(|name| path == Path::new(name)) => {
                Self::file(path).map_err(|error| named(path, &error))
            }
            _ => Ok(Self::Stdout),
        }
    }

    fn file(path: &Path) -> io::Result<Self> {
        let path = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Self::renamed(path.to_owned(), None),
            // A link is followed, so that what it points to is replaced and not the link.
            Ok(metadata) if metadata.is_symlink() => fs::canonicalize(path)?,
            _ => path.to_owned(),
        };
        let metadata = fs::metadata(&path)?;
        if metadata.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() {
            return Ok(Self::Copy(path));
        }
        if metadata.permissions().readonly() {
            return Err(ErrorKind::PermissionDenied.into());
        }
        Self::renamed(path, Some(metadata.permissions()))
    }

    fn renamed(path: PathBuf, present: Option<Permissions>) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let permissions = match present {
            Some(permissions) => plain(permissions),
            None => ordinary(folder)?,
        };
        let beside = temporary(folder, OWNER)?;
        remove_on_signal(beside.path());
        Ok(Self::Rename { beside, path, permissions })
    }

    /// Where the body is spooled until it is complete.
    ///
    /// # Errors
    /// If no file can be made for it.
    pub(crate) fn spool(&self) -> io::Result<File> {
        match self {
            Self::Rename { beside, path, .. } => {
                beside.as_file().try_clone().map_err(|error| named(path, &error))
            }
            Self::Copy(_) | Self::Stdout => {
                let folder = env::temp_dir();
                tempfile::tempfile_in(&folder).map_err(|error| {
                    let what = format!("no temporary file can be made in {}: {error}", shown(&folder));
                    io::Error::new(error.kind(), what)
                })
            }
        }
    }

    /// Why spooling failed, with the file that could not be written.
    pub(crate) fn full(&self, error: &io::Error) -> io::Error {
        match self {
            Self::Rename { path, .. } => named(path, error),
            Self::Copy(_) | Self::Stdout => {
                let what = format!("the temporary file in {}: {error}", shown(&env::temp_dir()));
                io::Error::new(error.kind(), what)
            }
        }
    }

    /// Lets the spooled body appear.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(crate) fn commit(self, spooled: &mut File) -> io::Result<()> {
        match self {
            Self::Rename { beside, path, permissions } => {
                let appear = || {
                    spooled.set_permissions(permissions)?;
                    // Before the name, so that a loss of power leaves no empty file under it.
                    spooled.sync_all()?;
                    beside.persist(&path).map(drop).map_err(|error| error.error)
                };
                appear().map_err(|error| named(&path, &error))
            }
            Self::Copy(path) => {
                let mut copy =
                    || io::copy(spooled, &mut OpenOptions::new().write(true).open(&path)?).map(drop);
                copy().map_err(|error| named(&path, &error))
            }
            Self::Stdout => {
                io::copy(spooled, &mut io::stdout())?;
                end_line(spooled)?;
                io::stdout().flush()
            }
        }
    }
}

/// Ends the line on a terminal where what was shown of `spooled` has not, so that what is told next, or the shell, begins
/// one of its own. Behind a pipe a body stays as it is.
pub(crate) fn end_line(spooled: &mut File) -> io::Result<()> {
    let mut last = [b'\n'];
    if io::stdout().is_terminal() && spooled.stream_position()? > 0 {
        spooled.seek(SeekFrom::End(-1))?;
        spooled.read_exact(&mut last)?;
    }
    if last == [b'\n'] { Ok(()) } else { io::stdout().write_all(b"\n") }
}

const PREFIX: &str = ".plimsoll-";

/// The rights of the file that is replaced, without those that give a program its owner's power: the new file's
/// content is a peer's, and its owner may be another.
#[cfg(unix)]
fn plain(permissions: Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    Permissions::from_mode(permissions.mode() & 0o777)
}

#[cfg(not(unix))]
fn plain(permissions: Permissions) -> Permissions {
    permissions
}

/// The rights that the process gives to a new file here, which only making one tells.
fn ordinary(folder: &Path) -> io::Result<Permissions> {
    Ok(temporary(folder, EVERYONE)?.as_file().metadata()?.permissions())
}

/// Rights that are asked for: the owner's alone, or those that the process gives to everyone.
const OWNER: u32 = 0o600;
const EVERYONE: u32 = 0o666;

/// Makes a temporary file, whose name an error does not tell.
fn temporary(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    ask_for(&mut options, mode);
    Builder::new().prefix(PREFIX).make_in(folder, |path| options.open(path))
}

#[cfg(unix)]
fn ask_for(options: &mut OpenOptions, mode: u32) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(mode);
}

#[cfg(not(unix))]
fn ask_for(_options: &mut OpenOptions, _mode: u32) {}

/// Removes the temporary file when the process is asked to end, and lets it end as it would have.
#[cfg(unix)]
fn remove_on_signal(path: &Path) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let path = path.to_owned();
    if let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM]) {
        std::thread::spawn(move || {
            for signal in signals.forever() {
                let _ = fs::remove_file(&path);
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    }
}

#[cfg(not(unix))]
fn remove_on_signal(_path: &Path) {}

/// Lets a file that grows over the process's limit (`ulimit -f`) fail to be written, in place of ending the process,
/// so that it is told and what was written is removed.
#[cfg(unix)]
fn outlive_size_limit() {
    let signal = signal_hook::consts::SIGXFSZ;
    // A signal that is handled ends nothing; that it came, the write tells.
    let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
}

#[cfg(not(unix))]
fn outlive_size_limit() {}
