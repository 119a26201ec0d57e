//! What a broken body must come to, calculated without a line of plimsoll's stages: the framing of gzip is read here after
//! RFC 1952, the compressed data by zlib-rs, the text by `core::str` and `serde_json`.
//!
//! What stands earlier in the stream decides. So the decoded bytes that come before a fault of the encoding are judged
//! first, and what is only missing at the end is judged last.

use std::fmt;

use plimsoll::{Coding, Head, Limits, Media, Reason};
use zlib_rs::{Inflate, InflateFlush, Status};

use crate::response::LARGEST;

/// Levels of nesting that the intake has room for.
pub const DEPTH: u16 = 64;

/// What a response must come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    /// Complete.
    Complete,
    /// Refused for one of these reasons. There are several only where the oracle does not tell them apart.
    Among(Vec<Reason>),
    /// Refused by the limit of this reason and value.
    Limit(Reason, u64),
}

impl Expected {
    /// Refused for one of these.
    #[must_use]
    pub fn among(reasons: &[Reason]) -> Self {
        Self::Among(reasons.to_vec())
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// A document that is wrong where it stands. `serde_json` does not say which of these it is.
const WRONG: [Reason; 5] = [
    Reason::JsonSyntax,
    Reason::LoneSurrogate,
    Reason::InvalidUtf8,
    Reason::TrailingDocument,
    Reason::ByteOrderMark,
];

/// A document that ends too early; as a record, it may end within a character, which is then wrong as well.
const CUT: [Reason; 3] = [Reason::IncompleteJson, Reason::IncompleteUtf8, Reason::InvalidUtf8];

/// How the encoded bytes end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// In order.
    Whole,
    /// At a byte that is wrong.
    Wrong(Reason),
    /// With something missing.
    Missing(Reason),
    /// With so many decoded bytes that the rest was not looked at.
    TooMany,
    /// zlib-rs waits for more, and does not say whether the bits that are there begin a code.
    MissingOrWrong,
}

/// Judges a body under limits of which only `decoded`, `members` and the depth can be exceeded, and says what it
/// decodes to as far as it does.
#[must_use]
pub fn judge(sent: &[u8], head: &Head, media: Media, limits: &Limits) -> (Expected, Vec<u8>) {
    let declared = head.length.map(|length| usize::try_from(length).expect("a body is short"));
    let seen = declared.map_or(sent, |declared| &sent[..sent.len().min(declared)]);
    let (text, end) = match head.coding {
        Coding::Gzip => gunzip(seen, limits),
        _ => (seen.to_vec(), if seen.len() > LARGEST { End::TooMany } else { End::Whole }),
    };
    (verdict(&text, end, declared.is_some_and(|declared| declared != sent.len()), media, limits), text)
}

fn verdict(text: &[u8], end: End, mismatch: bool, media: Media, limits: &Limits) -> Expected {
    let most = usize::try_from(limits.decoded).expect("it is small");
    let shown = &text[..text.len().min(most)];
    let document = match media {
        Media::Json => document(shown),
        Media::NdJson => records(shown, end == End::Whole),
        Media::Text => plain(shown),
        _ => Fault::None,
    };
    match document {
        Fault::Wrong(expected) => expected,
        Fault::None => encoding(end, mismatch, limits).unwrap_or(Expected::Complete),
        Fault::Cut(reasons) => encoding(end, mismatch, limits).unwrap_or(Expected::among(reasons)),
        Fault::Unclear => match encoding(end, mismatch, limits) {
            Some(Expected::Among(mut reasons)) => {
                reasons.extend(WRONG);
                Expected::Among(reasons)
            }
            // The limit comes behind the text.
            Some(Expected::Limit(reason, _)) => Expected::Among([&WRONG[..], &[reason]].concat()),
            _ => Expected::Among([&WRONG[..], &CUT].concat()),
        },
    }
}

/// What the encoding comes to where the text is in order as far as it goes.
fn encoding(end: End, mismatch: bool, limits: &Limits) -> Option<Expected> {
    Some(match end {
        End::TooMany => Expected::Limit(Reason::DecodedLimit, limits.decoded),
        End::Wrong(Reason::MemberLimit) => Expected::Limit(Reason::MemberLimit, limits.members),
        End::Wrong(reason) => Expected::among(&[reason]),
        // Bits that may be no code come before the end, whatever is amiss with that.
        End::MissingOrWrong if mismatch => Expected::among(&[Reason::LengthMismatch, Reason::BadDeflate]),
        _ if mismatch => Expected::among(&[Reason::LengthMismatch]),
        End::Missing(reason) => Expected::among(&[reason]),
        End::MissingOrWrong => Expected::among(&[Reason::IncompleteGzip, Reason::BadDeflate]),
        End::Whole => return None,
    })
}

/// Reads members, each up to a byte more than is allowed to be decoded.
fn gunzip(sent: &[u8], limits: &Limits) -> (Vec<u8>, End) {
    let most = usize::try_from(limits.decoded).expect("it is small");
    let mut text = Vec::new();
    let mut rest = sent;
    let mut members = 0;
    loop {
        if rest.is_empty() && members > 0 {
            return (text, End::Whole);
        }
        match header(rest, members, limits.members) {
            Ok(length) => rest = &rest[length..],
            Err(end) => return (text, end),
        }
        let start = text.len();
        text.resize(most + 1, 0);
        let mut inflate = Inflate::new(false, 15);
        let result = inflate.decompress(rest, &mut text[start..], InflateFlush::SyncFlush);
        let (consumed, produced) = (inflate.total_in(), inflate.total_out());
        text.truncate(start + usize::try_from(produced).expect("it is small"));
        if text.len() > most {
            return (text, End::TooMany);
        }
        match result {
            Ok(Status::StreamEnd) => rest = &rest[usize::try_from(consumed).expect("it is small")..],
            Ok(_) => return (text, End::MissingOrWrong),
            Err(_) => return (text, End::Wrong(Reason::BadDeflate)),
        }
        let member = &text[start..];
        let Some((checksum, behind)) = rest.split_first_chunk() else {
            return (text, End::Missing(Reason::IncompleteGzip));
        };
        if u32::from_le_bytes(*checksum) != crc32fast::hash(member) {
            return (text, End::Wrong(Reason::Checksum));
        }
        let Some((length, behind)) = behind.split_first_chunk() else {
            return (text, End::Missing(Reason::IncompleteGzip));
        };
        if u32::from_le_bytes(*length) as usize != member.len() {
            return (text, End::Wrong(Reason::LengthField));
        }
        rest = behind;
        members += 1;
    }
}

/// The length of a member's header (RFC 1952, section 2.3), behind so many members.
fn header(bytes: &[u8], members: u64, most: u64) -> Result<usize, End> {
    let missing = End::Missing(Reason::IncompleteGzip);
    let no_member = if members == 0 { Reason::NotGzip } else { Reason::TrailingData };
    match *bytes {
        [] => return Err(missing),
        [0x1F, ..] if members == 0 || most > 1 => {}
        _ => return Err(End::Wrong(no_member)),
    }
    match bytes.get(1) {
        None if members > 0 && members == most => return Err(End::Missing(Reason::TrailingData)),
        None => return Err(missing),
        Some(0x8B) if members > 0 && members == most => return Err(End::Wrong(Reason::MemberLimit)),
        Some(0x8B) => {}
        Some(_) => return Err(End::Wrong(no_member)),
    }
    if bytes.get(2).is_some_and(|&method| method != 8) || bytes.get(3).is_some_and(|flags| flags & 0xE0 != 0)
    {
        return Err(End::Wrong(Reason::BadHeader));
    }
    let Some(&flags) = bytes.get(3) else { return Err(missing) };
    let mut at = 10;
    if flags & 4 != 0 {
        let Some(&[low, high]) = bytes.get(at..at + 2) else { return Err(missing) };
        at += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for text in [8, 16] {
        if flags & text != 0 {
            let rest = bytes.get(at..).ok_or(missing)?;
            at += 1 + rest.iter().position(|&byte| byte == 0).ok_or(missing)?;
        }
    }
    if flags & 2 != 0 {
        let Some(&[low, high]) = bytes.get(at..at + 2) else { return Err(missing) };
        if u32::from(u16::from_le_bytes([low, high])) != crc32fast::hash(&bytes[..at]) & 0xFFFF {
            return Err(End::Wrong(Reason::HeaderChecksum));
        }
        at += 2;
    }
    if at > bytes.len() { Err(missing) } else { Ok(at) }
}

/// What is wrong with a text.
enum Fault {
    None,
    /// At a byte that it has.
    Wrong(Expected),
    /// At its end.
    Cut(&'static [Reason]),
    /// It is cut within an escape or a line end, of which what is there may or may not be wrong already.
    Unclear,
}

fn plain(text: &[u8]) -> Fault {
    match core::str::from_utf8(text).map_err(|error| error.error_len()) {
        Ok(_) => Fault::None,
        Err(Some(_)) => Fault::Wrong(Expected::among(&[Reason::InvalidUtf8])),
        Err(None) => Fault::Cut(&[Reason::IncompleteUtf8]),
    }
}

/// One document, of which the end may not have come.
fn document(text: &[u8]) -> Fault {
    let (valid, malformed) = match core::str::from_utf8(text) {
        Ok(text) => (text, false),
        Err(error) => {
            let valid = core::str::from_utf8(&text[..error.valid_up_to()]).unwrap_or("");
            (valid, error.error_len().is_some())
        }
    };
    let verdict = serde_json::from_str::<serde_json::Value>(valid);
    let deepest = || Fault::Wrong(Expected::Limit(Reason::DepthLimit, DEPTH.into()));
    let fault = match &verdict {
        Ok(_) => None,
        Err(error) if error.is_eof() => None,
        Err(error) => Some(offset(valid, error.line(), error.column())),
    };
    // `serde_json` gives up behind 128 levels; ours are fewer.
    if too_deep(valid).is_some_and(|at| fault.is_none_or(|fault| at < fault)) {
        return deepest();
    }
    // It may be going to be a byte order mark.
    if text == [0xEF] || text == [0xEF, 0xBB] {
        return Fault::Unclear;
    }
    // A character that is cut at the end is in order only within a string.
    let cut_outside = valid.len() < text.len() && !ends_in_string(valid);
    if fault.is_some() || malformed || cut_outside {
        return Fault::Wrong(Expected::among(&WRONG));
    }
    // `serde_json` looks at an escape, or a pair of them, when all of it is there.
    let tail = &valid.as_bytes()[valid.len().saturating_sub(12)..];
    match verdict {
        Ok(_) => Fault::None,
        Err(_) if tail.windows(2).any(|pair| pair == b"\\u") => Fault::Unclear,
        Err(_) => Fault::Cut(&CUT),
    }
}

/// One document on each line. The last line may go on where the body has not `ended`.
fn records(text: &[u8], ended: bool) -> Fault {
    let mut lines = text.split(|&byte| byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        if line.iter().all(|byte| b" \t\r".contains(byte)) {
            continue;
        }
        let is_last = lines.peek().is_none();
        let line = if is_last { line } else { line.strip_suffix(b"\r").unwrap_or(line) };
        match document(line) {
            Fault::None => {}
            Fault::Unclear if is_last => return Fault::Unclear,
            Fault::Unclear => return Fault::Wrong(Expected::Among([&WRONG[..], &CUT].concat())),
            _ if is_last && line.ends_with(b"\r") => return Fault::Unclear,
            Fault::Cut(reasons) if is_last => return if ended { Fault::Cut(reasons) } else { Fault::None },
            Fault::Cut(reasons) => return Fault::Wrong(Expected::among(reasons)),
            wrong @ Fault::Wrong(_) => return wrong,
        }
    }
    Fault::None
}

/// The offset that `serde_json` names by a line and a column, which counts bytes from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (start + column).saturating_sub(1)
}

/// Whether a text, which is a document as far as it goes, ends within a string and not behind a backslash.
fn ends_in_string(text: &str) -> bool {
    let (mut quoted, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ => {}
        }
    }
    quoted && !escaped
}

/// Where a container begins that is a level too deep, in a text that is a document up to there.
fn too_deep(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' if depth == DEPTH => return Some(at),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}
