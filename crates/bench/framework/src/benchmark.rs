//! What a benchmark is: a card with its facts and with what is a plain function of an item or of options, and the steps
//! from data to numbers. Three are required; the others have a default that serves most.

use std::collections::BTreeMap;

use epicene_core::{
    Answer, AnswerTable, Ask, CellStyle, DataCard, Field, Filter, Finding, InputError, Item,
    ItemRef, Language, ModelKind, Outcome, Question, Row, TextFile, Unit, Verdict, View,
};

use crate::card::Card;
use crate::formula::Formulas;
use crate::judging::{ColumnView, Judged, Measured, Verdicts};
use crate::options::Options;
use crate::{BenchError, translations};

/// What was read of files of answers.
pub type Sheets = Result<Vec<AnswerSheet>, InputError>;
/// What a comparison of two systems gave.
pub type Compared = Result<Measured, BenchError>;

pub trait Benchmark: Send + Sync {
    fn card(&self) -> &'static Card;

    /// The items of the data, in its order.
    fn items(&self, data: &[TextFile], options: &Options) -> Result<Vec<Item>, InputError>;

    /// The numbers. A pure function of answers and verdicts.
    fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError>;

    /// The units a system of this kind is asked in, with the command's options where they say what is asked. By default:
    /// translators for every language of the card, chat models by its script. A unit may be offered with two scorers: the
    /// system's abilities decide.
    fn asks(&self, kind: ModelKind, options: &Options) -> Vec<Ask> {
        match (kind, self.card().chat) {
            (ModelKind::Translator, _) => translations::asks(self.card()),
            (ModelKind::Chat, Some(dialogue)) => dialogue.asks(options),
            _ => Vec::new(),
        }
    }

    /// What is asked about an item in a unit. By default: what the card's script says, else its translation.
    fn question(&self, item: &Item, ask: &Ask) -> Question {
        match self.card().chat {
            Some(dialogue) => dialogue.question(item, ask),
            None => translations::question(item, ask),
        }
    }

    /// Answers somebody already has, for these items. By default: of chat models where the card has a script, else
    /// translations.
    fn read_answers(&self, files: &[AnswerFile], items: &[Item], options: &Options) -> Sheets {
        match self.card().chat {
            Some(dialogue) => dialogue.sheets(self.card(), files, items, options),
            None => translations::sheets(self.card(), files, items),
        }
    }

    /// What the answers of one system in one unit show. By default: a log ratio by its sign.
    fn judge(&self, column: &ColumnView<'_>, options: &Options) -> Result<Verdicts, BenchError> {
        let _ = options;
        let cells = column.each(|_, answer| match answer {
            Answer::Log10Ratio(ratio) => Some(Verdict::of_preference(*ratio)),
            Answer::GroupMeans { male, female } => Some(Verdict::of_preference(male - female)),
            Answer::Missing => Some(Verdict::new(Finding::NoAnswer, "")),
            _ => None,
        });
        Ok(Verdicts::new(cells?))
    }

    /// A finding beside what would have been right; `None` where the item has no right answer.
    fn outcome(&self, item: ItemRef<'_>, finding: Finding) -> Option<Outcome> {
        let _ = (item, finding);
        None
    }

    /// What is odd about the scores of one system that a file gave, in these columns: another order, sign or unit than the
    /// benchmark's. By default: nothing is known of the items.
    fn odd_scores(&self, table: &AnswerTable, columns: &[usize]) -> Option<String> {
        let _ = (table, columns);
        None
    }

    /// Whether [`Benchmark::odd_scores`] would see these items in another order.
    fn checks_order(&self, items: &[Item]) -> bool {
        let _ = items;
        false
    }

    /// A data set that the benchmark makes itself, by its name.
    fn make_data(&self, name: &str, options: &Options) -> Option<Result<MadeData, InputError>> {
        let _ = (name, options);
        None
    }

    /// Two systems of the table on the same items.
    fn compare(&self, judged: &Judged<'_>, first: usize, second: usize) -> Compared {
        Err(judged.incomparable(first, second, "this benchmark compares no systems"))
    }

    /// How people would like to see the rows. By default: what is about all items, a line for each system and unit.
    fn views(&self, rows: &[Row]) -> Vec<View> {
        let _ = rows;
        vec![View {
            title: self.card().summary.to_owned(),
            filters: vec![Filter::new(Field::Group, ["all"])],
            lines: vec![Field::System, Field::Unit],
            columns: Field::Metric,
            style: CellStyle::ValueInterval,
            decimals: 3,
            labels: BTreeMap::new(),
        }]
    }

    /// Rows of one column that are means, rates, differences or ratios of verdicts, so that labels of people can correct
    /// them.
    fn formulas(&self, judged: &Judged<'_>, column: &ColumnView<'_>) -> Formulas {
        let _ = (judged, column);
        Ok(Vec::new())
    }

    /// Results in the layout of the benchmark's authors, as (file name, text), so that they can be compared with
    /// the authors' own files.
    fn author_files(&self, judged: &Judged<'_>) -> Result<Vec<(String, String)>, BenchError> {
        let _ = judged;
        Ok(Vec::new())
    }
}

