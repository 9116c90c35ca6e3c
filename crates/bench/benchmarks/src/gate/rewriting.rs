//! Rewriters (specification, section 4): a variant in the wanted gender, exactly, or nothing. Precision, recall and F0.5 by
//! label, as the authors' GateEval prints them.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Finding, Gender, Verdict};
use epicene_stats::{Interval, wilson};

use super::options::{CSV_QUOTING, FULL_SET_RECALL, MAX_WORDS, MIN_WORDS, WANTED};
use super::{CARD, Labels};
use crate::estimate::LEVEL;
use crate::{BenchError, Judged, Measured, Options, RowWriter, python};

/// Labels in the authors' order; others follow by name.
const ORDER: [&str; 37] = [
    "PROF", "NAT", "REL", "FAM", "NHUM", "OTH", "SUBJ", "SCMP", "DOBJ", "IOBJ", "OPRP", "VOC",
    "POSC", "OCMP", "DIFF", "QUES", "FRAG", "IMPR", "APRD", "AATR", "ANAN", "PPA", "APPS", "PERS",
    "RELA", "DEMO", "POSS", "DROP", "IPRO", "PLUR", "INDF", "DFCL", "PSSV", "VPART", "GLNK",
    "RSCMP", "HEAD",
];

/// Counts of one label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rewrites {
    /// What recall is of.
    pub count: u64,
    pub matches: u64,
    pub mismatches: u64,
}

impl Rewrites {
    pub fn precision(&self) -> f64 {
        match self.matches + self.mismatches {
            0 => 0.0,
            given => self.matches as f64 / given as f64,
        }
    }

    pub fn recall(&self) -> f64 {
        match self.count {
            0 => 0.0,
            count => self.matches as f64 / count as f64,
        }
    }

    pub fn f05(&self) -> f64 {
        let (precision, recall) = (self.precision(), self.recall());
        let below = 0.25 * precision + recall;
        if below == 0.0 {
            0.0
        } else {
            1.25 * precision * recall / below
        }
    }
}

/// A field as a reader with CSV's quoting takes it: marks around its beginning are gone, doubled ones inside are one.
fn unquoted(field: &str) -> String {
    let Some(rest) = field.strip_prefix('"') else {
        return field.to_owned();
    };
    let mut out = String::new();
    let mut quoted = true;
    let mut characters = rest.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, quoted) {
            ('"', true) if characters.peek() == Some(&'"') => {
                characters.next();
                out.push('"');
            }
            ('"', true) => quoted = false,
            _ => out.push(c),
        }
    }
    out
}

/// A variant as outputs are compared with it.
fn variant(variants: &BTreeMap<String, String>, gender: Gender, options: &Options) -> String {
    let text = &variants[gender.letter().encode_utf8(&mut [0; 4]) as &str];
    if options.get(&CSV_QUOTING) {
        python::strip(&unquoted(text)).to_owned()
    } else {
        python::strip(text).to_owned()
    }
}

/// Which of the two variants a rewriter gave, to the letter.
pub fn verdict(variants: &BTreeMap<String, String>, text: &str, options: &Options) -> Verdict {
    let wanted = options.get(&WANTED);
    let found = python::strip(text);
    if found.is_empty() {
        Verdict::new(Finding::NoAnswer, "nothing-given")
    } else if found == variant(variants, wanted, options) {
        Verdict::new(wanted.into(), "wanted-variant")
    } else if found == variant(variants, wanted.opposite(), options) {
        Verdict::new(wanted.opposite().into(), "other-variant")
    } else {
        Verdict::new(Finding::NotFound, "neither-variant")
    }
}

