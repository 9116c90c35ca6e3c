//! The CoNLL-U reader: what it takes in, how sentences become translations, and how it refuses.

use std::io::{self, BufReader, Read};

use crate::conllu_support::{conllu, read, rules};
use epicene_lang::conllu::{
    Grouping, ReadError, Scope, Sentences, Translation, Translations, judge, judge_translation,
};

/// A token line: id, form, head, misc.
fn token(id: &str, form: &str, head: &str, misc: &str) -> String {
    format!("{id}\t{form}\t_\tX\t_\t_\t{head}\t_\t_\t{misc}\n")
}

fn translations(
    parse: &str,
    grouping: Grouping,
    scope: Scope,
) -> Result<Vec<Translation>, ReadError> {
    Translations::new(parse.as_bytes(), grouping, scope).collect()
}

#[test]
fn comments_tokens_and_offsets() {
    let parse = "# newdoc id = d7\n# newpar\n# sent_id = s-1\n# text = „Zrobiłam to”, i nic.\n"
        .to_owned()
        + &token("1", "„", "2", "SpaceAfter=No")
        + &token("2-3", "Zrobiłam", "_", "_")
        + &token("2", "Zrobiła", "0", "_")
        + &token("3", "m", "2", "_")
        + &token("4", "to", "2", "SpaceAfter=No")
        + &token("4.1", "nie", "_", "_")
        + &token("5", "”", "2", "Note=x|SpaceAfter=No")
        + &token("6", ",", "8", "_")
        + &token("7", "i", "8", "_")
        + &token("8", "nic", "2", "SpaceAfter=No")
        + &token("9", ".", "2", "_");
    let sentences = read(&parse).unwrap();
    let [sentence] = &sentences[..] else {
        panic!("one sentence expected")
    };
    assert_eq!(sentence.sent_id.as_deref(), Some("s-1"));
    assert_eq!(sentence.text, "„Zrobiłam to”, i nic.");
    assert!(sentence.starts_paragraph);
    assert_eq!(sentence.line, 5);
    let document = sentence.document.as_ref().unwrap();
    assert_eq!((document.id.as_deref(), document.line), (Some("d7"), 1));

    let characters: Vec<char> = sentence.text.chars().collect();
    let mut forms = Vec::new();
    for token in &sentence.tokens {
        let written: String = characters[token.start..token.end].iter().collect();
        assert_eq!(written, token.form);
        forms.push(token.form.as_str());
    }
    assert_eq!(forms, ["„", "Zrobiłam", "to", "”", ",", "i", "nic", "."]);
    let sub_words = sentence.tokens[1].sub_words().unwrap();
    assert_eq!((sub_words[0].id, sub_words[1].id), (2, 3));
    assert!(sentence.word(2).is_none());
    assert_eq!(sentence.word(4).unwrap().0.form, "to");

    // Without `# text` the same text comes from the tokens.
    let without = parse.replace("# text = „Zrobiłam to”, i nic.\n", "");
    let rebuilt = read(&without).unwrap().remove(0);
    assert_eq!(rebuilt.text, sentence.text);
    assert_eq!(rebuilt.tokens, sentence.tokens);
}

#[test]
fn crlf_mark_and_blank_lines_change_nothing() {
    let parse = "# text = a b\n".to_owned()
        + &token("1", "a", "0", "_")
        + &token("2", "b", "1", "SpaceAfter=No")
        + "\n# text = c\n"
        + &token("1", "c", "0", "_")
        + "\n";
    let plain = read(&parse).unwrap();
    assert_eq!(plain.len(), 2);
    let forms = |parse: &str| -> Vec<_> {
        let sentences = read(parse).unwrap().into_iter();
        sentences.map(|s| (s.text, s.tokens)).collect()
    };
    assert_eq!(read(&parse.replace('\n', "\r\n")).unwrap(), plain);
    assert_eq!(read(&format!("\u{feff}{parse}")).unwrap(), plain);
    assert_eq!(read(parse.trim_end_matches('\n')).unwrap(), plain);
    assert_eq!(forms(&parse.replace("\n\n", "\n\n\n")), forms(&parse));
    assert_eq!(forms(&format!("\n{parse}")), forms(&parse));
}

#[test]
fn evidence_counts_characters_through_blanks() {
    let parse = "# text =  Ja — ščasliva   žena,  prišla sem !\n".to_owned()
        + &conllu(
            "1 Ja PRON _ 6\n2 — PUNCT _ 6\n3 ščasliva ADJ _ 4\n4 žena NOUN _ 6\n5 , PUNCT _ 6\n\
             6 prišla VERB Gender=Fem 0\n7 sem AUX Person=1 6\n8 ! PUNCT _ 6",
        );
    let sentence = read(&parse).unwrap().remove(0);
    let verdict = judge(&sentence, &rules("sl"));
    let words: Vec<_> = verdict
        .evidence
        .iter()
        .map(|span| (span.of(&sentence.text), span.start, span.end))
        .collect();
    assert_eq!(words, [("prišla", 23, 29), ("sem", 30, 33)]);
}

