//! The pipeline for fields of a JSON body, in place of [`intake`](crate::intake)'s for the body itself.
//!
//! Of one document the fields are kept in memory until all of it is checked; of records each object goes to the spool, which
//! becomes the output at the end. Memory is bounded by `--retained`, once for the matches and once for the object that is
//! made of them.

use std::io;

use plimsoll::json::{
    Fields, Framing, Pointers, Record, RecordFields, RecordLimits, Select, SelectRecords, Selected, Slot,
    Template,
};
use plimsoll::{
    Media, Outcome, Policy, Reason, Rejection, Rendered, ResultMeter, Sink, Source, ToolResult, Verdict,
};

use crate::args::{Intake, Selection};
use crate::intake::{Levels, Pipeline, Taken};
use crate::kind::Kind;
use crate::spool::Spool;
use crate::tokens::Counter;

/// Whether fields can be selected in a body of this kind.
pub(crate) const fn is_selectable(media: Media) -> bool {
    matches!(media, Media::Json | Media::NdJson | Media::JsonSequence)
}

/// What to do about a body of another kind.
pub(crate) fn advice(media: Media) -> String {
    format!(
        "--select takes fields of JSON, and the body is {media}: if it is JSON, say --media-type with application/json, \
         application/x-ndjson or application/json-seq"
    )
}

/// Takes the fields of a body in as the arguments say.
///
/// # Errors
/// If the output failed.
pub(crate) fn take_in<S: Source<Error = io::Error>>(
    args: &Intake,
    selection: &Selection,
    kind: Kind,
    pipeline: Pipeline<S>,
    spool: Spool,
) -> io::Result<Taken> {
    let task = Task { selection, preview: args.preview, policy: Policy { preview: None, ..args.policy() } };
    // Room for more pointers than there are costs time, as each item is held against all.
    match selection.fields.len() {
        0..=4 => task.run::<4, _>(kind, pipeline, spool),
        5..=16 => task.run::<16, _>(kind, pipeline, spool),
        17..=64 => task.run::<64, _>(kind, pipeline, spool),
        _ => task.run::<256, _>(kind, pipeline, spool),
    }
}

struct Task<'a> {
    selection: &'a Selection,
    /// The most bytes of a result that may be shown in parts.
    preview: Option<u64>,
    policy: Policy,
}

/// What came of the body, and what the result has to add.
struct Answered {
    outcome: Outcome,
    failure: Option<io::Error>,
    /// Index of a required field that was not there.
    missing: Option<usize>,
    /// How many fields or records a preview does not show, and which of both.
    left_out: Option<(u64, &'static str)>,
}

impl Task<'_> {
    fn run<const P: usize, S: Source<Error = io::Error>>(
        &self,
        kind: Kind,
        pipeline: Pipeline<S>,
        mut spool: Spool,
    ) -> io::Result<Taken> {
        let fields = &self.selection.fields;
        let texts: Vec<_> = fields.iter().map(|field| field.pointer.as_str()).collect();
        let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
        let mut required = [false; P];
        for (required, &asked) in required.iter_mut().zip(&self.selection.required) {
            *required = asked;
        }
        let pointers = Pointers::<P>::up_to(&texts).map_err(io::Error::other)?.require(required);
        let template = Template::up_to(&pointers, &names).map_err(io::Error::other)?;

        let Answered { mut outcome, failure, missing, left_out } = match kind.media {
            Media::NdJson => self.records(&template, Framing::Lines, kind, pipeline, &mut spool)?,
            Media::JsonSequence => self.records(&template, Framing::Sequence, kind, pipeline, &mut spool)?,
            _ => self.document(&template, kind, pipeline, &mut spool)?,
        };
        if let Verdict::Rejected(rejection) = &mut outcome.verdict {
            *rejection = self.told(*rejection, &pointers);
        }
        if outcome.is_complete() {
            spool.commit()?;
        }
        let missing =
            missing.filter(|_| outcome.rejection().map(|it| it.reason()) == Some(Reason::MissingField));
        let note = match (missing.and_then(|index| fields.get(index)), left_out) {
            (Some(field), _) => Some(format!("the field '{}' is required and not there", field.name)),
            (None, Some((1, what))) => Some(format!("1 {what} is left out of the preview")),
            (None, Some((count, what))) => Some(format!("{count} {what}s are left out of the preview")),
            (None, None) => None,
        };
        Ok(Taken { outcome, failure, spool, text: false, note })
    }

    fn document<const P: usize, S: Source<Error = io::Error>>(
        &self,
        template: &Template<'_, P>,
        kind: Kind,
        pipeline: Pipeline<S>,
        spool: &mut Spool,
    ) -> io::Result<Answered> {
        let (mut bytes, mut slots) = self.memory(template.pointers());
        let fields = Fields::new(&mut bytes, &mut slots);
        let limits = self.policy.limits.document;
        let select = Select::<Levels, _, P>::of_fields(template.pointers(), limits, fields);
        let mut select = Box::new(select.map_err(io::Error::other)?);
        let Ok((outcome, failure)) = pipeline.run(&self.policy, Ok(kind), &mut *select, ());

        let missing = select.missing();
        let mut buffer = vec![0; self.selection.retained as usize];
        let (outcome, rendered) = self.object(template, select.into_selected(), outcome, &mut buffer);
        let (text, left_out) = match &rendered {
            Rendered::Complete(text) => (*text, None),
            Rendered::Preview(preview) => (preview.unfinished_text(), Some((preview.left_out(), "field"))),
            Rendered::Nothing => ("", None),
        };
        if !text.is_empty() {
            spool.provisional(text.as_bytes())?;
            spool.provisional(b"\n")?;
        }
        Ok(Answered { outcome, failure, missing, left_out })
    }

