//! The list.

use plimsoll::budget::Capacity;
use plimsoll::json::Limits as Document;
use plimsoll::{Coding, Head, Inspect, Limits, Media, Pace, Policy, Reason, Rejection};

use crate::take::{Bytes, body, result, select, through, ticking, timed, typed};
use crate::{Entry, Input};

const NO_CODING: Head = Head::new(Coding::Identity);
const GZIP: Head = Head::new(Coding::Gzip);
const SMALL: Limits = Limits::SMALL_DEVICE;

/// A document under limits that are those of a small device but for one.
fn json(document: Document, text: &[u8]) -> Option<Rejection> {
    body(Media::Json, NO_CODING, &Policy::strict(Limits { document, ..SMALL }), text)
}

/// Octets under limits that are those of a small device but for one.
fn octets(head: Head, limits: Limits, bytes: &[u8]) -> Option<Rejection> {
    body(Media::Octets, head, &Policy::strict(limits), bytes)
}

/// Lines of JSON under limits that are those of a small device but for one.
fn lines(limits: Limits, text: &[u8]) -> Option<Rejection> {
    body(Media::NdJson, NO_CODING, &Policy::strict(limits), text)
}

/// The text of a header field.
fn field(bytes: &[u8]) -> &str {
    core::str::from_utf8(bytes).unwrap_or_default()
}

