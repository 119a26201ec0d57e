//! Tables in the README, between a pair of comments of their name.
//!
//! A table of what a compiler makes is stale when a figure in it is off by more than [`TOLERANCE`]: another release moves code and
//! counts a little, and the README need not follow it. One of sizes of types is stale when it differs at all.

use std::path::Path;

/// By how much a figure may be off, in percent.
const TOLERANCE: f64 = 5.0;
/// And for small ones, absolute.
const SMALL: f64 = 16.0;

/// Puts `table` in the place of the one that is named so.
pub(crate) fn write(root: &Path, name: &str, table: &str) {
    let path = root.join("README.md");
    let text = std::fs::read_to_string(&path).expect("there is a README");
    let (before, _, behind) = split(&text, name);
    std::fs::write(&path, [before, table, behind].concat()).expect("the README can be written");
}

/// Whether the table of that name is stale, and the command that writes it anew.
pub(crate) fn check(root: &Path, name: &str, command: &str, table: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let (_, written, _) = split(&text, name);
    stale(same(written, table), name, command, table)
}

/// The same for a table in which no figure may be off.
pub(crate) fn check_exactly(root: &Path, name: &str, command: &str, table: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root.join("README.md")).expect("there is a README");
    let (_, written, _) = split(&text, name);
    stale(written == table, name, command, table)
}

fn stale(same: bool, name: &str, command: &str, table: &str) -> Vec<String> {
    if same {
        return Vec::new();
    }
    vec![format!(
        "the README's table `{name}` is stale, and `{command} --write` makes it new: now it is\n{table}"
    )]
}

/// What stands before the table, the table, and what stands behind it.
fn split<'t>(text: &'t str, name: &str) -> (&'t str, &'t str, &'t str) {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->\n"));
    let missing = |mark: &str| panic!("the README has no {mark}");
    let start = text.find(&begin).unwrap_or_else(|| missing(&begin)) + begin.len();
    let (before, rest) = text.split_at(start);
    let (table, behind) = rest.split_at(rest.find(&end).unwrap_or_else(|| missing(&end)));
    (before, table, behind)
}

/// Whether two tables have the same words and nearly the same figures.
fn same(written: &str, measured: &str) -> bool {
    let words =
        |text: &str| -> Vec<String> { text.split_whitespace().map(|word| word.replace(',', "")).collect() };
    let (written, measured) = (words(written), words(measured));
    written.len() == measured.len()
        && written.iter().zip(&measured).all(|(written, measured)| {
            match (written.parse(), measured.parse()) {
                (Ok(written), Ok(measured)) => near(written, measured),
                _ => written == measured,
            }
        })
}

fn near(written: f64, measured: f64) -> bool {
    let small = if measured.fract() == 0.0 { SMALL } else { 0.0 };
    (written - measured).abs() <= (measured * TOLERANCE / 100.0).max(small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_may_be_off_a_little_and_words_may_not() {
        assert!(same("| check | 5,000 | 6.30 |", "| check | 5,249 | 6.60 |"));
        assert!(!same("| check | 5,000 |", "| check | 5,300 |"));
        assert!(!same("| check | 6.30 |", "| check | 6.70 |"));
        assert!(!same("| check | 5,000 |", "| tokens | 5,000 |"));
        assert!(!same("| check | 5,000 |", "| check |"));
        assert!(same("| check | 64 |", "| check | 72 |"));
    }

    #[test]
    fn a_stale_table_is_told_with_the_command_that_makes_it_new() {
        assert!(stale(true, "sizes", "cargo xtask footprint", "| 8 |").is_empty());
        let told = stale(false, "sizes", "cargo xtask footprint", "| 8 |");
        assert!(told.concat().contains("`cargo xtask footprint --write`") && told.concat().contains("| 8 |"));
    }

    #[test]
    fn a_table_stands_between_its_comments() {
        let text = "a\n<!-- size -->\nb\n<!-- /size -->\nc\n";
        assert_eq!(split(text, "size"), ("a\n<!-- size -->\n", "b\n", "<!-- /size -->\nc\n"));
    }
}
