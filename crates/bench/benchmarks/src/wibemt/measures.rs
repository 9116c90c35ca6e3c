//! %TFG, %TCG, the hypotheses and the measures of single words, as rows (WiBeMT, section 3; specification, A6).

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Answer, ItemRef, Row};
use epicene_stats::{
    ZeroCells, bonferroni, chi_square, odds_ratio, phi, risk_difference, round_half_even, wilson,
};

use super::benchmark::CARD;
use super::clustered::{self, Sampled};
use super::counts::Counts;
use super::label::Label;
use super::sentences::{self, Sentence};
use super::{data, occupations, published};
use crate::options::INTERVAL;
use crate::{BenchError, Judged, Measured, RowWriter, Verdicts};

/// Confidence of the intervals.
const LEVEL: f64 = 0.95;

/// The counts of one system and language, by group (`verb:F`, `adjective:none`, `occupation:nurse`…).
pub type Groups = BTreeMap<String, Counts>;

/// Two conditions whose shares of female translations are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub name: &'static str,
    pub first: &'static str,
    pub second: &'static str,
}

const fn comparison(name: &'static str, first: &'static str, second: &'static str) -> Comparison {
    Comparison {
        name,
        first,
        second,
    }
}

/// H1 stands alone; the three of adjectives are corrected together.
pub(crate) const VERBS: [Comparison; 1] = [comparison("H1", "verb:F", "verb:M")];
pub(crate) const ADJECTIVES: [Comparison; 3] = [
    comparison("H2a", "adjective:F", "adjective:none"),
    comparison("H2b", "adjective:M", "adjective:none"),
    comparison("H2c", "adjective:F", "adjective:M"),
];
pub(crate) const THIRDS: [Comparison; 2] = [
    comparison("third:F-N", "third:F", "third:N"),
    comparison("third:F-M", "third:F", "third:M"),
];

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let sentences = sentences::read(&judged.table.items)?;
    let sampled = judged.options.get(&INTERVAL).is_clustered();
    let clusters = sampled.then(|| clustered::clusters(&sentences));
    let members = clustered::members(&sentences);
    let mut measured = Measured::default();
    let mut tests = BTreeSet::new();
    for (view, verdicts) in judged.columns() {
        let (system, unit) = (&view.system().name, view.column().unit.as_str());
        let (groups, unresolved) = count(&sentences, verdicts);
        let (mut rows, notes) = group_rows(system, unit, &groups)?;
        if let Some(clusters) = &clusters {
            let sampled = Sampled {
                clusters,
                sentences: &sentences,
                members: &members,
                verdicts: &verdicts.cells,
            };
            let made = sampled.fill(&mut rows, judged.options)?;
            tests.extend(made.made);
            if !made.lacking.is_empty() {
                measured.notes.push(format!(
                    "{system} {unit}: {} cannot be tested: too few occupations or words, or no spread between them",
                    made.lacking.join(", ")
                ));
            }
        } else if rows.iter().any(|row| row.metric == "p_value") {
            tests.insert((0, "chi2-yates".to_owned()));
        }
        let mut writer = RowWriter::new(&CARD, system, unit);
        measured.rows.extend(rows);
        measured.notes.extend(notes);
        let answered = verdicts.cells.iter().flatten().count() as u64;
        writer.push("all", "unresolved", unresolved as f64).n = Some(answered);
        let answers = view.column().answers.iter().flatten();
        let missing = answers.filter(|answer| **answer == Answer::Missing).count() as u64;
        if missing > 0 {
            writer.push("all", "missing", missing as f64).n = Some(answered);
        }
        let who = format!("{system} {unit}");
        if unresolved > 0 {
            measured.notes.push(format!(
                "{who}: {unresolved} of {answered} translations are left to a person and count as wrong; --unresolved FILE writes them, --input decisions=FILE reads the decisions"
            ));
        }
        if missing > 0 {
            measured.notes.push(format!(
                "{who}: {missing} of {answered} translations are missing"
            ));
        }
        measured.rows.extend(writer.rows);
    }
    // What was tested is signed, not what would have been.
    let tests: Vec<String> = tests.into_iter().map(|(_, name)| name).collect();
    let test = (!tests.is_empty()).then(|| ("test", tests.join("+")));
    match &clusters {
        None => {
            measured.how.extend(test);
            measured.how.push(("rates", "wilson".to_owned()));
        }
        Some(clusters) => {
            measured.how = clusters.how();
            let interval = ("interval", "wilson-two-way-t".to_owned());
            measured.how.push(interval);
            measured.how.extend(test);
        }
    }
    let mut measured = measured.or_nothing()?;
    // The paper's numbers are of its occupations.
    let own = |item: ItemRef<'_>| {
        let occupation = item.label(data::OCCUPATION);
        occupation.is_some_and(|name| occupations::find(name).is_none())
    };
    if !judged.table.items.iter().any(own) {
        measured.notes.extend(published::notes(&measured.rows));
    }
    Ok(measured)
}

