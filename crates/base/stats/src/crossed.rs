//! Variances when every sentence shares something with two kinds of others: an occupation with those of its row, a verb
//! with those of its column, and both were drawn.

use std::collections::BTreeMap;

use crate::{cluster::Spread, describe::sum, error::StatsError, student::satterthwaite};

/// Rows and columns of cells. Rows and columns are drawn within strata of their own; a stratum with one row or column is
/// no draw but a condition (sentences without any adjective), and adds nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    rows: Way,
    columns: Way,
    /// The cell of each sentence.
    cells: Vec<u32>,
    /// Row and column of each cell.
    places: Vec<[usize; 2]>,
}

/// One way of putting sentences together.
#[derive(Debug, Clone, PartialEq)]
struct Way {
    /// Of each sentence.
    labels: Vec<u32>,
    /// Of each label.
    strata: Vec<u32>,
}

/// A part of a variance with its degrees of freedom.
type Part = (f64, f64);

impl Crossing {
    /// Labels of each sentence, from 0, and the stratum of each label.
    pub fn new(rows: (Vec<u32>, Vec<u32>), columns: (Vec<u32>, Vec<u32>)) -> Crossing {
        assert_eq!(
            rows.0.len(),
            columns.0.len(),
            "a row and a column for each sentence"
        );
        let mut numbers = BTreeMap::new();
        let mut places = Vec::new();
        let cells = rows.0.iter().zip(&columns.0);
        let cells = cells
            .map(|(row, column)| {
                let next = numbers.len() as u32;
                *numbers.entry((*row, *column)).or_insert_with(|| {
                    places.push([*row as usize, *column as usize]);
                    next
                })
            })
            .collect();
        let way = |(labels, strata): (Vec<u32>, Vec<u32>)| Way { labels, strata };
        Crossing {
            rows: way(rows),
            columns: way(columns),
            cells,
            places,
        }
    }

