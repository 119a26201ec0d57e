//! Other decoders, on a whole stream and a buffer that is large enough.

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress};
use zlib_rs::{Inflate, InflateFlush, Status};

/// What an oracle says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opinion {
    /// The stream is whole and has this length.
    Whole(Vec<u8>, usize),
    /// It is not; what came before the fault.
    Refused(Vec<u8>),
}

/// zlib-rs with a window of 32 KiB.
#[must_use]
pub fn zlib_rs(input: &[u8], capacity: usize) -> Opinion {
    let mut output = vec![0; capacity];
    let mut inflate = Inflate::new(false, 15);
    let result = inflate.decompress(input, &mut output, InflateFlush::SyncFlush);
    output.truncate(inflate.total_out() as usize);
    match result {
        Ok(Status::StreamEnd) => Opinion::Whole(output, inflate.total_in() as usize),
        _ => Opinion::Refused(output),
    }
}

/// `miniz_oxide` in its mode that checks distances.
#[must_use]
pub fn miniz_oxide(input: &[u8], capacity: usize) -> Opinion {
    let mut output = vec![0; capacity];
    let mut decompressor = Box::<DecompressorOxide>::default();
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (status, consumed, produced) = decompress(&mut decompressor, input, &mut output, 0, flags);
    output.truncate(produced);
    if status == TINFLStatus::Done { Opinion::Whole(output, consumed) } else { Opinion::Refused(output) }
}

/// libdeflate, which does not say how long the stream was.
#[must_use]
pub fn libdeflate(input: &[u8], capacity: usize) -> Option<Vec<u8>> {
    let mut output = vec![0; capacity];
    let produced = libdeflater::Decompressor::new().deflate_decompress(input, &mut output).ok()?;
    output.truncate(produced);
    Some(output)
}
