//! A sink that remembers what it was told, and can fail.

use plimsoll::Sink;

/// What a [`Recorder`] answers where it was told to fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Broken;

/// Remembers the provisional bytes and the words on whether they count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorder<const EXPOSES: bool> {
    /// All provisional bytes.
    pub bytes: Vec<u8>,
    /// Provisional bytes that it was offered, those of a call that failed included.
    pub offered: u64,
    /// How many calls brought them. None of them may be empty.
    pub calls: u64,
    /// How often it was told that the body is complete.
    pub commits: u64,
    /// How often it was told that the body does not count.
    pub discards: u64,
    /// Whether it was told anything after the word on whether the bytes count.
    pub late: bool,
    /// What it says to be able to take.
    pub capacity: u64,
    /// The call of `provisional`, from 0, that fails.
    pub fail_call: Option<u64>,
    /// Whether `commit` fails.
    pub fail_commit: bool,
}

impl<const EXPOSES: bool> Recorder<EXPOSES> {
    /// A recorder that can take `capacity` bytes.
    #[must_use]
    pub const fn new(capacity: u64) -> Self {
        Self {
            bytes: Vec::new(),
            offered: 0,
            calls: 0,
            commits: 0,
            discards: 0,
            late: false,
            capacity,
            fail_call: None,
            fail_commit: false,
        }
    }

    const fn told(&self) -> bool {
        self.commits + self.discards > 0
    }
}

impl<const EXPOSES: bool> Sink for Recorder<EXPOSES> {
    type Error = Broken;
    const EXPOSES: bool = EXPOSES;

    fn capacity(&self) -> u64 {
        self.capacity
    }

    fn provisional(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        self.late |= self.told();
        let call = self.calls;
        self.calls += 1;
        self.offered += bytes.len() as u64;
        if self.fail_call == Some(call) {
            return Err(Broken);
        }
        self.bytes.extend_from_slice(bytes);
        assert!(self.bytes.len() as u64 <= self.capacity, "more was offered than the sink can take");
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Broken> {
        self.late |= self.told();
        self.commits += 1;
        if self.fail_commit { Err(Broken) } else { Ok(()) }
    }

    fn discard(&mut self) {
        self.late |= self.told();
        self.discards += 1;
    }
}
