//! `epicene reproduce experiment inducing`: gender-inducing prompts as a detector (GEST, appendix G). A sentence is translated as it is, as a
//! man's and as a woman's words. If the plain translation equals the man's words and not the woman's, it is taken for masculine, and
//! the other way round. Counted beside a judge of text, to see how much such a detector decides and how often rightly.

use std::path::Path;

use epicene_bench::gest::swapping::quotation;
use epicene_bench::{Options, translations};
use epicene_core::Gender;
use epicene_lang::first_person::Mode;
use epicene_report::aligned;

use crate::failure::Failure;
use crate::{console, datasets, languages, source};

/// How a sentence is put into somebody's mouth; the first form that was translated is taken.
const FORMS: [[&str; 2]; 4] = [
    ["The man said: ", "The woman said: "],
    ["The man said ", "The woman said "],
    ["He said: ", "She said: "],
    ["He said ", "She said "],
];

/// The prompts of a sentence, a man's and a woman's, form by form.
pub fn prompts(sentence: &str) -> impl Iterator<Item = [String; 2]> + '_ {
    let of = move |speaker: &str| format!("{speaker}\"{sentence}\"");
    FORMS.iter().map(move |form| form.map(of))
}

/// What a sentence and its two prompts became.
#[derive(Debug, Clone, Copy)]
pub struct Induced<'a> {
    pub sentence: &'a str,
    pub plain: &'a str,
    /// Translations of the whole prompts: a man's, a woman's.
    pub prompted: [&'a str; 2],
}

/// What the detector says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// The plain translation equals the words of one speaker alone.
    Gender(Gender),
    /// Both speakers say the same: no gender shows, or the prompt is not heard.
    Same,
    /// The words differ from both.
    Neither,
}

impl Induced<'_> {
    /// The words of the man and of the woman.
    pub fn words(&self) -> [String; 2] {
        self.prompted.map(|answer| quotation(answer, self.sentence))
    }

    pub fn found(&self) -> Found {
        let [man, woman] = self.words();
        match (self.plain.trim() == man, self.plain.trim() == woman) {
            (true, false) => Found::Gender(Gender::Masculine),
            (false, true) => Found::Gender(Gender::Feminine),
            (true, true) => Found::Same,
            (false, false) if man == woman => Found::Same,
            (false, false) => Found::Neither,
        }
    }
}

/// Counts over sentences, beside the verdicts of a judge of text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InducedCounts {
    pub sentences: u64,
    /// By detector (m, f, same, neither) and judge (m, f, unknown).
    pub cells: [[u64; 3]; 4],
    /// Words of the man that the judge finds masculine, feminine, unknown; then those of the woman.
    pub arrived: [[u64; 3]; 2],
}

fn place(gender: Option<Gender>) -> usize {
    match gender {
        Some(Gender::Masculine) => 0,
        Some(Gender::Feminine) => 1,
        None => 2,
    }
}

impl InducedCounts {
    pub fn add(&mut self, induced: &Induced<'_>, judge: impl Fn(&str) -> Option<Gender>) {
        self.sentences += 1;
        let row = match induced.found() {
            Found::Gender(gender) => place(Some(gender)),
            Found::Same => 2,
            Found::Neither => 3,
        };
        self.cells[row][place(judge(induced.plain))] += 1;
        for (speaker, words) in induced.words().iter().enumerate() {
            self.arrived[speaker][place(judge(words))] += 1;
        }
    }

    /// Sentences to which the detector gives a gender.
    pub fn decided(&self) -> u64 {
        self.cells[..2].iter().flatten().sum()
    }

    /// Sentences to which the judge gives a gender.
    pub fn judged(&self) -> u64 {
        self.cells.iter().map(|row| row[0] + row[1]).sum()
    }

    /// Where both give one: how often the same.
    pub fn agreed(&self) -> (u64, u64) {
        let same = self.cells[0][0] + self.cells[1][1];
        (same, same + self.cells[0][1] + self.cells[1][0])
    }
}

