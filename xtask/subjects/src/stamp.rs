//! When something was measured, and with which compiler. Nothing that names the machine or a place on it.

use std::env;
use std::process::Command;

use time::OffsetDateTime;

/// Today, in UTC, as year, month and day.
#[must_use]
pub fn date() -> String {
    OffsetDateTime::now_utc().date().to_string()
}

/// What `rustc --version` says, without the commit.
#[must_use]
pub fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("rustc can be run");
    let version = String::from_utf8_lossy(&output.stdout).into_owned();
    version.split(" (").next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_has_ten_characters_and_a_compiler_its_version() {
        assert_eq!(date().len(), 10);
        assert!(compiler().starts_with("rustc 1."), "{}", compiler());
    }
}
