//! The stable vocabulary: stages, reasons and units, each with the name that reports and scripts rely on.
//!
//! A reason belongs to exactly one stage. A reason that is a limit has a unit; every other one is a fault of
//! the bytes or of their source. The table at the end of this file is the only place where they are listed.

use core::fmt;

/// Where in the pipeline a refusal arose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Stage {
    /// Reading the encoded body: declared and actual length, codings, time.
    Content,
    /// gzip framing and DEFLATE.
    Decoder,
    /// UTF-8.
    Text,
    /// JSON documents and records.
    Document,
    /// What is retained of the document.
    Result,
    /// Tokens of a model's context.
    Context,
}

impl Stage {
    /// The name used in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Content => "content",
            Self::Decoder => "decoder",
            Self::Text => "text",
            Self::Document => "document",
            Self::Result => "result",
            Self::Context => "context",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a limit counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Levels of nesting, where `[]` is 1.
    Levels,
    /// Elements or members of one container.
    Items,
    /// Values of a document, containers included, keys not.
    Values,
    /// Records of a stream.
    Records,
    /// Members of a gzip file.
    Members,
    /// Steps of work that no output has paid for.
    Steps,
    /// Tokens of a model's vocabulary.
    Tokens,
    /// Milliseconds.
    Milliseconds,
}

impl Unit {
    /// The name used in reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Levels => "levels",
            Self::Items => "items",
            Self::Values => "values",
            Self::Records => "records",
            Self::Members => "members",
            Self::Steps => "steps",
            Self::Tokens => "tokens",
            Self::Milliseconds => "ms",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Makes the enum and its tables from one list, so that a name, a stage or a text cannot be forgotten.
macro_rules! reasons {
    ($($stage:ident { $($variant:ident $name:literal $(limit $unit:ident)? $text:literal)* })*) => {
        /// Why something was refused. The name of each is stable.
        ///
        #[doc = include_str!("../REASONS.md")]
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum Reason {
            $($(
                #[doc = concat!("`", $name, "`: ", $text, ".")]
                $variant,
            )*)*
        }

        impl Reason {
            /// All reasons, in the order of the stages.
            pub const ALL: &'static [Self] = &[$($(Self::$variant,)*)*];

            /// The stable name, as in a report.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($(Self::$variant => $name,)*)* }
            }

            /// The stage that the reason belongs to.
            #[must_use]
            pub const fn stage(self) -> Stage {
                match self { $($(Self::$variant => Stage::$stage,)*)* }
            }

            /// What the limit counts; `None` for a fault.
            #[must_use]
            pub const fn unit(self) -> Option<Unit> {
                match self { $($(Self::$variant => reasons!(@unit $($unit)?),)*)* }
            }

            /// What happened, for a person: half a sentence without a full stop.
            #[must_use]
            pub const fn describe(self) -> &'static str {
                match self { $($(Self::$variant => $text,)*)* }
            }
        }
    };
    (@unit) => { None };
    (@unit $unit:ident) => { Some(Unit::$unit) };
}

