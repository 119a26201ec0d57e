//! What `serde_json` makes of a document: the same events, and whether it takes it at all.

use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::feed::Event;

/// The events of a document, or nothing if `serde_json` refuses it. Numbers are the text they were.
#[must_use]
pub fn events(text: &[u8]) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    Recorder(&mut events).deserialize(&mut deserializer).ok()?;
    deserializer.end().ok()?;
    Some(events)
}

/// Events as `serde_json` tells them: it gives an exponent without a sign a plus.
#[must_use]
pub fn signed_exponents(mut events: Vec<Event>) -> Vec<Event> {
    for event in &mut events {
        let Event::Number(text) = event else { continue };
        if let Some(at) = text.find(['e', 'E'])
            && text.as_bytes()[at + 1].is_ascii_digit()
        {
            text.insert(at + 1, '+');
        }
    }
    events
}

/// How `serde_json` hands over the text of a number that is no integer of 64 bits: a map with this one key.
const NUMBER: &str = "$serde_json::private::Number";

struct Recorder<'a>(&'a mut Vec<Event>);

impl<'de> DeserializeSeed<'de> for Recorder<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Recorder<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.push(if value { Event::True } else { Event::False });
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.push(Event::Null);
        Ok(())
    }

    /// Integers that fit have one way to be written.
    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.0.push(Event::Number(value.to_string()));
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.push(Event::Number(value.to_string()));
        Ok(())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.0.push(Event::String(value.into()));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        self.0.push(Event::BeginArray);
        while access.next_element_seed(Recorder(self.0))?.is_some() {}
        self.0.push(Event::EndArray);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let mut key = access.next_key::<String>()?;
        if key.as_deref() == Some(NUMBER) {
            self.0.push(Event::Number(access.next_value()?));
            return Ok(());
        }
        self.0.push(Event::BeginObject);
        while let Some(name) = key {
            self.0.push(Event::Key(name));
            access.next_value_seed(Recorder(self.0))?;
            key = access.next_key()?;
        }
        self.0.push(Event::EndObject);
        Ok(())
    }
}