#[test]
fn errors_name_the_line() {
    let one = token("1", "a", "0", "_");
    let cases: &[(String, Option<usize>, &str)] = &[
        (
            format!("# x\n{one}2\tb\t_\n"),
            Some(3),
            "line 3: expected 10 tab-separated columns, found 3",
        ),
        (
            format!("{}\t_\n", one.trim_end()),
            Some(1),
            "line 1: expected 10 tab-separated columns, found 11",
        ),
        (
            format!("{one}   \n"),
            Some(2),
            "line 2: expected 10 tab-separated columns, found 1",
        ),
        (
            token("x", "a", "0", "_"),
            Some(1),
            "line 1: bad token id `x`: expected `3`, `3-4` or `3.1`",
        ),
        (
            token("+1", "a", "0", "_"),
            Some(1),
            "line 1: bad token id `+1`: expected `3`, `3-4` or `3.1`",
        ),
        (
            format!("{one}{}", token("3", "c", "1", "_")),
            Some(2),
            "line 2: bad token id `3`: ids must count 1, 2, 3, …",
        ),
        (
            format!("{one}{one}"),
            Some(2),
            "line 2: bad token id `1`: ids must count 1, 2, 3, …",
        ),
        (
            format!("{one}{}", token("3-2", "cb", "_", "_")),
            Some(2),
            "line 2: bad token id `3-2`: ids must count 1, 2, 3, …",
        ),
        (
            format!("{one}{}", token("18446744073709551615.1", "c", "_", "_")),
            Some(2),
            "line 2: bad token id `18446744073709551615.1`: ids must count 1, 2, 3, …",
        ),
        (
            token("1-3", "abc", "_", "_") + &one + &token("2-3", "bc", "_", "_"),
            Some(3),
            "line 3: bad token id `2-3`: it lies inside another multi-word token",
        ),
        (
            token("1-2", "ab", "_", "_") + &one,
            Some(1),
            "line 1: bad token id `1-2`: the sentence ends before the multi-word token does",
        ),
        (
            token("1", "", "0", "_"),
            Some(1),
            "line 1: the FORM column is empty",
        ),
        (
            token("1", "a", "_", "_"),
            Some(1),
            "line 1: HEAD is `_`, not a token number",
        ),
        (
            format!("{one}{}\n{one}", token("2", "b", "3", "_")),
            Some(2),
            "line 2: HEAD 3 is outside the sentence, which has 2 words",
        ),
        (
            format!("{one}# sent_id = 2\n"),
            Some(2),
            "line 2: a comment stands after the first token of a sentence",
        ),
        (
            format!("{one}\n# text = x\n{one}"),
            Some(3),
            "line 3: `# text` and the tokens differ at `a`",
        ),
        (
            format!("# text = a rest\n{one}"),
            Some(1),
            "line 1: `# text` and the tokens differ at `rest`",
        ),
        (
            format!("# newdoc id = 1\n\n# newdoc id = 2\n{one}"),
            Some(1),
            "line 1: a document without sentences",
        ),
        (
            format!("# newdoc id = 1\n# newdoc id = 2\n{one}"),
            Some(1),
            "line 1: a document without sentences",
        ),
        (
            format!("{one}\n# newdoc\n"),
            Some(3),
            "line 3: a document without sentences",
        ),
        (String::new(), None, "no sentence in the file"),
        ("\n# x = y\n\n".to_owned(), None, "no sentence in the file"),
    ];
    for (parse, line, message) in cases {
        for parse in [parse.clone(), parse.replace('\n', "\r\n")] {
            let error = read(&parse).unwrap_err();
            assert_eq!(error.to_string(), *message);
            assert_eq!(error.line(), *line, "{message}");
        }
    }
}

#[test]
fn bytes_that_are_not_text_and_inputs_that_fail() {
    let mut parse = token("1", "a", "0", "_").into_bytes();
    parse.extend(b"2\t\xff\t_\tX\t_\t_\t1\t_\t_\t_\n");
    let mut sentences = Sentences::new(&parse[..]);
    let error = sentences.next().unwrap().unwrap_err();
    assert!(
        matches!(error, ReadError::InvalidUtf8 { line: 2 }),
        "{error}"
    );
    assert!(sentences.next().is_none(), "nothing follows an error");

    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let line = token("1", "a", "0", "_");
    let input = BufReader::new(line.as_bytes().chain(Broken));
    let mut parsed = String::new();
    for result in Translations::new(input, Grouping::Auto, Scope::FirstSentence) {
        parsed += &match result {
            Ok(translation) => translation.text(),
            Err(error) => error.to_string(),
        };
    }
    assert_eq!(parsed, "line 2: cannot be read: unplugged");
}

