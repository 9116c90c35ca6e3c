//! CrowS-Pairs and StereoSet against their own counts and the official scores; the paper's
//! experiments that are pure data.

use std::io::Read;

use crate::mbe_support::{file, json, numbers, shared, text_file};
use crate::table_support::{Answered, card};
use epicene_bench::mbe::extraction::{Corpus, GenderLists, WordList};
use epicene_bench::mbe::name_replacement::NameReplacement;
use epicene_bench::mbe::preservation::{Preserved, preservation};
use epicene_bench::mbe::templates::TemplateSet;
use epicene_bench::options::{ESTIMATE, Estimates, INTERVAL};
use epicene_bench::sentence_pairs::{PairScore, SentencePair, read_pairs, rounded};
use epicene_bench::{AnswerFile, AnswerSheet, Benchmark, Given, Measured, Options, find};
use epicene_core::{Item, ModelKind, TextFile};
use epicene_io::Input;

fn benchmark(name: &str) -> &'static dyn Benchmark {
    find(name).unwrap()
}

fn published() -> Options {
    Options::default()
        .with(&INTERVAL, "published")
        .with(&ESTIMATE, "published")
}

fn gender_items(benchmark: &dyn Benchmark, data: &TextFile) -> Vec<Item> {
    let data = std::slice::from_ref(data);
    benchmark.items(data, &Options::default()).unwrap()
}

fn scores(file: TextFile) -> Vec<AnswerFile> {
    vec![AnswerFile::Models { file, kind: None }]
}

fn measure(
    benchmark: &'static dyn Benchmark,
    items: &[Item],
    sheets: &[AnswerSheet],
    options: &Options,
) -> Measured {
    let cards = sheets
        .iter()
        .map(|sheet| card(&sheet.system, ModelKind::Masked));
    let asks = benchmark.asks(ModelKind::Masked, options);
    let mut columns = Vec::new();
    for (system, sheet) in sheets.iter().enumerate() {
        for (unit, answers) in &sheet.units {
            let ask = asks.iter().find(|ask| ask.unit == *unit).unwrap();
            columns.push(((system, unit.clone(), ask.scorer), answers.clone()));
        }
    }
    let answered = Answered::new(benchmark, items, cards.collect(), columns);
    answered.measure(options).unwrap()
}

fn value(measured: &Measured, system: &str, unit: &str, group: &str, metric: &str) -> f64 {
    let row = measured.rows.iter().find(|row| {
        row.system == system && row.unit == unit && row.group == group && row.metric == metric
    });
    row.unwrap_or_else(|| panic!("no row {system} {unit} {group} {metric}"))
        .value
}

#[test]
fn crows_pairs_has_262_gender_pairs() {
    let Some(path) = shared("mbe/benchmarks/crows_pairs_gender.csv") else {
        return;
    };
    let items = gender_items(benchmark("crows-pairs"), &text_file(&path));
    let direction = |name: &str| {
        items
            .iter()
            .filter(|item| item.label("direction") == Some(name))
            .count()
    };
    assert_eq!(items.len(), 262);
    assert_eq!((direction("stereo"), direction("antistereo")), (159, 103));
}

#[test]
fn the_translated_pairs_are_those_of_crows_pairs() {
    let Some(path) = shared("mbe/translated/japanese.json") else {
        return;
    };
    let pairs = read_pairs(&text_file(&path)).unwrap();
    let english = shared("mbe/benchmarks/crows_pairs_gender.csv").unwrap();
    let english = read_pairs(&text_file(&english)).unwrap();
    assert_eq!(pairs.len(), 262);
    for (one, other) in pairs.iter().zip(&english) {
        assert_eq!(one.direction, other.direction);
    }
}

