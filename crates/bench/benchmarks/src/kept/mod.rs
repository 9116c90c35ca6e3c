//! Whether a translation keeps the gender that its source says: what `mittens` and `gest-into-english` count alike.

mod compare;
mod formulas;
mod views;

use std::collections::BTreeMap;

use epicene_core::{Finding, Gender, ItemRef, Metric, MetricRange, Outcome};

pub use self::compare::compare;
pub use self::formulas::formulas;
pub use self::views::views;
use crate::into_english::apart;
use crate::options::INTERVAL;
use crate::{BenchError, Clusters, ColumnView, Estimate, Judged, Measured, RowWriter, Verdicts};

/// The label of the gender that the source of an item says: `masculine` or `feminine`.
pub const GENDER: &str = "gender";

/// The gender that the source of an item says.
pub fn gender(item: ItemRef<'_>) -> Option<Gender> {
    match item.label(GENDER)? {
        "masculine" => Some(Gender::Masculine),
        "feminine" => Some(Gender::Feminine),
        _ => None,
    }
}

/// The other gender is wrong whatever else there is.
pub fn outcome(item: ItemRef<'_>, finding: Finding) -> Option<Outcome> {
    let expected = gender(item)?;
    Some(match finding {
        Finding::Both => Outcome::Wrong,
        finding => Outcome::of(expected, finding),
    })
}

/// The headline numbers, in the words of a benchmark about `passages` or `sentences`.
pub const fn headlines(accuracy: &'static str, preserved: &'static str) -> [Metric; 3] {
    [
        Metric::headline(
            "accuracy",
            accuracy,
            1.0,
            ["", "gives people the wrong gender"],
        )
        .because("people keep their gender, or show none, in {accuracy%}")
        .within(MetricRange::proportion("accuracy"))
        .larger("more accurate"),
        Metric::headline(
            "preserved",
            preserved,
            1.0,
            ["", "loses the gender of the source"],
        )
        .because("the gender of the source is kept in {preserved%}")
        .within(MetricRange::proportion("preserved_rate"))
        .larger("more accurate"),
        Metric::headline(
            "gap",
            "accuracy on men less accuracy on women",
            0.0,
            ["less accurate about women", "less accurate about men"],
        )
        .because(
            "accuracy about men less accuracy about women is {gap}; without bias it would be 0",
        )
        .within(MetricRange::gap("gender_gap"))
        .larger("better on men"),
    ]
}

/// The other numbers that both have.
pub const DETAILS: [Metric; 6] = [
    Metric::detail("inconclusive"),
    Metric::with_ideal("gap_preserved", 0.0).within(MetricRange::gap("gender_gap")),
    Metric::difference("delta_accuracy", "accuracy"),
    Metric::difference("delta_preserved", "preserved"),
    Metric::difference("delta_gap", "gap"),
    Metric::detail("p_value"),
];

/// The outcome of every answered item of a column, by the item's index.
pub fn outcomes(view: &ColumnView<'_>, verdicts: &Verdicts) -> Vec<(usize, Outcome)> {
    let cells = verdicts.cells.iter().enumerate();
    cells
        .filter(|(item, _)| view.text(*item).is_some())
        .filter_map(|(item, verdict)| Some((item, verdict.as_ref()?.outcome?)))
        .collect()
}

pub fn is_not_wrong(outcome: Outcome) -> bool {
    outcome != Outcome::Wrong
}

pub fn is_right(outcome: Outcome) -> bool {
    outcome == Outcome::Correct
}

pub type Outcomes = Vec<(usize, Outcome)>;

/// The outcomes of one system.
pub struct Column<'a> {
    pub clusters: &'a Clusters,
    pub view: ColumnView<'a>,
    pub outcomes: Outcomes,
}

