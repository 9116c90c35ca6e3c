//! `--junit FILE`: results as a test report, in the form that CI systems make pages of. A check is a test; so is every number a
//! benchmark comes down to, which fails when it is one of the rows that make the check fail.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use epicene_core::{Results, Row};
use epicene_io::OutputFile;
use epicene_report::escape;
use epicene_report::template::Check;

use crate::failure::Failure;
use crate::gate::Fired;
use crate::gate::words::brief;
use crate::{console, outputs};

/// A report on its way; opened before the work, so that a bad path does not cost it.
pub struct Junit {
    out: OutputFile,
    path: PathBuf,
}

impl Junit {
    pub fn open(path: Option<&PathBuf>) -> Result<Option<Junit>, Failure> {
        let open = |path: &PathBuf| {
            Ok(Junit {
                out: outputs::create(path)?,
                path: path.clone(),
            })
        };
        path.map(open).transpose()
    }

    /// Writes the results with the check and the rows that make it fail.
    pub fn write(
        mut self,
        results: &[Results],
        check: Option<&Check>,
        fired: &[Fired<'_>],
    ) -> Result<(), Failure> {
        let text = report(results, check, fired);
        let failed = |error| outputs::failed(&self.path, &error);
        self.out.write_all(text.as_bytes()).map_err(failed)?;
        outputs::finish(&self.path, self.out)?;
        console::note(format!("{}: written", self.path.display()));
        Ok(())
    }
}

/// One test: its class, its name, what it says, and why it failed.
struct Case {
    class: String,
    name: String,
    says: String,
    failure: Option<String>,
}

fn report(results: &[Results], check: Option<&Check>, fired: &[Fired<'_>]) -> String {
    let mut suites = String::new();
    let (mut tests, mut failures) = (0, 0);
    for part in results {
        let benchmark = part.signature.split('|').next().unwrap_or_default();
        let cases = cases(benchmark, part, check, fired);
        let failed = cases.iter().filter(|case| case.failure.is_some()).count();
        tests += cases.len();
        failures += failed;
        let _ = writeln!(
            suites,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"0\">",
            escape(benchmark),
            cases.len()
        );
        let _ = writeln!(
            suites,
            "    <properties>\n      <property name=\"signature\" value=\"{}\"/>\n    </properties>",
            escape(&part.signature)
        );
        cases.iter().for_each(|case| case.write(&mut suites));
        if !part.warned().is_empty() {
            let warnings = lines(&part.warned().join("\n"));
            let _ = writeln!(suites, "    <system-err>{warnings}</system-err>");
        }
        suites += "  </testsuite>\n";
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"epicene\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">\n{suites}</testsuites>\n"
    )
}

fn cases(benchmark: &str, part: &Results, check: Option<&Check>, fired: &[Fired<'_>]) -> Vec<Case> {
    let mut cases = Vec::new();
    if let Some(check) = check {
        let lines = check.lines.join("\n");
        let (says, failure) = if check.passed {
            (lines, None)
        } else {
            (String::new(), Some(lines))
        };
        cases.push(Case {
            class: format!("epicene.{benchmark}"),
            name: format!("check {}", check.expression),
            says,
            failure,
        });
    }
    for row in &part.rows {
        let why = fired.iter().find(|fired| fired.row == row);
        if why.is_some() || is_headline(row) {
            cases.push(Case {
                class: format!("epicene.{benchmark}.{}", row.system),
                name: format!("{} {} {}", row.metric, row.unit, row.group),
                says: number(row),
                failure: why.map(|fired| fired.why.clone()),
            });
        }
    }
    cases
}

/// Whether the benchmark comes down to this number, over all items.
fn is_headline(row: &Row) -> bool {
    let Some(benchmark) = epicene_bench::find(&row.benchmark) else {
        return false;
    };
    let metrics = benchmark.card().metrics.iter();
    let headline = metrics.filter(|metric| metric.headline);
    row.group == "all"
        && headline
            .into_iter()
            .any(|metric| metric.symbol == row.metric)
}

fn number(row: &Row) -> String {
    let mut text = format!("{} {}", row.metric, brief(row.value));
    if let (Some(low), Some(high)) = (row.low, row.high) {
        let _ = write!(text, " [{}, {}]", brief(low), brief(high));
    }
    if let Some(ideal) = row.ideal {
        let _ = write!(text, ", ideal {}", brief(ideal));
    }
    text
}

/// Several lines, escaped.
fn lines(text: &str) -> String {
    text.lines().map(escape).collect::<Vec<_>>().join("\n")
}

impl Case {
    fn write(&self, out: &mut String) {
        let _ = write!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\">",
            escape(&self.class),
            escape(&self.name)
        );
        if let Some(failure) = &self.failure {
            let first = failure.lines().next().unwrap_or_default();
            let _ = write!(
                out,
                "\n      <failure message=\"{}\" type=\"check\">{}</failure>",
                escape(first),
                lines(failure)
            );
        }
        if !self.says.is_empty() {
            let _ = write!(
                out,
                "\n      <system-out>{}</system-out>",
                lines(&self.says)
            );
        }
        *out += "\n    </testcase>\n";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::Gate;

    fn results() -> Results {
        let mut row = Row::new("gest", ["<a & \"b\">", "all", "all"], "g_s", 1.5);
        (row.low, row.high, row.ideal) = (Some(1.25), Some(1.75), Some(1.0));
        let other = Row::new("gest", ["c", "template:1", "stereotype:2"], "q", 2.0);
        Results {
            signature: "gest|data:x".to_owned(),
            warnings: vec!["first\u{1b}[2J".to_owned(), "second".to_owned()],
            partial: None,
            rows: vec![row, other],
            notes: Vec::new(),
            views: Vec::new(),
        }
    }

    #[test]
    fn a_check_that_fails_is_a_failed_test() {
        let results = [results()];
        let rows = &results[0].rows;
        let gate = Gate::parse("q>1").unwrap();
        let fired = gate.fired(rows).unwrap().unwrap();
        let check = gate.check(Some(&fired), rows, &[]);
        let text = report(&results, Some(&check), &fired);
        // The check, the headline number, and the row that makes the check fail.
        assert!(text.contains("tests=\"3\" failures=\"2\""), "{text}");
        assert!(
            text.contains("message=\"FAIL q 2.00 &gt; 1 (c, template 1, stereotype 2)\""),
            "{text}"
        );
        assert!(text.contains("&lt;a &amp; &quot;b&quot;&gt;"), "{text}");
        assert!(
            !text.contains('\u{1b}') && text.contains("second</system-err>"),
            "{text}"
        );
        let gate = Gate::parse("g_s>9").unwrap();
        let check = gate.check(gate.fired(rows).unwrap().as_deref(), rows, &[]);
        let passed = report(&results, Some(&check), &[]);
        assert!(passed.contains("tests=\"2\" failures=\"0\""), "{passed}");
        assert!(
            passed.contains("<system-out>PASS g_s 1.50 [1.25, 1.75] ≤ 9 ("),
            "{passed}"
        );
        let alone = report(&results, None, &[]);
        assert!(alone.contains("tests=\"1\" failures=\"0\""), "{alone}");
    }
}
