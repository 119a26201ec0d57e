//! One pass of a decoder of compcol's, for all images with one.

use compcol::Decoder;

/// Takes a body in from its beginning, and hands on what each call brings. Says whether nothing was refused.
#[inline]
pub fn decode<'a>(
    decoder: &mut impl Decoder,
    pieces: impl Iterator<Item = &'a [u8]>,
    output: &mut [u8],
    mut take: impl FnMut(&[u8]),
) -> bool {
    decoder.reset();
    for mut rest in pieces {
        loop {
            let Ok((progress, _)) = decoder.decode(rest, output) else { return false };
            take(output.get(..progress.written).unwrap_or_default());
            rest = rest.get(progress.consumed..).unwrap_or_default();
            if progress.consumed == 0 && progress.written == 0 {
                break;
            }
        }
    }
    true
}
