//! Whole slices: `core::str::from_utf8`, or `simdutf8` where the feature asks for it. Nothing is kept.

#[cfg(not(feature = "simdutf8"))]
use core::str::from_utf8;
#[cfg(feature = "simdutf8")]
use simdutf8::compat::from_utf8;

/// `bytes` as text, or the length of its longest prefix that is text.
#[inline]
pub(crate) fn text(bytes: &[u8]) -> Result<&str, usize> {
    from_utf8(bytes).map_err(|error| error.valid_up_to())
}
