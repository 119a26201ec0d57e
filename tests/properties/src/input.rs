//! How a byte string becomes a case: some dials in front, which choose limits and cuts, and a body behind them.

/// How many bytes of an input are dials.
pub const DIALS: usize = 24;

/// The longest input, which is also the longest that `cargo xtask fuzz` tries. Buffers, limits and numbers of a reference reach
/// as far as anything in an input of this length.
pub const LONGEST: usize = 4096;

/// The dials of a body that comes in one piece and meets no limit that they set.
pub const WIDE: [u8; DIALS] = {
    let mut dials = [0xFF; DIALS];
    let (sizes, _) = dials.split_at_mut(4);
    sizes.copy_from_slice(&[0; 4]);
    dials
};

/// An input, taken apart.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// Four sizes of pieces, and then whatever the property reads from them. Those that are missing are 0.
    pub dials: [u8; DIALS],
    /// What is to be decoded.
    pub body: &'a [u8],
}

impl<'a> Input<'a> {
    /// Takes an input apart.
    #[must_use]
    pub fn of(data: &'a [u8]) -> Self {
        let (front, body) = data.split_at(data.len().min(DIALS));
        let mut dials = [0; DIALS];
        dials[..front.len()].copy_from_slice(front);
        Self { dials, body }
    }

    /// The same dials before another body.
    #[must_use]
    pub fn with<'b>(&self, body: &'b [u8]) -> Input<'b> {
        Input { dials: self.dials, body }
    }

    /// The sizes of the pieces, in turn. All 0 means one piece.
    #[must_use]
    pub fn sizes(&self) -> [u8; 4] {
        let [one, two, three, four, ..] = self.dials;
        [one, two, three, four]
    }

    /// The body in pieces of these sizes, some of them empty.
    #[must_use]
    pub fn pieces(&self) -> Vec<&'a [u8]> {
        let cut = conformance::Cut::Cycle(self.sizes());
        cut.pieces(self.body.len()).into_iter().map(|piece| &self.body[piece]).collect()
    }

    /// A number of 8 bits.
    #[must_use]
    pub fn dial(&self, at: usize) -> u64 {
        self.dials[at].into()
    }

    /// A number of 16 bits.
    #[must_use]
    pub fn wide_dial(&self, at: usize) -> u64 {
        u16::from_le_bytes([self.dials[at], self.dials[at + 1]]).into()
    }

    /// Whether a bit is off. In [`WIDE`] all are on, so that a choice which is taken by a bit that is off is
    /// taken seldom.
    #[must_use]
    pub fn chosen(&self, at: usize, bit: u32) -> bool {
        self.dials[at] >> bit & 1 == 0
    }
}
