//! What a response may cost, as plain data: every limit in one struct, with presets to start from.

use plimsoll_gzip::Trailing;

/// The limits of one response. All are counted over the whole response; 0 means nothing.
///
/// There is no default and no unlimited value: choose a preset and change what your device needs.
///
/// ```
/// use plimsoll::Limits;
///
/// let limits = Limits { decoded: 16 * 1024, ..Limits::SMALL_DEVICE };
/// assert_eq!(limits.encoded, 8 * 1024);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes as received, before content decoding.
    pub encoded: u64,
    /// Bytes after content decoding, over all gzip members.
    pub decoded: u64,
    /// Bytes of gzip headers, over all members.
    pub header: u64,
    /// Steps of decompression work that no output has paid for.
    pub work: u64,
    /// gzip members.
    pub members: u64,
}

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

impl Limits {
    /// For a device with some tens of kilobytes of memory: 8 KiB in, 32 KiB out, one member.
    pub const SMALL_DEVICE: Self =
        Self { encoded: 8 * KIB, decoded: 32 * KIB, header: 256, work: 16 * KIB, members: 1 };

    /// For a gateway that handles several responses at a time: 256 KiB in, 1 MiB out, one member.
    pub const GATEWAY: Self =
        Self { encoded: 256 * KIB, decoded: MIB, header: 4 * KIB, work: 64 * KIB, members: 1 };

    /// For a host program, and the command's defaults: 8 MiB in, 64 MiB out, one member.
    pub const HOST: Self =
        Self { encoded: 8 * MIB, decoded: 64 * MIB, header: 4 * KIB, work: 64 * KIB, members: 1 };
}

/// How one response is to be taken in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// The limits.
    pub limits: Limits,
    /// Whether zero bytes may follow the last gzip member.
    pub zero_padding: bool,
    /// Whether a gzip body may be empty, as after a HEAD request or with status 204.
    pub empty_body: bool,
    /// With `Some(n)`, a body of more than `n` decoded bytes ends as a preview of its first `n`.
    pub preview: Option<u64>,
}

impl Policy {
    /// The limits, and otherwise the strictest answers: no padding, no empty gzip body, no preview.
    #[must_use]
    pub const fn strict(limits: Limits) -> Self {
        Self { limits, zero_padding: false, empty_body: false, preview: None }
    }

    /// The part that concerns gzip framing.
    #[must_use]
    pub(crate) const fn gzip(&self) -> plimsoll_gzip::Policy {
        plimsoll_gzip::Policy {
            header_limit: self.limits.header,
            members: self.limits.members,
            trailing: if self.zero_padding { Trailing::ZeroPadding } else { Trailing::Refuse },
            empty: self.empty_body,
        }
    }
}
