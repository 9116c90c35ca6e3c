//! A file for auditors in twelve sections: the facts that the EU AI Act's Annex IV and audits of hiring tools ask for, as far
//! as a run knows them.

use epicene_core::{ModelKind, Row};

use super::document::{Block, Document, outside};
use super::facts::{
    AuditFacts, DATA_HEAD, METRIC_HEAD, RESULT_HEAD, RunFacts, interval, metric_line, result_line,
};
use super::model_card::{citations, warnings};
use crate::number::fixed;
use crate::words;

/// Shares of answers without a verdict, whatever a benchmark calls them.
const UNKNOWN: [&str; 8] = [
    "na",
    "unknown",
    "share_unknown",
    "inconclusive",
    "unreadable",
    "refused",
    "no_evidence",
    "missing",
];

/// The most rows of one run that a table holds; the rest is in the HTML report.
const MOST_ROWS: usize = 200;

pub(super) fn fill(document: &mut Document, runs: &[RunFacts], audit: &AuditFacts) {
    document.text(
        "This is not a Local Law 144 bias audit: such an audit needs data of applicants. \
         Lines that begin with TO FILL are to be written by you.",
    );
    document.heading(1, "Audit file: gender bias");
    document.heading(2, "1. System");
    systems(document, runs);
    document.heading(2, "2. Auditor");
    document.leave_open("auditor, and independence from the provider.");
    document.leave_open("date of the audit.");
    document.leave_open("responsible person, and signature.");
    document.heading(2, "3. Question");
    for run in runs {
        fields(
            document,
            run,
            &["What it measures", "Harms it looks for", "Genders"],
        );
    }
    document
        .text("Other attributes of people, such as age, origin or disability, are not measured.");
    document.heading(2, "4. Test data");
    document.table(&DATA_HEAD, runs.iter().map(RunFacts::data_line).collect());
    for run in runs {
        let source = match &run.source {
            Some(source) => format!("The data come from {source}."),
            None => "No source of the data is on record.".to_owned(),
        };
        document.text(format!("**{}**: {source}", run.benchmark));
        fields(document, run, &["Data", "Licence"]);
    }
    document.leave_open("why these data and not data of the system's own use.");
    document.heading(2, "5. Method");
    for run in runs {
        fields(document, run, &["How it is asked"]);
        let reads = |kind| matches!(kind, ModelKind::Translator | ModelKind::Chat);
        if run.systems.iter().any(|system| reads(system.kind)) {
            let names = ["How the gender is detected", "Detector accuracy"];
            fields(document, run, &names);
        } else {
            document.text(format!(
                "**{}**: no gender is read from text; answers are likelihoods.",
                run.benchmark
            ));
        }
        let labels = match run.labels {
            Some(count) => format!("Human labels of {count} answers are part of the run."),
            None => "The run has no human labels.".to_owned(),
        };
        document.text(format!("**{}**: {labels}", run.benchmark));
    }
    document.heading(2, "6. Metrics and thresholds");
    let metrics = runs.iter().flat_map(|run| {
        let metrics = run.used_metrics().into_iter();
        metrics.map(|metric| metric_line(&run.benchmark, metric))
    });
    document.table(&METRIC_HEAD, metrics.collect());
    match &audit.check {
        None => document.leave_open(
            "thresholds that were set before the measurement (`--fail-if` checks one).",
        ),
        Some(check) => {
            document.text(check.verdict());
            document.list(check.lines.iter().map(|line| outside(line)).collect());
        }
    }
    document.leave_open("why these metrics are appropriate for the system's purpose.");
    document.heading(2, "7. Results");
    for run in runs {
        results(document, run);
    }
    document.heading(2, "8. Uncertainty");
    for run in runs {
        uncertainty(document, run);
    }
    document.heading(2, "9. Limitations and foreseeable misuse");
    for run in runs {
        fields(document, run, &["Limits"]);
        warnings(document, run);
        if run.results.warned().is_empty() {
            document.text(format!(
                "**{}**: the measurement gave no warning.",
                run.benchmark
            ));
        }
    }
    document.leave_open("foreseeable misuse of the system and of these results.");
    document.heading(2, "10. Changes since the last audit");
    match &audit.comparison {
        None => document.leave_open(
            "changes since the last audit (`--baseline RUN` compares with an earlier run).",
        ),
        Some((baseline, compared)) => comparison(document, baseline, compared),
    }
    document.heading(2, "11. Reproduction");
    for run in runs {
        reproduction(document, run);
    }
    citations(document, runs);
    document.heading(2, "12. Mitigation and monitoring");
    document.leave_open("mitigation, monitoring after release, date of the next audit.");
}

