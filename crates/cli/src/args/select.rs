//! The options that ask for fields of a body and not for the body.

use clap::Args;
use plimsoll::json::Pointers;

use crate::size;
use crate::tokens::Tokens;

/// The most fields that can be asked for.
pub(crate) const MOST: usize = 256;

#[derive(Debug, Args)]
#[command(next_help_heading = "Fields")]
pub(crate) struct SelectArgs {
    /// Write this field of a JSON body, or of each of its records, and not the body; can be repeated
    ///
    /// PTR is a JSON Pointer (RFC 6901): '' is the whole document (in 'NAME='), /user/name a member of a member, /tags/0
    /// the first element; ~1 stands for / and ~0 for ~ in a key. A * takes each item, and all that it takes become one array; a
    /// key that is * is written ~2. NAME is the field's name in what is written, by default the last part of PTR
    /// that is no *, unescaped.
    ///
    /// One JSON object is written, or one line with an object for each record of application/x-ndjson and
    /// application/json-seq. A field that the body does not have is left out, one with a * is [] then. What is not
    /// asked for is checked all the same, and nothing is written before all of the body was.
    ///
    /// A key that is there twice in one object is rejected as `duplicate_key` where PTR leads through it. Keys that a *
    /// takes, and those inside of a value that is taken whole, are passed on as they stand, all of them. Elsewhere
    /// duplicates are not looked for.
    #[arg(long = "select", value_name = "[NAME=]PTR", value_parser = field)]
    fields: Vec<Field>,

    /// Reject a body, or a record, without the field of this NAME, of which a * has to take something; can be repeated
    #[arg(long, value_name = "NAME", requires = "fields")]
    require: Vec<String>,

    /// The most bytes of the object, or of each record's, as it is written without its line end [default: 1MiB]
    #[arg(
        long, value_name = "SIZE", requires = "fields", value_parser = size::parse::<u32>, allow_hyphen_values = true
    )]
    retained: Option<u32>,

    /// The most tokens of a model's vocabulary in all that is written; each byte counts as one, which no vocabulary over
    /// bytes exceeds
    ///
    /// The line ends of records count, the one behind the object of a document does not.
    #[arg(
        long, value_name = "N", requires = "fields", value_parser = size::count::<u64>, allow_hyphen_values = true
    )]
    token_limit: Option<u64>,

    /// Count the tokens of this vocabulary and not bytes
    ///
    /// Of an object or a line with more than 4096 characters of white space in a row the bytes count all the same.
    #[cfg(feature = "tiktoken")]
    #[arg(long, value_name = "NAME", requires = "token_limit")]
    vocabulary: Option<crate::tokens::Vocabulary>,
}

/// A field that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    /// Its name in what is written.
    pub(crate) name: String,
    pub(crate) pointer: String,
}

/// Fields that fit together, with their limits.
#[derive(Debug)]
pub(crate) struct Selection {
    pub(crate) fields: Vec<Field>,
    /// Which of them the body must have.
    pub(crate) required: Vec<bool>,
    /// The most bytes of an object.
    pub(crate) retained: u32,
    /// The limit for tokens, if there is one.
    pub(crate) tokens: Option<Tokens>,
}

impl SelectArgs {
    /// What was asked for; nothing where the body was.
    ///
    /// # Errors
    /// Says which option does not fit the others.
    pub(crate) fn selection(&self) -> Result<Option<Selection>, String> {
        let Self { fields, require, retained, .. } = self;
        if fields.is_empty() {
            return Ok(None);
        }
        if fields.len() > MOST {
            return Err(format!(
                "--select can be given at most {MOST} times, and is there {} times",
                fields.len()
            ));
        }
        for (index, Field { name, pointer }) in fields.iter().enumerate() {
            if fields.iter().take(index).any(|before| before.name == *name) {
                return Err(format!(
                    "two fields of --select have the name '{name}': give one another, as in --select 'NAME={pointer}'"
                ));
            }
        }
        let mut required = vec![false; fields.len()];
        for name in require {
            let place = fields.iter().position(|field| field.name == *name);
            let names: Vec<_> = fields.iter().map(|field| format!("'{}'", field.name)).collect();
            let unknown =
                || format!("--require '{name}' is no field of --select: those are {}", names.join(", "));
            if let Some(required) = required.get_mut(place.ok_or_else(unknown)?) {
                *required = true;
            }
        }
        Ok(Some(Selection {
            fields: fields.clone(),
            required,
            retained: retained.unwrap_or(1024 * 1024),
            tokens: self.tokens(),
        }))
    }
}

