//! UTF-8 validation: whole slices and chunks of 512 bytes.

use core::hint::black_box;

use plimsoll_core::Inspect;
use plimsoll_subjects::corpora::{Corpora, Document};
use plimsoll_utf8::{Lossy, Runs, Utf8};

use crate::rounds::{Heading, Lane, Settings, Table, Task, Unit, measure};

/// Name, and what makes a task for a text.
type Contestant = (&'static str, for<'a> fn(&'a [u8]) -> Task<'a>);

const OURS: &[Contestant] = &[
    ("plimsoll Utf8, whole", |text| inspect(text, usize::MAX)),
    ("plimsoll Utf8, 512-byte chunks", |text| inspect(text, 512)),
    ("plimsoll Runs, 512-byte chunks", |text| runs(text, 512)),
    ("plimsoll Lossy, 512-byte chunks", |text| lossy(text, 512)),
];

const PEERS: &[Contestant] = &[
    (CORE, |text| Box::new(move || core::str::from_utf8(black_box(text)).is_ok())),
    ("simdutf8 basic, whole", |text| Box::new(move || simdutf8::basic::from_utf8(black_box(text)).is_ok())),
    ("simdutf8 compat, whole", |text| Box::new(move || simdutf8::compat::from_utf8(black_box(text)).is_ok())),
];

const CORE: &str = "core::str::from_utf8, whole";

pub(crate) fn run(settings: &Settings) -> Table {
    let documents = documents(&Corpora::locate());
    let mut lanes = Vec::new();
    for document in &documents {
        for (contestants, ours) in [(OURS, true), (PEERS, false)] {
            for &(contestant, start) in contestants {
                lanes.push(Lane {
                    subject: document.name.clone(),
                    contestant,
                    ours,
                    bytes: document.bytes.len(),
                    task: start(&document.bytes),
                });
            }
        }
    }
    let heading = Heading {
        kind: "utf8",
        about: "valid text",
        unit: Unit::MegabytesPerSecond,
        references: &[CORE],
        ordinary: None,
    };
    measure(heading, settings, lanes)
}

fn inspect(text: &[u8], chunk: usize) -> Task<'_> {
    Box::new(move || {
        let mut utf8 = Utf8::new();
        black_box(text).chunks(chunk).all(|chunk| utf8.inspect(chunk).is_ok()) && utf8.finish().is_ok()
    })
}

fn runs(text: &[u8], chunk: usize) -> Task<'_> {
    Box::new(move || {
        let mut runs = Runs::new();
        for mut rest in black_box(text).chunks(chunk) {
            while !rest.is_empty() {
                let Ok(run) = runs.step(rest) else { return false };
                black_box(run.text);
                rest = &rest[run.consumed..];
            }
        }
        runs.finish().is_ok()
    })
}

fn lossy(text: &[u8], chunk: usize) -> Task<'_> {
    Box::new(move || {
        let mut lossy = Lossy::new();
        for mut rest in black_box(text).chunks(chunk) {
            while !rest.is_empty() {
                let run = lossy.step(rest);
                black_box(run.piece.as_str());
                rest = &rest[run.consumed..];
            }
        }
        lossy.finish().is_none()
    })
}

fn documents(corpora: &Corpora) -> Vec<Document> {
    let pattern = |name: &str, unit: &str| Document::repeated(name, 1 << 20, ["", unit, ""]);
    vec![
        corpora.json("canada"),
        corpora.json("twitter"),
        mixed_scripts(),
        pattern("two-byte text", "é"),
        pattern("three-byte text", "語"),
        pattern("four-byte text", "😀"),
        pattern("one and two bytes in turn", "éa"),
    ]
}

/// 1 MiB of words of several scripts in an order that does not repeat.
fn mixed_scripts() -> Document {
    const WORDS: [&str; 12] = [
        "line",
        "Größe",
        "μέτρο",
        "грузовая",
        "марка",
        "満載喫水線",
        "載貨",
        "吃水",
        "배의",
        "🚢",
        "⚓",
        "خط",
    ];
    let mut text = String::new();
    let mut state: u32 = 1;
    while text.len() < 1 << 20 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        text.push_str(WORDS[(state >> 16) as usize % WORDS.len()]);
        text.push(' ');
    }
    Document::new("mixed scripts", text)
}
