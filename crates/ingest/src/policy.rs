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
    /// What one JSON document, or each record, may have at most. A device that takes no JSON can leave the
    /// preset's.
    pub document: plimsoll_json::Limits,
    /// Bytes of one record, without its delimiter.
    pub record: u64,
    /// Records of a stream.
    pub records: u64,
}

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

impl Limits {
    /// For a device with some tens of kilobytes of memory: 8 KiB in, 32 KiB out, one member, JSON of 16 levels.
    pub const SMALL_DEVICE: Self = Self {
        encoded: 8 * KIB,
        decoded: 32 * KIB,
        header: 256,
        work: 16 * KIB,
        members: 1,
        document: plimsoll_json::Limits::DEVICE,
        record: 4 * KIB,
        records: 1000,
    };

    /// For a gateway that handles several responses at a time: 256 KiB in, 1 MiB out, one member, JSON of 32
    /// levels.
    pub const GATEWAY: Self = Self {
        encoded: 256 * KIB,
        decoded: MIB,
        header: 4 * KIB,
        work: 64 * KIB,
        members: 1,
        document: plimsoll_json::Limits {
            string: 16 * 1024,
            key: 256,
            number: 64,
            items: 100_000,
            values: 100_000,
            depth: 32,
        },
        record: 64 * KIB,
        records: 10_000,
    };

    /// For a host program, and the command's defaults: 8 MiB in, 64 MiB out, one member, JSON of 64 levels.
    pub const HOST: Self = Self {
        encoded: 8 * MIB,
        decoded: 64 * MIB,
        header: 4 * KIB,
        work: 64 * KIB,
        members: 1,
        document: plimsoll_json::Limits::HOST,
        record: MIB,
        records: 1_000_000,
    };

    /// Holds these limits against the most that a deployment was built for, so that no configuration can raise
    /// one past it.
    ///
    /// # Errors
    /// Names the first limit that is over its ceiling.
    pub fn within(&self, ceiling: &Self) -> Result<(), OverCeiling> {
        let over = |&((name, asked), (_, most)): &(_, (_, u64))| -> Option<OverCeiling> {
            (asked > most).then_some(OverCeiling { name, asked, most })
        };
        self.named().zip(ceiling.named()).find_map(|pair| over(&pair)).map_or(Ok(()), Err)
    }

    /// All limits by name.
    fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let Self { encoded, decoded, header, work, members, document, record, records } = *self;
        let plimsoll_json::Limits { string, key, number, items, values, depth } = document;
        [
            ("encoded", encoded),
            ("decoded", decoded),
            ("header", header),
            ("work", work),
            ("members", members),
            ("string", string.into()),
            ("key", key.into()),
            ("number", number.into()),
            ("items", items.into()),
            ("values", values.into()),
            ("depth", depth.into()),
            ("record", record),
            ("records", records),
        ]
        .into_iter()
    }
}

/// A limit that is set higher than the deployment allows: a mistake of the configuration, not of a peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct OverCeiling {
    /// The limit's field in [`Limits`] or in its document limits.
    pub name: &'static str,
    /// What it was set to.
    pub asked: u64,
    /// The most it may be.
    pub most: u64,
}

impl core::fmt::Display for OverCeiling {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { name, asked, most } = self;
        write!(f, "the limit `{name}` is set to {asked}, and this deployment allows at most {most}")
    }
}

impl core::error::Error for OverCeiling {}

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
    ///
    /// Behind malformed text, which a preview repairs, nothing is shown to the inspectors any more. A
    /// [`Permit`](plimsoll_budget::Permit) that is among them counts no further: reserve `n` bytes for it before.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_within_themselves_and_within_greater_ones() {
        for limits in [Limits::SMALL_DEVICE, Limits::GATEWAY, Limits::HOST] {
            assert_eq!(limits.within(&limits), Ok(()));
        }
        assert_eq!(Limits::SMALL_DEVICE.within(&Limits::GATEWAY), Ok(()));
        assert_eq!(Limits::GATEWAY.within(&Limits::HOST), Ok(()));
    }

    #[test]
    fn a_limit_over_its_ceiling_is_named() {
        let over = Limits { decoded: MIB.saturating_add(1), ..Limits::GATEWAY };
        let expected = OverCeiling { name: "decoded", asked: 1_048_577, most: 1_048_576 };
        assert_eq!(over.within(&Limits::GATEWAY), Err(expected));
        let document = plimsoll_json::Limits { depth: 33, ..Limits::GATEWAY.document };
        let over = Limits { document, ..Limits::GATEWAY };
        assert_eq!(over.within(&Limits::GATEWAY).map_err(|over| over.name), Err("depth"));
    }

    #[test]
    fn every_limit_has_its_ceiling() {
        let nothing = Limits {
            encoded: 0,
            decoded: 0,
            header: 0,
            work: 0,
            members: 0,
            document: plimsoll_json::Limits { string: 0, key: 0, number: 0, items: 0, values: 0, depth: 0 },
            record: 0,
            records: 0,
        };
        assert!(Limits::SMALL_DEVICE.named().all(|(_, value)| value > 0));
        assert!(nothing.named().all(|(_, value)| value == 0));
        assert_eq!(size_of::<Limits>(), 7 * 8 + 5 * 4 + 4, "a new field belongs into `named`");
    }
}
