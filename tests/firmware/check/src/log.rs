//! The log of an image: frames that name their text by a number, which the ELF knows.

use defmt_decoder::{DecodeError, Table};

use crate::Outcome;

/// The messages, each with its level, one per line.
pub(crate) fn decode(elf: &[u8], frames: &[u8]) -> Outcome<String> {
    let table = Table::parse(elf)?.ok_or("it has no table of messages")?;
    let mut decoder = table.new_stream_decoder();
    decoder.received(frames);
    let mut log = String::new();
    loop {
        match decoder.decode() {
            Ok(frame) => {
                let level = frame.level().map_or("", |level| level.as_str());
                log.push_str(&format!("{level}: {}\n", frame.display_message()));
            }
            Err(DecodeError::UnexpectedEof) => return Ok(log),
            Err(DecodeError::Malformed) => return Err(format!("a frame is malformed, after:\n{log}").into()),
        }
    }
}