/// A treebank in small: three sentences, the second and third of which open documents if told so.
fn three(documents: [&str; 3]) -> String {
    let mut parse = String::new();
    for ((document, rows), id) in documents
        .into_iter()
        .zip([
            "1 Hm INTJ _ 0\n2 . PUNCT _ 1",
            "1 Bola AUX Gender=Fem 3\n2 som AUX _ 3\n3 sama ADJ Gender=Fem 0",
            "1 Prišiel VERB Gender=Masc 0\n2 som AUX _ 1",
        ])
        .zip(["s1", "s2", "s3"])
    {
        parse += &format!("{document}# sent_id = {id}\n{}", conllu(rows));
    }
    parse
}

fn judged(parse: &str, grouping: Grouping, scope: Scope) -> Vec<String> {
    let rules = rules("sk");
    let translations = translations(parse, grouping, scope).unwrap();
    let shown = translations.iter().map(|translation| {
        let verdict = judge_translation(translation, &rules);
        let letter = verdict.gender().map_or('-', |gender| gender.letter());
        let text = translation.text();
        for span in &verdict.evidence {
            assert!(!span.of(&text).contains(' '), "{text}");
        }
        let id = translation.id.as_deref().unwrap_or("?");
        format!("{id}:{}:{letter}", translation.sentence_count)
    });
    shown.collect()
}

#[test]
fn sentences_are_grouped_by_document_where_there_are_any() {
    use Grouping::{Auto, Document, Sentence};
    use Scope::{AllSentences, FirstSentence};

    let plain = three(["", "", ""]);
    assert_eq!(
        judged(&plain, Auto, FirstSentence),
        ["s1:1:-", "s2:1:f", "s3:1:m"]
    );
    assert_eq!(judged(&plain, Document, FirstSentence), ["?:3:-"]);

    let documents = three(["# newdoc id = A\n", "", "# newdoc = B\n"]);
    for grouping in [Auto, Document] {
        assert_eq!(
            judged(&documents, grouping, FirstSentence),
            ["A:2:-", "B:1:m"]
        );
        assert_eq!(
            judged(&documents, grouping, AllSentences),
            ["A:2:f", "B:1:m"]
        );
    }
    assert_eq!(
        judged(&documents, Sentence, FirstSentence),
        ["s1:1:-", "s2:1:f", "s3:1:m"]
    );

    let late = three(["", "# newdoc\n", ""]);
    assert_eq!(judged(&late, Document, FirstSentence), ["?:1:-", "?:2:f"]);
    let error = translations(&late, Auto, FirstSentence).unwrap_err();
    assert!(
        matches!(error, ReadError::LateDocument { line: 5 }),
        "{error}"
    );
}

#[test]
fn an_empty_translation_keeps_its_place() {
    let one = conllu("1 Prišiel VERB Gender=Masc 0\n2 som AUX _ 1");
    let parse =
        format!("# newdoc id = A\n{one}# newdoc id = B\n# text = \n\n# newdoc id = C\n{one}");
    assert_eq!(
        judged(&parse, Grouping::Auto, Scope::FirstSentence),
        ["A:1:m", "B:1:-", "C:1:m"]
    );
}

#[test]
fn documents_are_named_in_every_way_treebanks_do() {
    for (comments, id) in [
        ("# newdoc\n", None),
        ("# newdoc id = A\n", Some("A")),
        ("# newdoc = A\n", Some("A")),
        ("#newdoc_id=A\n", Some("A")),
        ("# newdoc\n# newdoc_id = A\n", Some("A")),
        ("# newdoc id = A\n# newdoc\n", Some("A")),
    ] {
        let sentence = read(&three([comments, "", ""])).unwrap().remove(0);
        let document = sentence.document.unwrap();
        assert_eq!(document.id.as_deref(), id, "{comments}");
        assert_eq!(document.line, 1);
    }
}

#[test]
fn a_document_comment_may_stand_in_a_block_of_its_own() {
    let parse = format!("# newdoc id = A\n\n{}", three(["", "", ""]));
    assert_eq!(
        judged(&parse, Grouping::Auto, Scope::AllSentences),
        ["A:3:f"]
    );
}
