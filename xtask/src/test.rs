//! `cargo xtask test`: the one command that says whether the workspace is sound.

use std::process::Command;
use std::time::Instant;

use cargo_metadata::{MetadataCommand, Package};

use crate::bench;
use crate::command::{Outcome, cargo, run};
use crate::targets::TARGETS;
use crate::{firmware, fuzz, miri, promises, targets, tree};

/// The oldest compiler, as `rust-version` says.
const OLDEST: &str = "1.88.0";

/// A step has a name and what it does with the library crates.
type Step = (&'static str, fn(&[Package]) -> Outcome);

const STEPS: &[Step] = &[
    ("format", |_| cargo(["fmt", "--all", "--check"])),
    ("clippy", |_| cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])),
    ("tests", |_| cargo(["test", "--workspace"])),
    ("fuzz", fuzzing),
    ("vocabularies", vocabularies),
    ("examples", examples),
    ("tree", tree::check),
    ("promises", promises::check),
    ("docs", docs),
    ("features", features),
    ("targets", targets::step),
    ("metal", metal),
    ("firmware", firmware::step),
    ("footprint", footprint),
    ("miri", miri::step),
    ("oldest", oldest),
    ("package", package),
];

/// Runs all steps, or one.
///
/// # Errors
/// If a step fails; those behind it are not run.
pub(crate) fn run_steps(only: Option<&str>) -> Outcome {
    let libraries = libraries()?;
    let mut ran = false;
    for &(name, step) in STEPS {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        ran = true;
        let started = Instant::now();
        println!("== {name}");
        step(&libraries).map_err(|failure| format!("{name}: {failure}"))?;
        println!("== {name}: {:.0} s", started.elapsed().as_secs_f64());
    }
    let names = || STEPS.iter().map(|&(name, _)| name).collect::<Vec<_>>().join(", ");
    if ran { Ok(()) } else { Err(format!("there is no such step; the steps are {}", names()).into()) }
}

/// The crates that must work without a standard library: those under `crates/` that have one.
pub(crate) fn libraries() -> Outcome<Vec<Package>> {
    let metadata = MetadataCommand::new().no_deps().exec()?;
    let folder = metadata.workspace_root.join("crates");
    let is_library = |package: &Package| {
        package.manifest_path.starts_with(&folder) && package.targets.iter().any(|target| target.is_lib())
    };
    Ok(metadata.packages.into_iter().filter(is_library).collect())
}

/// The fuzz targets, a few seconds each: they still build, and find nothing near their seeds. Two minutes and a half on
/// two cores, most of them for building.
fn fuzzing(_: &[Package]) -> Outcome {
    cargo(["fmt", "--check", "--manifest-path", "fuzz/Cargo.toml"])?;
    fuzz::fuzz(&fuzz::Options::short())
}

/// The programs under `examples/`, which stop where something is not as they say. Those that need a client of HTTP lie
/// with its tests.
fn examples(_: &[Package]) -> Outcome {
    for package in &MetadataCommand::new().no_deps().exec()?.packages {
        for example in package.targets.iter().filter(|target| target.is_example()) {
            let run = ["run", "--quiet", "--package", &package.name, "--example", &example.name];
            cargo(run.into_iter().chain(["--features", &example.required_features.join(",")]))?;
        }
    }
    Ok(())
}

/// The documentation: of the whole workspace, and of the library crates as docs.rs builds it, with a label at what needs a
/// feature. The labels are unstable, so the compiler is told to take them.
fn docs(libraries: &[Package]) -> Outcome {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    run(Command::new(&cargo)
        .args(["doc", "--workspace", "--no-deps", "--all-features"])
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    run(Command::new(cargo)
        .args(["doc", "--quiet", "--no-deps", "--all-features", "--target-dir", "target/docs"])
        .args(libraries.iter().flat_map(|package| ["--package", package.name.as_str()]))
        .env("RUSTDOCFLAGS", "-D warnings --cfg docsrs")
        .env("RUSTC_BOOTSTRAP", "1"))
}

/// What would be published: each crate packed in the order of their dependencies, and built from what was packed.
///
/// Cargo keeps what it unpacks for that under the name of the folder, and takes it again where the version is the same. So the
/// folder is another one each time.
fn package(libraries: &[Package]) -> Outcome {
    let folder = format!("target/packed-{}", std::process::id());
    let packages = libraries.iter().flat_map(|package| ["--package", package.name.as_str()]);
    let pack = ["package", "--quiet", "--allow-dirty", "--target-dir", &folder, "--package", "plimsoll-cli"];
    let packed = cargo(pack.into_iter().chain(packages));
    std::fs::remove_dir_all(&folder)?;
    packed
}

/// The feature of the command that is off by default. It builds the command once more, in a minute or two.
fn vocabularies(_: &[Package]) -> Outcome {
    let command = ["--package", "plimsoll-cli", "--features", "tiktoken"];
    cargo(["clippy", "--all-targets"].into_iter().chain(command).chain(["--", "-D", "warnings"]))?;
    cargo(["test"].into_iter().chain(command).chain(["vocabulary"]))
}

/// Each library crate without features, with each alone, and with all.
fn features(libraries: &[Package]) -> Outcome {
    for package in libraries {
        let check = ["clippy", "--quiet", "--package", &package.name, "--no-default-features"];
        let deny = ["--", "-D", "warnings"];
        cargo(check.into_iter().chain(deny))?;
        for feature in package.features.keys().filter(|feature| *feature != "default") {
            cargo(check.into_iter().chain(["--features", feature]).chain(deny))?;
        }
        cargo(check.into_iter().chain(["--all-features"]).chain(deny))?;
    }
    Ok(())
}

/// The images that are measured, which are a workspace of their own.
fn metal(_: &[Package]) -> Outcome {
    let manifest = ["--manifest-path", "xtask/metal/Cargo.toml"];
    cargo(["fmt", "--check"].into_iter().chain(manifest))?;
    let clippy = ["clippy", "--quiet", "--lib", "--target", TARGETS[0]];
    cargo(clippy.into_iter().chain(manifest).chain(["--", "-D", "warnings"]))
}

/// Sizes and stacks against their ceilings, counts of instructions, and the README's tables of both.
fn footprint(_: &[Package]) -> Outcome {
    bench::device(&["footprint".to_owned()])?;
    bench::device(&["metal".to_owned()])
}

/// The crates that are published, with the oldest compiler. rustup brings it where it is missing. What the
/// tests and measurements depend on may ask for a newer one.
fn oldest(libraries: &[Package]) -> Outcome {
    let install = ["toolchain", "install", OLDEST, "--profile", "minimal", "--no-self-update"];
    run(Command::new("rustup").args(install))?;
    // Cargo's own environment would call the compiler that runs this.
    run(Command::new("rustup")
        .args(["run", OLDEST, "cargo", "check", "--quiet", "--target-dir", "target/oldest"])
        .args(["--package", "plimsoll-cli"])
        .args(libraries.iter().flat_map(|package| ["--package", package.name.as_str()]))
        .env_remove("CARGO")
        .env_remove("RUSTC")
        .env_remove("RUSTUP_TOOLCHAIN"))
}
