//! What language models show on GEST: rows of each by template, and of all together (sections 5.2 and 5.3).

use epicene_core::{Row, SystemCard};
use rayon::prelude::*;

use super::agreement::Together;
use super::clustered::Sampled;
use super::measures::{ResamplePool, Ties, UnitMeasure, UnitRows};
use super::options::{self, CONVENTION, Convention, INTERVAL};
use super::scores::{Samples, UnitScores};
use super::{CARD, WINOBIAS_INPUT, published, scores, validity};
use crate::options::Intervals;
use crate::{BenchError, Judged, Measured};

/// Rows, a note on the published models, and the mean g_s of one system.
type SystemRows = (Vec<Row>, Option<String>, Option<f64>);

/// Adds the rows of all language models.
pub(super) fn measure(
    judged: &Judged<'_>,
    samples: &Samples,
    sampled: Option<&Sampled<'_>>,
    measured: &mut Measured,
) -> Result<(), BenchError> {
    let units = scores(judged)?;
    if units.is_empty() {
        return Ok(());
    }
    let (options, systems) = (judged.options, &judged.table.systems);
    let pool = match sampled {
        // Closed forms draw nothing.
        Some(_) => ResamplePool::new(samples, &units, &options.clone().drawing(0, 0)),
        None => ResamplePool::new(samples, &units, options),
    };
    let measures: Vec<UnitMeasure> = units
        .par_iter()
        .map(|unit| UnitMeasure::new(samples, unit, &pool))
        .collect::<Result<_, _>>()?;
    let mut rates = Vec::new();
    let by_system: Vec<(usize, &[UnitMeasure])> = measures
        .chunk_by(|a, b| a.system == b.system)
        .map(|units| (units[0].system, units))
        .collect();
    let parts: Vec<_> = by_system
        .par_iter()
        .map(|(system, measures)| {
            let own: Vec<&UnitScores> = units.iter().filter(|u| u.system == *system).collect();
            let sampled = sampled.map(|sampled| (sampled, &own[..]));
            system_rows(judged, &systems[*system], measures, sampled)
        })
        .collect::<Result<_, _>>()?;
    for ((system, _), (rows, note, rate)) in by_system.iter().zip(parts) {
        measured.rows.extend(rows);
        measured.notes.extend(note);
        if !systems[*system].is_null() {
            rates.extend(rate.map(|rate| (systems[*system].name.clone(), rate)));
        }
    }
    let real = |system: usize| !systems[system].is_null();
    let (units, measures): (Vec<UnitScores>, Vec<UnitMeasure>) = units
        .into_iter()
        .zip(measures)
        .filter(|(unit, _)| real(unit.system))
        .unzip();
    let convention = options.get(&CONVENTION);
    let together = Together {
        systems,
        units: &units,
        measures: &measures,
        convention,
        clustered: sampled.is_some(),
        ties: Ties::of(options),
    };
    measured.rows.extend(together.rows()?);
    if let Some(file) = options.inputs.get(WINOBIAS_INPUT) {
        let (rows, notes) = validity::compare_with_winobias(file, &rates, convention)?;
        measured.rows.extend(rows);
        measured.notes.extend(notes);
    }
    measured.how.push(("convention", convention.to_string()));
    measured.how.extend(options::signed_estimate(options));
    if let Intervals::Published(method) = options.get(&INTERVAL) {
        let interval = options::signed(method, options.replicates);
        measured.how.push(("interval", interval));
    }
    Ok(())
}

fn system_rows(
    judged: &Judged<'_>,
    card: &SystemCard,
    units: &[UnitMeasure],
    sampled: Option<(&Sampled<'_>, &[&UnitScores])>,
) -> Result<SystemRows, BenchError> {
    let mut rows = UnitRows::new(&CARD, &card.name, judged.options);
    for unit in units {
        rows.unit(unit)?;
    }
    rows.over_templates(units)?;
    // Baselines are in the published convention, whatever this run reports in.
    let note = mean_rate(units, Convention::Published)
        .filter(|_| judged.whole && CARD.was_published_on(judged.data))
        .and_then(published::standing)
        .inspect(|standing| rows.standing(standing.above, standing.of));
    let rate = mean_rate(units, judged.options.get(&CONVENTION));
    let mut rows = rows.into_rows();
    let mut range = None;
    if let Some((sampled, scores)) = sampled {
        sampled.fill(&mut rows, scores, judged.options.get(&CONVENTION))?;
        range = sampled.published_rate(scores)?;
    }
    let note = note.map(|standing| {
        let range = range.and_then(|range| {
            let place = |g_s: f64| published::standing(g_s).map(|standing| standing.above);
            place(range.low).zip(place(range.high))
        });
        let row = rows
            .iter_mut()
            .find(|row| row.metric == "more_stereotypical_than");
        let words = (&*card.name, published::MORE, "published models");
        standing.note(words, range, row)
    });
    Ok((rows, note, rate))
}

/// A system's g_s: the arithmetic mean over its templates (GEST, Figure 4).
fn mean_rate(units: &[UnitMeasure], convention: Convention) -> Option<f64> {
    let rates: Vec<f64> = units
        .iter()
        .filter_map(UnitMeasure::stereotype_rate)
        .map(|rate| convention.factor(rate.mean))
        .collect();
    epicene_stats::mean(&rates).ok()
}
