//! JSON Pointers (RFC 6901), checked when they are made, and how one reference token is held against a key or an index.
//!
//! A pointer stays the text it was written as: nothing is decoded into memory, so that a set of them is a table of
//! string slices that can stand in flash.

use core::fmt;

/// A set of JSON Pointers (RFC 6901), which a [`Select`](super::Select) looks for.
///
/// # What a pointer is
///
/// `""` is the whole document; any other is a sequence of reference tokens, each behind a `/`. In a token, `~1` stands
/// for `/` and `~0` for `~` (section 3). A token is compared with a member's key after the key's unescaping, code point
/// by code point and without any normalisation (section 4). Of an array, a token of digits without a leading zero
/// is the element of that index; `-` is the one behind the last and never matches, and neither does any other token.
///
/// # Each item: an extension
///
/// A token that is exactly `*` matches each item: every element of an array and every member of an object. A key that
/// is the one character `*` is written `~2`, an escape that RFC 6901 does not allow and that therefore cannot stand in
/// a pointer that means anything else. In a longer token an asterisk is itself, and `~2` is one there too.
///
/// ```
/// use plimsoll_json::{PointerFault, Pointers};
///
/// const WEATHER: Pointers<'static, 2> =
///     match Pointers::new(["/station/name", "/readings/*/value"]) {
///         Ok(pointers) => pointers.require([true, false]),
///         Err(_) => panic!("found when this is compiled"),
///     };
/// assert_eq!(WEATHER.texts()[1], "/readings/*/value");
///
/// let error = Pointers::new(["/a", "/b~3"]).unwrap_err();
/// assert_eq!((error.pointer, error.at, error.fault), (1, 2, PointerFault::Escape));
/// ```
///
/// A program that learns its pointers as it runs makes the set with [`up_to`](Self::up_to), in the memory of `P`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointers<'p, const P: usize> {
    /// Behind the first `len` they are empty.
    texts: [&'p str; P],
    required: [bool; P],
    len: usize,
}

/// Which pointer of a set is none, and where: a mistake of the program, not of a peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointerError {
    /// Its place in the set, from 0.
    pub pointer: usize,
    /// The byte of its text that cannot stand there.
    pub at: usize,
    /// What is wrong with it.
    pub fault: PointerFault,
}

/// What is wrong with the text of a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PointerFault {
    /// It is not empty and does not begin with `/` (RFC 6901, section 3).
    NoSlash,
    /// A `~` that is not followed by `0`, `1` or `2` (section 3).
    Escape,
    /// It has 65,535 bytes or more.
    TooLong,
    /// It is the first for which the set has no room.
    TooMany,
}

impl fmt::Display for PointerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSlash => "it does not begin with a slash",
            Self::Escape => "a tilde is not followed by 0, 1 or 2",
            Self::TooLong => "it is too long",
            Self::TooMany => "the set has no room for it",
        })
    }
}

impl fmt::Display for PointerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pointer {}: {}, at byte {}", self.pointer, self.fault, self.at)
    }
}

impl core::error::Error for PointerError {}

