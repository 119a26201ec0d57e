//! `plimsoll profile`: what is measured, the limits that follow, and bodies that fail.

use std::io::Write;
use std::process::Stdio;
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use plimsoll::{Limits, Policy};
use plimsoll_tests_http::memory;
use serde_json::Value;

use crate::child::{Folder, Run, bare, gzip, ingest, plimsoll, text};

/// What the command printed over the project's own fixture, word for word.
mod printed {
    #![allow(unreachable_pub, reason = "it is what a program of someone else's would have")]
    include!("telemetry_policy.rs");
}

/// Runs `plimsoll profile --json` and gives its lines.
fn lines(arguments: &[&str], input: &[u8]) -> (Run, Vec<Value>) {
    let run = plimsoll(&[&["profile", "--json"], arguments].concat(), input);
    let text = std::str::from_utf8(&run.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (run, lines)
}

/// What is measured of a body on standard input.
fn measured(arguments: &[&str], body: &[u8]) -> Value {
    let (run, lines) = lines(&[arguments, &["-"]].concat(), body);
    assert_eq!(run.code, 0, "{}", run.stderr);
    lines.into_iter().next().unwrap()
}

/// The members with these names, in order.
fn of(line: &Value, names: &[&str]) -> Vec<u64> {
    names.iter().map(|name| line[*name].as_u64().unwrap_or_else(|| panic!("{name} in {line}"))).collect()
}

const JSON: [&str; 2] = ["--media-type", "application/json"];
const LINES: [&str; 2] = ["--media-type", "application/x-ndjson"];
const SEQUENCE: [&str; 2] = ["--media-type", "application/json-seq"];
const GZIP: [&str; 2] = ["--content-encoding", "gzip"];
const DOCUMENT: [&str; 6] = ["depth", "string", "key", "number", "items", "values"];

#[test]
fn a_document_is_measured_as_its_limits_count() {
    for (body, expected) in [
        ("1", [0, 0, 0, 1, 0, 1]),
        ("[]", [1, 0, 0, 0, 0, 1]),
        (r#""""#, [0, 0, 0, 0, 0, 1]),
        ("[[[]],[1,2,-3.5e+07],true]", [3, 0, 0, 8, 3, 8]),
        (r#"{"ab":"\u00e9\n","c":{"\ud83d\ude00":null}}"#, [2, 3, 4, 0, 2, 4]),
        ("{\"é\":[\"€€\"]}", [2, 6, 2, 0, 1, 3]),
    ] {
        let line = measured(&JSON, body.as_bytes());
        assert_eq!(of(&line, &DOCUMENT), expected, "{body}");
        assert_eq!(of(&line, &["encoded", "decoded"]), [body.len() as u64; 2]);
    }
}

/// The same from a value: an oracle for everything but numbers.
fn walk(value: &Value, depth: u64, most: &mut [u64; 6]) {
    let [deepest, string, key, _, items, values] = most;
    *values += 1;
    match value {
        Value::String(text) => *string = (*string).max(text.len() as u64),
        Value::Array(_) | Value::Object(_) => *deepest = (*deepest).max(depth + 1),
        _ => {}
    }
    let inner: Vec<&Value> = match value {
        Value::Array(elements) => elements.iter().collect(),
        Value::Object(members) => {
            *key = members.keys().map(|name| name.len() as u64).fold(*key, u64::max);
            members.values().collect()
        }
        _ => Vec::new(),
    };
    *items = (*items).max(inner.len() as u64);
    inner.into_iter().for_each(|value| walk(value, depth + 1, most));
}

#[test]
fn what_is_measured_of_the_fixture_is_what_another_parser_finds() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/telemetry.json");
    let plain = std::fs::read(path).unwrap();
    let packed = format!("{path}.gz");
    let mut most = [0; 6];
    walk(&serde_json::from_slice(&plain).unwrap(), 0, &mut most);
    most[3] = 10; // The longest number, found by a look at the file.
    for path in [path, packed.as_str()] {
        let (run, lines) = lines(&[path], b"");
        assert_eq!(run.code, 0);
        assert_eq!(of(&lines[0], &DOCUMENT), most, "{path}");
        assert_eq!(of(&lines[0], &["decoded"]), [plain.len() as u64]);
        assert_eq!(of(&lines[0], &["encoded"]), [std::fs::metadata(path).unwrap().len()]);
    }
}

#[test]
fn gzip_is_measured_over_all_members() {
    // `x` as a stored block, with a name in the header; `abcabc` with the fixed codes, a distance of 3.
    let stored = [
        &b"\x1f\x8b\x08\x08\0\0\0\0\0\x03name\0"[..],
        b"\x01\x01\0\xfe\xffx",
        &crc32(b"x"),
        &1_u32.to_le_bytes(),
    ];
    let fixed = gzip(b"abcabcabcabc");
    let body = [stored.concat(), fixed.clone()].concat();
    let line = measured(&GZIP, &body);
    assert_eq!(of(&line, &["members", "header", "window", "decoded"]), [2, 15 + 10, 3, 13]);
    assert_eq!(of(&line, &["encoded"]), [body.len() as u64]);
    assert_eq!(line["ratio"].as_f64().unwrap(), (1300 / body.len()) as f64 / 100.0);
    // A block costs four steps and is read before its output pays.
    assert_eq!(of(&measured(&GZIP, &stored.concat()), &["work", "window"]), [4, 0]);
    let (_, lines) = lines(&["-", "--content-encoding", "gzip"], &fixed);
    assert_eq!(lines[1]["limits"]["members"], 1);
}

fn crc32(bytes: &[u8]) -> [u8; 4] {
    let packed = gzip(bytes);
    let (trailer, _length) = packed.last_chunk::<8>().unwrap().split_first_chunk().unwrap();
    *trailer
}

#[test]
fn records_are_measured_each_and_as_many() {
    let body = b"{\"a\":1}\r\n\n  [1,2,3]\n        \n\"xyz\"";
    let line = measured(&LINES, body);
    assert_eq!(of(&line, &["records", "record", "depth", "items", "values", "string"]), [3, 9, 1, 3, 4, 3]);
    let line = measured(&SEQUENCE, b"\x1e[1]\n\x1e{\"a\":22}\n");
    assert_eq!(of(&line, &["records", "record", "number", "values"]), [2, 9, 2, 2]);
    let line = measured(&LINES, b"");
    assert_eq!(of(&line, &["records", "record", "values"]), [0, 0, 0]);
}

#[test]
fn what_does_not_apply_is_not_told() {
    let (run, _) = lines(&["-"], b"\xFF");
    assert_eq!(
        String::from_utf8(run.stdout).unwrap(),
        concat!(
            r#"{"file":"-","coding":"identity","media":"application/octet-stream","encoded":1,"decoded":1}"#,
            "\n",
            r#"{"measured":1,"failed":0,"limits":{"encoded":1024,"decoded":1024},"#,
            r#""options":["--encoded-limit 1KiB","--decoded-limit 1KiB"]}"#,
            "\n"
        )
    );
    let run = plimsoll(&["profile", "-"], b"text");
    let shown = String::from_utf8(run.stdout).unwrap();
    assert!(!shown.contains("--depth") && !shown.contains("json"), "{shown}");
    assert!(shown.contains("..Limits::SMALL_DEVICE"), "{shown}");
    assert!(
        shown.starts_with(
            "1 body measured\nOnly bytes were counted: --content-encoding and --media-type tell"
        ),
        "{shown}"
    );
}

/// The command line that was proposed, without `plimsoll ingest FILE`.
fn proposed(shown: &str) -> Vec<String> {
    let (_, rest) = shown.split_once("plimsoll ingest FILE ").unwrap();
    let (command, _) = rest.split_once("\n\n").unwrap();
    command.replace("\\\n", " ").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_limits_that_are_proposed_take_all_of_the_bodies() {
    let folder = Folder::new();
    let record = format!("{{\"{}\":[{}]}}\n", "k".repeat(100), ["123456789.5"; 40].join(","));
    let two = [gzip(b"[1]\n"), gzip(b"\n[\"\\u00e9\"]\n"), vec![0; 10]].concat();
    let bodies = [
        folder.file("a.ndjson.gz", &gzip(record.repeat(3000).as_bytes())),
        folder.file("b.ndjson.gz", &two),
        folder.file(
            "c.ndjson",
            format!("{}\r\n{}", " ".repeat(20_000), "[".repeat(300) + &"]".repeat(300)).as_bytes(),
        ),
    ];
    let mut arguments = vec!["profile", "--zero-padding"];
    arguments.extend(bodies.iter().map(|body| text(body)));
    let run = plimsoll(&arguments, b"");
    let shown = String::from_utf8(run.stdout).unwrap();
    assert_eq!(run.code, 0, "{}", run.stderr);
    let options = proposed(&shown);
    assert!(options.contains(&"--zero-padding".to_owned()), "{options:?}");
    for body in &bodies {
        let mut arguments = vec![text(body).to_owned()];
        arguments.extend(options.clone());
        let run = ingest(&arguments, b"");
        assert_eq!(run.code, 0, "{}: {}", body.display(), run.stderr);
    }
}

#[test]
fn the_policy_in_rust_compiles_and_says_the_same_as_the_options() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/telemetry.json.gz");
    let run = plimsoll(&["profile", path], b"");
    let shown = String::from_utf8(run.stdout).unwrap();
    let (shown_in_readme, rust) = shown.split_once("\n\nuse ").unwrap();
    assert!(
        include_str!("../../../../README.md").contains(shown_in_readme),
        "the README shows something else"
    );
    assert_eq!(format!("use {rust}"), include_str!("telemetry_policy.rs"));
    // Twice 1388 and 11,188 bytes, rounded up; twice the greatest of the rest as the fixture is known to have.
    let limits = Limits {
        encoded: 3072,
        decoded: 24_576,
        header: 256,
        work: 32_768,
        members: 1,
        document: plimsoll::json::Limits {
            depth: 6,
            string: 64,
            key: 32,
            number: 32,
            items: 200,
            values: 1600,
        },
        ..Limits::SMALL_DEVICE
    };
    assert_eq!(printed::POLICY, Policy::strict(limits));
    assert_eq!(printed::WINDOW, 32_768);
    assert_eq!(
        proposed(&shown).join(" "),
        "--encoded-limit 3KiB --decoded-limit 24KiB --header-limit 256 --work-limit 32KiB --members 1 --depth 6 \
         --string 64 --key 32 --number 32 --items 200 --values 1600"
    );
}

#[test]
fn bodies_that_fail_are_listed_with_their_reason_and_the_others_go_on() {
    let folder = Folder::new();
    let packed = gzip(&vec![b' '; 5000]);
    let good = folder.file("good.json", b"[1,2]");
    let bomb = folder.file("bomb.gz", &gzip(&vec![0; 3 << 20]));
    let cases = [
        (folder.file("empty.json", b""), Some("incomplete_json")),
        (folder.file("empty.json.gz", b""), Some("incomplete_gzip")),
        (folder.file("cut.gz", &packed[..packed.len() - 9]), Some("incomplete_gzip")),
        (folder.file("not.gz", b"not gzip"), Some("not_gzip")),
        (folder.file("bad.txt", b"a\xFF"), Some("invalid_utf8")),
        (folder.file("bad.jsonl", b"1\n{\n"), Some("incomplete_json")),
        (folder.file("deep.json", "[".repeat(5000).as_bytes()), Some("depth_limit")),
        (bomb, Some("decoded_limit")),
    ];
    let mut arguments: Vec<&str> = cases.iter().map(|(path, _)| text(path)).collect();
    arguments.extend([text(&good), "--decoded-limit", "2MiB"]);
    let (run, lines) = lines(&arguments, b"");
    assert_eq!(run.code, 4, "{}", run.stderr);
    for ((path, reason), line) in cases.iter().zip(&lines) {
        assert_eq!((line["file"].as_str(), line["reason"].as_str()), (path.to_str(), *reason));
        let told = format!("plimsoll: {}: {}", path.display(), line["error"].as_str().unwrap());
        assert!(run.stderr.lines().any(|line| line == told), "{told}: {}", run.stderr);
    }
    assert!(run.stderr.contains("limit 2 MiB (decoded_limit)"), "{}", run.stderr);
    assert_eq!(of(&lines[8], &["values", "items"]), [3, 2]);
    assert_eq!(of(&lines[9], &["measured", "failed"]), [1, 8]);
}

#[test]
fn what_cannot_be_read_is_listed_and_exits_with_1() {
    let folder = Folder::new();
    let good = folder.file("good.json", b"[1,2]");
    std::fs::create_dir(folder.path("dir.json")).unwrap();
    let nothing = folder.path("no*thing");
    let (missing, directory) = (folder.path("missing"), folder.path("dir.json"));
    let arguments = [
        text(&missing),
        text(&directory),
        text(&nothing),
        "/proc/self/mem", // It opens, and cannot be read at its beginning.
        "-",
        "-",
        text(&good),
    ];
    let (run, lines) = lines(&arguments, b"");
    assert_eq!(run.code, 1, "{}", run.stderr);
    for (line, part) in
        lines.iter().zip(["No such file", "directory", "no file matches", "Input/output error"])
    {
        assert!(line["error"].as_str().unwrap().contains(part), "{line}");
        assert!(line.get("reason").is_none());
    }
    assert_eq!(of(&lines[4], &["decoded"]), [0]);
    assert!(lines[5]["error"].as_str().unwrap().contains("only once"));
    assert_eq!(of(&lines[7], &["measured", "failed"]), [2, 5]);

    let run = plimsoll(&["profile", text(&missing)], b"");
    assert_eq!((run.code, run.stdout.as_slice()), (1, &b""[..]));
    assert!(run.stderr.ends_with("plimsoll: no body was measured\n"), "{}", run.stderr);
}

#[test]
fn patterns_are_expanded_as_in_a_shell() {
    let folder = Folder::new();
    for name in ["a", "b", "b/deep", ".hidden", "d.json"] {
        std::fs::create_dir(folder.path(name)).unwrap();
    }
    for name in [
        "a/1.json",
        "a/2.json",
        "a/x.txt",
        "b/1.json",
        "b/deep/3.json",
        ".hidden/4.json",
        "a/.5.json",
        "[x].json",
    ] {
        folder.file(name, b"1");
    }
    for (pattern, expected) in [
        ("a/*.json", &["a/1.json", "a/2.json"][..]),
        ("a/?.*", &["a/1.json", "a/2.json", "a/x.txt"]),
        ("*/1.json", &["a/1.json", "b/1.json"]),
        ("**/*.json", &["[x].json", "a/1.json", "a/2.json", "b/1.json", "b/deep/3.json"]),
        ("b/**/3*", &["b/deep/3.json"]),
        ("a/{1,x}.*", &["a/1.json", "a/x.txt"]),
        ("a/[12].json", &["a/1.json", "a/2.json"]),
        ("a/.*.json", &["a/.5.json"]),
        (".hid*/*", &[".hidden/4.json"]),
        // A file of that very name, and no pattern.
        ("[x].json", &["[x].json"]),
    ] {
        let path = folder.path(pattern);
        let (run, lines) = lines(&[text(&path)], b"");
        assert_eq!(run.code, 0, "{pattern}: {}", run.stderr);
        let files: Vec<_> = lines.iter().filter_map(|line| line["file"].as_str()).collect();
        let expected: Vec<_> = expected.iter().map(|name| text(&folder.path(name)).to_owned()).collect();
        assert_eq!(files, expected, "{pattern}");
    }
    for pattern in ["*.gz", "a/*.xml", "none/*", "a/[", "*"] {
        let path = folder.path(pattern);
        let (run, lines) = lines(&[text(&path)], b"");
        let one_file = pattern == "*"; // Folders are passed over.
        assert_eq!((run.code, lines.len()), (i32::from(!one_file), 2), "{pattern}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_are_not_unicode_or_would_steer_a_terminal_are_measured_and_shown_safely() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    for name in [&b"a\xFF.json"[..], "b\x1b[31m\n\u{9b}\"\\.json".as_bytes()] {
        std::fs::write(folder.path("").join(std::ffi::OsStr::from_bytes(name)), b"1").unwrap();
    }
    let all = folder.path("*.json");
    let (run, lines) = lines(&[text(&all)], b"");
    assert_eq!((run.code, lines.len()), (0, 3), "{}", run.stderr);
    assert!(lines[0]["file"].as_str().unwrap().ends_with("a\u{FFFD}.json"), "{}", lines[0]);
    assert!(lines[1]["file"].as_str().unwrap().ends_with("b\x1b[31m\n\u{9b}\"\\.json"), "{}", lines[1]);
    let shown = String::from_utf8(run.stdout).unwrap();
    assert!(!shown.contains(|character: char| character.is_control() && character != '\n'), "{shown:?}");
    let run = plimsoll(&["profile", text(&all)], b"");
    assert!(!run.stdout.contains(&0x1B));
}

#[test]
#[cfg(unix)]
fn what_does_not_match_is_not_looked_at_and_a_link_to_nothing_that_does_is_told() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("a/deep")).unwrap();
    folder.file("a/1.json", b"1");
    folder.file("a/deep/2.json", b"2");
    symlink("nothing", folder.path("a/link.txt")).unwrap();
    for pattern in ["a/*.json", "a/**/*.json", "a/*/2.json", "*/{1,x}.json", "**/1.json"] {
        let (run, lines) = lines(&[text(&folder.path(pattern))], b"");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{pattern}");
        assert!(lines.len() >= 2, "{pattern}");
    }

    symlink("nothing", folder.path("a/link.json")).unwrap();
    symlink("round.json", folder.path("a/round.json")).unwrap();
    symlink("deep", folder.path("a/folder.json")).unwrap();
    for pattern in ["a/*.json", "a/**/*.json", "**/*.json"] {
        let (run, lines) = lines(&[text(&folder.path(pattern))], b"");
        assert_eq!(run.code, 1, "{pattern}");
        for (name, part) in [("a/link.json", "No such file"), ("a/round.json", "symbolic links")] {
            let file = folder.path(name);
            let line = lines.iter().find(|line| line["file"] == text(&file));
            assert!(line.unwrap()["error"].as_str().unwrap().contains(part), "{pattern}: {lines:?}");
        }
        assert_eq!(of(lines.last().unwrap(), &["failed"]), [2], "{pattern}");
    }
}

#[test]
fn a_file_that_is_named_more_than_once_is_measured_once() {
    let folder = Folder::new();
    folder.file("1.json", b"1");
    folder.file("2.json", b"2");
    let (all, one) = (folder.path("*.json"), folder.path("./1.json"));
    let (some, missing) = (folder.path("{1,2}.json"), folder.path("missing"));
    let (run, lines) =
        lines(&[text(&one), text(&all), text(&some), text(&all), text(&missing), text(&missing)], b"");
    assert_eq!((run.code, lines.len()), (1, 4), "{lines:?}");
    assert_eq!(of(&lines[3], &["measured", "failed"]), [2, 1]);
}

#[test]
fn a_thousand_files_are_one_table() {
    let folder = Folder::new();
    for number in 0..1000 {
        folder.file(
            &format!("{number:04}.json"),
            format!("[{}]", ["0"; 3].join(",").repeat(number % 7 + 1)).as_bytes(),
        );
    }
    let all = folder.path("*.json");
    let run = plimsoll(&["profile", text(&all)], b"");
    let shown = String::from_utf8(run.stdout).unwrap();
    // `0,0,0` seven times without a comma between has `00`, which is no number.
    assert_eq!(run.code, 4);
    assert!(shown.starts_with("143 bodies measured, 857 failed\n"), "{shown}");
    assert_eq!(run.stderr.lines().count(), 857);
    assert!(shown.lines().count() < 50, "{shown}");
}

#[test]
fn the_plot_has_a_panel_for_each_quantity_and_appears_whole_or_not_at_all() {
    let folder = Folder::new();
    let (one, two) = (folder.file("1.json.gz", &gzip(b"[]")), folder.file("2.ndjson", b"1\n\"x\"\n"));
    let plot = folder.path("plot.svg");
    let run = plimsoll(&["profile", text(&one), text(&two), "--plot", text(&plot)], b"");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let svg = std::fs::read_to_string(&plot).unwrap();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for panel in ["encoded", "ratio", "header", "window", "depth", "values", "record", "records"] {
        assert!(svg.contains(&format!("\n{panel}: greatest ")), "{panel}");
    }
    assert!(svg.contains("members: greatest 1, limit 1"));
    // The red line of its panel, the last of the first two rows, stands over the label of its limit.
    let after = svg.split("members: greatest 1, limit 1").nth(1).unwrap();
    let line = after.split("#C22F2F").nth(1).unwrap().split_once("points=\"").unwrap().1;
    let label = after.split("<text ").find(|text| text.contains("\n1\n</text>") && text.contains("middle"));
    let (_, label) = label.unwrap().split_once("x=\"").unwrap();
    assert_eq!(label.split('"').next(), line.split(',').next());

    let before = folder.file("before.svg", b"before");
    let missing = folder.path("missing");
    let run = plimsoll(&["profile", text(&missing), "--plot", text(&before)], b"");
    assert_eq!((run.code, std::fs::read(&before).unwrap()), (1, b"before".to_vec()));
    let nowhere = folder.path("no/such/folder.svg");
    let run = plimsoll(&["profile", text(&one), "--plot", text(&nowhere)], b"");
    assert_eq!((run.code, run.stdout.as_slice()), (1, &b""[..]), "before any work");
    assert!(run.stderr.contains("folder.svg"), "{}", run.stderr);
    for no_svg in ["-", "plot.png", "plot"] {
        let run = plimsoll(&["profile", text(&one), "--plot", no_svg], b"");
        assert_eq!(run.code, 2, "{no_svg}");
        assert!(run.stderr.contains("--plot") && run.stderr.contains(".svg"), "{}", run.stderr);
    }
    assert_eq!(folder.names(), ["1.json.gz", "2.ndjson", "before.svg", "plot.svg"]);
}

#[test]
#[cfg(target_os = "linux")]
fn memory_stays_constant_whatever_the_size_of_a_body() {
    let arguments =
        ["profile", "--json", "-", "--content-encoding", "gzip", "--media-type", "application/x-ndjson"];
    let mut child = bare(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    let record = format!("{{\"key\":[{}],\"text\":\"{}\"}}\n", ["1.5"; 100].join(","), "x".repeat(5000));
    let count = (64 << 20) / record.len();
    let bytes = (count * record.len()) as u64;
    let writer = thread::spawn(move || {
        let mut encoder = GzEncoder::new(stdin, Compression::fast());
        for _ in 0..count {
            encoder.write_all(record.as_bytes()).unwrap();
        }
        encoder.finish().unwrap();
    });
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        peak = memory::peak(child.id()).max(peak);
        thread::sleep(std::time::Duration::from_millis(2));
    }
    writer.join().unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(of(&line, &["decoded", "records"]), [bytes, count as u64]);
    println!("peak resident memory: {peak} KiB");
    assert!((1..16 * 1024).contains(&peak), "{peak} KiB");
}
