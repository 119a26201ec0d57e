//! What the README shows of the command is what the command does.

use std::path::Path;

use crate::child::{bare, feed};

#[test]
fn every_command_that_the_readme_shows_prints_what_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut shown = 0;
    for block in readme.split("```sh\n$ plimsoll ").skip(1) {
        let (line, rest) = block.split_once('\n').unwrap();
        let expected = rest.split("```").next().unwrap();
        let arguments: Vec<_> = line.split_whitespace().collect();
        let mut command = bare(&arguments);
        command.current_dir(&root);
        let run = feed(command, b"");
        let printed = [String::from_utf8(run.stdout).unwrap(), run.stderr].concat();
        // Of what `profile` prints, the policy in Rust is left out there.
        assert!(printed.starts_with(expected), "{line}:\n{printed}");
        assert!(printed.len() == expected.len() || arguments.starts_with(&["profile"]), "{line}:\n{printed}");
        shown += 1;
    }
    assert_eq!(shown, 3);
}
