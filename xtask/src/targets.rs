//! The library crates on bare metal: which targets, and which features together.

use std::process::Command;

use cargo_metadata::Package;

use crate::command::{Outcome, cargo, run};

/// The bare-metal targets: Cortex-M4F, Cortex-M0, and RISC-V without atomics.
pub(crate) const TARGETS: [&str; 3] =
    ["thumbv7em-none-eabihf", "thumbv6m-none-eabi", "riscv32imc-unknown-none-elf"];

/// Features that need a host.
const HOST: [&str; 3] = ["crc32fast", "simdutf8", "std"];

/// Up to so many features are tried in every combination. Those of `plimsoll` would be hundreds, so that of more than this
/// each is tried alone, with each other one, and all together: what goes wrong between features does so between two, and
/// what needs three has been asked for in the manifest.
const IN_EVERY_COMBINATION: usize = 5;

/// Each library crate for each bare-metal target: built with its default features, and checked with every combination of
/// those that do not need a host. Two hundred checks, of a second each.
pub(crate) fn step(libraries: &[Package]) -> Outcome {
    let combinations: Vec<_> = libraries.iter().map(|package| (package, combinations(package))).collect();
    for target in TARGETS {
        let packages = libraries.iter().flat_map(|package| ["--package", package.name.as_str()]);
        cargo(["build", "--quiet", "--lib", "--target", target].into_iter().chain(packages))?;
        for (package, combinations) in &combinations {
            for features in combinations {
                check(target, package, features)
                    .map_err(|failure| format!("{} with `{features}`: {failure}", package.name))?;
            }
        }
    }
    let checks: usize = combinations.iter().map(|(_, combinations)| combinations.len()).sum();
    println!("{checks} combinations of features on each of {} targets", TARGETS.len());
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

/// The sets of features to try, each as cargo takes it.
fn combinations(package: &Package) -> Vec<String> {
    let on_metal = |feature: &&str| *feature != "default" && !HOST.contains(feature);
    let features: Vec<&str> = package.features.keys().map(String::as_str).filter(on_metal).collect();
    sets(&features).iter().map(|set| set.join(",")).collect()
}

/// Every subset, or of many features those of which the constant tells.
fn sets<'f>(features: &[&'f str]) -> Vec<Vec<&'f str>> {
    let mut sets = vec![vec![]];
    for feature in features {
        let with = |set: &Vec<&'f str>| set.iter().chain([feature]).copied().collect::<Vec<_>>();
        let grown: Vec<_> = sets.iter().map(with).collect();
        let few = features.len() <= IN_EVERY_COMBINATION;
        sets.extend(grown.into_iter().filter(|set| few || set.len() <= 2));
    }
    if features.len() > IN_EVERY_COMBINATION {
        sets.push(features.to_vec());
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_features_are_tried_in_every_combination() {
        assert_eq!(sets(&[]), [vec![""; 0]]);
        assert_eq!(sets(&["a", "b"]), [vec![], vec!["a"], vec!["b"], vec!["a", "b"]]);
        assert_eq!(sets(&["a", "b", "c", "d", "e"]).len(), 32);
    }

    #[test]
    fn of_many_each_is_tried_alone_with_each_other_and_with_all() {
        let features = ["a", "b", "c", "d", "e", "f"];
        let sets = sets(&features);
        assert_eq!(sets.len(), 1 + 6 + 15 + 1);
        assert!(sets.contains(&vec!["b", "f"]) && sets.contains(&features.to_vec()));
        assert!(!sets.contains(&vec!["a", "b", "c"]));
    }
}
