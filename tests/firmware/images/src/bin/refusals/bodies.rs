//! A body that is refused, and what it is refused for.

use plimsoll::json::Retained;
use plimsoll::{Coding, Head, Limits, Reason};
use plimsoll_firmware::intake::{Bounds, LIMITS, RETAINED};

/// One body.
pub(crate) struct Body {
    /// Why it is refused.
    pub(crate) reason: Reason,
    pub(crate) head: Head,
    pub(crate) bytes: &'static [u8],
    pub(crate) bounds: Bounds,
}

impl Body {
    /// A gzip body under the limits of the gateway.
    pub(crate) const fn gzip(reason: Reason, bytes: &'static [u8]) -> Self {
        Self { reason, head: Head::new(Coding::Gzip), bytes, bounds: Bounds::strict(LIMITS, RETAINED) }
    }

    /// The same with a declared length.
    pub(crate) const fn declared(self, length: u64) -> Self {
        Self { head: self.head.with_length(length), ..self }
    }

    /// The same under other limits.
    pub(crate) const fn under(self, limits: Limits) -> Self {
        Self { bounds: Bounds::strict(limits, self.bounds.retained), ..self }
    }

    /// The same with room for so many bytes of its fields.
    pub(crate) const fn keeping(self, bytes: u32) -> Self {
        let retained = Retained { bytes, ..self.bounds.retained };
        Self { bounds: Bounds { retained, ..self.bounds }, ..self }
    }
}
