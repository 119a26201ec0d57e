//! What is told of the values that pointers name.

use plimsoll_core::Rejection;

use crate::records::Record;

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind {
    /// Whether it is an array or an object.
    #[must_use]
    pub const fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Object)
    }
}

/// Is told of matches as they are found: [`Fields`](super::Fields) keeps them, a program's own may do something else.
///
/// # Contract
///
/// - A match is `begin`, its text in any number of pieces, and `end`. A pointer has at most one match open at a time.
/// - A string or number comes through [`scalar`](Self::scalar), a container through [`raw`](Self::raw); the other
///   scalars have no text.
/// - A piece is told once, however many pointers name the value: of a scalar it belongs to every match of a scalar that
///   is open, as raw text to every match of a container that is. No piece has a character cut, and how the text is
///   cut into pieces depends on how the input was.
/// - Nothing that was told counts before `commit`. For every document there is exactly one `commit` or `discard`.
/// - `prepare` comes right before a `commit`, and where it refuses, a `discard` comes in place of that.
pub trait Visit {
    /// A record of a stream begins; what follows, up to `commit` or `discard`, is of it.
    fn record(&mut self, _record: Record) {}
    /// A value begins that `pointer`, an index of the set, names.
    fn begin(&mut self, pointer: usize, kind: Kind);
    /// The next piece of a string, decoded, or of a number, as written.
    fn scalar(&mut self, text: &[u8]);
    /// The next piece of a container's JSON text: its tokens as written, without white space between them.
    fn raw(&mut self, text: &[u8]);
    /// The value has ended.
    fn end(&mut self, pointer: usize);
    /// The document is complete and in order, and this is the last that is asked whether it counts.
    ///
    /// # Errors
    /// The refusal, of the document or record.
    fn prepare(&mut self) -> Result<(), Rejection> {
        Ok(())
    }
    /// The document is complete and in order: what was told since the last `commit` or `discard` counts.
    fn commit(&mut self);
    /// The document is refused: what was told since then does not count.
    fn discard(&mut self);
}

impl<V: Visit + ?Sized> Visit for &mut V {
    fn record(&mut self, record: Record) {
        (**self).record(record);
    }

    fn begin(&mut self, pointer: usize, kind: Kind) {
        (**self).begin(pointer, kind);
    }

    fn scalar(&mut self, text: &[u8]) {
        (**self).scalar(text);
    }

    fn raw(&mut self, text: &[u8]) {
        (**self).raw(text);
    }

    fn end(&mut self, pointer: usize) {
        (**self).end(pointer);
    }

    fn prepare(&mut self) -> Result<(), Rejection> {
        (**self).prepare()
    }

    fn commit(&mut self) {
        (**self).commit();
    }

    fn discard(&mut self) {
        (**self).discard();
    }
}