    pub fn len(&self) -> usize {
        self.cells.len()
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

    /// V(rows) + V(columns) - V(cells), each with its own degrees of freedom (Cameron, Gelbach & Miller 2011). What is in
    /// a cell beside its row and its column is in both of the first two, and is taken off once; the effects of rows and columns
    /// themselves are in one of them each and stay, so that cells are looked at without them (the mean square of the
    /// interaction; with few columns the plain sum of squares of cells takes off a part of what rows add). Cells of a
    /// condition are in the rows alone: nothing is taken off. Where the result is less than the larger of the first two, which
    /// a true variance is not, the larger stands in. Degrees of freedom are Satterthwaite's.
    pub fn spread(&self, influence: &[f64], present: &[bool]) -> Result<Spread, StatsError> {
        let rows = self.rows.parts(influence, present);
        let columns = self.columns.parts(influence, present);
        if rows.is_empty() && columns.is_empty() {
            return Err(StatsError::TooFew {
                argument: "clusters",
                needed: 2,
                got: 1,
            });
        }
        let cells = self.interactions(influence, present);
        let total = |parts: &[Part]| parts.iter().map(|(variance, _)| variance).sum::<f64>();
        let both = total(&rows) + total(&columns) - total(&cells);
        let variance = both.max(total(&rows)).max(total(&columns));
        // As satterthwaite(), but that one part is taken off: its uncertainty still adds.
        let parts = [rows, columns, cells].concat();
        let dof = satterthwaite(&parts).map(|dof| dof * (variance / total(&parts)).powi(2));
        let fewest = parts.iter().map(|(_, dof)| *dof);
        Ok(Spread {
            variance,
            dof: dof.unwrap_or_else(|_| fewest.fold(f64::INFINITY, f64::min)),
        })
    }

    /// For each stratum of rows within each stratum of columns, both drawn: the spread of cells around what their row and
    /// column would have them be. Where no row has two columns there is nothing to tell them by: the cells as they are.
    fn interactions(&self, influence: &[f64], present: &[bool]) -> Vec<Part> {
        let mut sums = vec![0.0; self.places.len()];
        let mut seen = vec![false; self.places.len()];
        for ((cell, value), _) in self
            .cells
            .iter()
            .zip(influence)
            .zip(present)
            .filter(|p| *p.1)
        {
            sums[*cell as usize] += value;
            seen[*cell as usize] = true;
        }
        let sizes = [&self.rows, &self.columns].map(|way| way.sizes(present));
        let mut blocks: BTreeMap<[u32; 2], Vec<usize>> = BTreeMap::new();
        for cell in (0..sums.len()).filter(|cell| seen[*cell]) {
            let [row, column] = self.places[cell];
            let strata = [self.rows.strata[row], self.columns.strata[column]];
            if strata.iter().zip(&sizes).all(|(h, of)| of[*h as usize] > 1) {
                blocks.entry(strata).or_default().push(cell);
            }
        }
        let blocks = blocks.into_values();
        blocks
            .map(|cells| self.interaction(&cells, &sums))
            .collect()
    }

    fn interaction(&self, cells: &[usize], sums: &[f64]) -> Part {
        let n = cells.len() as f64;
        let mut rest: Vec<f64> = cells.iter().map(|cell| sums[*cell]).collect();
        let distinct = |way: usize| {
            let mut labels: Vec<usize> = cells.iter().map(|cell| self.places[*cell][way]).collect();
            labels.sort_unstable();
            labels.dedup();
            labels.len() as f64
        };
        let dof = n - distinct(0) - distinct(1) + 1.0;
        if dof < 1.0 {
            let squares: Vec<f64> = rest.iter().map(|u| u * u).collect();
            return (sum(&squares), n);
        }
        // Means of rows and of columns are taken off in turn: once each where every cell is there, elsewhere until nothing moves.
        let still = 1e-13 * rest.iter().fold(0.0f64, |most, u| most.max(u.abs()));
        for _ in 0..SWEEPS {
            let mut moved = 0.0f64;
            for (way, labels) in [&self.rows, &self.columns].into_iter().enumerate() {
                let mut means = vec![(0.0, 0.0); labels.strata.len()];
                for (cell, u) in cells.iter().zip(&rest) {
                    let mean = &mut means[self.places[*cell][way]];
                    *mean = (mean.0 + u, mean.1 + 1.0);
                }
                for (cell, u) in cells.iter().zip(&mut rest) {
                    let (total, count) = means[self.places[*cell][way]];
                    *u -= total / count;
                    moved = moved.max((total / count).abs());
                }
            }
            if moved <= still {
                break;
            }
        }
        let squares: Vec<f64> = rest.iter().map(|u| u * u).collect();
        (sum(&squares) * n / dof, dof)
    }
}

/// Far more than are needed where most cells are there.
const SWEEPS: usize = 200;

impl Way {
    /// Labels of each stratum that take part.
    fn sizes(&self, present: &[bool]) -> Vec<usize> {
        let mut seen = vec![false; self.strata.len()];
        for (label, present) in self.labels.iter().zip(present) {
            seen[*label as usize] |= present;
        }
        let strata = self.strata.iter().max();
        let mut sizes = vec![0; strata.map_or(0, |most| *most as usize + 1)];
        for (stratum, seen) in self.strata.iter().zip(seen) {
            sizes[*stratum as usize] += usize::from(seen);
        }
        sizes
    }

    /// For each stratum with a draw k/(k-1) Σ (U - Ū)², U being the sum over a label.
    fn parts(&self, influence: &[f64], present: &[bool]) -> Vec<Part> {
        let mut sums = vec![0.0; self.strata.len()];
        let mut seen = vec![false; self.strata.len()];
        for ((label, value), present) in self.labels.iter().zip(influence).zip(present) {
            if *present {
                sums[*label as usize] += value;
                seen[*label as usize] = true;
            }
        }
        let mut strata: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for label in (0..sums.len()).filter(|label| seen[*label]) {
            strata
                .entry(self.strata[label])
                .or_default()
                .push(sums[label]);
        }
        let drawn = strata.into_values().filter(|members| members.len() > 1);
        drawn
            .map(|members| {
                let k = members.len() as f64;
                let mean = sum(&members) / k;
                let squares: Vec<f64> = members.iter().map(|u| (u - mean).powi(2)).collect();
                (sum(&squares) * k / (k - 1.0), k - 1.0)
            })
            .collect()
    }
}
