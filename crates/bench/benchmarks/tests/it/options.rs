//! What the declarations of all cards promise, and what becomes of values that a command gives or a run recorded.

use std::collections::BTreeMap;

use epicene_bench::options::*;
use epicene_bench::{Card, Choice, Given, Options, Spec, Stage, Values};

/// One name is one kind of option of one stage: the command line has it once.
#[test]
fn declarations_are_consistent() {
    let mut known: BTreeMap<&str, &Spec> = BTreeMap::new();
    for benchmark in epicene_bench::ALL {
        let card = benchmark.card();
        for spec in card.specs() {
            let first = known.entry(spec.name).or_insert(spec);
            let same_kind = match (first.values, spec.values) {
                (Values::OneOf(_), Values::OneOf(_)) => true,
                (one, other) => one == other,
            };
            assert!(same_kind, "{} {}", card.name, spec.name);
            assert_eq!(first.stage, spec.stage, "{} {}", card.name, spec.name);
            assert!(spec.help.starts_with(char::is_uppercase), "{}", spec.name);
        }
    }
}

/// Whatever is admitted can be read, and so can nothing: no benchmark meets an option that it cannot get.
#[test]
fn what_is_admitted_can_be_read() {
    for card in epicene_bench::ALL.iter().map(|benchmark| benchmark.card()) {
        for option in card.options {
            let spec = option.spec();
            let (bounds, all): ([String; 2], [String; 2]);
            let admitted: Vec<&str> = match spec.values {
                Values::OneOf(known) => known.to_vec(),
                Values::Whole { from, to } => {
                    bounds = [from, to].map(|bound| bound.to_string());
                    bounds.iter().map(String::as_str).collect()
                }
                Values::Number => vec!["-1.5", "0", "1e-3", "7"],
                Values::Switch => vec!["true"],
                Values::List => vec!["a", "a,b", "a+b", ""],
                Values::SomeOf(known) => {
                    all = [known.join(","), known.join("+")];
                    let all = all.iter().map(String::as_str);
                    known.iter().copied().chain(all).collect()
                }
            };
            let given = admitted.into_iter().map(Some);
            for given in given.chain([None, spec.default]) {
                let read = option.check(given);
                assert_eq!(read, Ok(()), "{} --{} {given:?}", card.name, spec.name);
            }
        }
    }
}

/// What the declaration admits and the type does not is refused when options are resolved, not met later.
#[test]
fn what_cannot_be_read_is_refused() {
    static EVEN: Choice<u32> = Choice {
        spec: Spec {
            name: "even",
            values: Values::Number,
            default: Some("2"),
            help: "",
            heading: "",
            stage: Stage::numbers(&[]),
        },
        read: |given| {
            let number = given.and_then(|given| given.parse::<u32>().ok());
            let even = number.filter(|number| number % 2 == 0);
            even.ok_or_else(|| "this is not even".to_owned())
        },
    };
    static ODD_CARD: Card = Card {
        options: &[&EVEN],
        ..Card::new("even", "", "")
    };
    let recorded = |value: &str| BTreeMap::from([("even".to_owned(), value.to_owned())]);
    let resolve = |value| Options::resolve(&ODD_CARD, &Given::default(), &recorded(value));
    assert_eq!(resolve("4").expect("it is even").get(&EVEN), 4);
    let error = resolve("3").expect_err("it is odd").message;
    assert_eq!(error, "--even: this is not even");
}

fn card(name: &str) -> &'static Card {
    epicene_bench::find(name).expect("it is a benchmark").card()
}

fn said(name: &str, value: &str) -> Given {
    Given {
        values: BTreeMap::from([(name.to_owned(), value.to_owned())]),
        ..Given::default()
    }
}

