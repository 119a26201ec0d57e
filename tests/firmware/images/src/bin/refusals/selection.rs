//! What is refused for the fields that are wanted of it.

use plimsoll::Reason;
use plimsoll_firmware::gzip;

use crate::bodies::Body;

pub(crate) static BODIES: [Body; 5] = [
    Body::gzip(Reason::DuplicateKey, gzip!(b"{\"device\":\"a\",\"device\":\"b\"}")),
    Body::gzip(
        Reason::NumberRange,
        gzip!(b"{\"device\":\"a\",\"site\":\"b\",\"readings\":[{\"time\":4294967296}]}"),
    ),
    Body::gzip(Reason::TypeMismatch, gzip!(b"{\"device\":17,\"site\":\"b\"}")),
    Body::gzip(Reason::RetainedLimit, gzip!(b"{\"device\":\"abc\",\"site\":\"de\"}")).keeping(4),
    Body::gzip(Reason::MissingField, gzip!(b"{\"device\":\"a\"}")),
];
