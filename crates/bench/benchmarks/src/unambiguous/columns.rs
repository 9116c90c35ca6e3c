//! All columns of a run: the rows of each, what languages say together, and two systems side by side.

use std::collections::BTreeMap;

use epicene_core::{Answer, Outcome, Verdict};
use epicene_stats::{mcnemar_exact, normal_quantile};
use rayon::prelude::*;

use super::cells::Cells;
use super::clustered::Occupations;
use super::judging::FOUND_BY_LEXICON;
use super::labels::Grouping;
use super::measures::{self, LEVEL};
use super::options::LABELLED_ONLY;
use super::sentences::Sentences;
use super::{CARD, author_files, figures, published};
use crate::options::INTERVAL;
use crate::{BenchError, ColumnView, Contrasts, How, Judged, Measured, RowWriter, Verdicts};

/// Below this share of masculine and feminine tags a language says nothing (specification, 8).
const EVALUABLE: f64 = 0.2;

/// One column with its outcomes.
struct Counted<'a> {
    view: ColumnView<'a>,
    verdicts: &'a Verdicts,
    cells: Cells,
}

fn counted<'a>(judged: &Judged<'a>, sentences: &Sentences) -> Vec<Counted<'a>> {
    let columns = judged.columns();
    columns
        .map(|(view, verdicts)| Counted {
            view,
            verdicts,
            cells: Cells::count(sentences, &verdicts.cells),
        })
        .collect()
}

impl Counted<'_> {
    fn answered(&self) -> u64 {
        self.verdicts.cells.iter().flatten().count() as u64
    }

    /// The share of occupations that are masculine or feminine.
    fn gendered(&self) -> f64 {
        let verdicts = self.verdicts.cells.iter().flatten();
        let gendered = verdicts.filter(|verdict| verdict.finding.gender().is_some());
        gendered.count() as f64 / self.answered().max(1) as f64
    }

    fn is_evaluable(&self) -> bool {
        self.answered() > 0 && self.gendered() >= EVALUABLE
    }
}

/// How it was measured; that the labelled occupation alone counts is named where words were chosen.
fn how(judged: &Judged<'_>, occupations: Option<&Occupations>) -> How {
    let mut how = match occupations {
        Some(occupations) => {
            let mut how = occupations.clusters().how();
            how.push(("interval", "wilson-t+newcombe".to_owned()));
            how
        }
        None => vec![
            ("rates", "wilson".to_owned()),
            (
                "bootstrap",
                format!("occupations-{}", judged.options.replicates),
            ),
        ],
    };
    how.extend(labelled(judged));
    how
}

fn labelled(judged: &Judged<'_>) -> Option<(&'static str, String)> {
    let labelled = judged.options.get(&LABELLED_ONLY) && picks(judged);
    labelled.then(|| ("occupation", "labelled".to_owned()))
}

/// Whether one of several words was picked; the default judge looks at the labelled occupation alone.
fn picks(judged: &Judged<'_>) -> bool {
    let picks = |verdicts: &Verdicts| verdicts.how.iter().any(|(name, _)| *name == "pick");
    judged.verdicts.iter().any(picks)
}

/// Share of sentences decided beyond the paper's tagger that people are warned of.
const BEYOND: f64 = 0.02;

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let sentences = Sentences::of(&judged.table.items)?;
    let all = counted(judged, &sentences);
    let cells = all.iter().map(|column| &column.cells);
    let sampled = judged.options.get(&INTERVAL).is_clustered();
    let occupations = sampled.then(|| Occupations::of(&sentences, cells));
    let mut measured = Measured {
        how: how(judged, occupations.as_ref()),
        ..Measured::default()
    };
    for column in &all {
        let occupations = occupations.as_ref();
        column_rows(judged, &sentences, column, occupations, &mut measured)?;
    }
    for (number, system) in judged.table.systems.iter().enumerate() {
        let own = all
            .iter()
            .filter(|column| column.view.column().system == number && column.is_evaluable());
        let languages: Vec<&Cells> = own.map(|column| &column.cells).collect();
        if !languages.is_empty() {
            let rows = figures::rows(&system.name, &sentences, &languages, judged.options)?;
            measured.rows.extend(rows);
        }
    }
    let mut measured = measured.or_nothing()?;
    let mut languages = Vec::new();
    for column in &all {
        let language = column.view.language();
        if !languages.contains(&language) {
            languages.push(language);
            measured.notes.extend(published::note(language.code()));
        }
    }
    measured.notes.extend(cooks(judged, &sentences));
    Ok(measured)
}

