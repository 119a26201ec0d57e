//! What the gateway keeps of a telemetry document of 11 KiB: two names, how many readings there are and when the last one
//! was taken, and the alarms. The values come from the selection one by one, while the document passes; the rest of it is
//! never stored.

use heapless::{String, Vec};
use plimsoll::json::{Kind, Number, Pointers, Visit};
use plimsoll::{Reason, Rejection};

/// No string of a document is longer, by the limits of [`intake`](crate::intake).
pub const STRING: usize = 24;
/// No array of a document is longer.
pub const READINGS: usize = 100;
/// This many alarms are kept. One more is `retained_limit`.
pub const ALARMS: usize = 4;

/// Where the fields are in the document. The names are required; a selection without them is `missing_field`.
pub static POINTERS: Pointers<'static, 4> =
    match Pointers::new(["/device", "/site", "/readings/*/time", "/readings/*/alarm"]) {
        Ok(pointers) => pointers.require([true, true, false, false]),
        Err(_) => panic!("found when this is compiled"),
    };

const DEVICE: usize = 0;
const SITE: usize = 1;
const TIME: usize = 2;
const ALARM: usize = 3;

/// The fields of a document.
#[derive(Debug)]
pub struct Telemetry {
    /// The name of the device.
    pub device: String<STRING>,
    /// Where it stands.
    pub site: String<STRING>,
    /// How many readings there are.
    pub readings: u32,
    /// When the last of them was taken, in seconds since 1970.
    pub latest: u32,
    /// What alarms they have.
    pub alarms: Vec<String<STRING>, ALARMS>,
}

/// Collects the fields as the selection finds them. Nothing of them counts before the document is complete.
#[derive(Debug)]
pub struct Collector {
    fields: Telemetry,
    /// The string or number that is being told.
    text: Vec<u8, STRING>,
    kind: Option<Kind>,
    /// What the types have no place for.
    fault: Option<Reason>,
    committed: bool,
}

impl Collector {
    /// One that has nothing, for a `static` or the stack.
    #[must_use]
    pub const fn new() -> Self {
        let fields = Telemetry {
            device: String::new(),
            site: String::new(),
            readings: 0,
            latest: 0,
            alarms: Vec::new(),
        };
        Self { fields, text: Vec::new(), kind: None, fault: None, committed: false }
    }

    /// Forgets what was collected.
    pub fn clear(&mut self) {
        let Telemetry { device, site, readings, latest, alarms } = &mut self.fields;
        device.clear();
        site.clear();
        (*readings, *latest) = (0, 0);
        alarms.clear();
        self.fault = None;
        self.committed = false;
    }

    /// The fields, once the document is complete.
    ///
    /// # Errors
    /// `type_mismatch` and `number_range` for a field that is not of its type, `retained_limit` for one that has no
    /// room, `cancelled` where there is no complete document.
    pub fn telemetry(&self) -> Result<&Telemetry, Rejection> {
        match self.fault {
            Some(reason) => Err(Rejection::new(reason)),
            None if self.committed => Ok(&self.fields),
            None => Err(Rejection::new(Reason::Cancelled)),
        }
    }

    /// Puts a value where it belongs.
    fn keep(&mut self, pointer: usize, kind: Kind) -> Result<(), Reason> {
        match (pointer, kind) {
            (DEVICE, Kind::String) => self.fields.device = self.string()?,
            (SITE, Kind::String) => self.fields.site = self.string()?,
            (TIME, Kind::Number) => {
                let number = Number::new(&self.text).ok_or(Reason::TypeMismatch)?;
                self.fields.latest = number.to_u32().map_err(|rejection| rejection.reason())?;
                self.fields.readings = self.fields.readings.saturating_add(1);
            }
            (ALARM, Kind::String) => {
                let alarm = self.string()?;
                self.fields.alarms.push(alarm).map_err(|_| Reason::RetainedLimit)?;
            }
            (ALARM, Kind::Null) => {}
            _ => return Err(Reason::TypeMismatch),
        }
        Ok(())
    }

    fn string(&self) -> Result<String<STRING>, Reason> {
        String::from_utf8(self.text.clone()).map_err(|_| Reason::InvalidUtf8)
    }
}

impl Default for Collector {
    fn default() -> Self {
        Self::new()
    }
}

impl Visit for Collector {
    fn begin(&mut self, _pointer: usize, kind: Kind) {
        self.text.clear();
        self.kind = Some(kind);
    }

    fn scalar(&mut self, text: &[u8]) {
        if self.text.extend_from_slice(text).is_err() {
            self.fault = Some(Reason::RetainedLimit);
        }
    }

    fn raw(&mut self, _text: &[u8]) {
        // A container where a scalar should be, which `end` refuses.
    }

    fn end(&mut self, pointer: usize) {
        let kept = self.kind.map_or(Ok(()), |kind| self.keep(pointer, kind));
        self.fault = self.fault.or(kept.err());
    }

    fn commit(&mut self) {
        self.committed = true;
    }

    fn discard(&mut self) {
        self.clear();
    }
}
