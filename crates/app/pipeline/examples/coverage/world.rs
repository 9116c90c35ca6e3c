//! Systems whose true values are known, and the count of how often intervals hold them.

use std::collections::BTreeMap;

use epicene_bench::{Benchmark, Judged, Options, Verdicts, judge};
use epicene_core::{
    Answer, AnswerTable, DataCard, Item, ModelKind, Row, Scorer, SystemCard, Unit, Verdict,
};
use epicene_stats::{draw, stream_rng};
use rayon::prelude::*;

/// A named stream of draws.
pub struct Dice(rand_xoshiro::Xoshiro256PlusPlus);

impl Dice {
    pub fn new(stream: &str) -> Dice {
        Dice(stream_rng(20_261_115, stream))
    }

    pub fn uniform(&mut self) -> f64 {
        draw::uniform_below(&mut self.0, 1 << 53) as f64 / (1u64 << 53) as f64
    }

    pub fn chance(&mut self, p: f64) -> bool {
        self.uniform() < p
    }

    /// Box & Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (2.0 * std::f64::consts::PI * self.uniform()).cos()
    }
}

pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The mean of a function of z, by the midpoint rule.
pub fn mean_of(of: impl Fn(f64) -> f64) -> f64 {
    const STEPS: usize = 4000;
    let points = (0..STEPS).map(|step| -8.0 + 16.0 * (step as f64 + 0.5) / STEPS as f64);
    let density = |z: f64| (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
    points
        .map(|z| of(z) * density(z) * 16.0 / STEPS as f64)
        .sum()
}

/// The mean of logistic(mean + spread z) over z.
pub fn mean_rate(mean: f64, spread: f64) -> f64 {
    mean_of(|z| logistic(mean + spread * z))
}

/// What one system answered: numbers, or verdicts on translations.
pub enum Answers {
    Given(Vec<Answer>),
    Judged(Vec<Verdict>),
}

/// A sample of items with the answers of one or two systems, in one unit or several: all of the first system's first.
pub struct Drawn {
    pub items: Vec<Item>,
    pub columns: Vec<Answers>,
}

/// What is looked at in the rows.
pub enum Look {
    /// The interval of a row (group, metric) against its true value.
    Interval(&'static str, &'static str, f64),
    /// The same of a unit among others.
    IntervalIn(&'static str, &'static str, &'static str, f64),
    /// A p-value (group, metric) where nothing is to be found.
    Test(&'static str, &'static str),
    /// Any p-value (metric) among the groups that begin so.
    Any(&'static str, &'static str),
    /// Any corrected p-value beside the whole's.
    AnyCorrected,
}

type Draw = Box<dyn Fn(&mut Dice) -> Drawn + Sync>;

pub struct Study {
    pub benchmark: &'static str,
    pub design: String,
    pub scorer: Scorer,
    /// Or several, with commas.
    pub unit: &'static str,
    pub draw: Draw,
    pub looks: Vec<Look>,
}

#[derive(Default, Clone, Copy)]
pub struct Score {
    pub nominal: f64,
    pub hits: u64,
    pub of: u64,
}

impl Study {
    /// How often each look is as it should be.
    pub fn run(&self, systems: u64) -> Vec<(String, Score)> {
        let seen: Vec<Vec<(String, f64, Option<bool>)>> = (0..systems)
            .into_par_iter()
            .map(|number| {
                let stream = format!("{}/{}/{number}", self.benchmark, self.design);
                let drawn = (self.draw)(&mut Dice::new(&stream));
                self.look(&self.rows(drawn))
            })
            .collect();
        let mut scores: BTreeMap<String, Score> = BTreeMap::new();
        let mut order = Vec::new();
        for (what, nominal, hit) in seen.into_iter().flatten() {
            let Some(hit) = hit else { continue };
            if !scores.contains_key(&what) {
                order.push(what.clone());
            }
            let score = scores.entry(what).or_default();
            score.nominal = nominal;
            score.hits += u64::from(hit);
            score.of += 1;
        }
        order
            .into_iter()
            .map(|what| (what.clone(), scores[&what]))
            .collect()
    }

    fn look(&self, rows: &[Row]) -> Vec<(String, f64, Option<bool>)> {
        let find = |group: &str, metric: &str| {
            let mut found = rows
                .iter()
                .filter(|row| row.group == group && row.metric == metric);
            found.next()
        };
        let look = |look: &Look| match look {
            Look::Interval(group, metric, truth) => {
                let row = find(group, metric);
                let hit = row.and_then(|row| Some(row.low? <= *truth && *truth <= row.high?));
                (format!("{metric} {group}"), 0.95, hit)
            }
            Look::IntervalIn(unit, group, metric, truth) => {
                let here =
                    |row: &&Row| row.unit == *unit && row.group == *group && row.metric == *metric;
                let row = rows.iter().find(here);
                let hit = row.and_then(|row| Some(row.low? <= *truth && *truth <= row.high?));
                (format!("{metric} {unit} {group}"), 0.95, hit)
            }
            Look::Test(group, metric) => {
                let hit = find(group, metric).map(|row| row.value < 0.05);
                (format!("{metric} {group} < .05"), 0.05, hit)
            }
            Look::Any(metric, begin) => {
                let of = |row: &&Row| row.metric == *metric && row.group.starts_with(begin);
                let any = rows.iter().filter(of).any(|row| row.value < 0.05);
                (format!("any {metric} of {begin} < .05"), 0.05, Some(any))
            }
            Look::AnyCorrected => {
                // What is not tested first: groups, units beside their mean, and further measures of the whole.
                let pooled = rows.iter().any(|row| row.unit == "all");
                let first = |row: &Row| {
                    row.metric == "p_holm" && row.group == "all" && (row.unit == "all" || !pooled)
                };
                let of = |row: &&Row| row.metric.starts_with("p_holm") && !first(row);
                let any = rows.iter().filter(of).any(|row| row.value < 0.05);
                (
                    "any of the family, p_holm < .05".to_owned(),
                    0.05,
                    Some(any),
                )
            }
        };
        self.looks.iter().map(look).collect()
    }

    /// The rows of one system's measure, or of two systems' comparison.
    pub fn rows(&self, drawn: Drawn) -> Vec<Row> {
        // Corrections of many tests need p-values finer than that of one.
        let many = self
            .looks
            .iter()
            .any(|look| matches!(look, Look::AnyCorrected));
        // Where intervals have a closed form, resampling serves other numbers alone (BLEU, published intervals).
        let resampled = ["gest-chat", "occupations-chat", "eurogest", "mbe"];
        let resampled = resampled.contains(&self.benchmark);
        let replicates = if resampled { 1000 } else { 20 };
        let options = Options::default().drawing(replicates, if many { 9999 } else { 999 });
        let mut measured = self.judged(drawn, &options, |benchmark, judged| {
            if judged.table.systems.len() == 2 {
                epicene_bench::compare(benchmark, judged, 0, 1).unwrap()
            } else {
                benchmark.measure(judged).unwrap()
            }
        });
        epicene_pipeline::correct_family(&mut measured).unwrap();
        measured.rows
    }

    /// What the benchmark makes of a sample.
    pub fn judged<T>(
        &self,
        drawn: Drawn,
        options: &Options,
        make: impl FnOnce(&dyn Benchmark, &Judged<'_>) -> T,
    ) -> T {
        let benchmark = epicene_bench::find(self.benchmark).unwrap();
        let units: Vec<&str> = self.unit.split(',').collect();
        let count = drawn.columns.len() / units.len();
        let systems = (0..count).map(|number| SystemCard {
            name: format!("s{number}"),
            source: "drawn".to_owned(),
            revision: None,
            dtype: None,
            tokenizer: None,
            kind: ModelKind::Masked,
        });
        let places = (0..count).flat_map(|system| {
            let units = units.iter();
            units.map(move |unit| (system, Unit::named(unit), self.scorer))
        });
        let mut table = AnswerTable::new(drawn.items.iter().collect(), systems.collect(), places);
        let mut given = Vec::new();
        for (column, answers) in drawn.columns.into_iter().enumerate() {
            match answers {
                Answers::Given(answers) => {
                    for (item, answer) in answers.into_iter().enumerate() {
                        table.put(item, column, answer);
                    }
                }
                Answers::Judged(cells) => {
                    for item in 0..cells.len() {
                        table.put(item, column, Answer::Translation("x".to_owned()));
                    }
                    given.push(Verdicts::new(cells.into_iter().map(Some).collect()));
                }
            }
        }
        let verdicts = if given.is_empty() {
            judge(benchmark, &table, options).unwrap()
        } else {
            outcomes(benchmark, &table, given)
        };
        let data = DataCard {
            name: "drawn".to_owned(),
            version: "1".to_owned(),
            sha256: String::new(),
            items: table.items.len(),
        };
        let judged = Judged {
            shared: None,
            card: benchmark.card(),
            table: &table,
            verdicts: &verdicts,
            options,
            data: &data,
            whole: false,
        };
        make(benchmark, &judged)
    }
}

fn outcomes(
    benchmark: &dyn Benchmark,
    table: &AnswerTable,
    mut given: Vec<Verdicts>,
) -> Vec<Verdicts> {
    for verdicts in &mut given {
        for (item, cell) in verdicts.cells.iter_mut().enumerate() {
            let verdict = cell.as_mut().expect("every cell is judged");
            verdict.outcome = benchmark.outcome(table.items.get(item), verdict.finding);
        }
    }
    given
}
