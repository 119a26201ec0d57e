//! The bodies that the images are run over to see how deep their stack gets: sound ones of every kind, and one for each
//! way to be refused. They are small, since a Cortex-M0 has them in its flash.

use plimsoll_subjects::corpora::{Producer, deflate};

/// The sizes of the pieces in which each body comes.
const PIECES: [u16; 3] = [1, 7, 64];

/// A document with everything that JSON has, then documents that are refused.
pub(crate) fn json() -> Vec<u8> {
    let mut documents = vec![document()];
    let deep = "[".repeat(17);
    let faults = [
        "",
        "nul",
        "[1,]",
        "{\"a\" 1}",
        "[1}",
        "\"\\x\"",
        "\"\\ud800x\"",
        "\"\\udc00\"",
        "01",
        "1e",
        "-",
        "[1] 2",
        "\u{feff}1",
        "\"\u{1}\"",
        "\"abc",
        "{\"device\":1,\"device\":2}",
        &deep,
    ];
    documents.extend(faults.map(|text| text.as_bytes().to_vec()));
    documents.push(format!("\"{}\"", "x".repeat(1025)).into_bytes());
    documents.push(format!("{{\"{}\":1}}", "k".repeat(65)).into_bytes());
    documents.push("1".repeat(33).into_bytes());
    documents.push(b"\"\xe2\x82".to_vec());
    documents.push(b"\"\xff\"".to_vec());
    bodies(&documents)
}

/// A document with everything that JSON has, and with what the images select.
pub(crate) fn document() -> Vec<u8> {
    let mut text = String::from(concat!(
        "{\"device\" : \"gate\\\"way\\\\ \\u00fc \\ud83d\\ude00 £€😀\",\n \"firmware\": {\"a\": [1, {\"b\": null}], ",
        "\"c\": \"\\n\\t\"},\r\n\t\"site\": \"Hafenbecken süd\", \"\\u0064evices\": [[[[[[[[[[true]]]]]]]]]], ",
        "\"numbers\": [0, -0, 1.5e-10, 12345678901234567890, 1E+2, 0.25, false], \"readings\": ["
    ));
    for reading in 0..12 {
        text += &format!(
            "{{\"seq\": {reading}, \"sensor\": \"tank-{}\", \"level_mm\": {}.{reading}, \"valve\": \"open\"}}, ",
            reading % 4,
            1840 + reading * 7
        );
    }
    text += "{\"level_mm\": null}], \"empty\": [{}, [], \"\"]} ";
    text.into_bytes()
}

/// Raw DEFLATE in blocks of each type, and streams that are refused.
pub(crate) fn raw() -> Vec<u8> {
    let mut streams: Vec<_> = texts().iter().map(|text| deflate(Producer::Pigz, text)).collect();
    streams.push(stored(b"as it is"));
    streams.push(vec![0x03, 0x00]); // an empty fixed block
    streams.push(vec![0x07]); // a block of type 3
    streams.push(vec![0x01, 1, 0, 1, 0]); // LEN that is not NLEN's complement
    streams.push(vec![0x43, 0x60, 0x04, 0x46, 0x06, 0x00]); // a distance before the start
    streams.push(vec![0x05, 0xE0, 0xFF, 0xFF, 0xFF, 0xFF]); // lengths that are no code
    streams.push(distant());
    bodies(&streams)
}

/// The same in gzip, with headers of each kind, and bodies that are refused.
pub(crate) fn gzip() -> Vec<u8> {
    let texts = texts();
    let mut streams: Vec<_> =
        texts.iter().map(|text| member(&[], 0, &deflate(Producer::Pigz, text), text)).collect();
    let hello = stored(b"hello");
    let fields = [&b"\x02\0xx"[..], b"name\0", b"comment\0"].concat();
    streams.push(member(&fields, 0b1_1110, &hello, b"hello"));
    streams.push(member(&[], 0, &hello, b"hullo")); // the wrong checksum
    streams.push(member(&[], 0, &[0x07], b"")); // a block of type 3
    streams.push(member(&[], 0b1110_0000, &hello, b"hello")); // reserved flags
    streams.push([member(&[], 0, &hello, b"hello"), b"behind".to_vec()].concat());
    streams.push(member(&[], 0, &distant(), &[]));
    let faulty = b"{\"device\": \"\xff\"}";
    streams.push(member(&[], 0, &stored(faulty), faulty));
    streams.push(b"\x1f\x8c".to_vec());
    streams.push(member(&[], 0, &hello, b"hello")[..12].to_vec());
    bodies(&streams)
}

/// What is compressed: a document, letters of very different frequency, which have codes of every length, and more than
/// a window of 4 KiB holds.
fn texts() -> [Vec<u8>; 3] {
    let rare = noise(3000).iter().map(|byte| byte.trailing_zeros() as u8 * 16 + byte % 7).collect();
    [document(), rare, [document(), document(), document(), document()].concat()]
}

/// A stored block, and behind it a match that reaches 4,097 bytes back: too far for a ring of 4 KiB.
fn distant() -> Vec<u8> {
    let mut stream = stored(&noise(4100));
    stream[0] = 0; // not the last block
    // A fixed block: length 3 is 0000001, distance 4097 is code 24, 11000, and 11 bits that are zero.
    let bits = ["1", "10", "0000001", "11000", "00000000000", "0000000"].concat();
    let mut bytes = vec![0_u8; bits.len().div_ceil(8)];
    for (index, bit) in bits.bytes().enumerate() {
        bytes[index / 8] |= (bit - b'0') << (index % 8);
    }
    stream.extend(bytes);
    stream
}

/// Bytes that no two runs of this have differently, and that do not repeat.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 16) as u8
    };
    (0..count).map(|_| next()).collect()
}

/// RFC 1951, section 3.2.4: one last stored block.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let length = bytes.len() as u16;
    [&[1], &length.to_le_bytes()[..], &(!length).to_le_bytes(), bytes].concat()
}

/// RFC 1952, section 2.3: a member of `deflate`, which decodes to `decoded`, with the optional `fields` that `flags` tell.
pub(crate) fn member(fields: &[u8], flags: u8, deflate: &[u8], decoded: &[u8]) -> Vec<u8> {
    let mut header = [&[0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3], fields].concat();
    if flags & 2 != 0 {
        header.extend((crc32(&header) as u16).to_le_bytes());
    }
    let trailer = [crc32(decoded).to_le_bytes(), (decoded.len() as u32).to_le_bytes()].concat();
    [&header, deflate, &trailer].concat()
}

/// RFC 1952, section 8, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8)
            .fold(crc ^ u32::from(byte), |crc: u32, _| crc >> 1 ^ if crc & 1 == 1 { 0xEDB8_8320 } else { 0 })
    })
}

/// As the images take them: before each body the size of its pieces and its length.
fn bodies(bodies: &[Vec<u8>]) -> Vec<u8> {
    let mut all = Vec::new();
    for body in bodies {
        for piece in PIECES {
            let length = u16::try_from(body.len()).expect("a body is small");
            all.extend([&piece.to_le_bytes()[..], &length.to_le_bytes(), body].concat());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_one_of_the_catalogue() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn the_documents_are_what_they_are_said_to_be() {
        assert!(serde_json::from_slice::<serde_json::Value>(&document()).is_ok());
    }
}
