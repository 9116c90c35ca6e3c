//! How often an interval holds the truth: audits simulated on real verdicts, with a judge made wrong in one direction.
//! Reads the JSON lines of `epicene items` (GEST, translators); see benches/audit/run.sh.
//!
//! The lines are the population, their verdicts the truth. One audit: as many items as GEST has are drawn from it, within
//! stereotypes; the judge turns one gender into the other in a share of all cases; a sample is drawn, labelled with the
//! truth and read. Judged and corrected intervals either hold the population's number or not.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use epicene_audit::{Cell, Ratio, Strata, VerdictLines, estimate};
use epicene_core::TextFile;
use epicene_stats::draw::{permutation, uniform_below};
use epicene_stats::{normal_quantile, stream_rng};
use rayon::prelude::*;

/// Verdicts as numbers.
const FEMININE: u8 = 1;
const MASCULINE: u8 = 2;

/// Items of one run, labels of one audit, simulated audits.
const ITEMS: usize = 3565;
const LABELS: usize = 300;
const AUDITS: u64 = 2000;

/// One verdict of the population.
#[derive(Clone, Copy)]
struct Real {
    stereotype: u8,
    truth: u8,
}

/// Weights of the sixteen rates in f_m and in f_s; the first seven stereotypes are female.
fn weights(metric: &str) -> Vec<f64> {
    let female = |id: usize| id < 7;
    (0..16)
        .map(|id| match metric {
            "f_m" => 0.5 / if female(id) { 7.0 } else { 9.0 },
            _ if female(id) => -1.0 / 7.0,
            _ => 1.0 / 9.0,
        })
        .collect()
}

fn ratios<'a>(metric: &str, stereotypes: &'a [u8]) -> Vec<Ratio<'a, u8>> {
    let each = weights(metric).into_iter().enumerate();
    each.map(|(id, weight)| Ratio {
        weight,
        offset: [0.0; 2],
        counts: Box::new(move |cell, verdict| {
            if usize::from(stereotypes[cell]) != id || verdict == 0 {
                return [0.0; 2];
            }
            [f64::from(u8::from(verdict == MASCULINE)), 1.0]
        }),
    })
    .collect()
}

/// The number and its variance if verdicts are taken at their word.
fn plain(metric: &str, verdicts: &[Real]) -> (f64, f64) {
    let mut counts = [[0.0; 2]; 16];
    for real in verdicts.iter().filter(|real| real.truth != 0) {
        let count = &mut counts[usize::from(real.stereotype)];
        count[0] += f64::from(u8::from(real.truth == MASCULINE));
        count[1] += 1.0;
    }
    let rates = weights(metric).into_iter().zip(counts);
    rates.fold((0.0, 0.0), |(value, variance), (weight, [part, whole])| {
        let rate = part / whole;
        (
            value + weight * rate,
            variance + weight * weight * rate * (1.0 - rate) / whole,
        )
    })
}

struct Study<'a> {
    population: &'a [Real],
    by_stereotype: Vec<Vec<usize>>,
    /// The gender that the judge takes for the other, and in which share of all cases.
    direction: (u8, u8),
    wrong: f64,
    by: &'a str,
}

/// Whether judged and corrected intervals hold the truth, how wide they are, and the corrected value's error.
struct Outcome {
    judged: bool,
    corrected: bool,
    widths: [f64; 2],
    error: f64,
}

