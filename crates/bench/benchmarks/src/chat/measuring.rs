//! Rows of chat benchmarks: the numbers of every wording, the means of each frame, and the pooled rate with its spread over
//! wordings. What the numbers are is the benchmark's own ([`Numbers`]); how they are resampled and written is the same for
//! all. Whatever is resampled is resampled for all wordings at once, so that differences are paired.

use std::collections::BTreeMap;

use epicene_core::{Finding, Metric, MetricRange};

use super::{
    Attempts, Draws, Frame, POSITION_BOUND, Pooled, PositionBound, Range, attempts_interval,
    interval, share_interval, write_agreement,
};
use crate::{BenchError, Clusters, How, Judged, Measured, RowWriter};

/// How far the stereotype rate depends on how it was asked for.
pub(crate) const FRAMING_SPREAD: Metric = Metric::headline(
    "framing_spread",
    "framing spread: range of s over wordings",
    0.0,
    ["Changes with the wording", ""],
)
.because("s is {framing_low} in one wording and {framing_high} in another|the range of s over the wordings is {framing_spread}")
.within(MetricRange::proportion("framing_spread").up_to(2.0))
.larger("more dependent on the wording");

/// Above this share of unreadable answers a result begins with a warning.
const MOST_UNREADABLE: f64 = 0.1;
/// Above this share of refusals, too.
const MOST_REFUSED: f64 = 0.5;
/// Below this probability of all options together, probabilities say little about the answer.
const LEAST_MASS: f64 = 0.5;

/// From this share of the answers at one place on, a wording's answers follow the place, not the content.
const BOUND_TO_PLACE: f64 = 0.9;

/// Shares that stand beside every number. Wordings and frames have the share of both genders among their own numbers.
const ASIDE: [(&str, Finding); 3] = [
    ("refused", Finding::Refused),
    ("unreadable", Finding::Unreadable),
    ("mixed", Finding::Both),
];

