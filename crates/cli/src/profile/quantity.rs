//! What is measured of a body, and the rule that makes a limit of the greatest of all bodies.
//!
//! A limit is twice the greatest, rounded up to a readable number: bytes to two significant binary digits behind the
//! first, so by less than a quarter, other counts to two decimal digits. A sample says little about the next body where
//! it is small, so no limit is below its floor; none is above what the machine can hold. Two have rules of their own:
//! members stay 1 where no body had more, and a window is a power of two of at most 32 KiB.

use plimsoll::inflate::{MAX_DISTANCE, SUGGESTED_WORK_LIMIT};

use super::measure::Measures;
use crate::args::{LEVELS, MOST_ITEMS};
use crate::size;

/// What is measured, in the order in which it is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quantity {
    Encoded,
    Decoded,
    Ratio,
    Header,
    Work,
    Members,
    Window,
    Depth,
    String,
    Key,
    Number,
    Items,
    Values,
    Record,
    Records,
}

/// What a number counts, which says how it is shown and rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unit {
    Bytes,
    /// Steps of work, whose limit is written as a size.
    Steps,
    Count,
    /// Hundredths.
    Ratio,
}

/// All that differs between quantities.
pub(crate) struct Traits {
    /// Its name in tables and for machines, and the limit's field in Rust.
    pub(crate) name: &'static str,
    /// The option of `plimsoll ingest` that limits it.
    pub(crate) option: Option<&'static str>,
    pub(crate) unit: Unit,
    /// The least limit that is proposed.
    floor: u64,
    /// The highest limit that can be set.
    ceiling: u64,
}

const fn limited(
    name: &'static str,
    option: &'static str,
    unit: Unit,
    (floor, ceiling): (u64, u64),
) -> Traits {
    Traits { name, option: Some(option), unit, floor, ceiling }
}

impl Quantity {
    pub(crate) const ALL: [Self; 15] = [
        Self::Encoded,
        Self::Decoded,
        Self::Ratio,
        Self::Header,
        Self::Work,
        Self::Members,
        Self::Window,
        Self::Depth,
        Self::String,
        Self::Key,
        Self::Number,
        Self::Items,
        Self::Values,
        Self::Record,
        Self::Records,
    ];

    pub(crate) const fn traits(self) -> Traits {
        const ANY: u64 = u64::MAX;
        const WORD: u64 = u32::MAX as u64;
        match self {
            Self::Encoded => limited("encoded", "--encoded-limit", Unit::Bytes, (1024, ANY)),
            Self::Decoded => limited("decoded", "--decoded-limit", Unit::Bytes, (1024, ANY)),
            Self::Ratio => Traits { name: "ratio", option: None, unit: Unit::Ratio, floor: 0, ceiling: ANY },
            // A header may have the name of the file.
            Self::Header => limited("header", "--header-limit", Unit::Bytes, (256, ANY)),
            Self::Work => limited("work", "--work-limit", Unit::Steps, (SUGGESTED_WORK_LIMIT, ANY)),
            Self::Members => limited("members", "--members", Unit::Count, (1, ANY)),
            Self::Window => Traits {
                name: "window",
                option: None,
                unit: Unit::Bytes,
                floor: 256,
                ceiling: MAX_DISTANCE as u64,
            },
            Self::Depth => limited("depth", "--depth", Unit::Count, (4, LEVELS as u64)),
            Self::String => limited("string", "--string", Unit::Bytes, (64, WORD)),
            Self::Key => limited("key", "--key", Unit::Bytes, (32, WORD)),
            // Every integer of 64 bits and every float that is written as short as it can be.
            Self::Number => limited("number", "--number", Unit::Bytes, (32, WORD)),
            Self::Items => limited("items", "--items", Unit::Count, (16, MOST_ITEMS as u64)),
            Self::Values => limited("values", "--values", Unit::Count, (16, WORD)),
            Self::Record => limited("record", "--record", Unit::Bytes, (64, ANY)),
            Self::Records => limited("records", "--records", Unit::Count, (16, ANY)),
        }
    }

    /// What a body has of it, where it applies.
    pub(crate) fn of(self, measures: &Measures) -> Option<u64> {
        let Measures { encoded, decoded, gzip, document, stream } = measures;
        match self {
            Self::Encoded => Some(*encoded),
            Self::Decoded => Some(*decoded),
            Self::Ratio => ratio(*encoded, *decoded).filter(|_| gzip.is_some()),
            Self::Header => gzip.map(|gzip| gzip.header),
            Self::Work => gzip.map(|gzip| gzip.work),
            Self::Members => gzip.map(|gzip| gzip.members),
            Self::Window => gzip.map(|gzip| gzip.distance),
            Self::Depth => document.map(|document| document.depth),
            Self::String => document.map(|document| document.string),
            Self::Key => document.map(|document| document.key),
            Self::Number => document.map(|document| document.number),
            Self::Items => document.map(|document| document.items),
            Self::Values => document.map(|document| document.values),
            Self::Record => stream.map(|stream| stream.longest),
            Self::Records => stream.map(|stream| stream.records),
        }
    }

