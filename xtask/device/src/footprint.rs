//! What a primitive takes of a device: each image of `xtask/metal`, linked with LTO for three targets at the levels `s` and
//! `3`, over the image that does nothing.
//!
//! Flash is told apart: code, constants, and the copying and clearing of memory and the division of 64-bit numbers that the
//! compiler links from `compiler_builtins`, which firmware has once. The stack is measured, by painting it while the
//! image runs over the bodies of [`crate::bodies`], and bounded by the call graph; neither has the state in it that lies on
//! the stack, which is counted as state.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use plimsoll_subjects::corpora::Corpora;
use serde_json::{Value, json};

use crate::board::{BOARDS, Board};
use crate::bodies;
use crate::ceilings::{Ceiling, Ceilings};
use crate::elf::{Image, Symbol};
use crate::graph::{Bound, Graph};
use crate::images::{self, Built, Images};
use crate::sizes::{self, Size};
use crate::{Output, readme};

const LEVELS: [&str; 2] = ["s", "3"];

/// What runs this.
const COMMAND: &str = "cargo xtask footprint";

/// The image over which the others are measured.
const EMPTY: &str = "empty";

/// Name of the image, and what it is.
const OURS: [(&str, &str); 10] = [
    ("budget", "meters of bytes and work"),
    ("utf8", "UTF-8"),
    ("json-check", "JSON, checked"),
    ("json-tokens", "JSON, tokens"),
    ("json-select", "JSON, four fields selected"),
    ("inflate", "inflate, ring"),
    ("inflate-flat", "inflate, flat"),
    ("gzip", "gzip, inflate, CRC-32"),
    ("pipeline", "all of these: limits, gzip, JSON, four fields"),
    ("report", "the report, through serde-json-core"),
];

/// What is written through `serde-json-core`, which has bounds checks that are never met and still bring a panic.
const PANICS: &str = "report";

/// The same for peers, on the first target at the first level.
const PEERS: [(&str, &str); 6] = [
    ("peer-miniz_oxide", "miniz_oxide 0.9.1: inflate, ring"),
    ("peer-miniz_oxide-flat", "miniz_oxide 0.9.1: inflate, flat"),
    ("peer-compcol-inflate", "compcol 0.7.8 embed: inflate, ring"),
    ("peer-compcol", "compcol 0.7.8 embed: gzip, inflate, CRC-32"),
    ("peer-picojson", "picojson 0.2.3: events, no floats"),
    ("peer-serde-json-core", "serde-json-core 0.7.0: skipping, whole slice"),
];

/// Parts of the names of functions that panic, or that only a panic calls.
const PANIC: [&str; 7] =
    ["panic", "unwind", "unwrap_failed", "expect_failed", "index_fail", "slice_error", "mismatch_fail"];
const ALLOCATOR: [&str; 4] = ["__rust_alloc", "__rust_realloc", "__rust_dealloc", "handle_alloc_error"];
/// What the names of the compiler's own functions begin with or hold.
const BUILTINS: [&str; 8] =
    ["__aeabi_", "compiler_builtins", "memcpy", "memmove", "memset", "memcmp", "__udiv", "__mul"];

/// One image on one board at one level.
struct Footprint {
    image: &'static str,
    board: &'static Board,
    level: &'static str,
    flash: u32,
    /// Of the flash: code that is not the compiler's, the compiler's, and constants.
    code: u32,
    builtins: u32,
    constants: u32,
    memory: u32,
    state: u32,
    /// Of the state, what lies on the stack.
    machine: u32,
    /// Of the memory, what the decoded body itself lies in.
    output: u32,
    /// The deepest stack of any run.
    stack: u32,
    bound: Bound,
    panic: Vec<String>,
    allocator: Vec<String>,
    largest: Vec<(String, u32)>,
}

impl Footprint {
    fn place(&self) -> String {
        let target = self.board.target.split('-').next().unwrap_or_default();
        format!("{target}-{}", self.level)
    }

    fn ours(&self) -> bool {
        OURS.iter().any(|(image, _)| *image == self.image)
    }

    fn figures(&self) -> Ceiling {
        Ceiling { flash: self.flash, memory: self.memory, state: self.state, stack: self.bound.bytes }
    }

    /// What may not be in an image of ours at all.
    fn complaints(&self) -> Vec<String> {
        let named = [
            ("panics", &self.panic),
            ("allocates", &self.allocator),
            ("is recursive", &self.bound.recursive),
            ("calls through a pointer", &self.bound.indirect),
            ("has a frame that is told otherwise than it is", &self.bound.doubtful),
        ];
        let place = format!("{}, {}", self.image, self.place());
        let mut complaints: Vec<String> = named
            .iter()
            .filter(|(what, _)| self.image != PANICS || *what != "panics")
            .flat_map(|(what, names)| names.iter().map(move |name| (what, name)))
            .map(|(what, name)| format!("{place}: {what}: {name}"))
            .collect();
        if self.stack > self.bound.bytes {
            let (stack, bound) = (self.stack, self.bound.bytes);
            complaints.push(format!("{place}: a stack of {stack} was measured, over the bound of {bound}"));
        }
        complaints
    }
}

