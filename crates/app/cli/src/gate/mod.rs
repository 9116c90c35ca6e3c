//! `--fail-if`: a condition on measured rows that turns into exit code 1. Its grammar is explained in one
//! place, [`HELP`] (`epicene help checks`):
//!
//! ```text
//! GATE       := BOTH { ("or" | "||") BOTH }
//! BOTH       := STATEMENT { ("and" | "&&") STATEMENT }
//! STATEMENT  := "(" GATE ")" | ("any" | "all") "(" GATE ")" | TERM COMPARISON NUMBER
//! TERM       := VALUE | ("worst" | "mean") "(" VALUE ")"
//! VALUE      := ROWS | ("low" | "high" | "abs" | "distance" | "n") "(" ROWS ")"
//! ROWS       := METRIC [ "[" SELECTOR { "," SELECTOR } "]" ]
//! ```

mod evaluate;
mod lacking;
mod parse;
mod selector;
pub mod words;

use epicene_bench::Card;
use epicene_core::Row;
use epicene_pipeline::{CORRECTED, JUDGED};
use epicene_report::template::Check;

use self::selector::Selector;
use crate::failure::Failure;
use crate::suggest;

/// What people read about gates.
pub const HELP: &str = include_str!("help.txt");

pub const QUOTE: &str =
    "quote the expression, or the shell takes > as a file: --fail-if 'f_s > 0.29'";

const HINT: &str = "write for example 'g_s>1.2', 'f_s>0.29 and f_m>0.66' or 'worst(f_s)>0.3'; see `epicene help checks`";

/// Rows that a check names; more are counted.
const MOST_NAMED: usize = 10;

#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    expression: String,
    statement: Statement,
}

/// Something about all rows.
#[derive(Debug, Clone, PartialEq)]
enum Statement {
    Every(Vec<Statement>),
    Either(Vec<Statement>),
    /// Holds if the condition holds for some row.
    Any(Condition),
    All(Condition),
    Aggregate(Aggregate, Comparison),
}

/// Something about one row.
#[derive(Debug, Clone, PartialEq)]
enum Condition {
    Every(Vec<Condition>),
    Either(Vec<Condition>),
    One(Comparison),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Aggregate {
    Worst,
    Mean,
}

#[derive(Debug, Clone, PartialEq)]
struct Comparison {
    function: Function,
    metric: String,
    selectors: Vec<Selector>,
    operator: Operator,
    bound: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Function {
    Value,
    Low,
    High,
    Abs,
    Distance,
    Count,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Operator {
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
}

/// A row that makes a gate hold, with the comparison it is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Fired<'a> {
    pub row: &'a Row,
    /// `low(f_s) 0.310 > 0.29`.
    pub why: String,
}

impl Fired<'_> {
    /// What the row says, and what it is about.
    pub fn words(&self) -> String {
        format!("{} ({})", self.why, words::about(self.row))
    }
}

/// What to write instead of an unknown metric.
fn metric_hint(unknown: &str, known: &[&str], cards: &[&Card]) -> String {
    let headlines = cards.iter().flat_map(|card| card.metrics);
    let headlines: Vec<&str> = headlines
        .filter(|metric| metric.headline)
        .map(|metric| metric.symbol)
        .collect();
    let names: Vec<&str> = cards.iter().map(|card| card.name).collect();
    let meant = match suggest::closest(unknown, known.iter().copied(), 1)[..] {
        [close, ..] => format!("did you mean `{close}`? "),
        [] => String::new(),
    };
    format!(
        "{meant}the main metrics are {}; `epicene show {}` has all",
        headlines.join(", "),
        names.join("`, `epicene show ")
    )
}

impl Gate {
    pub fn parse(expression: &str) -> Result<Gate, Failure> {
        let bad = |message: String| {
            // The shell takes a bare `>` and what follows as a file.
            let lost = !expression.contains(['<', '>', '=']);
            let hint = if lost { QUOTE } else { HINT };
            Failure::usage(format!("--fail-if `{expression}`: {message}")).with_hint(hint)
        };
        let statement = parse::parse(expression).map_err(bad)?;
        Ok(Gate {
            expression: expression.to_owned(),
            statement,
        })
    }

