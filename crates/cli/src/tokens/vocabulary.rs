//! The vocabularies of GPT, by tiktoken.

use clap::ValueEnum;
use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};

/// A vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Vocabulary {
    /// That of GPT-3.5 and GPT-4
    #[value(name = "cl100k_base")]
    Cl100kBase,
    /// That of GPT-4o and later
    #[value(name = "o200k_base")]
    O200kBase,
}

/// No token of either has more bytes.
const LONGEST: u64 = 128;

/// The longest white space that tiktoken is shown. It panics over a million characters of it, since the rule that looks
/// behind them needs a stack as long.
const BLANK: usize = 4096;

impl Vocabulary {
    /// The number of tokens of `text`, as ordinary text; some number above `most` where it has more. Of a text that a
    /// tokenizer is not to be shown, the bytes.
    pub(super) fn count(self, text: &str, most: u64) -> u64 {
        let bytes = text.len() as u64;
        if bytes.div_ceil(LONGEST) > most || blank(text) > BLANK {
            return bytes;
        }
        self.tokenizer().count_ordinary(text) as u64
    }

    fn tokenizer(self) -> &'static CoreBPE {
        match self {
            Self::Cl100kBase => cl100k_base_singleton(),
            Self::O200kBase => o200k_base_singleton(),
        }
    }
}

/// How many characters the longest white space in a text has.
fn blank(text: &str) -> usize {
    let runs = text.split(|character: char| !character.is_whitespace());
    // Most have none, and their characters need not be counted.
    runs.filter(|run| run.len() > BLANK).map(|run| run.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [Vocabulary; 2] = [Vocabulary::Cl100kBase, Vocabulary::O200kBase];

    /// The examples of `OpenAI`'s cookbook, "How to count tokens with tiktoken".
    #[test]
    fn texts_have_as_many_tokens_as_their_maker_says() {
        for vocabulary in BOTH {
            assert_eq!(vocabulary.count("tiktoken is great!", 100), 6, "{vocabulary:?}");
            assert_eq!(vocabulary.count("antidisestablishmentarianism", 100), 6, "{vocabulary:?}");
            assert_eq!(vocabulary.count("", 0), 0, "{vocabulary:?}");
        }
    }

    #[test]
    fn no_token_is_longer_than_the_longest_and_none_is_empty() {
        for (vocabulary, count) in BOTH.into_iter().zip([100_256, 199_998]) {
            let bytes = |token| vocabulary.tokenizer().decode_bytes(&[token]).unwrap().len() as u64;
            assert_eq!((0..count).map(bytes).max(), Some(LONGEST), "{vocabulary:?}");
            assert_eq!((0..count).map(bytes).min(), Some(1), "{vocabulary:?}");
        }
    }

    #[test]
    fn lines_have_together_as_many_tokens_as_each() {
        let lines =
            ["{\"id\":17,\"name\":\"Zoë\"}\n", "{}\n", "{\"a\":[{\"b\":\"\\n\"}]}\n", "{\"\":null}\n"];
        for vocabulary in BOTH {
            for (first, second) in
                lines.iter().flat_map(|first| lines.iter().map(move |second| (first, second)))
            {
                let each = vocabulary.count(first, 100) + vocabulary.count(second, 100);
                assert_eq!(
                    vocabulary.count(&format!("{first}{second}"), 100),
                    each,
                    "{vocabulary:?} {first}{second}"
                );
            }
        }
    }

    #[test]
    fn a_text_that_a_tokenizer_is_not_to_be_shown_has_at_most_its_bytes() {
        for vocabulary in BOTH {
            for blank in [" ", "\u{3000}", "\n"] {
                let long = format!("a{}b", blank.repeat(1 << 20));
                assert_eq!(vocabulary.count(&long, u64::MAX), long.len() as u64, "{vocabulary:?} {blank:?}");
                let exact = format!("a{}b", blank.repeat(BLANK));
                assert!(vocabulary.count(&exact, u64::MAX) < exact.len() as u64, "{vocabulary:?} {blank:?}");
            }
            // Too long for so few tokens, whatever it is.
            assert!(vocabulary.count(&"a".repeat(1 << 20), 8191) > 8191);
        }
    }
}
