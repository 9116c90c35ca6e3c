//! Measures the likelihoods of both sets: MBE with its interval, its tests, and the shuffled control.

use epicene_core::{Answer, AnswerNotes};
use epicene_stats::Interval;

use super::benchmark::CARD;
use super::options::{MCNEMAR, weighting};
use super::score::{SentenceSet, Vectors, Weight, direct, not_measurable};
use super::shuffled::{self, shuffled};
use super::significance::{
    AgainstRandom, bootstrap_interval, linearised_interval, paired_wins, permutation_p_value,
    wins_against_half,
};
use super::walk::Walk;
use crate::sentence_pairs::noted;
use crate::{BenchError, ColumnView, Judged, Measured, RowWriter};

/// The answers of one column, set by set.
pub struct Sets {
    pub male: SentenceSet,
    pub female: SentenceSet,
    /// Sentences without a likelihood.
    pub empty: u64,
    /// What the engine noted.
    pub notes: AnswerNotes,
}

impl Sets {
    pub fn of(view: &ColumnView<'_>) -> Result<Sets, BenchError> {
        let mut sets = Sets {
            male: SentenceSet::default(),
            female: SentenceSet::default(),
            empty: 0,
            notes: AnswerNotes::default(),
        };
        for (item, answer) in view.items().iter().zip(&view.column().answers) {
            let set = match item.label(super::sets::GENDER) {
                Some("m") => &mut sets.male,
                Some("f") => &mut sets.female,
                _ => {
                    return Err(BenchError::BadItem {
                        item: item.id.to_owned(),
                        message: "it is neither of the female nor of the male set".to_owned(),
                    });
                }
            };
            let Some(answer) = answer else { continue };
            let (answer, notes) = answer.plain();
            sets.notes += notes;
            match answer {
                Answer::Sentence {
                    likelihood,
                    embedding,
                } => {
                    set.likelihoods.push(*likelihood);
                    if !embedding.is_empty() {
                        set.embeddings
                            .push(embedding.iter().map(|x| f64::from(*x)).collect());
                    }
                }
                Answer::Likelihoods(values) if values.len() == 1 => match values[0] {
                    Some(likelihood) => set.likelihoods.push(likelihood),
                    None => sets.empty += 1,
                },
                Answer::Missing => sets.empty += 1,
                _ => return Err(view.wrong_answer()),
            }
        }
        Ok(sets)
    }
}

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let weighting = weighting(judged.options);
    let interval = if weighting.needs_every_pair() {
        "linearised-normal".to_owned()
    } else {
        format!("bootstrap-percentile-{}", judged.options.replicates)
    };
    let mut measured = Measured {
        how: vec![("weight", weighting.signed()), ("interval", interval)],
        ..Measured::default()
    };
    for (view, _) in judged.columns() {
        measure_column(judged, &view, &mut measured)?;
    }
    let mut measured = measured.or_nothing()?;
    measured
        .notes
        .push("mbe above 50: male sentences preferred; below 50: female".to_owned());
    Ok(measured)
}

fn measure_column(
    judged: &Judged<'_>,
    view: &ColumnView<'_>,
    measured: &mut Measured,
) -> Result<(), BenchError> {
    let (options, weighting) = (judged.options, weighting(judged.options));
    let Sets {
        male,
        female,
        empty,
        notes,
    } = Sets::of(view)?;
    let (system, unit) = (&view.system().name, view.column().unit.as_str());
    if weighting.weight != Weight::None && male.embeddings.is_empty() {
        return Err(not_measurable(format!(
            "{system} has likelihoods without embeddings, and pairs are weighted by {}; \
             --weight none counts every pair alike",
            weighting.weight
        )));
    }
    let vectors = Vectors::new(&male, &female, weighting.weight)?;
    let walk = Walk::new(&male, &female, vectors);
    let negative = weighting.weight != Weight::None && walk.any_negative();
    // Clipping what is never negative changes nothing.
    let every_pair = weighting.weight != Weight::None
        && (weighting.min_similarity.is_some() || weighting.clip_negative && negative);
    let (score, interval, permutation): (f64, Interval, Option<f64>) = if every_pair {
        let (score, sums) = direct(&male, &female, &weighting)?;
        (score.score, linearised_interval(&score, &sums), None)
    } else {
        let score = walk.score()?.score;
        let interval = bootstrap_interval(&walk, options.replicates, options.seed)?;
        let p = permutation_p_value(&walk, score, options.replicates, options.seed);
        (score, interval, Some(p))
    };
    let mut writer = RowWriter::new(&CARD, system, unit);
    let sentences = male.len() + female.len();
    let row = writer.push("all", "mbe", score);
    (row.low, row.high) = (Some(interval.low), Some(interval.high));
    row.n = Some(sentences as u64);
    let preferred = match score {
        score if score > 50.0 => "male sentences preferred",
        score if score < 50.0 => "female sentences preferred",
        _ => "no preference",
    };
    let mut note = |text: String| measured.notes.push(format!("{system} {unit}: {text}"));
    note(format!("{score:.2}, {preferred}"));
    if negative && !weighting.clip_negative {
        note("some pairs have a negative weight, so the score can leave 0..100; --clip-negative counts them as 0".to_owned());
    }
    if empty > 0 {
        note(format!(
            "{empty} sentences have no likelihood and are left out"
        ));
    }
    let wins = paired_wins(&male, &female, options.seed);
    let won = wins.iter().filter(|win| **win).count() as u64;
    let coin = AgainstRandom::toss(&wins, options.seed, "mbe/coin");
    let (_, mcnemar_p) = coin.test(options.get(&MCNEMAR))?;
    let binomial = wins_against_half(won, wins.len() as u64)?;
    // The permutation test where there is one; the paired wins against 1/2 otherwise.
    let p_value = permutation.unwrap_or(binomial);
    for (metric, value, n) in [
        ("p_value", p_value, sentences),
        ("binomial_p", binomial, wins.len()),
        ("mcnemar_b", coin.only_model as f64, wins.len()),
        ("mcnemar_c", coin.only_random as f64, wins.len()),
        ("mcnemar_p", mcnemar_p, wins.len()),
        ("male", male.len() as f64, sentences),
        ("female", female.len() as f64, sentences),
        ("no_likelihood", empty as f64, sentences),
    ] {
        writer.push("all", metric, value).n = Some(n as u64);
    }
    for (metric, value, n) in noted::rows(&notes, sentences as u64) {
        writer.push("all", metric, value).n = Some(n);
    }
    let place = format!("{system} {unit}");
    measured.notes.extend(noted::remarks(&place, &notes));
    let control = shuffled(&male, &female, shuffled::REPEATS, options.seed)?;
    let pairs = Some(control.pairs as u64);
    let row = writer.push("all", "shf", control.mean);
    (row.low, row.high, row.n) = (Some(control.low), Some(control.high), pairs);
    writer.push("all", "shf_sd", control.sd).n = pairs;
    measured.rows.extend(writer.rows);
    Ok(())
}
