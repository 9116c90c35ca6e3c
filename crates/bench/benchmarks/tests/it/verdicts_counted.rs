//! Numbers are counts of the verdicts that are shown, and what was not done is not signed.

use crate::table_support::{Answered, card};
use epicene_bench::gate::TASK;
use epicene_bench::{Benchmark, Given, Measured, Options, find};
use epicene_core::{
    Answer, Finding, Item, Language, LikelihoodMethod, ModelKind, Scorer, TextFile, TextPairScore,
    TextRelation, TextScore, Unit,
};

fn benchmark(name: &str) -> &'static dyn Benchmark {
    find(name).unwrap()
}

fn given(benchmark: &dyn Benchmark, values: &[(&str, &str)]) -> Options {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let given = Given {
        values: values.iter().map(own).collect(),
        ..Given::default()
    };
    Options::resolve(benchmark.card(), &given, &Default::default()).unwrap()
}

fn file(name: &str, text: &str) -> TextFile {
    TextFile {
        path: name.to_owned(),
        name: name.to_owned(),
        sha256: String::new(),
        text: text.to_owned(),
    }
}

fn asked(
    benchmark: &'static dyn Benchmark,
    items: &[Item],
    column: (Unit, Scorer),
    answers: Vec<Answer>,
) -> Answered {
    let systems = vec![card("s", ModelKind::Masked)];
    let column = ((0, column.0, column.1), answers);
    Answered::new(benchmark, items, systems, vec![column])
}

fn value(measured: &Measured, group: &str, metric: &str) -> f64 {
    let mut rows = measured.rows.iter();
    let row = rows.find(|row| row.group == group && row.metric == metric);
    row.unwrap_or_else(|| panic!("no row {group} {metric}"))
        .value
}

fn findings(answered: &Answered, options: &Options) -> Vec<Finding> {
    let verdicts = answered.verdicts(options);
    let cells = verdicts[0].cells.iter();
    cells.map(|cell| cell.as_ref().unwrap().finding).collect()
}

/// Likelihoods of two pairs: equal to three decimals, and not.
fn pairs(method: LikelihoodMethod) -> Answered {
    let items: Vec<Item> = (0..2)
        .map(|pair| {
            Item::new(format!("crows-pairs:{pair}"), "a").with_label("anti-stereotype", "b")
        })
        .collect();
    let answers = [(-1.00012, -1.00049), (-2.0, -3.0)]
        .map(|(first, second)| Answer::Likelihoods(vec![Some(first), Some(second)]));
    let scorer = Scorer::Likelihood(method);
    let column = (Unit::of("method", scorer), scorer);
    asked(benchmark("crows-pairs"), &items, column, answers.to_vec())
}

#[test]
fn ties_of_rounded_likelihoods_are_shown_as_ties() {
    let crows = benchmark("crows-pairs");
    for interval in ["clustered", "published"] {
        for (method, round, ties, signed) in [
            (LikelihoodMethod::Cps, None, 1.0, Some("cps-3")),
            (LikelihoodMethod::Aul, None, 0.0, None),
            (LikelihoodMethod::Aul, Some("3"), 1.0, Some("3")),
            (LikelihoodMethod::Cps, Some("5"), 0.0, Some("5")),
        ] {
            let mut values = vec![("interval", interval)];
            values.extend(round.map(|round| ("round", round)));
            let options = given(crows, &values);
            let answered = pairs(method);
            let shown = findings(&answered, &options);
            let tied = shown.iter().filter(|found| **found == Finding::Tie).count();
            let measured = answered.measure(&options).unwrap();
            assert_eq!(
                value(&measured, "all", "ties"),
                ties,
                "{method:?} {round:?}"
            );
            assert_eq!(tied as f64, ties, "{method:?} {round:?}");
            let how = &answered.verdicts(&options)[0].how;
            let how = how.iter().chain(&measured.how);
            let how: Vec<&str> = how
                .filter(|(name, _)| *name == "round")
                .map(|(_, value)| value.as_str())
                .collect();
            assert_eq!(how, Vec::from_iter(signed), "{method:?} {round:?}");
        }
    }
}

const TUPLES: &str = "labels\tsource\tf\tm\tkw_s\nPROF\tThe boss left.\tLa jefa salió.\tEl jefe salió.\tboss\n\
    PROF\tThe nurse sang.\tLa enfermera cantó.\tEl enfermero cantó.\tnurse\n";

fn gate(task: &str, texts: [&str; 2]) -> (Answered, Options) {
    let gate = benchmark("gate");
    let mut options = Options::default().with(&TASK, task);
    options.languages = vec![Language::find("es").unwrap()];
    let items = gate.items(&[file("es.tsv", TUPLES)], &options).unwrap();
    let answers = texts.map(|text| Answer::Translation(text.to_owned()));
    let answered = Answered::translations(gate, &items, ("s", "lang:es"), answers.to_vec());
    (answered, options)
}

fn judge(answered: &Answered, options: &Options) -> String {
    let how = &answered.verdicts(options)[0].how;
    how.iter()
        .find(|(name, _)| *name == "judge")
        .unwrap()
        .1
        .clone()
}

