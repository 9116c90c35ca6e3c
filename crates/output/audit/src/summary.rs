//! How good the judge is, as far as the labels say: confusions, precision and recall, and whether its errors lean one
//! way.

use std::collections::BTreeMap;

use epicene_stats::binomial_test;

use crate::{Cell, Corrected, Counts, EstimateError, Ratio, estimate};

/// Labelled cells by what the judge and what people say; annotators who differ count in parts.
pub type Confusion = BTreeMap<(u32, u32), f64>;

/// How often a label is right, and how often it is found, over the whole population.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    pub label: u32,
    pub precision: Option<Corrected>,
    pub recall: Option<Corrected>,
}

/// Errors between two labels, on which the annotators agree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lean {
    /// The judge said `first`, people `second`; and the other way round.
    pub first: u32,
    pub second: u32,
    pub errors: [u64; 2],
    /// Of so uneven a split, if the population had as many errors of either kind (exact binomial test; labels of the two
    /// verdicts may have been drawn at different rates).
    pub p_value: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    pub confusion: Confusion,
    /// Share of verdicts that are right, over the whole population.
    pub accuracy: Option<Corrected>,
    pub judgements: Vec<Judgement>,
    pub leans: Vec<Lean>,
}

/// `labels` is how many labels there are.
pub fn summarise(cells: &[Cell<u32>], labels: u32) -> Summary {
    let mut confusion = Confusion::new();
    for cell in cells {
        for human in &cell.human {
            let share = 1.0 / cell.human.len() as f64;
            *confusion.entry((cell.judged, *human)).or_default() += share;
        }
    }
    let others = |verdict: u32| (0..labels).filter(|label| *label != verdict).collect();
    let share = |counts: Counts<'_, u32>| {
        let ratio = Ratio {
            weight: 1.0,
            offset: [0.0; 2],
            counts,
        };
        let found: Result<Corrected, EstimateError> = estimate(cells, &[ratio], &others);
        found.ok()
    };
    let is = |holds: bool| f64::from(u8::from(holds));
    let judgements = (0..labels).map(|label| Judgement {
        label,
        precision: share(Box::new(move |place, verdict| {
            let given = is(cells[place].judged == label);
            [given * is(verdict == label), given]
        })),
        recall: share(Box::new(move |place, verdict| {
            let there = is(verdict == label);
            [there * is(cells[place].judged == label), there]
        })),
    });
    let used = |judgement: &Judgement| {
        let of =
            |(judged, human): &(u32, u32)| *judged == judgement.label || *human == judgement.label;
        confusion.keys().any(of)
    };
    Summary {
        accuracy: share(Box::new(|place, verdict| {
            [is(verdict == cells[place].judged), 1.0]
        })),
        judgements: judgements.filter(used).collect(),
        leans: leans(cells, labels),
        confusion,
    }
}

fn leans(cells: &[Cell<u32>], labels: u32) -> Vec<Lean> {
    // Labelled and all cells of each verdict, and the errors everybody sees.
    let mut looked = vec![(0u64, 0u64); labels as usize];
    let mut errors: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    for cell in cells {
        let (labelled, all) = &mut looked[cell.judged as usize];
        *all += 1;
        let Some(human) = cell.human.first() else {
            continue;
        };
        *labelled += 1;
        if cell.human.iter().all(|other| other == human) && *human != cell.judged {
            *errors.entry((cell.judged, *human)).or_default() += 1;
        }
    }
    let mut leans = Vec::new();
    for first in 0..labels {
        for second in first + 1..labels {
            let seen = |judged, human| errors.get(&(judged, human)).copied().unwrap_or(0);
            let [one, other] = [seen(first, second), seen(second, first)];
            if one + other == 0 {
                continue;
            }
            let rate = |label: u32| {
                let (labelled, all) = looked[label as usize];
                labelled as f64 / all.max(1) as f64
            };
            let (rate, other_rate) = (rate(first), rate(second));
            let expected = rate / (rate + other_rate);
            if let Ok(p_value) = binomial_test(one, one + other, expected) {
                leans.push(Lean {
                    first,
                    second,
                    errors: [one, other],
                    p_value,
                });
            }
        }
    }
    leans
}
