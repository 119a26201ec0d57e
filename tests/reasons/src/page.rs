//! The page for people.

use core::fmt::Write;

use crate::{ENTRIES, Input};

const HEAD: &str = "# Reasons

Every refusal has one of these reasons, under a name that stays. What is shown behind the setting is a smallest input that
provokes it: without any one of its bytes it is not refused, or for another reason. Limits are set to nothing there, because that
makes the input short; elsewhere exactly at the limit is accepted.
";

/// The page as it should be, in Markdown.
#[must_use]
pub fn page() -> String {
    let mut page = HEAD.to_owned();
    let mut stage = None;
    for entry in ENTRIES {
        let reason = entry.reason;
        if stage.replace(reason.stage()) != Some(reason.stage()) {
            let _ = write!(page, "\n## Stage `{}`\n\n", reason.stage());
            page.push_str("| reason | what happened | what to do | provoked by |\n|---|---|---|---|\n");
        }
        let (what, advice, setting) = (reason.describe(), entry.advice, entry.setting);
        let _ = writeln!(page, "| `{reason}` | {what} | {advice} | {setting}: {} |", shown(entry.input));
    }
    page
}

/// An input as a person can type it.
fn shown(input: Input) -> String {
    match input {
        Input::Field("") => "an empty value".to_owned(),
        Input::Text("") => "nothing".to_owned(),
        Input::Text(text) | Input::Field(text) => format!("`{text}`"),
        Input::Bytes(bytes) => {
            let hex: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
            format!("`{}`", hex.join(" "))
        }
    }
}
