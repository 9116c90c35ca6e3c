//! Systems that return several translations (specification, section 6): are alternatives given where they are needed, are they
//! the variants, and is one gender translated better? Where the paper's exact definition is not known, it is ours.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Finding, Span, Verdict};
use epicene_stats::{Interval, bootstrap, percentile_interval, wilson};

use super::words::words;
use super::{CARD, Labels, tuples};
use crate::estimate::LEVEL;
use crate::quality::{Bleu, CorpusScore, corpus};
use crate::{BenchError, Judged, Measured, RowWriter};

/// Part and whole.
#[derive(Debug, Clone, Copy, Default)]
struct Share(u64, u64);

impl Share {
    fn add(&mut self, part: usize, whole: usize) {
        self.0 += part as u64;
        self.1 += whole as u64;
    }

    fn value(self) -> f64 {
        match self.1 {
            0 => 0.0,
            whole => self.0 as f64 / whole as f64,
        }
    }
}

/// The words of a text as one string: what an output is compared by.
fn key(text: &str) -> String {
    let texts: Vec<String> = words(text).into_iter().map(|word| word.text).collect();
    texts.join(" ")
}

/// Masculine and feminine phrases of `[[m/f]]`.
fn structures(text: &str) -> BTreeSet<(String, String)> {
    let pairs = tuples::bracketed(text).into_iter();
    pairs
        .filter_map(|inner| inner.split_once('/'))
        .map(|(masculine, feminine)| (key(masculine), key(feminine)))
        .collect()
}

/// The translations of a line.
fn outputs(text: &str) -> Vec<&str> {
    let parts = text.split('\t');
    parts.filter(|part| !part.trim().is_empty()).collect()
}

/// Which variants a system gave, word for word; evidence is one output for each.
pub fn verdict(variants: &BTreeMap<String, String>, text: &str) -> Verdict {
    let mut wanted: BTreeMap<String, &str> = BTreeMap::new();
    for (code, variant) in variants {
        // Variants that do not differ are one.
        wanted.entry(key(variant)).or_insert(code);
    }
    let is_one = wanted.len() == 1;
    let (mut evidence, mut codes) = (Vec::new(), String::new());
    let mut start = 0;
    for part in text.split('\t') {
        let end = start + part.chars().count();
        if let Some(code) = wanted
            .remove(&key(part))
            .filter(|_| !part.trim().is_empty())
        {
            evidence.push(Span::new(start, end));
            codes.push_str(code);
        }
        start = end + 1;
    }
    let (finding, rule) = if outputs(text).is_empty() {
        (Finding::NoAnswer, "nothing-given")
    } else if evidence.is_empty() {
        (Finding::NotFound, "no-variant")
    } else if is_one {
        (Finding::Unmarked, "only-variant")
    } else if codes.chars().all(|letter| letter == 'm') {
        (Finding::Masculine, "variant")
    } else if codes.chars().all(|letter| letter == 'f') {
        (Finding::Feminine, "variant")
    } else if evidence.len() == 1 {
        (Finding::Both, "mixed-variant")
    } else {
        (Finding::Both, "variants")
    };
    Verdict::new(finding, rule).with_evidence(evidence)
}

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let mut measured = Measured::default();
    for (view, verdicts) in judged.columns() {
        let mut needed = [Share::default(), Share::default()];
        let mut exact = [Share::default(), Share::default()];
        let mut written = [Share::default(), Share::default()];
        let mut open = false;
        let mut sides: Vec<[Bleu; 2]> = Vec::new();
        for item in 0..view.items().len() {
            let (Some(text), Some(verdict)) = (view.text(item), &verdicts.cells[item]) else {
                continue;
            };
            let labels = Labels::of(view.items().get(item))?;
            let outputs = outputs(text);
            let needs = labels.variants.len() > 1;
            open |= !needs;
            let gives = outputs.len() > 1;
            needed[0].add(usize::from(needs && gives), usize::from(gives));
            needed[1].add(usize::from(needs && gives), usize::from(needs));
            if let Some(reference) = labels.structures {
                let (found, wanted) = (structures(text), structures(reference));
                if text.contains("[[") {
                    let shared = found.intersection(&wanted).count();
                    written[0].add(shared, found.len());
                    written[1].add(shared, wanted.len());
                }
            }
            if !needs {
                continue;
            }
            let variants: BTreeSet<String> = labels.variants.values().map(|v| key(v)).collect();
            let given: BTreeSet<String> = outputs.iter().map(|output| key(output)).collect();
            let shared = verdict.evidence.len();
            exact[0].add(shared, given.len());
            exact[1].add(shared, variants.len());
            let all = |letter: char| {
                let code = labels
                    .variants
                    .keys()
                    .find(|code| code.chars().all(|c| c == letter));
                code.map(|code| labels.variants[code].as_str())
            };
            if let (Some(masculine), Some(feminine), [first, ..]) =
                (all('m'), all('f'), outputs.as_slice())
            {
                // One output stands on both sides.
                let second = outputs.get(1).unwrap_or(first);
                sides.push([Bleu::of(first, masculine), Bleu::of(second, feminine)]);
            }
        }
        let mut writer = RowWriter::new(&CARD, &view.system().name, view.column().unit.as_str());
        if open {
            shares(&mut writer, "detection", needed)?;
        }
        shares(&mut writer, "variants", exact)?;
        if written[0].1 > 0 {
            shares(&mut writer, "structures", written)?;
        }
        if !sides.is_empty() {
            let side = |place: usize| corpus(sides.iter().map(|pair| pair[place]));
            let value = side(0) - side(1);
            let (seed, replicates) = (judged.options.seed, judged.options.replicates);
            let drawn = bootstrap(sides.len(), replicates, seed, "gate/delta-bleu", |drawn| {
                let of =
                    |place: usize| corpus(drawn.iter().map(|index| sides[*index as usize][place]));
                of(0) - of(1)
            });
            let Interval { low, high } = percentile_interval(&drawn, LEVEL)?;
            let row = writer.push("all", "gap_bleu", value);
            (row.low, row.high, row.n) = (Some(low), Some(high), Some(sides.len() as u64));
            writer.push("all", "gap_bleu_size", value.abs()).n = Some(sides.len() as u64);
        }
        measured.rows.extend(writer.rows);
    }
    measured.how = vec![
        ("bleu", Bleu::SIGNATURE.to_owned()),
        ("definition", "epicene".to_owned()),
        (
            "interval",
            format!("wilson+percentile-{}", judged.options.replicates),
        ),
    ];
    measured.or_nothing()
}

fn shares(
    writer: &mut RowWriter<'_>,
    group: &str,
    [precision, recall]: [Share; 2],
) -> Result<(), BenchError> {
    for (metric, share) in [("precision", precision), ("recall", recall)] {
        let row = writer.push(group, metric, share.value());
        row.n = Some(share.1);
        if share.1 > 0 {
            let Interval { low, high } = wilson(share.0, share.1, LEVEL)?;
            (row.low, row.high) = (Some(low), Some(high));
        }
    }
    let (p, r) = (precision.value(), recall.value());
    let below = 0.25 * p + r;
    let value = if below == 0.0 {
        0.0
    } else {
        1.25 * p * r / below
    };
    writer.push(group, "f05", value).n = Some(recall.1);
    Ok(())
}
