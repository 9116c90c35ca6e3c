//! WiBeMT's toy embeddings with their expected scores (specification, A1), and files that are not what
//! they should be.

use std::collections::BTreeSet;

use crate::shared_data::shared;
use epicene_vectors::score::{Method, ReferenceWords, Scores, score};
use epicene_vectors::{Layout, Request, WordVectors, load};

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

fn write(text: &[u8]) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".vec").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

fn read(bytes: &[u8], wanted: &[&str]) -> Result<WordVectors, String> {
    let file = write(bytes);
    let words: BTreeSet<String> = words(wanted).into_iter().collect();
    let request = Request {
        words: &words,
        compose: true,
    };
    load(file.path(), &request).map_err(|error| match error.line {
        Some(line) => format!("{line}: {}", error.message),
        None => error.message,
    })
}

#[test]
fn every_toy_score_is_within_two_in_the_fifth_decimal() {
    let Some(data) = shared("wibemt") else { return };
    let list = |name: &str| -> Vec<String> {
        let text = std::fs::read_to_string(data.join(name)).unwrap();
        text.lines().map(str::to_owned).collect()
    };
    let references = ReferenceWords {
        feminine: list("gender_words_feminine.txt"),
        masculine: list("gender_words_masculine.txt"),
    };
    let expected: serde_json::Value = serde_json::from_str(
        &std::fs::read_to_string(data.join("toy_embeddings/expected.json")).unwrap(),
    )
    .unwrap();
    let targets: Vec<String> = expected["targets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap().to_owned())
        .collect();
    let wanted = references.wanted(&targets);
    let names = ["ft_small", "ft_large", "glove_small", "glove_large"];
    let embeddings: Vec<WordVectors> = names
        .iter()
        .map(|name| {
            let path = data.join(format!("toy_embeddings/{name}.vec"));
            let request = Request {
                words: &wanted,
                compose: true,
            };
            load(&path, &request).unwrap()
        })
        .collect();
    assert_eq!(embeddings[0].layout, Layout::HeadedText);
    assert_eq!(embeddings[3].layout, Layout::PlainText);
    let Scores { words, dropped, .. } = score(&embeddings, &targets, &references).unwrap();
    assert!(dropped.is_empty());
    assert_eq!(words.len(), targets.len());
    for scored in &words {
        let expected = &expected["expected"][&scored.word];
        let close = |found: f64, value: &serde_json::Value| {
            let value = value.as_f64().unwrap();
            assert!(
                (found - value).abs() < 2e-5,
                "{}: {found} {value}",
                scored.word
            );
        };
        close(scored.mean, &expected["score"]);
        assert_eq!(scored.complete, expected["complete"], "{}", scored.word);
        let parts = expected["parts"].as_object().unwrap();
        assert_eq!(scored.parts.len(), parts.len());
        for ((embedding, method), value) in &scored.parts {
            let method = match method {
                Method::Pronouns => "heshe",
                Method::List => "list",
            };
            close(*value, &parts[&format!("{}_{method}", names[*embedding])]);
        }
    }
    assert!(words.is_sorted_by(|a, b| a.mean <= b.mean));
}

#[test]
fn text_with_spaces_in_words_and_trailing_blanks_is_read() {
    let text = b". . . 1 2\nat name@x.org 0 1\nhe 1 0 \r\nshe -1e-1 0.5\nhe 9 9\n";
    let found = read(text, &["he", "she", ". . .", "at name@x.org"]).unwrap();
    assert_eq!((found.dimension, found.words), (2, 5));
    assert_eq!(found.vectors["he"], [1.0, 0.0]);
    assert_eq!(found.vectors["she"], [-0.1, 0.5]);
    assert_eq!(found.vectors[". . ."], [1.0, 2.0]);
    assert_eq!(found.vectors["at name@x.org"], [0.0, 1.0]);
    assert_eq!(Vec::from_iter(found.repeated), ["he"]);
}

#[test]
fn bad_text_is_refused_with_its_line() {
    for (text, complaint) in [
        (
            "3 2\nhe 1 0\nshe 1\nit 0 1\n",
            "3: there are 1 numbers, expected 2",
        ),
        (
            "2 2\nhe 1 0\nit 0 1 5\n",
            "3: there are 3 numbers, expected 2",
        ),
        ("he 1 0\nit NaN 1\n", "2: number 1 of `it` is not finite"),
        ("he 1 0\nit 0 inf\n", "2: number 2 of `it` is not finite"),
        ("he 1 0\nit 0 x1\n", "2: `x1` is not a number"),
        ("he 1 0\n\nit 0 1\n", "2: the line is empty"),
        (
            "3 2\nhe 1 0\nit 0 1\n",
            "the header says 3 words, there are 2",
        ),
        (
            "1 2\nhe 1 0\nit 0 1\n",
            "the header says 1 words, there are 2",
        ),
        (
            "hello\n",
            "1: expected a word and its numbers, separated by spaces",
        ),
        ("", "the file is empty"),
    ] {
        assert_eq!(
            read(text.as_bytes(), &["he"]).unwrap_err(),
            complaint,
            "{text}"
        );
    }
}

fn binary(words: &[(&str, [f32; 2])], count: usize) -> Vec<u8> {
    let mut bytes = format!("{count} 2\n").into_bytes();
    for (word, vector) in words {
        bytes.extend(word.as_bytes());
        bytes.push(b' ');
        vector
            .iter()
            .for_each(|value| bytes.extend(value.to_le_bytes()));
        bytes.push(b'\n');
    }
    bytes
}

#[test]
fn word2vec_binary_is_read_and_checked() {
    let list = [
        ("he", [0.25, -1.5]),
        ("she", [1e-3, 2.0]),
        ("New_York", [7.0, 8.0]),
    ];
    let whole = binary(&list, 3);
    let found = read(&whole, &["she", "New_York", "nobody"]).unwrap();
    assert_eq!(found.layout, Layout::Word2vecBinary);
    assert_eq!(found.vectors["she"], [1e-3, 2.0]);
    assert_eq!(found.vectors.len(), 2);
    // Without line ends between words, as gensim writes.
    let joined: Vec<u8> = {
        let mut bytes = binary(&list[..0], 3);
        for (word, vector) in &list {
            bytes.extend(format!("{word} ").bytes());
            vector
                .iter()
                .for_each(|value| bytes.extend(f32::to_le_bytes(*value)));
        }
        bytes
    };
    assert_eq!(read(&joined, &["she"]).unwrap().vectors["she"], [1e-3, 2.0]);
    let cut = read(&whole[..whole.len() - 4], &["he"]).unwrap_err();
    assert_eq!(cut, "the file ends in the middle of word 3 of 3");
    let more = read(&binary(&list, 2), &["he"]).unwrap_err();
    assert_eq!(more, "there is more than the 2 words of its header");
    let nan = read(&binary(&[("he", [f32::NAN, 0.0])], 1), &["she"]).unwrap_err();
    assert_eq!(nan, "number 1 of `he` is not finite");
}

#[test]
fn scores_need_he_and_she_and_tell_what_is_missing() {
    let references = ReferenceWords {
        feminine: words(&["her", "queen"]),
        masculine: words(&["his"]),
    };
    let targets = words(&["nurse", "cook", "nurse", "nowhere"]);
    let wanted: Vec<String> = references.wanted(&targets).into_iter().collect();
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    let text = "he 1 0\nshe 0 1\nhis 1 0.1\nher 0 1\nnurse 0 2\ncook 1 0\n";
    let embedding = read(text.as_bytes(), &wanted).unwrap();
    let scores = score(&[embedding], &targets, &references).unwrap();
    let order: Vec<(&str, f64)> = scores
        .words
        .iter()
        .map(|w| (w.word.as_str(), w.mean))
        .collect();
    assert_eq!(order, [("nurse", -1.0), ("cook", 1.0)]);
    assert_eq!(scores.words[1].sum, 2.0);
    assert_eq!(scores.dropped, ["nowhere"]);
    assert!(
        scores
            .warnings
            .iter()
            .any(|w| w.contains("1 of 2 feminine words are missing: queen"))
    );
    assert!(
        scores
            .warnings
            .iter()
            .any(|w| w.contains("1 word is in the list more than once"))
    );
    let without = read(b"he 1 0\nhis 1 0\nher 0 1\nnurse 0 2\n", &wanted).unwrap();
    let error = score(&[without], &targets, &references).unwrap_err();
    assert_eq!(error.message, "there is no vector for `she`");
    // All alike: zero, not a division by zero.
    let alike = read(
        b"he 1 0\nshe 0 1\nhis 1 0\nher 0 1\nnurse 1 1\ncook 2 2\n",
        &wanted,
    )
    .unwrap();
    let scores = score(&[alike], &targets, &references).unwrap();
    assert!(scores.words.iter().all(|word| word.mean == 0.0));
}
