//! The ways in which the inputs are taken.

use plimsoll::json::{Assembler, Counted, Fields, Pointers, Select, Slot, Template, de};
use plimsoll::{
    ByteBound, Clock, Coding, DefaultEngine, Failure, Head, Ingest, Inspect, Inspector, Limits, Media, Pace,
    Policy, Reason, Rejection, Ring, Slice, Source, Supply, ToolResult, Watch, read,
};

type Levels = Counted<64>;

/// Takes a body of a media type under a policy, with 32 KiB of history.
pub(crate) fn body(media: Media, head: Head, policy: &Policy, body: &[u8]) -> Option<Rejection> {
    through::<{ 32 * 1024 }>(media, head, policy, body)
}

/// As [`body`], with a ring of `WINDOW` bytes.
pub(crate) fn through<const WINDOW: usize>(
    media: Media,
    head: Head,
    policy: &Policy,
    body: &[u8],
) -> Option<Rejection> {
    let (mut engine, mut window, mut memory) = (DefaultEngine::new(), [0; WINDOW], [0; 1024]);
    let inspector = Inspector::<Levels>::new(media, &policy.limits).expect("limits that the levels hold");
    let (ring, sink) = (Ring::new(&mut window), Slice::new(&mut memory));
    let mut machine = Ingest::ring(&head, policy, &mut engine, ring, inspector, sink);
    let Ok(_) = machine.push(body);
    let Ok(outcome) = machine.finish();
    outcome.rejection()
}

/// Reads a body from a source in time, or not.
pub(crate) fn timed(pace: Pace, clock: impl Clock, source: Bytes<'_>) -> Option<Rejection> {
    let policy = Policy::strict(Limits::SMALL_DEVICE);
    let mut memory = [0; 1024];
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 256]);
    let (head, sink) = (Head::new(Coding::Identity), Slice::new(&mut memory));
    let machine = Ingest::ring(&head, &policy, &mut engine, Ring::new(&mut window), (), sink);
    let Ok(outcome) = read(machine, source, Watch::new(pace, clock));
    outcome.rejection()
}

/// A clock that goes on by a second each time it is looked at.
pub(crate) fn ticking() -> impl Clock {
    let mut now = 0_u32;
    move || {
        now = now.wrapping_add(1000);
        now
    }
}

/// A body that the caller gives up.
pub(crate) fn cancelled() -> Option<Rejection> {
    let mut memory = [];
    let mut engine = DefaultEngine::new();
    let policy = Policy::strict(Limits::SMALL_DEVICE);
    let mut machine = Ingest::flat(&Head::new(Coding::Identity), &policy, &mut engine, &mut memory, ());
    machine.refuse(Rejection::new(Reason::Cancelled));
    machine.finish_flat().0.rejection()
}

/// A source that brings its bytes one by one and then ends, or fails.
pub(crate) struct Bytes<'a> {
    pub(crate) rest: &'a [u8],
    pub(crate) fails: bool,
}

impl Supply for Bytes<'_> {
    type Error = ();

    fn cancel(&mut self) {}
}

impl Source for Bytes<'_> {
    fn consume(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    fn fill(&mut self) -> Result<&[u8], Failure<()>> {
        match self.rest {
            [] if self.fails => Err(Failure::Failed(())),
            rest => Ok(rest.get(..1).unwrap_or_default()),
        }
    }
}

/// Selects what `pointer` names, with room for one match of `ROOM` bytes.
pub(crate) fn select<const ROOM: usize>(
    pointers: [&str; 1],
    required: bool,
    body: &[u8],
) -> Option<Rejection> {
    let mut pointers = Pointers::new(pointers).expect("a pointer");
    if required {
        pointers = pointers.require([true]);
    }
    let (mut bytes, mut slots) = ([0; ROOM], [Slot::EMPTY; 4]);
    let fields = Fields::new(&mut bytes, &mut slots);
    let mut select = Select::<Levels, _, 1>::of_fields(&pointers, plimsoll::json::Limits::DEVICE, fields)
        .expect("limits that the levels hold");
    match select.inspect(body) {
        Err(refusal) => Some(refusal.rejection),
        Ok(()) => select.finish().err(),
    }
}

/// Makes a result of no token at most of what `/a` names.
pub(crate) fn result(body: &[u8]) -> Option<Rejection> {
    let pointers = Pointers::new(["/a"]).expect("a pointer");
    let template = Template::new(&pointers, ["a"]).expect("a name");
    let (mut bytes, mut slots, mut buffer) = ([0; 16], [Slot::EMPTY; 4], [0; 64]);
    let fields = Fields::new(&mut bytes, &mut slots);
    let policy = Policy::strict(Limits::SMALL_DEVICE);
    let mut select = Select::<Levels, _, 1>::of_fields(&pointers, policy.limits.document, fields)
        .expect("limits that the levels hold");
    let (mut engine, mut output) = (DefaultEngine::new(), [0; 64]);
    let mut machine =
        Ingest::flat(&Head::new(Coding::Identity), &policy, &mut engine, &mut output, &mut select);
    let Ok(_) = machine.push(body);
    let (outcome, _) = machine.finish_flat();
    let result = ToolResult::new(&mut buffer).with_tokens(0, ByteBound);
    result.object(&template, select.into_selected(), outcome).0.rejection()
}

/// Reads a value of the type `u8`.
pub(crate) fn typed(body: &[u8]) -> Option<Rejection> {
    let mut scratch = [0; 16];
    let assembler = Assembler::<Levels>::new(plimsoll::json::Limits::DEVICE, &mut scratch).expect("limits");
    de::from_slice::<u8, _>(body, assembler).err().and_then(|error| error.rejection())
}
