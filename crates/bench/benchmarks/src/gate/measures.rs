//! Which variants a translator gives to ambiguous sources (specification, section 5): counts, the share of masculine ones, groups.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use epicene_core::{Answer, ItemRef, counted};
use epicene_stats::{Interval, Layout, Linearised, mcnemar_exact};

use super::judging::{Variant, judge};
use super::{CARD, Labels};
use crate::estimate::LEVEL;
use crate::options::INTERVAL;
use crate::wibemt::occupations;
use crate::winomt::is_female_stereotype;
use crate::{
    BenchError, Clusters, ColumnView, Contrasts, Estimate, Judged, Measured, RowWriter, Scale,
    Verdicts,
};

/// A tuple with its verdicts.
struct JudgedTuple<'a> {
    item: usize,
    labels: Labels<'a>,
    entities: Vec<Variant>,
    weak: usize,
    sentence: Variant,
}

fn tuples<'a>(
    view: &ColumnView<'a>,
    verdicts: &Verdicts,
) -> Result<Vec<JudgedTuple<'a>>, BenchError> {
    let mut found = Vec::new();
    for (item, verdict) in verdicts.cells.iter().enumerate() {
        let (Some(text), Some(verdict)) = (view.text(item), verdict) else {
            continue;
        };
        let labels = Labels::of(view.items().get(item))?;
        let judgement = judge(&labels.variants, text);
        found.push(JudgedTuple {
            item,
            labels,
            entities: judgement.entities,
            weak: judgement.weak,
            // A person may have decided otherwise.
            sentence: Variant::of(verdict.finding),
        });
    }
    Ok(found)
}

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let clustered = judged.options.get(&INTERVAL).is_clustered();
    let mut measured = Measured::default();
    for (view, verdicts) in judged.columns() {
        let tuples = tuples(&view, verdicts)?;
        let mut tally = Tally {
            writer: RowWriter::new(&CARD, &view.system().name, view.column().unit.as_str()),
            clusters: clustered.then_some(&clusters),
        };
        let sentences: Vec<(usize, Variant)> = tuples
            .iter()
            .map(|tuple| (tuple.item, tuple.sentence))
            .collect();
        tally.count("all", &sentences)?;
        let entities: Vec<(usize, Variant)> = tuples
            .iter()
            .flat_map(|tuple| tuple.entities.iter().map(|entity| (tuple.item, *entity)))
            .collect();
        tally.count("entities", &entities)?;
        let weak: usize = tuples.iter().map(|tuple| tuple.weak).sum();
        tally.writer.push("entities", "weak", weak as f64).n = Some(entities.len() as u64);
        let mut groups: BTreeMap<String, Vec<(usize, Variant)>> = BTreeMap::new();
        for tuple in &tuples {
            for group in groups_of(tuple) {
                groups
                    .entry(group)
                    .or_default()
                    .push((tuple.item, tuple.sentence));
            }
        }
        for (group, members) in &groups {
            tally.count(group, members)?;
        }
        tally.stereotype(&tuples)?;
        let floor = noise(&tuples, view.items().iter());
        let n = tuples.len() as u64;
        tally.writer.push("all", "noise_floor", floor).n = Some(n);
        let who = format!("{} {}", view.system().name, view.column().unit);
        notes(&who, &tuples, floor, &mut measured.notes);
        let missing = view.column().answers.iter().flatten();
        let missing = missing.filter(|answer| **answer == Answer::Missing).count() as u64;
        if missing > 0 {
            tally.writer.push("all", "missing", missing as f64).n = Some(missing);
            measured.warnings.push(format!(
                "{who}: {}",
                counted(
                    missing,
                    "translation is missing",
                    "translations are missing"
                )
            ));
        }
        measured.rows.extend(tally.writer.rows);
    }
    if clustered {
        measured.how.extend(clusters.how());
    }
    let interval = if clustered {
        "wilson-t+newcombe-t-by-occupation"
    } else {
        "wilson"
    };
    measured.how.push(("interval", interval.to_owned()));
    measured.or_nothing()
}

/// Number of entities, split, labels, and the occupation's stereotype.
fn groups_of(tuple: &JudgedTuple<'_>) -> BTreeSet<String> {
    let labels = &tuple.labels;
    let mut groups = BTreeSet::from([format!("agmes:{}", tuple.entities.len())]);
    groups.insert(format!("split:{}", labels.split.unwrap_or("none")));
    groups.extend(labels.labels.iter().map(|label| format!("label:{label}")));
    if let Some(occupation) = tuple.occupation() {
        groups.insert(format!("occupation:{}", occupation.list));
    }
    groups
}

/// What a tuple is about, where that has a stereotype.
struct Occupation {
    /// `male` or `female`.
    list: &'static str,
    name: String,
}

