//! Manners: help, colours, width, the progress bar and closed pipes, where it matters on a terminal that `script` makes.

use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use crate::child::{Folder, bare, feed, gzip, plimsoll, text};

const COMMANDS: [&str; 5] = ["ingest", "fetch", "profile", "completions", "man"];

/// A command line for a shell that runs the command.
fn line(arguments: &[&str]) -> String {
    let quoted = arguments.iter().map(|argument| format!(" '{argument}'"));
    format!("'{}'{}", env!("CARGO_BIN_EXE_plimsoll"), quoted.collect::<String>())
}

/// What a terminal of this width gets from a shell command, and the exit status.
fn on_terminal(columns: u16, shell: &str) -> (String, i32) {
    let mut command = Command::new("script");
    for variable in ["CI", "COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.env("TERM", "xterm-256color").env("SHELL", "/bin/sh");
    command.args(["-qec", &format!("stty cols {columns} rows 50; {shell}"), "/dev/null"]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    (String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n"), output.status.code().unwrap())
}

/// A body that is measured to have long numbers, under a long name.
fn body(folder: &Folder) -> String {
    let document = format!("[{}]", ["1234567"; 5000].join(","));
    let name = format!("{}.json.gz", "name".repeat(20));
    text(&folder.file(&name, &gzip(document.as_bytes()))).to_owned()
}

#[test]
fn every_command_has_help_with_examples_and_the_program_a_version() {
    for command in COMMANDS {
        let run = plimsoll(&[command, "--help"], b"");
        let help = String::from_utf8(run.stdout).unwrap();
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{command}");
        let (_, examples) = help.split_once("\nExamples:\n").unwrap();
        assert!(examples.contains(&format!("plimsoll {command} ")), "{command}: {help}");
        // A line that the terminal breaks cannot be copied.
        assert!(examples.lines().all(|line| line.chars().count() <= 80), "{command}: {examples}");
    }
    let run = plimsoll(&["--help"], b"");
    let help = String::from_utf8(run.stdout).unwrap();
    assert!(
        help.contains("\nExamples:\n") && COMMANDS.iter().all(|command| help.contains(command)),
        "{help}"
    );
    let run = plimsoll(&["--version"], b"");
    assert_eq!(run.stdout, format!("plimsoll {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
}

#[test]
fn completions_are_written_for_every_shell() {
    for (shell, mark) in [
        ("bash", "complete -F _plimsoll"),
        ("zsh", "#compdef plimsoll"),
        ("fish", "complete -c plimsoll"),
        ("elvish", "edit:completion:arg-completer[plimsoll]"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let run = plimsoll(&["completions", shell], b"");
        let script = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.code, 0);
        assert!(script.contains(mark) && script.contains("encoded-limit"), "{shell}");
    }
    let run = plimsoll(&["completions", "tcsh"], b"");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("zsh"), "{}", run.stderr);
}

#[test]
fn bash_takes_its_completions() {
    let script = plimsoll(&["completions", "bash"], b"").stdout;
    let folder = Folder::new();
    let file = folder.file("plimsoll.bash", &script);
    for (words, expected) in [
        ("plimsoll prof", "profile\n"),
        ("plimsoll ingest --content-encoding ", "identity gzip x-gzip\n"),
        ("plimsoll fetch --media-type text", "text/plain\n"),
        ("plimsoll profile --media-type application/j", "application/json application/json-seq\n"),
    ] {
        let (before, word) = words.rsplit_once(' ').unwrap();
        let last = before.rsplit(' ').next().unwrap();
        let test = format!(
            "source '{}'; COMP_WORDS=({before} '{word}'); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _plimsoll plimsoll '{word}' '{last}'; echo \"${{COMPREPLY[*]}}\"",
            text(&file)
        );
        let output = Command::new("bash").args(["--norc", "-c", &test]).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{words}");
    }
    // They are offers: another value of a field is a body that is refused, and no usage error.
    let run = plimsoll(&["ingest", "--content-encoding", "br"], b"");
    assert_eq!((run.code, run.report("reason")), (4, Some("unsupported_coding")));
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    let folder = Folder::new();
    assert_eq!(plimsoll(&["man", "--into", text(&folder.path(""))], b"").code, 0);
    let mut expected: Vec<_> = COMMANDS.iter().map(|command| format!("plimsoll-{command}.1")).collect();
    expected.push("plimsoll.1".to_owned());
    expected.sort();
    assert_eq!(folder.names(), expected);
    for command in COMMANDS {
        let run = plimsoll(&["man", command], b"");
        let page = String::from_utf8(run.stdout).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path(&format!("plimsoll-{command}.1"))).unwrap(), page);
        for part in [
            format!(".TH plimsoll-{command} 1"),
            ".SH SYNOPSIS\n".to_owned(),
            ".SH OPTIONS\n".to_owned(),
            format!(".SH EXAMPLES\n  plimsoll {command}"),
        ] {
            assert!(page.contains(&part), "{part}: {page}");
        }
    }
    let page = String::from_utf8(plimsoll(&["man"], b"").stdout).unwrap();
    assert!(page.contains("plimsoll\\-profile(1)"), "{page}");
    let run = plimsoll(&["man", "--into", text(&folder.path("missing"))], b"");
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("missing"), "{}", run.stderr);
}

#[test]
fn colours_are_for_terminals_that_want_them() {
    let folder = Folder::new();
    let file = body(&folder);
    let (profile, missing) = (line(&["profile", &file]), line(&["ingest", "/missing"]));
    for (shell, coloured) in [
        (format!("{profile} 2>&1"), true),
        (format!("NO_COLOR=1 {profile} 2>&1"), false),
        (format!("TERM=dumb {profile} 2>&1"), false),
        (format!("{profile} | cat"), false),
        (format!("{missing} 2>&1"), true),
        (format!("NO_COLOR=1 {missing} 2>&1"), false),
        (format!("{missing} 2>&1 | cat"), false),
        (format!("{} 2>&1", line(&["ingest", "--depth", "x"])), true),
        (format!("NO_COLOR=1 {} 2>&1", line(&["ingest", "--depth", "x"])), false),
        (line(&["profile", "--help"]), true),
        (format!("NO_COLOR=1 {}", line(&["profile", "--help"])), false),
        // What machines read stays plain.
        (line(&["profile", "--json", &file]), false),
        (line(&["ingest", "--report", &file, "-o", "/dev/null"]), false),
    ] {
        let (shown, _) = on_terminal(200, &shell);
        assert_eq!(shown.contains('\u{1b}'), coloured, "{shell}: {shown:?}");
        assert!(shown.len() > 20, "{shell}: {shown:?}");
    }
}

#[test]
fn what_follows_a_body_on_a_terminal_begins_a_line_of_its_own() {
    for (options, head) in
        [("--report", "[1, 2]\n{\"outcome\":\"complete\""), ("--preview 3", "[1,\n{\"outcome\":\"preview\"")]
    {
        let command = format!("{} {options}", line(&["ingest"]));
        let (shown, _) = on_terminal(80, &format!("printf '[1, 2]' | {command}"));
        assert!(shown.starts_with(head), "{shown:?}");
        // Behind a pipe nothing is added, nor to what ends in a line end.
        let (shown, _) =
            on_terminal(80, &format!("printf '[1, 2]' | {command} 2>/dev/null | od -An -c | tail -1"));
        assert!(!shown.contains("\\n"), "{shown:?}");
    }
    let (shown, _) = on_terminal(80, &format!("printf '1\\n' | {}", line(&["ingest"])));
    assert_eq!(shown, "1\n");
    let (shown, _) = on_terminal(80, &format!("printf '' | {}", line(&["ingest"])));
    assert_eq!(shown, "");
}

#[test]
fn a_table_fits_the_terminal() {
    let folder = Folder::new();
    let file = body(&folder);
    let other = folder.file("b.json", b"[1]");
    let shell = format!("NO_COLOR=1 {}", line(&["profile", &file, text(&other)]));
    for (columns, has, lacks) in
        [(20, "greatest", "limit"), (40, "limit", "median"), (80, "…", "/name"), (300, "/name", "…")]
    {
        let (shown, code) = on_terminal(columns, &shell);
        assert_eq!(code, 0, "{shown}");
        let table = shown.split("\n\n").nth(1).unwrap();
        assert!(table.contains(has) && !table.contains(lacks), "{columns}:\n{table}");
        let widest = table.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= usize::from(columns), "{columns}:\n{table}");
        // Behind a pipe the width is told by the environment, or there is none.
        let mut command = bare(&["profile", &file, text(&other)]);
        command.env("COLUMNS", columns.to_string());
        let piped = String::from_utf8(feed(command, b"").stdout).unwrap();
        assert_eq!(piped.split("\n\n").nth(1).unwrap(), table);
    }
    let run = plimsoll(&["profile", &file, text(&other)], b"");
    assert!(String::from_utf8(run.stdout).unwrap().contains(&file));
}