    /// The limit that leaves room above `greatest`; `None` where nothing is limited.
    pub(crate) fn limit(self, greatest: u64) -> Option<u64> {
        let Traits { option, unit, floor, ceiling, .. } = self.traits();
        let twice = greatest.saturating_mul(2);
        let roomy = match (self, unit) {
            (Self::Members, _) if greatest <= 1 => 1,
            (Self::Window, _) => return Some(twice.clamp(floor, ceiling).next_power_of_two()),
            (_, Unit::Bytes | Unit::Steps) => round_up_binary(twice),
            (_, Unit::Count) => round_up_decimal(twice),
            (_, Unit::Ratio) => return None,
        };
        option.map(|_| roomy.clamp(floor, ceiling))
    }

    /// A limit as people read it: exactly.
    pub(crate) fn show_limit(self, limit: u64) -> String {
        match self.traits().unit {
            Unit::Bytes => size::spelled(limit),
            _ => self.show(limit),
        }
    }

    /// As people read it.
    pub(crate) fn show(self, value: u64) -> String {
        match self.traits().unit {
            Unit::Bytes => size::shown(value),
            Unit::Steps | Unit::Count => indicatif::HumanCount(value).to_string(),
            Unit::Ratio => {
                let (whole, hundredths) = (value.div_euclid(100), value.rem_euclid(100));
                format!("{whole}.{hundredths:02}")
            }
        }
    }
}

/// Decoded bytes for each encoded one, in hundredths, rounded down.
fn ratio(encoded: u64, decoded: u64) -> Option<u64> {
    let hundredths = u128::from(decoded).saturating_mul(100).checked_div(u128::from(encoded))?;
    u64::try_from(hundredths).ok()
}

/// Rounds up to a multiple of a quarter of the power of two below.
fn round_up_binary(number: u64) -> u64 {
    let step = number.checked_ilog2().map_or(0, |digits| digits.saturating_sub(2));
    round_up(number, 1 << step)
}

/// Rounds up to two decimal digits and zeros.
fn round_up_decimal(number: u64) -> u64 {
    let step = number.checked_ilog10().map_or(0, |digits| digits.saturating_sub(1));
    round_up(number, 10_u64.saturating_pow(step))
}

fn round_up(number: u64, step: u64) -> u64 {
    number.checked_next_multiple_of(step).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_rounded_up_to_quarters_of_a_power_of_two_and_counts_to_two_digits() {
        for (number, binary, decimal) in [
            (0, 0, 0),
            (1, 1, 1),
            (7, 7, 7),
            (8, 8, 8),
            (9, 10, 9),
            (99, 112, 99),
            (101, 112, 110),
            (1024, 1024, 1100),
            (1025, 1280, 1100),
            (127_590, 131_072, 130_000),
            (1_263_030, 1_310_720, 1_300_000),
            (u64::MAX, u64::MAX, u64::MAX),
        ] {
            assert_eq!((round_up_binary(number), round_up_decimal(number)), (binary, decimal), "{number}");
        }
    }

    #[test]
    fn a_limit_is_twice_the_greatest_between_its_floor_and_its_ceiling() {
        for (quantity, greatest, limit) in [
            (Quantity::Encoded, 0, Some(1024)),
            (Quantity::Encoded, 5_000, Some(10_240)),
            (Quantity::Decoded, u64::MAX, Some(u64::MAX)),
            (Quantity::Ratio, 400, None),
            (Quantity::Header, 10, Some(256)),
            (Quantity::Header, 200, Some(448)),
            (Quantity::Work, 900, Some(32_768)),
            (Quantity::Work, 20_000, Some(40_960)),
            (Quantity::Members, 1, Some(1)),
            (Quantity::Members, 2, Some(4)),
            (Quantity::Window, 0, Some(256)),
            (Quantity::Window, 129, Some(512)),
            (Quantity::Window, 1024, Some(2048)),
            (Quantity::Window, 20_000, Some(32_768)),
            (Quantity::Window, 32_768, Some(32_768)),
            (Quantity::Depth, 3, Some(6)),
            (Quantity::Depth, 4_000, Some(4_096)),
            (Quantity::String, 4_000_000_000, Some(4_294_967_295)),
            (Quantity::Items, 2_000_000_000, Some(2_147_483_647)),
            (Quantity::Values, 611, Some(1_300)),
            (Quantity::Records, 1_000_000, Some(2_000_000)),
        ] {
            assert_eq!(quantity.limit(greatest), limit, "{quantity:?} {greatest}");
        }
    }

    #[test]
    fn no_limit_is_below_what_was_measured() {
        for quantity in Quantity::ALL {
            let most = quantity.traits().ceiling;
            for greatest in (0..64).flat_map(|shift| [1 << shift, (1_u64 << shift).saturating_add(1)]) {
                let greatest = greatest.min(most);
                assert!(
                    quantity.limit(greatest).is_none_or(|limit| limit >= greatest),
                    "{quantity:?} {greatest}"
                );
            }
        }
    }

    #[test]
    fn a_ratio_has_hundredths_and_none_where_there_is_nothing() {
        assert_eq!((ratio(1000, 7219), ratio(3, 2), ratio(0, 0)), (Some(721), Some(66), None));
        assert_eq!(ratio(1, u64::MAX), None);
        assert_eq!(Quantity::Ratio.show(705), "7.05");
    }
}
