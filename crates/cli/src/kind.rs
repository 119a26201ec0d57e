//! What a file's name says of the body in it, where no option says otherwise.

use std::path::Path;

use plimsoll::{Coding, Head, Media};

/// What is known of a body before its first byte.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    pub(crate) head: Head,
    pub(crate) media: Media,
}

/// The coding is gzip under a name that ends in `.gz`; the media type follows from the extension before that.
pub(crate) fn of_file(path: &Path) -> Kind {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let (name, coding) = match name.strip_suffix(".gz") {
        Some(name) => (name, Coding::Gzip),
        None => (name.as_str(), Coding::Identity),
    };
    let media = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("json") => Media::Json,
        Some("ndjson" | "jsonl") => Media::NdJson,
        Some("txt") => Media::Text,
        _ => Media::Octets,
    };
    Kind { head: Head::new(coding), media }
}
