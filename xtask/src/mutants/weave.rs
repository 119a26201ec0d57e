//! All changes of a crate in one program: each function asks which one is chosen, and runs the body that has it.
//!
//!     fn next(at: usize) -> usize { match crate::woven::chosen(7) { 41 => { at - 1 } 42 => { at * 1 } _ => { at + 1 } } }
//!
//! So a crate is built once and not once for each change. The arms are copies of the text, so what a change does not touch means
//! the same in each. A function that the compiler evaluates runs as it stands: what is called nowhere else counts as not reached.

use std::ops::Range;

use super::list::Mutant;

/// Marks the lines of an arm, so that an error of the compiler is told to be that change's.
const ARM: &str = "//~ change ";
const END: &str = "//~ end";

/// A function with changes.
struct Function<'a> {
    /// By which it says that it was reached.
    number: usize,
    whole: Range<usize>,
    /// What is between the braces.
    body: Range<usize>,
    changes: Vec<(u32, Range<usize>, &'a str)>,
}

/// A file's text, and the functions that are woven.
struct Weaver<'a> {
    source: &'a str,
    functions: Vec<Function<'a>>,
}

/// The text with all these changes in it. `numbers` gives each function the next one, and `reached` keeps which change is in which.
pub(super) fn weave(
    source: &str,
    mutants: &[(u32, &Mutant)],
    numbers: &mut usize,
    reached: &mut Vec<(u32, usize)>,
) -> String {
    let mut functions: Vec<Function<'_>> = Vec::new();
    for &(id, mutant) in mutants {
        let Some(whole) = mutant.function.as_ref().map(|function| function.span.bytes(source)) else {
            continue;
        };
        let index = functions.iter().position(|function| function.whole == whole).unwrap_or_else(|| {
            let body = body(source, &whole);
            functions.push(Function { number: *numbers, whole, body, changes: Vec::new() });
            *numbers += 1;
            functions.len() - 1
        });
        let Some(function) = functions.get_mut(index) else { continue };
        function.changes.push((id, mutant.span.bytes(source), &mutant.replacement));
        reached.push((id, function.number));
    }
    functions.sort_by_key(|function| function.whole.start);
    let weaver = Weaver { source, functions };
    // What must be inlined would be so with all its arms, wherever it is called.
    weaver.woven(0..source.len()).replace("#[inline(always)]", "#[inline]")
}

/// Which change's arm each line of a woven text belongs to.
pub(super) fn arms(woven: &str) -> Vec<Option<u32>> {
    let mut current = None;
    let arm = |line: &str| -> Option<u32> {
        if let Some((_, id)) = line.split_once(ARM) {
            current = id.trim().parse().ok();
        } else if line.ends_with(END) {
            current = None;
        }
        current
    };
    woven.lines().map(arm).collect()
}

/// What is between the braces of a function, in front of which its documentation may stand: the first brace that is in no comment
/// and no other bracket opens it.
fn body(source: &str, function: &Range<usize>) -> Range<usize> {
    let text = source.get(function.clone()).unwrap_or("");
    let (mut depth, mut at) = (0_u32, 0);
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or(line);
        for (column, character) in code.char_indices() {
            match character {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                '{' if depth == 0 => {
                    let start = function.start + at + column + 1;
                    return start..(function.end - 1).max(start);
                }
                _ => {}
            }
        }
        at += line.len();
    }
    function.end..function.end
}

impl Weaver<'_> {
    fn text(&self, range: Range<usize>) -> &str {
        self.source.get(range).unwrap_or("")
    }

    /// This part of the text, with the functions in it woven.
    fn woven(&self, range: Range<usize>) -> String {
        let mut woven = String::new();
        let mut at = range.start;
        for function in &self.functions {
            if function.whole.start >= at && function.whole.end <= range.end {
                woven += self.text(at..function.body.start);
                woven += &self.choice(function);
                at = function.body.end;
            }
        }
        woven + self.text(at..range.end)
    }

    fn choice(&self, function: &Function<'_>) -> String {
        let Range { start, end } = function.body;
        let mut choice = format!(" match crate::woven::chosen({}) {{\n", function.number);
        for (id, changed, replacement) in &function.changes {
            let (before, after) = (self.text(start..changed.start), self.text(changed.end..end));
            choice += &format!("{id}u32 => {{ {ARM}{id}\n{before}{replacement}{after}\n}} {END}\n");
        }
        choice + &format!("_ => {{{}\n}} }}\n", self.woven(start..end))
    }
}