impl<'p, const P: usize> Pointers<'p, P> {
    /// A set of pointers, none of which has to match.
    ///
    /// # Errors
    /// The first text that is no pointer, and where.
    pub const fn new(texts: [&'p str; P]) -> Result<Self, PointerError> {
        let mut rest: &[&str] = &texts;
        let mut pointer = 0_usize;
        while let [text, behind @ ..] = rest {
            if let Err((at, fault)) = check(text.as_bytes()) {
                return Err(PointerError { pointer, at, fault });
            }
            pointer = pointer.wrapping_add(1);
            rest = behind;
        }
        Ok(Self { texts, required: [false; P], len: P })
    }

    /// A set of as many pointers as `texts` has, at most `P`, none of which has to match.
    ///
    /// ```
    /// use plimsoll_json::{PointerFault, Pointers};
    ///
    /// let asked = vec!["/id".to_owned(), "/tags/0".to_owned()];
    /// let texts: Vec<_> = asked.iter().map(String::as_str).collect();
    /// let pointers = Pointers::<8>::up_to(&texts).unwrap();
    /// assert_eq!(pointers.texts(), ["/id", "/tags/0"]);
    /// assert_eq!(Pointers::<1>::up_to(&texts).unwrap_err().fault, PointerFault::TooMany);
    /// ```
    ///
    /// # Errors
    /// The first text that is no pointer or for which there is no room, and where.
    pub fn up_to(texts: &[&'p str]) -> Result<Self, PointerError> {
        let mut all = [""; P];
        for (pointer, &text) in texts.iter().enumerate() {
            let place =
                all.get_mut(pointer).ok_or(PointerError { pointer, at: 0, fault: PointerFault::TooMany })?;
            *place = text;
        }
        Ok(Self { len: texts.len(), ..Self::new(all)? })
    }

    /// Says which of them have to match something: `missing_field` if one does not.
    #[must_use]
    pub const fn require(self, required: [bool; P]) -> Self {
        Self { texts: self.texts, required, len: self.len }
    }

    /// Their texts.
    #[must_use]
    pub fn texts(&self) -> &[&'p str] {
        self.texts.get(..self.len).unwrap_or_default()
    }

    /// Which of them have to match something.
    #[must_use]
    pub fn required(&self) -> &[bool] {
        self.required.get(..self.len).unwrap_or_default()
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the pointer has a token that is `*`, so that it may match many values.
    #[must_use]
    pub fn is_many(&self, pointer: usize) -> bool {
        let text = self.texts().get(pointer).copied().unwrap_or_default().as_bytes();
        let mut starts = text.iter().zip(1_u16..).filter(|&(&byte, _)| byte == b'/');
        starts.any(|(_, start)| is_each(text, start))
    }

    /// The texts of all places, of which those that are not in use are empty.
    pub(super) const fn places(&self) -> &[&'p str; P] {
        &self.texts
    }
}

/// Whether a text is a pointer.
const fn check(text: &[u8]) -> Result<(), (usize, PointerFault)> {
    if text.len() >= u16::MAX as usize {
        return Err((u16::MAX as usize, PointerFault::TooLong));
    }
    let mut rest = text;
    match rest {
        [] | [b'/', ..] => {}
        _ => return Err((0, PointerFault::NoSlash)),
    }
    let mut at = 0_usize;
    while let [byte, behind @ ..] = rest {
        if *byte == b'~' && !matches!(behind, [b'0' | b'1' | b'2', ..]) {
            return Err((at, PointerFault::Escape));
        }
        at = at.wrapping_add(1);
        rest = behind;
    }
    Ok(())
}

/// The token of `pointer` that begins at `at`, as written.
#[inline(always)]
pub(super) fn token(pointer: &[u8], at: u16) -> &[u8] {
    let rest = pointer.get(usize::from(at)..).unwrap_or_default();
    let len = rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
    rest.get(..len).unwrap_or_default()
}

/// Whether the token that begins at `at` is `*`.
#[inline(always)]
pub(super) fn is_each(pointer: &[u8], at: u16) -> bool {
    matches!(pointer.get(usize::from(at)..), Some([b'*'] | [b'*', b'/', ..]))
}

/// The index that a token is, if its text is one (RFC 6901, section 4). One beyond `u32::MAX` is none, since no
/// container has that many items.
#[inline(never)]
pub(super) fn index(token: &[u8]) -> Option<u32> {
    match token {
        [b'0'] => Some(0),
        [b'1'..=b'9', ..] => token.iter().try_fold(0_u32, |index, &byte| {
            let digit = byte.is_ascii_digit().then(|| u32::from(byte.wrapping_sub(b'0')))?;
            index.checked_mul(10)?.checked_add(digit)
        }),
        _ => None,
    }
}

/// Goes on from `at` in a token over the bytes of a part of a key, as long as they are the same. Gives the place behind
/// them; `None` where they differ or the token ends before the part does.
#[inline(always)]
pub(super) fn matched(pointer: &[u8], at: u16, part: &[u8]) -> Option<u16> {
    let mut rest = pointer.get(usize::from(at)..)?;
    for &byte in part {
        let (decoded, behind) = match rest {
            [b'~', escaped, behind @ ..] => (unescaped(*escaped), behind),
            [b'/', ..] | [] => return None,
            [plain, behind @ ..] => (*plain, behind),
        };
        if decoded != byte {
            return None;
        }
        rest = behind;
    }
    Some(pointer.len().wrapping_sub(rest.len()) as u16)
}

/// Whether a token ends at `at`.
#[inline(always)]
pub(super) fn ends(pointer: &[u8], at: u16) -> bool {
    matches!(pointer.get(usize::from(at)), None | Some(b'/'))
}

/// What stands for itself only as `~` and this byte.
const fn unescaped(byte: u8) -> u8 {
    match byte {
        b'0' => b'~',
        b'1' => b'/',
        _ => b'*',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_pointer_is_refused_with_its_place() {
        for (text, at, fault) in [
            ("a", 0, PointerFault::NoSlash),
            ("#/a", 0, PointerFault::NoSlash),
            ("/~", 1, PointerFault::Escape),
            ("/a/b~", 4, PointerFault::Escape),
            ("/~01/~3", 5, PointerFault::Escape),
            ("/~~0", 1, PointerFault::Escape),
        ] {
            assert_eq!(Pointers::new(["", text]), Err(PointerError { pointer: 1, at, fault }), "{text}");
        }
    }

    #[test]
    fn the_text_of_an_error_names_the_pointer_the_fault_and_the_byte() {
        let faults = [
            (PointerFault::NoSlash, "it does not begin with a slash"),
            (PointerFault::Escape, "a tilde is not followed by 0, 1 or 2"),
            (PointerFault::TooLong, "it is too long"),
            (PointerFault::TooMany, "the set has no room for it"),
        ];
        for (fault, text) in faults {
            let error = PointerError { pointer: 3, at: 5, fault };
            assert_eq!(std::format!("{error}"), std::format!("pointer 3: {text}, at byte 5"));
        }
    }

    #[test]
    fn a_set_may_be_empty() {
        assert!(Pointers::<0>::new([]).unwrap().is_empty());
        assert!(!Pointers::new([""]).unwrap().is_empty());
    }

    #[test]
    #[cfg_attr(miri, ignore = "each of 131,069 bytes is interpreted")]
    fn a_pointer_is_shorter_than_65535_bytes() {
        let long = std::string::String::from_iter(core::iter::repeat_n('/', 65_535));
        let error = Pointers::new([long.as_str()]).unwrap_err();
        assert_eq!((error.at, error.fault), (65_535, PointerFault::TooLong));
        assert!(Pointers::new([long.split_at(1).1]).is_ok());
    }

    #[test]
    fn a_pointer_with_a_star_may_match_many() {
        let texts = ["", "/*", "/a/*/b", "/a/*", "/", "/**", "/a*/b", "/~2", "/*~2"];
        let pointers = Pointers::new(texts).unwrap();
        for (pointer, text) in texts.iter().enumerate() {
            assert_eq!(pointers.is_many(pointer), ["/*", "/a/*/b", "/a/*"].contains(text), "{text}");
        }
        assert!(!pointers.is_many(texts.len()));
    }

    #[test]
    fn an_index_is_digits_without_a_leading_zero() {
        for (token, expected) in [
            ("0", Some(0)),
            ("10", Some(10)),
            ("4294967295", Some(u32::MAX)),
            ("4294967296", None),
            ("00", None),
            ("01", None),
            ("-", None),
            ("-1", None),
            ("+1", None),
            ("1a", None),
            ("1~0", None),
            ("", None),
        ] {
            assert_eq!(index(token.as_bytes()), expected, "{token}");
        }
    }

    #[test]
    fn a_token_is_compared_after_its_own_unescaping_in_any_parts() {
        let pointer = b"/a~1b~0~01~2*/c";
        let key = b"a/b~~1**";
        for split in 0..=key.len() {
            let (first, second) = key.split_at(split);
            let at = matched(pointer, 1, first).unwrap();
            let end = matched(pointer, at, second).unwrap();
            assert!(ends(pointer, end) && token(pointer, end + 1) == b"c");
            assert_eq!(ends(pointer, at), split == key.len());
        }
        assert_eq!(matched(pointer, 1, b"a/b~~1**/"), None);
        assert_eq!(matched(pointer, 1, b"a~1b"), None);
        assert!(is_each(b"/*", 1) && is_each(b"/*/a", 1) && !is_each(b"/~2", 1) && !is_each(b"/**", 1));
    }
}
