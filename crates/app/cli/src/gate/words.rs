//! What a check says: `FAIL f_s 0.298 [0.265, 0.331] > 0.29 (nmt → Slovak)`.

use epicene_core::{Language, Row, Unit};

use super::{Comparison, Function, MOST_NAMED, Operator, Statement};

impl Comparison {
    /// A row's number against the bound, as it is if the row fails the check or passes it.
    pub(super) fn says(&self, row: &Row, value: f64, fails: bool) -> String {
        let (what, shown) = (self.function.shown(&self.metric), self.shown(value));
        let interval = match (self.function, row.low, row.high) {
            (Function::Value, Some(low), Some(high)) => {
                format!(" [{}, {}]", brief(low), brief(high))
            }
            _ => String::new(),
        };
        format!(
            "{what} {shown}{interval} {} {}",
            self.operator.word(fails),
            self.bound
        )
    }

    /// One of several numbers whose mean fails the check.
    pub(super) fn says_of_mean(&self, value: f64, mean: f64, of: usize) -> String {
        let (what, word) = (self.function.shown(&self.metric), self.operator.word(true));
        format!(
            "{what} {}, mean of {of} rows {} {word} {}",
            self.number(value),
            self.shown(mean),
            self.bound
        )
    }

    /// Three significant digits; more where fewer would say something else about the bound.
    fn shown(&self, value: f64) -> String {
        let holds = |value: f64| self.operator.holds(value, self.bound);
        let mut decimals = decimals(value);
        loop {
            let text = format!("{value:.decimals$}");
            let same = text
                .parse()
                .is_ok_and(|rounded| holds(rounded) == holds(value));
            if same || decimals >= 17 {
                return self.signed(value, text);
            }
            decimals += 1;
        }
    }

    fn number(&self, value: f64) -> String {
        self.signed(value, brief(value))
    }

    /// Differences have a sign, also those that are one system's own number (`delta_g` of WinoMT).
    fn signed(&self, value: f64, text: String) -> String {
        if self.metric.starts_with("delta_") && value > 0.0 {
            format!("+{text}")
        } else {
            text
        }
    }
}

/// Decimals that make three significant digits; whole numbers have none.
fn decimals(value: f64) -> usize {
    if value == 0.0 || !value.is_finite() || (value.fract() == 0.0 && value.abs() >= 10.0) {
        return 0;
    }
    let before = value.abs().log10().floor() as i64;
    usize::try_from(2 - before).unwrap_or(0).min(6)
}

impl Operator {
    /// As people read it, for a row that fails the check or that passes it.
    fn word(self, fails: bool) -> &'static str {
        match (self, fails) {
            (Operator::Greater, true) | (Operator::LessOrEqual, false) => ">",
            (Operator::GreaterOrEqual, true) | (Operator::Less, false) => "≥",
            (Operator::Less, true) | (Operator::GreaterOrEqual, false) => "<",
            (Operator::LessOrEqual, true) | (Operator::Greater, false) => "≤",
            (Operator::Equal, true) | (Operator::NotEqual, false) => "=",
            (Operator::NotEqual, true) | (Operator::Equal, false) => "≠",
        }
    }
}

/// What a check says of a difference, with the numbers of both systems before it: `f_s 0.164 → 0.298, +0.134 > 0`.
pub(super) fn with_both(row: &Row, says: &str, own: &[Row]) -> String {
    let of = |system: &str, metric: &str| {
        let found = own.iter().find(|other| {
            other.system == system
                && other.metric == metric
                && other.unit == row.unit
                && other.group == row.group
        });
        found.map(|row| brief(row.value))
    };
    let both = row.compared().zip(row.difference_of());
    let numbers = both.and_then(|((from, to), metric)| {
        let rest = says.strip_prefix(&format!("{} ", row.metric))?;
        let (from, to) = (of(from, metric)?, of(to, metric)?);
        Some(format!("{metric} {from} → {to}, {rest}"))
    });
    numbers.unwrap_or_else(|| says.to_owned())
}

/// A number in three significant digits.
pub fn brief(value: f64) -> String {
    format!("{value:.*}", decimals(value))
}

/// What a row is about: `nmt → Slovak`, `demo:mlm, template 3, stereotype 7`.
pub(super) fn about(row: &Row) -> String {
    let compared = row.compared();
    let system = compared.map_or(row.system.clone(), |(from, to)| format!("{from} → {to}"));
    let unit = row.unit.as_str();
    let language = Unit::language_code(unit).map(|code| {
        let language = Language::find(code);
        language.map_or(code.to_owned(), |language| language.name().to_owned())
    });
    let mut text = match (language, unit) {
        (Some(language), _) if compared.is_some() => format!("{system}, {language}"),
        (Some(language), _) => format!("{system} → {language}"),
        (None, "all") => system,
        (None, unit) => format!("{system}, {}", unit.replace(':', " ")),
    };
    if row.group != "all" {
        text += &format!(", {}", row.group.replace(':', " "));
    }
    text
}

