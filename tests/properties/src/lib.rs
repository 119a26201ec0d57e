//! What must hold for every input, as functions of a byte string, which panic where it does not hold.
//!
//! Three things call them: the fuzz targets in `fuzz/`, one for each; the tests with proptest here; and the test that
//! holds every input in `regressions/` which was once a finding. All three take the same bytes, so that what one finds
//! the others can be given.
//!
//! An [`Input`] is 24 dials, which choose cuts and limits, and a body. The oracles, drivers and generators are those
//! of the other test crates.
#![forbid(unsafe_code)]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::panic_in_result_fn,
    clippy::missing_errors_doc,
    reason = "this is test code throughout: whatever goes wrong here is a finding"
)]

pub mod answer;
pub mod drivers;
pub mod effects;
pub mod gzip;
pub mod inflate;
mod input;
pub mod json;
pub mod made;
pub mod pipeline;
pub mod policy;
pub mod reader;
pub mod records;
pub mod report;
pub mod seeds;
pub mod select;
pub mod typed;
pub mod utf8;
pub mod values;

pub use input::{DIALS, Input, LONGEST, WIDE};
use seeds::Kind;

/// Something that holds for every input.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    /// The name of its fuzz target.
    pub name: &'static str,
    /// What holds, in one line.
    pub says: &'static str,
    /// What its bodies are made of.
    pub kind: Kind,
    holds: fn(Input<'_>),
}

impl Property {
    /// Checks an input.
    ///
    /// # Panics
    /// If the property does not hold for it: that is a finding.
    pub fn check(&self, data: &[u8]) {
        (self.holds)(Input::of(data));
    }
}

/// Checks an input for the property of this name.
///
/// # Panics
/// If the property does not hold for it, or there is none of that name.
pub fn check(name: &str, data: &[u8]) {
    ALL.iter().find(|property| property.name == name).expect("a property of that name").check(data);
}

/// All properties.
pub const ALL: [Property; 24] = [
    Property {
        name: "inflate",
        says: "Raw DEFLATE is judged as RFC 1951 and zlib-rs say: the same bytes, verdict and length.",
        kind: Kind::Deflate,
        holds: inflate::judged,
    },
    Property {
        name: "histories",
        says: "A ring and a flat buffer give the same bytes and verdict with every engine.",
        kind: Kind::Deflate,
        holds: inflate::histories,
    },
    Property {
        name: "gzip",
        says: "Under each policy a gzip body is complete exactly where flate2 takes all of it.",
        kind: Kind::Gzip,
        holds: gzip::policies,
    },
    Property {
        name: "gzip_limits",
        says: "A gzip body is complete under limits exactly where it has no more than they allow.",
        kind: Kind::Gzip,
        holds: gzip::counted,
    },
    Property {
        name: "machine",
        says: "Under any policy every form of the push machine says the same in any pieces, within its limits.",
        kind: Kind::Gzip,
        holds: gzip::machine,
    },
    Property {
        name: "pipeline",
        says: "A response in any pieces comes to what its stages come to one after the other.",
        kind: Kind::Gzip,
        holds: pipeline::stages,
    },
    Property {
        name: "reader",
        says: "A body that is read in any parts comes to what its stages come to one after the other.",
        kind: Kind::Gzip,
        holds: reader::pulled,
    },
    Property {
        name: "drivers",
        says: "By any driver and reader, through waits, interruptions and dropped futures, a body comes to the same.",
        kind: Kind::Gzip,
        holds: drivers::driven,
    },
    Property {
        name: "utf8",
        says: "Validator, runs and repair agree with core on the verdict, its place and the text, in any pieces.",
        kind: Kind::Text,
        holds: utf8::text,
    },
    Property {
        name: "json",
        says: "A JSON document is taken exactly where serde_json takes it, with the same contents, in any pieces.",
        kind: Kind::Json,
        holds: json::document,
    },
    Property {
        name: "json_limits",
        says: "A JSON document is accepted under limits exactly where it has no more than they allow.",
        kind: Kind::Json,
        holds: json::limited,
    },
    Property {
        name: "records",
        says: "A stream has the records that its format and serde_json say, in any pieces.",
        kind: Kind::Records,
        holds: records::stream,
    },
    Property {
        name: "effects",
        says: "Each record that a check accepts is handed on once, whole and in order, and no other, in any pieces.",
        kind: Kind::Records,
        holds: effects::handed_on,
    },
    Property {
        name: "select",
        says: "Pointers find what a walk through serde_json's tree finds, and retain no more than allowed.",
        kind: Kind::Select,
        holds: select::pointers,
    },
    Property {
        name: "select_records",
        says: "Each record of a stream is selected from as a document of its own, and skipped where it is refused.",
        kind: Kind::Select,
        holds: select::records,
    },
    Property {
        name: "answer",
        says: "A tool result is what was selected as serde_json reads it back, whole within its limits or a part.",
        kind: Kind::Select,
        holds: answer::rendered,
    },
    Property {
        name: "typed",
        says: "A document read into a type has the value that serde_json gives it, or both refuse it.",
        kind: Kind::Json,
        holds: typed::values,
    },
    Property {
        name: "values",
        says: "Each record of a stream has the value that it has as a document of its own, or is refused for the same.",
        kind: Kind::Values,
        holds: values::streamed,
    },
    Property {
        name: "policy",
        says: "Codings, media types, pointers, sizes, durations and rates are read as by a second reading of their grammar.",
        kind: Kind::Policy,
        holds: policy::texts,
    },
    Property {
        name: "report",
        says: "The report of any outcome is valid JSON with the published keys and the outcome's values.",
        kind: Kind::Choices,
        holds: report::written,
    },
    Property {
        name: "made_deflate",
        says: "Blocks with every field at and over its border satisfy `inflate` and `histories`.",
        kind: Kind::Choices,
        holds: made::deflate,
    },
    Property {
        name: "made_gzip",
        says: "Members that are legal or have one thing wrong satisfy `gzip`, `gzip_limits` and `machine`.",
        kind: Kind::Choices,
        holds: made::members,
    },
    Property {
        name: "made_json",
        says: "Documents and streams that are legal or have one thing wrong satisfy the properties of JSON.",
        kind: Kind::Choices,
        holds: made::documents,
    },
    Property {
        name: "made_responses",
        says: "Packed documents and streams, whole, cut or changed in one place, satisfy `pipeline`, `reader` and `drivers`.",
        kind: Kind::Choices,
        holds: made::responses,
    },
];
