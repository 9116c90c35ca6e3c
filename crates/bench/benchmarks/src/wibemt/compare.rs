//! Whether two translators differ on the same sentences, second less first. Sentence by sentence: McNemar's test of female
//! against male, and of correct against wrong, where both are classified.

use epicene_core::{Gender, Verdict};
use epicene_stats::{mcnemar_exact, risk_difference};

use super::benchmark::CARD;
use super::clustered;
use super::german::ChallengePart;
use super::sentences;
use crate::options::INTERVAL;
use crate::{BenchError, Judged, Measured, RowWriter};

pub fn compare(judged: &Judged<'_>, first: usize, second: usize) -> Result<Measured, BenchError> {
    let sentences = sentences::read(&judged.table.items)?;
    if judged.options.get(&INTERVAL).is_clustered() {
        return clustered::compare(judged, &sentences, first, second);
    }
    let column = |system: usize| {
        let mut columns = judged.columns();
        columns.find(|(view, _)| view.column().system == system)
    };
    let (Some((view, ours)), Some((_, theirs))) = (column(first), column(second)) else {
        return Err(judged.incomparable(first, second, "one of them translated nothing"));
    };
    let system = judged.difference(first, second);
    let unit = view.column().unit.as_str();
    let mut writer = RowWriter::new(&CARD, &system, unit);
    for (metric, p_metric, needs_pronoun) in [
        ("delta_tfg", "p_value", false),
        ("delta_tcg", "p_value_tcg", true),
    ] {
        for (part, group) in [
            (ChallengePart::Verb, "part:verb"),
            (ChallengePart::Adjective, "part:adjective"),
        ] {
            let mut both = [[0u64; 2]; 2];
            let cells = ours.cells.iter().zip(&theirs.cells);
            for (sentence, (ours, theirs)) in sentences.iter().zip(cells) {
                let said = |verdict: &Option<Verdict>| {
                    let gender = verdict.as_ref()?.finding.gender()?;
                    let female = gender == Gender::Feminine;
                    if needs_pronoun {
                        Some(sentence.feminine_pronoun? == female)
                    } else {
                        Some(female)
                    }
                };
                if sentence.part == part
                    && let (Some(a), Some(b)) = (said(ours), said(theirs))
                {
                    both[usize::from(a)][usize::from(b)] += 1;
                }
            }
            let n: u64 = both.iter().flatten().sum();
            if n == 0 {
                continue;
            }
            let (a, b) = (both[1][0] + both[1][1], both[0][1] + both[1][1]);
            let difference = risk_difference((b, n), (a, n), 0.95)?;
            let row = writer.push(group, metric, 100.0 * difference.value);
            row.low = Some(100.0 * difference.interval.low);
            row.high = Some(100.0 * difference.interval.high);
            row.n = Some(n);
            let p_value = mcnemar_exact(both[1][0], both[0][1]).p_value;
            writer.push(group, p_metric, p_value).n = Some(n);
        }
    }
    let measured = Measured {
        rows: writer.rows,
        how: vec![
            ("test", "mcnemar-exact".to_owned()),
            ("interval", "risk-difference".to_owned()),
        ],
        ..Measured::default()
    };
    measured
        .or_nothing()
        .map_err(|_| judged.incomparable(first, second, "no sentence is female or male in both"))
}
