//! Selected values of a document, by JSON Pointer (RFC 6901), without keeping the rest.
//!
//! A set of [`Pointers`] is checked when it is made, in a constant if wanted. [`Select`] follows the way that the
//! tokens of a document take and knows at each item which pointers lead there; what they name goes to a [`Visit`]. One
//! visitor is [`Fields`], which keeps the matches in memory that the caller lends and shows them only when the
//! document is complete. [`SelectRecords`] does the same for every record of a stream.

mod compact;
mod document;
mod fields;
mod path;
mod pointer;
mod record_fields;
mod records;
mod template;
mod visit;
mod way;
mod write;

pub use document::{Retained, Select};
pub use fields::{Fields, Selected, Slot, Value};
pub use pointer::{PointerError, PointerFault, Pointers};
pub use record_fields::RecordFields;
pub use records::SelectRecords;
pub use template::{NameError, Template};
pub use visit::{Kind, Visit};