    /// How the check went on these rows, for people: the rows that make it fail, or those that it passes on.
    pub fn check(&self, fired: Option<&[Fired<'_>]>, rows: &[Row], own: &[Row]) -> Check {
        let lines = match fired {
            None => {
                let lines = self.passed(rows, own).into_iter();
                lines.map(|line| format!("PASS {line}")).collect()
            }
            Some(fired) => {
                let named = fired.iter().take(MOST_NAMED);
                let mut lines: Vec<String> =
                    named.map(|one| format!("FAIL {}", one.words())).collect();
                if fired.len() > MOST_NAMED {
                    lines.push(format!("FAIL in {} more rows", fired.len() - MOST_NAMED));
                }
                lines
            }
        };
        Check {
            expression: self.expression.clone(),
            passed: fired.is_none(),
            lines,
        }
    }

    /// What a check that passes says of these rows, one line each; the expression where that takes too many.
    pub fn passed(&self, rows: &[Row], own: &[Row]) -> Vec<String> {
        let lines = self.statement.passed(rows, own);
        lines.unwrap_or_else(|| vec![format!("no row has {}", self.expression)])
    }

    /// Refuses a metric that the benchmark does not have.
    pub fn check_metrics(&self, card: &Card) -> Result<(), Failure> {
        self.check_metrics_of(&[card])
    }

    /// Refuses a metric that none of these benchmarks has, and a difference, which only a comparison has.
    pub fn check_metrics_of(&self, cards: &[&Card]) -> Result<(), Failure> {
        self.check_known(cards)?;
        let metrics = || cards.iter().flat_map(|card| card.metrics);
        let own =
            |name: &str| metrics().any(|own| own.symbol == name && own.difference_of.is_none());
        let difference = metrics().find(|metric| {
            metric.difference_of.is_some() && self.names(metric.symbol) && !own(metric.symbol)
        });
        match difference.and_then(|metric| Some((metric.symbol, metric.difference_of?))) {
            None => Ok(()),
            Some((symbol, of)) => Err(Failure::usage(format!(
                "--fail-if `{}`: `{symbol}` is a difference between two systems",
                self.expression
            ))
            .with_hint(format!("give it to `epicene compare`, or use `{of}`"))),
        }
    }

    /// Refuses a metric that a comparison has only as a difference.
    pub fn check_differences(&self, card: &Card) -> Result<(), Failure> {
        self.check_known(&[card])?;
        let mut metrics = card.metrics.iter();
        let wrong = metrics.find_map(|metric| {
            let of = metric.difference_of.filter(|of| self.names(of))?;
            Some((metric.symbol, of))
        });
        match wrong {
            None => Ok(()),
            Some((symbol, of)) => Err(Failure::usage(format!(
                "--fail-if `{}`: a comparison has no `{of}`, only its difference",
                self.expression
            ))
            .with_hint(format!("did you mean `{symbol}`?"))),
        }
    }

    /// Whether a comparison is about this metric.
    fn names(&self, symbol: &str) -> bool {
        let mut wanted = Vec::new();
        self.statement.comparisons(&mut wanted);
        wanted.iter().any(|one| one.metric == symbol)
    }

    fn check_known(&self, cards: &[&Card]) -> Result<(), Failure> {
        let metrics = cards.iter().flat_map(|card| card.metrics);
        let mut known: Vec<&str> = metrics.map(|metric| metric.symbol).collect();
        known.sort_unstable();
        known.dedup();
        let mut wanted = Vec::new();
        self.statement.comparisons(&mut wanted);
        let wanted = wanted.into_iter().map(|one| one.metric.as_str());
        // Beside a metric stand what people's labels make of it, and what the judge had.
        let is_known = |metric: &str| {
            let plain = metric.strip_suffix(CORRECTED);
            let plain = plain.or_else(|| metric.strip_suffix(JUDGED));
            known.contains(&plain.unwrap_or(metric))
        };
        match wanted.into_iter().find(|metric| !is_known(metric)) {
            None => Ok(()),
            Some(unknown) => Err(Failure::usage(format!(
                "--fail-if `{}`: there is no metric `{unknown}`",
                self.expression
            ))
            .with_hint(metric_hint(unknown, &known, cards))),
        }
    }

    /// The rows that make the expression true; `None` if it is false.
    pub fn fired<'a>(&self, rows: &'a [Row]) -> Result<Option<Vec<Fired<'a>>>, Failure> {
        self.fired_among(rows, &[])
    }

