//! p_i, p_f, p_m, f_s, f_m, p_fam and yield as sums of verdicts.

use std::collections::BTreeSet;
use std::sync::Arc;

use epicene_core::Finding;
use epicene_stats::normal_quantile;

use super::super::measures::LEVEL;
use super::super::scores::Samples;
use crate::formula::{Formula, Term, share, term};
use crate::{BenchError, Verdicts};

/// `plain`: rates are shares; else the centres of Agresti–Coull intervals, as published.
pub fn formulas(
    samples: Samples,
    verdicts: &Verdicts,
    plain: bool,
) -> Result<Vec<Formula>, BenchError> {
    let z = normal_quantile(LEVEL)?;
    let offset = if plain {
        [0.0; 2]
    } else {
        [z * z / 2.0, z * z]
    };
    let decided: BTreeSet<u8> = verdicts
        .cells
        .iter()
        .enumerate()
        .filter(|(_, verdict)| {
            let finding = verdict.as_ref().map(|verdict| verdict.finding);
            finding.and_then(Finding::gender).is_some()
        })
        .map(|(item, _)| samples.stereotypes[item])
        .collect();
    let samples = Arc::new(samples);
    let rate = |weight: f64, id: u8| -> Term {
        let samples = Arc::clone(&samples);
        let masculine = share(weight, move |item, finding| {
            (samples.stereotypes[item] == id).then_some(())?;
            finding.gender().map(|_| finding == Finding::Masculine)
        });
        Term {
            offset,
            ..masculine
        }
    };
    let members = |male: bool| -> Vec<u8> {
        let members = decided.iter().copied();
        members
            .filter(|id| samples.set.is_male(*id) == male)
            .collect()
    };
    // The mean over a group's stereotypes, times a weight.
    let group = |weight: f64, male: bool| -> Vec<Term> {
        let members = members(male);
        let each = weight / members.len() as f64;
        members.into_iter().map(|id| rate(each, id)).collect()
    };
    let mut formulas: Vec<Formula> = decided
        .iter()
        .map(|id| Formula::new(samples.set.group(*id), "p", vec![rate(1.0, *id)]))
        .collect();
    let both = |male: f64, female: f64| -> Vec<Term> {
        let mut terms = group(male, true);
        terms.extend(group(female, false));
        terms
    };
    if !members(false).is_empty() {
        formulas.push(Formula::new("all", "p_f", group(1.0, false)));
    }
    if !members(true).is_empty() {
        formulas.push(Formula::new("all", "p_m", group(1.0, true)));
    }
    if !members(false).is_empty() && !members(true).is_empty() {
        formulas.push(Formula::new("all", "f_s", both(1.0, -1.0)));
        formulas.push(Formula::new("all", "f_m", both(0.5, 0.5)));
    }
    let family = Arc::clone(&samples);
    let family = share(1.0, move |item, finding| {
        family.family[item].then_some(())?;
        finding.gender().map(|_| finding == Finding::Masculine)
    });
    formulas.push(Formula::new("all", "p_fam", vec![family]));
    let items = verdicts.cells.iter().flatten().count() as f64;
    let decided = term(items, |_, finding| {
        [f64::from(u8::from(finding.gender().is_some())), 1.0]
    });
    formulas.push(Formula::new("all", "yield", vec![decided]));
    Ok(formulas)
}
