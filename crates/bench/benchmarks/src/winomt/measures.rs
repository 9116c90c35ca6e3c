//! Measures of one system and language, and of two systems on the same sentences (specification, B4).

use epicene_core::{Answer, Items, counted};
use epicene_stats::{mcnemar_exact, risk_difference, wilson};

use super::benchmark::CARD;
use super::clustered::{self, Sampled};
use super::data;
use super::human::HumanLabels;
use super::judging::{HUMAN, IGNORED, TAGS, UNALIGNED, UNKNOWN_TIMES, UNKNOWN_WORDS};
use super::metrics::{Confusion, delta_s};
use super::prediction::{Gold, Prediction};
use super::published::reads_tags;
use super::rows::{LEVEL, SetRows};
use crate::fixed_gender::{self, IGNORE_FIXED};
use crate::options::{DETECTOR, DetectorRules, INTERVAL};
use crate::{BenchError, Clusters, ColumnView, Judged, Measured, RowWriter, Verdicts};

pub fn golds(items: &Items) -> Result<Vec<Gold>, BenchError> {
    items
        .iter()
        .map(|item| {
            let gold = item.label(data::GOLD).and_then(|gold| gold.parse().ok());
            gold.ok_or_else(|| BenchError::BadItem {
                item: item.id.to_owned(),
                message: "it has no gender".to_owned(),
            })
        })
        .collect()
}

/// Predictions of one column by item; none where there is no translation, or the person is left out.
pub fn predictions(view: &ColumnView<'_>, verdicts: &Verdicts) -> Vec<Option<Prediction>> {
    let cells = verdicts.cells.iter().enumerate();
    cells
        .map(|(item, verdict)| {
            view.text(item)?;
            let verdict = verdict.as_ref()?;
            (verdict.rule != fixed_gender::IGNORED).then(|| Prediction::of(verdict.finding))
        })
        .collect()
}

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let golds = golds(&judged.table.items)?;
    let clusters = if judged.options.get(&INTERVAL).is_clustered() {
        Some(Clusters::of(judged)?)
    } else {
        None
    };
    let mut how = clusters.as_ref().map_or_else(Vec::new, Clusters::how);
    let interval = match clusters {
        Some(_) => "wilson-t+newcombe".to_owned(),
        None => format!("wilson+bootstrap-{}", judged.options.replicates),
    };
    how.push(("interval", interval));
    let mut measured = Measured {
        how,
        ..Measured::default()
    };
    for (view, verdicts) in judged.columns() {
        let place = (&view, verdicts);
        measure_column(judged, place, &golds, clusters.as_ref(), &mut measured)?;
    }
    super::places::add(&mut measured, judged);
    measured.or_nothing()
}

