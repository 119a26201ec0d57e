//! The reader over `embedded_io_async::BufRead`.

use embedded_io_async::BufRead;

use super::{ReadError, Reader};
use crate::parse::Readable;

impl<R: BufRead, P: Readable> Reader<R, P> {
    /// Reads on to what comes next, and awaits the source if it has to.
    ///
    /// All that the future has done is in the reader whenever it awaits, so that it may be dropped there.
    ///
    /// # Errors
    /// [`ReadError::Rejected`] when the body is refused, and [`ReadError::Source`] when the source fails.
    #[inline]
    pub async fn read_async(&mut self) -> Result<Option<P::Event<'_>>, ReadError<R::Error>> {
        self.source.consume(self.pull.done());
        while self.pull.wants_bytes()? {
            let buffer = self.source.fill_buf().await.map_err(ReadError::Source)?;
            let done = self.pull.look_at(buffer)?;
            self.source.consume(done);
        }
        let buffer = match self.pull.borrows() {
            true => self.source.fill_buf().await.map_err(ReadError::Source)?,
            false => &[],
        };
        Ok(self.pull.lend(buffer)?)
    }

    /// Takes the reader apart. The source is behind what was given last.
    #[must_use]
    pub fn into_parts_async(mut self) -> (R, P) {
        self.source.consume(self.pull.done());
        (self.source, self.pull.machine)
    }
}
