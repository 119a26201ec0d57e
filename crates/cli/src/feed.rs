//! The source of a body, read by a thread of its own, so that a source which sends nothing cannot hold back the
//! deadline.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Instant;

/// Bytes read at a time. Few pieces are under way at once, so memory stays constant.
const PIECE: usize = 64 * 1024;

/// A source that is being read.
pub(crate) struct Feed {
    pieces: Receiver<io::Result<Vec<u8>>>,
    /// Length of the source, where it is a file.
    pub(crate) length: Option<u64>,
}

/// What a feed brought.
pub(crate) enum Fed {
    Piece(Vec<u8>),
    End,
    Failed(io::Error),
    TimedOut,
}

impl Feed {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// Names the file that cannot be read.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Self::read(io::stdin(), None));
        }
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        let file = File::open(path).map_err(named)?;
        let metadata = file.metadata().map_err(named)?;
        if metadata.is_dir() {
            return Err(named(io::ErrorKind::IsADirectory.into()));
        }
        Ok(Self::read(file, metadata.is_file().then_some(metadata.len())))
    }

    fn read(mut source: impl Read + Send + 'static, length: Option<u64>) -> Self {
        let (sender, pieces) = sync_channel(1);
        thread::spawn(move || {
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
        Self { pieces, length }
    }

    /// Waits for the next piece, at most until `deadline`.
    pub(crate) fn next(&self, deadline: Option<Instant>) -> Fed {
        let received = match deadline {
            None => self.pieces.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(deadline) => self.pieces.recv_timeout(deadline.saturating_duration_since(Instant::now())),
        };
        match received {
            Ok(Ok(piece)) => Fed::Piece(piece),
            Ok(Err(error)) => Fed::Failed(error),
            Err(RecvTimeoutError::Disconnected) => Fed::End,
            Err(RecvTimeoutError::Timeout) => Fed::TimedOut,
        }
    }
}
