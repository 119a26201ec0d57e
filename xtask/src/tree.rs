//! What the library crates bring into a program: a table in the README, and this check that it is true.
//!
//! The table lists every crate that is not this workspace's, by the dependency that brings it, where and when, and what
//! for. The check builds the tree of each library crate as cargo does, alone, with its default features and with all of
//! them, on a host and on the bare-metal targets, and holds it against the rows. `cargo metadata` knows no tree of one
//! crate alone, since it unifies the features of the workspace; so `cargo tree` is asked for that, and metadata for
//! what the manifests say.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use cargo_metadata::{DependencyKind, Package};

use crate::command::Outcome;
use crate::targets::TARGETS;

/// A host, for which dependencies that need one are built.
const HOST: &str = "x86_64-unknown-linux-gnu";

/// The line of the README behind which the table stands.
const HEADING: &str = "## Dependencies";

type Names = BTreeSet<String>;

/// A row: one dependency.
struct Row {
    name: String,
    /// What it brings along.
    brings: Names,
    /// The crates that name it in their manifest, each with the feature that turns it on; `None` for always.
    users: BTreeMap<String, Option<String>>,
}

/// Checks the table against the trees of the library crates.
///
/// # Errors
/// Names the first crate that the table and a tree do not agree on.
pub(crate) fn check(libraries: &[Package]) -> Outcome {
    let readme = std::fs::read_to_string("README.md")?;
    let rows = rows(&readme)?;
    let ours: Names = libraries.iter().map(|package| package.name.to_string()).collect();
    for package in libraries {
        check_manifest(package, &rows, &ours)?;
        for all_features in [false, true] {
            check_tree(package, all_features, &rows, &ours)?;
        }
    }
    for row in &rows {
        if let Some(user) = row.users.keys().find(|user| !ours.contains(*user)) {
            return Err(format!(
                "`{}` is said to be a dependency of `{user}`, which is no library",
                row.name
            )
            .into());
        }
    }
    println!("{} dependencies, as the README has them", rows.len());
    Ok(())
}

/// Each direct dependency of a library crate has its row, and each row is one.
fn check_manifest(package: &Package, rows: &[Row], ours: &Names) -> Outcome {
    let normal =
        package.dependencies.iter().filter(|dependency| dependency.kind != DependencyKind::Development);
    let mut named = Names::new();
    for dependency in normal.filter(|dependency| !ours.contains(&dependency.name)) {
        named.insert(dependency.name.clone());
        let complaint = |what: &str| format!("{}: `{}` {what}", package.name, dependency.name);
        let row = rows.iter().find(|row| row.name == dependency.name);
        let user = row.and_then(|row| row.users.get(package.name.as_str()));
        match user.ok_or_else(|| complaint("is a dependency without a row in the README"))? {
            None if !dependency.optional => {}
            Some(feature) if dependency.optional => {
                let enabled = package.features.get(feature).into_iter().flatten();
                let enables = format!("dep:{}", dependency.name);
                if !enabled.into_iter().any(|value| *value == enables) {
                    return Err(complaint(&format!("is not what its feature `{feature}` turns on")).into());
                }
            }
            None => return Err(complaint("is optional, and the README says always").into()),
            Some(_) => return Err(complaint("is there always, and the README names a feature").into()),
        }
    }
    let stale =
        rows.iter().find(|row| row.users.contains_key(package.name.as_str()) && !named.contains(&row.name));
    stale.map_or(Ok(()), |row| {
        Err(format!("{} has no dependency `{}` any more", package.name, row.name).into())
    })
}

/// The tree of a library crate is exactly what the rows of its dependencies, and of those crates of ours that it needs,
/// say.
fn check_tree(package: &Package, all_features: bool, rows: &[Row], ours: &Names) -> Outcome {
    let (mut tree, mut expected) = (Names::new(), Names::new());
    for target in TARGETS.into_iter().chain([HOST]) {
        tree.extend(names_in_tree(&package.name, all_features, target)?);
    }
    for row in rows {
        let brings = |(user, feature): (&String, &Option<String>)| {
            tree.contains(user) && (feature.is_none() || all_features && tree.contains(&row.name))
        };
        if row.users.iter().any(brings) {
            expected.insert(row.name.clone());
            expected.extend(row.brings.iter().cloned());
        }
    }
    tree.retain(|name| !ours.contains(name));
    let with = if all_features { "all features" } else { "its default features" };
    match (tree.difference(&expected).next(), expected.difference(&tree).next()) {
        (Some(more), _) => {
            Err(format!("{} with {with} brings `{more}`, which no row of the README has", package.name)
                .into())
        }
        (_, Some(less)) => {
            Err(format!("{} with {with} does not bring `{less}`, as the README says", package.name).into())
        }
        _ => Ok(()),
    }
}

/// The crates in the tree of one crate, itself included; what is for tests only is left out.
fn names_in_tree(package: &str, all_features: bool, target: &str) -> Outcome<Names> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args([
        "tree",
        "--quiet",
        "--locked",
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
    command.args(["--package", package, "--target", target]);
    if all_features {
        command.arg("--all-features");
    }
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let lines = String::from_utf8(output.stdout)?;
    Ok(lines.lines().filter_map(|line| line.split_whitespace().next()).map(String::from).collect())
}

/// The rows of the README's table: name, what it brings along, where and with what, and what for.
fn rows(readme: &str) -> Outcome<Vec<Row>> {
    let (_, section) = readme.split_once(HEADING).ok_or("the README has no table of dependencies")?;
    let table =
        section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let rows: Vec<_> = table.skip(2).map(row).collect::<Outcome<_>>()?;
    if rows.is_empty() { Err("the README's table of dependencies is empty".into()) } else { Ok(rows) }
}

fn row(line: &str) -> Outcome<Row> {
    let bad = || format!("README: not a row of the table of dependencies: {line}");
    let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
    let &[name, brings, users, purpose] = cells.as_slice() else { return Err(bad().into()) };
    if purpose.is_empty() {
        return Err(format!("README: a dependency without a purpose: {line}").into());
    }
    let mut uses = BTreeMap::new();
    for user in users.split(',') {
        let in_ticks = quoted(user);
        let (user, feature) = match in_ticks.as_slice() {
            [user] if users.contains("always") => (user, None),
            [user, feature] => (user, Some(feature.clone())),
            _ => return Err(bad().into()),
        };
        uses.insert(user.clone(), feature);
    }
    let [name] = <[String; 1]>::try_from(quoted(name)).map_err(|_| bad())?;
    Ok(Row { name, brings: quoted(brings).into_iter().collect(), users: uses })
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_a_name_what_it_brings_its_users_and_a_purpose() {
        let row = row("| `a` | `b`, `c` | `x` with `f`, `y` with `g` | for this |").unwrap();
        assert_eq!((row.name.as_str(), row.brings.len()), ("a", 2));
        assert_eq!(row.users.get("y"), Some(&Some("g".to_owned())));
        let row = super::row("| `a` | | `x` always | for this |").unwrap();
        assert_eq!((row.brings.len(), row.users.get("x")), (0, Some(&None)));
    }

    #[test]
    fn what_is_no_row_is_refused() {
        for line in [
            "| `a` | | `x` always | |",
            "| a | | `x` always | p |",
            "| `a` | `x` always | p |",
            "| `a` | | x | p |",
        ] {
            assert!(row(line).is_err(), "{line}");
        }
    }
}