/// A data set that needs no file.
#[derive(Debug, Clone)]
pub struct MadeData {
    /// Its name with what distinguishes it: `paper-s-without-nanny`.
    pub version: String,
    /// What it was made from; its hash goes into the manifest.
    pub source: String,
    pub items: Vec<Item>,
}

/// A file of answers, and what the command says about it.
#[derive(Debug, Clone)]
pub enum AnswerFile {
    /// Scores or likelihoods of language models; what they are, where the command says so.
    Models {
        file: TextFile,
        kind: Option<ModelKind>,
    },
    /// One system's translations into one language.
    Translations {
        file: TextFile,
        system: String,
        language: Language,
        /// Sentences without a translation are counted, not refused.
        allow_missing: bool,
    },
}

impl AnswerFile {
    pub fn file(&self) -> &TextFile {
        match self {
            AnswerFile::Models { file, .. } | AnswerFile::Translations { file, .. } => file,
        }
    }

    /// The files of language models with what their models are said to be; translations are refused in the name of
    /// the benchmark.
    pub fn of_models(
        files: &[AnswerFile],
        card: &Card,
    ) -> Result<(Vec<TextFile>, Option<ModelKind>), InputError> {
        let mut models = Vec::new();
        let mut said = None;
        for file in files {
            match file {
                AnswerFile::Models { file, kind } => {
                    models.push(file.clone());
                    said = *kind;
                }
                AnswerFile::Translations { file, .. } => {
                    let message = format!("{} does not measure translations", card.name);
                    return Err(InputError::new(&file.path, message));
                }
            }
        }
        Ok((models, said))
    }
}

/// One system's answers as a file had them.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerSheet {
    pub system: String,
    pub kind: ModelKind,
    /// Indices of the files it came from.
    pub files: Vec<usize>,
    pub units: Vec<(Unit, Vec<Answer>)>,
}

impl Card {
    /// Whether published results were measured on this edition of the data.
    pub fn was_published_on(&self, data: &DataCard) -> bool {
        let editions = self.published_on.iter();
        editions
            .clone()
            .any(|(name, version)| data.is(name, version))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RowWriter;
    use epicene_core::{Metric, Scorer};

    /// Masked pairs whose sign is counted: nothing but what a benchmark must have.
    struct Toy;

    static CARD: Card = Card {
        metrics: &[
            Metric::headline("m", "masculine answers", 0.5, ["he", "she"]).larger("more masculine"),
        ],
        ..Card::new("toy", "how often it is he", "# Toy")
    };

    impl Benchmark for Toy {
        fn card(&self) -> &'static Card {
            &CARD
        }

        fn items(&self, data: &[TextFile], _: &Options) -> Result<Vec<Item>, InputError> {
            let lines = data.iter().flat_map(|file| file.text.lines()).enumerate();
            Ok(lines
                .map(|(number, line)| Item::new(format!("toy:{number}"), line))
                .collect())
        }

        fn measure(&self, judged: &Judged<'_>) -> Result<Measured, BenchError> {
            let mut measured = Measured::default();
            for (view, verdicts) in judged.columns() {
                let cells = verdicts.cells.iter().flatten();
                let he = cells
                    .filter(|cell| cell.finding == Finding::Masculine)
                    .count();
                let unit = view.column().unit.as_str();
                let mut writer = RowWriter::new(&CARD, &view.system().name, unit);
                writer.push("all", "m", he as f64 / verdicts.cells.len() as f64);
                measured.rows.extend(writer.rows);
            }
            Ok(measured)
        }
    }

    #[test]
    fn three_functions_make_a_benchmark() {
        let items = [Item::new("toy:1", "a"), Item::new("toy:2", "b")];
        let card = epicene_core::SystemCard {
            name: "s".to_owned(),
            source: "test".to_owned(),
            revision: None,
            dtype: None,
            tokenizer: None,
            kind: ModelKind::Masked,
        };
        let mut packed = epicene_core::Items::default();
        items.iter().for_each(|item| packed.push(item));
        let column = (0, Unit::named("pairs"), Scorer::MaskedPair);
        let mut table = AnswerTable::new(packed, vec![card], [column]);
        table.put(0, 0, Answer::Log10Ratio(1.0));
        table.put(1, 0, Answer::Log10Ratio(-1.0));
        let options = Options::default();
        let column = ColumnView {
            table: &table,
            place: 0,
        };
        let verdicts = [Toy.judge(&column, &options).unwrap()];
        let data = DataCard {
            name: "toy".to_owned(),
            version: "1".to_owned(),
            sha256: String::new(),
            items: 2,
        };
        let judged = Judged {
            shared: None,
            card: &CARD,
            table: &table,
            verdicts: &verdicts,
            options: &options,
            data: &data,
            whole: true,
        };
        let rows = Toy.measure(&judged).unwrap().rows;
        assert_eq!((rows[0].value, rows[0].ideal), (0.5, Some(0.5)));
        let views = Toy.views(&rows);
        let filter = &views[0].filters[0];
        assert!(filter.any_of.contains(&rows[0].group), "{filter:?}");
    }
}
