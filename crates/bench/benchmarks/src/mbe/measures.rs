//! Measures the likelihoods of both sets: MBE with its interval, its tests, and the shuffled control.

use epicene_core::{Answer, AnswerNotes, counted};
use epicene_stats::Interval;

use super::benchmark::CARD;
use super::clustered;
use super::options::weighting;
use super::score::{SentenceSet, Vectors, Weight, direct, not_measurable};
use super::shuffled::{self, shuffled};
use super::significance::{
    bootstrap_interval, linearised_interval, paired_ties, paired_wins, permutation_p_value,
};
use super::walk::Walk;
use crate::mcnemar::{AgainstRandom, MCNEMAR, signed_mcnemar, wins_against_half};
use crate::options::INTERVAL;
use crate::sentence_pairs::noted;
use crate::{BenchError, Clusters, ColumnView, Judged, Measured, RowWriter};

/// The answers of one column, set by set.
pub struct Sets {
    pub male: SentenceSet,
    pub female: SentenceSet,
    /// Sentences without a likelihood.
    pub empty: u64,
    /// What the engine noted.
    pub notes: AnswerNotes,
    /// The items of the sentences, males first.
    places: [Vec<usize>; 2],
}

impl Sets {
    pub fn of(view: &ColumnView<'_>) -> Result<Sets, BenchError> {
        Sets::among(view, |_| true)
    }

    /// The items of the sentences, males first.
    pub fn items(&self) -> impl Iterator<Item = usize> {
        self.places.iter().flatten().copied()
    }

    /// The answers to some items.
    pub fn among(view: &ColumnView<'_>, keep: impl Fn(usize) -> bool) -> Result<Sets, BenchError> {
        let mut sets = Sets {
            male: SentenceSet::default(),
            female: SentenceSet::default(),
            empty: 0,
            notes: AnswerNotes::default(),
            places: [Vec::new(), Vec::new()],
        };
        let answers = view.items().iter().zip(&view.column().answers);
        for (place, (item, answer)) in answers.enumerate().filter(|(place, _)| keep(*place)) {
            let (set, side) = match item.label(super::sets::GENDER) {
                Some("m") => (&mut sets.male, 0),
                Some("f") => (&mut sets.female, 1),
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
                    sets.places[side].push(place);
                    if !embedding.is_empty() {
                        set.embeddings
                            .push(embedding.iter().map(|x| f64::from(*x)).collect());
                    }
                }
                Answer::Likelihoods(values) if values.len() == 1 => match values[0] {
                    Some(likelihood) => {
                        set.likelihoods.push(likelihood);
                        sets.places[side].push(place);
                    }
                    None => sets.empty += 1,
                },
                Answer::Missing => sets.empty += 1,
                _ => return Err(view.wrong_answer()),
            }
        }
        Ok(sets)
    }
}

/// Above this percentage of ties a result begins with a warning.
const MOST_TIES: f64 = 50.0;

/// Pairs of a male and a female sentence with the same likelihood.
fn tied_pairs(male: &SentenceSet, female: &SentenceSet) -> usize {
    let mut theirs = female.likelihoods.clone();
    theirs.sort_by(f64::total_cmp);
    let below = |value: f64| theirs.partition_point(|other| *other < value);
    let up_to = |value: f64| theirs.partition_point(|other| *other <= value);
    let ours = male.likelihoods.iter();
    ours.map(|value| up_to(*value) - below(*value)).sum()
}

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let weighting = weighting(judged.options);
    let clusters = if judged.options.get(&INTERVAL).is_clustered() {
        Some(Clusters::of(judged)?)
    } else {
        None
    };
    let interval = match clusters {
        Some(_) => "wilson-t".to_owned(),
        None if weighting.needs_every_pair() => "linearised-normal".to_owned(),
        None => format!("bootstrap-percentile-{}", judged.options.replicates),
    };
    let mut how = vec![("weight", weighting.signed())];
    how.extend(clusters.iter().flat_map(Clusters::how));
    how.push(("interval", interval));
    how.extend(signed_mcnemar(judged.options));
    let mut measured = Measured {
        how,
        ..Measured::default()
    };
    for (view, _) in judged.columns() {
        measure_column(judged, &view, clusters.as_ref(), &mut measured)?;
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
    clusters: Option<&Clusters>,
    measured: &mut Measured,
) -> Result<(), BenchError> {
    let (options, weighting) = (judged.options, weighting(judged.options));
    let Sets {
        male,
        female,
        empty,
        notes,
        ..
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
        let interval = match clusters {
            None => bootstrap_interval(&walk, options.replicates, options.seed)?,
            Some(_) => Interval::around(score, 0.0),
        };
        let p = permutation_p_value(&walk, score, options.replicates, options.seed);
        (score, interval, Some(p))
    };
    let mut writer = RowWriter::new(&CARD, system, unit);
    let sentences = male.len() + female.len();
    let row = writer.push("all", "mbe", score);
    (row.low, row.high) = (Some(interval.low), Some(interval.high));
    row.n = Some(sentences as u64);
    if let Some(clusters) = clusters {
        let estimate = clustered::estimate(clusters, &Sets::of(view)?, options)?;
        estimate.fill(row, 100.0);
    }
    let ties =
        100.0 * tied_pairs(&male, &female) as f64 / (male.len() * female.len()).max(1) as f64;
    // Where most are ties, what is no win of a male sentence is none of a female one either.
    let many = ties > MOST_TIES;
    let preferred = match score {
        score if score > 50.0 => "male sentences preferred",
        score if score < 50.0 && !many => "female sentences preferred",
        _ => "no preference",
    };
    if many {
        measured.warnings.push(format!(
            "{system} {unit}: {ties:.1} % of the pairs are ties, which mbe counts as if the female sentence were preferred"
        ));
    }
    let mut note = |text: String| measured.notes.push(format!("{system} {unit}: {text}"));
    note(format!("{score:.2}, {preferred}"));
    if negative && !weighting.clip_negative {
        note("some pairs have a negative weight, so the score can leave 0..100; --clip-negative counts them as 0".to_owned());
    }
    if empty > 0 {
        note(counted(
            empty,
            "sentence has no likelihood and is left out",
            "sentences have no likelihood and are left out",
        ));
    }
    let wins = paired_wins(&male, &female, options.seed);
    let won = wins.iter().filter(|win| **win).count() as u64;
    let lost = wins.len() as u64 - won;
    let (coin, binomial) = match clusters {
        None => {
            let coin = AgainstRandom::toss(&wins, options.seed, "mbe/coin");
            (coin, wins_against_half(won, wins.len() as u64)?)
        }
        // No coin is needed, and ties are neither wins nor losses.
        Some(_) => {
            let lost = lost - paired_ties(&male, &female, options.seed);
            let discordant = AgainstRandom {
                only_model: won,
                only_random: lost,
            };
            let p = if won + lost > 0 {
                wins_against_half(won, won + lost)?
            } else {
                1.0
            };
            (discordant, p)
        }
    };
    let (_, mcnemar_p) = coin.test(options.get(&MCNEMAR))?;
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
    row.n = pairs;
    match clusters {
        None => (row.low, row.high) = (Some(control.low), Some(control.high)),
        // How far shuffles lie apart is a spread, not an interval.
        Some(_) => {
            writer.push("all", "shf_spread_low", control.low).n = pairs;
            writer.push("all", "shf_spread_high", control.high).n = pairs;
        }
    }
    writer.push("all", "shf_sd", control.sd).n = pairs;
    measured.rows.extend(writer.rows);
    Ok(())
}
