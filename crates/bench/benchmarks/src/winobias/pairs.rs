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

/// One sentence of so many may be noise, as some of the published ones are; where there are more, the files are others.
const MOST_LEFT_OUT: usize = 4;

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
        let (mut left_out, mut first) = (0, None);
        for (index, (pro, anti)) in pro_lines.iter().zip(&anti_lines).enumerate() {
            if !differ_in_pronouns(pro.marked, anti.marked) {
                left_out += 1;
                first.get_or_insert(index + 1);
            } else {
                let id = format!(
                    "winobias:{}:{}",
                    split.trim_start_matches("split:"),
                    index + 1
                );
                items.push(item(id, split, pro, anti));
            }
        }
        if let Some(first) = first.filter(|_| left_out * MOST_LEFT_OUT > pro_lines.len()) {
            let message = format!(
                "{left_out} of {} sentences differ from their like in {} in more than the pronoun, first: sentence {first}",
                pro_lines.len(),
                anti.name
            );
            return Err(InputError::new(&pro.path, message).with_hint(
                "sentence by sentence the two files are the same, once with the one pronoun and once with the other, in small letters",
            ));
        }
    }
    if items.is_empty() {
        Err(InputError::new(&files[0].path, "there are no pairs"))
    } else {
        Ok(items)
    }
}

fn item(id: String, split: &str, pro: &Sentence<'_>, anti: &Sentence<'_>) -> Item {
    let says_she = ["[she]", "[her]", "[herself]"]
        .iter()
        .any(|pronoun| pro.marked.contains(pronoun));
    let (he, she) = if says_she {
        (&anti.plain, &pro.plain)
    } else {
        (&pro.plain, &anti.plain)
    };
    // An occupation that is none of the forty is what its pronoun in the pro-stereotypical file says.
    let female = names_female_occupation(pro.marked)
        || says_she && !names_one_of(pro.marked, occupations_of_men());
    let occupation = if female { "female" } else { "male" };
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
    names_one_of(
        marked,
        occupations.lines().filter(|line| !line.starts_with('#')),
    )
}

/// Those of the forty that are held mostly by men.
fn occupations_of_men() -> impl Iterator<Item = &'static str> {
    let table = include_str!("../../data/chat/occupations.tsv");
    table.lines().filter_map(|line| {
        let (occupation, women) = line.split_once('\t')?;
        women
            .parse::<f64>()
            .is_ok_and(|women| women < 50.0)
            .then_some(occupation)
    })
}

fn names_one_of<'a>(marked: &str, mut occupations: impl Iterator<Item = &'a str>) -> bool {
    let lower = marked.to_lowercase();
    let spans: Vec<&str> = lower
        .split('[')
        .skip(1)
        .filter_map(|rest| rest.split(']').next())
        .collect();
    occupations.any(|occupation| {
        let occupation = occupation.to_lowercase();
        spans.iter().any(|span| span.contains(&occupation))
    })
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
    fn occupations_that_are_none_of_the_forty_are_what_the_pronoun_says() {
        let sentence = |marked: &'static str| Sentence {
            marked,
            plain: marked.replace(['[', ']'], ""),
        };
        for (pro, anti, occupation, he) in [
            // Published, also where the two files are exchanged.
            (
                "[The nurse] saw [her].",
                "[The nurse] saw [him].",
                "female",
                "The nurse saw him.",
            ),
            (
                "[The nurse] saw [him].",
                "[The nurse] saw [her].",
                "female",
                "The nurse saw him.",
            ),
            (
                "[The CEO] hid as [she] was ill.",
                "[The CEO] hid as [he] was ill.",
                "male",
                "The CEO hid as he was ill.",
            ),
            (
                "[The midwife] saw [her].",
                "[The midwife] saw [him].",
                "female",
                "The midwife saw him.",
            ),
            (
                "[The pilot] saw [him].",
                "[The pilot] saw [her].",
                "male",
                "The pilot saw him.",
            ),
            (
                "[The maid] washed [herself].",
                "[The maid] washed [himself].",
                "female",
                "The maid washed himself.",
            ),
        ] {
            let item = item(
                String::new(),
                "split:type1-dev",
                &sentence(pro),
                &sentence(anti),
            );
            assert_eq!(item.label("occupation"), Some(occupation), "{pro}");
            assert_eq!(item.text, he);
        }
    }

    #[test]
    fn files_that_are_not_each_other_s_likes_are_refused() {
        let file = |name: &&str| {
            let (he, she) = if name.starts_with("pro") {
                ("he", "she")
            } else {
                ("she", "he")
            };
            let nurse = format!("1 [The nurse] slept because [{she}] was ill.\n");
            let cook = format!("2 [The cook] slept because [{he}] was ill.\n");
            let text = if *name == FILES[5] {
                cook + &nurse
            } else {
                nurse + &cook
            };
            TextFile {
                path: (*name).to_owned(),
                name: (*name).to_owned(),
                sha256: String::new(),
                text,
            }
        };
        let error = read(&FILES.iter().map(file).collect::<Vec<_>>())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(FILES[4]) && error.contains("2 of 2 sentences"),
            "{error}"
        );
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
