//! Messages, help and cards speak the words of the glossary: none has a phrase that it replaces.

use std::fs;
use std::path::{Path, PathBuf};

/// Phrases of the glossary's column "instead of", in words of their own. What is typed (`gate`, a benchmark) stands in backquotes
/// or in an example.
const PHRASES: [&str; 40] = [
    "who is asked",
    "those that answer",
    "sentence of the plan",
    "question's worth",
    "words that decided",
    "nobody judge",
    "nobody judges",
    "nobody judged",
    "nobody wrote",
    "nobody to ask",
    "what none would have",
    "interval holds",
    "intervals hold",
    "interval leaves out",
    "told apart",
    "gate holds",
    "the gate",
    "people's labels",
    "labels of people",
    "those who label",
    "the processor",
    "on the device",
    "the house",
    "carry on",
    "would do nothing",
    "not understood",
    "not known here",
    "not computed here",
    "whoever",
    "the judge",
    "a judge",
    "occupation judge",
    "the judges",
    "judges instead",
    "the gates",
    "known here",
    "run here",
    "null system",
    "null systems",
    "a hash of the plan",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "tests" {
                sources(&path, found);
            }
        } else if name.ends_with(".md")
            || name == "help.txt"
            || (name.ends_with(".rs") && !name.ends_with("tests.rs"))
        {
            found.push(path);
        }
    }
}

/// The string literals of a source file with the lines they begin on, as a program prints them. Comments are passed over, and so
/// are the tests at a file's end.
fn strings(text: &str) -> Vec<(usize, String)> {
    let end = text.find("#[cfg(test)]\nmod tests {");
    let text = &text[..end.unwrap_or(text.len())];
    let letters: Vec<char> = text.chars().collect();
    let (mut at, mut line) = (0, 1);
    let mut found = Vec::new();
    while at < letters.len() {
        let next = letters.get(at + 1);
        match letters[at] {
            '\n' => line += 1,
            '/' if next == Some(&'/') => {
                while at + 1 < letters.len() && letters[at + 1] != '\n' {
                    at += 1;
                }
            }
            // A letter, `'"'` among them, or a lifetime.
            '\'' if next == Some(&'\\') => {
                at += 3;
                while at < letters.len() && letters[at] != '\'' {
                    at += 1;
                }
            }
            '\'' if letters.get(at + 2) == Some(&'\'') => at += 2,
            'r' if matches!(next, Some('"' | '#'))
                && (at == 0 || !letters[at - 1].is_alphanumeric()) =>
            {
                let hashes = letters[at + 1..].iter().take_while(|c| **c == '#').count();
                if letters.get(at + 1 + hashes) == Some(&'"') {
                    let close: String = format!("\"{}", "#".repeat(hashes));
                    let from = at + 2 + hashes;
                    let rest: String = letters[from..].iter().collect();
                    let inner = rest.split(&close).next().unwrap_or_default();
                    found.push((line, inner.to_owned()));
                    line += inner.matches('\n').count();
                    at = from + inner.chars().count() + hashes;
                }
            }
            '"' => {
                let (start, mut inner) = (line, String::new());
                at += 1;
                while at < letters.len() && letters[at] != '"' {
                    match (letters[at], letters.get(at + 1)) {
                        // A line that goes on begins with its first letter.
                        ('\\', Some('\n')) => {
                            line += 1;
                            at += 1;
                            while letters.get(at + 1).is_some_and(|c| c.is_whitespace()) {
                                at += 1;
                                line += usize::from(letters[at] == '\n');
                            }
                        }
                        ('\\', Some(_)) => {
                            inner.push(' ');
                            at += 1;
                        }
                        (letter, _) => {
                            line += usize::from(letter == '\n');
                            inner.push(letter);
                        }
                    }
                    at += 1;
                }
                found.push((start, inner));
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn numbered(text: &str, part: impl Fn(&str) -> Option<String>) -> Vec<(usize, String)> {
    let lines = text.lines().enumerate();
    let parts = lines.filter_map(|(index, line)| Some((index + 1, part(line)?)));
    parts.collect()
}

/// The comments on arguments, which `--help` prints.
fn help(text: &str) -> Vec<(usize, String)> {
    numbered(text, |line| {
        Some(line.trim_start().strip_prefix("///")?.to_owned())
    })
}

/// Without what stands in backquotes, in single spaces, in small letters.
fn words(text: &str) -> String {
    let outside = text.split('`').step_by(2).collect::<Vec<_>>().join(" x ");
    let words: Vec<String> = outside
        .split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '-'))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    format!(" {} ", words.join(" "))
}

#[test]
fn no_message_has_a_phrase_that_the_glossary_replaces() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for layer in fs::read_dir(&crates).unwrap() {
        for entry in fs::read_dir(layer.unwrap().path()).unwrap() {
            let source = entry.unwrap().path().join("src");
            if source.is_dir() {
                sources(&source, &mut files);
            }
        }
    }
    assert!(files.len() > 500, "{}", files.len());
    let mut wrong = Vec::new();
    let mut read = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let path = file.to_string_lossy().replace('\\', "/");
        let found = if path.ends_with(".rs") {
            let mut found = strings(&text);
            if path.contains("/cli/src/args/") {
                found.extend(help(&text));
            }
            found
        } else {
            numbered(&text, |line| Some(line.to_owned()))
        };
        for (line, string) in found {
            read += 1;
            let words = words(&string);
            let phrase = PHRASES
                .iter()
                .find(|phrase| words.contains(&format!(" {phrase} ")));
            if let Some(phrase) = phrase {
                wrong.push(format!("{}:{line}: `{phrase}`", file.display()));
            }
        }
    }
    assert!(read > 10_000, "{read}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn strings_are_found_where_they_are() {
    let text = "// \"no\"\nlet a = 'x'; let b = '\"'; f::<'a>(\"one\");\nlet c = \"two \\\n    three\";\n\
        let d = r#\"four \"five\"\"#; let e = '\\''; g(\"six\\n\");\n#[cfg(test)]\nmod tests {\n\"seven\"";
    let found: Vec<(usize, String)> = strings(text);
    let wanted = [
        (2, "one"),
        (3, "two three"),
        (5, "four \"five\""),
        (5, "six "),
    ];
    let wanted: Vec<(usize, String)> = wanted.map(|(line, text)| (line, text.to_owned())).to_vec();
    assert_eq!(found, wanted);
    assert!(words("The Judge, `a gate`").contains(" the judge "));
    assert!(!words("The Judge, `a gate`").contains(" gate "));
}
