//! Every input that was once a finding, here or in a peer: each property still holds for it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by a panic")]

use std::fs;
use std::path::Path;

use properties::ALL;

#[test]
fn what_was_once_a_finding_is_none() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let mut kept = 0;
    for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir()) {
        let name = entry.file_name().into_string().unwrap();
        let property = ALL.iter().find(|property| property.name == name).expect("a folder for each property");
        for input in fs::read_dir(entry.path()).unwrap() {
            let path = input.unwrap().path();
            println!("{}", path.display());
            property.check(&fs::read(path).unwrap());
            kept += 1;
        }
    }
    assert!(kept > 0);
}

#[test]
fn every_property_has_a_fuzz_target_that_states_it_in_its_first_line() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for property in &ALL {
        let target = fs::read_to_string(fuzz.join(format!("fuzz_targets/{}.rs", property.name))).unwrap();
        assert_eq!(target.lines().next(), Some(format!("//! {}", property.says).as_str()));
        assert!(target.contains(&format!("properties::check(\"{}\", data)", property.name)));
        assert!(manifest.contains(&format!("name = \"{}\"\n", property.name)));
        assert!(property.kind.dictionary().is_none_or(|name| fuzz.join(name).is_file()));
    }
    let targets = fs::read_dir(fuzz.join("fuzz_targets")).unwrap().count();
    assert_eq!(targets, ALL.len(), "a target without a property");
}
