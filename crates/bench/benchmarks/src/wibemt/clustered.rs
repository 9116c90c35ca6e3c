//! Intervals by occupation and by verb or adjective: every sentence shares its occupation with some and its verb with
//! others, and both were picked out of many.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Gender, Row, Verdict};
use epicene_stats::{
    Crossing, Interval, Layout, Linearised, bonferroni, student_quantile,
    two_sample_permutation_test,
};

use super::german::ChallengePart;
use super::measures::{ADJECTIVES, Comparison, THIRDS, VERBS};
use super::sentences::Sentence;
use crate::estimate::by_t;
use crate::{
    BenchError, Clusters, Contrasts, Drawn, Estimate, Judged, Measured, Options, Sampling,
};

/// Occupations, crossed with verbs and adjectives within their class.
pub const SAMPLING: Sampling = Sampling {
    unit: "occupation*word",
    strata: "class",
    of: |item| Some(Drawn::new("", item.id)),
};

/// Numbers for names.
#[derive(Default)]
struct Numbers<K: Ord>(BTreeMap<K, u32>);

impl<K: Ord> Numbers<K> {
    fn of(&mut self, name: K) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(name).or_insert(next)
    }
}

/// Where every sentence stands: its occupation a row, its verb or adjective a column.
pub fn clusters(sentences: &[Sentence]) -> Clusters {
    laid_out(sentences, |_| "")
}

/// The same where thirds of the occupations are compared: each third has a mean of its own.
fn clusters_by_third(sentences: &[Sentence]) -> Clusters {
    laid_out(sentences, |sentence| {
        let third = |group: &&String| group.starts_with("third:");
        sentence.groups.iter().find(third).map_or("", |third| third)
    })
}

/// Occupations within the strata that `among` names.
fn laid_out(sentences: &[Sentence], among: impl Fn(&Sentence) -> &str) -> Clusters {
    let way = |name: &dyn Fn(&Sentence) -> (String, String)| {
        let (mut names, mut strata) = (Numbers::default(), Numbers::default());
        let mut of_name = Vec::new();
        let labels = sentences.iter().map(|sentence| {
            let (stratum, name) = name(sentence);
            let stratum = strata.of(stratum);
            let label = names.of(name);
            if label as usize == of_name.len() {
                of_name.push(stratum);
            }
            label
        });
        (labels.collect(), of_name)
    };
    let part = |sentence: &Sentence| match sentence.part {
        ChallengePart::Verb => "verb",
        ChallengePart::Adjective => "adjective",
    };
    let rows = way(&|sentence| {
        let (part, among) = (part(sentence), among(sentence));
        let row = format!("{part}:{among}:{}", sentence.occupation);
        (format!("{part}:{among}"), row)
    });
    let columns = way(&|sentence| {
        let (part, class) = (part(sentence), &sentence.class);
        (
            format!("{part}:{class}"),
            format!("{part}:{class}:{}", sentence.word),
        )
    });
    let distinct = |names: BTreeSet<&str>| names.len();
    let occupations = distinct(sentences.iter().map(|s| s.occupation.as_str()).collect());
    let words = distinct(sentences.iter().map(|s| s.word.as_str()).collect());
    let layout = Layout::Crossed(Crossing::new(rows, columns));
    Clusters::laid_out(SAMPLING, layout, format!("{occupations}*{words}"))
}

/// The sentences of every group.
pub type Members<'a> = BTreeMap<&'a str, Vec<usize>>;

pub fn members(sentences: &[Sentence]) -> Members<'_> {
    let mut members = Members::new();
    for (item, sentence) in sentences.iter().enumerate() {
        for group in &sentence.groups {
            members.entry(group).or_default().push(item);
        }
    }
    members
}

/// Which tests were made of the hypotheses, in the order they are named, and which hypotheses have none.
#[derive(Default)]
pub struct Tests {
    pub made: BTreeSet<(u8, String)>,
    pub lacking: Vec<&'static str>,
}

/// The verdicts on one system's translations.
pub struct Sampled<'a> {
    pub clusters: &'a Clusters,
    pub sentences: &'a [Sentence],
    pub members: &'a Members<'a>,
    pub verdicts: &'a [Option<Verdict>],
}