/// What an image is before the empty one is taken off it.
struct Measured {
    image: Image,
    builtins: u32,
    stack: u32,
    machine: u32,
    state: u32,
    output: u32,
}

/// Measures, prints, and says what is wrong.
pub(crate) fn run(filter: Option<&str>, explain: bool, output: Output) -> Vec<String> {
    let corpora = Corpora::locate();
    let images = Images::new(&corpora);
    let wanted = |image: &str| filter.is_none_or(|filter| image.contains(filter));
    for (kind, bodies) in [("json", bodies::json()), ("raw", bodies::raw()), ("gzip", bodies::gzip())] {
        images.input(kind, &bodies);
    }
    let mut footprints = Vec::new();
    for (index, board) in BOARDS.iter().enumerate() {
        for level in LEVELS {
            let peers = index == 0 && level == LEVELS[0];
            let shown = OURS.iter().chain(if peers { &PEERS[..] } else { &[] });
            let shown: Vec<&str> = shown.map(|&(name, _)| name).filter(|name| wanted(name)).collect();
            let built =
                images.build(board, level, peers.then_some("peers"), &[&[EMPTY], &shown[..]].concat());
            let nothing = measure(&built, board, EMPTY);
            for name in shown {
                let measured = measure(&built, board, name);
                footprints.push(footprint(name, board, level, &measured, &nothing));
            }
        }
    }
    let sizes = if filter.is_some() { Vec::new() } else { sizes::measure(&images) };
    if output.json {
        println!("{}", to_json(&footprints, &sizes));
    } else {
        print!("{}", to_text(&footprints, explain));
        print!("{}", if sizes.is_empty() { String::new() } else { sizes::to_text(&sizes) });
    }
    let ours = || footprints.iter().filter(|footprint| footprint.ours());
    let mut complaints: Vec<String> = ours().flat_map(Footprint::complaints).collect();
    if filter.is_some() {
        return complaints;
    }
    if output.write {
        let mut ceilings = Ceilings::default();
        ours().for_each(|footprint| ceilings.set(footprint.image, &footprint.place(), footprint.figures()));
        ceilings.write(corpora.root());
        readme::write(corpora.root(), "footprint", &to_markdown(&footprints));
        readme::write(corpora.root(), "sizes", &sizes::to_markdown(&sizes));
    } else {
        complaints.extend(judge(corpora.root(), &footprints));
        complaints.extend(readme::check_exactly(
            corpora.root(),
            "sizes",
            COMMAND,
            &sizes::to_markdown(&sizes),
        ));
    }
    complaints
}

fn judge(root: &Path, footprints: &[Footprint]) -> Vec<String> {
    let ceilings = Ceilings::read(root);
    let ours = || footprints.iter().filter(|footprint| footprint.ours());
    let measured: Vec<_> = ours().map(|footprint| (footprint.image.to_owned(), footprint.place())).collect();
    ours()
        .flat_map(|footprint| ceilings.judge(footprint.image, &footprint.place(), footprint.figures()))
        .chain(ceilings.without(&measured))
        .chain(readme::check(root, "footprint", COMMAND, &to_markdown(footprints)))
        .collect()
}

/// Reads an image, and runs it over its bodies.
fn measure(built: &Built, board: &Board, name: &str) -> Measured {
    const BODIES: &str = "BODIES";
    const OUTPUT: &str = "::OUTPUT";
    let path = built.path(name);
    let mut image = Image::parse(&fs::read(&path).expect("the image was just built"));
    let printed = images::run(board, &path, &[], path.parent().expect("an image lies in a folder"));
    let numbers: Vec<u32> = printed.lines().filter_map(|line| line.parse().ok()).collect();
    let &[stack, machine, state] = numbers.as_slice() else { panic!("{name} printed {printed}") };
    // The bodies are no part of what is measured.
    image.flash -= sum(image.symbols.iter().filter(|symbol| symbol.name == BODIES));
    let output = sum(image.symbols.iter().filter(|symbol| symbol.name.ends_with(OUTPUT)));
    let builtins = sum(having(&image, &BUILTINS));
    Measured { image, builtins, stack, machine, state, output }
}

fn sum<'s>(symbols: impl Iterator<Item = &'s Symbol>) -> u32 {
    symbols.map(|symbol| symbol.size).sum()
}

