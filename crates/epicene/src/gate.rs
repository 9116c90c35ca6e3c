//! `--fail-if`: a condition on measured rows that turns into exit code 1.
//!
//! ```text
//! EXPR       := AND { ("or" | "||") AND }
//! AND        := COMPARISON { ("and" | "&&") COMPARISON }
//! COMPARISON := TERM (">" | ">=" | "<" | "<=" | "==" | "!=") NUMBER
//! TERM       := ROWS | FUNCTION "(" ROWS ")"        FUNCTION: low high abs distance n
//! ROWS       := METRIC [ "[" SELECTOR { "," SELECTOR } "]" ]
//! ```
//! A selector is a row's system, unit or group; `all` selects the rows of the whole, whose unit and
//! group are both `all`. A comparison holds if it holds for any row it names;
//! `distance` is the distance from the ideal value.

use epicene_core::Row;

use crate::failure::Failure;

#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// Any of these, each all of those.
    alternatives: Vec<Vec<Comparison>>,
}

#[derive(Debug, Clone, PartialEq)]
struct Comparison {
    function: Function,
    metric: String,
    selectors: Vec<String>,
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

const HINT: &str =
    "write for example 'g_s>1.2', 'high(g_s[all])>1.3' or 'abs(delta_g_s)>0.1 and p_value<0.05'";

impl Gate {
    pub fn parse(expression: &str) -> Result<Gate, Failure> {
        let bad = |message: String| {
            Failure::usage(format!("--fail-if `{expression}`: {message}")).with_hint(HINT)
        };
        let mut alternatives = Vec::new();
        for alternative in split_words(expression, "or", "||") {
            let comparisons = split_words(&alternative, "and", "&&")
                .iter()
                .map(|text| Comparison::parse(text))
                .collect::<Result<Vec<_>, _>>()
                .map_err(bad)?;
            alternatives.push(comparisons);
        }
        Ok(Gate { alternatives })
    }

    /// The rows that make the expression hold; empty if it does not.
    pub fn offenders<'a>(&self, rows: &'a [Row]) -> Result<Vec<&'a Row>, Failure> {
        let mut offenders = Vec::new();
        for alternative in &self.alternatives {
            let mut all = Vec::new();
            let mut holds = true;
            for comparison in alternative {
                let found = comparison.offenders(rows)?;
                holds &= !found.is_empty();
                all.extend(found);
            }
            if holds {
                offenders.extend(all);
            }
        }
        Ok(offenders)
    }
}

/// Splits on a word that stands alone, or on its symbol.
fn split_words(text: &str, word: &str, symbol: &str) -> Vec<String> {
    let spaced = text.replace(symbol, &format!(" {word} "));
    let mut parts = vec![String::new()];
    for token in spaced.split_whitespace() {
        match (token == word, parts.last_mut()) {
            (true, _) | (_, None) => parts.push(String::new()),
            (false, Some(part)) => {
                if !part.is_empty() {
                    part.push(' ');
                }
                part.push_str(token);
            }
        }
    }
    parts
}

impl Comparison {
    fn parse(text: &str) -> Result<Comparison, String> {
        // Longer signs first, so that `>=` is not read as `>`.
        const OPERATORS: [(&str, Operator); 6] = [
            (">=", Operator::GreaterOrEqual),
            ("<=", Operator::LessOrEqual),
            ("==", Operator::Equal),
            ("!=", Operator::NotEqual),
            (">", Operator::Greater),
            ("<", Operator::Less),
        ];
        let (left, operator, right) = OPERATORS
            .iter()
            .find_map(|(sign, operator)| {
                let (left, right) = text.split_once(sign)?;
                Some((left.trim(), *operator, right.trim()))
            })
            .ok_or_else(|| format!("`{text}` compares nothing"))?;
        let bound: f64 = right
            .parse()
            .ok()
            .filter(|bound: &f64| bound.is_finite())
            .ok_or_else(|| format!("`{right}` is not a number"))?;
        let (function, rows) = match left.split_once('(') {
            None => (Function::Value, left),
            Some((name, rest)) => {
                let rows = rest
                    .strip_suffix(')')
                    .ok_or_else(|| format!("`{left}` lacks a closing parenthesis"))?;
                (Function::parse(name.trim())?, rows.trim())
            }
        };
        let (metric, selectors) = match rows.split_once('[') {
            None => (rows, Vec::new()),
            Some((metric, rest)) => {
                let inside = rest
                    .strip_suffix(']')
                    .ok_or_else(|| format!("`{rows}` lacks a closing bracket"))?;
                (
                    metric.trim(),
                    inside.split(',').map(|s| s.trim().to_owned()).collect(),
                )
            }
        };
        if metric.is_empty() {
            return Err(format!("`{text}` names no metric"));
        }
        Ok(Comparison {
            function,
            metric: metric.to_owned(),
            selectors,
            operator,
            bound,
        })
    }