impl JudgedTuple<'_> {
    /// Of the only person.
    fn occupation(&self) -> Option<Occupation> {
        occupation(self.labels.key_words).filter(|_| self.entities.len() == 1)
    }
}

/// Which of WinoBias' lists the head nouns of the key words are in; `None` if neither or both.
fn occupation(key_words: &str) -> Option<Occupation> {
    let bracketed: Vec<&str> = key_words
        .split('[')
        .skip(1)
        .filter_map(|piece| Some(piece.split_once(']')?.0))
        .collect();
    let heads = if bracketed.is_empty() {
        key_words.split('=').collect()
    } else {
        bracketed
    };
    let mut words: BTreeSet<String> = heads
        .into_iter()
        .flat_map(super::words::words)
        .map(|word| word.text)
        .collect();
    let singular: Vec<String> = words
        .iter()
        .filter_map(|word| Some(word.strip_suffix('s')?.to_owned()))
        .collect();
    words.extend(singular);
    let known = words.iter().filter(|word| {
        occupations::find_any_case(word).is_some_and(|occupation| occupation.winobias)
    });
    let (female, male): (Vec<&String>, Vec<&String>) =
        known.partition(|word| is_female_stereotype(word));
    let of = |list: &'static str, words: Vec<&String>| {
        let name = words.first()?.to_string();
        Some(Occupation { list, name })
    };
    match (male.is_empty(), female.is_empty()) {
        (false, true) => of("male", male),
        (true, false) => of("female", female),
        _ => None,
    }
}

/// How much of the English itself would be decided: homographs such as "doctor".
fn noise<'a>(tuples: &[JudgedTuple<'_>], items: impl Iterator<Item = ItemRef<'a>>) -> f64 {
    let sources: Vec<&str> = items.map(|item| item.text).collect();
    let (mut decided, mut all) = (0u64, 0u64);
    for tuple in tuples {
        let judgement = judge(&tuple.labels.variants, sources[tuple.item]);
        match super::judging::sentence(&judgement.entities) {
            Variant::NoContrast => {}
            Variant::Masculine | Variant::Feminine => {
                decided += 1;
                all += 1;
            }
            _ => all += 1,
        }
    }
    decided as f64 / all.max(1) as f64
}

fn notes(who: &str, tuples: &[JudgedTuple<'_>], floor: f64, notes: &mut Vec<String>) {
    let same = tuples
        .iter()
        .filter(|tuple| tuple.sentence == Variant::NoContrast)
        .count();
    if same > 0 {
        notes.push(format!(
            "{who}: {same} of {} tuples have no contrast between their variants and are left out",
            tuples.len()
        ));
    }
    notes.push(format!(
        "{who}: the English sources themselves would be decided in {:.1} % of the tuples (words of both languages): the noise floor",
        100.0 * floor
    ));
}

/// Writes the rows of one system.
struct Tally<'a> {
    writer: RowWriter<'a>,
    clusters: Option<&'a Clusters>,
}

