//! What new users type by mistake, and what they are told: the problem, and what to type instead.

use std::fs;

use crate::support::{refuse, succeed};

#[test]
fn mistakes_are_explained() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    fs::write(here.join("sk.txt"), "Bol som doma.\n".repeat(384)).unwrap();
    succeed(
        &[
            "run",
            "gest",
            "--data",
            "epicene-mini",
            "--model",
            "random:1",
            "--out",
            "g",
        ],
        here,
    );
    succeed(
        &[
            "run",
            "winobias",
            "--data",
            "epicene-winograd",
            "--model",
            "random:1",
            "--out",
            "w",
        ],
        here,
    );
    let gest = "run gest --data epicene-mini";
    for (line, said) in [
        (
            format!("{gest} --mt a=file:sk.txt --lang de"),
            "German does not mark the gender of \"I\"|for German use |winomt|mtgeneval",
        ),
        (
            format!("{gest} --mt a=file:sk.txt --lang fi"),
            "Finnish does not mark the gender of \"I\"",
        ),
        (
            format!("{gest} --mt a=file:sk.txt --lang slovak"),
            "unknown language `slovak`|did you mean `sk` (Slovak)?",
        ),
        (
            format!("{gest} --mt a=file:sk.txt --lang Polsih"),
            "did you mean `pl` (Polish)?",
        ),
        (
            format!("{gest} --mt a=file:sk.txt --lang xx"),
            "unknown language `xx`|languages: ",
        ),
        (
            "detect --lang slovak".to_owned(),
            "did you mean `sk` (Slovak)?",
        ),
        (
            format!("{gest} --model huggingface:google-bert/bert-base-cased"),
            "did you mean `hf:google-bert/bert-base-cased`?",
        ),
        (
            format!("{gest} --model demo"),
            "did you mean `demo:mlm` or `demo:clm`?",
        ),
        (format!("{gest} --model rand:1"), "did you mean `random:1`?"),
        (
            format!("{gest} --model quux:1"),
            "unknown kind of system `quux`; kinds of systems: always, anthropic, chat, demo, dir, file, gemini, gguf, hf, openai, random",
        ),
        (
            "run winogendr --model demo:mlm".to_owned(),
            "unknown benchmark `winogendr`|closest: winogender",
        ),
        ("run sterioset".to_owned(), "closest: stereoset"),
        ("run bleu".to_owned(), "benchmarks: gest, "),
        (
            "report nosuch".to_owned(),
            "`nosuch` is not a run directory|runs here: g, w",
        ),
        (
            "compare g w".to_owned(),
            "the runs are of different benchmarks: g is gest, w is winobias",
        ),
        (
            format!("{gest} --size xs --model random:1"),
            "`--size` has no effect on gest; it is an option of unambiguous",
        ),
        (
            "run gest --size xs --model random:1".to_owned(),
            "`--size` has no effect on gest; it is an option of unambiguous",
        ),
        (
            format!("{gest} --model random:1 --fail-if 'accuracy>1'"),
            "there is no metric `accuracy`",
        ),
    ] {
        let words = shlex::split(&line).unwrap();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let error = refuse(&words, here);
        for part in said.split('|') {
            assert!(error.contains(part), "{line}: no `{part}` in\n{error}");
        }
    }
}
