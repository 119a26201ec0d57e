//! Matches as one compact JSON object, in memory that the caller lends.
//!
//! A [`Template`] is the set's reference and a name per pointer: it can stand in flash. It keeps nothing.

use core::fmt;

use plimsoll_core::{Reason, Rejection};

use super::fields::{Selected, Value};
use super::pointer::Pointers;
use super::write::Writer;
use crate::token::Text;

/// The object that the matches of a set are rendered as: a member per pointer, in the order of the set, under a name of
/// the program's choice.
///
/// - What was selected is that of the same set. The text is JSON without white space: an object of one line.
/// - Strings are written with the escapes that they must have and no others, numbers as they were, containers as the text
///   they were selected as.
/// - A pointer with a `*` is an array of all its matches in the document's order, and an empty one if it has none.
/// - A pointer that matched nothing has no member: `null` says that the document says so. One that is required has
///   refused the document before.
///
/// ```
/// use plimsoll_core::Inspect;
/// use plimsoll_json::{Counted, Fields, Limits, Pointers, Select, Slot, Template};
///
/// const POINTERS: Pointers<'static, 3> = match Pointers::new(["/user/name", "/tags/*/id", "/note"]) {
///     Ok(pointers) => pointers,
///     Err(_) => panic!("found when this is compiled"),
/// };
/// const TEMPLATE: Template<'static, 3> = match Template::new(&POINTERS, ["name", "ids", "note"]) {
///     Ok(template) => template,
///     Err(_) => panic!("found when this is compiled"),
/// };
///
/// let (mut bytes, mut slots) = ([0; 64], [Slot::EMPTY; 8]);
/// let fields = Fields::new(&mut bytes, &mut slots);
/// let mut select = Select::<Counted<16>, _, 3>::of_fields(&POINTERS, Limits::DEVICE, fields).unwrap();
/// let body = br#"{"tags": [{"id": 4}, {"id": 2.50}], "user": {"name": "Zo\u00eb \"Z\""}}"#;
/// select.inspect(body).map_err(|refusal| refusal.rejection)?;
/// select.finish()?;
///
/// let mut buffer = [0; 64];
/// let text = TEMPLATE.render(&select.into_selected().unwrap(), &mut buffer)?;
/// assert_eq!(text, r#"{"name":"Zoë \"Z\"","ids":[4,2.50]}"#);
/// # Ok::<(), plimsoll_core::Rejection>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Template<'p, const P: usize> {
    pointers: &'p Pointers<'p, P>,
    names: [&'p str; P],
}

/// Why names do not fit a set of pointers: a mistake of the program, not of a peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NameError {
    /// The name at this place is the same as one before it.
    Twice(usize),
    /// There are not as many names as pointers.
    Count,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Twice(name) => write!(f, "name {name} is the same as one before it"),
            Self::Count => f.write_str("there are not as many names as pointers"),
        }
    }
}

impl core::error::Error for NameError {}

