//! A gzip member from its parts (RFC 1952, section 2.3), each of which can be spoiled.

use crate::bits::Bits;

/// The bits of FLG.
pub mod flag {
    /// The body is probably text.
    pub const TEXT: u8 = 1 << 0;
    /// A CRC-16 of the header follows it.
    pub const HEADER_CRC: u8 = 1 << 1;
    /// An extra field is present.
    pub const EXTRA: u8 = 1 << 2;
    /// A file name is present.
    pub const NAME: u8 = 1 << 3;
    /// A comment is present.
    pub const COMMENT: u8 = 1 << 4;
}

/// What stands in the field for the header's CRC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeaderCrc {
    /// The field is absent.
    Absent,
    /// What it should be: the low half of the CRC-32 over the header before it.
    Right,
    /// The right value with these bits inverted.
    Flipped(u16),
    /// Something else.
    Value(u16),
}

/// A member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// ID1 and ID2.
    pub id: [u8; 2],
    /// CM.
    pub method: u8,
    /// Bits of FLG besides those that follow from the optional fields.
    pub flags: u8,
    /// MTIME.
    pub mtime: [u8; 4],
    /// XFL.
    pub xfl: u8,
    /// OS.
    pub os: u8,
    /// The extra field, without its length.
    pub extra: Option<Vec<u8>>,
    /// The file name, without its zero byte.
    pub name: Option<Vec<u8>>,
    /// The comment, without its zero byte.
    pub comment: Option<Vec<u8>>,
    /// The header's CRC.
    pub header_crc: HeaderCrc,
    /// The compressed data.
    pub data: Vec<u8>,
    /// CRC32.
    pub crc: u32,
    /// ISIZE.
    pub length: u32,
}

impl Member {
    /// A member of compressed data that stands for `plain`.
    #[must_use]
    pub fn of(data: Vec<u8>, plain: &[u8]) -> Self {
        Self {
            id: [0x1F, 0x8B],
            method: 8,
            flags: 0,
            mtime: [0; 4],
            xfl: 0,
            os: 255,
            extra: None,
            name: None,
            comment: None,
            header_crc: HeaderCrc::Absent,
            data,
            crc: crc32fast::hash(plain),
            length: plain.len() as u32,
        }
    }

    /// `plain` in one fixed block, as literals.
    #[must_use]
    pub fn fixed(plain: &[u8]) -> Self {
        Self::of(Bits::new().fixed(true, plain).bytes(), plain)
    }

    /// `plain` in stored blocks.
    #[must_use]
    pub fn stored(plain: &[u8]) -> Self {
        let mut bits = Bits::new();
        for block in plain.chunks(0xFFFF) {
            bits.stored(false, block);
        }
        Self::of(bits.stored(true, b"").bytes(), plain)
    }

    /// `plain` as the oracle's encoder packs it at this level.
    #[must_use]
    pub fn packed(plain: &[u8], level: u32) -> Self {
        Self::of(crate::oracle::deflate(plain, level), plain)
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> Vec<u8> {
        let mut flags = self.flags;
        let mut fields = Vec::new();
        if let Some(extra) = &self.extra {
            flags |= flag::EXTRA;
            fields.extend_from_slice(&u16::try_from(extra.len()).unwrap().to_le_bytes());
            fields.extend_from_slice(extra);
        }
        for (bit, text) in [(flag::NAME, &self.name), (flag::COMMENT, &self.comment)] {
            if let Some(text) = text {
                flags |= bit;
                fields.extend_from_slice(text);
                fields.push(0);
            }
        }
        if self.header_crc != HeaderCrc::Absent {
            flags |= flag::HEADER_CRC;
        }
        let mut header = vec![self.id[0], self.id[1], self.method, flags];
        header.extend_from_slice(&self.mtime);
        header.extend_from_slice(&[self.xfl, self.os]);
        header.extend_from_slice(&fields);
        let right = crc32fast::hash(&header) as u16;
        match self.header_crc {
            HeaderCrc::Absent => {}
            HeaderCrc::Right => header.extend_from_slice(&right.to_le_bytes()),
            HeaderCrc::Flipped(bits) => header.extend_from_slice(&(right ^ bits).to_le_bytes()),
            HeaderCrc::Value(value) => header.extend_from_slice(&value.to_le_bytes()),
        }
        header
    }

    /// The whole member.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.header();
        bytes.extend_from_slice(&self.data);
        bytes.extend_from_slice(&self.crc.to_le_bytes());
        bytes.extend_from_slice(&self.length.to_le_bytes());
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oracle_reads_a_member_with_everything_in_it() {
        let member = Member {
            flags: flag::TEXT,
            mtime: [1, 2, 3, 4],
            extra: Some(b"extra".to_vec()),
            name: Some(b"name".to_vec()),
            comment: Some(b"comment".to_vec()),
            header_crc: HeaderCrc::Right,
            ..Member::fixed(b"hello")
        };
        let bytes = member.bytes();
        let mut decoder = flate2::bufread::GzDecoder::new(&bytes[..]);
        let mut plain = Vec::new();
        std::io::Read::read_to_end(&mut decoder, &mut plain).unwrap();
        assert_eq!(plain, b"hello");
        let header = decoder.header().unwrap();
        assert_eq!(header.filename(), Some(&b"name"[..]));
        assert_eq!(header.comment(), Some(&b"comment"[..]));
        assert_eq!(header.extra(), Some(&b"extra"[..]));
        assert_eq!(header.mtime(), 0x0403_0201);
    }
}
