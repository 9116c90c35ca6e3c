//! A run as something people can audit: which answers can be labelled, what sample of them is drawn, and what came back.
//! A sample is a pure function of run, options and seed, so that a label file is checked by drawing it again.

use std::collections::{BTreeMap, BTreeSet};

use epicene_audit::{
    Choice, Choices, Design, Header, LabelledCell, Record, Sheet, SheetRow, Strata, label_files,
    plain,
};
use epicene_bench::{AuditLabel, BenchError, ColumnView};
use epicene_core::{Answer, Finding, InputError, Scorer, TextFile};
use epicene_io::digest::Sha256Digest;

use crate::{JudgedRun, PipelineError};

/// What strata are made of where nothing else is said: verdicts of each system and language.
pub const DEFAULT_STRATA: [&str; 3] = ["verdict", "system", "unit"];

/// What is to be sampled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub labels: usize,
    /// `verdict`, `system`, `lang`, `unit` or a label of the items.
    pub by: Vec<String>,
    /// `system:NAME`, `lang:CODE`, `unit:NAME`: all of a kind that is named, else everything.
    pub only: Vec<String>,
    pub seed: u64,
}

/// One answer that can be labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerIndex {
    pub column: usize,
    pub item: usize,
}

fn refuse(message: String, hint: String) -> PipelineError {
    BenchError::Input(InputError::new("audit", message).with_hint(hint)).into()
}