#[test]
fn whole_numbers_have_bounds() {
    let none = BTreeMap::new();
    for (benchmark, option, bad) in [
        ("crows-pairs", "round", "99999"),
        ("eurogest", "sample", "0"),
        ("eurogest", "min-rows", "0"),
        ("gest-chat", "repeat", "0"),
        ("gate", "min-words", "4294967296"),
    ] {
        let error = Options::resolve(card(benchmark), &said(option, bad), &none);
        let error = error.expect_err(option).message;
        assert!(error.starts_with(&format!("--{option}: ")), "{error}");
        assert!(error.contains(" from "), "{error}");
    }
    let old = BTreeMap::from([("round".to_owned(), "99999".to_owned())]);
    assert!(Options::resolve(card("crows-pairs"), &Given::default(), &old).is_err());
}

#[test]
fn words_of_a_list_are_known_and_given_once() {
    let none = BTreeMap::new();
    for (bad, message) in [
        ("4", "--prompts: `4` is none of 1, 2, 3, "),
        ("1,,2", "--prompts: `` is none of 1, 2, 3, "),
        ("1,2,1", "--prompts: `1` is given twice"),
    ] {
        let error = Options::resolve(card("bbq"), &said("prompts", bad), &none);
        let error = error.expect_err(bad).message;
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn what_was_asked_cannot_be_changed_afterwards() {
    let asked = Options::resolve(card("eurogest"), &Given::default(), &BTreeMap::new());
    let record = asked
        .map(|asked| asked.record(card("eurogest")))
        .expect("defaults");
    let error = Options::resolve(card("eurogest"), &said("as-published", "true"), &record);
    let error = error.expect_err("it is chosen before the asking").message;
    let sentence = "--as-published is chosen before the asking, and this run was asked without it";
    assert_eq!(error, sentence);
    assert!(Options::resolve(card("eurogest"), &said("min-rows", "2"), &record).is_ok());
}

fn read_any(benchmark: &str, key: &str, value: &str) -> BTreeMap<String, String> {
    let record = BTreeMap::from([(key.to_owned(), value.to_owned())]);
    let read = Options::resolve(card(benchmark), &Given::default(), &record);
    read.expect("an old record").record(card(benchmark))
}

#[test]
fn old_names_and_values_are_read() {
    let read = |benchmark: &str, key: &str, value: &str| {
        assert!(is_recorded_by(card(benchmark), key));
        read_any(benchmark, key, value)
    };
    assert_eq!(read("eurogest", "nouns", "true")["noun_frames"], "true");
    assert_eq!(read("gate", "as_published", "true")["csv_quoting"], "true");
    assert_eq!(read("winomt", "interval", "limit")["interval"], "published");
    assert_eq!(read("gest", "interval", "limit")["interval"], "limit");
    assert_eq!(read("gest", "mode", "published")["detector"], "published");
    assert_eq!(read("gest", "mode", "strict")["detector"], "epicene");
    for benchmark in ["winomt", "wibemt", "unambiguous"] {
        let recorded = read(benchmark, "judge", "default");
        assert_eq!(recorded["detector"], "epicene", "{benchmark}");
        // 0.1.0 recorded GEST's detector for everybody.
        let recorded = read_any(benchmark, "mode", "published");
        assert_eq!(recorded["detector"], "epicene", "{benchmark}");
    }
}

#[test]
fn every_option_after_the_asking_is_signed() {
    for benchmark in epicene_bench::ALL {
        for spec in benchmark.card().specs() {
            let effect = spec.stage.effect();
            let signed = effect.is_none_or(|effect| !effect.signed_as.is_empty());
            assert!(signed, "no field of a signature names --{}", spec.name);
        }
    }
}

#[test]
fn what_the_signature_does_not_name_was_not_heeded() {
    let card = epicene_bench::find("unambiguous")
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
    assert_eq!(of("detector", "published", judged), None);
    let given = "unambiguous|judge:given-tags|interval:x";
    assert_eq!(of("detector", "published", given), Some("detector"));
    let both = "unambiguous|judge:given-tags+occupation-published";
    assert_eq!(of("detector", "published", both), None);
}

/// The report leads from a row to its items by these.
#[test]
fn scopes_are_of_metrics_that_there_are() {
    for card in epicene_bench::cards() {
        for (metric, _) in card.scopes {
            assert!(card.metric(metric).is_some(), "{} {metric}", card.name);
        }
    }
}
