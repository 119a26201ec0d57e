//! The same document, asynchronously: the task waits for each piece, and the executor sleeps meanwhile.
//!
//! The futures are written by hand. An `async fn` is a state machine that panics when it is polled after its end, which no
//! executor does but the compiler cannot know; so each one links a panic. [`Receive`](receive::Receive) has none.
#![no_std]
#![no_main]

mod gateway;
mod line;
mod receive;

use embassy_executor::Executor;
use embassy_executor::raw::TaskStorage;
use plimsoll::{Coding, Head};
use plimsoll_firmware::intake::{BOUNDS, inspectors};
use plimsoll_firmware::memory::Memory;
use plimsoll_firmware::show;
use plimsoll_firmware::telemetry::Collector;
use plimsoll_firmware::uart::Uart;
use static_cell::{ConstStaticCell, StaticCell};

use crate::gateway::Gateway;
use crate::line::Line;
use crate::receive::Receive;

plimsoll_board::no_panics!();
plimsoll_board::image!(run);

static EXECUTOR: StaticCell<Executor> = StaticCell::new();
static GATEWAY: TaskStorage<Gateway> = TaskStorage::new();
static MEMORY: ConstStaticCell<Memory> = ConstStaticCell::new(Memory::new());
static COLLECTOR: ConstStaticCell<Collector> = ConstStaticCell::new(Collector::new());

/// `gzip -9n` of a document with 96 readings.
static DOCUMENT: &[u8] = include_bytes!("../../../../../../fixtures/telemetry.json.gz");

fn run() {
    let (Some(memory), Some(collector)) = (MEMORY.try_take(), COLLECTOR.try_take()) else { return };
    let Some(executor) = EXECUTOR.try_uninit() else { return };

    let inspectors = match inspectors(&BOUNDS, collector) {
        Ok(inspectors) => inspectors,
        Err(rejection) => return show::rejection(&rejection),
    };
    let head = Head::new(Coding::Gzip).with_length(DOCUMENT.len() as u64);
    let line = Line::new(Uart::new(DOCUMENT));
    executor.write(Executor::new()).run(|spawner| {
        // The task is made where it stays.
        let task = GATEWAY.spawn(|| Gateway::new(Receive::new(memory, &head, inspectors, line)));
        if let Ok(task) = task {
            spawner.spawn(task);
        }
    })
}
