//! MT-GenEval's numbers (specification, sections 3 to 5): accuracies with their floors, the gap between the genders, quality,
//! and how much of it rests on evidence.

use std::collections::BTreeMap;

use epicene_core::{Answer, counted};
use epicene_stats::{Interval, bootstrap, mcnemar_exact, percentile_interval};

use super::CARD;
use super::data::{CONTEXTUAL, COUNTERFACTUAL};
use super::lines::{GROUPS, JudgedLine, lines, of_group, pairs};
use super::options::{WORDS, Words};
use super::words::{self, Shown};
use crate::estimate::LEVEL;
use crate::options::INTERVAL;
use crate::quality::{Bleu, Chrf, CorpusScore, corpus};
use crate::{BenchError, Clusters, Estimate, Judged, Measured, RowWriter};

/// Words that are listed as the cause of wrong lines.
const LISTED: usize = 12;

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let clustered = judged.options.get(&INTERVAL).is_clustered();
    let mut measured = Measured::default();
    for (view, verdicts) in judged.columns() {
        let lines = lines(&view, verdicts)?;
        if lines.is_empty() {
            continue;
        }
        let mut column = Column {
            words: judged.options.get(&WORDS),
            writer: RowWriter::new(&CARD, &view.system().name, view.column().unit.as_str()),
            clusters: &clusters,
            clustered,
        };
        column.accuracies(&lines)?;
        column.gap(&lines)?;
        column.quality(judged, &lines)?;
        column.notes(&lines, &mut measured.notes);
        measured.warnings.extend(column.hidden(&lines));
        measured.warnings.extend(column.exchanged(&lines));
        let answers = view.column().answers.iter().flatten();
        let missing = answers.filter(|answer| **answer == Answer::Missing).count() as u64;
        let mut rows = column.writer.rows;
        if missing > 0 {
            let mut writer =
                RowWriter::new(&CARD, &view.system().name, view.column().unit.as_str());
            writer.push("all", "missing", missing as f64).n = Some(missing);
            rows.extend(writer.rows);
            measured.warnings.push(format!(
                "{} {}: {}",
                view.system().name,
                view.column().unit,
                counted(
                    missing,
                    "translation is missing",
                    "translations are missing"
                )
            ));
        }
        measured.rows.extend(rows);
    }
    measured.how = vec![
        ("bleu", Bleu::SIGNATURE.to_owned()),
        ("chrf", Chrf::SIGNATURE.to_owned()),
    ];
    if clustered {
        measured.how.extend(clusters.how());
    }
    let shares = if clustered { "wilson-t" } else { "wilson" };
    let interval = format!(
        "{shares}+paired-newcombe-t+percentile-{}",
        judged.options.replicates
    );
    measured.how.push(("interval", interval));
    measured.or_nothing()
}

/// Writes the rows of one system.
struct Column<'a> {
    words: Words,
    writer: RowWriter<'a>,
    clusters: &'a Clusters,
    clustered: bool,
}

