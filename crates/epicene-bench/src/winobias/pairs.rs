//! The pairs of WinoBias: line k of the pro-stereotypical file and line k of the anti-stereotypical
//! one, which should differ in the pronoun alone (GEST specification, section 7).

use std::collections::BTreeMap;

use epicene_core::{InputError, Item, TextFile, there_are};

use super::SPLITS;

/// The eight files, by their published names: pro and anti of each split.
pub const FILES: &[&str] = &[
    "pro_stereotyped_type1.txt.dev",
    "anti_stereotyped_type1.txt.dev",
    "pro_stereotyped_type1.txt.test",
    "anti_stereotyped_type1.txt.test",
    "pro_stereotyped_type2.txt.dev",
    "anti_stereotyped_type2.txt.dev",
    "pro_stereotyped_type2.txt.test",
    "anti_stereotyped_type2.txt.test",
];

/// A sentence with its bracketed spans.
struct Sentence<'a> {
    marked: &'a str,
    plain: String,
}

pub fn read(files: &[TextFile]) -> Result<Vec<Item>, InputError> {
    let by_name: BTreeMap<&str, &TextFile> = files
        .iter()
        .map(|file| (file.name.strip_suffix(".gz").unwrap_or(&file.name), file))
        .collect();
    let mut items = Vec::new();
    for (split, sides) in SPLITS.iter().zip(FILES.chunks(2)) {
        let (Some(pro), Some(anti)) = (by_name.get(sides[0]), by_name.get(sides[1])) else {
            let given = files.first().map_or("winobias", |file| file.path.as_str());
            return Err(InputError::new(
                given,
                format!("{} is not there", sides.join(" or ")),
            ));
        };
        let (pro_lines, anti_lines) = (sentences(pro)?, sentences(anti)?);
        if pro_lines.len() != anti_lines.len() {
            let (ours, theirs) = (pro_lines.len(), anti_lines.len());
            let ours = there_are(ours, "sentence", "sentences");
            let message = format!("{ours}, {} has {theirs}", anti.name);
            return Err(InputError::new(&pro.path, message));
        }
        for (index, (pro, anti)) in pro_lines.iter().zip(&anti_lines).enumerate() {
            if differ_in_pronouns(pro.marked, anti.marked) {
                let id = format!(
                    "winobias:{}:{}",
                    split.trim_start_matches("split:"),
                    index + 1
                );
                items.push(item(id, split, pro, anti));
            }
        }
    }
    if items.is_empty() {
        Err(InputError::new(&files[0].path, "there are no pairs"))
    } else {
        Ok(items)
    }
}

fn item(id: String, split: &str, pro: &Sentence<'_>, anti: &Sentence<'_>) -> Item {
    let says_she = pro.marked.contains("[she]") || pro.marked.contains("[her]");
    let (he, she) = if says_she {
        (&anti.plain, &pro.plain)
    } else {
        (&pro.plain, &anti.plain)
    };
    let occupation = if names_female_occupation(pro.marked) {
        "female"
    } else {
        "male"
    };
    Item::new(id, he.clone())
        .with_label("she", she.clone())
        .with_label("split", split)
        .with_label("occupation", occupation)
}

/// Lines `N sentence`, with brackets around occupation and pronouns.
fn sentences(file: &TextFile) -> Result<Vec<Sentence<'_>>, InputError> {
    let mut sentences = Vec::new();
    for (index, line) in file.text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let numbered = line
            .split_once(' ')
            .filter(|(number, _)| number.parse::<u32>().is_ok());
        let marked = numbered.map(|(_, sentence)| sentence.trim());
        match marked.filter(|sentence| sentence.matches('[').count() >= 2) {
            Some(marked) => sentences.push(Sentence {
                marked,
                plain: marked.replace(['[', ']'], ""),
            }),
            None => {
                let message = "expected a number and a sentence with two bracketed spans";
                return Err(InputError::new(&file.path, message).at_line(index as u64 + 1));
            }
        }
    }
    Ok(sentences)
}

/// Noise filter: word by word, nothing may differ but a pronoun of the other gender, or a plural -s.
fn differ_in_pronouns(pro: &str, anti: &str) -> bool {
    let (ours, theirs): (Vec<&str>, Vec<&str>) = (
        pro.split_whitespace().collect(),
        anti.split_whitespace().collect(),
    );
    ours.len() == theirs.len()
        && ours
            .iter()
            .zip(&theirs)
            .all(|(a, b)| a == b || is_swap(a, b) || is_swap(b, a))
}

/// The same word with the other gender's pronoun in it; brackets and punctuation stay.
fn is_swap(one: &str, other: &str) -> bool {
    const PRONOUNS: [(&str, &str); 4] = [
        ("he", "she"),
        ("his", "her"),
        ("him", "her"),
        ("himself", "herself"),
    ];
    let letters = |word: &str| -> (String, String) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        (bare.to_owned(), word.replacen(bare, "", 1))
    };
    let ((one, ours), (other, theirs)) = (letters(one), letters(other));
    ours == theirs
        && (PRONOUNS.contains(&(one.as_str(), other.as_str())) || format!("{one}s") == other)
}

/// Whether a bracketed span names an occupation held mostly by women.
fn names_female_occupation(marked: &str) -> bool {
    let occupations = include_str!("../../data/winobias-female-occupations.txt");
    let occupations = || occupations.lines().filter(|line| !line.starts_with('#'));
    let lower = marked.to_lowercase();
    let mut spans = lower
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split(']').next());
    spans.any(|span| occupations().any(|occupation| span.contains(occupation)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pronouns_may_differ() {
        for (pro, anti, kept) in [
            (
                "the cook called because he was late.",
                "the cook called because she was late.",
                true,
            ),
            ("the nurse lost her bag.", "the nurse lost his bag.", true),
            ("she saw him, herself.", "she saw her, himself.", true),
            (
                "the cook read newspaper.",
                "the cook read newspapers.",
                true,
            ),
            ("the cook called.", "the baker called.", false),
            ("the cook called.", "the cook called him.", false),
            // The annotation must be the same, and sentences do not begin with pronouns.
            ("the cook saw [him].", "the cook saw her.", false),
            ("He called.", "She called.", false),
        ] {
            assert_eq!(differ_in_pronouns(pro, anti), kept, "{pro}");
        }
    }

    #[test]
    fn occupations_are_found_in_brackets_alone() {
        assert!(names_female_occupation(
            "[The nurse] called because [she] was late."
        ));
        assert!(!names_female_occupation(
            "[The cook] called the nurse because [he] was late."
        ));
    }

    #[test]
    fn broken_lines_are_named() {
        let file = |text: &str| TextFile {
            path: "w.txt".to_owned(),
            name: "w.txt".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        };
        let error = sentences(&file("1 [A] saw [her].\nno number [x] [y]\n"))
            .err()
            .unwrap();
        assert_eq!(error.line, Some(2));
    }
}
