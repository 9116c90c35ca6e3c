//! One self-contained page: summary, figures, tables, the items behind them, and what is needed to cite it.
//! It asks the network for nothing (its policy forbids it), reads without JavaScript, and escapes every
//! name and sentence, which come from outside.

pub(crate) mod card_text;
mod cards;
mod changes;
mod first_screen;
mod foot;
mod fragment;
mod item_pack;
mod items;
mod page;
mod plain;
mod rows;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use epicene_core::{Language, Metric, Row, Unit};

use crate::Results;
use crate::chart_data::distinct;
use crate::figures::{self, Data, Entry, Figure};
use crate::standing::standings;
use crate::template::Check;
use crate::words;

pub use card_text::{CardField, card_fields};
pub use changes::{Change, Comparison};
pub use item_pack::{AnswerCell, AnswerColumn, ItemTable, Shown};
pub use page::policy as page_policy;

/// Everything a page shows.
#[derive(Debug, Default)]
pub struct Report {
    /// Empty: made of the benchmarks, systems and languages.
    pub title: String,
    pub parts: Vec<ReportRun>,
    pub comparison: Option<Comparison>,
    /// The check of the command that writes it.
    pub check: Option<Check>,
    pub version: String,
    /// Where a server gives the items page by page: the names by which it knows the runs. A file has them itself.
    pub served: Option<Served>,
}

/// A page that a server shows.
#[derive(Debug, Default)]
pub struct Served {
    /// For `api/runs`, in the order of the parts.
    pub runs: String,
    /// HTML of the server's own that stands before the results: which runs there are, and how far they are. Escaped by
    /// whoever made it.
    pub before: String,
}

/// One run.
#[derive(Debug)]
pub struct ReportRun {
    /// The name of its directory.
    pub run: String,
    pub benchmark: String,
    /// One line on what is measured.
    pub summary: String,
    /// The benchmark's card, in Markdown.
    pub card: String,
    /// What its metrics mean.
    pub metrics: &'static [Metric],
    /// Name, version and hash of the data, and how many items it has.
    pub data: String,
    /// Version, date and completeness of the run, for the line below the title.
    pub facts: Vec<String>,
    pub results: Results,
    /// Published rows in the same convention.
    pub baselines: Vec<Row>,
    /// Whether they were measured on the same items.
    pub same_items: bool,
    pub items: ItemTable,
    /// Of metrics that are about some of the items: the label, with its value, that those have.
    pub scopes: BTreeMap<String, (String, String)>,
    /// Rows of paired tests between its systems (`epicene compare`), where somebody made them.
    pub compared: Vec<Row>,
}

/// The parts of one benchmark, which share their figures.
struct Chapter<'a> {
    benchmark: &'a str,
    parts: Vec<usize>,
    data: Data<'a>,
}

/// The number that a run comes down to, for lists of runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Headline {
    /// The system furthest from the ideal.
    pub system: String,
    /// `f_s 0.298 [0.269, 0.327]`
    pub number: String,
}

impl Report {
    /// The first headline number of its first benchmark, of the system furthest from the ideal; none where only controls were measured.
    pub fn headline(&self) -> Option<Headline> {
        let found = chapters(self, |chapter| {
            let data = &chapter.data;
            let standing = standings(data).into_iter().next()?;
            let entry = standing.entries.last()?;
            Some(Headline {
                system: words::contestant(entry.system, &entry.unit),
                number: format!(
                    "{} {}",
                    standing.metric.symbol,
                    entry.number(data.decimals(entry.row))
                ),
            })
        });
        found.into_iter().next().flatten()
    }

    /// `GEST: deepl and google into Slovak`: benchmarks, systems without controls, languages; numbers of them where they are many.
    fn heading(&self) -> String {
        const NAMED: usize = 3;
        if !self.title.is_empty() {
            return self.title.clone();
        }
        let parts = &self.parts;
        let joined = |names: Vec<&str>, thing: &str| match names.as_slice() {
            [] => String::new(),
            [one] => (*one).to_owned(),
            [first @ .., last] if names.len() <= NAMED => {
                format!("{} and {last}", first.join(", "))
            }
            many => words::count(many.len(), thing),
        };
        let rows = || parts.iter().flat_map(|part| &part.results.rows);
        let of_one = |row: &&Row| row.system != "all" && !row.system.starts_with("all:");
        let systems = distinct(rows().filter(of_one).map(|row| row.system.as_str()));
        let own: Vec<&str> = systems
            .iter()
            .filter(|system| !words::is_control(system))
            .copied()
            .collect();
        let systems = if own.is_empty() { systems } else { own };
        let languages = rows().filter_map(|row| {
            let language = Language::find(Unit::language_code(&row.unit)?)?;
            Some(language.name())
        });
        let languages = distinct(languages);
        let benchmarks = joined(
            distinct(parts.iter().map(ReportRun::short_title)),
            "benchmark",
        );
        let systems = joined(systems, "system");
        match (systems.is_empty(), languages.is_empty()) {
            (true, _) => benchmarks,
            (false, true) => format!("{benchmarks}: {systems}"),
            (false, false) => {
                format!(
                    "{benchmarks}: {systems} into {}",
                    joined(languages, "language")
                )
            }
        }
    }
}