/// Counts of one file of translations that has sentences and prompts.
pub fn count(data: &str, path: &Path, lang: &str, mode: Mode) -> Result<InducedCounts, Failure> {
    let gest = epicene_pipeline::benchmark("gest")?;
    let items = datasets::open(gest, Some(data), &Options::default())?.items;
    let file = source::read(path)?;
    let Some(table) = translations::table(&file)? else {
        return Err(Failure::input(format!(
            "{}: this file does not name its sources",
            path.display()
        ))
        .with_hint("the columns are from,to: sentences and prompts on the left"));
    };
    let detector = languages::detector(lang, mode)?;
    let judge = |text: &str| -> Option<Gender> { detector.judge(text).gender() };
    let mut counts = InducedCounts::default();
    for item in &items {
        let get = |text: &str| table.get(text).map(String::as_str);
        let both = prompts(&item.text).find_map(|[man, woman]| Some([get(&man)?, get(&woman)?]));
        if let (Some(plain), Some(prompted)) = (get(&item.text), both) {
            let induced = Induced {
                sentence: &item.text,
                plain,
                prompted,
            };
            counts.add(&induced, judge);
        }
    }
    if counts.sentences == 0 {
        return Err(Failure::input(format!(
            "{}: no sentence is there with its prompts",
            path.display()
        ))
        .with_hint(
            "prompts read: The man said: \"…\" and The woman said: \"…\", or He said, She said",
        ));
    }
    Ok(counts)
}

pub fn run(data: &str, path: &Path, lang: &str, mode: Mode) -> Result<(), Failure> {
    let counts = count(data, path, lang, mode)?;
    let text = |cells: &[u64]| cells.iter().map(u64::to_string).collect::<Vec<_>>();
    let line = |name: &str, cells: &[u64]| [vec![name.to_owned()], text(cells)].concat();
    let head = |corner: &str| -> Vec<String> {
        [corner, "masculine", "feminine", "unknown"]
            .map(str::to_owned)
            .to_vec()
    };
    let mut lines = vec![head(
        "genders by the prompts (down) and by the detector (across)",
    )];
    for (name, row) in ["masculine", "feminine", "same for both", "like neither"]
        .into_iter()
        .zip(counts.cells)
    {
        lines.push(line(name, &row));
    }
    let mut told = vec![head("gender of the words, by speaker")];
    for (name, row) in ["the man's", "the woman's"].into_iter().zip(counts.arrived) {
        told.push(line(name, &row));
    }
    let share = |part: u64, whole: u64| {
        format!(
            "{part} of {whole} ({:.3})",
            part as f64 / whole.max(1) as f64
        )
    };
    let (same, both) = counts.agreed();
    console::print(|out| {
        write!(out, "{}\n{}\n", aligned(&lines, 1), aligned(&told, 1))?;
        writeln!(
            out,
            "decided by prompts: {}",
            share(counts.decided(), counts.sentences)
        )?;
        writeln!(
            out,
            "decided by the detector: {}",
            share(counts.judged(), counts.sentences)
        )?;
        writeln!(out, "same gender where both decide: {}", share(same, both))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speaker_whose_words_are_the_same() {
        let induced = |plain, man, woman| Induced {
            sentence: "I was there.",
            plain,
            prompted: [man, woman],
        };
        let man = "Muž povedal: \"Bol som tam.\"";
        let woman = "Žena povedala: \"Bola som tam.\"";
        let masculine = Found::Gender(Gender::Masculine);
        assert_eq!(induced("Bol som tam.", man, woman).found(), masculine);
        let feminine = Found::Gender(Gender::Feminine);
        assert_eq!(induced("Bola som tam.", man, woman).found(), feminine);
        assert_eq!(induced("Bol som tu.", man, woman).found(), Found::Neither);
        assert_eq!(induced("Bol som tam.", man, man).found(), Found::Same);
        assert_eq!(induced("Bola som tam.", man, man).found(), Found::Same);
        let mut counts = InducedCounts::default();
        counts.add(&induced("Bol som tam.", man, woman), |text| {
            Some(if text.starts_with("Bola") {
                Gender::Feminine
            } else {
                Gender::Masculine
            })
        });
        assert_eq!(
            (counts.decided(), counts.judged(), counts.agreed()),
            (1, 1, (1, 1))
        );
        assert_eq!(counts.arrived, [[1, 0, 0], [0, 1, 0]]);
        assert_eq!(
            prompts("I ran.").next(),
            Some(["The man said: \"I ran.\"", "The woman said: \"I ran.\""].map(str::to_owned))
        );
    }
}
