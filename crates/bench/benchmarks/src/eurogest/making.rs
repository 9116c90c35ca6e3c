//! How EuroGEST's sentences were chosen (specification, section 7), for those who carry it into further languages: the quoted
//! part of a translated frame, and whether two translations make a minimal pair.

use crate::python;

/// What two translations of one sentence are to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// The same words.
    Neutral,
    /// A minimal pair, with the words that differ.
    Gendered(Vec<(String, String)>),
    /// Too far apart to be one sentence in two genders.
    Unknown,
}

/// How far the sentences of a pair may be apart in length.
const LONGEST_DIFFERENCE: usize = 5;

/// The authors' filter; the published data have `most_words` 1 and `most_letters` 2.
pub fn compare_translations(
    masculine: &str,
    feminine: &str,
    most_words: usize,
    most_letters: usize,
) -> Comparison {
    let (masculine, feminine) = (plain(masculine), plain(feminine));
    if masculine == feminine {
        return Comparison::Neutral;
    }
    let length = |text: &str| text.chars().count();
    if length(&masculine).abs_diff(length(&feminine)) > LONGEST_DIFFERENCE {
        return Comparison::Unknown;
    }
    let words = |text: &str| -> Vec<String> { python::split(text).map(str::to_owned).collect() };
    let (ours, theirs) = (words(&masculine), words(&feminine));
    if ours.len() != theirs.len() {
        return Comparison::Unknown;
    }
    let differing: Vec<(String, String)> = ours
        .into_iter()
        .zip(theirs)
        .filter(|(m, f)| m != f)
        .collect();
    if differing.len() > most_words {
        return Comparison::Unknown;
    }
    let near = |(m, f): &(String, String)| letters_apart(m, f) <= most_letters;
    if differing.iter().all(near) {
        Comparison::Gendered(differing)
    } else {
        Comparison::Unknown
    }
}

/// Word characters and white space, with double blanks made one.
fn plain(text: &str) -> String {
    let kept: String = text
        .chars()
        .filter(|c| python::is_word(*c) || python::is_space(*c))
        .collect();
    kept.replace("  ", " ")
}

/// Difference of length and differing places over the common length, in any case.
fn letters_apart(one: &str, other: &str) -> usize {
    let letters = |word: &str| word.to_lowercase().chars().collect::<Vec<char>>();
    let (one, other) = (letters(one), letters(other));
    let places = one.iter().zip(&other).filter(|(a, b)| a != b).count();
    one.len().abs_diff(other.len()) + places
}

/// The quoted part of "The man said: '…'", as the authors' script finds it, its faults included; `None` where there is
/// none.
pub fn extract_quotation(text: &str) -> Option<String> {
    let text = text.replace(['‘', '’'], "'");
    let found = between(&text, "«", &["»"])
        .or_else(|| between(&text, "\"", &["\""]))
        .or_else(|| single_quoted(&text))
        .or_else(|| between(&text, "「", &["」"]))
        .or_else(|| between(&text, "„", &["“", "”"]))
        .or_else(|| behind(&text, "“"))
        .or_else(|| behind(&text, "‚"))
        .or_else(|| behind(&text, ","))?;
    let edge = |c: char| !python::is_word(c) && !python::is_space(c);
    Some(found.trim_matches(edge).to_owned())
}

/// The shortest text between two marks.
fn between<'a>(text: &'a str, open: &str, close: &[&str]) -> Option<&'a str> {
    let start = text.find(open)? + open.len();
    let ends = close.iter().filter_map(|mark| text[start..].find(mark));
    let end = ends.min()?;
    (end > 0).then(|| &text[start..start + end])
}

/// The first text in single quotes; where it has at most three characters, the longest.
fn single_quoted(text: &str) -> Option<&str> {
    let first = between(text, "'", &["'"])?;
    if first.chars().count() > 3 {
        return Some(first);
    }
    let pieces: Vec<&str> = text.split('\'').collect();
    let inner = pieces.get(1..pieces.len() - 1)?;
    inner
        .iter()
        .step_by(2)
        .copied()
        .max_by_key(|piece| piece.chars().count())
}

/// Everything behind a mark.
fn behind<'a>(text: &'a str, mark: &str) -> Option<&'a str> {
    let start = text.find(mark)? + mark.len();
    (start < text.len()).then(|| &text[start..])
}
