//! JSON text without the white space between tokens.
//!
//! The tokens stay as written, escapes included. One byte of state: whether the text is within a string.

/// Where the text stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compact {
    /// Between tokens or in one that is no string.
    Outside,
    /// In a string.
    String,
    /// Behind a backslash in a string.
    Escape,
}

impl Compact {
    /// Whether `byte`, which is known to be in order, is to be kept.
    #[inline(always)]
    pub(super) fn keeps(&mut self, byte: u8) -> bool {
        *self = match (*self, byte) {
            (Self::Outside, b' ' | b'\t' | b'\n' | b'\r') => return false,
            (Self::Outside, b'"') | (Self::Escape, _) => Self::String,
            (Self::String, b'"') => Self::Outside,
            (Self::String, b'\\') => Self::Escape,
            (state, _) => state,
        };
        true
    }

    /// How many bytes at the start of `bytes` are kept, and how many behind them are not.
    pub(super) fn run(&mut self, bytes: &[u8]) -> (usize, usize) {
        let kept = bytes.iter().position(|&byte| !self.keeps(byte)).unwrap_or(bytes.len());
        let rest = bytes.get(kept..).unwrap_or_default();
        let dropped = rest.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(rest.len());
        (kept, dropped)
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test that fails panics")]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_only_between_tokens_however_the_text_is_cut() {
        let text = br#" { "a b" : [ 1 , "\" \\" , " " ] ,	"c\\":null } "#;
        let expected = br#"{"a b":[1,"\" \\"," "],"c\\":null}"#;
        for split in 0..=text.len() {
            let mut compact = Compact::Outside;
            let mut out = std::vec::Vec::new();
            for mut piece in [&text[..split], &text[split..]] {
                while !piece.is_empty() {
                    let (kept, dropped) = compact.run(piece);
                    out.extend_from_slice(&piece[..kept]);
                    piece = &piece[kept + dropped..];
                }
            }
            assert_eq!(out, expected);
        }
    }
}