    fn offenders<'a>(&self, rows: &'a [Row]) -> Result<Vec<&'a Row>, Failure> {
        let named: Vec<&Row> = rows
            .iter()
            .filter(|row| row.metric == self.metric)
            .collect();
        if named.is_empty() {
            let mut known: Vec<&str> = rows.iter().map(|row| row.metric.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            return Err(Failure::usage(format!(
                "--fail-if: no row has the metric `{}`",
                self.metric
            ))
            .with_hint(format!("metrics of this result: {}", known.join(", "))));
        }
        let selected: Vec<&Row> = named
            .into_iter()
            .filter(|row| self.selectors.iter().all(|selector| selects(selector, row)))
            .collect();
        if selected.is_empty() {
            return Err(Failure::usage(format!(
                "--fail-if: no row with the metric `{}` has [{}]",
                self.metric,
                self.selectors.join(",")
            ))
            .with_hint("a selector is the exact system, unit or group of a row, e.g. template:1"));
        }
        let valued: Vec<(&Row, f64)> = selected
            .into_iter()
            .filter_map(|row| Some((row, self.function.of(row)?)))
            .collect();
        if valued.is_empty() {
            return Err(Failure::usage(format!(
                "--fail-if: the rows of `{}` have no such value",
                self.metric
            )));
        }
        Ok(valued
            .into_iter()
            .filter(|(_, value)| self.operator.holds(*value, self.bound))
            .map(|(row, _)| row)
            .collect())
    }
}

/// A selector is a row's system, unit or group; `all` means the whole: unit and group.
fn selects(selector: &str, row: &Row) -> bool {
    match selector {
        "all" => row.unit == "all" && row.group == "all",
        name => [&row.system, &row.unit, &row.group]
            .into_iter()
            .any(|own| own == name),
    }
}

impl Function {
    fn parse(name: &str) -> Result<Function, String> {
        match name {
            "low" => Ok(Function::Low),
            "high" => Ok(Function::High),
            "abs" => Ok(Function::Abs),
            "distance" => Ok(Function::Distance),
            "n" => Ok(Function::Count),
            _ => Err(format!("`{name}` is none of low, high, abs, distance, n")),
        }
    }

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
}

impl Operator {
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
mod tests {
    use super::*;

    fn row(unit: &str, group: &str, metric: &str, value: f64) -> Row {
        Row {
            benchmark: "gest".to_owned(),
            system: "m".to_owned(),
            unit: unit.to_owned(),
            group: group.to_owned(),
            metric: metric.to_owned(),
            value,
            low: Some(value - 0.1),
            high: Some(value + 0.1),
            n: Some(10),
            ideal: Some(1.0),
        }
    }

    fn count(expression: &str) -> usize {
        let rows = [
            row("template:1", "all", "g_s", 1.2),
            row("all", "all", "g_s", 1.3),
            row("all", "stereotype:7", "q", 0.8),
        ];
        Gate::parse(expression)
            .unwrap()
            .offenders(&rows)
            .unwrap()
            .len()
    }

    #[test]
    fn expressions_mean_what_they_say() {
        for (expression, offenders) in [
            ("g_s>1.25", 1),
            ("g_s > 1.1", 2),
            ("g_s>=1.3", 1),
            ("g_s<1", 0),
            ("g_s[all]>1.25", 1),
            ("g_s[all]<1.25", 0),
            ("g_s[template:1]>1.25", 0),
            ("g_s[template:1,m]>1.1", 1),
            ("low(g_s)>1.15", 1),
            ("high(q[stereotype:7])<0.95", 1),
            ("distance(q)>0.15", 1),
            ("abs(q)<0.9", 1),
            ("n(q)==10", 1),
            ("n(q)!=10", 0),
            ("g_s>1.25 and q>1", 0),
            ("g_s>1.25 && q<1", 2),
            ("g_s>2 or q<1", 1),
            ("g_s>2||q<1", 1),
            ("g_s>-1", 2),
        ] {
            assert_eq!(count(expression), offenders, "{expression}");
        }
    }

    #[test]
    fn nonsense_is_refused_before_any_work() {
        for expression in [
            "",
            "g_s",
            "g_s>",
            "g_s>x",
            ">1",
            "foo(g_s)>1",
            "low(g_s>1",
            "q[a>1",
            "g_s>1 and",
            "g_s>nan",
        ] {
            assert!(Gate::parse(expression).is_err(), "{expression}");
        }
    }

    #[test]
    fn rows_that_are_not_there_are_an_error_not_a_pass() {
        let rows = [row("all", "all", "g_s", 1.0)];
        for expression in ["f_s>0.2", "g_s[template:9]>1"] {
            assert!(
                Gate::parse(expression).unwrap().offenders(&rows).is_err(),
                "{expression}"
            );
        }
    }
}
