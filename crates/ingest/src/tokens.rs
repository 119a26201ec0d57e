//! Tokens of a model's context: what is counted, and the limit for a result (stage `context`).
//!
//! How many tokens a text has, only the model's own vocabulary tells, and that is a host's. Without one there is an
//! exact bound: a token stands for at least one byte, so a text of N bytes has at most N of them.

use plimsoll_core::{Reason, Rejection};

/// Counts the tokens of text.
///
/// ```
/// use plimsoll::TokenCounter;
///
/// /// A vocabulary in which every word and every other character is a token.
/// struct Words;
///
/// impl TokenCounter for Words {
///     fn count(&mut self, text: &str, _most: u64) -> u64 {
///         let others = text.chars().filter(|it| !it.is_alphanumeric() && !it.is_whitespace());
///         let words = text.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty());
///         (others.count() + words.count()) as u64
///     }
/// }
///
/// assert_eq!(Words.count("{\"level\":17}", 100), 7);
/// ```
pub trait TokenCounter {
    /// How many tokens `text` has, or a number that is not lower.
    ///
    /// A text that is known to have more than `most` need not be looked at to its end: any number above `most` is an
    /// answer then.
    fn count(&mut self, text: &str, most: u64) -> u64;
}

impl<C: TokenCounter + ?Sized> TokenCounter for &mut C {
    fn count(&mut self, text: &str, most: u64) -> u64 {
        (**self).count(text, most)
    }
}

/// Counts nothing: for a result that no model reads.
impl TokenCounter for () {
    fn count(&mut self, _text: &str, _most: u64) -> u64 {
        0
    }
}

/// The bound that needs no vocabulary: as many tokens as bytes.
///
/// It holds for every vocabulary over bytes, as those of GPT, Llama and their kin are, where the text is encoded as
/// ordinary text. What a chat format adds around it is not in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ByteBound;

impl TokenCounter for ByteBound {
    fn count(&mut self, text: &str, _most: u64) -> u64 {
        text.len() as u64
    }
}

/// Bytes and tokens of a result that grows line by line, each against its limit.
///
/// Tokens are counted per line, its line end included, and added up. That is the count of the whole where no token goes
/// over a line end into the next line, which is so in the vocabularies of GPT.
///
/// For a program that hands records on as they come; one that keeps them in memory has
/// [`ToolResult`](crate::ToolResult).
///
/// ```
/// use plimsoll::{ByteBound, Reason, ResultMeter};
///
/// let mut meter = ResultMeter::new(1024, 16, ByteBound);
/// assert_eq!(meter.admit("{\"id\":1}\n"), Ok(true));
/// assert_eq!(meter.admit("{\"id\":2}\n").unwrap_err().reason(), Reason::TokenLimit);
///
/// let mut meter = ResultMeter::new(1024, 16, ByteBound).leave_out();
/// assert_eq!(meter.admit("{\"id\":1}\n"), Ok(true));
/// assert_eq!(meter.admit("{\"id\":2}\n"), Ok(false));
/// assert_eq!((meter.admitted(), meter.left_out()), (1, 1));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ResultMeter<C> {
    bytes: Allowance,
    tokens: Allowance,
    counter: C,
    leaves_out: bool,
    admitted: u64,
    left_out: u64,
    refused: Option<Rejection>,
}

/// A limit, and how much of it is left.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    limit: u64,
    left: u64,
}

impl Allowance {
    const fn new(limit: u64) -> Self {
        Self { limit, left: limit }
    }
}

impl<C: TokenCounter> ResultMeter<C> {
    /// A meter for a result of at most `bytes` bytes and `tokens` tokens. What is over is refused.
    #[must_use]
    pub const fn new(bytes: u64, tokens: u64, counter: C) -> Self {
        Self {
            bytes: Allowance::new(bytes),
            tokens: Allowance::new(tokens),
            counter,
            leaves_out: false,
            admitted: 0,
            left_out: 0,
            refused: None,
        }
    }

    /// Leaves out what is over, from the first line that does not fit, and counts it: for a preview.
    #[must_use]
    pub fn leave_out(self) -> Self {
        Self { leaves_out: true, ..self }
    }

    /// Whether the line, its line end included, is a part of the result.
    ///
    /// # Errors
    /// `retained_limit` or `token_limit`, from then on for every line, unless what is over is left out.
    pub fn admit(&mut self, line: &str) -> Result<bool, Rejection> {
        if let Some(rejection) = self.refused {
            return Err(rejection);
        }
        if self.left_out == 0 {
            match self.take(line) {
                Ok(()) => {
                    self.admitted = self.admitted.saturating_add(1);
                    return Ok(true);
                }
                Err(rejection) => self.exceed(rejection)?,
            }
        } else {
            self.left_out = self.left_out.saturating_add(1);
        }
        Ok(false)
    }

    /// A line does not fit: it is refused or left out.
    pub(crate) fn exceed(&mut self, rejection: Rejection) -> Result<(), Rejection> {
        if self.leaves_out {
            self.left_out = self.left_out.saturating_add(1);
            return Ok(());
        }
        self.refused = Some(rejection);
        Err(rejection)
    }

    /// Takes a line off what is left, if it fits.
    fn take(&mut self, line: &str) -> Result<(), Rejection> {
        let over = |reason, limit| Rejection::limit_exceeded(reason, limit);
        let bytes = self.bytes.left.checked_sub(line.len() as u64);
        let bytes = bytes.ok_or(over(Reason::RetainedLimit, self.bytes.limit))?;
        let count = self.counter.count(line, self.tokens.left);
        let tokens = self.tokens.left.checked_sub(count);
        self.tokens.left = tokens.ok_or(over(Reason::TokenLimit, self.tokens.limit))?;
        self.bytes.left = bytes;
        Ok(())
    }

    /// The length of a text that is the whole result and within the limit of bytes, if it is within that of tokens too. Where
    /// it has no more bytes than it may have tokens they are not counted.
    pub(crate) fn whole(&mut self, text: &str) -> Result<usize, Rejection> {
        let most = self.tokens.limit;
        if text.len() as u64 > most && self.counter.count(text, most) > most {
            return Err(Rejection::limit_exceeded(Reason::TokenLimit, most));
        }
        Ok(text.len())
    }

    /// Whether what is over is left out.
    pub(crate) const fn leaves_out(&self) -> bool {
        self.leaves_out
    }

    /// The same with a limit for tokens.
    pub(crate) fn with_tokens<D: TokenCounter>(self, tokens: u64, counter: D) -> ResultMeter<D> {
        let meter = ResultMeter::new(self.bytes.limit, tokens, counter);
        ResultMeter { leaves_out: self.leaves_out, ..meter }
    }

    /// How many lines are a part of the result.
    #[must_use]
    pub const fn admitted(&self) -> u64 {
        self.admitted
    }

    /// How many lines were left out.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Why it was refused, if it was.
    #[must_use]
    pub const fn refused(&self) -> Option<Rejection> {
        self.refused
    }
}