impl Tally<'_> {
    fn share(
        &mut self,
        group: &str,
        metric: &str,
        items: &[(usize, bool)],
    ) -> Result<(), BenchError> {
        let clusters = self.clusters;
        self.writer.share(clusters, [group, metric], items)
    }

    /// The six counts, and the shares that follow.
    fn count(&mut self, group: &str, members: &[(usize, Variant)]) -> Result<(), BenchError> {
        let counted: Vec<&(usize, Variant)> = members
            .iter()
            .filter(|(_, variant)| *variant != Variant::NoContrast)
            .collect();
        for variant in Variant::ALL {
            let count = members
                .iter()
                .filter(|(_, found)| *found == variant)
                .count();
            let n = match variant {
                Variant::NoContrast => members.len(),
                _ => counted.len(),
            };
            self.writer.push(group, variant.name(), count as f64).n = Some(n as u64);
        }
        let decides = |variant: Variant| matches!(variant, Variant::Masculine | Variant::Feminine);
        let masculine: Vec<(usize, bool)> = counted
            .iter()
            .filter(|(_, variant)| decides(*variant))
            .map(|(item, variant)| (*item, *variant == Variant::Masculine))
            .collect();
        self.share(group, "masculine_share", &masculine)?;
        let of = |wanted: &dyn Fn(Variant) -> bool| -> Vec<(usize, bool)> {
            counted
                .iter()
                .map(|(item, variant)| (*item, wanted(*variant)))
                .collect()
        };
        self.share(group, "decided_share", &of(&decides))?;
        let neutral = |variant| matches!(variant, Variant::Neutral | Variant::Mixed);
        self.share(group, "neutral_share", &of(&neutral))
    }

    /// How much more often occupations of WinoBias' male list are masculine than those of its female list. Several sources are
    /// about one driver, who is feminine in all of them or in none: what was sampled are occupations, within their list.
    fn stereotype(&mut self, tuples: &[JudgedTuple<'_>]) -> Result<(), BenchError> {
        // For each list: masculine and decided tuples of every occupation.
        let mut lists: [BTreeMap<String, (u64, u64)>; 2] = Default::default();
        for tuple in tuples {
            let decided = matches!(tuple.sentence, Variant::Masculine | Variant::Feminine);
            if let (Some(occupation), true) = (tuple.occupation(), decided) {
                let list = &mut lists[usize::from(occupation.list == "female")];
                let (masculine, decided) = list.entry(occupation.name).or_default();
                *masculine += u64::from(tuple.sentence == Variant::Masculine);
                *decided += 1;
            }
        }
        let total = |list: &BTreeMap<String, (u64, u64)>| {
            let counts = list.values();
            counts.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1))
        };
        let [male, female] = lists.each_ref().map(total);
        if male.1 == 0 || female.1 == 0 {
            return Ok(());
        }
        if self.clusters.is_none() {
            let difference = epicene_stats::risk_difference(male, female, LEVEL)?;
            let row = self.writer.push("all", "stereotype", difference.value);
            let Interval { low, high } = difference.interval;
            (row.low, row.high) = (Some(low), Some(high));
            row.n = Some(male.1 + female.1);
            return Ok(());
        }
        let clusters: Vec<(u32, (u64, u64))> = lists
            .iter()
            .zip(0..)
            .flat_map(|(list, stratum)| list.values().map(move |count| (stratum, *count)))
            .collect();
        let strata = clusters.iter().map(|(stratum, _)| *stratum).collect();
        let layout = Arc::new(Layout::Nested(strata));
        let share = |stratum: u32| {
            let sums = clusters.iter().map(|(own, (masculine, decided))| {
                let counts = f64::from(u8::from(*own == stratum));
                (counts * *masculine as f64, counts * *decided as f64)
            });
            let linear = Linearised::ratio(sums, &layout)?;
            Ok::<_, BenchError>(Estimate::of(linear, Scale::Share))
        };
        let difference = share(0)?.less(&share(1)?)?;
        self.writer.estimate("all", "stereotype", &difference);
        Ok(())
    }
}

/// Two translators: the share of masculine among tuples decided in both, second less first, and how verdicts changed.
pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let clusters = Clusters::of(judged)?;
    let mut contrasts = Contrasts::new(judged, first, second);
    let mut exact = BTreeMap::new();
    let mut notes = Vec::new();
    for [(view, ours), (other, theirs)] in judged.pairs(first, second) {
        let unit = view.column().unit.as_str();
        let verdict = |verdicts: &Verdicts, item: usize| {
            let finding = verdicts.cells[item].as_ref()?.finding;
            Some(Variant::of(finding))
        };
        let mut matrix: BTreeMap<(Variant, Variant), u64> = BTreeMap::new();
        let mut both = Vec::new();
        for item in 0..view.items().len() {
            if view.text(item).is_none() || other.text(item).is_none() {
                continue;
            }
            if let (Some(a), Some(b)) = (verdict(ours, item), verdict(theirs, item)) {
                *matrix.entry((a, b)).or_default() += 1;
                let decided = |v| matches!(v, Variant::Masculine | Variant::Feminine);
                if decided(a) && decided(b) {
                    both.push((item, a == Variant::Masculine, b == Variant::Masculine));
                }
            }
        }
        let one = clusters.share(both.iter().map(|(item, a, _)| (*item, *a)))?;
        let two = clusters.share(both.iter().map(|(item, _, b)| (*item, *b)))?;
        let (Some(one), Some(two)) = (one, two) else {
            continue;
        };
        let only = |own: bool| {
            both.iter()
                .filter(|(_, a, b)| *a == own && *b != own)
                .count() as u64
        };
        exact.insert(
            unit.to_owned(),
            mcnemar_exact(only(true), only(false)).p_value,
        );
        let metric = ("delta_masculine_share", "p_value");
        contrasts.push((unit, "all"), metric, [one, two], (1.0, true));
        let changed: Vec<String> = matrix
            .iter()
            .filter(|((a, b), _)| a != b)
            .map(|((a, b), count)| format!("{} to {} {count}", a.name(), b.name()))
            .collect();
        notes.push(format!("{unit}: changed verdicts: {}", changed.join(", ")));
    }
    let mut measured = contrasts.apart().measured(&clusters, Vec::new())?;
    if !judged.options.get(&INTERVAL).is_clustered() {
        for row in measured
            .rows
            .iter_mut()
            .filter(|row| row.metric == "p_value")
        {
            if let Some(p) = exact.get(row.unit.as_str()) {
                row.value = *p;
            }
        }
        measured.how.retain(|(name, _)| *name != "test");
        measured.how.push(("test", "mcnemar-exact".to_owned()));
    }
    measured.notes.extend(notes);
    Ok(measured)
}
