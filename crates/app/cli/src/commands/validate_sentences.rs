//! `epicene data lint … --form` and `--labels`: annotators say of each sentence, blind, first which gender it suggests, then
//! which stereotype it shows. Sentences stay on which most of them agree with the writer (GEST, section 3).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use epicene_audit::{
    Choice, Choices, DrawnStratum, Header, LabelFile, Sheet, SheetRow, agreement, form, label_files,
};
use epicene_bench::gest::stereotypes;
use epicene_core::{InputError, Item, ItemRef, TextFile, counted};
use epicene_report::aligned;
use epicene_run::sha256_hex;
use epicene_stats::draw::permutation;

use crate::failure::{Failure, Outcome};
use crate::{console, outputs, source};

/// The two questions, by the names of their files.
const GENDER: &str = "gender";
const STEREOTYPE: &str = "stereotype";
/// Fewer are no agreement.
const LEAST_ANNOTATORS: usize = 2;
const KEYS: &str = "abcdefghijklmnopqrstuvwxyz";

/// Whom a sentence's stereotype is held about, as its gender's key.
fn gender_of(item: &Item) -> Option<&'static str> {
    let card = epicene_bench::find("gest")?.card();
    let seen = ItemRef {
        id: &item.id,
        text: &item.text,
        labels: &item.labels,
    };
    let facets = (card.facets)(seen);
    let about = facets.iter().find(|(name, _)| *name == "about");
    let about = about.map(|(_, about)| about.as_str());
    match about.or_else(|| item.label("about"))? {
        "men" => Some("m"),
        _ => Some("f"),
    }
}

fn choices(items: &[Item], question: &str) -> Result<Choices, Failure> {
    if question == GENDER {
        return Ok(Choices(vec![
            Choice::new("m", "a man", "most people would expect a man to say this"),
            Choice::new(
                "f",
                "a woman",
                "most people would expect a woman to say this",
            ),
            Choice::new("n", "either", "a man and a woman alike"),
        ]));
    }
    let mut names: Vec<&str> = Vec::new();
    for name in items.iter().filter_map(|item| item.label(STEREOTYPE)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    // In an order of their own, so that neighbours in the file tell nothing.
    names.sort_unstable_by_key(|name| (name.parse::<u8>().ok(), *name));
    if names.len() >= KEYS.len() {
        return Err(Failure::usage(format!(
            "a form has keys for {} stereotypes, the set has {}",
            KEYS.len() - 1,
            names.len()
        ))
        .with_hint("validate a part of the set at a time"));
    }
    let keys = KEYS.chars().map(String::from);
    let each = keys.zip(&names).map(|(key, name)| {
        let known = name.parse::<u8>().ok();
        let known = known.and_then(|id| stereotypes::all().iter().find(|one| one.id == id));
        Choice::new(&key, name, known.map_or("", |one| one.name))
    });
    let none = Choice::new("z", "none", "none of these");
    Ok(Choices(each.chain([none]).collect()))
}

/// The sheet of a question: sentences in an order that says nothing.
fn sheet(file: &TextFile, items: &[Item], question: &'static str) -> Result<Sheet, Failure> {
    let order = permutation(0, question, 0, items.len());
    let asked = match question {
        GENDER => "Whom would most people expect to say this?",
        _ => "Which stereotype does the sentence show?",
    };
    let rows = order.into_iter().map(|place| {
        let item = &items[place as usize];
        SheetRow {
            key: sha256_hex(format!("{question} {}", item.id).as_bytes())[..12].to_owned(),
            unit: question.to_owned(),
            question: asked.to_owned(),
            source: String::new(),
            answer: item.text.clone(),
            shown: None,
        }
    });
    Ok(Sheet {
        header: Header {
            population: sha256_hex(format!("{} {question}", file.sha256).as_bytes())[..16]
                .to_owned(),
            seed: 0,
            by: Vec::new(),
            only: vec![question.to_owned()],
            strata: vec![DrawnStratum {
                size: items.len(),
                drawn: items.len(),
            }],
        },
        choices: choices(items, question)?,
        rows: rows.collect(),
    })
}

/// Writes the two forms into a folder.
pub fn write_forms(folder: &Path, file: &TextFile, items: &[Item]) -> Result<Outcome, Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::input(format!("{}: {error}", folder.display())))?;
    for (number, question) in [(1, GENDER), (2, STEREOTYPE)] {
        let sheet = sheet(file, items, question)?;
        for (ending, text) in [("html", form(&sheet)), ("csv", sheet.to_csv())] {
            let path = folder.join(format!("{number}-{question}.{ending}"));
            outputs::write(&path, text.as_bytes())?;
            console::note(path.display().to_string());
        }
    }
    console::say(format!(
        "{}: let each annotator fill in 1-{GENDER}.html, then 2-{STEREOTYPE}.html, and give all saved files to --labels",
        counted(items.len(), "sentence", "sentences")
    ));
    Ok(Outcome::Done)
}