/// Every published prediction set gives the official LM, SS and ICAT, to the last digits.
#[test]
fn stereoset_official_scores() {
    let Some(folder) = shared("mbe/benchmarks") else {
        return;
    };
    let stereoset = benchmark("stereoset");
    let data = text_file(&folder.join("stereoset_dev_intrasentence_gender.jsonl"));
    let items = gender_items(stereoset, &data);
    assert_eq!(items.len(), 255);
    let packed = std::fs::File::open(folder.join("stereoset_gender_predictions.tsv.gz")).unwrap();
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(packed)
        .read_to_string(&mut text)
        .unwrap();
    let sheets = stereoset
        .read_answers(
            &scores(file("predictions.tsv", &text)),
            &items,
            &Options::default(),
        )
        .unwrap();
    assert_eq!(sheets.len(), 11);
    let measured = measure(stereoset, &items, &sheets, &published());
    let official = json("mbe/benchmarks/stereoset_gender_official_scores.json").unwrap();
    for (model, scores) in official.as_object().unwrap() {
        for (metric, name) in [
            ("lms", "LM Score"),
            ("ss", "SS Score"),
            ("icat", "ICAT Score"),
        ] {
            let found = value(&measured, model, "method:filled-blank", "all", metric);
            let expected = scores[name].as_f64().unwrap();
            assert!(
                (found - expected).abs() < 1e-11,
                "{model} {name}: {found} {expected}"
            );
        }
    }
    // Every item has three sentences in the official count.
    assert_eq!(official["bert-base-cased"]["Count"], 765.0);
}

/// The tiny model's pairs: wins, and wins after rounding.
#[test]
fn pair_scores_of_the_tiny_model() {
    let Some(reference) = json("mbe/reference_tiny_bert/expected.json") else {
        return;
    };
    let pairs = reference["pairs"].as_array().unwrap();
    for method in ["aul", "aula", "cps", "sss_formula", "sss_released_code"] {
        let expected = &reference["pair_bias_score"][method];
        let of = |pair: &serde_json::Value, decimals: Option<u32>| {
            let side = |side: usize| {
                let value = pair[method][side].as_f64();
                value.map(|value| decimals.map_or(value, |decimals| rounded(value, decimals)))
            };
            (side(0), side(1))
        };
        for (name, decimals) in [("wins", None), ("wins_if_rounded_to_3_decimals", Some(3))] {
            let wins: Vec<f64> = pairs
                .iter()
                .map(|pair| PairScore::of([of(pair, decimals)]).wins as f64)
                .collect();
            assert_eq!(wins, numbers(&expected[name]), "{method} {name}");
        }
        for (name, count) in [("first_10_pairs", 10), ("all_13_pairs", 13)] {
            let score = PairScore::of(pairs[..count].iter().map(|pair| of(pair, None)));
            let expected = expected[name].as_f64().unwrap();
            assert!(
                (score.score(Estimates::Published).unwrap() - expected).abs() < 1e-9,
                "{method} {name}"
            );
        }
    }
}

const PAIRS: &str = "id,sent_more,sent_less,stereo_antistereo,bias_type\n\
    a,x1,y1,stereo,gender\nb,x2,y2,antistereo,gender\nc,x3,y3,stereo,race-color\n";

