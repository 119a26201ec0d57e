//! How an ingestion ended, with its counters, and the one line of JSON that tells it.

use plimsoll_core::Rejection;

/// What a response came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Verdict {
    /// Every byte was read and every check has passed.
    Complete,
    /// A preview was asked for, and the body goes on behind it.
    Preview,
    /// The body was refused; nothing of it counts.
    Rejected(Rejection),
}

/// How an ingestion ended. It holds no byte of the body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome {
    /// Complete, preview or rejected.
    pub verdict: Verdict,
    /// Encoded bytes that were handed in, at most the limit plus 1.
    pub encoded_bytes: u64,
    /// Decoded bytes up to and including the one that decided, at most the limit plus 1.
    pub decoded_bytes: u64,
    /// Whether the rest of the body was never read, so that the counters are lower bounds.
    pub lower_bound: bool,
    /// Decoded bytes that left the library before the verdict: all that were handed to a sink that exposes them, so
    /// also those of a run that it failed at.
    pub exposed_bytes: u64,
    /// Whether the source was cancelled. A driver sets it; the push machine has no source.
    pub cancelled: bool,
}

/// The buffer was too small for the report; [`REPORT_MAX`] bytes always suffice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ReportTooLong;

impl core::fmt::Display for ReportTooLong {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the buffer is too small for the report: {REPORT_MAX} bytes suffice")
    }
}

impl core::error::Error for ReportTooLong {}

/// No report is longer than this, in bytes.
pub const REPORT_MAX: usize = 320;

impl Outcome {
    /// The rejection, if it is one.
    #[must_use]
    pub const fn rejection(&self) -> Option<Rejection> {
        match self.verdict {
            Verdict::Rejected(rejection) => Some(rejection),
            Verdict::Complete | Verdict::Preview => None,
        }
    }

    /// Whether the body is complete.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.verdict, Verdict::Complete)
    }

    /// Writes the report to `buffer` as one JSON object without a line end, and returns it.
    ///
    /// A fault has its offset as `at`; a limit has its value and unit instead.
    ///
    /// # Errors
    /// If `buffer` is too short. [`REPORT_MAX`] bytes are always enough.
    #[cfg(feature = "report")]
    pub fn write_report<'b>(&self, buffer: &'b mut [u8]) -> Result<&'b str, ReportTooLong> {
        let length = serde_json_core::to_slice(self, buffer).map_err(|_| ReportTooLong)?;
        buffer.get(..length).and_then(|bytes| core::str::from_utf8(bytes).ok()).ok_or(ReportTooLong)
    }
}

/// The report: its keys stand in the published order, and are left out where they do not apply.
#[cfg(feature = "serde")]
impl serde::Serialize for Outcome {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let rejection = self.rejection();
        let limit = rejection.and_then(|rejection| rejection.limit());
        let outcome = match self.verdict {
            Verdict::Complete => "complete",
            Verdict::Preview => "preview",
            Verdict::Rejected(_) => "rejected",
        };
        let names = [
            ("stage", rejection.map(|rejection| rejection.stage().as_str())),
            ("reason", rejection.map(|rejection| rejection.reason().as_str())),
        ];
        let unit = limit.map(|limit| limit.unit.as_str());
        let places = [
            ("at", if limit.is_some() { None } else { rejection.and_then(|rejection| rejection.at()) }),
            ("record", rejection.and_then(|rejection| rejection.record())),
        ];