fn systems(document: &mut Document, runs: &[RunFacts]) {
    let mut lines: Vec<Vec<String>> = Vec::new();
    for system in runs.iter().flat_map(|run| &run.systems) {
        let or = |value: &Option<String>| {
            value
                .as_deref()
                .map_or_else(|| "not recorded".to_owned(), outside)
        };
        let line = vec![
            outside(&system.name),
            outside(&system.source),
            or(&system.revision),
            or(&system.dtype),
            system.kind.name().to_owned(),
        ];
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    let head = [
        "System",
        "Accessed as",
        "Revision or hash",
        "Number format",
        "Kind",
    ];
    document.table(&head, lines);
    document.leave_open("provider and version of the system.");
    document.leave_open("intended purpose of the system.");
}

fn fields(document: &mut Document, run: &RunFacts, names: &[&str]) {
    for name in names {
        if let Some(text) = run.field(name) {
            let label = format!("**{}, {}.** ", run.benchmark, name.to_lowercase());
            // A list begins on a line of its own.
            let gap = if text.starts_with("- ") { "\n\n" } else { "" };
            document.blocks.push(Block::Card(label + gap + &text));
        }
    }
}

fn results(document: &mut Document, run: &RunFacts) {
    document.text(format!("**{}**", run.benchmark));
    document.list(run.sentences());
    let own = |row: &&Row| {
        let known = run.systems.iter().any(|system| system.name == row.system);
        known && row.ideal.is_some() && row.value.is_finite()
    };
    let rows: Vec<&Row> = run.results.rows.iter().filter(own).collect();
    if rows.len() > MOST_ROWS {
        document.text(format!(
            "The table has the first {MOST_ROWS} of {} rows; `epicene report` prints all.",
            rows.len()
        ));
    }
    document.table(
        &RESULT_HEAD,
        rows.iter()
            .take(MOST_ROWS)
            .map(|row| result_line(row))
            .collect(),
    );
    let unknown = without_verdict(&run.results.rows);
    if unknown.is_empty() {
        document.text("The run counts no answers without a verdict.");
    } else {
        document.text("Answers without a verdict:");
        document.list(unknown);
    }
    let rates = rates(&run.results.rows);
    if rates.is_empty() {
        document.text("The run has no rates for each gender.");
    } else {
        let head = [
            "System",
            "Prompt variant",
            "Group",
            "Rate",
            "Men",
            "Women",
            "Ratio (smaller / larger)",
        ];
        document.table(&head, rates);
    }
}

/// Answers without a verdict: over all items, or of each gender where no row is about all.
fn without_verdict(rows: &[Row]) -> Vec<String> {
    let listed = |row: &&Row| UNKNOWN.contains(&row.metric.as_str()) && row.value.is_finite();
    let whole = |row: &Row| {
        let mut others = rows.iter();
        others.any(|other| {
            other.group == "all"
                && other.system == row.system
                && other.unit == row.unit
                && other.metric == row.metric
        })
    };
    let shown = rows.iter().filter(listed);
    let shown = shown.filter(|row| row.group == "all" || is_of_gender(&row.group) && !whole(row));
    shown
        .map(|row| {
            let who = outside(&words::contestant(&row.system, &row.unit));
            let group = match row.group.as_str() {
                "all" => String::new(),
                group => format!(" ({})", outside(group)),
            };
            // Some are shares, some are counts.
            let n = row.n.map_or_else(String::new, |n| format!(", n {n}"));
            format!("{who}{group}: `{}` {}{n}", row.metric, fixed(row.value, 3))
        })
        .collect()
}

/// Keys of groups that hold people of one gender. The `male` of `occupation:male` are occupations.
const GENDER_KEYS: [&str; 4] = ["", "gender", "gold", "contextual"];

fn is_of_gender(group: &str) -> bool {
    let last = group.rsplit('+').next().unwrap_or(group);
    let (key, _) = last.rsplit_once(':').unwrap_or(("", last));
    GENDER_KEYS.contains(&key)
}

/// The group of women beside a group of men, and what both have in common.
fn women_beside(men: &str) -> Option<(String, String)> {
    let last = men.rsplit('+').next()?;
    let (_, man) = last.rsplit_once(':').unwrap_or(("", last));
    let woman = match man {
        "male" => "female",
        "masculine" => "feminine",
        _ => return None,
    };
    let common = men.strip_suffix(man)?;
    let shown = match common.trim_end_matches([':', '+']) {
        "" => "all",
        common => common,
    };
    is_of_gender(men).then(|| (format!("{common}{woman}"), shown.to_owned()))
}

/// Rates of men and women with their ratio: of two metrics, or of one metric in two groups.
fn rates(rows: &[Row]) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for row in rows {
        let metrics = row.metric.strip_suffix("_male").map(|rate| {
            let women = (format!("{rate}_female"), row.group.clone());
            (rate, women, row.group.clone())
        });
        let groups = women_beside(&row.group)
            .filter(|_| row.ideal.is_some())
            .map(|(group, shown)| (row.metric.as_str(), (row.metric.clone(), group), shown));
        let Some((rate, (metric, group), shown)) = metrics.or(groups) else {
            continue;
        };
        let other = rows.iter().find(|other| {
            other.system == row.system
                && other.unit == row.unit
                && other.metric == metric
                && other.group == group
        });
        let Some(other) = other else { continue };
        let (less, more) = (row.value.min(other.value), row.value.max(other.value));
        // A rate is a share: a difference or a factor has no impact ratio.
        if !(less >= 0.0 && more > 0.0 && more.is_finite()) {
            continue;
        }
        let shown_rate = |row: &Row| match interval(row) {
            Some(interval) => format!("{} {interval}", fixed(row.value, 3)),
            None => fixed(row.value, 3),
        };
        lines.push(vec![
            outside(&row.system),
            outside(&words::unit(&row.unit)),
            outside(&shown),
            format!("`{rate}`"),
            shown_rate(row),
            shown_rate(other),
            fixed(less / more, 3),
        ]);
    }
    lines
}

