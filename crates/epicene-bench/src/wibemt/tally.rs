//! Collects labels as translations stream by, then counts them by group.

use epicene_core::{Answer, Item, Measured, Row, SystemCard};
use epicene_stats::{mcnemar_exact, risk_difference};

use super::data::{self, NONE};
use super::decisions::{DECISIONS_INPUT, Decisions};
use super::german::Part;
use super::label::Label;
use super::measures::{Groups, RowWriter};
use super::{other_languages, published};
use crate::{BenchError, JudgeRules, MeasureOptions, Tally, Undecided};

/// What measures need to know of an item.
struct Sentence {
    id: String,
    text: String,
    occupation: String,
    part: Part,
    groups: Vec<String>,
    feminine_pronoun: Option<bool>,
}

/// The labels of one translation under both judges, so that the judge can be changed without reading it again.
#[derive(Clone, Copy)]
struct Labels {
    published: Option<Label>,
    default: Option<Label>,
}

impl Labels {
    fn by(self, judge: JudgeRules) -> Option<Label> {
        match judge {
            JudgeRules::Published => self.published,
            JudgeRules::Default => self.default,
        }
    }
}

/// A translation the rules leave to a person.
struct Open {
    item: usize,
    translation: String,
    reason: &'static str,
}

struct Column {
    system: usize,
    unit: String,
    labels: Vec<Option<Labels>>,
    open: Vec<Open>,
    missing: u64,
}

pub struct WibemtTally {
    systems: Vec<SystemCard>,
    sentences: Vec<Sentence>,
    columns: Vec<Column>,
}

impl WibemtTally {
    pub fn new(systems: &[SystemCard], probes: &[(usize, String)]) -> WibemtTally {
        let columns = probes.iter().map(|(system, unit)| Column {
            system: *system,
            unit: unit.clone(),
            labels: Vec::new(),
            open: Vec::new(),
            missing: 0,
        });
        WibemtTally {
            systems: systems.to_vec(),
            sentences: Vec::new(),
            columns: columns.collect(),
        }
    }

    /// The label an item has: a person's decision, the judge's, or wrong where neither decides.
    fn label(
        &self,
        column: &Column,
        item: usize,
        judge: JudgeRules,
        decisions: &Decisions,
    ) -> Option<(Label, bool)> {
        let labels = column.labels[item]?;
        let system = &self.systems[column.system].name;
        let decided = labels.by(judge);
        let by_hand = || decisions.of(&self.sentences[item].id, system);
        Some(match decided.or_else(by_hand) {
            Some(label) => (label, false),
            None => (Label::Wrong, true),
        })
    }

    fn groups(
        &self,
        column: &Column,
        judge: JudgeRules,
        decisions: &Decisions,
    ) -> (Groups, u64, u64) {
        let mut groups = Groups::new();
        let (mut unresolved, mut answered) = (0, 0);
        for (item, sentence) in self.sentences.iter().enumerate() {
            let Some((label, open)) = self.label(column, item, judge, decisions) else {
                continue;
            };
            answered += 1;
            unresolved += u64::from(open);
            for group in &sentence.groups {
                match groups.get_mut(group) {
                    Some(counts) => counts.add(label, sentence.feminine_pronoun),
                    None => groups
                        .entry(group.clone())
                        .or_default()
                        .add(label, sentence.feminine_pronoun),
                }
            }
        }
        (groups, unresolved, answered)
    }
}

fn decisions(options: &MeasureOptions) -> Result<Decisions, BenchError> {
    let file = options.inputs.get(DECISIONS_INPUT);
    Ok(file.map(Decisions::read).transpose()?.unwrap_or_default())
}

impl Tally for WibemtTally {
    fn item(&mut self, item: &Item) -> Result<(), BenchError> {
        let bad = |what: &str| BenchError::BadItem {
            item: item.id.clone(),
            message: format!("it has no {what}"),
        };
        let label = |name: &'static str| item.label(name).ok_or_else(|| bad(name));
        let part = data::part(item).ok_or_else(|| bad("part"))?;
        let occupation = label(data::OCCUPATION)?;
        let third = label(data::THIRD)?;
        let mut groups = vec![format!("part:{}", label(data::PART)?)];
        let mut feminine_pronoun = None;
        match part {
            Part::Verb => {
                groups.push(format!("verb:{}", label(data::VERB_CLASS)?));
                groups.push(format!("third:{third}"));
                groups.push(format!("verb:{}", label(data::VERB)?));
                groups.push(format!("occupation:{occupation}"));
            }
            Part::Adjective => {
                let (adjective, class) = (label(data::ADJECTIVE)?, label(data::ADJECTIVE_CLASS)?);
                feminine_pronoun = Some(label(data::GENDER)? == "female");
                groups.push(format!("adjective:{class}"));
                if adjective != NONE {
                    groups.push(format!("adjective:{adjective}"));
                }
                groups.push(format!("adjective-occupation:{occupation}"));
            }
        }
        self.sentences.push(Sentence {
            id: item.id.clone(),
            text: item.text.clone(),
            occupation: occupation.to_owned(),
            part,
            groups,
            feminine_pronoun,
        });
        for column in &mut self.columns {
            column.labels.push(None);
        }
        Ok(())
    }

