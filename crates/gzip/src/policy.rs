//! What a body may consist of besides one ordinary member.

/// What a gzip body may consist of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// The most header bytes, over all members: the fixed ten of each, extra field, name, comment and CRC.
    pub header_limit: u64,
    /// The most members. With 1, a second one is `trailing_data`; with more, one too many is `member_limit`.
    pub members: u64,
    /// What may follow the last member.
    pub trailing: Trailing,
    /// Whether the body may be empty, as the answer to a HEAD request is. Otherwise that is `incomplete_gzip`.
    pub empty: bool,
}

/// What may follow the last member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Trailing {
    /// Nothing.
    Refuse,
    /// Any number of zero bytes up to the end of the body, as tapes and block devices leave them.
    ZeroPadding,
    /// Anything: the stream ends by itself after [`Policy::members`] members, or before a byte that begins
    /// none, and the rest is handed back. For gzip inside of something else.
    HandBack,
}

impl Policy {
    /// One member and nothing else, with at most `header_limit` bytes of header.
    #[must_use]
    pub const fn single(header_limit: u64) -> Self {
        Self { header_limit, members: 1, trailing: Trailing::Refuse, empty: false }
    }
}
