//! The changes, as cargo-mutants lists them: which text of which file becomes which, and inside of which function.

use std::fs;
use std::ops::Range;

use serde::Deserialize;

use crate::command::Outcome;
use crate::tool::Tool;

pub(super) const MUTANTS: Tool = Tool("cargo-mutants", "27.1.0");

/// One change of the sources.
#[derive(Deserialize)]
pub(super) struct Mutant {
    /// From the root of the workspace.
    pub(super) file: String,
    /// What it does, with the place.
    pub(super) name: String,
    /// None where it changes a constant.
    pub(super) function: Option<Function>,
    pub(super) span: Span,
    pub(super) replacement: String,
}

impl Mutant {
    /// Whether a function can choose it while it runs: not so where it changes a constant, nor where the function's type is told by
    /// its body, of which there can be only one.
    pub(super) fn is_woven(&self) -> bool {
        self.function.as_ref().is_some_and(|function| !function.return_type.contains("impl "))
    }

    /// Whether its function is one that the compiler may evaluate, so that no test need run it.
    pub(super) fn is_constant(&self) -> bool {
        let source = fs::read_to_string(&self.file).unwrap_or_default();
        let function = self.function.as_ref().map_or(0..0, |function| function.span.bytes(&source));
        let mut lines = source.get(function).unwrap_or("").lines().map(str::trim_start);
        let head = lines.find(|line| !line.starts_with("//") && !line.starts_with("#["));
        head.is_some_and(|head| head.contains("const fn "))
    }
}

#[derive(Deserialize)]
pub(super) struct Function {
    return_type: String,
    pub(super) span: Span,
}

/// Up to and without `end`.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct Span {
    start: Place,
    end: Place,
}

/// Line and character, from 1.
#[derive(Clone, Copy, Deserialize)]
struct Place {
    line: usize,
    column: usize,
}

impl Span {
    /// The bytes of `source` that are meant.
    pub(super) fn bytes(&self, source: &str) -> Range<usize> {
        self.start.byte(source)..self.end.byte(source)
    }
}

impl Place {
    fn byte(self, source: &str) -> usize {
        let before = source.split_inclusive('\n').take(self.line.saturating_sub(1)).map(str::len).sum();
        let line = source.get(before..).unwrap_or("");
        let column = line.char_indices().nth(self.column.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
        usize::saturating_add(before, column)
    }
}

/// All changes of a package that `.cargo/mutants.toml` does not take out.
///
/// # Errors
/// If the tool cannot be fetched, or does not succeed.
pub(super) fn list(package: &str, passed_on: &[String]) -> Outcome<Vec<Mutant>> {
    MUTANTS.install()?;
    let mut command = MUTANTS.command()?;
    command.args(["mutants", "--list", "--json", "--package", package]).args(passed_on);
    let output = command.output()?;
    if !output.status.success() {
        return Err(
            format!("{command:?}: {}{}", output.status, String::from_utf8_lossy(&output.stderr)).into()
        );
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}