impl Statement {
    /// What a check that passes says, one line each.
    pub(super) fn passed(&self, rows: &[Row], own: &[Row]) -> Option<Vec<String>> {
        let Statement::Any(condition) = self else {
            return None;
        };
        let [comparison] = condition.comparisons()[..] else {
            return None;
        };
        let rows = comparison.selected(rows).ok()?;
        let line = |row: &&Row| {
            let value = comparison.function.of(row)?;
            let says = comparison.says(row, value, false);
            Some(format!("{} ({})", with_both(row, &says, own), about(row)))
        };
        let lines: Vec<String> = rows.iter().filter_map(line).collect();
        (lines.len() <= MOST_NAMED).then_some(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;
    use epicene_core::RowKind;

    fn row(names: [&str; 3], metric: &str, value: f64, interval: Option<(f64, f64)>) -> Row {
        let mut row = Row::new("gest", names, metric, value);
        (row.low, row.high) = (interval.map(|i| i.0), interval.map(|i| i.1));
        row
    }

    fn difference(of: &str, from: &str, to: &str) -> RowKind {
        let [of, from, to] = [of, from, to].map(str::to_owned);
        RowKind::Difference { of, from, to }
    }

    #[test]
    fn checks_speak_in_three_digits() {
        let slovak = row(
            ["nmt", "lang:sk", "all"],
            "f_s",
            0.16417,
            Some((0.1329, 0.19491)),
        );
        let part = row(["m", "template:3", "stereotype:7"], "q", 1.30824, None);
        let near = row(["m", "all", "all"], "f_m", 0.29996, None);
        let mut change = row(
            ["new - old", "lang:sk", "all"],
            "delta_f_s",
            0.13412,
            Some((0.0971, 0.1709)),
        );
        change.kind = difference("f_s", "old", "new");
        let both = [("old", 0.16417), ("new", 0.29829)]
            .map(|(system, value)| row([system, "lang:sk", "all"], "f_s", value, None));
        let mut same = row(["nmt - nmt", "all", "all"], "delta_g_s", -0.02, None);
        same.kind = difference("g_s", "nmt", "nmt");
        // Neither the name of a system nor that of a metric makes a comparison.
        let own = row(["a - b", "lang:sk", "all"], "delta_g", 12.3, None);
        let count = row(["m", "all", "all"], "yield", 1384.0, None);
        for (row, expression, fails, expected) in [
            (
                &slovak,
                "f_s>0.1",
                true,
                "f_s 0.164 [0.133, 0.195] > 0.1 (nmt → Slovak)",
            ),
            (
                &slovak,
                "f_s>0.3",
                false,
                "f_s 0.164 [0.133, 0.195] ≤ 0.3 (nmt → Slovak)",
            ),
            (
                &slovak,
                "low(f_s)>=0.1",
                true,
                "low(f_s) 0.133 ≥ 0.1 (nmt → Slovak)",
            ),
            (
                &part,
                "q>1.3",
                true,
                "q 1.31 > 1.3 (m, template 3, stereotype 7)",
            ),
            // Rounded to 0.300 it would not be below.
            (&near, "f_m<0.3", true, "f_m 0.29996 < 0.3 (m)"),
            (&near, "f_m>=0.3", false, "f_m 0.29996 < 0.3 (m)"),
            (
                &change,
                "delta_f_s>0",
                true,
                "f_s 0.164 → 0.298, +0.134 [0.0971, 0.171] > 0 (old → new, Slovak)",
            ),
            (
                &same,
                "delta_g_s<0",
                true,
                "delta_g_s -0.0200 < 0 (nmt → nmt)",
            ),
            (
                &own,
                "delta_g>10",
                true,
                "delta_g +12.3 > 10 (a - b → Slovak)",
            ),
            (&count, "yield>100", true, "yield 1384 > 100 (m)"),
            (
                &slovak,
                "worst(f_s)<9",
                true,
                "worst f_s 0.164 [0.133, 0.195] < 9 (nmt → Slovak)",
            ),
            (
                &slovak,
                "mean(f_s)<9",
                true,
                "f_s 0.164, mean of 1 rows 0.164 < 9 (nmt → Slovak)",
            ),
        ] {
            let gate = Gate::parse(expression).unwrap();
            let mut row = row.clone();
            row.ideal = Some(0.0);
            let rows = [row];
            let fired = gate.fired_among(&rows, &both).unwrap();
            assert_eq!(fired.is_some(), fails, "{expression}");
            let said = match fired {
                Some(fired) => fired[0].words(),
                None => gate.passed(&rows, &both).remove(0),
            };
            assert_eq!(said, expected);
        }
    }
}
