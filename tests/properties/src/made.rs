//! Legal and nearly legal streams, made from the choices in a byte string: each byte decides one thing, so that a fuzzer
//! which changes a byte changes one thing of a stream that is otherwise in order. The byte string is an input like any
//! other, for libFuzzer, proptest and the folder of what is kept.

use conformance::{HeaderCrc, Member, flag, oracle};
use plimsoll_tests_inflate::generate::{self, Twist};
use plimsoll_tests_inflate::random::Random;
use plimsoll_tests_inflate::{Memory, reference};
use plimsoll_tests_serde::shape::{self, Maker, Shape};

use crate::input::Input;
use crate::{drivers, effects, gzip, inflate, json, pipeline, reader, records, typed, values};

/// What is longer takes long, and says no more. A stored block can be.
const LONGEST: usize = 2048;

/// Blocks with every field at and over its border are judged as [`inflate::judged`] and [`inflate::histories`] say.
pub fn deflate(input: Input<'_>) {
    let (_, stream) = generate::stream_of(Random::drawn(input.body));
    if stream.len() > LONGEST {
        return;
    }
    inflate::judged(input.with(&stream));
    inflate::histories(input.with(&stream));
}

/// Members with every field of their header, right or with one thing wrong, are taken as [`gzip::policies`],
/// [`gzip::machine`] and [`gzip::counted`] say.
pub fn members(input: Input<'_>) {
    let body = body(input.body);
    if body.len() > LONGEST {
        return;
    }
    gzip::policies(input.with(&body));
    gzip::machine(input.with(&body));
    gzip::counted(input.with(&body));
}

/// Documents of any shape, and of a type's, right or with one thing wrong, are read as [`json::document`],
/// [`json::limited`] and [`typed::values`] say; streams of them, with all that may stand between, as [`records::stream`],
/// [`effects::handed_on`] and [`values::streamed`].
pub fn documents(input: Input<'_>) {
    let shape = if input.chosen(10, 0) { Shape::Any } else { typed::shape(input) };
    let stream = stream(&shape, input.body);
    records::stream(input.with(&stream));
    effects::handed_on(input.with(&stream));
    values::streamed(input.with(&stream));

    let text = document(&shape, input.body);
    json::document(input.with(text.as_bytes()));
    json::limited(input.with(text.as_bytes()));
    typed::values(input.with(text.as_bytes()));
}

/// gzip bodies of such documents and streams, packed by a real encoder and cut or changed in one place, come to what
/// [`pipeline::stages`], [`reader::pulled`] and [`drivers::driven`] say.
pub fn responses(input: Input<'_>) {
    let (knobs, choices) = input.body.split_at(input.body.len().min(4));
    let mut random = Random::drawn(knobs);
    let plain = if random.once_in(2) {
        stream(&Shape::Any, choices)
    } else {
        document(&Shape::Any, choices).into_bytes()
    };
    let body = if input.chosen(5, 2) {
        plain
    } else {
        let mut packed = oracle::gzip(&plain, random.below(10) as u32);
        let at = random.below(packed.len());
        match random.below(4) {
            0 => packed[at] ^= 1 << random.below(8),
            1 => packed.truncate(at),
            _ => {}
        }
        packed
    };
    pipeline::stages(input.with(&body));
    reader::pulled(input.with(&body));
    drivers::driven(input.with(&body));
}

/// A body of up to three members.
fn body(choices: &[u8]) -> Vec<u8> {
    let Some((&first, choices)) = choices.split_first() else { return Vec::new() };
    let count = usize::from(first % 4);
    let each = choices.len().div_ceil(count.max(1)).max(1);
    let mut body: Vec<u8> = choices.chunks(each).take(count).flat_map(member).collect();
    match first / 4 % 16 {
        0 => body.extend_from_slice(&[0; 3]),
        1 => body.push(first),
        2 => body.truncate(body.len().saturating_sub(1 + usize::from(first / 64))),
        _ => {}
    }
    body
}