impl SelectArgs {
    fn tokens(&self) -> Option<Tokens> {
        self.token_limit.map(|most| Tokens {
            most,
            #[cfg(feature = "tiktoken")]
            vocabulary: self.vocabulary,
        })
    }
}

/// Reads `PTR` or `NAME=PTR`. A pointer is empty or begins with a slash, so a name ends before the first `=/` or before
/// a last `=`.
fn field(text: &str) -> Result<Field, String> {
    let (name, pointer) = if text.is_empty() || text.starts_with('/') {
        (None, text)
    } else if let Some(end) = text.find("=/") {
        let (name, rest) = text.split_at(end);
        (Some(name), rest.trim_start_matches('='))
    } else if let Some(name) = text.strip_suffix('=') {
        (Some(name), "")
    } else {
        return Err("expected PTR or NAME=PTR, where PTR is '' or begins with /".to_owned());
    };
    Pointers::<1>::up_to(&[pointer])
        .map_err(|error| format!("PTR is no JSON Pointer: {}, at its byte {}", error.fault, error.at))?;
    let name = name.map(str::to_owned).or_else(|| last_key(pointer));
    let name = name.ok_or("there is no key to name this after: expected NAME=PTR")?;
    Ok(Field { name, pointer: pointer.to_owned() })
}

/// The last token that is no `*`, unescaped.
fn last_key(pointer: &str) -> Option<String> {
    let token = pointer.split('/').skip(1).filter(|token| *token != "*").last()?;
    Some(token.replace("~2", "*").replace("~1", "/").replace("~0", "~"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_a_pointer_with_or_without_a_name() {
        for (text, name, pointer) in [
            ("/a", "a", "/a"),
            ("/user/name", "name", "/user/name"),
            ("/tags/0", "0", "/tags/0"),
            ("/tags/*/id", "id", "/tags/*/id"),
            ("/tags/*", "tags", "/tags/*"),
            ("/a~1b~0~01~2", "a/b~~1*", "/a~1b~0~01~2"),
            ("/", "", "/"),
            ("/a/", "", "/a/"),
            ("/a=/b", "b", "/a=/b"),
            ("/a=", "a=", "/a="),
            ("n=/a", "n", "/a"),
            ("n=/a=/b", "n", "/a=/b"),
            ("a=b=/c", "a=b", "/c"),
            ("all=", "all", ""),
            ("=", "", ""),
            ("=/a", "", "/a"),
            ("==/a", "=", "/a"),
            ("é \"\\\n=/é", "é \"\\\n", "/é"),
        ] {
            let expected = Field { name: name.to_owned(), pointer: pointer.to_owned() };
            assert_eq!(field(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_neither_says_what_is_expected() {
        for (text, part) in [
            ("", "NAME=PTR"),
            ("/*", "NAME=PTR"),
            ("/*/*", "NAME=PTR"),
            ("name", "expected PTR or NAME=PTR"),
            ("name=a", "expected PTR or NAME=PTR"),
            ("#/a", "expected PTR or NAME=PTR"),
            ("/a~", "at its byte 2"),
            ("n=/a~3", "at its byte 2"),
        ] {
            assert!(field(text).is_err_and(|error| error.contains(part)), "{text}: {:?}", field(text));
        }
    }
}
