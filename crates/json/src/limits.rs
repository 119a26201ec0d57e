//! What a document may have at most.

use core::fmt;

use crate::levels::Storage;

/// What one document may have at most. Exactly that much is accepted, one more is refused; 0 means none.
///
/// Every limit is checked per byte, before the byte is lent. There is no default and no value for "unlimited";
/// [`DEVICE`](Self::DEVICE) and [`HOST`](Self::HOST) are presets to choose or to change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Limits {
    /// Bytes of a string after unescaping, as UTF-8: `string_limit`.
    pub string: u32,
    /// Bytes of a key after unescaping, as UTF-8: `key_limit`.
    pub key: u32,
    /// Bytes of a number as written: `number_limit`.
    pub number: u32,
    /// Elements or members of one container: `item_limit`.
    pub items: u32,
    /// Values in the document, containers included, keys not: `value_limit`.
    pub values: u32,
    /// Levels of nesting, where `[]` is 1: `depth_limit`.
    pub depth: u16,
}

impl Limits {
    /// For a device that takes in small documents: 16 levels, strings of 1 KiB, keys of 64 bytes, numbers of 32
    /// bytes, 1,000 items per container and 10,000 values.
    pub const DEVICE: Self =
        Self { string: 1 << 10, key: 64, number: 32, items: 1_000, values: 10_000, depth: 16 };

    /// For a host: 64 levels, strings of 1 MiB, keys of 1 KiB, numbers of 256 bytes, 1,000,000 items per
    /// container and 10,000,000 values.
    pub const HOST: Self =
        Self { string: 1 << 20, key: 1 << 10, number: 256, items: 1_000_000, values: 10_000_000, depth: 64 };

    /// Whether a storage can keep these limits.
    pub(crate) const fn held_by<L: Storage>(&self) -> Result<(), LimitsError> {
        if self.depth as usize > L::CAPACITY {
            return Err(LimitsError::Depth { capacity: L::CAPACITY });
        }
        if self.items > L::MOST_ITEMS {
            return Err(LimitsError::Items { most: L::MOST_ITEMS });
        }
        if !L::COUNTS_ITEMS && self.items < self.values {
            return Err(LimitsError::ItemsNotCounted);
        }
        Ok(())
    }
}

/// Limits that the chosen [`Levels`](crate::Levels) cannot keep: a mistake of the program, not of a peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LimitsError {
    /// The limit of depth is beyond the storage's levels.
    Depth {
        /// How many levels the storage has.
        capacity: usize,
    },
    /// The limit of items is beyond what the storage can count.
    Items {
        /// The highest limit it can keep.
        most: u32,
    },
    /// The storage counts no items, and the limit of items is below the limit of values, which would bound them.
    ItemsNotCounted,
}

impl fmt::Display for LimitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth { capacity } => {
                write!(f, "the depth limit is beyond the {capacity} levels there is room for")
            }
            Self::Items { most } => {
                write!(f, "the item limit is beyond {most}, the most that can be counted")
            }
            Self::ItemsNotCounted => {
                f.write_str("items are not counted, so the item limit must not be below the value limit")
            }
        }
    }
}

impl core::error::Error for LimitsError {}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;
    use crate::{Counted, Uncounted};

    const LIMITS: Limits = Limits { depth: 16, ..Limits::DEVICE };

    #[test]
    fn a_depth_of_exactly_the_capacity_is_held_and_one_more_is_not() {
        assert_eq!(LIMITS.held_by::<Counted<16>>(), Ok(()));
        assert_eq!(LIMITS.held_by::<Counted<15>>(), Err(LimitsError::Depth { capacity: 15 }));
        let bounded = Limits { items: LIMITS.values, ..LIMITS };
        assert_eq!(bounded.held_by::<Uncounted<2>>(), Ok(()));
        assert_eq!(bounded.held_by::<Uncounted<1>>(), Err(LimitsError::Depth { capacity: 8 }));
    }

    #[test]
    fn an_item_limit_that_could_not_be_kept_is_refused() {
        let most = (1 << 31) - 1;
        assert_eq!(Limits { items: most, ..LIMITS }.held_by::<Counted<16>>(), Ok(()));
        let over = Limits { items: most + 1, ..LIMITS };
        assert_eq!(over.held_by::<Counted<16>>(), Err(LimitsError::Items { most }));
        assert_eq!(LIMITS.held_by::<Uncounted<2>>(), Err(LimitsError::ItemsNotCounted));
    }

    #[test]
    fn the_text_of_an_error_names_the_most_that_can_be_kept() {
        let texts = [
            (
                LimitsError::Depth { capacity: 15 },
                "the depth limit is beyond the 15 levels there is room for",
            ),
            (LimitsError::Items { most: 7 }, "the item limit is beyond 7, the most that can be counted"),
            (
                LimitsError::ItemsNotCounted,
                "items are not counted, so the item limit must not be below the value limit",
            ),
        ];
        for (error, text) in texts {
            assert_eq!(std::format!("{error}"), text);
        }
    }
}
