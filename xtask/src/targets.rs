//! The library crates on bare metal: which targets, and which features together.

use std::process::Command;

use cargo_metadata::Package;

use crate::command::{Outcome, cargo, run};

/// The bare-metal targets: Cortex-M4F, Cortex-M0, and RISC-V without atomics.
pub(crate) const TARGETS: [&str; 3] =
    ["thumbv7em-none-eabihf", "thumbv6m-none-eabi", "riscv32imc-unknown-none-elf"];

/// Features that need a host.
const HOST: [&str; 3] = ["crc32fast", "simdutf8", "std"];

/// The target on which pairs are tried too: the one that has least, so that what is missing elsewhere is missing here.
const PAIRS_ON: &str = "thumbv6m-none-eabi";

/// Up to so many features are tried in every combination. Those of `plimsoll` would be a thousand, so that of more than this
/// each is tried alone, all together, and on one target each with each other one: what goes wrong between features does
/// so between two, and no feature asks for the target.
const IN_EVERY_COMBINATION: usize = 5;

/// Each library crate for each bare-metal target: built with its default features, and checked with the combinations of
/// those that do not need a host. Some 160 checks of a second or less, together two minutes.
pub(crate) fn step(libraries: &[Package]) -> Outcome {
    let mut checks: u32 = 0;
    for target in TARGETS {
        let packages = libraries.iter().flat_map(|package| ["--package", package.name.as_str()]);
        cargo(["build", "--quiet", "--lib", "--target", target].into_iter().chain(packages))?;
        for package in libraries {
            for features in combinations(package, target == PAIRS_ON) {
                let features = features.join(",");
                check(target, package, &features)
                    .map_err(|failure| format!("{} with `{features}`: {failure}", package.name))?;
                checks = checks.saturating_add(1);
            }
        }
    }
    println!("{checks} combinations of features");
    Ok(())
}

fn check(target: &str, package: &Package, features: &str) -> Outcome {
    // How atomics are made up where there are none is a binary's choice, and one is made here in its place.
    let atomics =
        format!("target.{target}.rustflags = ['--cfg', 'portable_atomic_unsafe_assume_single_core']");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(cargo)
        .args(["check", "--quiet", "--lib", "--target", target, "--config", &atomics])
        .args(["--package", &package.name, "--no-default-features", "--features", features])
        .env("CARGO_INCREMENTAL", "0")) // Each is compiled once, and what would make a second time fast takes most of the time.
}

/// The sets of features to try.
fn combinations(package: &Package, pairs: bool) -> Vec<Vec<&str>> {
    let on_metal = |feature: &&str| *feature != "default" && !HOST.contains(feature);
    let features: Vec<&str> = package.features.keys().map(String::as_str).filter(on_metal).collect();
    if features.len() <= IN_EVERY_COMBINATION {
        return sets(&features, features.len());
    }
    let mut sets = sets(&features, if pairs { 2 } else { 1 });
    sets.push(features);
    sets
}

/// The subsets of at most so many.
fn sets<'f>(features: &[&'f str], most: usize) -> Vec<Vec<&'f str>> {
    let mut sets = vec![vec![]];
    for feature in features {
        let with = |set: &Vec<&'f str>| set.iter().chain([feature]).copied().collect::<Vec<_>>();
        let grown: Vec<_> = sets.iter().filter(|set| set.len() < most).map(with).collect();
        sets.extend(grown);
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_subsets_are_two_to_the_number_of_features() {
        assert_eq!(sets(&[], 0), [vec![""; 0]]);
        assert_eq!(sets(&["a", "b"], 2), [vec![], vec!["a"], vec!["b"], vec!["a", "b"]]);
        assert_eq!(sets(&["a", "b", "c", "d", "e"], 5).len(), 32);
    }

    #[test]
    fn subsets_of_at_most_two_are_none_each_and_each_pair() {
        let sets = sets(&["a", "b", "c", "d", "e", "f"], 2);
        assert_eq!(sets.len(), 1 + 6 + 15);
        assert!(sets.contains(&vec!["b", "f"]) && !sets.contains(&vec!["a", "b", "c"]));
    }
}