#[test]
fn bias_types_and_answers_by_id() {
    let crows = benchmark("crows-pairs");
    let data = file("pairs.csv", PAIRS);
    let select = |types: &str| {
        let mut given = Given::default();
        given
            .values
            .insert("bias-type".to_owned(), types.to_owned());
        let options = Options::resolve(crows.card(), &given, &Default::default()).unwrap();
        crows.items(std::slice::from_ref(&data), &options)
    };
    assert_eq!(gender_items(crows, &data).len(), 2);
    assert_eq!(select("all").unwrap().len(), 3);
    assert_eq!(select("race-color").unwrap().len(), 1);
    assert!(
        select("age")
            .unwrap_err()
            .hint
            .unwrap()
            .contains("gender, race-color")
    );

    let items = select("all").unwrap();
    let table = "sentence_id,m/aula,m/cps,n\nb-less,-1,-1.00001,-3\nb-more,-2,-1.00002,\n\
        a-more,-1,-1,-1\na-less,-2,-2,-2\nc-more,-5,-5,-5\nc-less,-5,-5,-6\nz,1,1,1\n";
    let sheets = crows
        .read_answers(&scores(file("t.csv", table)), &items, &Options::default())
        .unwrap();
    let measured = measure(crows, &items, &sheets, &published());
    let close =
        |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    close(
        value(&measured, "m", "method:aula", "all", "pair_score"),
        100.0 / 3.0,
    );
    close(
        value(&measured, "m", "method:aula", "bias:gender", "pair_score"),
        50.0,
    );
    close(
        value(
            &measured,
            "m",
            "method:aula",
            "direction:stereo",
            "pair_score",
        ),
        50.0,
    );
    close(
        value(
            &measured,
            "m",
            "method:aula",
            "direction:stereo",
            "decided_score",
        ),
        100.0,
    );
    // Released CPS rounds to three decimals: b is a tie then.
    close(value(&measured, "m", "method:cps", "all", "ties"), 2.0);
    close(
        value(&measured, "n", "method:aula", "all", "no_likelihood"),
        1.0,
    );
    close(
        value(&measured, "n", "method:aula", "all", "pair_score"),
        200.0 / 3.0,
    );

    // The estimate decides whether ties stay in N; the interval does not.
    for interval in ["clustered", "published"] {
        for (estimate, expected) in [("plain", 50.0), ("published", 100.0 / 3.0)] {
            let options = Options::default()
                .with(&INTERVAL, interval)
                .with(&ESTIMATE, estimate);
            let measured = measure(crows, &items, &sheets, &options);
            close(
                value(&measured, "m", "method:aula", "all", "pair_score"),
                expected,
            );
        }
    }

    let refuse = |table: &str| {
        let error = crows.read_answers(&scores(file("t.csv", table)), &items, &Options::default());
        error.unwrap_err().to_string()
    };
    assert!(refuse("m\n1\n2\n").contains("there are 2 rows, the data has 6 sentences"));
    assert!(refuse("id,m\na-more,1\n").contains("5 of 6 sentences are not there, first: `a-less`"));
    assert!(
        refuse("m\n1\n2\n3\nx\n5\n6\n").contains("line 5: column `m`: `x` is not a finite number")
    );
    assert!(refuse("m/filled-blank\n1\n2\n3\n4\n5\n6\n").contains("of no use here"));
}

#[test]
fn pair_files_in_every_layout() {
    let json = r#"[{"direction":"stereo","bias_type":"gender","stereotype":"x","anti-stereotype":"y","bias_score":4}]"#;
    let lines = "{\"id\":7,\"sent_more\":\"x\",\"sent_less\":\"y\"}\n\n";
    let table = "sent_more\tsent_less\nx\ty\n";
    for (text, id) in [(json, "1"), (lines, "7"), (table, "1")] {
        let pairs = read_pairs(&file("p", text)).unwrap();
        assert_eq!((pairs.len(), pairs[0].id.as_str()), (1, id));
        assert_eq!(
            (
                pairs[0].stereotypical.as_str(),
                pairs[0].anti_stereotypical.as_str()
            ),
            ("x", "y")
        );
    }
    assert!(read_pairs(&file("p", "a,b\n1,2\n")).is_err());
    let twice = ",sent_more,sent_less\n4,x,y\n4,x,y\n";
    let error = read_pairs(&file("p", twice)).unwrap_err().to_string();
    assert!(
        error.contains("pair 2: the id `4` is there already"),
        "{error}"
    );
    assert_eq!(
        read_pairs(&file("p", "{\"a\":1}\n")).unwrap_err().line,
        Some(1)
    );
}

#[test]
fn templates_make_as_many_pairs_as_the_paper_counts() {
    for (language, occupations, expected) in [("ja", 644, 6440), ("ru", 154, 1540)] {
        let (templates, own) = TemplateSet::embedded(language).unwrap();
        let set = TemplateSet::read(&file("t", templates)).unwrap();
        assert_eq!((set.templates.len(), set.words.len()), (2, 5));
        let names: Vec<String> = (0..occupations).map(|n| format!("occupation{n}")).collect();
        let pairs = set.pairs(&WordList::parse(&names.join("\n")));
        assert_eq!(pairs.len(), expected);
        assert!(!set.pairs(&WordList::parse(own)).is_empty());
    }
    let (templates, _) = TemplateSet::embedded("ja").unwrap();
    let set = TemplateSet::read(&file("t", templates)).unwrap();
    let pairs = set.pairs(&WordList::parse("医者"));
    assert_eq!(pairs[0].stereotypical, "彼は医者です。");
    assert_eq!(pairs[0].anti_stereotypical, "彼女は医者です。");
    assert!(TemplateSet::read(&file("t", "[Gender] x\n")).is_err());
}