/// A member, seldom with one thing wrong.
fn member(choices: &[u8]) -> Vec<u8> {
    let (header, data) = choices.split_at(choices.len().min(16));
    let mut random = Random::drawn(header);
    let twist = if random.once_in(5) { random.of(&Twist::ALL) } else { Twist::None };
    let mut data = generate::stream_with(twist, Random::drawn(data));
    let inflated = reference::inflate(Memory::Flat(1 << 17), u64::MAX, &data);
    if let Ok(length) = inflated.verdict {
        data.truncate(length);
    }
    let mut member = Member::of(data, &inflated.bytes);
    let mut text = |present: usize| {
        let length = random.below(40);
        (random.below(3) < present).then(|| vec![b'n'; length])
    };
    (member.extra, member.name, member.comment) = (text(1), text(1), text(1));
    member.flags = if random.once_in(3) { flag::TEXT } else { 0 };
    (member.os, member.xfl) = (random.below(256) as u8, random.below(256) as u8);
    member.header_crc = if random.once_in(2) { HeaderCrc::Right } else { HeaderCrc::Absent };
    let bit = random.below(32);
    match random.below(24) {
        0 => member.crc ^= 1 << bit,
        1 => member.length ^= 1 << bit,
        2 => member.id[bit % 2] ^= 1 << (bit / 2 % 8),
        3 => member.method ^= 1 << (bit % 8),
        4 => member.flags ^= 1 << (5 + bit % 3),
        5 => member.header_crc = HeaderCrc::Flipped(1 << (bit % 16)),
        _ => {}
    }
    member.bytes()
}

/// A document, seldom with one thing wrong.
fn document(shape: &Shape, choices: &[u8]) -> String {
    let mut random = shape::Random::drawn(choices);
    let seldom = [2, 8, 30][random.below(3)];
    Maker::make(shape, seldom, &mut random).text
}

/// Records with line ends, RS, blank lines and junk around them.
fn stream(shape: &Shape, choices: &[u8]) -> Vec<u8> {
    const BETWEEN: [&str; 12] = [
        "\n",
        "\r\n",
        "\n\x1e",
        "\x1e",
        "\n\n",
        " \n",
        "",
        "\r",
        "\x1e\x1e",
        "\r\r\n",
        "\n \n\x1e",
        "\t\n\x1e ",
    ];
    let Some((&first, choices)) = choices.split_first() else { return Vec::new() };
    let mut body = Vec::new();
    if first & 1 == 0 {
        body.push(0x1e);
    }
    for piece in choices.chunks(usize::from(first / 2 % 32) + 4) {
        let (between, choices) = piece.split_first().expect("a chunk has a byte");
        body.extend_from_slice(document(shape, choices).as_bytes());
        // Mostly what both formats take for an end.
        let between = BETWEEN.get(usize::from(between / 2 % 16)).unwrap_or(&"\n\x1e");
        body.extend_from_slice(
            if first & 1 == 0 { between } else { between.trim_end_matches('\x1e') }.as_bytes(),
        );
    }
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(seed: u64) -> Vec<u8> {
        let mut random = Random::new(seed);
        let length = random.between(1, 600);
        core::iter::repeat_with(|| random.number() as u8).take(length).collect()
    }

    /// How many of 400 are taken.
    fn taken(made: impl Fn(&[u8]) -> bool) -> usize {
        (0..400).filter(|&seed| made(&some(seed))).count()
    }

    #[test]
    fn what_is_made_is_legal_often_and_not_always() {
        let members = taken(|choices| oracle::gunzip_many(&body(choices)).is_some());
        let documents = taken(|choices| {
            serde_json::from_str::<serde_json::Value>(&document(&Shape::Any, choices)).is_ok()
        });
        let lines = taken(|choices| {
            let stream = stream(&Shape::Any, choices);
            let mut lines =
                stream.split(|&byte| matches!(byte, b'\n' | 0x1e)).filter(|line| !line.is_empty());
            lines.all(|line| serde_json::from_slice::<serde_json::Value>(line).is_ok())
        });
        println!("{members} bodies, {documents} documents, {lines} streams");
        assert!((60..340).contains(&members), "{members} bodies");
        assert!((60..380).contains(&documents), "{documents} documents");
        assert!((20..340).contains(&lines), "{lines} streams");
    }
}
