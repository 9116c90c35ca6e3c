//! Which cells people are asked about: a random sample within strata, each with as many as its share, and at least two.

use std::collections::BTreeMap;

use epicene_stats::draw::permutation;

/// The stratum of every cell of a population.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Strata {
    /// Sorted, so that the order of cells does not show.
    pub names: Vec<String>,
    /// Place of the stratum of each cell.
    pub of: Vec<u32>,
}

/// One stratum of a sample; every cell of it was drawn with probability drawn / size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnStratum {
    pub size: usize,
    pub drawn: usize,
}

/// A sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Design {
    /// In the order of the strata's names.
    pub strata: Vec<DrawnStratum>,
    /// Places of the drawn cells, in random order: whoever stops early has labelled a random part.
    pub cells: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    #[error("there is nothing to sample")]
    Empty,

    #[error(
        "{wanted} labels are too few for {strata} strata: at least {needed} are needed, two in each"
    )]
    TooManyStrata {
        wanted: usize,
        strata: usize,
        needed: usize,
    },
}

impl Strata {
    pub fn collect(names: impl IntoIterator<Item = String>) -> Strata {
        let mut known: BTreeMap<String, u32> = BTreeMap::new();
        let mut of = Vec::new();
        for name in names {
            let next = u32::try_from(known.len()).expect("there are fewer strata than 2^32");
            of.push(*known.entry(name).or_insert(next));
        }
        // From the order of appearance to that of the names.
        let mut places = vec![0; known.len()];
        for (place, seen) in known.values().enumerate() {
            places[*seen as usize] = place as u32;
        }
        Strata {
            names: known.into_keys().collect(),
            of: of.into_iter().map(|seen| places[seen as usize]).collect(),
        }
    }

    pub fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.names.len()];
        for stratum in &self.of {
            sizes[*stratum as usize] += 1;
        }
        sizes
    }

    /// Draws `wanted` cells, or all where there are no more.
    pub fn draw(&self, wanted: usize, seed: u64) -> Result<Design, DesignError> {
        if self.of.is_empty() {
            return Err(DesignError::Empty);
        }
        let sizes = self.sizes();
        let drawn = allocate(&sizes, wanted.min(self.of.len()))?;
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); sizes.len()];
        for (cell, stratum) in self.of.iter().enumerate() {
            members[*stratum as usize].push(cell);
        }
        let mut cells = Vec::new();
        for ((name, members), drawn) in self.names.iter().zip(&members).zip(&drawn) {
            let order = permutation(seed, &format!("audit/{name}"), 0, members.len());
            cells.extend(order.iter().take(*drawn).map(|at| members[*at as usize]));
        }
        let order = permutation(seed, "audit/order", 0, cells.len());
        Ok(Design {
            strata: sizes
                .into_iter()
                .zip(drawn)
                .map(|(size, drawn)| DrawnStratum { size, drawn })
                .collect(),
            cells: order.into_iter().map(|at| cells[at as usize]).collect(),
        })
    }
}

/// Shares in proportion to size, at least two (or all) of each stratum, exactly `wanted` together.
fn allocate(sizes: &[usize], wanted: usize) -> Result<Vec<usize>, DesignError> {
    let least: Vec<usize> = sizes.iter().map(|size| (*size).min(2)).collect();
    let needed: usize = least.iter().sum();
    if wanted < needed {
        return Err(DesignError::TooManyStrata {
            wanted,
            strata: sizes.len(),
            needed,
        });
    }
    let total: usize = sizes.iter().sum();
    let mut drawn = least;
    let mut open = wanted - needed;
    // The next label goes where the sample is thinnest; ties to the first.
    while open > 0 {
        let short = |place: &usize| {
            let fair = wanted as f64 * sizes[*place] as f64 / total as f64;
            fair - drawn[*place] as f64
        };
        let next = (0..sizes.len())
            .filter(|place| drawn[*place] < sizes[*place])
            .max_by(|a, b| short(a).total_cmp(&short(b)).then(b.cmp(a)));
        let Some(next) = next else { break };
        let behind = short(&next).floor().max(1.0) as usize;
        let step = behind.min(open).min(sizes[next] - drawn[next]);
        drawn[next] += step;
        open -= step;
    }
    Ok(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stratum_has_its_share_and_two() {
        let allocated = |sizes: &[usize], wanted| allocate(sizes, wanted).map_err(|_| ());
        assert_eq!(allocated(&[800, 150, 50], 100), Ok(vec![80, 15, 5]));
        assert_eq!(allocated(&[990, 9, 1], 50), Ok(vec![47, 2, 1]));
        assert_eq!(allocated(&[3, 3], 6), Ok(vec![3, 3]));
        assert_eq!(allocated(&[30, 30, 30], 5), Err(()));
        for wanted in 6..1000 {
            let drawn = allocate(&[700, 290, 10], wanted).unwrap();
            assert_eq!(drawn.iter().sum::<usize>(), wanted);
        }
    }

    #[test]
    fn the_sample_depends_on_names_and_seed_alone() {
        let names = |cell: usize| ["m", "f", "u"][cell % 7 % 3].to_owned();
        let strata = Strata::collect((0..500).map(names));
        assert_eq!(strata.names, ["f", "m", "u"]);
        let design = strata.draw(60, 7).unwrap();
        assert_eq!(design, strata.draw(60, 7).unwrap());
        assert_ne!(design.cells, strata.draw(60, 8).unwrap().cells);
        let mut cells = design.cells.clone();
        cells.sort_unstable();
        cells.dedup();
        assert_eq!(cells.len(), 60);
        for (place, stratum) in design.strata.iter().enumerate() {
            let here = cells
                .iter()
                .filter(|cell| strata.of[**cell] == place as u32);
            assert_eq!(here.count(), stratum.drawn);
        }
    }

    /// Over many seeds every cell is drawn as often as its probability says.
    #[test]
    fn probabilities_are_as_recorded() {
        let strata = Strata::collect((0..40).map(|cell| (cell % 10 == 0).to_string()));
        let mut hits = [0.0f64; 40];
        for seed in 0..4000 {
            for cell in strata.draw(12, seed).unwrap().cells {
                hits[cell] += 1.0;
            }
        }
        for (cell, hits) in hits.iter().enumerate() {
            let expected = if cell % 10 == 0 {
                2.0 / 4.0
            } else {
                10.0 / 36.0
            };
            assert!((hits / 4000.0 - expected).abs() < 0.04, "{cell}: {hits}");
        }
    }
}
