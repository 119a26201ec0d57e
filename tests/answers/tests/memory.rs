//! Three fields of a real document of 632 KB behind gzip, with 36 KiB of memory in all: the window of 32 KiB that any
//! encoder may need, and 4 KiB for everything else. The library crates have no allocator, so that the sizes of what is lent to
//! them and of what they are is all that they use besides the stack of a call.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by a panic"
)]

use answers::gzip;
use plimsoll::json::{Counted, Fields, Pointers, Select, Slot, Template};
use plimsoll::{
    ByteBound, Coding, DefaultEngine, Head, Ingest, Limits, Next, Policy, Reason, Rendered, Ring, ToolResult,
};
use plimsoll_tests_serde::real;
use serde_json::{Value, json};

const TEXTS: [&str; 3] = ["/search_metadata/max_id_str", "/statuses/7/user/screen_name", "/statuses/99/text"];

const POINTERS: Pointers<'static, 3> = match Pointers::new(TEXTS) {
    Ok(pointers) => pointers.require([true; 3]),
    Err(_) => panic!("found when this is compiled"),
};

const TEMPLATE: Template<'static, 3> = match Template::new(&POINTERS, ["newest", "author", "text"]) {
    Ok(template) => template,
    Err(_) => panic!("found when this is compiled"),
};

const POLICY: Policy = Policy::strict(Limits::GATEWAY);

const ALL: usize = 36 * 1024;

/// The result, and how much memory was in use at one time.
fn receive(body: &[u8], kept: usize) -> (Result<Value, Reason>, usize) {
    let (mut engine, mut window, mut piece) = (DefaultEngine::new(), [0; 32 * 1024], [0; 64]);
    let (mut bytes, mut slots) = (vec![0xff; kept], [Slot::EMPTY; 3]);
    let lent = size_of_val(&engine) + size_of_val(&window) + size_of_val(&piece) + kept + size_of_val(&slots);

    let fields = Fields::new(&mut bytes, &mut slots);
    let limits = plimsoll::json::Limits { depth: 16, ..POLICY.limits.document };
    let mut select = Select::<Counted<16>, _, 3>::of_fields(&POINTERS, limits, fields).unwrap();
    let own = size_of_val(&select);
    let (head, ring) = (Head::new(Coding::Gzip), Ring::new(&mut window));
    let mut ingest = Ingest::ring(&head, &POLICY, &mut engine, ring, &mut select, ());
    let used = lent + own + size_of_val(&ingest);
    for received in body.chunks(piece.len()) {
        piece[..received.len()].copy_from_slice(received);
        let Ok(next) = ingest.push(&piece[..received.len()]);
        if next == Next::Stop {
            break;
        }
    }
    let Ok(outcome) = ingest.finish();

    // The window is done with, so that the result can be made there.
    let result = ToolResult::new(&mut window[..256]).with_tokens(256, ByteBound);
    let (outcome, rendered) = result.object(&TEMPLATE, select.into_selected(), outcome);
    let result = match rendered {
        Rendered::Complete(text) => Ok(serde_json::from_str(text).unwrap()),
        _ => Err(outcome.rejection().unwrap().reason()),
    };
    (result, used)
}

#[test]
fn three_fields_of_a_real_document_need_36_kib() {
    let document = real("twitter.json");
    let tree: Value = serde_json::from_slice(&document).unwrap();
    let [newest, author, text] = TEXTS.map(|pointer| tree.pointer(pointer).unwrap().as_str().unwrap());
    let exact = newest.len() + author.len() + text.len();

    let body = gzip(&document);
    let (result, used) = receive(&body, exact);
    assert_eq!(result, Ok(json!({"newest": newest, "author": author, "text": text})));
    // Less on a device, whose pointers have half the size.
    assert!(used <= ALL, "{used} of {ALL} bytes, for {exact} bytes of {}", document.len());

    let (result, _) = receive(&body, exact - 1);
    assert_eq!(result, Err(Reason::RetainedLimit));
    let (result, _) = receive(&body[..body.len() - 1], exact);
    assert_eq!(result, Err(Reason::IncompleteGzip));
}
