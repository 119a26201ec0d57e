//! Every link within the repository leads somewhere: to a file or a folder that is there, and to a heading that it has.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::fs;
use std::path::{Path, PathBuf};

/// The pages of the repository: whatever ends in `.md`, without what is built or found.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !matches!(name, "target" | ".git" | "corpus" | "artifacts") {
            pages(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            found.push(path);
        }
    }
}

/// The text without what stands between fences, which is no Markdown.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let mut outside = |line: &&str| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    };
    text.lines().filter(|line| outside(line)).map(|line| format!("{line}\n")).collect()
}

/// Where the links and pictures of a text lead.
fn targets(text: &str) -> Vec<&str> {
    text.split("](").skip(1).filter_map(|rest| rest.split([')', '\n']).next()).collect()
}

/// The name of a heading in a link, as forges make it: in lower case, with `-` for a space, without what is neither letter,
/// digit, `-` nor `_`.
fn anchor(heading: &str) -> String {
    let kept = |&character: &char| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_');
    heading
        .trim()
        .to_lowercase()
        .chars()
        .filter(kept)
        .map(|character| if character == ' ' { '-' } else { character })
        .collect()
}

fn anchors(text: &str) -> Vec<String> {
    let heading = |line: &str| line.starts_with('#').then(|| anchor(line.trim_start_matches('#')));
    prose(text).lines().filter_map(heading).collect()
}

#[test]
fn every_link_within_the_repository_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut found = Vec::new();
    pages(&root, &mut found);
    let mut astray = Vec::new();
    let mut checked = 0_usize;
    for page in &found {
        let text = fs::read_to_string(page).unwrap();
        for target in targets(&prose(&text)) {
            if target.contains("://") {
                continue;
            }
            checked = checked.saturating_add(1);
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
            let has_heading = || {
                anchors(&fs::read_to_string(&file).unwrap_or_default()).iter().any(|there| there == heading)
            };
            if !file.exists() || !(heading.is_empty() || has_heading()) {
                astray.push(format!("{}: {target}", page.strip_prefix(&root).unwrap().display()));
            }
        }
    }
    assert!(astray.is_empty(), "{astray:#?}");
    assert!(checked > 30, "{checked}");
}

#[test]
fn a_link_is_found_outside_of_fences_and_a_heading_by_its_name() {
    let text = "# What `it` tells, and *how*\n[a](b.md#c) ![d](e.svg)\n```sh\n[f](g)\n# no heading\n```\n";
    assert_eq!(targets(&prose(text)), ["b.md#c", "e.svg"]);
    assert_eq!(anchors(text), ["what-it-tells-and-how"]);
}
