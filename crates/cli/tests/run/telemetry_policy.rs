use plimsoll::{Limits, Policy, json};

/// Measured over a body, with room to spare.
pub const POLICY: Policy = Policy::strict(LIMITS);

const LIMITS: Limits = Limits {
    encoded: 3 * 1024,
    decoded: 24 * 1024,
    header: 256,
    work: 32 * 1024,
    members: 1,
    document: json::Limits {
        depth: 6,
        string: 64,
        key: 32,
        number: 32,
        items: 200,
        values: 1_600,
    },
    ..Limits::SMALL_DEVICE // what none of them has
};

/// Bytes of a ring that every distance fits in.
pub const WINDOW: usize = 32 * 1024;