/// The list, in the order of the vocabulary.
pub const ENTRIES: &[Entry] = &[
    Entry {
        reason: Reason::UnsupportedCoding,
        advice: "Send `Accept-Encoding: gzip`, or `identity`; the peer ignored it",
        setting: "`Content-Encoding`",
        input: Input::Field("x"),
        take: |value| Coding::from_header(field(value)).err(),
    },
    Entry {
        reason: Reason::StackedCoding,
        advice: "Have the peer code the body once; a body packed twice hides how large it is",
        setting: "`Content-Encoding`",
        input: Input::Field("x,x"),
        take: |value| Coding::from_header(field(value)).err(),
    },
    Entry {
        reason: Reason::UnsupportedMedia,
        advice: "Send `Accept` with the types that are taken; an error page is often `text/html`: look at the status",
        setting: "`Content-Type`",
        input: Input::Field(""),
        take: |value| Media::from_header(field(value)).err(),
    },
    Entry {
        reason: Reason::DeclaredLength,
        advice: "Nothing was read. Ask for less, or raise `encoded` if such bodies are wanted",
        setting: "`encoded` 0, `Content-Length`",
        input: Input::Field("1"),
        take: |value| {
            let length = field(value).parse().unwrap_or_default();
            octets(NO_CODING.with_length(length), Limits { encoded: 0, ..SMALL }, b"")
        },
    },
    Entry {
        reason: Reason::LengthMismatch,
        advice: "The connection ended early, or the framing is wrong: try again, and look at the transport if it stays",
        setting: "`Content-Length: 0`",
        input: Input::Text("a"),
        take: |bytes| octets(NO_CODING.with_length(0), SMALL, bytes),
    },
    Entry {
        reason: Reason::EncodedLimit,
        advice: "Ask for less (a page, a range), or raise `encoded` if such bodies are wanted",
        setting: "`encoded` 0",
        input: Input::Text("a"),
        take: |bytes| octets(NO_CODING, Limits { encoded: 0, ..SMALL }, bytes),
    },
    Entry {
        reason: Reason::Deadline,
        advice: "Try again later with growing pauses; raise the deadline only if the link is known to be slow",
        setting: "a deadline of 0 ms, a byte a second",
        input: Input::Text(""),
        take: |bytes| timed(Pace::within(0), ticking(), Bytes { rest: bytes, fails: false }),
    },
    Entry {
        reason: Reason::TooSlow,
        advice: "As for `deadline`; a peer that trickles holds a place that others need",
        setting: "2 bytes in each second, a byte a second",
        input: Input::Text("a"),
        take: |bytes| {
            let pace = Pace::within(u64::MAX).at_least(2, 1000);
            timed(pace, ticking(), Bytes { rest: bytes, fails: false })
        },
    },
    Entry {
        reason: Reason::Capacity,
        advice: "Others hold the memory: wait until one has ended, then send the request again",
        setting: "a `Capacity` of 0 bytes",
        input: Input::Text("a"),
        take: |bytes| {
            let capacity = Capacity::new(0, 1);
            let mut permit = capacity.try_acquire().ok()?;
            permit.inspect(bytes).err().map(|refusal| refusal.rejection)
        },
    },
    Entry {
        reason: Reason::Cancelled,
        advice: "Nothing: the caller wanted it so",
        setting: "given up by the caller",
        input: Input::Text(""),
        take: |_| crate::take::cancelled(),
    },
    Entry {
        reason: Reason::SourceError,
        advice: "Look at the error of the source, which the driver keeps; then try again",
        setting: "a source that fails behind",
        input: Input::Text(""),
        take: |bytes| timed(Pace::within(u64::MAX), plimsoll::NoClock, Bytes { rest: bytes, fails: true }),
    },
    Entry {
        reason: Reason::NotGzip,
        advice: "The peer declared gzip and sent something else: look at the first bytes, often an error page",
        setting: "gzip",
        input: Input::Bytes(&[0x00]),
        take: |bytes| octets(GZIP, SMALL, bytes),
    },
    Entry {
        reason: Reason::BadHeader,
        advice: "Not a gzip of today: the peer, or what lies between, is broken",
        setting: "gzip",
        input: Input::Bytes(&[0x1F, 0x8B, 0x00]),
        take: |bytes| octets(GZIP, SMALL, bytes),
    },
    Entry {
        reason: Reason::HeaderLimit,
        advice: "Long names and comments have no use in a response: keep `header` low and have the peer leave them out",
        setting: "gzip, `header` 0",
        input: Input::Bytes(&[0x1F]),
        take: |bytes| octets(GZIP, Limits { header: 0, ..SMALL }, bytes),
    },
    Entry {
        reason: Reason::HeaderChecksum,
        advice: "Damaged on the way: try again",
        setting: "gzip",
        input: Input::Bytes(&[0x1F, 0x8B, 8, 2, 0, 0, 0, 0, 0, 0, 0, 0]),
        take: |bytes| octets(GZIP, SMALL, bytes),
    },
    Entry {
        reason: Reason::BadDeflate,
        advice: "Damaged or made to harm: try again once; the rejection's detail says what is wrong",
        setting: "gzip",
        input: Input::Bytes(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 0x06]),
        take: |bytes| octets(GZIP, SMALL, bytes),
    },
    Entry {
        reason: Reason::WindowTooSmall,
        advice: "Lend a larger ring, up to 32 KiB; `plimsoll profile` tells what the peer's bodies need",
        setting: "gzip, a ring of 256 bytes",
        input: Input::Bytes(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 0x4A, 0x1C, 0x05, 0xC0, 0x00, 0x00]),
        take: |bytes| through::<256>(Media::Octets, GZIP, &Policy::strict(SMALL), bytes),
    },
    Entry {
        reason: Reason::WorkLimit,
        advice: "Made to tire: no encoder in use comes near the presets. Refuse this peer",
        setting: "gzip, `work` 0",
        input: Input::Bytes(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 0x00]),
        take: |bytes| octets(GZIP, Limits { work: 0, ..SMALL }, bytes),
    },
    Entry {
        reason: Reason::DecodedLimit,
        advice: "Ask for less, or raise `decoded` (and the flat output) if such bodies are wanted; perhaps a bomb",
        setting: "`decoded` 0",
        input: Input::Text("a"),
        take: |bytes| octets(NO_CODING, Limits { decoded: 0, ..SMALL }, bytes),
    },
    Entry {
        reason: Reason::Checksum,
        advice: "Damaged on the way: try again",
        setting: "gzip",
        input: Input::Bytes(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 0x03, 0x00, 1, 0, 0, 0]),
        take: |bytes| octets(GZIP, SMALL, bytes),
    },
    Entry {
        reason: Reason::LengthField,
        advice: "Damaged on the way, or joined from parts: try again",
        setting: "gzip",
        input: Input::Bytes(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 0x03, 0x00, 0, 0, 0, 0, 1, 0, 0, 0]),
        take: |bytes| octets(GZIP, SMALL, bytes),
    },
    Entry {
        reason: Reason::IncompleteGzip,
        advice: "The connection ended early: try again. For a status without a body use `Head::without_body`",
        setting: "gzip",
        input: Input::Text(""),
        take: |bytes| octets(GZIP, SMALL, bytes),
    },
    Entry {
        reason: Reason::TrailingData,
        advice: "Allow more members, or zero padding, if the peer's bodies have them; otherwise the framing is wrong",
        setting: "gzip",
        input: Input::Bytes(&[0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0, 0x03, 0x00, 0, 0, 0, 0, 0, 0, 0, 0, 0x00]),
        take: |bytes| octets(GZIP, SMALL, bytes),
    },
    Entry {
        reason: Reason::MemberLimit,
        advice: "Raise `members` if the peer appends members; a response has one",
        setting: "gzip, `members` 0",
        input: Input::Bytes(&[0x1F, 0x8B]),
        take: |bytes| octets(GZIP, Limits { members: 0, ..SMALL }, bytes),
    },
    Entry {
        reason: Reason::InvalidUtf8,
        advice: "Have the peer send UTF-8, which JSON demands (RFC 8259, section 8.1)",
        setting: "text",
        input: Input::Bytes(&[0x80]),
        take: |bytes| body(Media::Text, NO_CODING, &Policy::strict(SMALL), bytes),
    },
    Entry {
        reason: Reason::IncompleteUtf8,
        advice: "The body was cut at its source: the peer truncates by bytes",
        setting: "text",
        input: Input::Bytes(&[0xC2]),
        take: |bytes| body(Media::Text, NO_CODING, &Policy::strict(SMALL), bytes),
    },
    Entry {
        reason: Reason::ByteOrderMark,
        advice: "Have the peer leave it out (RFC 8259, section 8.1)",
        setting: "JSON",
        input: Input::Bytes(&[0xEF, 0xBB, 0xBF]),
        take: |bytes| json(SMALL.document, bytes),
    },
    Entry {
        reason: Reason::JsonSyntax,
        advice: "Not JSON: look at the offset; comments, commas behind the last item and `NaN` are the usual ones",
        setting: "JSON",
        input: Input::Text("a"),
        take: |bytes| json(SMALL.document, bytes),
    },
    Entry {
        reason: Reason::LoneSurrogate,
        advice: "The peer cuts strings in the middle of a character: no Unicode text has half a pair",
        setting: "JSON",
        input: Input::Text("\"\\uDC00"),
        take: |bytes| json(SMALL.document, bytes),
    },
    Entry {
        reason: Reason::IncompleteJson,
        advice: "The body was cut at its source, or is empty: look at the status, and try again",
        setting: "JSON",
        input: Input::Text(""),
        take: |bytes| json(SMALL.document, bytes),
    },
    Entry {
        reason: Reason::TrailingDocument,
        advice: "Take several documents as `application/x-ndjson`",
        setting: "JSON",
        input: Input::Text("0["),
        take: |bytes| json(SMALL.document, bytes),
    },
    Entry {
        reason: Reason::DepthLimit,
        advice: "Raise `depth` and the levels if the format nests so deep; no format for people does",
        setting: "JSON, `depth` 0",
        input: Input::Text("["),
        take: |bytes| json(Document { depth: 0, ..SMALL.document }, bytes),
    },
    Entry {
        reason: Reason::StringLimit,
        advice: "Raise `string` if such strings are wanted",
        setting: "JSON, `string` 0",
        input: Input::Text("\"a"),
        take: |bytes| json(Document { string: 0, ..SMALL.document }, bytes),
    },
    Entry {
        reason: Reason::KeyLimit,
        advice: "Raise `key` if the peer uses data as keys",
        setting: "JSON, `key` 0",
        input: Input::Text("{\"a"),
        take: |bytes| json(Document { key: 0, ..SMALL.document }, bytes),
    },
    Entry {
        reason: Reason::NumberLimit,
        advice: "Raise `number` if such digits are wanted; 32 bytes hold every `f64` and `i64`",
        setting: "JSON, `number` 0",
        input: Input::Text("0"),
        take: |bytes| json(Document { number: 0, ..SMALL.document }, bytes),
    },
    Entry {
        reason: Reason::ItemLimit,
        advice: "Ask for a page of the list, or raise `items`; where a `*` of a selection takes more than there are places for, lend more",
        setting: "JSON, `items` 0",
        input: Input::Text("[0"),
        take: |bytes| json(Document { items: 0, ..SMALL.document }, bytes),
    },
    Entry {
        reason: Reason::ValueLimit,
        advice: "Ask for less, or raise `values`",
        setting: "JSON, `values` 0",
        input: Input::Text("0"),
        take: |bytes| json(Document { values: 0, ..SMALL.document }, bytes),
    },
    Entry {
        reason: Reason::RecordLimit,
        advice: "Raise `record` if such records are wanted; perhaps the line ends are missing",
        setting: "NDJSON, `record` 0",
        input: Input::Text("0"),
        take: |bytes| lines(Limits { record: 0, ..SMALL }, bytes),
    },
    Entry {
        reason: Reason::RecordCount,
        advice: "Ask for fewer, or raise `records`",
        setting: "NDJSON, `records` 0",
        input: Input::Text("0"),
        take: |bytes| lines(Limits { records: 0, ..SMALL }, bytes),
    },
    Entry {
        reason: Reason::DuplicateKey,
        advice: "Ambiguous: parsers differ in which they take, so take neither. Have the peer mend it",
        setting: "selecting `/a`",
        input: Input::Text("{\"a\":0,\"a\""),
        take: |bytes| select::<16>(["/a"], false, bytes),
    },
    Entry {
        reason: Reason::NumberRange,
        advice: "Take a wider type, if the value is right",
        setting: "as `u8`",
        input: Input::Text("-1"),
        take: typed,
    },
    Entry {
        reason: Reason::TypeMismatch,
        advice: "The peer's format is not the one that was expected: look at its version",
        setting: "as `u8`",
        input: Input::Text("["),
        take: typed,
    },
    Entry {
        reason: Reason::RetainedLimit,
        advice: "Lend more room for what is asked for, or ask for less",
        setting: "selecting all, room 0",
        input: Input::Text("0"),
        take: |bytes| select::<0>([""], false, bytes),
    },
    Entry {
        reason: Reason::MissingField,
        advice: "The peer's format is not the one that was expected; do not require what may be absent",
        setting: "requiring `/a`",
        input: Input::Text("0"),
        take: |bytes| select::<16>(["/a"], true, bytes),
    },
    Entry {
        reason: Reason::TokenLimit,
        advice: "Ask for fewer fields or records, or ask for a preview, which says how many are left out",
        setting: "a result of 0 tokens",
        input: Input::Text("0"),
        take: result,
    },
];