        // Some formats write the number of fields first. The value and the unit come together.
        let present = names
            .iter()
            .filter(|(_, name)| name.is_some())
            .count()
            .saturating_add(places.iter().filter(|(_, place)| place.is_some()).count())
            .saturating_add(if limit.is_some() { 2 } else { 0 })
            .saturating_add(6);
        let mut report = serializer.serialize_struct("Outcome", present)?;
        report.serialize_field("outcome", outcome)?;
        for (key, name) in names {
            match name {
                Some(name) => report.serialize_field(key, name)?,
                None => report.skip_field(key)?,
            }
        }
        match (limit, unit) {
            (Some(limit), Some(unit)) => {
                report.serialize_field("limit", &limit.value)?;
                report.serialize_field("unit", unit)?;
            }
            _ => {
                report.skip_field("limit")?;
                report.skip_field("unit")?;
            }
        }
        for (key, place) in places {
            match place {
                Some(place) => report.serialize_field(key, &place)?,
                None => report.skip_field(key)?,
            }
        }
        report.serialize_field("encoded_bytes", &self.encoded_bytes)?;
        report.serialize_field("decoded_bytes", &self.decoded_bytes)?;
        report.serialize_field("lower_bound", &self.lower_bound)?;
        report.serialize_field("exposed_bytes", &self.exposed_bytes)?;
        report.serialize_field("cancelled", &self.cancelled)?;
        report.end()
    }
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use plimsoll_core::Reason;

    use super::*;

    #[test]
    fn the_report_has_the_published_keys_in_their_order() {
        let outcome = Outcome {
            verdict: Verdict::Rejected(Rejection::limit_exceeded(Reason::DecodedLimit, 8192)),
            encoded_bytes: 117,
            decoded_bytes: 8193,
            lower_bound: true,
            exposed_bytes: 0,
            cancelled: true,
        };
        let mut buffer = [0; REPORT_MAX];
        assert_eq!(
            outcome.write_report(&mut buffer),
            Ok(concat!(
                r#"{"outcome":"rejected","stage":"decoder","reason":"decoded_limit","limit":8192,"unit":"bytes","#,
                r#""encoded_bytes":117,"decoded_bytes":8193,"lower_bound":true,"exposed_bytes":0,"cancelled":true}"#
            ))
        );
    }

    #[test]
    fn a_fault_has_its_place_and_a_complete_body_has_neither() {
        let fault = Rejection::fault(Reason::JsonSyntax, 12).with_record(3);
        let outcome = Outcome {
            verdict: Verdict::Rejected(fault),
            encoded_bytes: 20,
            decoded_bytes: 20,
            lower_bound: false,
            exposed_bytes: 5,
            cancelled: false,
        };
        let mut buffer = [0; REPORT_MAX];
        assert_eq!(
            outcome.write_report(&mut buffer),
            Ok(concat!(
                r#"{"outcome":"rejected","stage":"document","reason":"json_syntax","at":12,"record":3,"#,
                r#""encoded_bytes":20,"decoded_bytes":20,"lower_bound":false,"exposed_bytes":5,"cancelled":false}"#
            ))
        );
        let outcome = Outcome { verdict: Verdict::Complete, ..outcome };
        assert_eq!(
            outcome.write_report(&mut buffer),
            Ok(concat!(
                r#"{"outcome":"complete","encoded_bytes":20,"decoded_bytes":20,"#,
                r#""lower_bound":false,"exposed_bytes":5,"cancelled":false}"#
            ))
        );
    }

    #[test]
    fn the_longest_report_fits_and_a_short_buffer_is_an_error() {
        let mut longest = 0;
        for &reason in Reason::ALL {
            let rejection = if reason.is_limit() {
                Rejection::limit_exceeded(reason, u64::MAX)
            } else {
                Rejection::fault(reason, u64::MAX.saturating_sub(1))
            };
            let outcome = Outcome {
                verdict: Verdict::Rejected(rejection.with_record(u64::MAX.saturating_sub(1))),
                encoded_bytes: u64::MAX,
                decoded_bytes: u64::MAX,
                lower_bound: false,
                exposed_bytes: u64::MAX,
                cancelled: false,
            };
            let mut buffer = [0; REPORT_MAX];
            longest = longest.max(outcome.write_report(&mut buffer).unwrap().len());
            assert_eq!(outcome.write_report(&mut [0; 40]), Err(ReportTooLong));
        }
        assert!(longest > 200, "{longest}");
        let text = std::format!("{ReportTooLong}");
        assert_eq!(text, "the buffer is too small for the report: 320 bytes suffice");
    }
}