    /// The same of differences between systems whose own numbers are among `own`.
    pub fn fired_among<'a>(
        &self,
        rows: &'a [Row],
        own: &[Row],
    ) -> Result<Option<Vec<Fired<'a>>>, Failure> {
        let bad = |(message, hint): (String, String)| {
            Failure::usage(format!("--fail-if `{}`: {message}", self.expression)).with_hint(hint)
        };
        let fired = self.statement.fired(rows).map_err(bad)?;
        let mut comparisons = Vec::new();
        self.statement.comparisons(&mut comparisons);
        let lacking = comparisons.iter().find_map(|one| one.lacking(rows));
        match lacking.filter(|_| fired.is_none()) {
            Some(lacking) => Err(bad(lacking)),
            None => Ok(fired.map(|mut fired| {
                for one in &mut fired {
                    one.why = words::with_both(one.row, &one.why, own);
                }
                fired
            })),
        }
    }
}

impl Statement {
    fn comparisons<'a>(&'a self, found: &mut Vec<&'a Comparison>) {
        match self {
            Statement::Every(parts) | Statement::Either(parts) => {
                parts.iter().for_each(|part| part.comparisons(found));
            }
            Statement::Any(condition) | Statement::All(condition) => {
                found.extend(condition.comparisons());
            }
            Statement::Aggregate(_, comparison) => found.push(comparison),
        }
    }
}

impl Condition {
    fn comparisons(&self) -> Vec<&Comparison> {
        match self {
            Condition::Every(parts) | Condition::Either(parts) => {
                parts.iter().flat_map(Condition::comparisons).collect()
            }
            Condition::One(comparison) => vec![comparison],
        }
    }
}

impl Function {
    const NAMES: [(&'static str, Function); 5] = [
        ("low", Function::Low),
        ("high", Function::High),
        ("abs", Function::Abs),
        ("distance", Function::Distance),
        ("n", Function::Count),
    ];

    fn of(self, row: &Row) -> Option<f64> {
        match self {
            Function::Value => Some(row.value),
            Function::Low => row.low,
            Function::High => row.high,
            Function::Abs => Some(row.value.abs()),
            Function::Distance => row.ideal.map(|ideal| (row.value - ideal).abs()),
            Function::Count => row.n.map(|n| n as f64),
        }
    }

    /// As people wrote it: `low(f_s)`.
    fn shown(self, metric: &str) -> String {
        let name = Function::NAMES.iter().find(|(_, known)| *known == self);
        name.map_or_else(
            || metric.to_owned(),
            |(name, _)| format!("{name}({metric})"),
        )
    }
}

impl Operator {
    /// Longer signs first, so that `>=` is not read as `>`.
    const SIGNS: [(&'static str, Operator); 6] = [
        (">=", Operator::GreaterOrEqual),
        ("<=", Operator::LessOrEqual),
        ("==", Operator::Equal),
        ("!=", Operator::NotEqual),
        (">", Operator::Greater),
        ("<", Operator::Less),
    ];

    fn sign(self) -> &'static str {
        let sign = Operator::SIGNS.iter().find(|(_, known)| *known == self);
        sign.expect("every operator has a sign").0
    }

    fn holds(self, value: f64, bound: f64) -> bool {
        match self {
            Operator::Greater => value > bound,
            Operator::GreaterOrEqual => value >= bound,
            Operator::Less => value < bound,
            Operator::LessOrEqual => value <= bound,
            Operator::Equal => value == bound,
            Operator::NotEqual => value != bound,
        }
    }
}

#[cfg(test)]
mod tests;