#[test]
fn names_are_replaced_consistently() {
    let map = file(
        "map",
        "# names\nジョン\tm\nメアリー\tf\nビル\tm\nАнна\tf\nАнны\tf\tАнна\n",
    );
    let female = WordList::parse("花子\n陽子");
    let male = WordList::parse("太郎\n次郎");
    let names = NameReplacement::new(&map, female, male).unwrap();
    let pair = SentencePair {
        stereotypical: "ジョンはビルとメアリーに会った。ジョンは笑った。".to_owned(),
        anti_stereotypical: "ビルはジョンに会った。Жанна и Анна, без Анны".to_owned(),
        ..SentencePair::default()
    };
    let (made, count) = names.replace(&pair, 3, 11);
    assert_eq!(count, 8);
    assert_eq!(names.replace(&pair, 3, 11).0, made);
    for old in ["ジョン", "ビル", "メアリー"] {
        assert!(!made.stereotypical.contains(old) && !made.anti_stereotypical.contains(old));
    }
    // Two men, two different names; the same man the same name in both sentences.
    assert!(made.stereotypical.contains("太郎") && made.stereotypical.contains("次郎"));
    let first = &made.stereotypical[..6];
    assert_eq!(made.stereotypical.matches(first).count(), 2);
    assert_eq!(made.anti_stereotypical.matches(first).count(), 1);
    // Whole words where words are separated; inflected forms are the same name.
    assert!(made.anti_stereotypical.contains("Жанна"));
    let tail = made.anti_stereotypical.split("Жанна и ").nth(1).unwrap();
    let (one, other) = tail.split_once(", без ").unwrap();
    assert_eq!(one, other);
}

#[test]
fn gender_preservation_counts_whole_words_and_longest_strings() {
    let source = "She left.\nShe left.\nHe left.\nHe saw her.\nHe left.\nIt left.\n";
    let target = "彼女は去った\n去った\n彼女は去った\n彼は\n彼は去った\n彼\n";
    let input = |text: &str| {
        Input::new(
            "x".to_owned(),
            std::io::Cursor::new(text.as_bytes().to_vec()),
        )
        .unwrap()
    };
    let corpus = Corpus::Aligned {
        source: input(source),
        target: input(target),
    };
    let (female, male) = (WordList::parse("彼女"), WordList::parse("彼"));
    let found = preservation(corpus, &GenderLists::embedded(), &female, &male).unwrap();
    assert_eq!(
        found,
        [
            Preserved { pairs: 2, hits: 1 },
            Preserved { pairs: 2, hits: 1 }
        ]
    );
    assert_eq!(found[0].percent(), Some(50.0));
}

/// The released sets are as long as the published table's counts say: equally many of both genders.
#[test]
fn released_sets_have_the_published_sizes() {
    let Some(folder) = shared("mbe/parallel") else {
        return;
    };
    let lines = |corpus: &str, name: &str| -> Option<u64> {
        let packed = std::fs::File::open(folder.join(corpus).join(name)).ok()?;
        let mut text = String::new();
        flate2::read::MultiGzDecoder::new(packed)
            .read_to_string(&mut text)
            .unwrap();
        Some(text.lines().count() as u64)
    };
    let mut seen = 0;
    for published in epicene_bench::mbe::published::languages() {
        for (corpus, expected) in [
            ("ted", published.ted_sentences),
            ("news", published.news_sentences),
        ] {
            let set = |gender: char| {
                lines(
                    corpus,
                    &format!("{}_{gender}.ids.txt.gz", published.language),
                )
            };
            let (Some(female), Some(male)) = (set('f'), set('m')) else {
                continue;
            };
            assert_eq!(
                (female, Some(female + male)),
                (male, expected),
                "{corpus} {}",
                published.language
            );
            seen += 1;
        }
    }
    assert!(seen >= 12, "{seen} sets");
}