reasons! {
    Content {
        UnsupportedCoding "unsupported_coding" "the content coding is not one that is decoded here"
        StackedCoding "stacked_coding" "the body has more than one content coding"
        UnsupportedMedia "unsupported_media" "the media type or its charset is not one that is taken here"
        DeclaredLength "declared_length" limit Bytes "the declared length is over the limit for encoded bytes"
        LengthMismatch "length_mismatch" "the body is shorter or longer than its declared length"
        EncodedLimit "encoded_limit" limit Bytes "the body has more encoded bytes than allowed"
        Deadline "deadline" limit Milliseconds "the body did not arrive in time"
        TooSlow "too_slow" "the body arrives slower than the least rate"
        Capacity "capacity" "the shared capacity has nothing left for this body"
        Cancelled "cancelled" "the caller gave the body up"
        SourceError "source_error" "the source failed before the body had ended"
    }
    Decoder {
        NotGzip "not_gzip" "the body does not begin as gzip does"
        BadHeader "bad_header" "the gzip header names another method or sets a reserved flag"
        HeaderLimit "header_limit" limit Bytes "a gzip header is longer than allowed"
        HeaderChecksum "header_checksum" "the gzip header does not match its own checksum"
        BadDeflate "bad_deflate" "the compressed data is not valid DEFLATE"
        WindowTooSmall "window_too_small" "the compressed data needs a larger window than the decoder was given"
        WorkLimit "work_limit" limit Steps "the compressed data costs work that brings no output"
        DecodedLimit "decoded_limit" limit Bytes "the body decodes to more bytes than allowed"
        Checksum "checksum" "the decoded bytes do not match the checksum of their gzip member"
        LengthField "length_field" "the decoded bytes do not match the length field of their gzip member"
        IncompleteGzip "incomplete_gzip" "the body ended before its last gzip member did"
        TrailingData "trailing_data" "bytes follow the last gzip member"
        MemberLimit "member_limit" limit Members "the body has more gzip members than allowed"
    }
    Text {
        InvalidUtf8 "invalid_utf8" "the text is not valid UTF-8"
        IncompleteUtf8 "incomplete_utf8" "the text ended inside a character"
    }
    Document {
        ByteOrderMark "byte_order_mark" "the document begins with a byte order mark"
        JsonSyntax "json_syntax" "the document is not valid JSON"
        LoneSurrogate "lone_surrogate" "a string has half a surrogate pair"
        IncompleteJson "incomplete_json" "the document ended before its value did"
        TrailingDocument "trailing_document" "something follows the document"
        DepthLimit "depth_limit" limit Levels "containers nest deeper than allowed"
        StringLimit "string_limit" limit Bytes "a string is longer than allowed"
        KeyLimit "key_limit" limit Bytes "a key is longer than allowed"
        NumberLimit "number_limit" limit Bytes "a number is longer than allowed"
        ItemLimit "item_limit" limit Items "a container has more items than allowed"
        ValueLimit "value_limit" limit Values "the document has more values than allowed"
        RecordLimit "record_limit" limit Bytes "a record is longer than allowed"
        RecordCount "record_count" limit Records "the stream has more records than allowed"
        DuplicateKey "duplicate_key" "a key occurs twice in one object"
        NumberRange "number_range" "a number does not fit the type that was asked for"
        TypeMismatch "type_mismatch" "a value is not of the type that was asked for"
    }
    Result {
        RetainedLimit "retained_limit" limit Bytes "the fields asked for need more room than allowed"
        MissingField "missing_field" "a required field is not in the document"
    }
    Context {
        TokenLimit "token_limit" limit Tokens "the result has more tokens than allowed"
    }
}

impl Reason {
    /// Whether the reason is a limit that was exceeded, and not a fault.
    #[must_use]
    pub const fn is_limit(self) -> bool {
        self.unit().is_some()
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;

    #[test]
    fn names_are_lower_case_words_and_none_stands_twice() {
        for (index, reason) in Reason::ALL.iter().enumerate() {
            let name = reason.as_str();
            assert!(
                name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte == b'8'),
                "{name}"
            );
            assert_eq!(Reason::ALL.iter().position(|other| other.as_str() == name), Some(index), "{name}");
        }
    }

    #[test]
    fn what_is_called_a_limit_has_a_unit() {
        for reason in Reason::ALL {
            if reason.as_str().ends_with("_limit") {
                assert!(reason.is_limit(), "{reason}");
            }
        }
        assert_eq!(Reason::Deadline.unit(), Some(Unit::Milliseconds));
        assert_eq!(Reason::BadDeflate.unit(), None);
        assert!(!Reason::BadDeflate.is_limit());
    }

    #[test]
    fn a_stage_a_unit_and_a_reason_are_written_as_in_a_report() {
        let stages = [
            (Stage::Content, "content"),
            (Stage::Decoder, "decoder"),
            (Stage::Text, "text"),
            (Stage::Document, "document"),
            (Stage::Result, "result"),
            (Stage::Context, "context"),
        ];
        for (stage, name) in stages {
            assert_eq!((stage.as_str(), stage.to_string().as_str()), (name, name));
        }
        let units = [
            (Unit::Bytes, "bytes"),
            (Unit::Levels, "levels"),
            (Unit::Items, "items"),
            (Unit::Values, "values"),
            (Unit::Records, "records"),
            (Unit::Members, "members"),
            (Unit::Steps, "steps"),
            (Unit::Tokens, "tokens"),
            (Unit::Milliseconds, "ms"),
        ];
        for (unit, name) in units {
            assert_eq!((unit.as_str(), unit.to_string().as_str()), (name, name));
        }
        assert_eq!(Reason::LoneSurrogate.to_string(), "lone_surrogate");
    }

    #[test]
    fn each_reason_belongs_to_the_stage_of_the_published_table() {
        assert_eq!(Reason::SourceError.stage(), Stage::Content);
        assert_eq!(Reason::MemberLimit.stage(), Stage::Decoder);
        assert_eq!(Reason::IncompleteUtf8.stage(), Stage::Text);
        assert_eq!(Reason::TypeMismatch.stage(), Stage::Document);
        assert_eq!(Reason::MissingField.stage(), Stage::Result);
        assert_eq!(Reason::TokenLimit.stage(), Stage::Context);
        assert_eq!(Reason::ALL.len(), 11 + 13 + 2 + 16 + 2 + 1);
    }
}