#[test]
fn a_rewriter_is_shown_as_it_is_counted() {
    let nearly = ["La jefa salió. Bueno.", "La enfermera cantó."];
    let (answered, options) = gate("rewrite", nearly);
    let measured = answered.measure(&options).unwrap();
    assert_eq!(value(&measured, "all", "precision"), 0.5);
    assert_eq!(
        findings(&answered, &options),
        [Finding::NotFound, Finding::Feminine]
    );
    assert_eq!(judge(&answered, &options), "wanted-variant-exact");
    let (answered, options) = gate("rewrite", ["El jefe salió.", ""]);
    let measured = answered.measure(&options).unwrap();
    assert_eq!(value(&measured, "all", "mismatches"), 1.0);
    assert_eq!(value(&measured, "all", "recall"), 0.0);
    assert_eq!(
        findings(&answered, &options),
        [Finding::Masculine, Finding::NoAnswer]
    );
}

#[test]
fn alternatives_are_shown_as_they_are_counted() {
    let given = [
        "El jefe salió.\tLa jefa salió.",
        "La enfermera cantó. Bueno.\tEl enfermero cantó.",
    ];
    let (answered, options) = gate("alternatives", given);
    let measured = answered.measure(&options).unwrap();
    assert_eq!(value(&measured, "variants", "precision"), 0.75);
    assert_eq!(
        findings(&answered, &options),
        [Finding::Both, Finding::Masculine]
    );
    let verdicts = answered.verdicts(&options);
    let evidence = &verdicts[0].cells[1].as_ref().unwrap().evidence;
    assert_eq!(evidence[0].of(given[1]), "El enfermero cantó.");
    assert_eq!(judge(&answered, &options), "variants-exact");
}

/// A model that was not asked for the beginnings of the texts has no preference by them, and no tie either.
#[test]
fn what_cannot_be_scored_is_not_judged() {
    let eurogest = benchmark("eurogest");
    let items = [Item::new("eurogest:sk:1", "a").with_label("feminine", "b")];
    let text = TextScore {
        tokens: 3,
        region: -1.0,
        scored: 1,
        last: -1.0,
        whole: None,
    };
    let pair = TextPairScore {
        relation: TextRelation::Apart,
        masculine: text,
        feminine: text,
    };
    let answers = vec![Answer::TextPair(Box::new(pair))];
    let column = (Unit::named("pairs"), Scorer::TextPair);
    let answered = asked(eurogest, &items, column, answers);
    let options = given(eurogest, &[("score", "whole-mean")]);
    let error = epicene_bench::judge(eurogest, &answered.table, &options).unwrap_err();
    assert!(error.to_string().contains("--score whole-mean"), "{error}");
    assert!(epicene_bench::judge(eurogest, &answered.table, &given(eurogest, &[])).is_ok());
}

/// German translations of one sentence, each of which speaks of the teacher in another way.
const WAYS: [&str; 8] = [
    "Der Lehrer half dem Kind.",
    "Die Lehrerin half dem Kind.",
    "Die Lehrkraft half dem Kind.",
    "Die Lehrperson half dem Kind.",
    "Der*die Lehrer*in half dem Kind.",
    "Der Lehrer oder die Lehrerin half dem Kind.",
    "Die Lehrerin oder der Lehrer half dem Kind.",
    "Es half dem Kind.",
];

fn ways(name: &str, label: impl Fn(Item, bool) -> Item) -> Answered {
    let items: Vec<Item> = (0..WAYS.len())
        .map(|at| {
            let item = Item::new(format!("t:{at}"), "The teacher helped the child.");
            label(item.with_label("occupation", "teacher"), at % 2 == 0)
        })
        .collect();
    let answers = WAYS.map(|text| Answer::Translation(text.to_owned()));
    Answered::translations(benchmark(name), &items, ("s", "lang:de"), answers.to_vec())
}

#[test]
fn neutral_inclusive_and_double_naming_are_shares_of_their_own() {
    let winomt = |neutral: bool| {
        ways("winomt", move |item, man| {
            let gender = match (neutral, man) {
                (true, _) => "neutral",
                (false, true) => "male",
                (false, false) => "female",
            };
            item.with_label("gender", gender).with_label("index", "1")
        })
    };
    let unambiguous = ways("unambiguous", |item, man| {
        let letter = if man { "M" } else { "F" };
        item.with_label("answer", format!("_EXP_{letter}_"))
            .with_label("features", "_OCC_NO_M_")
    });
    for answered in [winomt(false), unambiguous] {
        let measured = answered.measure(&Options::default()).unwrap();
        for (metric, wanted) in [
            ("neutral_share", 0.25),
            ("inclusive_share", 0.125),
            ("both_share", 0.25),
            ("unknown_share", 0.125),
            ("over_neutral", 0.625),
        ] {
            assert_eq!(value(&measured, "all", metric), wanted, "{metric}");
        }
    }
    // Where the source leaves the gender open, neutral words take nothing back.
    let measured = winomt(true).measure(&Options::default()).unwrap();
    assert_eq!(value(&measured, "all", "neutral_share"), 0.25);
    assert!(measured.rows.iter().all(|row| row.metric != "over_neutral"));
    let published = given(benchmark("winomt"), &[("interval", "published")]);
    let measured = winomt(false).measure(&published).unwrap();
    assert!(
        measured
            .rows
            .iter()
            .all(|row| !row.metric.ends_with("_share"))
    );
}
