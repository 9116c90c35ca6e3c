//! By which field a signature names what an option did. An effect that no signature names did not happen: a command that
//! gives such an option is refused.

use super::{Given, OptionError, Spec, Stage};
use crate::Card;

/// An option that is used after the asking.
struct Said {
    option: &'static str,
    /// Fields of the signature that tell of it.
    by: &'static [&'static str],
    /// Whether it changes verdicts, not numbers alone.
    of_verdicts: bool,
}

const fn verdicts(option: &'static str, by: &'static [&'static str]) -> Said {
    Said {
        option,
        by,
        of_verdicts: true,
    }
}

const fn numbers(option: &'static str, by: &'static [&'static str]) -> Said {
    Said {
        option,
        by,
        of_verdicts: false,
    }
}

const SAID: [Said; 25] = [
    verdicts("judge", &["judge"]),
    verdicts("mode", &["judge"]),
    verdicts("nouns", &["nouns"]),
    verdicts("pick", &["pick"]),
    verdicts("labelled-only", &["occupation"]),
    verdicts("ignore-fixed", &["ignored"]),
    verdicts("word-split", &["words"]),
    verdicts("rule", &["reader"]),
    verdicts("round", &["round"]),
    verdicts("score", &["score"]),
    verdicts("wanted", &["wanted"]),
    verdicts("csv-quoting", &["quoting"]),
    numbers("interval", &["interval", "rates", "bootstrap", "test"]),
    numbers("cluster", &["unit"]),
    numbers("convention", &["convention"]),
    numbers("targets", &["targets"]),
    numbers("min-words", &["min-words"]),
    numbers("max-words", &["max-words"]),
    numbers("full-set-recall", &["recall"]),
    numbers("min-rows", &["min-rows"]),
    numbers("weight", &["weight"]),
    numbers("min-similarity", &["weight"]),
    numbers("clip-negative", &["weight"]),
    numbers("mcnemar", &["mcnemar"]),
    numbers("position-bound", &["position-bound"]),
];

fn said(spec: &Spec) -> &'static Said {
    let mut all = SAID.iter();
    all.find(|said| said.option == spec.name)
        .expect("every option that is used after the asking is said somewhere")
}

/// The options after the asking that a command gives, other than by their defaults.
fn meant<'a>(card: &'a Card, given: &'a Given) -> impl Iterator<Item = &'static Spec> + 'a {
    card.specs().filter(|spec| {
        let value = given.values.get(spec.name).map(String::as_str);
        spec.stage == Stage::Measure && value.is_some() && value != spec.default
    })
}

/// The first option of a command that nothing heeded which these results came of.
pub fn unheeded(card: &Card, given: &Given, signature: &str) -> Option<&'static Spec> {
    let fields = || {
        signature
            .split('|')
            .filter_map(|field| field.split_once(':'))
    };
    // What somebody else tagged or scored is not done here.
    let elsewhere = ["given-tags", "as-given"];
    let is_heeded = |spec: &Spec| {
        let by = said(spec).by;
        fields().any(|(name, value)| by.contains(&name) && !elsewhere.contains(&value))
    };
    meant(card, given).find(|spec| !is_heeded(spec))
}

/// Refuses an option that changes no verdict, where nothing but verdicts is shown.
pub fn refuse_of_numbers(card: &Card, given: &Given) -> Result<(), OptionError> {
    let drawing = [
        ("seed", given.seed.is_some()),
        ("bootstrap", given.replicates.is_some()),
    ];
    let drawing = drawing.into_iter().find(|(_, given)| *given);
    let of_numbers = meant(card, given).find(|spec| !said(spec).of_verdicts);
    let found = drawing.map(|(name, _)| name);
    match found.or(of_numbers.map(|spec| spec.name)) {
        None => Ok(()),
        Some(name) => Err(OptionError {
            message: format!("--{name} has no effect on verdicts; it is for numbers"),
            hint: Some("`epicene report` measures".to_owned()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_after_the_asking_is_said() {
        let mut used = Vec::new();
        for benchmark in crate::ALL {
            for spec in benchmark.card().specs() {
                if spec.stage == Stage::Measure {
                    used.push(said(spec).option);
                }
            }
        }
        for Said { option, .. } in &SAID {
            assert!(used.contains(option), "nobody has --{option}");
        }
    }

    #[test]
    fn what_the_signature_does_not_name_was_not_heeded() {
        let card = crate::find("unambiguous")
            .expect("it is a benchmark")
            .card();
        let of = |name: &str, value: &str, signature: &str| {
            let mut given = Given::default();
            given.values.insert(name.to_owned(), value.to_owned());
            unheeded(card, &given, signature).map(|spec| spec.name)
        };
        let judged = "unambiguous|judge:occupation-default|aligner:person-links";
        assert_eq!(of("pick", "first", judged), Some("pick"));
        assert_eq!(of("pick", "last", judged), None);
        assert_eq!(of("pick", "first", "x|judge:y|pick:first"), None);
        assert_eq!(of("judge", "published", judged), None);
        let given = "unambiguous|judge:given-tags|interval:x";
        assert_eq!(of("judge", "published", given), Some("judge"));
        let both = "unambiguous|judge:given-tags+occupation-published";
        assert_eq!(of("judge", "published", both), None);
    }
}
