//! SECURITY.md names the tests that show each promise. This finds a name that no longer exists.
//!
//! A link whose text is in backticks leads to a file and names a test in it; any other link to a file leads to one that is
//! there.

use std::path::Path;

use cargo_metadata::Package;

use crate::command::Outcome;

const PAGE: &str = "SECURITY.md";

/// Checks every link of the page.
///
/// # Errors
/// Names the first that leads nowhere.
pub(crate) fn check(_: &[Package]) -> Outcome {
    let page = std::fs::read_to_string(PAGE)?;
    let mut tests: u32 = 0;
    for (text, path) in links(&page) {
        if path.contains("://") || path.starts_with('#') {
            continue;
        }
        if !Path::new(path).is_file() {
            return Err(format!("{PAGE}: there is no file {path}").into());
        }
        if let Some(test) = text.strip_prefix('`').and_then(|text| text.strip_suffix('`')) {
            if !has_test(&std::fs::read_to_string(path)?, test) {
                return Err(format!("{PAGE}: {path} has no test {test}").into());
            }
            tests = tests.saturating_add(1);
        }
    }
    println!("{tests} tests, as {PAGE} names them");
    if tests == 0 { Err(format!("{PAGE} names no test").into()) } else { Ok(()) }
}

/// The links of a page in Markdown: text and target.
fn links(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split('[').filter_map(|part| {
        let (text, behind) = part.split_once("](")?;
        let (target, _) = behind.split_once(')')?;
        Some((text, target))
    })
}

/// Whether a source file has a test of this name, and not only a function.
fn has_test(source: &str, name: &str) -> bool {
    let function = format!("fn {name}(");
    source.split("#[test]").skip(1).any(|behind| {
        let mut lines =
            behind.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("#["));
        lines.next().is_some_and(|line| line.starts_with(&function))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_with_their_text() {
        let page = "a [`b`](c/d.rs) e\n[f](g.md), [h] and [`i`](j.rs).";
        assert_eq!(links(page).collect::<Vec<_>>(), [("`b`", "c/d.rs"), ("f", "g.md"), ("`i`", "j.rs")]);
    }

    #[test]
    fn a_test_is_one_with_its_attribute() {
        let source = "fn a() {}\n#[test]\nfn b() {}\n#[test]\n#[ignore]\nfn c() {}\nfn d() {}";
        assert_eq!(
            ["a", "b", "c", "d", "e"].map(|name| has_test(source, name)),
            [false, true, true, false, false]
        );
    }
}
