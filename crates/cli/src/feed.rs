//! A file or a pipe as a source, opened and read by a thread of its own, so that one which never returns cannot
//! hold back the deadline.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use plimsoll::{Failure, Source, Supply};

/// Bytes read at a time. Few pieces are under way at once, so memory stays constant.
pub(crate) const PIECE: usize = 64 * 1024;

/// The longest silence that a source waits out before the time is looked at.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// A source that is being read.
pub(crate) struct Feed {
    /// Taken where the rest is given up.
    pieces: Option<Receiver<io::Result<Vec<u8>>>>,
    piece: Vec<u8>,
    /// How much of the piece is consumed.
    taken: usize,
    /// Length of the source, where it is a file.
    pub(crate) length: Option<u64>,
}

impl Feed {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// If the file cannot be read. A failure while reading is the source's.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::read(|| Ok(io::stdin()), None));
        }
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let length = metadata.is_file().then_some(metadata.len());
        let path = path.to_owned();
        // A named pipe without a writer lets its opener wait.
        Ok(Self::read(move || File::open(path), length))
    }

    fn read<R: Read>(open: impl FnOnce() -> io::Result<R> + Send + 'static, length: Option<u64>) -> Self {
        let (sender, pieces) = sync_channel(1);
        thread::spawn(move || {
            let mut source = match open() {
                Ok(source) => source,
                Err(error) => return drop(sender.send(Err(error))),
            };
            loop {
                let mut piece = vec![0; PIECE];
                let read = match source.read(&mut piece) {
                    Ok(0) => return,
                    Ok(count) => {
                        piece.truncate(count);
                        Ok(piece)
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => Err(error),
                };
                let failed = read.is_err();
                // Nobody listens any more: the body was refused, and the rest is not wanted.
                if sender.send(read).is_err() || failed {
                    return;
                }
            }
        });
        Self { pieces: Some(pieces), piece: Vec::new(), taken: 0, length }
    }

    fn rest(&self) -> &[u8] {
        self.piece.get(self.taken..).unwrap_or(&[])
    }
}

impl Supply for Feed {
    type Error = io::Error;

    fn cancel(&mut self) {
        self.pieces = None;
    }
}

impl Source for Feed {
    /// Silence is an interruption: nothing is lost, and the time is looked at.
    fn fill(&mut self) -> Result<&[u8], Failure<io::Error>> {
        if self.rest().is_empty() {
            let received = match &self.pieces {
                Some(pieces) => pieces.recv_timeout(TICK),
                None => Err(RecvTimeoutError::Disconnected),
            };
            self.piece = match received {
                Ok(piece) => piece.map_err(Failure::Failed)?,
                Err(RecvTimeoutError::Disconnected) => Vec::new(),
                Err(RecvTimeoutError::Timeout) => return Err(Failure::Interrupted),
            };
            self.taken = 0;
        }
        Ok(self.rest())
    }

    fn consume(&mut self, count: usize) {
        self.taken = self.taken.saturating_add(count);
    }
}
