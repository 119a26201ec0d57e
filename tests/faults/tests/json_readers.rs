//! The pull readers of `plimsoll-json`, alone and behind a `Reader` of `plimsoll`, over a source that fails once before
//! each byte, is interrupted, is not ready, or ends early.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by a panic"
)]

use plimsoll::{
    BufReadSource, Coding, DefaultEngine, Head, Ingest, NoClock, Pace, Reason, Rejection, Ring, Watch,
};
use plimsoll_json::{Assembler, Counted, Framing, Limits, ReadError, Reader, RecordLimits, Records};
use plimsoll_tests_drivers::body;
use plimsoll_tests_drivers::executor::poll;
use plimsoll_tests_drivers::script::{Event, Script};
use plimsoll_tests_faults::bodies::POLICY;

const TEXT: &str = "{\"plain\":\"text\",\"esc\\u0061ped\":[\"\\ud83d\\ude00é€\",-1.5e+10,0],\"literals\":[true,false,null,{}]}";

fn assembler(scratch: &mut [u8]) -> Assembler<'_, Counted<16>> {
    Assembler::new(Limits::DEVICE, scratch).unwrap()
}

/// What a reader gave, in words, and how that ended; failures of the source are counted, and the call repeated.
#[derive(PartialEq, Eq, Debug)]
struct Given {
    events: Vec<String>,
    end: Result<(), Rejection>,
    failures: usize,
}

fn given<E>(mut next: impl FnMut() -> Result<Option<String>, ReadError<E>>) -> Given {
    let (mut events, mut failures) = (Vec::new(), 0);
    let end = loop {
        match next() {
            Ok(Some(event)) => events.push(event),
            Ok(None) => break Ok(()),
            Err(ReadError::Source(_)) => failures += 1,
            Err(ReadError::Rejected(rejection)) => break Err(rejection),
        }
        assert!(failures < 10_000);
    };
    Given { events, end, failures }
}

/// Documents, blocking and asynchronous with a future that is dropped whenever it waits.
fn document(asynchronous: bool, script: Script) -> Given {
    let mut scratch = [0xEE; 64];
    let mut reader = Reader::new(script, assembler(&mut scratch));
    if !asynchronous {
        return given(|| Ok(reader.read()?.map(|event| format!("{event:?}"))));
    }
    given(|| {
        loop {
            if let Some(answer) = poll(reader.read_async(), 1) {
                return Ok(answer?.map(|event| format!("{event:?}")));
            }
        }
    })
}

/// Records, likewise; a refused one is passed over.
fn records(asynchronous: bool, script: Script) -> Given {
    let mut scratch = [0xEE; 64];
    let limits = RecordLimits { bytes: 200, records: 100 };
    let records = Records::new(Framing::Lines, limits, assembler(&mut scratch)).skip_refused();
    let mut reader = Reader::new(script, records);
    if !asynchronous {
        return given(|| Ok(reader.read()?.map(|event| format!("{event:?}"))));
    }
    given(|| {
        loop {
            if let Some(answer) = poll(reader.read_async(), 1) {
                return Ok(answer?.map(|event| format!("{event:?}")));
            }
        }
    })
}

#[test]
fn trouble_once_before_any_byte_loses_nothing() {
    let lines = [TEXT, "{\"a\":}", "17", TEXT].join("\n");
    for (text, take) in [(TEXT, document as fn(bool, Script) -> Given), (&lines, records)] {
        for step in [1, 5, 500] {
            let quiet = take(false, Script::new(text.as_bytes(), step, []));
            assert_eq!((quiet.end, quiet.failures), (Ok(()), 0));
            for asynchronous in [false, true] {
                for at in 0..=text.len() {
                    for (event, fails) in [(Event::Interrupt, 1), (Event::Fail, 1), (Event::Pend, 0)] {
                        let script = Script::new(text.as_bytes(), step, [(at, event), (at, Event::Pend)]);
                        let troubled = take(asynchronous, script);
                        assert_eq!((troubled.end, troubled.failures), (Ok(()), fails), "{event:?} at {at}");
                        // How a string is cut into parts is not seen here: an assembler gives it whole.
                        assert_eq!(troubled.events, quiet.events, "{event:?} at {at} in {step}");
                    }
                }
            }
        }
    }
}

#[test]
fn an_end_that_comes_early_is_incomplete_and_stays_so() {
    for asynchronous in [false, true] {
        for at in 0..TEXT.len() {
            let early = document(asynchronous, Script::new(TEXT.as_bytes(), 9, [(at, Event::End)]));
            let reason = early.end.unwrap_err().reason();
            let within = !TEXT.is_char_boundary(at);
            let expected = if within { Reason::IncompleteUtf8 } else { Reason::IncompleteJson };
            assert_eq!(reason, expected, "at {at}");
        }
    }
}

/// `None` from the reader of tokens means that CRC-32 and length were right: its source has no end before that.
#[test]
fn tokens_of_a_gzip_body_end_only_where_the_body_does_whatever_its_source_goes_through() {
    let sent = body::gzip(TEXT.as_bytes());
    let watch = || Watch::new(Pace::within(1), NoClock);
    let (mut engine, mut window) = (DefaultEngine::new(), [0; 512]);
    let mut take = |sent: &[u8], events: Vec<(usize, Event)>| {
        let mut scratch = [0xEE; 64];
        let ring = Ring::new(&mut window);
        let machine = Ingest::ring(&Head::new(Coding::Gzip), &POLICY, &mut engine, ring, (), ());
        let source = BufReadSource::new(Script::new(sent, 20, events), Script::cancel);
        let bytes = plimsoll::Reader::new(machine, source, watch());
        let mut reader = Reader::new(bytes, assembler(&mut scratch));
        let mut refused = 0;
        loop {
            match reader.read() {
                Ok(Some(_)) | Err(ReadError::Source(plimsoll::ReadError::Interrupted)) => {}
                Ok(None) => return Ok(()),
                Err(ReadError::Source(plimsoll::ReadError::Rejected(rejection))) => {
                    refused += 1;
                    if refused == 3 {
                        return Err(rejection.reason());
                    }
                }
                Err(error) => panic!("{error:?}"),
            }
        }
    };
    assert_eq!(take(&sent, vec![]), Ok(()));
    let all = (0..=sent.len()).map(|at| (at, Event::Interrupt)).collect();
    assert_eq!(take(&sent, all), Ok(()));
    for at in 0..=sent.len() {
        assert_eq!(take(&sent, vec![(at, Event::Fail)]), Err(Reason::SourceError), "at {at}");
        if at < sent.len() {
            assert_eq!(take(&sent, vec![(at, Event::End)]), Err(Reason::IncompleteGzip), "at {at}");
        }
    }
    let trailer = sent.len() - 8;
    for at in trailer..sent.len() {
        let mut wrong = sent.clone();
        wrong[at] ^= 1;
        let expected = if at < trailer + 4 { Reason::Checksum } else { Reason::LengthField };
        assert_eq!(take(&wrong, vec![]), Err(expected));
    }
}