/// An occupation that is a verb as well makes its sentences ambiguous.
fn cooks(judged: &Judged<'_>, sentences: &Sentences) -> Option<String> {
    let items = 0..judged.table.items.len();
    let count = items
        .filter(|item| sentences.get(*item).verb == Some("cook"))
        .count();
    (count > 0 && picks(judged) && !judged.options.get(&LABELLED_ONLY)).then(|| {
        format!(
            "{} \"… who can cook\": as published, the verb may stand for an occupation there and leave them \
             inconclusive; --labelled-only takes the labelled occupation",
            epicene_core::counted(count, "sentence says", "sentences say")
        )
    })
}

fn column_rows(
    judged: &Judged<'_>,
    sentences: &Sentences,
    column: &Counted<'_>,
    occupations: Option<&Occupations>,
    measured: &mut Measured,
) -> Result<(), BenchError> {
    let view = &column.view;
    let (system, unit) = (&view.system().name, view.column().unit.as_str());
    let mut writer = RowWriter::new(&CARD, system, unit);
    let rows = measures::Rows {
        writer: &mut writer,
        items: sentences,
        cells: &column.cells,
        occupations,
    };
    measures::rows(rows, judged.options)?;
    let (answered, share) = (column.answered(), column.gendered());
    writer.push("all", "gendered", share).n = Some(answered);
    if let Some(left_open) = published::left_open(view.language().code())
        && column
            .verdicts
            .how
            .contains(&("judge", "occupation-published".to_owned()))
    {
        let own = writer
            .rows
            .iter()
            .find(|row| row.group == "all" && row.metric == "na");
        let own = own.expect("every column has its share of N/A").value;
        let beyond = ((left_open - own) * answered as f64).round().max(0.0);
        if beyond > BEYOND * answered as f64 {
            writer.push("all", "decided_beyond_paper", beyond).n = Some(answered);
            measured.warnings.push(format!(
                "{system} {unit}: the paper's tagger gave no gender for {left_open:.2} of its translations, these rules \
                 for {own:.2}; about {beyond:.0} sentences are decided here that the paper left open, so `correct` \
                 and `wrong` are not on its scale"
            ));
        }
    }
    let mut note = |text: String| measured.notes.push(format!("{system} {unit}: {text}"));
    if share < EVALUABLE {
        note(format!(
            "not evaluable: only {:.0} % of the occupations are masculine or feminine",
            100.0 * share
        ));
    }
    if let Some(count) = column.verdicts.counts.get(FOUND_BY_LEXICON) {
        writer.push("all", FOUND_BY_LEXICON, *count as f64).n = Some(answered);
    }
    let count = |is: fn(&Answer) -> bool| {
        let answers = view.column().answers.iter().flatten();
        answers.filter(|answer| is(answer)).count()
    };
    let missing = count(|answer| *answer == Answer::Missing);
    let empty =
        count(|answer| matches!(answer, Answer::Translation(text) if text.trim().is_empty()));
    for (metric, count) in [("missing", missing), ("empty", empty)] {
        if count > 0 {
            writer.push("all", metric, count as f64).n = Some(answered);
            note(format!("{count} of {answered} translations are {metric}"));
        }
    }
    measured.rows.extend(writer.rows);
    Ok(())
}

