//! Where each pointer stands on the way from the document to the current value.
//!
//! The way is a list of keys and indices, one per open container. A pointer's place is how many of its tokens
//! match the way's beginning, so that a value of `depth` containers is named by the pointers that have all of their
//! tokens matched by then, and an item is worth a look only to those that match the way to its container. Leaving an item
//! takes at most one token back. That needs 16 bytes per pointer, nothing per level, and no recursion; an item costs
//! each pointer one look, and a key's byte one comparison with each pointer that still matches the key.

use super::pointer;

/// Where one pointer stands. All bytes are zero at the start of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The byte of its text behind the tokens that match: a slash or the end.
    at: u16,
    /// How many of its tokens match.
    tokens: u16,
    /// The most tokens that matched since the last item of a `*` began: one that matches again is a duplicate.
    most: u16,
    /// The byte of its text up to which the current key matches so far; 0 if it does not.
    key: u16,
    /// Index of the next item, in an array whose items are looked at.
    index: u32,
    /// Whether it has matched a value.
    pub(super) found: bool,
}

impl Place {
    pub(super) const START: Self = Self { at: 0, tokens: 0, most: 0, key: 0, index: 0, found: false };

    /// The place of no pointer, beside an empty text. It stands behind that text's end, where it names nothing, and has
    /// one token less than none, so that it looks into no container; as many tokens no pointer has, so that nobody
    /// leads so deep and leaves an item there.
    pub(super) const UNUSED: Self = Self { at: 1, tokens: u16::MAX, ..Self::START };

    /// Whether it names the current value, which lies in `depth` containers.
    #[inline(always)]
    pub(super) fn names(&self, text: &[u8], depth: u16) -> bool {
        self.tokens == depth && usize::from(self.at) == text.len()
    }

    /// Whether it has a token for the items of the container at `depth`.
    #[inline(always)]
    fn looks_into(&self, text: &[u8], depth: u16) -> bool {
        self.tokens.wrapping_add(1) == depth && usize::from(self.at) != text.len()
    }

    /// The container at `depth` began. Whether there may be something in it.
    #[inline(always)]
    pub(super) fn open(&mut self, text: &[u8], depth: u16, object: bool) -> bool {
        if !self.looks_into(text, depth) {
            return false;
        }
        self.index = 0;
        let first = self.at.wrapping_add(1);
        object || pointer::is_each(text, first) || pointer::index(pointer::token(text, first)).is_some()
    }

    /// The next part of a key of the object at `depth`, which may be the one that it `begins` or `ends` with. What the
    /// member is to the pointer is known at its end.
    #[inline(always)]
    pub(super) fn key(&mut self, text: &[u8], depth: u16, part: &[u8], begins: bool, ends: bool) -> Entry {
        let first = self.at.wrapping_add(1);
        if begins {
            self.key = if self.looks_into(text, depth) && might_begin(text, first, part) { first } else { 0 };
        }
        if self.key == 0 {
            return Entry::None;
        }
        let each = pointer::is_each(text, first);
        if !each {
            self.key = pointer::matched(text, self.key, part).unwrap_or(0);
        }
        if !ends || self.key == 0 {
            return Entry::None;
        }
        if each {
            self.each(first);
            return Entry::Item;
        }
        if !pointer::ends(text, self.key) {
            return Entry::None;
        }
        self.at = self.key;
        self.tokens = self.tokens.wrapping_add(1);
        if self.tokens <= self.most {
            return Entry::Again;
        }
        self.most = self.tokens;
        Entry::Item
    }

    /// An element of the array at `depth` begins. Whether it is the pointer's next token.
    #[inline(always)]
    pub(super) fn element(&mut self, text: &[u8], depth: u16) -> bool {
        if !self.looks_into(text, depth) {
            return false;
        }
        let index = self.index;
        self.index = index.saturating_add(1);
        let first = self.at.wrapping_add(1);
        if pointer::is_each(text, first) {
            self.each(first);
            return true;
        }
        let token = pointer::token(text, first);
        if pointer::index(token) != Some(index) {
            return false;
        }
        self.at = first.wrapping_add(token.len() as u16);
        self.tokens = self.tokens.wrapping_add(1);
        self.most = self.tokens;
        true
    }

    /// An item of the container at `depth` has ended.
    #[inline(always)]
    pub(super) fn leave(&mut self, text: &[u8], depth: u16) {
        if self.tokens != depth || depth == 0 {
            return;
        }
        let before = text.get(..usize::from(self.at)).unwrap_or_default();
        let slash = before.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        self.at = slash as u16;
        self.tokens = self.tokens.wrapping_sub(1);
        // An array's element before the next one; what an object makes of it does not matter.
        if let Some(index) = pointer::index(pointer::token(text, self.at.wrapping_add(1))) {
            self.index = index.saturating_add(1);
        }
    }

    /// Takes the token `*`, which begins at `first`.
    #[inline(always)]
    fn each(&mut self, first: u16) {
        self.at = first.wrapping_add(1);
        self.tokens = self.tokens.wrapping_add(1);
        self.most = self.tokens;
    }
}

/// Whether a key that begins with `part` may match the token at `first`: most differ in the first byte, which only a tilde
/// or an asterisk hides.
#[inline(always)]
fn might_begin(text: &[u8], first: u16, part: &[u8]) -> bool {
    match (text.get(usize::from(first)), part.first()) {
        (Some(&ours), Some(&theirs)) => ours == theirs || ours == b'~' || ours == b'*',
        _ => true,
    }
}

/// What a member is to a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    /// Not on its way.
    None,
    /// Its next token.
    Item,
    /// Its next token, which another member of the same object was before.
    Again,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_not_in_use_names_nothing_and_looks_into_nothing() {
        for depth in 0..=u16::MAX {
            assert!(!Place::UNUSED.names(b"", depth), "{depth}");
        }
        for depth in 1..=u16::MAX {
            let mut place = Place::UNUSED;
            assert!(!place.open(b"", depth, true) && !place.open(b"", depth, false), "{depth}");
            assert_eq!(place.key(b"", depth, b"", true, true), Entry::None, "{depth}");
            assert!(!place.element(b"", depth), "{depth}");
        }
    }
}
