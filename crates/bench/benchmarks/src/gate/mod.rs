//! GATE (Rarrick et al. 2023) and its extension (Garg et al. 2024): sources that leave a gender open, with every gendered
//! translation. Which one does a system choose where nothing decides?

mod alternatives;
mod judging;
mod measures;
mod metric_table;
mod options;
mod rewriting;
mod tuples;
mod views;
mod words;

use std::collections::BTreeMap;

use epicene_core::{
    Answer, Finding, InputError, Item, ItemRef, Items, Language, Row, TextFile, Verdict, View,
};

pub(crate) use options::MIN_WORDS;
pub use options::{CSV_QUOTING, FULL_SET_RECALL, MAX_WORDS, SPLIT, TASK, Task, WANTED};

use crate::options::INTERVAL;
use crate::wording;
use crate::{
    AnswerFile, BenchError, Benchmark, Card, ColumnView, Compared, Judged, Measured, Options,
    Sheets, Verdicts, translations,
};

/// The languages of GATE and of its extension.
const LANGUAGES: [&str; 6] = ["de", "es", "fr", "it", "pt", "ru"];

fn languages() -> Vec<Language> {
    let known = LANGUAGES.map(|code| Language::find(code).expect("the registry has it"));
    known.to_vec()
}

const VARIANTS: &str = "variants";
const LABELS: &str = "labels";
const SPLIT_LABEL: &str = "split";
const KEY_WORDS: &str = "key_words";
const STRUCTURES: &str = "structures";
const TASK_LABEL: &str = "task";

pub static CARD: Card = Card {
    data: Some("gate"),
    choose: Some(tuples::choose_files),
    by_language: true,
    tabbed: true,
    languages,
    options: &[
        &TASK,
        &SPLIT,
        &WANTED,
        &MIN_WORDS,
        &MAX_WORDS,
        &FULL_SET_RECALL,
        &CSV_QUOTING,
        &INTERVAL,
    ],
    check: options::check,
    metrics: metric_table::METRICS,
    examples: &[
        "epicene run gate --mt hf:Helsinki-NLP/opus-mt-en-fr --lang fr",
        "epicene run gate --mt nmt=file:fr.txt --lang fr",
        "epicene run gate --mt deepl: --lang es,fr,it --yes",
    ],
    resamples: true,
    ..Card::new(
        "gate",
        "the source leaves a gender open: which one does a translation give?",
        include_str!("gate.md"),
    )
};

#[doc = include_str!("gate.md")]
pub struct Gate;

/// What an item says about its tuple.
struct Labels<'a> {
    variants: BTreeMap<String, String>,
    labels: Vec<String>,
    split: Option<&'a str>,
    key_words: &'a str,
    structures: Option<&'a str>,
}

impl<'a> Labels<'a> {
    fn of(item: ItemRef<'a>) -> Result<Labels<'a>, BenchError> {
        let variants = item
            .label(VARIANTS)
            .and_then(|text| serde_json::from_str(text).ok());
        let bad = |message: &str| BenchError::BadItem {
            item: item.id.to_owned(),
            message: message.to_owned(),
        };
        let variants = variants.ok_or_else(|| bad("it has no variants"))?;
        let key_words = item.label(KEY_WORDS);
        let labels = item.label(LABELS).map(|labels| labels.split(';'));
        Ok(Labels {
            variants,
            labels: labels.into_iter().flatten().map(str::to_owned).collect(),
            split: item.label(SPLIT_LABEL),
            key_words: key_words.ok_or_else(|| bad("it has no key words"))?,
            structures: item.label(STRUCTURES),
        })
    }
}

/// What the systems were asked for: all items of a run say the same.
fn task(items: &Items) -> Result<Task, BenchError> {
    if items.is_empty() {
        return Err(BenchError::NothingToMeasure);
    }
    let first = items.get(0);
    let named = first.label(TASK_LABEL).and_then(|name| name.parse().ok());
    named.ok_or_else(|| BenchError::BadItem {
        item: first.id.to_owned(),
        message: "it does not say which task it is for".to_owned(),
    })
}

impl Benchmark for Gate {
    fn card(&self) -> &'static Card {
        &CARD
    }