/// What a woven crate's root is given, with as many functions.
///
/// - `WOVEN` in the environment chooses a change by its number.
/// - `WOVEN_REACHED` names a file to which the number of each function is appended that is reached.
/// - `WOVEN_FIRST` ends the process at the first panic.
pub(super) fn root(source: &str, functions: usize) -> String {
    format!(
        "#![allow(warnings, clippy::all)]\n#![feature(core_intrinsics, const_eval_select)]\n{source}
#[doc(hidden)]
pub mod woven {{
    extern crate std;
    use core::sync::atomic::{{AtomicBool, AtomicU32, Ordering::Relaxed}};
    use std::{{env, fs::OpenOptions, io::Write}};

    const UNKNOWN: u32 = u32::MAX;
    const TRACED: u32 = UNKNOWN - 1;
    static CHOSEN: AtomicU32 = AtomicU32::new(UNKNOWN);
    static REACHED: [AtomicBool; {functions}] = [const {{ AtomicBool::new(false) }}; {functions}];

    pub const fn chosen(function: usize) -> u32 {{
        const fn evaluated(_: usize) -> u32 {{ 0 }}
        core::intrinsics::const_eval_select((function,), evaluated, run)
    }}

    fn run(function: usize) -> u32 {{
        match CHOSEN.load(Relaxed) {{
            UNKNOWN | TRACED => first(function),
            chosen => chosen,
        }}
    }}

    #[cold]
    fn first(function: usize) -> u32 {{
        if CHOSEN.load(Relaxed) == UNKNOWN {{
            if env::var_os(\"WOVEN_FIRST\").is_some() {{
                std::panic::set_hook(std::boxed::Box::new(|_| std::process::exit(101)));
            }}
            let chosen = env::var(\"WOVEN\").ok().and_then(|chosen| chosen.parse().ok());
            CHOSEN.store(chosen.unwrap_or(TRACED), Relaxed);
        }}
        let chosen = CHOSEN.load(Relaxed);
        if chosen != TRACED {{
            return chosen;
        }}
        if !REACHED[function].swap(true, Relaxed) {{
            if let Some(path) = env::var_os(\"WOVEN_REACHED\") {{
                let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
                file.write_all(std::format!(\"{{function}}\\n\").as_bytes()).unwrap();
            }}
        }}
        0
    }}
}}
"
    )
}

#[cfg(test)]
#[allow(clippy::panic_in_result_fn, reason = "an assertion that fails is the point")]
mod tests {
    use super::*;
    use crate::command::Outcome;

    /// A change on one line, in the function that begins and ends on these lines.
    fn mutant(
        line: usize,
        columns: Range<usize>,
        replacement: &str,
        function: Range<usize>,
    ) -> Outcome<Mutant> {
        let place = |line: usize, column: usize| serde_json::json!({ "line": line, "column": column });
        let span =
            serde_json::json!({ "start": place(line, columns.start), "end": place(line, columns.end) });
        // The closing brace stands first in its line.
        let function =
            serde_json::json!({ "start": place(function.start, 1), "end": place(function.end, 2) });
        Ok(serde_json::from_value(serde_json::json!({
            "file": "src/lib.rs",
            "name": "a change",
            "function": { "return_type": "-> u8", "span": function },
            "span": span,
            "replacement": replacement,
        }))?)
    }

    /// White space makes no difference.
    fn without_space(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_change_has_an_arm_of_its_own_and_what_was_there_the_last() -> Outcome {
        let source = "/// One more `{` is no body.\nfn next(at: usize) -> usize {\n    at + 1\n}\n";
        let (minus, nothing) = (mutant(3, 8..9, "-", 1..4)?, mutant(3, 5..11, "0", 1..4)?);
        let (mut count, mut functions) = (7, Vec::new());
        let woven = weave(source, &[(41, &minus), (42, &nothing)], &mut count, &mut functions);
        assert_eq!(
            without_space(&woven),
            "/// One more `{` is no body. fn next(at: usize) -> usize { match crate::woven::chosen(7) { \
             41u32 => { //~ change 41 at - 1 } //~ end 42u32 => { //~ change 42 0 } //~ end _ => { at + 1 } } }",
        );
        assert_eq!((count, functions), (8, vec![(41, 7), (42, 7)]));
        let line = |text: &str| woven.lines().position(|line| line.trim() == text).unwrap_or(usize::MAX);
        let arms = arms(&woven);
        assert_eq!(arms.get(line("at - 1")), Some(&Some(41)));
        assert_eq!(arms.get(line("0")), Some(&Some(42)));
        assert_eq!(arms.get(line("at + 1")), Some(&None));
        Ok(())
    }

    #[test]
    fn a_function_in_a_function_is_woven_where_the_outer_one_is_as_it_was() -> Outcome {
        let source = "fn outer() -> u8 {\n    fn inner() -> u8 {\n1\n}\n    inner() + 1\n}\n";
        let (inner, outer) = (mutant(3, 1..2, "0", 2..4)?, mutant(5, 13..14, "*", 1..6)?);
        let woven = weave(source, &[(1, &inner), (2, &outer)], &mut 0, &mut Vec::new());
        assert_eq!(
            without_space(&woven),
            "fn outer() -> u8 { match crate::woven::chosen(1) { \
             2u32 => { //~ change 2 fn inner() -> u8 { 1 } inner() * 1 } //~ end \
             _ => { fn inner() -> u8 { match crate::woven::chosen(0) { 1u32 => { //~ change 1 0 } //~ end _ => { 1 } } } \
             inner() + 1 } } }",
        );
        Ok(())
    }
}
