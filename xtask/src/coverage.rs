//! `cargo xtask coverage`: which lines and branches of the library crates the tests reach, and which they do not.
//!
//! All tests of the library crates and of `tests/` run, but those of HTTP clients and the soak. What stands in a crate's own test modules
//! is not counted. It takes about twelve minutes of a processor. Branches are counted where an instance of the code takes them; lines the same.
//!
//! Lines and branches that are not reached were looked at. What is left is: the other arm of a lookup whose index is in
//! range by construction, as nothing here may panic; what only the compiler evaluates, such as the rows of the engine's
//! extra bits; what is only there for another word size; arms for states in which the function is not called, which the
//! type cannot say; offsets and lengths beyond what a test can hold; and examples in the documentation, which run, but
//! not counted.

mod lcov;

use std::fs;

use cargo_metadata::{MetadataCommand, Package};

use crate::command::{Outcome, run};
use crate::nightly;
use crate::tool::Tool;

const LLVM_COV: Tool = Tool("cargo-llvm-cov", "0.9.1");

/// Beside what the tests build otherwise, as nothing in it is of use for them.
const FOLDER: &str = "target/coverage";

const RESULT: &str = "target/coverage/lcov.info";

/// What needs a server, and what takes minutes to come by what the others come by too.
const WITHOUT: [&str; 2] = ["plimsoll-tests-http", "plimsoll-tests-soak"];

/// Runs the tests and prints the table.
///
/// # Errors
/// If the tools cannot be fetched, or a test fails.
pub(crate) fn coverage(libraries: &[Package]) -> Outcome {
    LLVM_COV.install()?;
    nightly::install(&["llvm-tools"])?;
    let root = MetadataCommand::new().no_deps().exec()?.workspace_root;
    let llvm_cov = |task: &[&str]| -> Outcome {
        let mut command = nightly::inside(LLVM_COV.command()?.get_program());
        run(command.arg("llvm-cov").args(task).env("CARGO_TARGET_DIR", FOLDER))
    };
    // What an older state of the sources left would be counted by lines that are others now.
    llvm_cov(&["clean", "--workspace"])?;
    let packages = packages(libraries)?;
    let mut test = vec!["test", "--branch", "--no-report", "--lib", "--tests"];
    test.extend(packages.iter().flat_map(|package| ["--package", package.as_str()]));
    llvm_cov(&test)?;
    llvm_cov(&["report", "--branch", "--lcov", "--output-path", RESULT])?;

    let report = lcov::parse(&fs::read_to_string(RESULT)?, root.join("crates").as_str())?;
    print!("{report}");
    Ok(())
}

/// The library crates and the packages under `tests/`.
fn packages(libraries: &[Package]) -> Outcome<Vec<String>> {
    let metadata = MetadataCommand::new().no_deps().exec()?;
    let folder = metadata.workspace_root.join("tests");
    let tests = metadata.packages.iter().filter(|package| package.manifest_path.starts_with(&folder));
    let names = libraries.iter().chain(tests).map(|package| package.name.to_string());
    Ok(names.filter(|name| !WITHOUT.contains(&name.as_str())).collect())
}