impl<'p, const P: usize> Template<'p, P> {
    /// A template with a name for each pointer of a set of exactly `P`.
    ///
    /// # Errors
    /// The first name that stands twice.
    pub const fn new(pointers: &'p Pointers<'p, P>, names: [&'p str; P]) -> Result<Self, NameError> {
        if pointers.len() != P {
            return Err(NameError::Count);
        }
        match repeated(&names) {
            Some(name) => Err(NameError::Twice(name)),
            None => Ok(Self { pointers, names }),
        }
    }

    /// A template with a name for each pointer of a set of any number.
    ///
    /// # Errors
    /// The first name that stands twice, or that there are more or fewer than pointers.
    pub fn up_to(pointers: &'p Pointers<'p, P>, names: &[&'p str]) -> Result<Self, NameError> {
        let mut all = [""; P];
        let room = all.get_mut(..names.len()).filter(|_| names.len() == pointers.len());
        room.ok_or(NameError::Count)?.copy_from_slice(names);
        match repeated(names) {
            Some(name) => Err(NameError::Twice(name)),
            None => Ok(Self { pointers, names: all }),
        }
    }

    /// The pointers.
    #[must_use]
    pub const fn pointers(&self) -> &'p Pointers<'p, P> {
        self.pointers
    }

    /// The names.
    #[must_use]
    pub fn names(&self) -> &[&'p str] {
        self.names.get(..self.pointers.len()).unwrap_or_default()
    }

    /// Renders the object to the start of `buffer`.
    ///
    /// # Errors
    /// `retained_limit` if it is longer than `buffer`, whose length is the limit. Nothing in `buffer` counts then.
    pub fn render<'b>(&self, selected: &Selected<'_>, buffer: &'b mut [u8]) -> Result<&'b str, Rejection> {
        let limit = buffer.len() as u64;
        let mut writer = Writer::new(buffer);
        writer.put(b"{");
        for pointer in (0..self.pointers.len()).filter(|&pointer| self.has(pointer, selected)) {
            if writer.len() > 1 {
                writer.put(b",");
            }
            self.write(pointer, selected, &mut writer);
        }
        writer.put(b"}");
        let text = writer.finish().ok_or(Rejection::limit_exceeded(Reason::RetainedLimit, limit))?;
        Ok(Text::checked(text).as_str())
    }

    /// Renders the object of those members that fit into `buffer` and that `fits` takes, and says how many others there are:
    /// the beginning of a preview. `fits` is shown, member by member, the object as it would be with that one.
    ///
    /// The text is empty where not even the object without members fits.
    pub fn render_fitting<'b>(
        &self,
        selected: &Selected<'_>,
        buffer: &'b mut [u8],
        mut fits: impl FnMut(&str) -> bool,
    ) -> (&'b str, u64) {
        let mut writer = Writer::new(buffer);
        let mut left_out = 0_u64;
        writer.put(b"{");
        let mut end = if closes(&mut writer, &mut fits) { 1 } else { 0 };
        writer.rewind(end);
        for pointer in (0..self.pointers.len()).filter(|&pointer| self.has(pointer, selected)) {
            if end > 1 {
                writer.put(b",");
            }
            self.write(pointer, selected, &mut writer);
            if end != 0 && closes(&mut writer, &mut fits) {
                end = writer.len();
            } else {
                left_out = left_out.saturating_add(1);
                writer.rewind(end);
            }
        }
        if end != 0 {
            writer.put(b"}");
        }
        (writer.finish().map(|text| Text::checked(text).as_str()).unwrap_or_default(), left_out)
    }

    /// Whether the object has a member for a pointer of the set.
    fn has(&self, pointer: usize, selected: &Selected<'_>) -> bool {
        self.pointers.is_many(pointer) || selected.get(pointer).is_some()
    }

    fn write(&self, pointer: usize, selected: &Selected<'_>, writer: &mut Writer<'_>) {
        writer.string(self.names.get(pointer).copied().unwrap_or_default().as_bytes());
        writer.put(b":");
        if !self.pointers.is_many(pointer) {
            if let Some(found) = selected.get(pointer) {
                value(found, writer);
            }
            return;
        }
        writer.put(b"[");
        for (index, found) in selected.all(pointer).enumerate() {
            if index != 0 {
                writer.put(b",");
            }
            value(found, writer);
        }
        writer.put(b"]");
    }
}

/// Whether the object fits if it ends here.
fn closes(writer: &mut Writer<'_>, fits: &mut impl FnMut(&str) -> bool) -> bool {
    let end = writer.len();
    writer.put(b"}");
    let fits = writer.text().is_some_and(|text| fits(Text::checked(text).as_str()));
    writer.rewind(end);
    fits
}

fn value(value: Value<'_>, writer: &mut Writer<'_>) {
    match value {
        Value::Null => writer.put(b"null"),
        Value::Bool(false) => writer.put(b"false"),
        Value::Bool(true) => writer.put(b"true"),
        Value::Number(number) => writer.put(number.as_bytes()),
        Value::String(text) => writer.string(text.as_bytes()),
        Value::Array(text) | Value::Object(text) => writer.put(text.as_bytes()),
    }
}

/// The place of the first name that stands before it too.
const fn repeated(names: &[&str]) -> Option<usize> {
    let mut behind = 0_usize;
    let mut rest = names;
    while let [name, others @ ..] = rest {
        behind = behind.wrapping_add(1);
        let (mut other, mut at) = (others, behind);
        while let [second, more @ ..] = other {
            if same(name.as_bytes(), second.as_bytes()) {
                return Some(at);
            }
            at = at.wrapping_add(1);
            other = more;
        }
        rest = others;
    }
    None
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    let (mut one, mut other) = (one, other);
    while let ([a, behind @ ..], [b, rest @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        one = behind;
        other = rest;
    }
    one.is_empty() && other.is_empty()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test that fails panics")]
mod tests {
    use plimsoll_core::Inspect;

    use super::*;
    use crate::{Counted, Fields, Limits, Select, Slot};

    /// The object of `texts` under `names`, in `room` bytes.
    fn rendered<const P: usize>(
        body: &str,
        texts: [&str; P],
        names: [&str; P],
        room: usize,
    ) -> Result<std::string::String, Rejection> {
        let pointers = Pointers::new(texts).unwrap();
        let template = Template::new(&pointers, names).unwrap();
        let (mut bytes, mut slots) = ([0xFF; 256], [Slot::EMPTY; 16]);
        let fields = Fields::new(&mut bytes, &mut slots);
        let mut select = Select::<Counted<16>, _, P>::of_fields(&pointers, Limits::DEVICE, fields).unwrap();
        select.inspect(body.as_bytes()).unwrap();
        select.finish().unwrap();
        let mut buffer = std::vec![0xFF; room];
        template.render(&select.into_selected().unwrap(), &mut buffer).map(Into::into)
    }

    #[test]
    fn members_stand_in_the_order_of_the_set_and_what_is_not_there_is_absent() {
        let body = r#" { "b" : [ 1 , { "x" : "\u0041" } ] , "a" : "\u0041\n" , "n" : null , "t" : true , "f" : -0.50E+1 } "#;
        let texts = ["/n", "/a", "/b", "/zz", "/f", "/t", "/b/*", "/zz/*", "/b/1/x", "/b"];
        let names = ["n", "a", "b", "zz", "f", "t", "", "\"\n", "x", "again"];
        let expected = concat!(
            r#"{"n":null,"a":"A\n","b":[1,{"x":"\u0041"}],"f":-0.50E+1,"t":true,"#,
            r#""":[1,{"x":"\u0041"}],"\"\n":[],"x":"A","again":[1,{"x":"\u0041"}]}"#
        );
        assert_eq!(rendered(body, texts, names, 512).as_deref(), Ok(expected));
        assert_eq!(rendered(body, texts, names, expected.len()).as_deref(), Ok(expected));
        // A few of the rooms where each step is interpreted.
        for room in (0..expected.len()).step_by(if cfg!(miri) { 37 } else { 1 }) {
            let rejection = Rejection::limit_exceeded(Reason::RetainedLimit, room as u64);
            assert_eq!(rendered(body, texts, names, room), Err(rejection));
        }
    }

    #[test]
    fn names_that_do_not_fit_the_pointers_are_told_by_their_place() {
        let pointers = Pointers::new(["/a", "/b"]).unwrap();
        let error = |names| Template::new(&pointers, names).unwrap_err();
        assert_eq!(std::format!("{}", error(["a", "a"])), "name 1 is the same as one before it");
        assert_eq!(std::format!("{}", NameError::Count), "there are not as many names as pointers");
        assert_eq!(Template::new(&pointers, ["a", "b"]).unwrap().pointers().len(), 2);
    }

    #[test]
    fn members_that_do_not_fit_are_left_out_and_counted() {
        let pointers = Pointers::new(["/a", "/b", "/zz", "/c"]).unwrap();
        let template = Template::new(&pointers, ["a", "b", "zz", "c"]).unwrap();
        let (mut bytes, mut slots) = ([0xFF; 64], [Slot::EMPTY; 4]);
        let fields = Fields::new(&mut bytes, &mut slots);
        let mut select = Select::<Counted<16>, _, 4>::of_fields(&pointers, Limits::DEVICE, fields).unwrap();
        select.inspect(br#"{"c":3,"b":"12345","a":1}"#).unwrap();
        select.finish().unwrap();
        let selected = select.into_selected().unwrap();
        for (room, text, left_out) in [
            (0, "", 3),
            (1, "", 3),
            (2, "{}", 3),
            (6, "{}", 3),
            (7, r#"{"a":1}"#, 2),
            (12, r#"{"a":1}"#, 2),
            (13, r#"{"a":1,"c":3}"#, 1),
            (18, r#"{"a":1,"c":3}"#, 1),
            (19, r#"{"a":1,"b":"12345"}"#, 1),
            (24, r#"{"a":1,"b":"12345"}"#, 1),
            (25, r#"{"a":1,"b":"12345","c":3}"#, 0),
        ] {
            let mut buffer = std::vec![0xFF; room];
            assert_eq!(template.render_fitting(&selected, &mut buffer, |_| true), (text, left_out), "{room}");
            // The same where another limit than the buffer's decides.
            let mut buffer = [0xFF; 64];
            let fits = |text: &str| text.len() <= room;
            assert_eq!(template.render_fitting(&selected, &mut buffer, fits), (text, left_out), "{room}");
        }
    }

    #[test]
    fn a_set_without_pointers_is_an_empty_object() {
        assert_eq!(rendered("[1]", [], [], 2).as_deref(), Ok("{}"));
        assert!(rendered("[1]", [], [], 1).is_err());
        let none = Pointers::new([]).unwrap();
        let template = Template::new(&none, []).unwrap();
        let (mut bytes, mut slots) = ([], []);
        let fields = Fields::new(&mut bytes, &mut slots);
        let mut select = Select::<Counted<16>, _, 0>::of_fields(&none, Limits::DEVICE, fields).unwrap();
        select.inspect(b"[1]").unwrap();
        select.finish().unwrap();
        let selected = select.into_selected().unwrap();
        for (room, text) in [(0, ""), (1, ""), (2, "{}")] {
            let mut buffer = [0xFF; 2];
            assert_eq!(template.render_fitting(&selected, &mut buffer[..room], |_| true), (text, 0));
        }
        assert_eq!(rendered("[1]", ["/a", "/b"], ["a", "b"], 2).as_deref(), Ok("{}"));
        assert_eq!(rendered("[1]", [""], ["a"], 9).as_deref(), Ok(r#"{"a":[1]}"#));
    }

    #[test]
    fn names_differ_and_are_as_many_as_the_pointers() {
        let pointers = Pointers::new(["/a", "/b", "/c"]).unwrap();
        assert_eq!(Template::new(&pointers, ["a", "b", "a"]), Err(NameError::Twice(2)));
        assert_eq!(Template::new(&pointers, ["a", "b", "b"]), Err(NameError::Twice(2)));
        assert_eq!(Template::new(&pointers, ["", "", "b"]), Err(NameError::Twice(1)));
        assert!(Template::new(&pointers, ["a", "ab", "b"]).is_ok());
        let few = Pointers::<3>::up_to(&["/a", "/b"]).unwrap();
        assert_eq!(Template::new(&few, ["a", "b", "c"]), Err(NameError::Count));
        for names in [&["a"][..], &["a", "b", "c"], &["a", "b", "c", "d"], &[]] {
            assert_eq!(Template::up_to(&few, names), Err(NameError::Count));
        }
        assert_eq!(Template::up_to(&few, &["a", "a"]), Err(NameError::Twice(1)));
        assert_eq!(Template::up_to(&few, &["a", "b"]).unwrap().names(), ["a", "b"]);
    }
}