    fn object<'b, const P: usize>(
        &self,
        template: &Template<'_, P>,
        selected: Option<Selected<'_>>,
        outcome: Outcome,
        buffer: &'b mut [u8],
    ) -> (Outcome, Rendered<'b>) {
        let (tokens, counter) = self.tokens();
        let Some(size) = self.preview else {
            return ToolResult::new(buffer).with_tokens(tokens, counter).object(template, selected, outcome);
        };
        // Only what is within the limit for bytes is shown in part.
        let whole = selected.map(|selected| template.render(&selected, buffer).map(drop));
        if let Some(Err(rejection)) = whole {
            return (Outcome { verdict: Verdict::Rejected(rejection), ..outcome }, Rendered::Nothing);
        }
        let size = usize::try_from(size).unwrap_or(usize::MAX).min(buffer.len());
        let room = buffer.get_mut(..size).unwrap_or_default();
        ToolResult::new(room).with_tokens(tokens, counter).leave_out().object(template, selected, outcome)
    }

    fn records<const P: usize, S: Source<Error = io::Error>>(
        &self,
        template: &Template<'_, P>,
        framing: Framing,
        kind: Kind,
        pipeline: Pipeline<S>,
        spool: &mut Spool,
    ) -> io::Result<Answered> {
        let (mut bytes, mut slots) = self.memory(template.pointers());
        let mut line = vec![0; (self.selection.retained as usize).saturating_add(1)];
        let (tokens, counter) = self.tokens();
        let mut meter = ResultMeter::new(self.preview.unwrap_or(u64::MAX), tokens, counter);
        if self.preview.is_some() {
            meter = meter.leave_out();
        }
        let mut broken = None;
        let each = |_: Record, selected: Selected<'_>| -> Result<(), Rejection> {
            let room = line.split_last_mut().map(|(_, room)| room).unwrap_or_default();
            let end = template.render(&selected, room)?.len();
            if let Some(lf) = line.get_mut(end) {
                *lf = b'\n';
            }
            let text = line.get(..=end).and_then(|line| core::str::from_utf8(line).ok()).unwrap_or_default();
            if meter.admit(text)?
                && let Err(error) = spool.provisional(text.as_bytes())
            {
                broken = Some(error);
                return Err(Rejection::new(Reason::Cancelled));
            }
            Ok(())
        };
        let fields = RecordFields::new(Fields::new(&mut bytes, &mut slots), each);
        let limits = &self.policy.limits;
        let most = RecordLimits { bytes: limits.record, records: limits.records };
        let (room, document) = (fields.room(), limits.document);
        let select =
            SelectRecords::<Levels, _, P>::new(template.pointers(), framing, most, document, room, fields);
        let mut select = Box::new(select.map_err(io::Error::other)?);
        let Ok((mut outcome, failure)) = pipeline.run(&self.policy, Ok(kind), &mut *select, ());

        let missing = select.missing();
        drop(select);
        broken.map_or(Ok(()), Err)?;
        let left_out = Some(meter.left_out()).filter(|&count| count != 0 && outcome.is_complete());
        if left_out.is_some() {
            outcome.verdict = Verdict::Preview;
        }
        Ok(Answered { outcome, failure, missing, left_out: left_out.map(|count| (count, "record")) })
    }

    /// Bytes and places for the matches.
    fn memory<const P: usize>(&self, pointers: &Pointers<'_, P>) -> (Vec<u8>, Vec<Slot>) {
        (vec![0; self.selection.retained as usize], vec![Slot::EMPTY; self.matches(pointers)])
    }

    /// As many matches as may be in an object within its limit, where each takes a byte and a comma of an array at least, and
    /// as many as a body within its limits can have, where each pointer takes each value once at most.
    fn matches<const P: usize>(&self, pointers: &Pointers<'_, P>) -> usize {
        let fields = pointers.len();
        let limits = &self.policy.limits;
        if !(0..fields).any(|field| pointers.is_many(field)) {
            return fields;
        }
        let values = u64::from(limits.document.values).min(limits.decoded.saturating_add(1) / 2);
        let values = usize::try_from(values).unwrap_or(usize::MAX).saturating_mul(fields);
        let matches =
            (self.selection.retained as usize / 2).saturating_add(fields).saturating_add(1).min(values);
        // Not as many as the limit for items, so that a rejection tells which of both it is.
        matches.saturating_add(usize::from(matches as u64 == u64::from(limits.document.items)))
    }

    /// A rejection as it is told: where there are more matches than an object may be long for, that is its length.
    fn told<const P: usize>(&self, rejection: Rejection, pointers: &Pointers<'_, P>) -> Rejection {
        let matches = self.matches(pointers) as u64;
        let value = rejection.limit().map(|limit| limit.value);
        if rejection.reason() != Reason::ItemLimit || value != Some(matches) {
            return rejection;
        }
        let told = Rejection::limit_exceeded(Reason::RetainedLimit, self.selection.retained.into());
        rejection.record().map_or(told, |record| told.with_record(record))
    }

    /// The limit for tokens, and who counts them.
    fn tokens(&self) -> (u64, Counter) {
        self.selection.tokens.map_or((u64::MAX, Counter::Nothing), |tokens| (tokens.most, tokens.counter()))
    }
}
