//! What is refused for its text: UTF-8, JSON, and the limits of a document.

use plimsoll::json::Limits as DocumentLimits;
use plimsoll::{Limits, Reason};
use plimsoll_firmware::gzip;
use plimsoll_firmware::intake::LIMITS;

use crate::bodies::Body;

pub(crate) static BODIES: [Body; 13] = [
    Body::gzip(Reason::InvalidUtf8, gzip!(b"\"\xFF\"")),
    Body::gzip(Reason::IncompleteUtf8, gzip!(b"\"\xC3")),
    Body::gzip(Reason::ByteOrderMark, gzip!(b"\xEF\xBB\xBF{}")),
    Body::gzip(Reason::JsonSyntax, gzip!(b"{\"a\" 1}")),
    Body::gzip(Reason::LoneSurrogate, gzip!(b"\"\\ud800\"")),
    Body::gzip(Reason::IncompleteJson, gzip!(b"{\"a\":1")),
    Body::gzip(Reason::TrailingDocument, gzip!(b"{}{}")),
    Body::gzip(Reason::DepthLimit, gzip!(b"[[[[]]]]")),
    Body::gzip(Reason::StringLimit, gzip!(b"\"1234567890123456789012345\"")),
    Body::gzip(Reason::KeyLimit, gzip!(b"{\"12345678901234567\":0}")),
    Body::gzip(Reason::NumberLimit, gzip!(b"12345678901234567")),
    Body::gzip(Reason::ItemLimit, gzip!(b"[0,0,0]"))
        .under(document(DocumentLimits { items: 2, ..LIMITS.document })),
    Body::gzip(Reason::ValueLimit, gzip!(b"[0,0,0]"))
        .under(document(DocumentLimits { values: 3, ..LIMITS.document })),
];

const fn document(document: DocumentLimits) -> Limits {
    Limits { document, ..LIMITS }
}