    fn observe(&mut self, item: usize, probe: usize, answer: &Answer) -> Result<(), BenchError> {
        let column = &mut self.columns[probe];
        let sentence = &self.sentences[item];
        let text = match answer {
            Answer::Translation(text) => text.as_str(),
            Answer::Missing => {
                column.missing += 1;
                ""
            }
            _ => {
                return Err(BenchError::WrongAnswer {
                    benchmark: "wibemt",
                    unit: column.unit.clone(),
                });
            }
        };
        let by = |judge| {
            let (occupation, part) = (&sentence.occupation, sentence.part);
            other_languages::classify(&column.unit, text, occupation, part, judge)
        };
        let (published, default) = (by(JudgeRules::Published), by(JudgeRules::Default));
        let open = match (published.label, default.label) {
            (_, None) => Some(default.rule),
            (None, _) => Some(published.rule),
            _ => None,
        };
        column.open.extend(open.map(|reason| Open {
            item,
            translation: text.to_owned(),
            reason,
        }));
        column.labels[item] = Some(Labels {
            published: published.label,
            default: default.label,
        });
        Ok(())
    }

    fn measure(&self, options: &MeasureOptions) -> Result<Measured, BenchError> {
        let decisions = decisions(options)?;
        let mut measured = Measured::default();
        for column in &self.columns {
            let (groups, unresolved, answered) = self.groups(column, options.judge, &decisions);
            if answered == 0 {
                continue;
            }
            let mut writer = RowWriter {
                system: &self.systems[column.system].name,
                unit: &column.unit,
                rows: Vec::new(),
                notes: Vec::new(),
            };
            writer.groups(&groups)?;
            writer.count("all", "unresolved", unresolved, answered);
            if column.missing > 0 {
                writer.count("all", "missing", column.missing, answered);
            }
            let who = format!("{} {}", writer.system, writer.unit);
            if unresolved > 0 {
                writer.notes.push(format!(
                    "{who}: {unresolved} of {answered} translations are left to a person and count as wrong; --unresolved FILE writes them, --input decisions=FILE reads the decisions"
                ));
            }
            if column.missing > 0 {
                let missing = column.missing;
                writer.notes.push(format!(
                    "{who}: {missing} of {answered} translations are missing"
                ));
            }
            measured.rows.extend(writer.rows);
            measured.notes.extend(writer.notes);
        }
        if measured.rows.is_empty() {
            return Err(BenchError::NothingToMeasure);
        }
        measured.notes.extend(published::notes(&measured.rows));
        Ok(measured)
    }

    fn undecided(&self, options: &MeasureOptions) -> Result<Vec<Undecided>, BenchError> {
        let decisions = decisions(options)?;
        let mut undecided = Vec::new();
        for column in &self.columns {
            let system = &self.systems[column.system].name;
            for open in &column.open {
                let sentence = &self.sentences[open.item];
                let judged = column.labels[open.item].and_then(|labels| labels.by(options.judge));
                if judged.is_none() && decisions.of(&sentence.id, system).is_none() {
                    undecided.push(Undecided {
                        item: sentence.id.clone(),
                        system: system.clone(),
                        unit: column.unit.clone(),
                        reason: open.reason,
                        source: sentence.text.clone(),
                        translation: open.translation.clone(),
                    });
                }
            }
        }
        Ok(undecided)
    }

    /// Whether two translators differ on the same sentences: McNemar's test of female against male, and of correct
    /// against wrong, where both are classified.
    fn compare(
        &self,
        first: usize,
        second: usize,
        options: &MeasureOptions,
    ) -> Result<Measured, BenchError> {
        let decisions = decisions(options)?;
        let column = |system: usize| self.columns.iter().find(|column| column.system == system);
        let (Some(ours), Some(theirs)) = (column(first), column(second)) else {
            return Err(BenchError::NothingToMeasure);
        };
        let mut rows = Vec::new();
        for (metric, p_metric, needs_pronoun) in [
            ("delta_tfg", "p_value", false),
            ("delta_tcg", "p_value_tcg", true),
        ] {
            for part in [Part::Verb, Part::Adjective] {
                let mut both = [[0u64; 2]; 2];
                for (item, sentence) in self.sentences.iter().enumerate() {
                    let said = |column: &Column| {
                        let label = self.label(column, item, options.judge, &decisions)?.0;
                        let female = match label {
                            Label::Female => true,
                            Label::Male => false,
                            Label::Neutral | Label::Wrong => return None,
                        };
                        match needs_pronoun {
                            false => Some(female),
                            true => Some(sentence.feminine_pronoun? == female),
                        }
                    };
                    if sentence.part == part
                        && let (Some(a), Some(b)) = (said(ours), said(theirs))
                    {
                        both[usize::from(a)][usize::from(b)] += 1;
                    }
                }
                let n: u64 = both.iter().flatten().sum();
                if n == 0 {
                    continue;
                }
                let (a, b) = (both[1][0] + both[1][1], both[0][1] + both[1][1]);
                let difference = risk_difference((a, n), (b, n), 0.95)?;
                let group = match part {
                    Part::Verb => "part:verb",
                    Part::Adjective => "part:adjective",
                };
                let system = format!(
                    "{} - {}",
                    self.systems[first].name, self.systems[second].name
                );
                let row = |metric: &str, value: f64| {
                    let mut row = Row::new("wibemt", [&system, &ours.unit, group], metric, value);
                    row.n = Some(n);
                    row
                };
                let mut delta = row(metric, 100.0 * difference.value);
                delta.low = Some(100.0 * difference.interval.low);
                delta.high = Some(100.0 * difference.interval.high);
                delta.ideal = Some(0.0);
                rows.push(delta);
                let p_value = mcnemar_exact(both[1][0], both[0][1]).p_value;
                rows.push(row(p_metric, p_value));
            }
        }
        match rows.is_empty() {
            true => Err(BenchError::NothingToMeasure),
            false => Ok(Measured {
                rows,
                notes: Vec::new(),
            }),
        }
    }
}