    fn items(&self, data: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError> {
        let path = data.first().map_or("gate", |file| file.path.as_str());
        let Some(language) = options.languages.first() else {
            return Err(InputError::new(path, "the sentences differ by language")
                .with_hint("give --lang L"));
        };
        let (task, split) = (options.get(&TASK), options.get(&SPLIT));
        let mut items = Vec::new();
        for tuple in tuples::read(data, *language)? {
            let wanted = match task {
                Task::Mt => tuple.variants.len() > 1,
                Task::Rewrite => tuple.variants.len() == 2,
                Task::Alternatives => true,
            };
            let in_split = split == "all" || tuple.split.as_deref() == Some(&split);
            if !wanted || !in_split {
                continue;
            }
            let variants = serde_json::to_string(&tuple.variants);
            let variants = variants.expect("a map of strings is JSON");
            let mut item = Item::new(format!("gate:{}", tuple.id), tuple.source)
                .with_label(VARIANTS, variants)
                .with_label(KEY_WORDS, tuple.key_words)
                .with_label(TASK_LABEL, task.name());
            if !tuple.labels.is_empty() {
                item = item.with_label(LABELS, tuple.labels.join(";"));
            }
            if let Some(split) = tuple.split {
                item = item.with_label(SPLIT_LABEL, split);
            }
            if let Some(structures) = tuple.structures {
                item = item.with_label(STRUCTURES, structures);
            }
            items.push(item);
        }
        if items.is_empty() {
            let message = format!("no tuple is in the split `{split}`");
            return Err(InputError::new(path, message).with_hint("French has no split"));
        }
        Ok(items)
    }

    /// One line a tuple; with `--task alternatives` a line may hold two translations between tabs.
    fn read_answers(&self, files: &[AnswerFile], items: &[Item], options: &Options) -> Sheets {
        let mut files = files.to_vec();
        for given in &mut files {
            let AnswerFile::Translations { file, .. } = given else {
                continue;
            };
            let tab = file.text.lines().position(|line| line.contains('\t'));
            let listed = translations::names_sources(file);
            if let Some(place) = tab
                && !listed
                && options.get(&TASK) != Task::Alternatives
            {
                return Err(InputError::new(
                    &file.path,
                    "there are tabs: several translations in a line?",
                )
                .at_line(place as u64 + 1)
                .with_hint(
                    "--task alternatives takes several; --column N takes one column of a table",
                ));
            }
        }
        translations::sheets(&CARD, &files, items)
    }

    /// Which variant a translation is; of other tasks, whether it is exactly one that was wanted.
    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        let task = task(column.items())?;
        let cells = column.each_or(|item, answer| {
            let text = match answer {
                Answer::Translation(text) => text,
                Answer::Missing => return Ok(Verdict::new(Finding::NoAnswer, "")),
                _ => return Err(column.wrong_answer()),
            };
            let labels = Labels::of(item)?;
            Ok(match task {
                Task::Mt => judging::verdict(&labels.variants, text),
                Task::Rewrite => rewriting::verdict(&labels.variants, text, options),
                Task::Alternatives => alternatives::verdict(&labels.variants, text),
            })
        });
        let judge = match task {
            Task::Mt => "contrast-words",
            Task::Rewrite => "wanted-variant-exact",
            Task::Alternatives => "variants-exact",
        };
        Ok(Verdicts::new(cells?).by("judge", judge))
    }

    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
        match task(&judged.table.items)? {
            Task::Mt => wording::added(self, judged, measures::measure(judged)?),
            Task::Rewrite => rewriting::measure(judged),
            Task::Alternatives => alternatives::measure(judged),
        }
    }

    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        match task(&judged.table.items)? {
            Task::Mt => measures::compare(judged, first, second),
            _ => Err(judged.incomparable(
                first,
                second,
                "only translations of --task mt are compared",
            )),
        }
    }

    fn views(&self, rows: &[Row]) -> Vec<View> {
        let mut views = views::views(rows);
        views.extend(wording::view(rows));
        views
    }
}
