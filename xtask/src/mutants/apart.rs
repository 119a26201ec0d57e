//! Changes that no function can choose while it runs: cargo-mutants itself tests them, each in a build of its own.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::list::MUTANTS;
use super::tree::Tree;
use super::{APART, Results, Tested};
use crate::command::Outcome;

/// The files of cargo-mutants' result, each a list of names, and what we call that.
const LISTS: [(&str, &str); 4] =
    [("caught", "caught"), ("timeout", "hung"), ("missed", "missed"), ("unviable", "unviable")];

/// What it answers where all is well, where a change was missed, and where one only hung.
const ANSWERS: [Option<i32>; 3] = [Some(0), Some(2), Some(3)];

/// A test that takes this many times as long as without a change, and these seconds, counts as hung. The machine may do other
/// things meanwhile.
const TIMES: u32 = 10;
const SECONDS: u64 = 60;

/// Holds the changes of these names against the package's own tests, and what those miss against the tests from outside.
/// cargo-mutants changes the copy of the workspace, and writes what it finds below `folder`. Results are told after each of both.
///
/// # Errors
/// If the tests fail without a change.
pub(super) fn hold(
    tested: &Tested,
    mut names: BTreeSet<String>,
    folder: &str,
    mut tell: impl FnMut(Results) -> Outcome,
) -> Outcome {
    println!("{} changes apart", names.len());
    tell(names.iter().map(|name| (name.clone(), APART.to_owned())).collect())?;
    let tree = Tree::new(&BTreeSet::new())?;
    for packages in [&[tested.package], tested.outside] {
        if names.is_empty() || packages.is_empty() {
            break;
        }
        let seconds = unchanged(tested, packages, &tree)?.as_secs() + SECONDS;
        let told = changed(tested, packages, &tree, &names, seconds, folder)?;
        tell(told.iter().map(|(name, told)| (name.clone(), format!("{told} {APART}"))).collect())?;
        names.retain(|name| told.iter().any(|(told, result)| told == name && *result == "missed"));
    }
    Ok(())
}

/// Runs the tests of these packages as they are, and says how long a change may let them take.
fn unchanged(tested: &Tested, packages: &[&str], tree: &Tree) -> Outcome<Duration> {
    let mut took = Duration::ZERO;
    for run in [["--no-run", "--quiet"].as_slice(), &["--quiet"]] {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(["test", "--tests", "--features", &tested.features()]).args(run);
        command.args(packages.iter().flat_map(|package| ["--package", package]));
        command.current_dir(tree.path()).env("CARGO_TARGET_DIR", tree.target()).stdout(Stdio::null());
        let started = Instant::now();
        let status = command.status()?;
        if !status.success() {
            return Err(format!("{command:?}: {status}").into());
        }
        took = started.elapsed();
    }
    Ok(took * TIMES)
}

/// Has cargo-mutants test the changes of these names with the tests of these packages, for as many seconds each.
fn changed(
    tested: &Tested,
    packages: &[&str],
    tree: &Tree,
    names: &BTreeSet<String>,
    seconds: u64,
    folder: &str,
) -> Outcome<Vec<(String, &'static str)>> {
    let any = names.iter().map(|name| escape(name)).collect::<Vec<_>>().join("|");
    let mut command = MUTANTS.command()?;
    command.args(["mutants", "--in-place", "--baseline", "skip", "--cargo-arg=--tests"]);
    command.arg("--dir").arg(tree.path()).env("CARGO_TARGET_DIR", tree.target());
    command.args(["--output", folder, "--timeout", &seconds.to_string()]);
    command.args(["--package", tested.package, "--test-package", &packages.join(",")]);
    command.args(["--features", &tested.features(), "--re", &format!("^({any})$")]);
    // It lets other changes pass, of the fields of a struct: those of other files at least are not built.
    let files: BTreeSet<_> = names.iter().filter_map(|name| name.split(':').next()).collect();
    command.args(files.iter().flat_map(|file| ["--file", file]));
    let status = command.status()?;
    if !ANSWERS.contains(&status.code()) {
        return Err(format!("{command:?}: {status}").into());
    }
    let mut results = Vec::new();
    for (file, result) in LISTS {
        let told = fs::read_to_string(format!("{folder}/mutants.out/{file}.txt"))?;
        let asked = told.lines().filter(|name| names.contains(*name));
        results.extend(asked.map(|name| (name.to_owned(), result)));
    }
    Ok(results)
}

/// As a regular expression that means the name and nothing else.
fn escape(name: &str) -> String {
    let special = |character: char| "\\.+*?()|[]{}^$".contains(character);
    let escaped = |character| special(character).then_some('\\').into_iter().chain([character]);
    name.chars().flat_map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_itself_as_a_regular_expression() {
        let name =
            r"src/a.rs:7:9: replace | with ^ in <impl A for [u8; 2]>::b -> Option<&'a {c}> with (\\, $*+?)";
        let escaped = r"src/a\.rs:7:9: replace \| with \^ in <impl A for \[u8; 2\]>::b -> Option<&'a \{c\}> with \(\\\\, \$\*\+\?\)";
        assert_eq!(escape(name), escaped);
    }
}
