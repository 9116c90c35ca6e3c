//! One way to write rows: the metric is looked up in the benchmark's card, which knows its ideal.

use epicene_core::Row;
use epicene_stats::{Interval, wilson};

use crate::estimate::LEVEL;
use crate::sampling::Clusters;
use crate::{BenchError, Card};

/// Writes the rows of one system and unit.
pub struct RowWriter<'a> {
    pub card: &'static Card,
    pub system: &'a str,
    pub unit: &'a str,
    pub rows: Vec<Row>,
}

impl<'a> RowWriter<'a> {
    pub fn new(card: &'static Card, system: &'a str, unit: &'a str) -> RowWriter<'a> {
        RowWriter {
            card,
            system,
            unit,
            rows: Vec::new(),
        }
    }

    /// The share of the items that are so, with an interval over the clusters they were drawn in, where there are some.
    pub fn share(
        &mut self,
        clusters: Option<&Clusters>,
        [group, metric]: [&str; 2],
        items: &[(usize, bool)],
    ) -> Result<(), BenchError> {
        let n = items.len() as u64;
        if n == 0 {
            return Ok(());
        }
        if let Some(clusters) = clusters
            && let Some(estimate) = clusters.share(items.iter().copied())?
        {
            self.estimate(group, metric, &estimate);
            return Ok(());
        }
        let yes = items.iter().filter(|(_, yes)| *yes).count() as u64;
        let Interval { low, high } = wilson(yes, n, LEVEL)?;
        let row = self.push(group, metric, yes as f64 / n as f64);
        (row.low, row.high, row.n) = (Some(low), Some(high), Some(n));
        Ok(())
    }

    /// A row with the metric's ideal; interval and n are filled in by those who know them.
    pub fn push(&mut self, group: &str, symbol: &str, value: f64) -> &mut Row {
        self.push_in(self.unit, group, symbol, value)
    }

    /// The same in another unit.
    pub fn push_in(&mut self, unit: &str, group: &str, symbol: &str, value: f64) -> &mut Row {
        let metric = self.card.metric(symbol);
        let metric = metric.unwrap_or_else(|| {
            unreachable!("the card of {} lacks the metric {symbol}", self.card.name)
        });
        let place = [self.system, unit, group];
        let mut row = Row::new(self.card.name, place, symbol, value);
        row.ideal = metric.ideal;
        self.rows.push(row);
        self.rows.last_mut().expect("a row was pushed")
    }
}
