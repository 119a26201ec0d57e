//! What a fuzzer begins with: real files of the pinned data crates, and what the tests' own generators make. Nothing of
//! it lies in the repository.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fs, io};

use cargo_metadata::{Metadata, MetadataCommand};
use conformance::{HeaderCrc, Member, oracle};
use plimsoll_tests_inflate::random::Random;
use plimsoll_tests_inflate::{corpora, generate};
use plimsoll_tests_json::data;
use plimsoll_tests_serde::compare::TYPES;
use plimsoll_tests_serde::shape::{self, Maker};

use crate::{ALL, DIALS, WIDE};

/// What the bodies of a property are made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Raw DEFLATE.
    Deflate,
    /// gzip.
    Gzip,
    /// Text that should be UTF-8.
    Text,
    /// JSON documents.
    Json,
    /// NDJSON and RFC 7464.
    Records,
    /// NDJSON and RFC 7464 of values of a type, which dial 4 chooses.
    Values,
    /// A line of pointers, and a document.
    Select,
    /// Header values, pointers and sizes.
    Policy,
    /// Bytes that choose what is made.
    Choices,
}

impl Kind {
    /// The dictionary in `fuzz/` that goes with it.
    #[must_use]
    pub const fn dictionary(self) -> Option<&'static str> {
        match self {
            Self::Deflate | Self::Gzip => Some("gzip.dict"),
            Self::Json | Self::Records | Self::Values | Self::Select => Some("json.dict"),
            Self::Policy => Some("policy.dict"),
            Self::Text | Self::Choices => None,
        }
    }
}

/// No seed is longer: what is found in a short input is found sooner.
const LONGEST: usize = crate::LONGEST - DIALS;

/// Bodies of a kind.
///
/// # Errors
/// If the folder of a data crate cannot be asked for or read.
pub fn bodies(kind: Kind) -> Result<Vec<Vec<u8>>, Box<dyn std::error::Error>> {
    let mut bodies = match kind {
        Kind::Deflate => {
            let made = (0..200).map(|seed| generate::stream(seed).1);
            let packed = documents().into_iter().take(20).map(|text| oracle::deflate(&text, 6));
            let found = corpora::fuzz_seeds().into_iter().map(|document| document.bytes);
            made.chain(packed).chain(found).collect()
        }
        Kind::Gzip => gzip()?,
        Kind::Text => {
            let stress = package("encoding")?.join("src/examples/UTF-8-test.txt");
            let stress = fs::read(stress)?;
            stress.chunks(512).map(<[u8]>::to_vec).chain([stress.clone()]).collect()
        }
        Kind::Json => documents(),
        Kind::Records => {
            let documents = documents();
            let joined = |lines: &[Vec<u8>], before: &[u8], behind: &[u8]| {
                lines.iter().flat_map(|line| [before, line, behind].concat()).collect()
            };
            let lines = documents.chunks(3).map(|lines| joined(lines, b"", b"\r\n"));
            lines.chain(documents.chunks(3).map(|texts| joined(texts, b"\x1e", b"\n"))).collect()
        }
        Kind::Values => (0..96).map(values).collect(),
        Kind::Select => {
            let pointers = ["\t/a\t/0", "/*\t/*/*\t/0/0", "/user/name\t/id\t/text", "/a~1b\t/~0\t/~2"];
            let lines = pointers.iter().cycle();
            let all = documents().into_iter().chain(bodies(Kind::Records)?);
            all.zip(lines).map(|(text, line)| [line.as_bytes(), b"\n", &text].concat()).collect()
        }
        Kind::Policy => POLICIES.iter().map(|text| text.as_bytes().to_vec()).collect(),
        Kind::Choices => (0..48).map(choices).collect(),
    };
    bodies.retain(|body| body.len() <= LONGEST);
    Ok(bodies)
}

const POLICIES: [&str; 26] = [
    "",
    "gzip",
    "x-gzip",
    "identity, gzip",
    "gzip, br",
    "application/json",
    "application/json; charset=\"utf-8\"",
    "application/x-ndjson;charset=UTF-8; x=\"a;\\\"b\"",
    "text/plain; charset=latin1",
    "application/octet-stream;",
    "/a/b~0c~1d/~2/*",
    "/a~3",
    "8192",
    "64KiB",
    "1 MiB",
    "16777216TiB",
    "18446744073709551616",
    "007B",
    "30s",
    "1min 30s",
    "1h 2m 3s 4ms 5us 6ns",
    "1y 2months 3weeks 4days",
    "1.5h",
    "999us",
    "4 KiB/10s",
    "18446744073709551615s 1000ms",
];

