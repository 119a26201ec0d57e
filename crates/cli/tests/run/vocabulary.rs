//! Tokens counted by a vocabulary.

use crate::child::{Run, ingest};

fn run(most: &str, vocabulary: &[&str], body: &str) -> Run {
    let options = ["--media-type", "application/x-ndjson", "--select", "/it", "--token-limit", most];
    ingest(&[&options[..], vocabulary].concat(), body.as_bytes())
}

#[test]
fn a_vocabulary_counts_fewer_tokens_than_bytes_and_its_limit_is_exact() {
    let body = "{\"it\":\"tiktoken is great! antidisestablishmentarianism\"}\n".repeat(3);
    for name in ["cl100k_base", "o200k_base"] {
        let code = |most: u64| run(&most.to_string(), &["--vocabulary", name], &body).code;
        // More than the text's own 36, and no more than the lines have bytes.
        let (mut less, mut exact) = (36, body.len() as u64);
        while exact - less > 1 {
            let middle = less.midpoint(exact);
            if code(middle) == 0 { exact = middle } else { less = middle }
        }
        assert!(exact < body.len() as u64 / 2, "{name}: {exact}");
        let over = run(&(exact - 1).to_string(), &["--vocabulary", name], &body);
        assert_eq!(
            (over.code, over.report("reason"), over.report("record")),
            (4, Some("token_limit"), Some("2"))
        );
        assert!(over.stdout.is_empty());
    }
    assert_eq!(run(&body.len().to_string(), &[], &body).code, 0);
    assert_eq!(run(&(body.len() - 1).to_string(), &[], &body).code, 4);
}

#[test]
fn text_that_overruns_a_tokenizer_is_counted_by_its_bytes() {
    let body = format!("{{\"it\":\"a{}b\"}}", " ".repeat(1_048_000));
    for (most, code) in [("1048020", 0), ("1048000", 4)] {
        let run = run(most, &["--vocabulary", "o200k_base"], &body);
        assert_eq!(run.code, code, "{}", run.stderr);
    }
}

#[test]
fn a_vocabulary_that_is_none_of_these_is_a_usage_error() {
    for vocabulary in [&["--vocabulary", "gpt2"][..], &["--vocabulary"]] {
        let run = run("9", vocabulary, "");
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("--vocabulary"), "{}", run.stderr);
    }
}