fn measure_column(
    judged: &Judged<'_>,
    (view, verdicts): (&ColumnView<'_>, &Verdicts),
    golds: &[Gold],
    clusters: Option<&Clusters>,
    measured: &mut Measured,
) -> Result<(), BenchError> {
    let predictions = predictions(view, verdicts);
    let confusion = |keep: &dyn Fn(usize) -> bool| {
        let mut confusion = Confusion::default();
        for (item, prediction) in predictions.iter().enumerate() {
            if let Some(prediction) = prediction
                && keep(item)
            {
                confusion.add(golds[item], *prediction);
            }
        }
        confusion
    };
    let whole = confusion(&|_| true);
    if whole.total() == 0 {
        return Ok(());
    }
    let in_set = |item: usize, set: &str| view.items().get(item).label(data::SET) == Some(set);
    let pro = confusion(&|item| in_set(item, "pro"));
    let anti = confusion(&|item| in_set(item, "anti"));
    let mut rows = SetRows {
        writer: RowWriter::new(&CARD, &view.system().name, view.column().unit.as_str()),
    };
    rows.set("all", &whole)?;
    if clusters.is_none() {
        rows.spread(golds, &predictions, judged.options)?;
    }
    for (group, confusion) in [("set:pro", &pro), ("set:anti", &anti)] {
        if confusion.total() > 0 {
            rows.set(group, confusion)?;
        }
    }
    if let Some(value) = delta_s(&pro, &anti) {
        let difference = risk_difference(
            (pro.correct(), pro.total()),
            (anti.correct(), anti.total()),
            LEVEL,
        )?;
        let row = rows.writer.push("all", "delta_s", value);
        row.low = Some(100.0 * difference.interval.low);
        row.high = Some(100.0 * difference.interval.high);
        row.n = Some(pro.total() + anti.total());
    }
    let language = view.language();
    if reads_tags(language)
        && judged.options.get(&DETECTOR) == DetectorRules::Published
        && view.input(TAGS, judged.options).is_none()
    {
        measured.warnings.push(format!(
            "{} {}: the authors read the genders that spaCy gave to words; without them articles decide, and accuracy \
             is up to 12 points from theirs; give --input tags:{language}=FILE, or take --detector epicene",
            rows.writer.system, rows.writer.unit
        ));
    }
    rows.professions(view.items(), golds, &predictions, &mut measured.notes);
    if let Some(clusters) = clusters {
        let sampled = Sampled {
            clusters,
            view: *view,
            golds,
            predictions: &predictions,
        };
        sampled.fill(&mut rows.writer)?;
    }
    notes(
        judged,
        view,
        verdicts,
        &mut rows.writer,
        &mut measured.notes,
    )?;
    measured.rows.extend(rows.writer.rows);
    Ok(())
}

/// Human agreement, missing translations, words no file knows.
fn notes(
    judged: &Judged<'_>,
    view: &ColumnView<'_>,
    verdicts: &Verdicts,
    writer: &mut RowWriter<'_>,
    notes: &mut Vec<String>,
) -> Result<(), BenchError> {
    let who = format!("{} {}", writer.system, writer.unit);
    let answers = || view.column().answers.iter().flatten();
    let missing = answers()
        .filter(|answer| **answer == Answer::Missing)
        .count() as u64;
    if missing > 0 {
        writer.push("all", "missing", missing as f64).n = Some(answers().count() as u64);
        notes.push(format!(
            "{who}: {}",
            counted(
                missing,
                "translation is missing",
                "translations are missing"
            )
        ));
    }
    let count = |name: &str| verdicts.counts.get(name).copied().unwrap_or(0);
    let ignored = count(IGNORED);
    if ignored > 0 {
        writer.push("all", "ignored", ignored as f64).n = Some(answers().count() as u64);
        notes.push(format!(
            "{who}: {}: their person's word has one gender for women and men, or they give none",
            counted(ignored, "sentence does not count", "sentences do not count")
        ));
    } else if judged.options.get(&IGNORE_FIXED) {
        notes.push(format!(
            "{who}: --ignore-fixed has a list for Czech and Polish; nothing is left out here"
        ));
    }
    let unaligned = count(UNALIGNED);
    if unaligned > 0 {
        let total = answers().count() as u64 - missing;
        writer.push("all", "unaligned", unaligned as f64).n = Some(total);
        notes.push(format!(
            "{who}: in {unaligned} of {total} translations no word was found for the person"
        ));
    }
    let (words, times) = (count(UNKNOWN_WORDS), count(UNKNOWN_TIMES));
    if words > 0 {
        writer.push("all", "unknown_words", words as f64).n = Some(times);
        notes.push(format!(
            "{who}: {} ({})",
            counted(
                words,
                "aligned word is not in the file of genders and counts as none",
                "aligned words are not in the file of genders and count as none"
            ),
            counted(times, "time", "times")
        ));
    }
    let Some(file) = view.input(HUMAN, judged.options) else {
        return Ok(());
    };
    let labels = HumanLabels::read(file)?;
    let agreement = labels.agreement(|item| {
        let verdict = verdicts.cells.get(item)?.as_ref()?;
        Some((view.text(item)?, Prediction::of(verdict.finding)))
    });
    if agreement.usable > 0 {
        let share = agreement.equal as f64 / agreement.usable as f64;
        let interval = wilson(agreement.equal, agreement.usable, LEVEL)?;
        let row = writer.push("all", "human_agreement", share);
        (row.low, row.high) = (Some(interval.low), Some(interval.high));
        row.n = Some(agreement.usable);
        for (label, prediction, count) in agreement.cells() {
            let group = format!("human:{label}");
            let row = writer.push(&group, prediction.name(), count as f64);
            row.n = Some(agreement.labelled(label));
        }
        notes.push(format!(
            "{who}: the detector agrees with the annotators on {} of {} labelled translations ({:.2})",
            agreement.equal, agreement.usable, share
        ));
    }
    if agreement.other_text > 0 {
        notes.push(format!(
            "{who}: {} labelled translations are not among those that were measured",
            agreement.other_text
        ));
    }
    Ok(())
}

/// Accuracy on the same sentences, second less first.
pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let golds = golds(&judged.table.items)?;
    if judged.options.get(&INTERVAL).is_clustered() {
        clustered::compare(judged, &golds, first, second)
    } else {
        by_sentence(judged, &golds, first, second)
    }
}

/// Sentence by sentence: McNemar's exact test.
fn by_sentence(
    judged: &Judged<'_>,
    golds: &[Gold],
    first: usize,
    second: usize,
) -> Result<Measured, BenchError> {
    let system = judged.difference(first, second);
    let mut measured = Measured {
        how: vec![
            ("test", "mcnemar-exact".to_owned()),
            ("interval", "risk-difference".to_owned()),
        ],
        ..Measured::default()
    };
    for [(view, ours), (other, theirs)] in judged.pairs(first, second) {
        let (a, b) = (predictions(&view, ours), predictions(&other, theirs));
        let mut both = [[0u64; 2]; 2];
        for (item, gold) in golds.iter().enumerate() {
            if let (Some(a), Some(b)) = (a[item], b[item]) {
                let right = |prediction| usize::from(prediction == gold.prediction());
                both[right(a)][right(b)] += 1;
            }
        }
        let n: u64 = both.iter().flatten().sum();
        if n == 0 {
            continue;
        }
        let difference = risk_difference(
            (both[0][1] + both[1][1], n),
            (both[1][0] + both[1][1], n),
            LEVEL,
        )?;
        let mut writer = RowWriter::new(&CARD, &system, view.column().unit.as_str());
        let row = writer.push("all", "delta_acc", 100.0 * difference.value);
        row.low = Some(100.0 * difference.interval.low);
        row.high = Some(100.0 * difference.interval.high);
        row.n = Some(n);
        let p_value = mcnemar_exact(both[1][0], both[0][1]).p_value;
        writer.push("all", "p_value", p_value).n = Some(n);
        measured.rows.extend(writer.rows);
    }
    if measured.rows.is_empty() {
        Err(judged.incomparable(first, second, "they share no language"))
    } else {
        Ok(measured)
    }
}
