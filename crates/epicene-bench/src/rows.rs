//! One way to write rows: the metric is looked up in the benchmark's card, which knows its ideal.

use epicene_core::Row;

use crate::Card;

/// Writes the rows of one system and unit.
pub(crate) struct RowWriter<'a> {
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