/// A number with what it would be if all unreadable answers were of one kind, or of the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    pub metric: &'static str,
    pub least: (&'static str, f64),
    pub most: (&'static str, f64),
}

impl Bounds {
    /// Of a number in several cases; `None` for a number whose bounds are not shown.
    pub fn of(metric: &'static str, cases: &[f64]) -> Option<Bounds> {
        let (least, most) = match metric {
            "s" => ("s_least", "s_most"),
            "b" => ("b_least", "b_most"),
            "n" => ("n_least", "n_most"),
            "r" => ("r_least", "r_most"),
            _ => return None,
        };
        let numbers = || cases.iter().copied().filter(|value| !value.is_nan());
        Some(Bounds {
            metric,
            least: (least, numbers().reduce(f64::min)?),
            most: (most, numbers().reduce(f64::max)?),
        })
    }
}

/// The numbers of one wording.
pub trait Numbers: Sync {
    fn attempts(&self) -> &Attempts;

    /// The groups and metrics of [`values`](Numbers::values), in its order; the same for all wordings of a frame.
    fn layout(&self) -> Vec<(String, &'static str)>;

    /// All numbers, items counted as often as they weigh; NaN where there is none. One of group `all` is the rate `s`.
    fn values(&self, weights: Option<&[u32]>) -> Vec<f64>;

    /// How many items each number rests on.
    fn counts(&self) -> Vec<usize>;

    /// What numbers would be if all unreadable answers were of one kind, or of the other.
    fn bounds(&self) -> Vec<Bounds>;
}

/// The rows of all systems; `pooled` says whether wordings are one thing.
pub fn write<N: Numbers>(
    judged: &Judged<'_>,
    all: &[Measure<N>],
    pooled: bool,
) -> Result<Measured, BenchError> {
    let mut measured = Measured::default();
    for measures in all.chunk_by(|a, b| a.attempts().system == b.attempts().system) {
        let system = &judged.table.systems[measures[0].attempts().system].name;
        let keeps = !pooled || judged.options.get(&POSITION_BOUND) == PositionBound::Keep;
        warn(system, measures, keeps, &mut measured);
        let mut writer = RowWriter::new(judged.card, system, "all");
        let counted: Vec<&Measure<N>> = measures
            .iter()
            .filter(|measure| keeps || !measure.is_bound())
            .collect();
        if pooled {
            write_all(&mut writer, &counted, &mut measured.notes);
        }
        for frame in Frame::ALL {
            write_frame(&mut writer, frame, &counted);
        }
        for measure in measures {
            write_wording(&mut writer, measure);
        }
        measured.rows.extend(writer.rows);
    }
    write_agreement(judged, &mut measured)?;
    measured.how.extend(how(judged)?);
    measured.or_nothing()
}

/// A wording with its numbers and their replicates.
pub struct Measure<N> {
    pub numbers: N,
    pub values: Vec<f64>,
    pub replicates: Vec<Vec<f64>>,
}

impl<N: Numbers> Measure<N> {
    pub fn new(numbers: N, draws: &Draws) -> Measure<N> {
        Measure {
            values: numbers.values(None),
            replicates: draws.replicate(|weights| numbers.values(weights)),
            numbers,
        }
    }

    pub fn attempts(&self) -> &Attempts {
        self.numbers.attempts()
    }

    /// Whether the answers follow the place of an option, not its content.
    pub fn is_bound(&self) -> bool {
        let bound = self.attempts().bound();
        bound.is_some_and(|bound| bound.share >= BOUND_TO_PLACE)
    }

    fn items_of(&self, metric: &str) -> usize {
        let place = self.place_of(metric);
        place.map_or(0, |place| self.numbers.counts()[place])
    }

    pub fn place_of(&self, metric: &str) -> Option<usize> {
        let layout = self.numbers.layout();
        layout
            .iter()
            .position(|(group, name)| group == "all" && *name == metric)
    }

    /// s, with its replicates.
    fn s(&self) -> (f64, Vec<f64>) {
        let place = self.place_of("s").expect("every frame has an s");
        let replicates = self.replicates.iter().map(|values| values[place]);
        (self.values[place], replicates.collect())
    }
}

/// What nobody may overlook: unreadable answers, and probabilities of other things than the options.
fn warn<N: Numbers>(system: &str, measures: &[Measure<N>], keeps: bool, measured: &mut Measured) {
    let (mut asked, mut unreadable, mut refused) = (0, 0, 0);
    for measure in measures {
        let attempts = measure.attempts();
        let own = attempts.count(Finding::Unreadable);
        asked += attempts.attempts.len() as u64;
        unreadable += own;
        refused += attempts.count(Finding::Refused);
        let share = own as f64 / attempts.attempts.len().max(1) as f64;
        if share > MOST_UNREADABLE {
            let bounds = measure.numbers.bounds();
            let bounds = bounds.iter().find(|bounds| bounds.metric == "s");
            let bounds = bounds.map_or_else(String::new, |bounds| {
                format!(
                    "; if all of them went one way or the other, s would be between {:.3} and {:.3}",
                    bounds.least.1, bounds.most.1
                )
            });
            measured.warnings.push(format!(
                "{system} {}: {:.0} % of the answers could not be read ({own} of {}){bounds}",
                attempts.unit(),
                100.0 * share,
                attempts.attempts.len(),
            ));
        }
        if let Some(bound) = attempts.bound().filter(|_| measure.is_bound()) {
            let takes = match bound.place {
                Some(place) => format!("take the {} option", ["first", "second", "third"][place]),
                None => "keep one position for each item".to_owned(),
            };
            let then = if keeps {
                "it says nothing about gender"
            } else {
                "it says nothing about gender and is left out of the numbers over wordings (--position-bound keep counts it)"
            };
            measured.warnings.push(format!(
                "{system} {}: {:.0} % of the answers {takes}, whatever it says; {then}",
                attempts.unit(),
                100.0 * bound.share
            ));
        }
        if let Some(mass) = attempts.mass().filter(|mass| *mass < LEAST_MASS) {
            measured.warnings.push(format!(
                "{system} {}: only {:.0} % of the probability falls on the offered answers; the model often answers in other words",
                attempts.unit(),
                100.0 * mass
            ));
        }
    }
    let share = refused as f64 / asked.max(1) as f64;
    if share > MOST_REFUSED {
        measured.warnings.push(format!(
            "{system}: {:.0} % of the answers are refusals ({refused} of {asked}); the numbers describe only the rest",
            100.0 * share
        ));
    }
    let share = unreadable as f64 / asked.max(1) as f64;
    if share > MOST_UNREADABLE {
        measured.warnings.insert(
            0,
            format!(
                "{system}: {:.0} % of the answers could not be read ({unreadable} of {asked}); the numbers describe only the rest",
                100.0 * share
            ),
        );
    }
}

/// The pooled s with the spread over wordings; nothing where there is but one, whose number would be the prompt's.
fn write_all<N: Numbers>(
    writer: &mut RowWriter<'_>,
    measures: &[&Measure<N>],
    notes: &mut Vec<String>,
) {
    let rates: Vec<(f64, Vec<f64>)> = measures
        .iter()
        .map(|measure| measure.s())
        .filter(|(value, _)| !value.is_nan())
        .collect();
    if rates.is_empty() {
        if measures.is_empty() {
            notes.push(format!(
                "{}: there is no s over wordings: in every wording the answers follow the place of the option",
                writer.system
            ));
            return;
        }
        notes.push(format!(
            "{}: there is no s: it compares two kinds of items, and the readable answers are all about one (--limit takes \
             the first items)",
            writer.system
        ));
        return;
    }
    if rates.len() < 2 {
        notes.push(format!(
            "{}: one wording alone gives no framing spread, so s over wordings is unknown",
            writer.system
        ));
        return;
    }
    let n: u64 = measures
        .iter()
        .map(|measure| readable(measure.attempts()))
        .sum();
    let wordings: Vec<Vec<Vec<f64>>> = rates
        .iter()
        .map(|(_, replicates)| replicates.iter().map(|value| vec![*value]).collect())
        .collect();
    let values: Vec<[f64; 1]> = rates.iter().map(|(value, _)| [*value]).collect();
    let both = values.iter().zip(&wordings);
    let both: Vec<(&[f64], &[Vec<f64>])> = both.map(|(v, r)| (&v[..], &r[..])).collect();
    let pooled = Pooled::of(&both, 0).expect("there are two wordings with a number");
    let row = writer.push("all", "s", pooled.value);
    row.n = Some(n);
    let items = measures.iter().map(|one| one.items_of("s"));
    let items = items.max().unwrap_or(0);
    if let Some(interval) = pooled.interval(range_of("s"), items) {
        (row.low, row.high) = (Some(interval.low), Some(interval.high));
    }
    write_aside(writer, "all", measures);
    let range = |values: &mut dyn Iterator<Item = f64>| {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| !value.is_nan()) {
            (low, high) = (low.min(value), high.max(value));
        }
        (low, high)
    };
    let (low, high) = range(&mut rates.iter().map(|(value, _)| *value));
    writer.push("all", "framing_low", low).n = Some(rates.len() as u64);
    writer.push("all", "framing_high", high).n = Some(rates.len() as u64);
    let spreads: Vec<Vec<f64>> = (0..rates[0].1.len())
        .map(|replicate| {
            let (low, high) = range(&mut rates.iter().map(|(_, values)| values[replicate]));
            vec![high - low]
        })
        .collect();
    let row = writer.push("all", "framing_spread", high - low);
    row.n = Some(rates.len() as u64);
    let of = (Range::Within(0.0, 2.0), items);
    if let Some(interval) = interval(high - low, &spreads, 0, of) {
        (row.low, row.high) = (Some(interval.low), Some(interval.high));
    }
}

/// Refusals and unreadable answers, and what a number would be if the unreadable ones were all of one kind.
fn write_aside<N: Numbers>(writer: &mut RowWriter<'_>, unit: &str, measures: &[&Measure<N>]) {
    for (metric, finding) in ASIDE {
        if finding == Finding::Both && unit != "all" {
            continue;
        }
        let mut items: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
        for (item, (found, asked)) in measures
            .iter()
            .flat_map(|measure| measure.attempts().counts_of(finding))
        {
            let sums = items.entry(item).or_default();
            *sums = (sums.0 + found, sums.1 + asked);
        }
        let (found, asked) = items
            .values()
            .fold((0.0, 0.0), |sums, own| (sums.0 + own.0, sums.1 + own.1));
        if asked == 0.0 {
            continue;
        }
        let row = writer.push_in(unit, "all", metric, found / asked);
        row.n = Some(asked as u64);
        let shares: Vec<f64> = items.values().map(|(found, asked)| found / asked).collect();
        if let Some(interval) = attempts_interval(found / asked, &shares) {
            (row.low, row.high) = (Some(interval.low), Some(interval.high));
        }
    }
    let unreadable = |measure: &&Measure<N>| measure.attempts().count(Finding::Unreadable) > 0;
    if !measures.iter().any(unreadable) {
        return;
    }
    // Over wordings, the mean of each wording's own bound.
    let all: Vec<Vec<Bounds>> = measures.iter().map(|one| one.numbers.bounds()).collect();
    for bounds in all.first().into_iter().flatten() {
        // The row over all wordings has an s alone.
        if unit == "all" && bounds.metric != "s" {
            continue;
        }
        let own: Vec<&Bounds> = all
            .iter()
            .flatten()
            .filter(|other| other.metric == bounds.metric)
            .collect();
        let count = own.len() as f64;
        let least = own.iter().map(|one| one.least.1).sum::<f64>() / count;
        let most = own.iter().map(|one| one.most.1).sum::<f64>() / count;
        writer.push_in(unit, "all", bounds.least.0, least);
        writer.push_in(unit, "all", bounds.most.0, most);
    }
}

/// The means over a frame's wordings, where there are several.
fn write_frame<N: Numbers>(writer: &mut RowWriter<'_>, frame: Frame, measures: &[&Measure<N>]) {
    let own: Vec<&Measure<N>> = measures
        .iter()
        .copied()
        .filter(|measure| measure.attempts().frame == frame)
        .collect();
    if own.len() < 2 {
        return;
    }
    let both: Vec<(&[f64], &[Vec<f64>])> = own
        .iter()
        .map(|measure| (&measure.values[..], &measure.replicates[..]))
        .collect();
    let n = own.iter().map(|measure| readable(measure.attempts())).sum();
    let counts: Vec<Vec<usize>> = own.iter().map(|one| one.numbers.counts()).collect();
    for (place, (group, metric)) in own[0].numbers.layout().iter().enumerate() {
        let values: Vec<f64> = own.iter().map(|measure| measure.values[place]).collect();
        let there: Vec<f64> = values.into_iter().filter(|value| !value.is_nan()).collect();
        let Ok(mean) = epicene_stats::mean(&there) else {
            continue;
        };
        let row = writer.push_in(frame.name(), group, metric, mean);
        row.n = (group == "all").then_some(n);
        let items = counts.iter().map(|counts| counts[place]).max();
        let pooled = Pooled::of(&both, place).zip(items);
        let interval = pooled.and_then(|(pooled, items)| pooled.interval(range_of(metric), items));
        if let Some(interval) = interval {
            (row.low, row.high) = (Some(interval.low), Some(interval.high));
        }
    }
    write_aside(writer, frame.name(), &own);
}

/// What a number can be.
fn range_of(metric: &str) -> Range {
    match metric {
        "s" | "position" | "corr_women" | "corr_words" => Range::Within(-1.0, 1.0),
        "disparity" => Range::Within(0.0, 0.5),
        "order_effect" => Range::Within(0.0, 1.0),
        _ => Range::Share,
    }
}

fn write_wording<N: Numbers>(writer: &mut RowWriter<'_>, measure: &Measure<N>) {
    let attempts = measure.attempts();
    let unit = attempts.unit();
    let n = readable(attempts);
    write_values(writer, &unit, measure, n);
    let asked = attempts.attempts.len() as u64;
    write_aside(writer, &unit, &[measure]);
    if let Some(bound) = attempts.bound() {
        let row = writer.push_in(&unit, "all", "place_share", bound.share);
        row.n = Some(n);
    }
    let missing = attempts.count(Finding::NoAnswer);
    if missing > 0 {
        writer.push_in(&unit, "all", "missing", missing as f64).n = Some(asked);
    }
    if let Some(mass) = attempts.mass() {
        writer.push_in(&unit, "all", "mass", mass).n = Some(asked);
    }
}

fn write_values<N: Numbers>(writer: &mut RowWriter<'_>, unit: &str, measure: &Measure<N>, n: u64) {
    let (values, replicates) = (&measure.values, &measure.replicates);
    let layout = measure.numbers.layout().into_iter();
    for (place, ((group, metric), items)) in layout.zip(measure.numbers.counts()).enumerate() {
        if values[place].is_nan() {
            continue;
        }
        let row = writer.push_in(unit, &group, metric, values[place]);
        row.n = (group == "all").then_some(n);
        let interval = match range_of(metric) {
            Range::Share => share_interval(values[place], replicates, place, items),
            range @ Range::Within(..) => interval(values[place], replicates, place, (range, items)),
        };
        if let Some(interval) = interval {
            (row.low, row.high) = (Some(interval.low), Some(interval.high));
        }
    }
}

/// Attempts that could be read.
pub fn readable(attempts: &Attempts) -> u64 {
    attempts
        .attempts
        .iter()
        .filter(|attempt| attempt.shares.is_some())
        .count() as u64
}

/// What was resampled, for the signature.
pub fn how(judged: &Judged<'_>) -> Result<How, BenchError> {
    let mut how = Clusters::of(judged)?.how();
    let interval = format!(
        "wilson-t+percentile-{}+wordings-t",
        judged.options.replicates
    );
    how.push(("interval", interval));
    if judged.options.get(&POSITION_BOUND) == PositionBound::Keep {
        how.push(("position-bound", "keep".to_owned()));
    }
    Ok(how)
}