/// Symbols with one of the parts in their names.
fn having<'i>(image: &'i Image, parts: &[&'i str]) -> impl Iterator<Item = &'i Symbol> {
    let parts = parts.to_vec();
    image.symbols.iter().filter(move |symbol| parts.iter().any(|part| symbol.name.contains(part)))
}

fn footprint(
    name: &'static str,
    board: &'static Board,
    level: &'static str,
    measured: &Measured,
    nothing: &Measured,
) -> Footprint {
    const ROOT: &str = "measured";
    const LARGEST: usize = 24;
    let Measured { image, builtins, stack, machine, state, output } = measured;
    let root = image.function(ROOT).expect("every image has the function `measured`");
    let mut bound = Graph::new(image, board.set).bound(root);
    bound.bytes = bound.bytes.saturating_sub(*machine);
    let flash = image.flash.saturating_sub(nothing.image.flash);
    let code = image.code.saturating_sub(nothing.image.code);
    let builtins = builtins.saturating_sub(nothing.builtins);
    let names = |parts: &[&str]| having(image, parts).map(|symbol| symbol.name.clone()).collect();
    let mut largest: Vec<_> =
        image.functions.values().map(|function| (function.name.clone(), function.size)).collect();
    largest.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    largest.truncate(LARGEST);
    Footprint {
        image: name,
        board,
        level,
        flash,
        code: code.saturating_sub(builtins),
        builtins,
        constants: flash.saturating_sub(code),
        memory: image.memory.saturating_sub(nothing.image.memory),
        state: machine + state,
        machine: *machine,
        output: *output,
        stack: stack.saturating_sub(nothing.stack).saturating_sub(*machine),
        bound,
        panic: names(&PANIC),
        allocator: names(&ALLOCATOR),
        largest,
    }
}

/// The report for machines: `{"kind", "unit", "date", "machine", "results": [...], "sizes": {...}}`. Of the RAM, what the
/// decoded body itself lies in is left out.
fn to_json(footprints: &[Footprint], sizes: &[Size]) -> Value {
    let result = |footprint: &Footprint| {
        let Bound { bytes, way, recursive, indirect, .. } = &footprint.bound;
        json!({
            "image": footprint.image, "ours": footprint.ours(), "target": footprint.board.target,
            "opt_level": footprint.level, "flash": footprint.flash, "code": footprint.code,
            "builtins": footprint.builtins, "constants": footprint.constants, "memory": footprint.memory,
            "state": footprint.state, "ram": footprint.memory - footprint.output + footprint.machine + footprint.stack,
            "stack": footprint.stack, "stack_bound": bytes, "deepest": way,
            "recursive": recursive, "indirect": indirect, "panic": footprint.panic,
            "allocator": footprint.allocator,
        })
    };
    let mut report = json!({
        "kind": "footprint", "unit": "bytes", "results": footprints.iter().map(result).collect::<Vec<_>>(),
        "sizes": sizes::to_json(sizes),
    });
    images::stamp(&mut report, &BOARDS);
    report
}

/// The report for people.
fn to_text(footprints: &[Footprint], explain: bool) -> String {
    let mut text = String::from("footprint: LTO, bytes over an image that does nothing.\n");
    let mut place = String::new();
    for footprint in footprints {
        if footprint.place() != place {
            place = footprint.place();
            let _ = write!(text, "\n{:<24}", place);
            for title in ["flash", "code", "builtins", "consts", "memory", "state", "stack", "bound"] {
                let _ = write!(text, "{title:>9}");
            }
            text += "\n";
        }
        let Footprint { image, flash, code, builtins, constants, memory, state, stack, bound, .. } =
            footprint;
        let _ = write!(text, "{image:<24}");
        for figure in [flash, code, builtins, constants, memory, state, stack, &bound.bytes] {
            let _ = write!(text, "{figure:>9}");
        }
        text += "\n";
        for complaint in footprint.complaints() {
            let _ = writeln!(text, "  {complaint}");
        }
        if explain {
            for (title, list) in [("deepest", &bound.way), ("largest", &footprint.largest)] {
                let _ = writeln!(text, "  {title}:");
                for (name, size) in list {
                    let _ = writeln!(text, "  {size:>7} {name}");
                }
            }
        }
    }
    text
}

/// The README's table: what ours take on each target, and the peers on the first.
fn to_markdown(footprints: &[Footprint]) -> String {
    let mut table = String::from("| |");
    for board in &BOARDS {
        let _ = write!(table, " {} |", board.name);
    }
    table += " state | stack |\n|---|---|---|---|---|---|\n";
    for &(image, about) in OURS.iter().chain(&PEERS) {
        let of = |board: &Board, level: &str| {
            let found = |footprint: &&Footprint| {
                footprint.image == image && footprint.board.target == board.target && footprint.level == level
            };
            footprints.iter().find(found)
        };
        let _ = write!(table, "| {about} |");
        for board in &BOARDS {
            let flash =
                LEVELS.map(|level| of(board, level).map_or_else(|| "-".to_owned(), |of| grouped(of.flash)));
            let _ = write!(table, " {} |", flash.join(" / "));
        }
        let Some(first) = of(&BOARDS[0], LEVELS[0]) else { continue };
        let Bound { bytes, recursive, indirect, .. } = &first.bound;
        let bound =
            if recursive.is_empty() && indirect.is_empty() { grouped(*bytes) } else { "none".to_owned() };
        let _ = writeln!(table, " {} | {} / {bound} |", grouped(first.state), grouped(first.stack));
    }
    table
}

/// A number with commas.
pub(crate) fn grouped(number: u32) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}
