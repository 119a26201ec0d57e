//! When and where a figure was measured: the date, the processor, its cores and the compiler. Nothing that names the
//! machine or a place on it.

use std::{env, fs, thread};

use plimsoll_subjects::stamp;
use serde_json::{Value, json};

/// Adds `date` and `machine` to a report for machines.
pub(crate) fn stamp(report: &mut Value) {
    report["date"] = json!(stamp::date());
    report["machine"] = json!({
        "processor": processor(),
        "cores": thread::available_parallelism().map_or(0, |cores| cores.get()),
        "rustc": stamp::compiler(),
    });
}

/// The processor as Linux names it, or the architecture.
fn processor() -> String {
    let information = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    model(&information).unwrap_or(env::consts::ARCH).to_owned()
}

/// The first `model name` of `/proc/cpuinfo`.
fn model(information: &str) -> Option<&str> {
    let line = information.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_is_named_by_its_first_model_name() {
        let information = "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: A CPU @ 2 GHz\nprocessor\t: 1\nmodel name\t: B\n";
        assert_eq!(model(information), Some("A CPU @ 2 GHz"));
        assert_eq!(model("Hardware\t: BCM2835\n"), None);
    }

    #[test]
    fn a_stamp_has_a_date_of_ten_characters_and_no_name_of_a_host() {
        let mut report = json!({});
        stamp(&mut report);
        assert_eq!(report["date"].as_str().map(str::len), Some(10));
        let machine = report["machine"].as_object().expect("a machine");
        assert_eq!(machine.keys().collect::<Vec<_>>(), ["cores", "processor", "rustc"]);
    }
}
