//! Answers in memory, judged and measured without a run directory.

use epicene_bench::{BenchError, Benchmark, Judged, Measured, Options, Verdicts, judge};
use epicene_core::{Answer, AnswerTable, DataCard, Item, ModelKind, Scorer, SystemCard, Unit};

pub fn card(name: &str, kind: ModelKind) -> SystemCard {
    SystemCard {
        name: name.to_owned(),
        source: "test".to_owned(),
        revision: None,
        dtype: None,
        tokenizer: None,
        kind,
    }
}

/// A benchmark with somebody's answers.
pub struct Answered {
    pub benchmark: &'static dyn Benchmark,
    pub table: AnswerTable,
}

/// A column of answers: system, unit, scorer.
pub type Column = ((usize, Unit, Scorer), Vec<Answer>);

impl Answered {
    pub fn new(
        benchmark: &'static dyn Benchmark,
        items: &[Item],
        systems: Vec<SystemCard>,
        columns: Vec<Column>,
    ) -> Answered {
        let (places, answers): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let mut table = AnswerTable::new(items.iter().collect(), systems, places);
        for (column, answers) in answers.into_iter().enumerate() {
            for (item, answer) in answers.into_iter().enumerate() {
                table.put(item, column, answer);
            }
        }
        Answered { benchmark, table }
    }

    /// One translator's answers in one language.
    pub fn translations(
        benchmark: &'static dyn Benchmark,
        items: &[Item],
        (system, unit): (&str, &str),
        answers: Vec<Answer>,
    ) -> Answered {
        let place = (0, Unit::named(unit), Scorer::Translate);
        let systems = vec![card(system, ModelKind::Translator)];
        assert_eq!(items.len(), answers.len());
        Answered::new(benchmark, items, systems, vec![(place, answers)])
    }

    pub fn verdicts(&self, options: &Options) -> Vec<Verdicts> {
        judge(self.benchmark, &self.table, options).unwrap()
    }

    fn judged<T>(&self, options: &Options, then: impl FnOnce(&Judged<'_>) -> T) -> T {
        let verdicts = self.verdicts(options);
        let data = DataCard {
            name: "test".to_owned(),
            version: "1".to_owned(),
            sha256: String::new(),
            items: self.table.items.len(),
        };
        then(&Judged {
            shared: None,
            card: self.benchmark.card(),
            table: &self.table,
            verdicts: &verdicts,
            options,
            data: &data,
            whole: true,
        })
    }

    pub fn measure(&self, options: &Options) -> Result<Measured, BenchError> {
        self.judged(options, |judged| self.benchmark.measure(judged))
    }

    pub fn author_files(&self, options: &Options) -> Vec<(String, String)> {
        self.judged(options, |judged| {
            self.benchmark.author_files(judged).unwrap()
        })
    }
}

/// Uniform numbers of a stream, the same on every machine.
pub struct Stream(pub u64);

impl Stream {
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Mean 0, standard deviation 1.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// A number around a middle, which is its mean.
    pub fn around(&mut self, middle: f64, spread: f64) -> f64 {
        middle + spread * self.normal().clamp(-2.0, 2.0)
    }
}

/// Simulations of a coverage: enough that .95 is told from .93 and .97 with these seeds, few enough to wait for.
pub const REPETITIONS: u64 = 300;

/// How often intervals of these metrics, about all items, hold the truth.
#[derive(Debug)]
pub struct Coverage {
    covered: Vec<(&'static str, f64, u32)>,
    repetitions: u32,
}

impl Coverage {
    pub fn of(truth: &[(&'static str, f64)]) -> Coverage {
        Coverage {
            covered: truth
                .iter()
                .map(|(metric, value)| (*metric, *value, 0))
                .collect(),
            repetitions: 0,
        }
    }

    pub fn count(&mut self, rows: &[epicene_core::Row]) {
        self.repetitions += 1;
        for (metric, truth, count) in &mut self.covered {
            let mut rows = rows.iter();
            let row = rows.find(|row| row.group == "all" && row.metric == *metric);
            let row = row.unwrap();
            let holds = row.low.unwrap() <= *truth && *truth <= row.high.unwrap();
            *count += u32::from(holds);
        }
    }

    /// The bounds of the specifications.
    pub fn check(&self) {
        println!("{self:?}");
        for (metric, _, count) in &self.covered {
            let share = f64::from(*count) / f64::from(self.repetitions);
            assert!((0.93..=0.97).contains(&share), "{metric}: {share}");
        }
    }
}