/// Differences in accuracy on the sentences both translated, second less first.
pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    if !judged.options.get(&INTERVAL).is_clustered() {
        return by_sentence(judged, first, second);
    }
    let sentences = Sentences::of(&judged.table.items)?;
    let mut both = Vec::new();
    for [(view, ours), (_, theirs)] in judged.pairs(first, second) {
        let common = |own: &Verdicts, other: &Verdicts| {
            let cells = own.cells.iter().zip(&other.cells);
            let cells: Vec<Option<Verdict>> = cells
                .map(|(own, other)| own.clone().filter(|_| other.is_some()))
                .collect();
            Cells::count(&sentences, &cells)
        };
        both.push((view, [common(ours, theirs), common(theirs, ours)]));
    }
    let occupations = Occupations::of(&sentences, both.iter().flat_map(|(_, cells)| cells));
    let mut contrasts = Contrasts::new(judged, first, second);
    for (view, cells) in &both {
        let [a, b] = cells
            .each_ref()
            .map(|cells| occupations.correct(Some(&cells.whole())));
        if let (Some(a), Some(b)) = (a?, b?) {
            let unit = view.column().unit.as_str();
            let metrics = ("delta_correct", "p_value");
            contrasts.push((unit, "all"), metrics, [a, b], (1.0, true));
        }
    }
    contrasts.measured(
        occupations.clusters(),
        labelled(judged).into_iter().collect(),
    )
}

/// Sentence by sentence, with McNemar's test.
fn by_sentence(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let name = judged.difference(first, second);
    let mut measured = Measured {
        how: vec![
            ("test", "mcnemar-exact".to_owned()),
            ("interval", "paired-normal".to_owned()),
        ],
        ..Measured::default()
    };
    measured.how.extend(labelled(judged));
    for [(view, ours), (_, theirs)] in judged.pairs(first, second) {
        let right = |verdict: &Verdict| verdict.outcome == Some(Outcome::Correct);
        let (mut only_first, mut only_second, mut n) = (0, 0, 0u64);
        for pair in ours.cells.iter().zip(&theirs.cells) {
            let (Some(a), Some(b)) = pair else { continue };
            n += 1;
            match (right(a), right(b)) {
                (true, false) => only_first += 1,
                (false, true) => only_second += 1,
                _ => {}
            }
        }
        if n == 0 {
            continue;
        }
        let mut writer = RowWriter::new(&CARD, &name, view.column().unit.as_str());
        let (b, c, total) = (only_first as f64, only_second as f64, n as f64);
        let difference = (c - b) / total;
        let spread = ((b + c) / total - difference * difference).max(0.0) / total;
        let half = normal_quantile(LEVEL)? * spread.sqrt();
        let row = writer.push("all", "delta_correct", difference);
        (row.low, row.high) = (Some(difference - half), Some(difference + half));
        row.n = Some(n);
        let test = mcnemar_exact(only_first, only_second);
        writer.push("all", "p_value", test.p_value).n = Some(only_first + only_second);
        measured.rows.extend(writer.rows);
    }
    if measured.rows.is_empty() {
        Err(judged.incomparable(first, second, "they share no language"))
    } else {
        Ok(measured)
    }
}

/// The authors' analysis files of every column.
pub fn author_files(judged: &Judged<'_>) -> Result<Vec<(String, String)>, BenchError> {
    let sentences = Sentences::of(&judged.table.items)?;
    let mut tables: BTreeMap<String, String> = BTreeMap::new();
    let mut files: Vec<(String, String)> = Vec::new();
    for column in counted(judged, &sentences) {
        let (system, language) = (&column.view.system().name, column.view.language());
        let cells = &column.cells;
        let mut texts: Vec<(String, String)> = Grouping::ALL
            .par_iter()
            .map(|grouping| {
                let name = format!("{system}.{language}.{}.txt", grouping.name());
                (name, author_files::text(&sentences, cells, *grouping))
            })
            .collect();
        files.append(&mut texts);
        let name = format!("{system}.{language}.scores");
        files.push((name, author_files::scores(&sentences, cells)));
        let table = tables
            .entry(format!("{system}.analysis.tsv"))
            .or_insert_with(|| author_files::TABLE_HEADER.to_owned());
        table.push_str(&author_files::table_lines(
            &sentences,
            cells,
            language.code(),
        ));
    }
    files.extend(tables);
    Ok(files)
}
