//! The limits as options of `plimsoll ingest` and as Rust.

use std::fmt::Write;

use super::quantity::{Quantity, Unit};
use super::summary::Row;
use crate::size;

/// What goes with the limits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Options of `plimsoll ingest` besides the limits, with their values.
    pub(crate) given: Vec<String>,
    pub(crate) zero_padding: bool,
}

/// The options of `plimsoll ingest`, one with its value each.
pub(crate) fn flags(rows: &[Row<'_>], options: &Options) -> Vec<String> {
    let limits = rows.iter().filter_map(|row| {
        let traits = row.quantity.traits();
        let (option, limit) = (traits.option?, row.limit?);
        Some(match traits.unit {
            Unit::Bytes | Unit::Steps => format!("{option} {}", size::written(limit)),
            Unit::Count | Unit::Ratio => format!("{option} {limit}"),
        })
    });
    options.given.iter().cloned().chain(limits).collect()
}

/// The command line with these options, in lines of at most `width` where that can be.
pub(crate) fn command(flags: &[String], width: usize) -> String {
    let mut text = "plimsoll ingest FILE".to_owned();
    let mut line = text.len();
    for flag in flags {
        // Room for the space before it and the backslash behind it.
        if line.saturating_add(flag.len()).saturating_add(3) > width {
            text.push_str(" \\\n ");
            line = 1;
        }
        text.push(' ');
        text.push_str(flag);
        line = line.saturating_add(flag.len()).saturating_add(1);
    }
    text
}

/// The policy as an item of a program that depends on `plimsoll`.
pub(crate) fn rust(rows: &[Row<'_>], options: &Options, bodies: usize) -> String {
    let limit = |quantity| rows.iter().find(|row| row.quantity == quantity).and_then(|row| row.limit);
    let fields = |quantities: &[Quantity], indent: &str| {
        quantities.iter().fold(String::new(), |mut text, &quantity| {
            if let Some(limit) = limit(quantity) {
                let traits = quantity.traits();
                let value = number(limit, traits.unit);
                let _ = writeln!(text, "{indent}{}: {value},", traits.name);
            }
            text
        })
    };
    let document = fields(
        &[
            Quantity::Depth,
            Quantity::String,
            Quantity::Key,
            Quantity::Number,
            Quantity::Items,
            Quantity::Values,
        ],
        "        ",
    );
    let outer = fields(
        &[
            Quantity::Encoded,
            Quantity::Decoded,
            Quantity::Header,
            Quantity::Work,
            Quantity::Members,
            Quantity::Record,
            Quantity::Records,
        ],
        "    ",
    );

    let json = if document.is_empty() { "" } else { ", json" };
    let of = if bodies == 1 { "a body".to_owned() } else { format!("{bodies} bodies") };
    let mut text =
        format!("use plimsoll::{{Limits, Policy{json}}};\n\n/// Measured over {of}, with room to spare.\n");
    let strict = if options.zero_padding {
        "Policy { zero_padding: true, ..Policy::strict(LIMITS) }"
    } else {
        "Policy::strict(LIMITS)"
    };
    let _ = write!(text, "pub const POLICY: Policy = {strict};\n\nconst LIMITS: Limits = Limits {{\n{outer}");
    if !document.is_empty() {
        let _ = write!(text, "    document: json::Limits {{\n{document}    }},\n");
    }
    if [Quantity::Header, Quantity::Depth, Quantity::Record].into_iter().any(|part| limit(part).is_none()) {
        text.push_str("    ..Limits::SMALL_DEVICE // what none of them has\n");
    }
    text.push_str("};\n");
    if let Some(window) = limit(Quantity::Window) {
        let window = number(window, Unit::Bytes);
        let _ = write!(
            text,
            "\n/// Bytes of a ring that every distance fits in.\npub const WINDOW: usize = {window};\n"
        );
    }
    text
}

/// A number as Rust has it: sizes as multiples of 1024, counts in groups of three digits.
fn number(number: u64, unit: Unit) -> String {
    const KIB: u64 = 1024;
    const MIB: u64 = KIB * KIB;
    let factors = match (unit, number) {
        (Unit::Bytes | Unit::Steps, MIB..) if number.is_multiple_of(MIB) => {
            Some((number.div_euclid(MIB), "1024 * 1024"))
        }
        (Unit::Bytes | Unit::Steps, KIB..) if number.is_multiple_of(KIB) => {
            Some((number.div_euclid(KIB), "1024"))
        }
        _ => None,
    };
    let grouped = |number| indicatif::HumanCount(number).to_string().replace(',', "_");
    match factors {
        None => grouped(number),
        Some((1, rest)) => rest.to_owned(), // clippy has a word against a factor of 1
        Some((number, rest)) => format!("{} * {rest}", grouped(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_write_them_in_rust() {
        for (value, unit, text) in [
            (0, Unit::Bytes, "0"),
            (1000, Unit::Bytes, "1_000"),
            (1280, Unit::Bytes, "1_280"),
            (1024, Unit::Bytes, "1024"),
            (32_768, Unit::Steps, "32 * 1024"),
            (1 << 20, Unit::Bytes, "1024 * 1024"),
            (5 << 20, Unit::Bytes, "5 * 1024 * 1024"),
            (1 << 40, Unit::Bytes, "1_048_576 * 1024 * 1024"),
            (1_300_000, Unit::Count, "1_300_000"),
            (4096, Unit::Count, "4_096"),
        ] {
            assert_eq!(number(value, unit), text);
        }
    }

    #[test]
    fn a_command_is_broken_into_lines_that_a_shell_joins() {
        let flags = ["--depth 8".to_owned(), "--items 100".to_owned(), "--key 64".to_owned()];
        assert_eq!(command(&flags, 200), "plimsoll ingest FILE --depth 8 --items 100 --key 64");
        assert_eq!(command(&flags, 32), "plimsoll ingest FILE --depth 8 \\\n  --items 100 --key 64");
        assert_eq!(
            command(&flags, 0),
            "plimsoll ingest FILE \\\n  --depth 8 \\\n  --items 100 \\\n  --key 64"
        );
    }
}
