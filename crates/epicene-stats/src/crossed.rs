//! Variances when every sentence shares something with two kinds of others: an occupation with those of its row, a verb
//! with those of its column, and both were drawn.

use crate::{cluster::Spread, describe::sum, error::StatsError};

/// Rows and columns of cells. Rows and columns are drawn within strata of their own; a stratum with one row or column is
/// no draw but a condition (sentences without any adjective), and adds nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    rows: Way,
    columns: Way,
    cells: Way,
}

/// One way of putting cells together.
#[derive(Debug, Clone, PartialEq)]
struct Way {
    /// Of each cell.
    labels: Vec<u32>,
    /// Of each label.
    strata: Vec<u32>,
}

impl Crossing {
    /// Labels of each cell, from 0, and the stratum of each label.
    pub fn new(rows: (Vec<u32>, Vec<u32>), columns: (Vec<u32>, Vec<u32>)) -> Crossing {
        assert_eq!(
            rows.0.len(),
            columns.0.len(),
            "a row and a column for each cell"
        );
        let mut numbers = std::collections::BTreeMap::new();
        let mut strata = Vec::new();
        let cells = rows.0.iter().zip(&columns.0);
        let labels = cells
            .map(|(row, column)| {
                let next = numbers.len() as u32;
                *numbers.entry((*row, *column)).or_insert_with(|| {
                    strata.push(0);
                    next
                })
            })
            .collect();
        let way = |(labels, strata): (Vec<u32>, Vec<u32>)| Way { labels, strata };
        Crossing {
            rows: way(rows),
            columns: way(columns),
            cells: Way { labels, strata },
        }
    }

    pub fn len(&self) -> usize {
        self.rows.labels.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The fewer of the rows and the columns that were drawn and take part.
    pub fn clusters(&self, present: &[bool]) -> usize {
        let drawn = [&self.rows, &self.columns].map(|way| {
            let sizes = way.sizes(present);
            sizes.into_iter().filter(|size| *size > 1).sum::<usize>()
        });
        match drawn {
            [0, k] | [k, 0] => k,
            [rows, columns] => rows.min(columns),
        }
    }

    /// V(rows) + V(columns) - V(cells), each with its own k/(k-1) (Cameron, Gelbach & Miller 2011; `cov_cluster_2groups`
    /// of statsmodels). Where that is less than the larger of the first two, which a true variance is not, the larger
    /// stands in. Degrees of freedom are those of the way with the fewer clusters.
    pub fn spread(&self, influence: &[f64], present: &[bool]) -> Result<Spread, StatsError> {
        let rows = self.rows.spread(influence, present);
        let columns = self.columns.spread(influence, present);
        if rows.dof < 1.0 && columns.dof < 1.0 {
            return Err(StatsError::TooFew {
                argument: "clusters",
                needed: 2,
                got: 1,
            });
        }
        let cells = self.cells.spread(influence, present);
        let both = rows.variance + columns.variance - cells.variance;
        let drawn = [rows.dof, columns.dof]
            .into_iter()
            .filter(|dof| *dof >= 1.0);
        Ok(Spread {
            variance: both.max(rows.variance).max(columns.variance),
            dof: drawn.fold(f64::INFINITY, f64::min),
        })
    }
}

impl Way {
    /// Labels of each stratum that take part.
    fn sizes(&self, present: &[bool]) -> Vec<usize> {
        let mut seen = vec![false; self.strata.len()];
        for (label, present) in self.labels.iter().zip(present) {
            seen[*label as usize] |= present;
        }
        let strata = self
            .strata
            .iter()
            .max()
            .map_or(0, |most| *most as usize + 1);
        let mut sizes = vec![0; strata];
        for (stratum, seen) in self.strata.iter().zip(seen) {
            sizes[*stratum as usize] += usize::from(seen);
        }
        sizes
    }

    /// Σ over strata of k/(k-1) Σ (U - Ū)², U being the sum over a label.
    fn spread(&self, influence: &[f64], present: &[bool]) -> Spread {
        let mut sums = vec![0.0; self.strata.len()];
        let mut seen = vec![false; self.strata.len()];
        for ((label, value), present) in self.labels.iter().zip(influence).zip(present) {
            if *present {
                sums[*label as usize] += value;
                seen[*label as usize] = true;
            }
        }
        let mut spread = Spread {
            variance: 0.0,
            dof: 0.0,
        };
        let strata = self.strata.iter().max().map_or(0, |most| *most + 1);
        for stratum in 0..strata {
            let here: Vec<f64> = (0..sums.len())
                .filter(|label| self.strata[*label] == stratum && seen[*label])
                .map(|label| sums[label])
                .collect();
            let k = here.len() as f64;
            if k < 2.0 {
                continue;
            }
            let mean = sum(&here) / k;
            let squares: Vec<f64> = here.iter().map(|value| (value - mean).powi(2)).collect();
            spread.variance += sum(&squares) * k / (k - 1.0);
            spread.dof += k - 1.0;
        }
        spread
    }
}
