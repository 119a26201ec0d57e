//! What is refused before a byte is read, for the head of a response.

use plimsoll::{Coding, Media, Reason};

use crate::bodies::Body;
use crate::trial::Trial;

/// Values of fields, told by those that read them.
pub(crate) fn meet(trial: &mut Trial<'_>) {
    trial.met(Coding::from_header("br").err());
    trial.met(Coding::from_header("gzip, gzip").err());
    trial.met(
        Media::from_header("text/html; charset=utf-8").and_then(|media| media.among(&[Media::Json])).err(),
    );
}

/// Twice what may be read.
pub(crate) static BODIES: [Body; 1] = [Body::gzip(Reason::DeclaredLength, b"").declared(4096)];
