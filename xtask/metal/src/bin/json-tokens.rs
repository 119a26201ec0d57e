//! `plimsoll-json`: the tokenizer, 32 levels without counts of items.
#![no_std]
#![no_main]

use core::hint::black_box;

use plimsoll_json::{Limits, Token, Tokenizer, Uncounted};

plimsoll_metal::footprint!("json", tokens, stack: [Tokenizer<Uncounted<4>>], state: []);

const LIMITS: Limits = Limits { items: Limits::DEVICE.values, ..Limits::DEVICE };

fn tokens(body: &[u8], piece: usize) {
    let Ok(mut tokenizer) = Tokenizer::<Uncounted<4>>::new(LIMITS) else { return };
    for mut rest in plimsoll_metal::pieces(body, piece) {
        while let Ok(step) = tokenizer.step(rest) {
            if let Token::NeedInput = black_box(step.token) {
                break;
            }
            rest = rest.get(step.consumed..).unwrap_or_default();
        }
    }
    while let Ok(token) = tokenizer.finish() {
        if let Token::End = black_box(token) {
            break;
        }
    }
}