/// What an answer says in words; `None` where there is nothing to read.
fn words(answer: &Answer) -> Option<&str> {
    let text = match answer.plain().0 {
        Answer::Translation(text) => text,
        Answer::Chat(chat) => &chat.text,
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}

impl JudgedRun<'_> {
    /// The text of an answer that people can label.
    pub(crate) fn text_of(&self, AnswerIndex { column, item }: AnswerIndex) -> Option<&str> {
        self.verdicts[column].cells[item].as_ref()?;
        let own = &self.table.columns[column];
        // Probabilities of options are what they are, whatever the text says.
        if own.scorer == Scorer::ChoiceLogprob {
            return None;
        }
        words(own.answers[item].as_ref()?)
    }

    /// Names everything that was asked and answered in some columns; changes with every answer.
    pub(crate) fn population(&self, columns: std::ops::Range<usize>) -> String {
        let mut digest = Sha256Digest::default();
        digest.update_field(self.benchmark.card().name.as_bytes());
        for item in self.table.items.iter() {
            digest.update_field(item.id.as_bytes());
            digest.update_field(item.text.as_bytes());
        }
        for column in &self.table.columns[columns] {
            digest.update_field(self.table.system(column).identity().as_bytes());
            digest.update_field(column.unit.as_str().as_bytes());
            for answer in &column.answers {
                let text = answer.as_ref().and_then(words);
                digest.update_field(text.map_or(&[0u8][..], str::as_bytes));
            }
        }
        digest.short_hex()
    }

    /// The label of the audit that a finding counts as.
    pub fn audit_label(&self, finding: Finding) -> &'static AuditLabel {
        let labels = self.benchmark.card().audit_labels();
        let exact = labels.iter().find(|label| label.finding == finding);
        let letter = || {
            let alike = |label: &&AuditLabel| label.finding.letter() == finding.letter();
            labels.iter().find(alike)
        };
        let last = || labels.last().expect("there are labels to give");
        exact.or_else(letter).unwrap_or_else(last)
    }

    pub fn audit_choices(&self) -> Choices {
        let labels = self.benchmark.card().audit_labels().iter();
        Choices(
            labels
                .map(|label| Choice::new(label.key, label.name, label.meaning))
                .collect(),
        )
    }

    /// Whether a column is among those named by `only`.
    pub(crate) fn is_meant(&self, column: usize, only: &[String]) -> bool {
        let column = &self.table.columns[column];
        let of = |kind: &str| -> Option<bool> {
            let own = match kind {
                "system" => self.recorded_names[column.system].clone(),
                "unit" => self.benchmark.card().audit_unit(&column.unit),
                _ => column.unit.language()?.code().to_owned(),
            };
            let named = only.iter().filter_map(|one| one.split_once(':'));
            let named: Vec<&str> = named
                .filter(|(of, _)| *of == kind)
                .map(|(_, name)| name)
                .collect();
            Some(named.is_empty() || named.iter().any(|name| plain(name) == plain(&own)))
        };
        ["system", "unit", "lang"]
            .into_iter()
            .all(|kind| of(kind) != Some(false))
    }

    /// Every answer that can be labelled, by column, then by item.
    pub fn audit_places(&self, only: &[String]) -> Result<Vec<AnswerIndex>, PipelineError> {
        for one in only {
            let kind = one.split_once(':').map(|(kind, _)| kind);
            let known = matches!(kind, Some("system" | "lang" | "unit"));
            let columns = 0..self.table.columns.len();
            let one = std::slice::from_ref(one);
            if !known || !columns.into_iter().any(|column| self.is_meant(column, one)) {
                let named: BTreeSet<String> = self
                    .table
                    .columns
                    .iter()
                    .flat_map(|column| {
                        let system = format!("system:{}", self.table.system(column).name);
                        let unit = self.benchmark.card().audit_unit(&column.unit);
                        // A language is a unit whose kind has a name of its own.
                        let unit = match column.unit.language() {
                            Some(_) => unit,
                            None => format!("unit:{unit}"),
                        };
                        [system, unit]
                    })
                    .collect();
                let named: Vec<String> = named.into_iter().collect();
                return Err(refuse(
                    format!("`{}` names nothing in this run", one[0]),
                    format!("this run has {}", named.join(", ")),
                ));
            }
        }
        let columns = 0..self.own_columns();
        let columns = columns.filter(|column| self.is_meant(*column, only));
        let places: Vec<AnswerIndex> = columns
            .flat_map(|column| {
                (0..self.table.items.len()).map(move |item| AnswerIndex { column, item })
            })
            .filter(|place| self.text_of(*place).is_some())
            .collect();
        if places.is_empty() {
            return Err(refuse(
                format!(
                    "this run of {} holds no text that annotators could label",
                    self.benchmark.card().name
                ),
                "translations and answers of chat models can be audited; scores of language models cannot"
                    .to_owned(),
            ));
        }
        Ok(places)
    }

    /// The stratum of a cell. `verdict` is the letter it counts as.
    pub(crate) fn stratum(&self, place: AnswerIndex, by: &[String], verdict: &str) -> String {
        let column = &self.table.columns[place.column];
        let parts = by.iter().map(|field| {
            let value = match field.as_str() {
                "verdict" => verdict.to_owned(),
                "system" => self.recorded_names[column.system].clone(),
                "unit" => self.benchmark.card().audit_unit(&column.unit),
                "lang" => column
                    .unit
                    .language()
                    .map_or_else(|| "-".to_owned(), |language| language.code().to_owned()),
                label => self
                    .table
                    .items
                    .get(place.item)
                    .label(label)
                    .unwrap_or("-")
                    .to_owned(),
            };
            format!("{field}={value}")
        });
        parts.collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn letter(&self, place: AnswerIndex) -> Option<&'static str> {
        let verdict = self.verdicts[place.column].cells[place.item].as_ref()?;
        Some(self.audit_label(verdict.finding).key)
    }

    fn check_fields(&self, by: &[String]) -> Result<(), PipelineError> {
        let mut known: BTreeSet<&str> = ["verdict", "system", "lang", "unit"].into();
        for item in self.table.items.iter() {
            known.extend(item.labels.keys());
        }
        match by.iter().find(|field| !known.contains(field.as_str())) {
            None => Ok(()),
            Some(unknown) => {
                let known: Vec<&str> = known.into_iter().collect();
                Err(refuse(
                    format!("`{unknown}` is nothing strata can be made of"),
                    format!("--by takes {}", known.join(", ")),
                ))
            }
        }
    }

    fn draw(&self, wanted: &Wanted) -> Result<(Vec<AnswerIndex>, Design), PipelineError> {
        self.check_fields(&wanted.by)?;
        let places = self.audit_places(&wanted.only)?;
        let strata = Strata::collect(places.iter().map(|place| {
            let letter = self.letter(*place).expect("what has a text has a verdict");
            self.stratum(*place, &wanted.by, letter)
        }));
        let design = strata.draw(wanted.labels, wanted.seed).map_err(|error| {
            refuse(
                error.to_string(),
                "give more labels, fewer fields to --by, or a part of the run: --only lang:CODE"
                    .to_owned(),
            )
        })?;
        Ok((places, design))
    }

    /// A sample of the answers, ready to be labelled, and where each row stands.
    pub fn sample(
        &self,
        wanted: &Wanted,
        show: bool,
    ) -> Result<(Sheet, Vec<AnswerIndex>), PipelineError> {
        let (places, design) = self.draw(wanted)?;
        let population = self.population(0..self.own_columns());
        let drawn: Vec<AnswerIndex> = design.cells.iter().map(|cell| places[*cell]).collect();
        let rows = drawn.iter().map(|place| {
            let view = ColumnView {
                table: &self.table,
                place: place.column,
            };
            let item = self.table.items.get(place.item);
            let (system, unit) = (&view.system().name, view.column().unit.as_str());
            let mut digest = Sha256Digest::default();
            for field in [&population, item.id, system, unit] {
                digest.update_field(field.as_bytes());
            }
            let letter = self.letter(*place).expect("what has a text has a verdict");
            SheetRow {
                key: digest.hex()[..12].to_owned(),
                unit: self.benchmark.card().audit_unit(&view.column().unit),
                question: (self.benchmark.card().audit_question)(item),
                source: self
                    .benchmark
                    .card()
                    .audit_source(item, &view.column().unit),
                answer: self.text_of(*place).unwrap_or_default().to_owned(),
                shown: show.then(|| [system.clone(), letter.to_owned()]),
            }
        });
        let sheet = Sheet {
            rows: rows.collect(),
            choices: self.audit_choices(),
            header: Header {
                population,
                seed: wanted.seed,
                by: wanted.by.clone(),
                only: wanted.only.clone(),
                strata: design.strata,
            },
        };
        Ok((sheet, drawn))
    }

    /// Labels that people gave, held against the sample they were drawn as.
    pub fn read_labels(&self, files: &[TextFile]) -> Result<Record, PipelineError> {
        let complain = |file: &TextFile, message: &str, hint: &str| -> PipelineError {
            BenchError::Input(
                InputError::new(&file.path, message)
                    .at_line(2)
                    .with_hint(hint),
            )
            .into()
        };
        let first = Header::read(&files[0]).map_err(BenchError::Input)?;
        for file in files {
            let header = Header::read(file).map_err(BenchError::Input)?;
            if header.population != self.population(0..self.own_columns()) {
                return Err(complain(
                    file,
                    "these labels are of another run, or of this one before it had other answers",
                    "a sample belongs to the answers it was drawn from: draw a new one",
                ));
            }
            if header != first {
                return Err(complain(
                    file,
                    "these labels are of another sample than the first file's",
                    "annotators of one audit label the same file",
                ));
            }
        }
        let wanted = Wanted {
            labels: first.strata.iter().map(|stratum| stratum.drawn).sum(),
            by: first.by.clone(),
            only: first.only.clone(),
            seed: first.seed,
        };
        let (sheet, drawn) = self.sample(&wanted, false)?;
        if sheet.header != first {
            return Err(complain(
                &files[0],
                "the sample cannot be drawn again: the head of the file was edited, or verdicts are not what they were",
                "read the labels with the version and the options they were drawn with; any options may follow",
            ));
        }
        let read = label_files(files, &sheet).map_err(BenchError::Input)?;
        let mut labels = Vec::new();
        for (row, place) in drawn.iter().enumerate() {
            let said: Vec<String> = read
                .iter()
                .map(|file| {
                    let label = file.labels[row];
                    label.map_or_else(String::new, |label| sheet.choices.key(label).to_owned())
                })
                .collect();
            if said.iter().any(|label| !label.is_empty()) {
                let column = &self.table.columns[place.column];
                labels.push(LabelledCell {
                    item: self.table.items.get(place.item).id.to_owned(),
                    system: self.table.system(column).name.clone(),
                    unit: column.unit.to_string(),
                    labels: said,
                });
            }
        }
        Ok(Record {
            format: Record::FORMAT,
            population: first.population,
            seed: first.seed,
            verdicts: self.letters(&wanted),
            by: wanted.by,
            only: wanted.only,
            drawn: wanted.labels as u64,
            annotators: read.into_iter().map(|file| file.annotator).collect(),
            labels,
        })
    }

    /// The verdicts of the audited columns, a letter for each item, where strata are made of them.
    fn letters(&self, wanted: &Wanted) -> BTreeMap<String, String> {
        if !wanted.by.iter().any(|field| field == "verdict") {
            return BTreeMap::new();
        }
        let columns = (0..self.own_columns()).filter(|column| self.is_meant(*column, &wanted.only));
        columns
            .map(|column| {
                let own = &self.table.columns[column];
                let name = Record::column(&self.table.system(own).name, own.unit.as_str());
                let items = 0..self.table.items.len();
                let letters = items.map(|item| {
                    let place = AnswerIndex { column, item };
                    let text = self.text_of(place);
                    text.and_then(|_| self.letter(place)).unwrap_or("-")
                });
                (name, letters.collect())
            })
            .collect()
    }
}
