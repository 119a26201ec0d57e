//! Who counts the tokens of a result: without a vocabulary its bytes do, which are at least as many. With the feature
//! `tiktoken` a vocabulary of GPT does, which lies in the program.

use plimsoll::{ByteBound, TokenCounter};

/// A limit for tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tokens {
    pub(crate) most: u64,
    #[cfg(feature = "tiktoken")]
    pub(crate) vocabulary: Option<Vocabulary>,
}

impl Tokens {
    pub(crate) fn counter(self) -> Counter {
        #[cfg(feature = "tiktoken")]
        if let Some(vocabulary) = self.vocabulary {
            return Counter::Vocabulary(vocabulary);
        }
        Counter::Bytes
    }
}

/// Counts tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Counter {
    /// There is no limit.
    Nothing,
    Bytes,
    #[cfg(feature = "tiktoken")]
    Vocabulary(Vocabulary),
}

impl TokenCounter for Counter {
    fn count(&mut self, text: &str, most: u64) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Bytes => ByteBound.count(text, most),
            #[cfg(feature = "tiktoken")]
            Self::Vocabulary(vocabulary) => vocabulary.count(text, most),
        }
    }
}

#[cfg(feature = "tiktoken")]
pub(crate) use self::vocabulary::Vocabulary;

#[cfg(feature = "tiktoken")]
mod vocabulary;
