//! What came of a body, as text: a line per field, or one for a refusal.

use plimsoll::Rejection;
use plimsoll_board::{print, print_number};

use crate::telemetry::Telemetry;

/// Prints the fields of a document.
pub fn telemetry(telemetry: &Telemetry) {
    field("device", &telemetry.device);
    field("site", &telemetry.site);
    number("readings", telemetry.readings);
    number("latest", telemetry.latest);
    for alarm in &telemetry.alarms {
        field("alarm", alarm);
    }
}

/// Prints a reason, and the limit or the place that goes with it.
pub fn rejection(rejection: &Rejection) {
    print(rejection.reason().as_str());
    if let Some(limit) = rejection.limit() {
        print(", limit ");
        print_number(limit.value);
        print(" ");
        print(limit.unit.as_str());
    } else if let Some(at) = rejection.at() {
        print(" at ");
        print_number(at);
    }
    if let Some(record) = rejection.record() {
        print(" in record ");
        print_number(record);
    }
    print("\n");
}

fn field(name: &str, value: &str) {
    for part in [name, ": ", value, "\n"] {
        print(part);
    }
}

fn number(name: &str, value: u32) {
    print(name);
    print(": ");
    print_number(value.into());
    print("\n");
}