/// Labels of one question by item, with the annotators' names.
struct Labelled {
    annotators: Vec<String>,
    choices: Choices,
    /// By item, in the order of the data.
    labels: Vec<Vec<Option<u32>>>,
}

fn labelled(
    file: &TextFile,
    items: &[Item],
    question: &'static str,
    files: &[TextFile],
) -> Result<Labelled, Failure> {
    let sheet = sheet(file, items, question)?;
    let read: Vec<LabelFile> = label_files(files, &sheet)?;
    if read.len() < LEAST_ANNOTATORS {
        return Err(Failure::input(format!(
            "the question for the {question} has {}",
            counted(read.len(), "annotator", "annotators")
        ))
        .with_hint("let at least two people answer each question, and give all their files"));
    }
    let order = permutation(0, question, 0, items.len());
    let mut labels = vec![vec![None; read.len()]; items.len()];
    for (row, place) in order.into_iter().enumerate() {
        for (annotator, file) in read.iter().enumerate() {
            labels[place as usize][annotator] = file.labels[row];
        }
    }
    Ok(Labelled {
        annotators: read.into_iter().map(|file| file.annotator).collect(),
        choices: sheet.choices,
        labels,
    })
}

impl Labelled {
    /// Whether more than half of all annotators gave this answer.
    fn is_meant(&self, item: usize, key: Option<u32>) -> bool {
        let same = self.labels[item]
            .iter()
            .filter(|label| label.is_some() && **label == key);
        2 * same.count() > self.annotators.len()
    }

    fn said(&self, item: usize) -> String {
        let each = self.labels[item].iter();
        let name = |label: &Option<u32>| match label {
            Some(place) => self.choices.0[*place as usize].name.clone(),
            None => "no label".to_owned(),
        };
        each.map(name).collect::<Vec<_>>().join(", ")
    }

    fn agreement(&self, question: &str) -> String {
        let Some(found) = agreement(&self.annotators, &self.labels) else {
            return format!("{question}: nothing was labelled twice");
        };
        let measure = match (
            found.pairs.first().and_then(|pair| pair.kappa.as_ref()),
            found.alpha,
        ) {
            (Some((kappa, interval)), _) if self.annotators.len() == 2 => format!(
                "Cohen's κ {:.3} [{:.3}, {:.3}]",
                kappa.value, interval.low, interval.high
            ),
            (_, Some(alpha)) => format!("Krippendorff's α {alpha:.3}"),
            _ => "agreement undefined: one answer throughout".to_owned(),
        };
        format!(
            "{question}: {} annotators, {measure} on {}",
            self.annotators.len(),
            counted(found.shared, "shared sentence", "shared sentences")
        )
    }
}

/// Reads what annotators said: agreement, and the sentences to drop.
pub fn read_labels(paths: &[PathBuf], file: &TextFile, items: &[Item]) -> Result<Outcome, Failure> {
    let mut by_question: BTreeMap<&'static str, Vec<TextFile>> = BTreeMap::new();
    for path in paths {
        let labels = source::read(path)?;
        let header = Header::read(&labels)?;
        let question = [GENDER, STEREOTYPE];
        let question = question.into_iter().find(|name| header.only == [*name]);
        let question = question.ok_or_else(|| {
            InputError::new(&labels.path, "these are no labels of sentences")
                .with_hint("`epicene data lint … --form DIR` writes the forms")
        })?;
        by_question.entry(question).or_default().push(labels);
    }
    let of = |question: &'static str| {
        let files = by_question.get(question).map_or(&[][..], Vec::as_slice);
        labelled(file, items, question, files)
    };
    let (gender, stereotype) = (of(GENDER)?, of(STEREOTYPE)?);
    let mut dropped: Vec<Vec<String>> = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let own_gender = gender_of(item).and_then(|key| gender.choices.find(key));
        let own = item.label(STEREOTYPE);
        let names = stereotype.choices.0.iter();
        let own_stereotype = names
            .zip(0..)
            .find(|(choice, _)| Some(choice.name.as_str()) == own);
        let own_stereotype = own_stereotype.map(|(_, place)| place);
        if gender.is_meant(place, own_gender) && stereotype.is_meant(place, own_stereotype) {
            continue;
        }
        dropped.push(vec![
            format!("line {}", place + 2),
            format!("gender: {}", gender.said(place)),
            format!("stereotype: {}", stereotype.said(place)),
            item.text.clone(),
        ]);
    }
    console::print(|out| out.write_all(aligned(&dropped, 4).as_bytes()))?;
    console::say(gender.agreement(GENDER));
    console::say(stereotype.agreement(STEREOTYPE));
    console::say(format!(
        "{}: {} to drop, since fewer than most annotators gave its gender and its stereotype",
        counted(items.len(), "sentence", "sentences"),
        dropped.len()
    ));
    Ok(if dropped.is_empty() {
        Outcome::Done
    } else {
        Outcome::GateFailed
    })
}
