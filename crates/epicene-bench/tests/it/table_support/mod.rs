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
