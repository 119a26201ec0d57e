//! The reader over `embedded_io::BufRead`.

use embedded_io::BufRead;

use super::{ReadError, Reader};
use crate::parse::Readable;

impl<R: BufRead, P: Readable> Reader<R, P> {
    /// Reads on to what comes next, and waits for the source if it has to.
    ///
    /// ```
    /// use plimsoll_json::{Assembler, Counted, Event, Limits, Reader};
    ///
    /// let mut scratch = [0; 64];
    /// let assembler = Assembler::<Counted<16>>::new(Limits::DEVICE, &mut scratch).unwrap();
    /// let mut reader = Reader::new(&b"{\"celsius\": 21.5}"[..], assembler);
    /// while let Some(event) = reader.read()? {
    ///     if let Event::Number(number) = event {
    ///         assert_eq!(number.as_str(), "21.5");
    ///     }
    /// }
    /// # Ok::<(), plimsoll_json::ReadError<core::convert::Infallible>>(())
    /// ```
    ///
    /// # Errors
    /// [`ReadError::Rejected`] when the body is refused, and [`ReadError::Source`] when the source fails.
    #[inline]
    pub fn read(&mut self) -> Result<Option<P::Event<'_>>, ReadError<R::Error>> {
        self.source.consume(self.pull.done());
        while self.pull.wants_bytes()? {
            let buffer = self.source.fill_buf().map_err(ReadError::Source)?;
            let done = self.pull.look_at(buffer)?;
            self.source.consume(done);
        }
        let buffer = match self.pull.borrows() {
            true => self.source.fill_buf().map_err(ReadError::Source)?,
            false => &[],
        };
        Ok(self.pull.lend(buffer)?)
    }

    /// Takes the reader apart. The source is behind what was given last.
    #[must_use]
    pub fn into_parts(mut self) -> (R, P) {
        self.source.consume(self.pull.done());
        (self.source, self.pull.machine)
    }
}