impl Column<'_> {
    fn label(&self, item: usize, name: &str) -> Option<&str> {
        self.view.items().get(item).label(name)
    }

    /// The group of an item by these labels; `None` if it lacks one.
    pub fn name(&self, item: usize, labels: &[&str]) -> Option<String> {
        let part = |name: &&str| Some(format!("{name}:{}", self.label(item, name)?));
        let parts: Option<Vec<String>> = labels.iter().map(part).collect();
        Some(parts?.join("+"))
    }

    /// All items, those of each label, and of each pair of the labels that pair.
    fn groups(&self, facets: &[&str], pairing: &[&str]) -> BTreeMap<String, Outcomes> {
        let mut groups: BTreeMap<String, Outcomes> = BTreeMap::new();
        for (item, outcome) in &self.outcomes {
            let mut names = vec!["all".to_owned()];
            names.extend(facets.iter().filter_map(|name| self.name(*item, &[name])));
            for (index, first) in pairing.iter().enumerate() {
                let seconds = pairing[index + 1..].iter();
                names.extend(seconds.filter_map(|second| self.name(*item, &[first, second])));
            }
            for name in names {
                groups.entry(name).or_default().push((*item, *outcome));
            }
        }
        groups
    }

    /// A share on sources about men less the same about women.
    pub fn gap(
        &self,
        items: &Outcomes,
        test: &dyn Fn(Outcome) -> bool,
    ) -> Result<Option<Estimate>, BenchError> {
        let side = |gender: &str| {
            let own = items.iter();
            let own = own.filter(|(item, _)| self.label(*item, GENDER) == Some(gender));
            self.clusters
                .share(own.map(|(item, outcome)| (*item, test(*outcome))))
        };
        match (side("masculine")?, side("feminine")?) {
            (Some(men), Some(women)) => men.less(&women).map(Some),
            _ => Ok(None),
        }
    }

    /// The shares and gaps of all groups.
    fn write(
        &self,
        writer: &mut RowWriter<'_>,
        groups: &BTreeMap<String, Outcomes>,
        clustered: bool,
    ) -> Result<(), BenchError> {
        for (group, items) in groups {
            let of = |test: &dyn Fn(Outcome) -> bool| -> Vec<(usize, bool)> {
                items
                    .iter()
                    .map(|(item, outcome)| (*item, test(*outcome)))
                    .collect()
            };
            let clusters = clustered.then_some(self.clusters);
            let metrics: [(&str, &dyn Fn(Outcome) -> bool); 3] = [
                ("accuracy", &is_not_wrong),
                ("preserved", &is_right),
                ("inconclusive", &|outcome| outcome == Outcome::Inconclusive),
            ];
            for (metric, test) in metrics {
                writer.share(clusters, [group, metric], &of(test))?;
            }
            if group == "all" || !group.contains(GENDER) {
                for (metric, test) in [
                    ("gap", &is_not_wrong as &dyn Fn(Outcome) -> bool),
                    ("gap_preserved", &is_right),
                ] {
                    if let Some(gap) = self.gap(items, test)? {
                        let row = writer.estimate(group, metric, &gap);
                        if !clustered {
                            (row.low, row.high, row.k, row.deff, row.n_eff) = Default::default();
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The numbers of every system by these labels, and by pairs of those that pair; then what a benchmark adds of its own.
pub fn measure(
    judged: &Judged<'_>,
    [facets, pairing]: [&[&str]; 2],
    further: impl Fn(&Column<'_>, &mut RowWriter<'_>) -> Result<Option<String>, BenchError>,
) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let clustered = judged.options.get(&INTERVAL).is_clustered();
    let mut measured = Measured::default();
    for (view, verdicts) in judged.columns() {
        let system = &view.system().name;
        let mut writer = RowWriter::new(judged.card, system, view.column().unit.as_str());
        let column = Column {
            clusters: &clusters,
            view,
            outcomes: outcomes(&view, verdicts),
        };
        let groups = column.groups(facets, pairing);
        column.write(&mut writer, &groups, clustered)?;
        measured.notes.extend(further(&column, &mut writer)?);
        measured
            .notes
            .extend(apart::notes(&view, verdicts, "inconclusive"));
        measured.rows.extend(writer.rows);
    }
    if clustered {
        measured.how.extend(clusters.how());
        measured.how.push(("interval", "clustered".to_owned()));
    } else {
        measured.how.push(("interval", "wilson".to_owned()));
    }
    measured.or_nothing()
}