/// Labels by group; what is left to a person counts as wrong, and how much of it there is.
fn count(sentences: &[Sentence], verdicts: &Verdicts) -> (Groups, u64) {
    let mut groups = Groups::new();
    let mut unresolved = 0;
    for (sentence, verdict) in sentences.iter().zip(&verdicts.cells) {
        let Some(verdict) = verdict else { continue };
        let label = Label::of(verdict.finding).unwrap_or_else(|| {
            unresolved += 1;
            Label::Wrong
        });
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
    (groups, unresolved)
}

/// The rows of all groups of one system and language, and what could not be tested.
pub fn group_rows(
    system: &str,
    unit: &str,
    groups: &Groups,
) -> Result<(Vec<Row>, Vec<String>), BenchError> {
    let mut rows = GroupRows {
        writer: RowWriter::new(&CARD, system, unit),
        notes: Vec::new(),
    };
    rows.groups(groups)?;
    Ok((rows.writer.rows, rows.notes))
}

/// The rows of one system and language.
struct GroupRows<'a> {
    writer: RowWriter<'a>,
    notes: Vec<String>,
}

impl GroupRows<'_> {
    /// A share in percent with Wilson's interval; nothing where there is nothing to share.
    fn percentage(
        &mut self,
        group: &str,
        metric: &str,
        (part, whole): (u64, u64),
    ) -> Result<(), BenchError> {
        if whole == 0 {
            return Ok(());
        }
        let interval = wilson(part, whole, LEVEL)?;
        let row = self
            .writer
            .push(group, metric, 100.0 * part as f64 / whole as f64);
        row.low = Some(100.0 * interval.low);
        row.high = Some(100.0 * interval.high);
        row.n = Some(whole);
        Ok(())
    }

    /// Everything there is to say about the groups.
    fn groups(&mut self, groups: &Groups) -> Result<(), BenchError> {
        for (group, counts) in groups {
            self.group(group, counts)?;
        }
        self.compare(groups, &VERBS, false)?;
        self.compare(groups, &ADJECTIVES, true)?;
        self.compare(groups, &THIRDS, false)
    }

    fn group(&mut self, group: &str, counts: &Counts) -> Result<(), BenchError> {
        self.percentage(group, "tfg", (counts.feminine(), counts.classified()))?;
        self.percentage(group, "tcg", counts.correct())?;
        if counts.correct().1 > 0 {
            let (tf, ff) = (counts.true_feminine, counts.false_feminine);
            let (tm, fm) = (counts.true_masculine, counts.false_masculine);
            self.percentage(group, "tcg_female", (tf, tf + fm))?;
            self.percentage(group, "tcg_male", (tm, tm + ff))?;
            for (metric, count) in [
                ("true_feminine", tf),
                ("false_masculine", fm),
                ("true_masculine", tm),
                ("false_feminine", ff),
            ] {
                self.writer.push(group, metric, count as f64).n = Some(counts.total());
            }
        }
        for (metric, count) in [
            ("female", counts.feminine()),
            ("male", counts.masculine()),
            ("neutral", counts.neutral),
            ("wrong", counts.wrong),
        ] {
            self.writer.push(group, metric, count as f64).n = Some(counts.total());
        }
        for (metric, value) in counts.further() {
            self.writer.push(group, metric, value).n = Some(counts.total());
        }
        Ok(())
    }

    /// Chi-square with Yates' correction; effects with intervals. A table with an empty margin is not tested.
    fn compare(
        &mut self,
        groups: &Groups,
        comparisons: &[Comparison],
        corrected: bool,
    ) -> Result<(), BenchError> {
        for comparison in comparisons {
            let (Some(first), Some(second)) =
                (groups.get(comparison.first), groups.get(comparison.second))
            else {
                continue;
            };
            let table = [first.row(), second.row()];
            let Ok(test) = chi_square(&table, true) else {
                self.notes.push(format!(
                    "{} {}: {} cannot be tested: no translation is female, male, or in one of the two groups",
                    self.writer.system, self.writer.unit, comparison.name
                ));
                continue;
            };
            let n = Some(first.classified() + second.classified());
            let name = comparison.name;
            self.writer.push(name, "chi2", test.statistic).n = n;
            let row = self.writer.push(name, "p_value", test.p_value);
            row.n = n;
            if corrected {
                let mut all = vec![1.0; ADJECTIVES.len()];
                all[0] = test.p_value;
                let adjusted = bonferroni(&all)?[0];
                self.writer.push(name, "p_bonferroni", adjusted).n = n;
            }
            let odds = odds_ratio(table, ZeroCells::AddHalf, LEVEL)?;
            let row = self.writer.push(name, "odds_ratio", odds.value);
            (row.low, row.high) = (Some(odds.interval.low), Some(odds.interval.high));
            row.n = n;
            let difference = risk_difference(
                (first.feminine(), first.classified()),
                (second.feminine(), second.classified()),
                LEVEL,
            )?;
            let row = self
                .writer
                .push(name, "delta_tfg", 100.0 * difference.value);
            row.low = Some(100.0 * difference.interval.low);
            row.high = Some(100.0 * difference.interval.high);
            row.n = n;
            let phi = round_half_even(phi(table)?, 12);
            let row = self.writer.push(name, "phi", phi);
            row.n = n;
        }
        Ok(())
    }
}