fn uncertainty(document: &mut Document, run: &RunFacts) {
    let headlines = run.headlines();
    let clusters: Vec<u64> = headlines.iter().filter_map(|(row, _)| row.k).collect();
    let sampled = run
        .results
        .signature
        .split('|')
        .find_map(|field| field.strip_prefix("unit:"));
    let method = run
        .results
        .signature
        .split('|')
        .find_map(|field| field.strip_prefix("interval:"));
    let mut said = Vec::new();
    if let (Some(least), Some(most)) = (clusters.iter().min(), clusters.iter().max()) {
        let range = if least == most {
            least.to_string()
        } else {
            format!("{least} to {most}")
        };
        let of = sampled.map_or_else(String::new, |sampled| format!(" ({})", outside(sampled)));
        said.push(format!(
            "Intervals treat {range} clusters{of} as the sample."
        ));
    } else {
        said.push("No headline number has a clustered interval.".to_owned());
    }
    if let Some(method) = method {
        said.push(format!("Method of the intervals: `{}`.", outside(method)));
    }
    let tested = headlines
        .iter()
        .filter(|(row, _)| row.low.is_some() && row.ideal.is_some());
    let tested = tested.count();
    if tested > 1 {
        said.push(format!(
            "{tested} headline intervals stand side by side without a correction: if every value were ideal, about {:.1} of them \
             would exclude the ideal value by chance.",
            tested as f64 * 0.05
        ));
    }
    document.text(format!("**{}**", run.benchmark));
    said.extend(run.results.notes.iter().map(|note| outside(note)));
    document.list(said);
}