fn choices(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let length = random.between(1, 600);
    core::iter::repeat_with(|| random.number() as u8).take(length).collect()
}

/// Three values of a type, as lines or as a sequence.
fn values(seed: u64) -> Vec<u8> {
    let shape = TYPES[usize::try_from(seed).unwrap_or(0) % TYPES.len()].1();
    let mut random = shape::Random::new(seed + 1);
    let before = if (seed / 16).is_multiple_of(2) { "" } else { "\x1e" };
    (0..3)
        .flat_map(|_| {
            format!("{before}{}\n", Maker::make(&shape, 30, &mut random).text.replace('\n', " ")).into_bytes()
        })
        .collect()
}

/// The parsing tests, and the parts of real documents that are short enough. They are read once, as most kinds want them.
fn documents() -> Vec<Vec<u8>> {
    static DOCUMENTS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    DOCUMENTS.get_or_init(read_documents).clone()
}

fn read_documents() -> Vec<Vec<u8>> {
    let mut documents: Vec<Vec<u8>> = data::suite().into_iter().map(|(_, text)| text).collect();
    for (_, text) in data::real() {
        let mut open = vec![serde_json::from_slice::<serde_json::Value>(&text).expect("a real document")];
        let mut taken = 0;
        while let Some(value) = open.pop() {
            let text = value.to_string();
            if text.len() <= LONGEST {
                documents.push(text.into_bytes());
                taken += 1;
            } else if let Some(items) = value.as_array() {
                open.extend(items.iter().take(40).cloned());
            } else if let Some(members) = value.as_object() {
                open.extend(members.values().take(40).cloned());
            }
            if taken == 25 {
                break;
            }
        }
    }
    documents.retain(|text| text.len() <= LONGEST);
    documents
}

/// The files of flate2 and libdeflate, members with every header field, and packed documents.
fn gzip() -> Result<Vec<Vec<u8>>, Box<dyn std::error::Error>> {
    let mut bodies: Vec<Vec<u8>> = corpora::fuzz_seeds().into_iter().map(|document| document.bytes).collect();
    for file in fs::read_dir(package("flate2")?.join("tests"))? {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "gz") {
            bodies.push(fs::read(path)?);
        }
    }
    let full = Member {
        extra: Some(b"extra".to_vec()),
        name: Some(b"name".to_vec()),
        comment: Some(b"comment".to_vec()),
        header_crc: HeaderCrc::Right,
        ..Member::fixed(b"hello")
    };
    let (full, empty) = (full.bytes(), Member::stored(b"").bytes());
    bodies.extend([[&full[..], &empty, &full].concat(), [&empty[..], &[0; 8]].concat(), full]);
    bodies.extend(documents().iter().step_by(7).map(|text| oracle::gzip(text, 6)));
    Ok(bodies)
}

/// The folder of a data crate.
fn package(name: &str) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let metadata: Metadata = MetadataCommand::new()
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .other_options(vec!["--offline".into()])
        .exec()?;
    let found = metadata.packages.iter().find(|package| package.name.as_str() == name);
    let folder = found.and_then(|package| package.manifest_path.parent()).ok_or(name)?;
    Ok(folder.as_std_path().to_owned())
}

/// Writes the seeds of every property into a folder of its name, each body in one piece and a byte at a time under wide
/// limits, values with the dial of their type and of their framing, and its dictionary beside the folder.
///
/// # Errors
/// If a folder cannot be read or written.
pub fn write(into: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let mut cut = WIDE;
    cut[0] = 1;
    for property in &ALL {
        let folder = into.join(property.name);
        fs::create_dir_all(&folder)?;
        if let Some(dictionary) = property.kind.dictionary() {
            let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(dictionary);
            fs::copy(here, folder.with_extension("dict"))?;
        }
        for (number, body) in bodies(property.kind)?.iter().enumerate() {
            for (name, mut dials) in [("whole", WIDE), ("cut", cut)] {
                if property.kind == Kind::Values {
                    dials[4] = number as u8;
                    dials[9] ^= u8::from((number / TYPES.len()).is_multiple_of(2));
                }
                write_seed(&folder.join(format!("{number:04}-{name}")), &dials, body)?;
            }
        }
    }
    Ok(())
}

fn write_seed(path: &Path, dials: &[u8; DIALS], body: &[u8]) -> io::Result<()> {
    fs::write(path, [dials, body].concat())
}
