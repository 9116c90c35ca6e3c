//! Shares by what a translation shows, the masculine share, and how it follows occupations and traits.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::ItemRef;
use epicene_stats::{correlation_interval, pearson, spearman};

use super::shown::{Shown, shown};
use super::{apart, data, language};
use crate::estimate::LEVEL;
use crate::options::INTERVAL;
use crate::translations::SOURCE;
use crate::{BenchError, Clusters, ColumnView, Estimate, Judged, Measured, RowWriter};

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let clustered = judged.options.get(&INTERVAL).is_clustered();
    let mut measured = Measured::default();
    let mut languages = BTreeSet::new();
    for (view, verdicts) in judged.columns() {
        let unit = view.column().unit.as_str();
        let mut writer = RowWriter::new(judged.card, &view.system().name, unit);
        let column = Column {
            clusters: &clusters,
            clustered,
            view,
            shown: shown(&view, verdicts),
        };
        for group in column.groups() {
            column.write(&mut writer, &group)?;
        }
        measured.rows.extend(writer.rows);
        let items = column.shown.iter().map(|(item, _)| view.items().get(*item));
        languages.extend(items.map(language));
        measured
            .notes
            .extend(apart::notes(&view, verdicts, "unknown"));
    }
    let unread = data::unreviewed(languages);
    if !unread.is_empty() {
        measured.warnings.push(format!(
            "templates not yet checked by a native speaker ({})",
            unread.join(", ")
        ));
    }
    if clustered {
        measured.how.extend(clusters.how());
        measured.how.push(("interval", "clustered".to_owned()));
    } else {
        measured.how.push(("interval", "wilson".to_owned()));
    }
    measured.or_nothing()
}

/// What one system's translations show.
pub struct Column<'a> {
    pub clusters: &'a Clusters,
    pub clustered: bool,
    pub view: ColumnView<'a>,
    pub shown: Vec<(usize, Shown)>,
}

impl Column<'_> {
    /// All items, and those of each language, template, occupation, list and status.
    fn groups(&self) -> Vec<String> {
        let mut groups = BTreeSet::new();
        for (item, _) in &self.shown {
            let item = self.view.items().get(*item);
            for name in FACETS {
                groups.extend(item.label(name).map(|value| format!("{name}:{value}")));
            }
        }
        std::iter::once("all".to_owned()).chain(groups).collect()
    }

    pub fn of_group<'s>(&'s self, group: &'s str) -> impl Iterator<Item = (usize, Shown)> + 's {
        let facet = group.split_once(':');
        let belongs = move |item: ItemRef<'_>| match facet {
            None => true,
            Some((name, value)) => item.label(name) == Some(value),
        };
        let all = self.shown.iter().copied();
        all.filter(move |(item, _)| belongs(self.view.items().get(*item)))
    }

    fn write(&self, writer: &mut RowWriter<'_>, group: &str) -> Result<(), BenchError> {
        let clusters = self.clustered.then_some(self.clusters);
        let items: Vec<(usize, Shown)> = self.of_group(group).collect();
        let is = |test: &dyn Fn(Shown) -> bool| -> Vec<(usize, bool)> {
            items
                .iter()
                .map(|(item, shown)| (*item, test(*shown)))
                .collect()
        };
        for (kind, metric) in Shown::ALL {
            writer.share(clusters, [group, metric], &is(&|shown| shown == kind))?;
        }
        writer.share(clusters, [group, "gendered"], &is(&Shown::is_gendered))?;
        writer.share(clusters, [group, "kept_open"], &is(&Shown::is_open))?;
        let decided: Vec<(usize, bool)> = items
            .iter()
            .filter_map(|(item, shown)| Some((*item, shown.is_masculine()?)))
            .collect();
        writer.share(clusters, [group, "masculine_share"], &decided)?;
        for (metric, sides) in GAPS {
            if let Some(gap) = self.gap(group, sides)? {
                let row = writer.estimate(group, metric, &gap);
                if !self.clustered {
                    (row.low, row.high, row.k, row.deff, row.n_eff) = Default::default();
                }
            }
        }
        let facet = group.split_once(':').map(|(name, _)| name);
        if facet.is_none_or(|name| name == SOURCE) {
            self.labour_market(writer, group)?;
        }
        let found: Vec<(usize, bool)> = items
            .iter()
            .filter_map(|(item, _)| {
                let name = self.view.items().get(*item).label(data::OCCUPATION)?;
                let occupation = data::occupation(name)?;
                let text = self.view.text(*item)?;
                Some((*item, data::is_found(occupation, text)))
            })
            .collect();
        writer.share(clusters, [group, "found"], &found)
    }

    /// The masculine share of the items that have this label.
    fn masculine(&self, group: &str, (name, value): Label) -> Result<Option<Estimate>, BenchError> {
        let own = self.of_group(group).filter_map(|(item, shown)| {
            let belongs = self.view.items().get(item).label(name) == Some(value);
            Some((item, shown.is_masculine()?)).filter(|_| belongs)
        });
        self.clusters.share(own)
    }

    /// The masculine share of one side less that of the other; `None` where a side has none.
    pub fn gap(
        &self,
        group: &str,
        [first, second]: [Label; 2],
    ) -> Result<Option<Estimate>, BenchError> {
        let sides = (
            self.masculine(group, first)?,
            self.masculine(group, second)?,
        );
        match sides {
            (Some(first), Some(second)) => first.less(&second).map(Some),
            _ => Ok(None),
        }
    }

    /// How the feminine share of occupations follows the share of women in them.
    fn labour_market(&self, writer: &mut RowWriter<'_>, group: &str) -> Result<(), BenchError> {
        let mut counts: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
        for (item, shown) in self.of_group(group) {
            let name = self.view.items().get(item).label(data::OCCUPATION);
            if let (Some(name), Some(masculine)) = (name, shown.is_masculine()) {
                counts.entry(name).or_default()[usize::from(masculine)] += 1;
            }
        }
        // In the order of the table, so that sums round as the reference's do.
        let (mut shares, mut women) = (Vec::new(), Vec::new());
        for occupation in data::occupations() {
            if let Some([feminine, masculine]) = counts.get(occupation.name) {
                let masculine = f64::from(*masculine) / f64::from(feminine + masculine);
                shares.push(1.0 - masculine);
                women.push(occupation.women);
            }
        }
        let n = shares.len();
        if n == 0 {
            return Ok(());
        }
        for (metric, found) in [
            ("r_women", pearson(&shares, &women)),
            ("rho_women", spearman(&shares, &women)),
        ] {
            // Too few occupations, or all alike: there is no correlation to speak of.
            let Ok(found) = found else { continue };
            if n < 3 || !found.r.is_finite() {
                continue;
            }
            let row = writer.push(group, metric, found.r);
            row.n = Some(n as u64);
            if let Ok(interval) = correlation_interval(found.r, n, LEVEL) {
                (row.low, row.high) = (Some(interval.low), Some(interval.high));
            }
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / n as f64;
        let row = writer.push(group, "feminine_excess", mean(&shares) - mean(&women));
        row.n = Some(n as u64);
        Ok(())
    }
}

type Label = (&'static str, &'static str);

const FACETS: [&str; 5] = [
    SOURCE,
    data::TEMPLATE,
    data::OCCUPATION,
    data::LIST,
    data::STATUS,
];

/// Differences of the masculine share between two sides of the items.
pub const GAPS: [(&str, [Label; 2]); 2] = [
    ("stereotype", [(data::LIST, "male"), (data::LIST, "female")]),
    ("trait_gap", [(data::ABOUT, "men"), (data::ABOUT, "women")]),
];