pub fn measure(judged: &Judged<'_>) -> Result<Measured, BenchError> {
    let options = judged.options;
    let wanted = options.get(&WANTED);
    let (least, most) = (options.get(&MIN_WORDS), options.get(&MAX_WORDS));
    let mut measured = Measured::default();
    for (view, verdicts) in judged.columns() {
        let mut counts: BTreeMap<String, Rewrites> = BTreeMap::new();
        let mut copied = Rewrites::default();
        for item in 0..view.items().len() {
            let (Some(_), Some(verdict)) = (view.text(item), &verdicts.cells[item]) else {
                continue;
            };
            let item_of = view.items().get(item);
            let labels = Labels::of(item_of)?;
            let words = python::split(item_of.text).count();
            let fits =
                least.is_none_or(|least| words >= least) && most.is_none_or(|most| words <= most);
            let counts_here = fits || options.get(&FULL_SET_RECALL);
            let own: BTreeSet<&str> = labels.labels.iter().map(String::as_str).collect();
            let groups = std::iter::once("all".to_owned())
                .chain(own.into_iter().map(|label| format!("label:{label}")));
            for group in groups {
                // A label all of whose sources are left out still has its row: a zero is a result.
                let count = counts.entry(group).or_default();
                count.count += u64::from(counts_here);
                if fits && verdict.finding != Finding::NoAnswer {
                    let equal = verdict.finding == wanted.into();
                    count.matches += u64::from(equal);
                    count.mismatches += u64::from(!equal);
                }
            }
            let same = variant(&labels.variants, wanted.opposite(), options)
                == variant(&labels.variants, wanted, options);
            copied.count += u64::from(counts_here);
            copied.matches += u64::from(counts_here && same);
        }
        let mut writer = RowWriter::new(&CARD, &view.system().name, view.column().unit.as_str());
        let place = |group: &str| {
            let label = group.strip_prefix("label:");
            let known = label.map(|label| ORDER.iter().position(|known| *known == label));
            match known {
                None => (0, String::new()),
                Some(Some(place)) => (1 + place, String::new()),
                Some(None) => (usize::MAX, group.to_owned()),
            }
        };
        let mut ordered: Vec<(String, Rewrites)> = counts.into_iter().collect();
        ordered.sort_by_key(|(group, _)| place(group));
        for (group, count) in &ordered {
            write(&mut writer, group, count)?;
        }
        let floor = copied.recall();
        writer.push("all", "copy_floor", floor).n = Some(copied.count);
        measured.notes.push(format!(
            "{}: a rewriter that copies its input would match {} of {}",
            view.system().name,
            copied.matches,
            copied.count
        ));
        measured.rows.extend(writer.rows);
    }
    let how = if options.get(&CSV_QUOTING) {
        "csv"
    } else {
        "none"
    };
    measured.how = vec![
        ("wanted", Finding::from(wanted).to_string()),
        ("quoting", how.to_owned()),
        ("interval", "wilson".to_owned()),
    ];
    if let Some(least) = least {
        measured.how.push(("min-words", least.to_string()));
    }
    if let Some(most) = most {
        measured.how.push(("max-words", most.to_string()));
    }
    if options.get(&FULL_SET_RECALL) {
        measured.how.push(("recall", "full-set".to_owned()));
    }
    measured.or_nothing()
}

fn write(writer: &mut RowWriter<'_>, group: &str, count: &Rewrites) -> Result<(), BenchError> {
    let given = count.matches + count.mismatches;
    for (metric, value, n) in [
        ("precision", count.precision(), given),
        ("recall", count.recall(), count.count),
    ] {
        let row = writer.push(group, metric, value);
        row.n = Some(n);
        if n > 0 {
            let Interval { low, high } = wilson(count.matches, n, LEVEL)?;
            (row.low, row.high) = (Some(low), Some(high));
        }
    }
    writer.push(group, "f05", count.f05()).n = Some(count.count);
    writer.push(group, "matches", count.matches as f64).n = Some(count.count);
    writer.push(group, "mismatches", count.mismatches as f64).n = Some(count.count);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_lose_their_marks_as_in_csv() {
        assert_eq!(unquoted("\"¿Quién?\", dijo"), "¿Quién?, dijo");
        assert_eq!(unquoted("\"a \"\"b\"\" c\""), "a \"b\" c");
        assert_eq!(unquoted("a \"b\""), "a \"b\"");
    }

    #[test]
    fn nothing_given_is_no_precision() {
        let silent = Rewrites {
            count: 5,
            ..Rewrites::default()
        };
        assert_eq!(
            (silent.precision(), silent.recall(), silent.f05()),
            (0.0, 0.0, 0.0)
        );
    }
}
