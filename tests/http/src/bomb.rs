//! 10 GiB of zeros, made as they are sent.
//!
//! One block of DEFLATE that stands for a MiB of zeros, ended so that nothing behind it depends on it, is sent over and
//! over: 10 MiB in all.

use std::io;

use flate2::{Compress, Compression, FlushCompress};

use crate::hostile::Peer;

/// MiB of zeros.
const MIB: usize = 10 * 1024;

/// The decoded length.
pub const LENGTH: u64 = (MIB as u64) << 20;

/// A member's header, and the block that is repeated.
#[derive(Clone, Debug)]
pub struct Bomb {
    block: Vec<u8>,
}

impl Bomb {
    pub fn new() -> Self {
        let mut block = Vec::with_capacity(1 << 16);
        let mut deflate = Compress::new(Compression::best(), false);
        deflate.compress_vec(&vec![0; 1 << 20], &mut block, FlushCompress::Full).unwrap();
        assert_eq!(deflate.total_in(), 1 << 20);
        assert!(block.len() < 1 << 12, "{}", block.len());
        Self { block }
    }

    /// Sends it, for as long as the peer takes it.
    pub fn send(&self, peer: &mut Peer) -> io::Result<()> {
        peer.send(b"\x1F\x8B\x08\0\0\0\0\0\0\xFF")?;
        for _ in 0..MIB {
            peer.send(&self.block)?;
        }
        Ok(())
    }
}

impl Default for Bomb {
    fn default() -> Self {
        Self::new()
    }
}

/// Sends 10 GiB of zeros as they are.
pub fn send_plain(peer: &mut Peer) -> io::Result<()> {
    let zeros = vec![0; 1 << 20];
    for _ in 0..MIB {
        peer.send(&zeros)?;
    }
    Ok(())
}
