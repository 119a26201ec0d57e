//! Prints what the machines of the library keep between calls: a line for each, its name and its bytes, separated by a tab.
#![no_std]
#![no_main]

use plimsoll::budget::{Capacity, Meter, Permit, WorkMeter};
use plimsoll::json::{Check, Counted, Fields, Select, Slot, Tokenizer, Uncounted};
use plimsoll::utf8::{Runs, Utf8};
use plimsoll::{
    DefaultEngine, FlatDecoder, Ingest, Inspector, NoClock, ReadSource, Reader, Rejection, RingDecoder,
    Slice, ToolResult, Transfer, Watch,
};
use plimsoll_board::{print, print_number};

plimsoll_board::panics_end!();
plimsoll_board::image!(main);

type Flat<I> = Ingest<FlatDecoder<'static, DefaultEngine>, I, ()>;
type Ring<K> = Ingest<RingDecoder<'static, DefaultEngine>, (), K>;
type Selection<const POINTERS: usize> = Select<'static, Counted<16>, Fields<'static>, POINTERS>;
type Source = ReadSource<'static, Port, fn(&mut Port)>;
type Timed = Watch<NoClock>;

/// A connection that keeps nothing.
struct Port;

impl embedded_io::ErrorType for Port {
    type Error = core::convert::Infallible;
}

const SIZES: &[(&str, usize)] = &[
    ("inflate engine", size_of::<DefaultEngine>()),
    ("`Ingest::flat`, with gzip framing, meters and verdict", size_of::<Flat<()>>()),
    ("`Ingest::flat` with a JSON `Inspector` of 16 levels", size_of::<Flat<Inspector<Counted<16>>>>()),
    ("`Ingest::ring` with a `Slice` sink", size_of::<Ring<Slice<'static>>>()),
    (
        "`Transfer` of that, a `ReadSource` and a `Watch`",
        size_of::<
            Transfer<
                RingDecoder<'static, DefaultEngine>,
                (),
                Slice<'static>,
                Source,
                NoClock,
                core::future::Pending<()>,
            >,
        >(),
    ),
    (
        "`Reader` over an `Ingest::ring`, likewise",
        size_of::<Reader<RingDecoder<'static, DefaultEngine>, (), Source, NoClock, core::future::Pending<()>>>(
        ),
    ),
    ("`ReadSource`, besides its buffer", size_of::<Source>()),
    ("`Watch`, besides its clock and timer", size_of::<Timed>()),
    ("`Utf8`", size_of::<Utf8>()),
    ("`Runs`, which lends `&str`", size_of::<Runs>()),
    ("`Check` with 32 levels, without counts of items", size_of::<Check<Uncounted<4>>>()),
    ("`Tokenizer`, likewise", size_of::<Tokenizer<Uncounted<4>>>()),
    ("`Select` with `Fields`, 16 levels and four pointers", size_of::<Selection<4>>()),
    ("each pointer more", size_of::<Selection<5>>() - size_of::<Selection<4>>()),
    ("each match of a pointer (`Slot`), besides its bytes", size_of::<Slot>()),
    ("`ToolResult`, besides its buffer", size_of::<ToolResult<'static>>()),
    ("`Meter`", size_of::<Meter>()),
    ("`WorkMeter`", size_of::<WorkMeter>()),
    ("`Capacity`, shared by several responses", size_of::<Capacity>()),
    ("`Permit` of each of them", size_of::<Permit<'static>>()),
    ("`Rejection`", size_of::<Rejection>()),
];

fn main() {
    for &(name, bytes) in SIZES {
        print(name);
        print("\t");
        print_number(core::hint::black_box(bytes) as u64);
        print("\n");
    }
}
