//! `cargo xtask mutants`: changes the library crates one place at a time, and looks whether a test notices.
//!
//! cargo-mutants lists the changes. All of a crate's are built into one program (`weave`), which is told by its environment which one to
//! run, so a change costs the tests that reach its function and no build. What cannot matter stands in `.cargo/mutants.toml`, with the
//! reason. What no test notices is printed, and the task fails. A change of a constant, or of what only the compiler runs, counts
//! as apart: cargo-mutants itself tests it, in a build of its own.
//!
//! Results lie in `target/mutants`, a file for each package.

#![allow(clippy::arithmetic_side_effects, reason = "places in texts, counts and times")]

mod apart;
mod build;
mod list;
mod tree;
mod trial;
mod weave;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use cargo_metadata::Package;
use clap::Args;

use crate::command::Outcome;
use list::Mutant;
use trial::Verdict;

/// Which changes.
#[derive(Args)]
pub(crate) struct Options {
    /// Only this library crate, by the name of its folder
    #[arg(value_name = "CRATE")]
    name: Option<String>,
    /// Only what the last run missed
    #[arg(long)]
    missed: bool,
    /// Leave out changes that need a build of their own: of constants
    #[arg(long)]
    skip_apart: bool,
    /// Only those, and what the last run left for such a build
    #[arg(long, conflicts_with = "skip_apart")]
    only_apart: bool,
    /// Leave out the packages that test it from outside: its own tests are built sooner, and catch most
    #[arg(long)]
    inside: bool,
    /// Leave out tests that take longer than this without a change
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    longest: u64,
    /// How many tests run at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// What cargo-mutants is given besides when it lists the changes, such as `--file PATH`
    #[arg(last = true, value_name = "OPTION")]
    passed_on: Vec<String>,
}

/// A package, the features with which its tests hold the most, and the packages that test it from outside.
struct Tested {
    package: &'static str,
    features: &'static str,
    outside: &'static [&'static str],
}

const TESTED: [Tested; 7] = [
    Tested { package: "plimsoll-core", features: "", outside: &[] },
    Tested { package: "plimsoll-budget", features: "", outside: &[] },
    Tested { package: "plimsoll-utf8", features: "", outside: &["plimsoll-tests-utf8"] },
    Tested { package: "plimsoll-gzip", features: "", outside: &["plimsoll-tests-conformance"] },
    Tested {
        package: "plimsoll",
        features: "std,embedded-io-async,heapless,report",
        outside: &["plimsoll-tests-drivers", "plimsoll-tests-conformance", "plimsoll-tests-answers"],
    },
    Tested {
        package: "plimsoll-json",
        features: "float,serde,embedded-io,async",
        outside: &["plimsoll-tests-json", "plimsoll-tests-serde"],
    },
    Tested {
        package: "plimsoll-inflate",
        features: "miniz",
        outside: &["plimsoll-tests-inflate", "plimsoll-tests-conformance"],
    },
];

impl Tested {
    fn packages(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.package).chain(self.outside.iter().copied())
    }

    /// As cargo takes them where several packages are named.
    fn features(&self) -> String {
        let features = self.features.split(',').filter(|feature| !feature.is_empty());
        features.map(|feature| format!("{}/{feature}", self.package)).collect::<Vec<_>>().join(",")
    }
}

/// Where results lie, and below it a copy of the workspace and what is built of it.
const FOLDER: &str = "target/mutants";

/// Holds the changes of the crate of this name, or of all, against their tests.
///
/// # Errors
/// If a change is missed, or the tests fail without one.
pub(crate) fn mutants(libraries: &[Package], options: &Options) -> Outcome {
    let mut missed = Vec::new();
    let mut ran = false;
    for tested in &TESTED {
        let Some(package) = libraries.iter().find(|library| library.name == tested.package) else { continue };
        let folder = package.manifest_path.parent().and_then(|folder| folder.file_name());
        if options.name.as_deref().is_some_and(|name| name != tested.package && Some(name) != folder) {
            continue;
        }
        ran = true;
        let outside = if options.inside { &[] } else { tested.outside };
        if !all_caught(package, &Tested { outside, ..*tested }, options)? {
            missed.push(tested.package);
        }
    }
    match (ran, missed.as_slice()) {
        (false, _) => Err("there is no library crate of that name".into()),
        (true, []) => Ok(()),
        (true, missed) => Err(format!("missed in {}: see {FOLDER}", missed.join(", ")).into()),
    }
}

/// What became of each change, by its name.
type Results = BTreeMap<String, String>;

/// What becomes of a change that needs a build of its own, and what ends the result when it had one.
const APART: &str = "apart";

