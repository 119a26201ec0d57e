//! What hostile bytes cost: the image `cost` of `xtask/metal` runs inputs through a subject and counts.
//!
//! The worst inputs that [`crate::search`] has found stand in `fixtures/worst`. Inflate is charged per byte of input and
//! output together, since both have a limit; what it costs until the work limit ends it is told beside that.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use plimsoll_subjects::corpora::{Corpora, Producer, deflate};
use serde_json::{Value, json};

use crate::board::BOARDS;
use crate::images::{self, COUNTING, Images};

const IMAGE: &str = "cost";
const LEVEL: &str = "2";
/// Where the image looks for its list.
const LIST: &str = "0x200000";

/// What is run, by its number in the image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Subject {
    Inflate = 0,
    /// Inflate with the work limit that the crate suggests.
    LimitedInflate = 1,
    Check = 2,
    Tokens = 3,
    Select = 4,
}

impl Subject {
    /// Those that are searched for.
    pub(crate) const ALL: [Self; 4] = [Self::Inflate, Self::Check, Self::Tokens, Self::Select];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Inflate | Self::LimitedInflate => "inflate",
            Self::Check => "json-check",
            Self::Tokens => "json-tokens",
            Self::Select => "json-select",
        }
    }
}

/// Sizes of pieces: what a device reads at a time, and what a peer can make of that.
pub(crate) const PIECES: [u16; 2] = [512, 1];

/// An input to run.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) subject: Subject,
    pub(crate) piece: u16,
    pub(crate) bytes: Vec<u8>,
}

/// What it cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    instructions: u64,
    pub(crate) taken: bool,
    /// Instructions per byte of input and output.
    pub(crate) rate: f64,
}

/// Runs inputs.
pub(crate) struct Runner {
    image: PathBuf,
    folder: PathBuf,
}

impl Runner {
    /// Builds the image.
    pub(crate) fn new(images: &Images) -> Self {
        let image = images.build(&BOARDS[0], LEVEL, None, &[IMAGE]).path(IMAGE);
        Self { image, folder: images.inputs() }
    }

    /// Runs inputs, all in one image.
    pub(crate) fn run(&self, inputs: &[Input]) -> Vec<Cost> {
        let mut list = Vec::new();
        for Input { subject, piece, bytes } in inputs {
            list.push(*subject as u8);
            list.extend(piece.to_le_bytes());
            list.extend((bytes.len() as u32).to_le_bytes());
            list.extend(bytes);
        }
        list.push(0xFF);
        let path = self.folder.join("list");
        fs::write(&path, list).expect("the target directory can be written");
        let loader = format!("loader,file={},addr={LIST},force-raw=on", path.display());
        let options = [&COUNTING[..], &["-device", &loader]].concat();
        let printed = images::run(&BOARDS[0], &self.image, &options, &self.folder);
        let costs: Vec<Cost> = printed.lines().zip(inputs).map(|(line, input)| parse(line, input)).collect();
        assert_eq!(costs.len(), inputs.len(), "the image printed {printed}");
        costs
    }
}

fn parse(line: &str, input: &Input) -> Cost {
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let &[instructions, decoded, taken] = numbers.as_slice() else {
        panic!("not a line of the image: {line}")
    };
    let bytes = input.bytes.len() as u64 + decoded;
    Cost { instructions, taken: taken == 1, rate: instructions as f64 / bytes as f64 }
}

/// Where the worst input of a kind lies.
pub(crate) fn file(root: &Path, subject: Subject, piece: u16) -> PathBuf {
    root.join("fixtures/worst").join(format!("{}-{piece}", subject.name()))
}

/// A subject at a size of pieces: the ordinary cost, the worst, and the instructions until a limit ends the worst.
pub(crate) struct Row {
    subject: Subject,
    piece: u16,
    ordinary: f64,
    worst: f64,
    ended_after: Option<u64>,
}

/// Runs the worst inputs and the ordinary ones.
pub(crate) fn run(images: &Images, corpora: &Corpora) -> Vec<Row> {
    let runner = Runner::new(images);
    let document = corpora.json("github_events").bytes;
    let raw = deflate(Producer::Pigz, &document);
    let kinds = || Subject::ALL.into_iter().flat_map(|subject| PIECES.map(|piece| (subject, piece)));
    let worst = |subject, piece| {
        let path = file(corpora.root(), subject, piece);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let mut inputs = Vec::new();
    for (subject, piece) in kinds() {
        let ordinary = if subject == Subject::Inflate { &raw } else { &document };
        inputs.push(Input { subject, piece, bytes: ordinary.clone() });
        inputs.push(Input { subject, piece, bytes: worst(subject, piece) });
    }
    for piece in PIECES {
        let bytes = worst(Subject::Inflate, piece);
        inputs.push(Input { subject: Subject::LimitedInflate, piece, bytes });
    }
    let costs = runner.run(&inputs);
    let (pairs, limited) = costs.split_at(costs.len() - PIECES.len());
    kinds()
        .zip(pairs.chunks_exact(2))
        .enumerate()
        .map(|(index, ((subject, piece), pair))| {
            assert!(pair.iter().all(|cost| cost.taken), "{}, {piece}: refused", subject.name());
            let ended = limited.get(index).filter(|_| subject == Subject::Inflate);
            Row {
                subject,
                piece,
                ordinary: pair[0].rate,
                worst: pair[1].rate,
                ended_after: ended.map(|cost| cost.instructions),
            }
        })
        .collect()
}

/// The report for machines.
pub(crate) fn to_json(rows: &[Row]) -> Value {
    let result = |row: &Row| {
        json!({
            "subject": row.subject.name(), "pieces": row.piece, "ordinary": row.ordinary, "worst": row.worst,
            "instructions_until_work_limit": row.ended_after,
        })
    };
    json!({
        "kind": "cost", "unit": "instructions per byte of input and output", "target": BOARDS[0].target,
        "results": rows.iter().map(result).collect::<Vec<_>>(),
    })
}

/// The report for people.
pub(crate) fn to_text(rows: &[Row]) -> String {
    let mut text = String::from(
        "\ncost: the worst bytes that are known, instructions per byte of input and output, opt-level 2\n",
    );
    for Row { subject, piece, ordinary, worst, ended_after } in rows {
        let name = format!("* {}, pieces of {piece}", subject.name());
        let _ = write!(text, "{name:<32}{worst:>9.1}, ordinary {ordinary:.1}");
        if let Some(instructions) = ended_after {
            let _ = write!(text, "; its work limit ends it after {instructions} instructions");
        }
        text += "\n";
    }
    text
}

/// The README's table.
pub(crate) fn to_markdown(rows: &[Row]) -> String {
    let mut table = String::from("| |");
    for piece in PIECES {
        let _ = write!(table, " pieces of {piece}: ordinary / worst |");
    }
    table += "\n|---|---|---|\n";
    for subject in Subject::ALL {
        let _ = write!(table, "| {} |", subject.name());
        for row in rows.iter().filter(|row| row.subject == subject) {
            let _ = write!(table, " {:.1} / {:.0} |", row.ordinary, row.worst);
        }
        table += "\n";
    }
    table
}