impl Sampled<'_> {
    fn feminine(&self, item: usize) -> Option<bool> {
        let gender = self.verdicts[item].as_ref()?.finding.gender()?;
        Some(gender == Gender::Feminine)
    }

    /// A share over the sentences that `part` has an answer for.
    fn share(
        &self,
        group: &str,
        part: impl Fn(&Sentence, bool) -> Option<bool>,
    ) -> Result<Option<Estimate>, BenchError> {
        let there = self.members.get(group).into_iter().flatten();
        self.clusters.share(there.filter_map(|item| {
            let feminine = self.feminine(*item)?;
            Some((*item, part(&self.sentences[*item], feminine)?))
        }))
    }

    /// %TFG.
    pub fn feminine_share(&self, group: &str) -> Result<Option<Estimate>, BenchError> {
        self.share(group, |_, feminine| Some(feminine))
    }

    /// %TCG, of all pronouns or of one gender's.
    pub fn correct_share(
        &self,
        group: &str,
        pronoun: Option<bool>,
    ) -> Result<Option<Estimate>, BenchError> {
        self.share(group, |sentence, feminine| {
            let expected = sentence.feminine_pronoun?;
            let wanted = pronoun.is_none_or(|wanted| wanted == expected);
            wanted.then_some(expected == feminine)
        })
    }

    /// Gives rows their intervals, and the hypotheses tests that know what was sampled. Returns the names of the tests that
    /// were made, and the hypotheses that could not be tested.
    pub fn fill(&self, rows: &mut Vec<Row>, options: &Options) -> Result<Tests, BenchError> {
        for row in rows.iter_mut() {
            let estimate = match row.metric.as_str() {
                "tfg" => self.feminine_share(&row.group)?,
                "tcg" => self.correct_share(&row.group, None)?,
                "tcg_female" => self.correct_share(&row.group, Some(true))?,
                "tcg_male" => self.correct_share(&row.group, Some(false))?,
                _ => None,
            };
            if let Some(estimate) = estimate {
                estimate.fill(row, 100.0);
            }
        }
        // A chi-square counts sentences.
        rows.retain(|row| row.metric != "chi2");
        let mut tests = Tests::default();
        for comparison in VERBS.iter().chain(&ADJECTIVES) {
            self.test(rows, comparison, options, &mut tests)?;
        }
        let clusters = clusters_by_third(self.sentences);
        let by_third = Sampled {
            clusters: &clusters,
            ..*self
        };
        for comparison in &THIRDS {
            by_third.test(rows, comparison, options, &mut tests)?;
        }
        Ok(tests)
    }

    fn test(
        &self,
        rows: &mut Vec<Row>,
        comparison: &Comparison,
        options: &Options,
        tests: &mut Tests,
    ) -> Result<(), BenchError> {
        let is_test = |row: &Row| {
            row.group == comparison.name && ["p_value", "p_bonferroni"].contains(&&*row.metric)
        };
        // What the counts alone cannot test has no row to fill.
        if !rows.iter().any(is_test) {
            return Ok(());
        }
        let both = self
            .feminine_share(comparison.first)?
            .zip(self.feminine_share(comparison.second)?);
        let (first, second) = both.expect("two groups that were counted have shares");
        let difference = first.less(&second)?;
        let p = if *comparison == VERBS[0] {
            self.verbs_permuted(comparison, options)?
        } else if difference.interval.is_some() {
            by_t(&difference.linear)?
        } else {
            None
        };
        match p {
            Some(_) if *comparison == VERBS[0] => {
                let permuted = format!("verbs-permuted-{}", options.rounds);
                tests.made.insert((0, permuted));
            }
            Some(_) => {
                tests.made.insert((1, "two-way-t".to_owned()));
            }
            None => {
                rows.retain(|row| !is_test(row));
                tests.lacking.push(comparison.name);
            }
        }
        for row in rows.iter_mut().filter(|row| row.group == comparison.name) {
            match row.metric.as_str() {
                "delta_tfg" => difference.fill(row, 100.0),
                "odds_ratio" => {
                    let interval = odds_interval(&first, &second, row.value);
                    row.low = interval.map(|interval| interval.low);
                    row.high = interval.map(|interval| interval.high);
                    row.k = Some(difference.k as u64);
                }
                metric => {
                    if let ("p_value", Some(p)) = (metric, p) {
                        row.value = p;
                    } else if let ("p_bonferroni", Some(p)) = (metric, p) {
                        let mut all = vec![1.0; ADJECTIVES.len()];
                        all[0] = p;
                        row.value = bonferroni(&all)?[0];
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether verbs differ by their class: classes are dealt out to verbs anew.
    fn verbs_permuted(
        &self,
        comparison: &Comparison,
        options: &Options,
    ) -> Result<Option<f64>, BenchError> {
        let side = |group: &str| -> Vec<f64> {
            let mut verbs: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
            for item in self.members.get(group).into_iter().flatten() {
                if let Some(feminine) = self.feminine(*item) {
                    let sum = verbs.entry(&self.sentences[*item].word).or_default();
                    *sum = (sum.0 + f64::from(u8::from(feminine)), sum.1 + 1.0);
                }
            }
            verbs
                .into_values()
                .map(|(part, whole)| part / whole)
                .collect()
        };
        let (first, second) = (side(comparison.first), side(comparison.second));
        if first.len() < 2 || second.len() < 2 {
            return Ok(None);
        }
        let (rounds, seed) = (options.rounds as u64, options.seed);
        let test = two_sample_permutation_test(&first, &second, rounds, seed, "wibemt/H1")?;
        Ok(Some(test.p_value))
    }
}

/// The interval of an odds ratio by its logarithm.
fn odds_interval(first: &Estimate, second: &Estimate, value: f64) -> Option<Interval> {
    let logit = |estimate: &Estimate| {
        let p = estimate.value();
        let slope = 1.0 / (p * (1.0 - p));
        slope
            .is_finite()
            .then(|| estimate.linear.clone().transformed(0.0, slope))
    };
    let (first, second) = (logit(first)?, logit(second)?);
    let spread = Linearised::combine(&[(1.0, &first), (-1.0, &second)])
        .ok()?
        .spread()
        .ok()?;
    let half = student_quantile(crate::estimate::LEVEL, spread.dof).ok()? * spread.variance.sqrt();
    Some(Interval {
        low: (value.ln() - half).exp(),
        high: (value.ln() + half).exp(),
    })
}

/// Two translators on the sentences both translated.
pub fn compare(
    judged: &Judged<'_>,
    sentences: &[Sentence],
    first: usize,
    second: usize,
) -> Result<Measured, BenchError> {
    let (clusters, members) = (clusters(sentences), members(sentences));
    let mut contrasts = Contrasts::new(judged, first, second);
    for [(view, ours), (_, theirs)] in judged.pairs(first, second) {
        let common = |own: &[Option<Verdict>], other: &[Option<Verdict>]| -> Vec<Option<Verdict>> {
            let cells = own.iter().zip(other);
            cells
                .map(|(own, other)| own.clone().filter(|_| other.is_some()))
                .collect()
        };
        let sides = [
            common(&ours.cells, &theirs.cells),
            common(&theirs.cells, &ours.cells),
        ];
        let sampled = sides.each_ref().map(|verdicts| Sampled {
            clusters: &clusters,
            sentences,
            members: &members,
            verdicts,
        });
        let unit = view.column().unit.as_str();
        for group in ["part:verb", "part:adjective"] {
            let [a, b] = &sampled;
            if let (Some(a), Some(b)) = (a.feminine_share(group)?, b.feminine_share(group)?) {
                let metrics = ("delta_tfg", "p_value");
                contrasts.push((unit, group), metrics, [a, b], (100.0, true));
            }
            let right = |sampled: &Sampled<'_>| sampled.correct_share(group, None);
            if let (Some(a), Some(b)) = (right(a)?, right(b)?) {
                let metrics = ("delta_tcg", "p_value_tcg");
                contrasts.push((unit, group), metrics, [a, b], (100.0, false));
            }
        }
    }
    contrasts.measured(&clusters, Vec::new())
}