#[test]
fn long_work_shows_a_bar_with_rate_and_bytes_on_a_terminal_and_nowhere_else() {
    let slow = "{ printf 12345; sleep 1.3; printf 678; sleep 0.4; }";
    for command in [line(&["ingest", "-o", "/dev/null"]), line(&["profile", "-"])] {
        let (shown, code) = on_terminal(100, &format!("{slow} | {command} 2>&1 >/dev/null"));
        assert_eq!(code, 0, "{shown}");
        assert!(shown.contains("B/s") && shown.contains("5 B"), "{command}: {shown:?}");
        let (shown, _) = on_terminal(100, &format!("{slow} | {command} 2>&1 >/dev/null | cat"));
        assert_eq!(shown, "", "{command}");
    }
    // What is over soon shows nothing.
    let (shown, _) = on_terminal(100, &format!("printf 1 | {} 2>&1 >/dev/null", line(&["profile", "-"])));
    assert_eq!(shown, "");
}

#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    let folder = Folder::new();
    let file = body(&folder);
    // Its reader is gone before the command writes.
    let closed = || std::io::pipe().unwrap().1;
    for arguments in [
        vec!["profile", &file],
        vec!["profile", "--json", &file],
        vec!["completions", "bash"],
        vec!["man", "ingest"],
        vec!["ingest", &file],
    ] {
        let output = bare(&arguments).stdout(closed()).output().unwrap();
        assert_eq!(output.status.signal(), Some(13), "{arguments:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{arguments:?}");
    }
    let output = bare(&["--help"]).stdout(closed()).output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_size_that_is_none_is_told_with_its_option_and_what_is_expected() {
    let run = plimsoll(&["profile", "--decoded-limit", "12kb", "x"], b"");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--decoded-limit") && run.stderr.contains("KiB"), "{}", run.stderr);
    let run = plimsoll(&["profile", "--content-encoding", "br", "x"], b"");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--content-encoding"), "{}", run.stderr);
}