impl Study<'_> {
    fn audit(&self, number: u64, metrics: &[&str], truths: &[f64]) -> Vec<Outcome> {
        let name = format!("coverage/{}/{}/{}", self.direction.0, self.wrong, self.by);
        let mut rng = stream_rng(number, &name);
        let share = self
            .population
            .iter()
            .filter(|real| real.truth == self.direction.0);
        let share = share.count() as f64 / self.population.len() as f64;
        let threshold = (self.wrong / share * 1e9) as u64;
        let mut real = Vec::with_capacity(ITEMS);
        let mut judged = Vec::with_capacity(ITEMS);
        for members in &self.by_stereotype {
            let here = (members.len() * ITEMS).div_ceil(self.population.len());
            for _ in 0..here {
                let drawn = uniform_below(&mut rng, members.len() as u64) as usize;
                let one = self.population[members[drawn]];
                let errs = one.truth == self.direction.0
                    && uniform_below(&mut rng, 1_000_000_000) < threshold;
                real.push(one);
                judged.push(Real {
                    truth: if errs { self.direction.1 } else { one.truth },
                    ..one
                });
            }
        }
        let strata = Strata::collect(judged.iter().map(|one| match self.by {
            "verdict" => one.truth.to_string(),
            "nothing" => String::new(),
            _ => format!("{} {}", one.truth, one.stereotype),
        }));
        let design = strata.draw(LABELS, number).unwrap();
        let mut cells: Vec<Cell<u8>> = judged
            .iter()
            .enumerate()
            .map(|(place, one)| Cell {
                stratum: strata.of[place],
                cluster: place as u32,
                judged: one.truth,
                human: Vec::new(),
            })
            .collect();
        for cell in design.cells {
            cells[cell].human = vec![real[cell].truth];
        }
        let stereotypes: Vec<u8> = judged.iter().map(|one| one.stereotype).collect();
        let others = |verdict: u8| match verdict {
            MASCULINE => vec![FEMININE],
            FEMININE => vec![MASCULINE],
            _ => vec![MASCULINE, FEMININE],
        };
        let z = normal_quantile(0.95).unwrap();
        let each = metrics.iter().zip(truths);
        each.map(|(metric, truth)| {
            let found = estimate(&cells, &ratios(metric, &stereotypes), &others).unwrap();
            let (value, variance) = plain(metric, &judged);
            let half = z * variance.sqrt();
            Outcome {
                judged: (value - truth).abs() <= half,
                corrected: found.low <= *truth && *truth <= found.high,
                widths: [2.0 * half, found.high - found.low],
                error: found.value - truth,
            }
        })
        .collect()
    }
}

fn main() {
    let path = std::env::args().nth(1).expect("a file of epicene items");
    let text = std::fs::read_to_string(&path).expect("a file that can be read");
    let lines = VerdictLines::read(&TextFile {
        name: path.clone(),
        path,
        sha256: String::new(),
        text,
    })
    .unwrap();
    let population: Vec<Real> = lines
        .lines
        .iter()
        .map(|line| Real {
            stereotype: line.fields["stereotype"].parse::<u8>().unwrap() - 1,
            truth: match line.verdict.as_str() {
                "m" => MASCULINE,
                "f" => FEMININE,
                _ => 0,
            },
        })
        .collect();
    let mut by_stereotype = vec![Vec::new(); 16];
    for (place, real) in population.iter().enumerate() {
        by_stereotype[usize::from(real.stereotype)].push(place);
    }
    // Any order of the lines gives the same study.
    for members in &mut by_stereotype {
        let order = permutation(0, "coverage/members", 0, members.len());
        *members = order.into_iter().map(|at| members[at as usize]).collect();
    }
    let metrics = ["f_m", "f_s"];
    let truths = metrics.map(|metric| plain(metric, &population).0);
    println!(
        "{} verdicts, f_m {:.4}, f_s {:.4}",
        population.len(),
        truths[0],
        truths[1]
    );
    println!(
        "| judge's errors | strata | metric | judged covers | corrected covers | judged width | corrected width | bias |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let directions = [
        ((FEMININE, MASCULINE), "f → m"),
        ((MASCULINE, FEMININE), "m → f"),
    ];
    for (direction, words) in directions {
        for wrong in [0.03, 0.05, 0.10, 0.20] {
            let share = population
                .iter()
                .filter(|real| real.truth == direction.0)
                .count() as f64
                / population.len() as f64;
            if wrong > 0.9 * share {
                continue;
            }
            for by in ["verdict", "verdict,stereotype", "nothing"] {
                let study = Study {
                    population: &population,
                    by_stereotype: by_stereotype.clone(),
                    direction,
                    wrong,
                    by,
                };
                let audits: Vec<Vec<Outcome>> = (0..AUDITS)
                    .into_par_iter()
                    .map(|number| study.audit(number, &metrics, &truths))
                    .collect();
                for (place, metric) in metrics.iter().enumerate() {
                    let mean = |of: &dyn Fn(&Outcome) -> f64| {
                        audits.iter().map(|audit| of(&audit[place])).sum::<f64>() / AUDITS as f64
                    };
                    println!(
                        "| {words} {:.0} % | {by} | {metric} | {:.1} % | {:.1} % | {:.3} | {:.3} | {:+.4} |",
                        100.0 * wrong,
                        100.0 * mean(&|one| f64::from(u8::from(one.judged))),
                        100.0 * mean(&|one| f64::from(u8::from(one.corrected))),
                        mean(&|one| one.widths[0]),
                        mean(&|one| one.widths[1]),
                        mean(&|one| one.error),
                    );
                }
            }
        }
    }
}