fn is_caught(result: &str) -> bool {
    !["missed", "unreached", APART].iter().any(|kind| result.starts_with(kind))
}

fn all_caught(package: &Package, tested: &Tested, options: &Options) -> Outcome<bool> {
    let folder = format!("{FOLDER}/{}", tested.package);
    let path = format!("{folder}.txt");
    let mut results = if options.missed || options.only_apart { read(&path) } else { Results::new() };
    let mut mutants = list::list(tested.package, &options.passed_on)?;
    // What is not there any more is forgotten, unless only a part was asked for.
    let listed: BTreeSet<_> = mutants.iter().map(|mutant| mutant.name.clone()).collect();
    results.retain(|name, _| listed.contains(name) || !options.passed_on.is_empty());
    if options.missed {
        mutants.retain(|mutant| !results.get(&mutant.name).is_some_and(|result| is_caught(result)));
    }
    let mutants: BTreeMap<u32, Mutant> = (1..).zip(mutants).collect();
    println!("{}: {} changes", tested.package, mutants.len());
    if !options.only_apart {
        results = hold_woven(package, tested, &mutants, options, results)?;
        write(&path, &results)?;
    }
    if !options.skip_apart {
        let is_apart = |mutant: &&Mutant| {
            !mutant.is_woven() || results.get(&mutant.name).is_some_and(|result| result.ends_with(APART))
        };
        let apart = mutants.values().filter(is_apart).map(|mutant| mutant.name.clone()).collect();
        apart::hold(tested, apart, &folder, |told| {
            results.extend(told);
            write(&path, &results)
        })?;
    }
    print!("{}", table(&results));
    Ok(results.values().all(|result| is_caught(result)))
}

/// Holds the changes that functions can choose against the tests. The others are `APART`.
fn hold_woven(
    package: &Package,
    tested: &Tested,
    mutants: &BTreeMap<u32, Mutant>,
    options: &Options,
    mut results: Results,
) -> Outcome<Results> {
    let folder = format!("{FOLDER}/{}", tested.package);
    let built = build::build(package, tested, mutants)?;
    let tests =
        trial::learn(&built.programs, options.jobs, options.longest, &Path::new(&folder).join("reached"))?;
    println!("{} tests in {} programs", tests.len(), built.programs.len());

    for (id, mutant) in mutants {
        let unviable = built.unviable.get(id).map(|code| format!("unviable {code}"));
        let apart = || (!mutant.is_woven()).then(|| APART.to_owned());
        results.extend(unviable.or_else(apart).map(|result| (mutant.name.clone(), result)));
    }
    let results = Mutex::new(results);
    trial::hold_all(&tests, &built.functions, options.jobs, |id, verdict, by| {
        let (Some(mutant), Ok(mut results)) = (mutants.get(&id), results.lock()) else { return };
        let result = match verdict {
            Verdict::Caught => format!("caught by {by}"),
            Verdict::Hung => format!("hung {by}"),
            Verdict::Missed => "missed".to_owned(),
            Verdict::Unreached if mutant.is_constant() => APART.to_owned(),
            Verdict::Unreached => "unreached".to_owned(),
        };
        if !is_caught(&result) {
            println!("{result} {}", mutant.name);
        }
        results.insert(mutant.name.clone(), result);
        // Long runs are looked into, and ended.
        if results.len() % 20 == 0 {
            let _ = write(&format!("{folder}.txt"), &results);
        }
    })?;
    Ok(results.into_inner().map_err(|_| "a thread panicked")?)
}

/// A line for each change: its name, a tabulator, what became of it.
fn read(path: &str) -> Results {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.map(|(name, result)| (name.to_owned(), result.to_owned())).collect()
}

fn write(path: &str, results: &Results) -> Outcome {
    let lines = results.iter().map(|(name, result)| format!("{name}\t{result}\n"));
    Ok(fs::write(path, lines.collect::<String>())?)
}

/// How many of each kind, by file.
fn table(results: &Results) -> String {
    const KINDS: [&str; 6] = ["caught", "hung", "missed", "unreached", APART, "unviable"];
    let mut files: BTreeMap<&str, [usize; KINDS.len()]> = BTreeMap::new();
    for (name, result) in results {
        let counts = files.entry(name.split(':').next().unwrap_or("")).or_default();
        for (count, kind) in counts.iter_mut().zip(KINDS) {
            *count += usize::from(result.starts_with(kind));
        }
    }
    let mut table = format!("{:42}", "file");
    for kind in KINDS {
        let _ = write!(table, " {kind:>9}");
    }
    for (file, counts) in files {
        let _ = write!(table, "\n{file:42}");
        for count in counts {
            let _ = write!(table, " {count:>9}");
        }
    }
    table + "\n"
}