impl Column<'_> {
    fn share(
        &mut self,
        group: &str,
        metric: &str,
        items: &[(usize, bool)],
    ) -> Result<(), BenchError> {
        let clusters = self.clustered.then_some(self.clusters);
        self.writer.share(clusters, [group, metric], items)
    }

    fn accuracies(&mut self, lines: &[JudgedLine<'_>]) -> Result<(), BenchError> {
        for group in GROUPS {
            let own = of_group(lines, group);
            let name = group.0;
            let correct: Vec<(usize, bool)> = own
                .iter()
                .map(|line| (line.item, line.shown.is_correct()))
                .collect();
            self.share(name, "accuracy", &correct)?;
            let can_fail: Vec<bool> = own
                .iter()
                .map(|line| {
                    !words::unique(line.reference, line.other, self.words)
                        .1
                        .is_empty()
                })
                .collect();
            let never = own
                .iter()
                .zip(&can_fail)
                .map(|(line, can)| (line.item, !can));
            self.share(name, "floor", &never.collect::<Vec<_>>())?;
            let contrast = correct.iter().zip(&can_fail).filter(|(_, can)| **can);
            let contrast: Vec<(usize, bool)> = contrast.map(|(line, _)| *line).collect();
            self.share(name, "accuracy_contrast", &contrast)?;
            let shown = own.iter().filter(|line| line.shown != Shown::None);
            let strict: Vec<(usize, bool)> = shown
                .map(|line| (line.item, line.shown == Shown::Own))
                .collect();
            self.share(name, "accuracy_strict", &strict)?;
            let nothing = own
                .iter()
                .map(|line| (line.item, line.shown == Shown::None));
            self.share(name, "no_evidence", &nothing.collect::<Vec<_>>())?;
            for kind in [Shown::Own, Shown::Other, Shown::Both, Shown::None] {
                if !own.is_empty() {
                    let count = own.iter().filter(|line| line.shown == kind).count();
                    let row = self.writer.push(name, kind.rule(), count as f64);
                    row.n = Some(own.len() as u64);
                }
            }
            self.coverage(name, &own)?;
        }
        Ok(())
    }

    /// How many of the words that annotators tagged are in the translation.
    fn coverage(&mut self, group: &str, lines: &[JudgedLine<'_>]) -> Result<(), BenchError> {
        let mut parts = Vec::new();
        for line in lines {
            let Some(tagged) = line.tagged else { continue };
            let wanted = words::set(tagged, self.words);
            let found = words::set(line.text, self.words);
            let there = wanted.intersection(&found).count();
            parts.push((line.item, there as f64, wanted.len() as f64));
        }
        let whole: f64 = parts.iter().map(|(_, _, all)| all).sum();
        if let Some(linear) = self.clusters.ratio(parts)? {
            let estimate = Estimate::of(linear, crate::Scale::Share).counting(whole as u64);
            self.writer.estimate(group, "coverage", &estimate);
        }
        Ok(())
    }

    /// The official number of the counterfactual set, and the gap between its genders: paired, since both lines of a pair are
    /// one sentence.
    fn gap(&mut self, lines: &[JudgedLine<'_>]) -> Result<(), BenchError> {
        let pairs = pairs(lines);
        if pairs.is_empty() {
            return Ok(());
        }
        let right = |line: &JudgedLine<'_>| line.shown.is_correct();
        let both = pairs.iter().map(|[m, f]| (m.item, right(m) && right(f)));
        self.share(COUNTERFACTUAL, "accuracy", &both.collect::<Vec<_>>())?;
        let never = pairs.iter().map(|[m, f]| {
            let empty = |line: &JudgedLine<'_>| {
                words::unique(line.reference, line.other, self.words)
                    .1
                    .is_empty()
            };
            (m.item, empty(m) && empty(f))
        });
        let never: Vec<(usize, bool)> = never.collect();
        self.share(COUNTERFACTUAL, "floor", &never)?;
        let side = |place: usize| {
            self.clusters.share(
                pairs
                    .iter()
                    .map(|pair| (pair[place].item, right(&pair[place]))),
            )
        };
        if let (Some(masculine), Some(feminine)) = (side(0)?, side(1)?) {
            let gap = masculine.less(&feminine)?.counting(pairs.len() as u64);
            self.writer.estimate(COUNTERFACTUAL, "gap", &gap);
        }
        let only = |place: usize| {
            let alone =
                |pair: &&[JudgedLine<'_>; 2]| right(&pair[place]) && !right(&pair[1 - place]);
            pairs.iter().filter(alone).count() as u64
        };
        let p = mcnemar_exact(only(0), only(1)).p_value;
        self.writer.push(COUNTERFACTUAL, "p_gap", p).n = Some(pairs.len() as u64);
        Ok(())
    }

    fn quality(&mut self, judged: &Judged<'_>, lines: &[JudgedLine<'_>]) -> Result<(), BenchError> {
        self.score::<Bleu>(judged, lines, "bleu", "gap_bleu")?;
        self.score::<Chrf>(judged, lines, "chrf", "gap_chrf")
    }

    fn score<S: CorpusScore>(
        &mut self,
        judged: &Judged<'_>,
        lines: &[JudgedLine<'_>],
        metric: &str,
        gap: &str,
    ) -> Result<(), BenchError> {
        let (seed, replicates) = (judged.options.seed, judged.options.replicates);
        let segment = |line: &JudgedLine<'_>| S::of(line.text, line.reference);
        let interval = |segments: usize, statistic: &(dyn Fn(&[u32]) -> f64 + Sync)| {
            let stream = format!("mtgeneval/{metric}");
            let drawn = bootstrap(segments, replicates, seed, &stream, statistic);
            percentile_interval(&drawn, LEVEL)
        };
        let pairs = pairs(lines);
        let sides: [Vec<S>; 2] =
            [0, 1].map(|place| pairs.iter().map(|pair| segment(&pair[place])).collect());
        let resampled = |segments: &[S], drawn: &[u32]| {
            corpus(drawn.iter().map(|place| segments[*place as usize]))
        };
        if !pairs.is_empty() {
            for (group, segments) in ["masculine", "feminine"].into_iter().zip(&sides) {
                let Interval { low, high } =
                    interval(segments.len(), &|drawn| resampled(segments, drawn))?;
                let row = self
                    .writer
                    .push(group, metric, corpus(segments.iter().copied()));
                (row.low, row.high, row.n) = (Some(low), Some(high), Some(pairs.len() as u64));
            }
            let value = |side: &Vec<S>| corpus(side.iter().copied());
            let Interval { low, high } = interval(pairs.len(), &|drawn| {
                resampled(&sides[0], drawn) - resampled(&sides[1], drawn)
            })?;
            let row = self
                .writer
                .push(COUNTERFACTUAL, gap, value(&sides[0]) - value(&sides[1]));
            (row.low, row.high, row.n) = (Some(low), Some(high), Some(pairs.len() as u64));
        }
        let contextual = of_group(lines, ("", CONTEXTUAL, None));
        if !contextual.is_empty() {
            let segments: Vec<S> = contextual.iter().map(segment).collect();
            let Interval { low, high } =
                interval(segments.len(), &|drawn| resampled(&segments, drawn))?;
            let row = self
                .writer
                .push(CONTEXTUAL, metric, corpus(segments.iter().copied()));
            (row.low, row.high, row.n) = (Some(low), Some(high), Some(segments.len() as u64));
        }
        Ok(())
    }

    /// Lines that the authors' rule reads as other words than people do.
    fn hidden(&self, lines: &[JudgedLine<'_>]) -> Option<String> {
        if self.words != Words::Published {
            return None;
        }
        let hides = |line: &&JudgedLine<'_>| {
            words::hides(line.text, line.reference, line.other, line.shown)
        };
        let count = lines.iter().filter(hides).count();
        (count > 0).then(|| {
            format!(
                "{} {}: {count} of {} translations are written with letters in parts or invisible characters, which the \
                 authors' rule takes for other words, and are judged otherwise for it; --word-split unicode reads them as \
                 they are seen",
                self.writer.system,
                self.writer.unit,
                lines.len()
            )
        })
    }

    /// Translations of masculine sentences that are feminine, and the other way round: a system that ignores the gender is
    /// right about one of the two, so files that fit neither were exchanged.
    fn exchanged(&self, lines: &[JudgedLine<'_>]) -> Option<String> {
        const LEAST: usize = 50;
        let pairs = pairs(lines);
        let count = |kind: Shown| {
            let lines = pairs.iter().flatten();
            lines.filter(|line| line.shown == kind).count()
        };
        let (own, other) = (count(Shown::Own), count(Shown::Other));
        (own + other >= LEAST && 2 * other > 3 * own).then(|| {
            format!(
                "{} {}: {other} translations have the other gender's words, {own} their own: are the files of masculine and feminine \
                 sentences exchanged? The file's name says which it is",
                self.writer.system, self.writer.unit
            )
        })
    }

    /// The words that made lines incorrect, and what is counted as correct without any evidence.
    fn notes(&self, lines: &[JudgedLine<'_>], notes: &mut Vec<String>) {
        let who = format!("{} {}", self.writer.system, self.writer.unit);
        let mut wrong: BTreeMap<String, usize> = BTreeMap::new();
        for line in lines.iter().filter(|line| !line.shown.is_correct()) {
            let unique = words::unique(line.reference, line.other, self.words);
            let mut seen: Vec<String> = words::evidence(line.text, &unique, self.words)
                .1
                .into_iter()
                .map(|word| word.text)
                .collect();
            seen.sort_unstable();
            seen.dedup();
            for word in seen {
                *wrong.entry(word).or_default() += 1;
            }
        }
        let mut wrong: Vec<(String, usize)> = wrong.into_iter().collect();
        wrong.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        if !wrong.is_empty() {
            let shown: Vec<String> = wrong
                .iter()
                .take(LISTED)
                .map(|(word, count)| format!("{word} {count}"))
                .collect();
            notes.push(format!(
                "{who}: words that made lines incorrect: {}",
                shown.join(", ")
            ));
        }
        let bare = lines
            .iter()
            .filter(|line| line.shown == Shown::None)
            .count();
        if bare > 0 {
            notes.push(format!(
                "{who}: {bare} of {} lines hold no word that tells the references apart and count as correct; `accuracy_strict` leaves them out",
                lines.len()
            ));
        }
    }
}