fn comparison(document: &mut Document, baseline: &str, compared: &epicene_core::Results) {
    document.text(format!(
        "Compared with the run `{}`: a difference is this run less that run.",
        outside(baseline)
    ));
    let rows = compared
        .rows
        .iter()
        .filter(|row| row.difference_of().is_some() && row.group == "all");
    let lines: Vec<Vec<String>> = rows
        .map(|row| {
            vec![
                outside(&row.system),
                outside(&words::unit(&row.unit)),
                format!("`{}`", row.metric),
                fixed(row.value, 3),
                interval(row).unwrap_or_else(|| "none".to_owned()),
            ]
        })
        .collect();
    if lines.is_empty() {
        document.text("The comparison has no difference over all items.");
    }
    document.table(
        &[
            "Systems",
            "Prompt variant",
            "Difference",
            "Value",
            "95 % interval",
        ],
        lines,
    );
    document.list(
        compared
            .warned()
            .iter()
            .map(|warning| format!("Warning: {}", outside(warning)))
            .collect(),
    );
}

fn reproduction(document: &mut Document, run: &RunFacts) {
    let or = |moment: &Option<String>| moment.clone().unwrap_or_else(|| "not recorded".to_owned());
    let sha256 = match run.data.sha256.as_str() {
        "" => "no file",
        sha256 => sha256,
    };
    let mut lines = vec![
        ("Command", format!("`{}`", outside(&run.command.join(" ")))),
        (
            "Settings (signature)",
            format!("`{}`", outside(&run.results.signature)),
        ),
        ("epicene", run.epicene.clone()),
        ("Seed", run.seed.to_string()),
        ("Started", or(&run.started)),
        ("Finished", or(&run.finished)),
        ("Host", run.host.clone()),
        ("Answers", run.completeness()),
        ("SHA-256 of the data", sha256.to_owned()),
        ("SHA-256 of the manifest", run.manifest_sha256.clone()),
    ];
    let options: Vec<String> = run
        .options
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    if !options.is_empty() {
        lines.push(("Options", outside(&options.join(", "))));
    }
    let lines = lines
        .into_iter()
        .map(|(name, value)| vec![name.to_owned(), value]);
    document.text(format!("**{}**", run.benchmark));
    document.table(&["What", "Value"], lines.collect());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_groups_of_people_are_men_and_women() {
        for (men, women, shown) in [
            ("masculine", "feminine", "all"),
            ("male", "female", "all"),
            ("gold:male", "gold:female", "gold"),
            ("gender:masculine", "gender:feminine", "gender"),
            ("contextual:masculine", "contextual:feminine", "contextual"),
            (
                "gotcha:no+gender:male",
                "gotcha:no+gender:female",
                "gotcha:no+gender",
            ),
        ] {
            let expected = (women.to_owned(), shown.to_owned());
            assert_eq!(women_beside(men), Some(expected), "{men}");
        }
        for other in [
            "occupation:male",
            "list:male",
            "adjective:masculine",
            "adjective-elsewhere:masculine",
            "all",
            "",
            "gold:female",
            "gender:other",
        ] {
            assert_eq!(women_beside(other), None, "{other}");
        }
    }

    #[test]
    fn answers_without_a_verdict_are_listed_by_gender_where_no_row_is_about_all() {
        let row = |group: &str, metric: &str, value: f64| {
            Row::new("b", ["s", "lang:es", group], metric, value)
        };
        let mut grouped = [
            row("masculine", "no_evidence", 0.25),
            row("feminine", "no_evidence", 0.5),
            row("occupation:nurse", "no_evidence", 0.5),
        ];
        grouped[1].n = Some(8);
        assert_eq!(
            without_verdict(&grouped),
            [
                "s into Spanish (masculine): `no_evidence` 0.250",
                "s into Spanish (feminine): `no_evidence` 0.500, n 8"
            ]
        );
        let whole = [row("all", "unknown", 0.1), row("gold:male", "unknown", 0.2)];
        assert_eq!(without_verdict(&whole), ["s into Spanish: `unknown` 0.100"]);
        let rates = rates(&[
            row("masculine", "recall_male", 0.8),
            row("masculine", "recall_female", 0.4),
        ]);
        assert_eq!(rates[0][4..], ["0.800", "0.400", "0.500"]);
    }
}
