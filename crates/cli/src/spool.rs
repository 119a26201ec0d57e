//! The sink of the command: a file that nobody sees until the body is complete.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use plimsoll::utf8::Utf8;
use plimsoll::{Inspect, Sink};

use crate::target::Target;

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
            Some(target) => target.commit(self.spooled()?),
            None => Ok(()),
        }
    }

    /// The file goes with the spool; until then a preview can be shown from it.
    fn discard(&mut self) {}
}