impl ReportRun {
    /// The benchmark's name as its card has it.
    fn title(&self) -> &str {
        let title = self.card.lines().find_map(|line| line.strip_prefix("# "));
        title.unwrap_or(&self.benchmark)
    }

    /// The same without what follows a colon.
    fn short_title(&self) -> &str {
        let title = self.title();
        title.split(':').next().unwrap_or(title)
    }
}

/// Names of systems as figures call them, row by row of every part.
fn system_names(parts: &[ReportRun]) -> Vec<Vec<String>> {
    let mut owners: BTreeMap<(&str, &str), BTreeSet<usize>> = BTreeMap::new();
    for (index, part) in parts.iter().enumerate() {
        for row in &part.results.rows {
            let key = (part.benchmark.as_str(), row.system.as_str());
            owners.entry(key).or_default().insert(index);
        }
    }
    let several = |part: &ReportRun, system: &str| {
        let key = (part.benchmark.as_str(), system);
        owners.get(&key).is_some_and(|parts| parts.len() > 1)
    };
    parts
        .iter()
        .map(|part| {
            let rows = part.results.rows.iter();
            rows.map(|row| {
                if several(part, &row.system) {
                    format!("{} ({})", row.system, part.run)
                } else {
                    row.system.clone()
                }
            })
            .collect()
        })
        .collect()
}

/// What people read for the names in a benchmark's rows.
fn labels(parts: &[&ReportRun]) -> BTreeMap<String, String> {
    let views = parts.iter().flat_map(|part| &part.results.views);
    let labels = views.flat_map(|view| &view.labels);
    labels.map(|(k, v)| (k.clone(), v.clone())).collect()
}

/// Where a part's rows begin in the JSON of the same report.
fn offsets(parts: &[ReportRun]) -> Vec<usize> {
    let mut next = 0;
    parts
        .iter()
        .map(|part| {
            let offset = next;
            next += part.results.rows.len();
            offset
        })
        .collect()
}

/// Calls `each` with every benchmark of the report, in the order in which they come.
fn chapters<T>(report: &Report, mut each: impl FnMut(&Chapter<'_>) -> T) -> Vec<T> {
    let names = system_names(&report.parts);
    let offsets = offsets(&report.parts);
    let benchmarks: Vec<&str> = report.parts.iter().map(|p| p.benchmark.as_str()).collect();
    let mut seen = BTreeSet::new();
    let mut made = Vec::new();
    for benchmark in benchmarks {
        if !seen.insert(benchmark) {
            continue;
        }
        let members: Vec<usize> = (0..report.parts.len())
            .filter(|index| report.parts[*index].benchmark == benchmark)
            .collect();
        let parts: Vec<&ReportRun> = members.iter().map(|index| &report.parts[*index]).collect();
        let labels = labels(&parts);
        let entries = members.iter().flat_map(|index| {
            let rows = report.parts[*index].results.rows.iter().enumerate();
            let (names, offset) = (&names[*index], offsets[*index]);
            rows.map(move |(place, row)| Entry {
                row,
                index: Some(offset + place),
                system: &names[place],
            })
        });
        // Published rows stand behind the figures only where they fit all the runs.
        let comparable = parts.iter().all(|part| !part.baselines.is_empty());
        let published: &[Row] = match (comparable, parts.first()) {
            (true, Some(part)) => &part.baselines,
            _ => &[],
        };
        let same_items = parts.iter().all(|part| part.same_items);
        let compared = parts.iter().map(|part| part.compared.as_slice());
        let compared: &[Row] = compared.max_by_key(|rows| rows.len()).unwrap_or(&[]);
        let chapter = Chapter {
            benchmark,
            data: Data {
                benchmark,
                entries: entries.collect(),
                published,
                same_items,
                labels: &labels,
                metrics: parts[0].metrics,
                compared,
                views: parts.iter().flat_map(|part| &part.results.views).collect(),
            },
            parts: members.clone(),
        };
        made.push(each(&chapter));
    }
    made
}

impl Report {
    /// Every figure of the report, for files.
    pub fn figures(&self) -> Vec<Figure> {
        let mut figures: Vec<Figure> = chapters(self, |chapter| {
            let mut all = figures::front(&chapter.data);
            all.extend(figures::figures(&chapter.data));
            all
        })
        .concat();
        figures.extend(self.comparison.as_ref().and_then(|comparison| {
            let offset = self.parts.iter().map(|part| part.results.rows.len()).sum();
            changes::figure(comparison, offset)
        }));
        figures
    }

    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        page::write(self, out)
    }
}
