//! The sink of the command: a file that nobody sees until the body is complete.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::path::Path;

use plimsoll::Sink;
use plimsoll::utf8::Lossy;

use crate::target::{self, Target};

/// A body on its way to a [`Target`].
pub(crate) struct Spool {
    spooled: BufWriter<File>,
    /// Taken by the commit.
    target: Option<Target>,
}

impl Spool {
    /// A spool for `output`, or for standard output.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(crate) fn open(output: Option<&Path>) -> io::Result<Self> {
        let target = Target::new(output)?;
        Ok(Self { spooled: BufWriter::new(target.spool()?), target: Some(target) })
    }

    /// What was spooled, from its beginning.
    fn spooled(&mut self) -> io::Result<&mut File> {
        self.flush()?;
        let file = self.spooled.get_mut();
        file.rewind()?;
        Ok(file)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.spooled.flush();
        self.named(flushed)
    }

    /// The same with the file that could not be written.
    fn named(&self, written: io::Result<()>) -> io::Result<()> {
        written.map_err(|error| match &self.target {
            Some(target) => target.full(&error),
            None => error,
        })
    }

    /// Shows what was spooled on standard output: the preview of a body that goes on behind it.
    ///
    /// A preview of text is repaired where it is not UTF-8, and ends at a character.
    ///
    /// # Errors
    /// If standard output cannot be written.
    pub(crate) fn show(mut self, text: bool) -> io::Result<()> {
        let mut out = io::stdout();
        if text {
            write_text(BufReader::new(self.spooled()?), &mut BufWriter::new(&mut out))?;
        } else {
            io::copy(self.spooled()?, &mut out)?;
        }
        target::end_line(self.spooled.get_mut())?;
        out.flush()
    }
}

/// Writes bytes as text, up to the last whole character.
fn write_text(mut bytes: impl BufRead, out: &mut impl Write) -> io::Result<()> {
    let mut lossy = Lossy::new();
    loop {
        let mut rest = bytes.fill_buf()?;
        let count = rest.len();
        if count == 0 {
            return out.flush();
        }
        while !rest.is_empty() {
            let run = lossy.step(rest);
            out.write_all(run.piece.as_str().as_bytes())?;
            rest = rest.get(run.consumed..).unwrap_or(&[]);
        }
        bytes.consume(count);
    }
}

impl Sink for Spool {
    type Error = io::Error;
    const EXPOSES: bool = false;

    fn capacity(&self) -> u64 {
        u64::MAX
    }

    fn provisional(&mut self, bytes: &[u8]) -> io::Result<()> {
        let written = self.spooled.write_all(bytes);
        self.named(written)
    }

    fn commit(&mut self) -> io::Result<()> {
        self.flush()?;
        match self.target.take() {
            Some(target) => target.commit(self.spooled()?),
            None => Ok(()),
        }
    }

    /// The file goes with the spool; until then a preview can be shown from it.
    fn discard(&mut self) {}
}
