//! The figures of the papers at their true size: every text on the page, none on another, and every colour explained.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::Row;

use super::font;
use super::scene::{Anchor, Ink, Scene, Shape};
use super::{Figure, figures};
use crate::chart_data::{Data, Entry};

/// Left, top, right, bottom of a text.
fn area(shape: &Shape) -> Option<(&str, [f64; 4])> {
    let Shape::Text {
        at: (x, y),
        anchor,
        size,
        text,
        upright,
    } = shape
    else {
        return None;
    };
    let width = font::width(text, *size);
    let (above, below) = (0.75 * size, 0.2 * size);
    if *upright {
        return Some((text, [x - above, y - width, x + below, *y]));
    }
    let left = match anchor {
        Anchor::Start => *x,
        Anchor::Middle => x - width / 2.0,
        Anchor::End => x - width,
    };
    Some((text, [left, y - above, left + width, y + below]))
}

/// What is wrong with a picture.
fn faults(scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    let texts: Vec<(&str, [f64; 4])> = scene.marks.iter().filter_map(|m| area(&m.shape)).collect();
    for (place, (text, [left, top, right, bottom])) in texts.iter().enumerate() {
        let page = (scene.width + 0.5, scene.height + 0.5);
        if *left < -0.5 || *top < -0.5 || *right > page.0 || *bottom > page.1 {
            faults.push(format!("`{text}` is cut off at {left:.0},{top:.0}"));
        }
        for (other, area) in &texts[..place] {
            let apart = *left >= area[2] - 1.0
                || *right <= area[0] + 1.0
                || *top >= area[3] - 1.0
                || *bottom <= area[1] + 1.0;
            if !apart {
                faults.push(format!("`{text}` lies on `{other}` at {left:.0},{top:.0}"));
            }
        }
    }
    for mark in scene.marks.iter().filter(|mark| mark.ink == Ink::Ideal) {
        let Shape::Line { from, to, .. } = &mark.shape else {
            continue;
        };
        for (text, [left, top, right, bottom]) in &texts {
            let apart = *left >= from.0.max(to.0)
                || *right <= from.0.min(to.0)
                || *top >= from.1.max(to.1)
                || *bottom <= from.1.min(to.1);
            if !apart {
                faults.push(format!("`{text}` lies on the line of the ideal value"));
            }
        }
    }
    let is_code = |ink: &Ink| {
        matches!(
            ink,
            Ink::Series(_) | Ink::Women | Ink::Men | Ink::Correct | Ink::Wrong | Ink::Inconclusive
        )
    };
    let told = scene.marks.iter().filter(|mark| mark.note.is_some());
    let used: BTreeSet<Ink> = told.map(|mark| mark.ink).filter(is_code).collect();
    if used.len() > 1 {
        let explained = |ink: &Ink| scene.explained.iter().any(|(known, _)| known == ink);
        let unknown = used.into_iter().filter(|ink| !explained(ink));
        faults.extend(unknown.map(|ink| format!("{ink:?} is not explained")));
    }
    faults
}

fn draw(benchmark: &str, rows: &[Row], published: &[Row]) -> Vec<Figure> {
    let names = [
        "Emotional",
        "Gentle",
        "Empathetic",
        "Neat",
        "Social",
        "Weak",
        "Beautiful",
        "Tough",
        "Self-confident",
        "Professional",
        "Rational",
        "Providers",
        "Leaders",
        "Childish",
        "Sexual",
        "Strong",
    ];
    let labels: BTreeMap<String, String> = names
        .iter()
        .enumerate()
        .map(|(n, name)| (format!("stereotype:{}", n + 1), format!("{} {name}", n + 1)))
        .collect();
    let entries = rows.iter().enumerate().map(|(index, row)| Entry {
        row,
        index: Some(index),
        system: &row.system,
    });
    figures(&Data {
        benchmark,
        entries: entries.collect(),
        published,
        same_items: true,
        labels: &labels,
        metrics: &[],
        compared: &[],
        views: Vec::new(),
    })
}

/// Every figure that is wanted is there, and without fault.
fn check(drawn: &[Figure], wanted: &[&str]) {
    for name in wanted {
        assert!(drawn.iter().any(|figure| figure.name == *name), "no {name}");
    }
    for figure in drawn {
        let found = faults(&figure.scene);
        assert!(found.is_empty(), "{}: {found:#?}", figure.name);
    }
}

fn row(place: [&str; 3], metric: &str, value: f64, half: f64) -> Row {
    Row {
        low: Some(value - half),
        high: Some(value + half),
        n: Some(100),
        ..Row::new("gest", place, metric, value)
    }
}

const MASKED: [&str; 11] = [
    "bert-base-uncased",
    "roberta-base",
    "albert-base-v2",
    "bert-base-multilingual-cased",
    "xlm-roberta-base",
    "xlm-roberta-large",
    "xlm-v-base",
    "xlm-roberta-xl",
    "distilbert-base-uncased",
    "electra-large-generator",
    "electra-base-generator",
];
const CAUSAL: [&str; 22] = [
    "pythia-70m",
    "pythia-160m",
    "pythia-410m",
    "pythia-1b",
    "pythia-1.4b",
    "pythia-2.8b",
    "pythia-6.9b",
    "pythia-12b",
    "Mistral-7B-v0.1",
    "Mistral-7B-Instruct-v0.2",
    "openchat-3.5-0106",
    "gpt2",
    "gpt2-medium",
    "gpt2-large",
    "gpt2-xl",
    "phi-1",
    "phi-1_5",
    "phi-2",
    "Llama-2-7b-hf",
    "Llama-2-7b-chat-hf",
    "Llama-2-13b-hf",
    "Llama-2-13b-chat-hf",
];
const LANGUAGES: [&str; 9] = ["be", "ru", "uk", "hr", "sl", "sr", "cs", "pl", "sk"];

/// A number that depends on the two and on nothing else.
fn spread(one: usize, other: usize) -> f64 {
    ((one * 37 + other * 101 + one * other * 13) % 97) as f64 / 97.0
}

/// Ranks of all units, and their summary.
fn ranks(rows: &mut Vec<Row>, units: &[(String, String)], system: &str) {
    for id in 1..=16 {
        let group = format!("stereotype:{id}");
        for (number, (name, unit)) in units.iter().enumerate() {
            let rank = 1.0 + (16.0 * spread(number, id)).floor();
            rows.push(Row::new("gest", [name, unit, &group], "rank", rank));
        }
        for (metric, rank) in [
            ("rank_low", 3.0),
            ("rank_q1", 5.0),
            ("rank_median", 7.0),
            ("rank_q3", 9.5),
            ("rank_high", 13.0),
            ("rank_mean", 7.25),
        ] {
            let mut row = Row::new("gest", [system, "all", &group], metric, rank);
            row.n = Some(units.len() as u64);
            rows.push(row);
        }
    }
}

#[test]
fn english_figures_of_gest() {
    let (mut rows, mut published, mut units) = (Vec::new(), Vec::new(), Vec::new());
    for (number, model) in MASKED.iter().chain(&CAUSAL).enumerate() {
        let masked = number < MASKED.len();
        let g_s = 1.0 + 0.6 * spread(number, 3);
        rows.push(row([model, "all", "all"], "g_s", g_s, 0.03));
        let name = format!("published:{model}");
        published.push(Row::new("gest", [&name, "all", "all"], "g_s", g_s));
        let size = 3e7 * 1.3f64.powi(number as i32);
        published.push(Row::new("gest", [&name, "all", "all"], "parameters", size));
        for template in if masked { 1..=4 } else { 3..=4 } {
            let unit = format!("template:{template}");
            rows.push(row(
                [model, &unit, "all"],
                "g_s",
                g_s + 0.02 * f64::from(template),
                0.03,
            ));
            for id in 1..=16 {
                let group = format!("stereotype:{id}");
                let q = 0.7 + 0.8 * spread(number, id);
                rows.push(row([model, &unit, &group], "q", q, 0.05));
            }
            units.push(((*model).to_owned(), unit));
        }
        for id in 1..=16 {
            let q = 0.7 + 0.8 * spread(number, id);
            rows.push(row(
                [model, "all", &format!("stereotype:{id}")],
                "q",
                q,
                0.05,
            ));
        }
        if masked {
            let place = [*model, "split:type1-test", "all"];
            // Close together: names have to make room for each other.
            rows.push(row(place, "ghat_s", 1.0 + 0.1 * spread(number, 5), 0.02));
        }
    }
    rows.push(row(
        ["all", "split:type1-test", "all"],
        "r_winobias",
        0.95,
        0.02,
    ));
    ranks(&mut rows, &units, "all");
    let drawn = draw("gest", &rows, &published);
    check(
        &drawn,
        &[
            "gest-size",
            "gest-ranks",
            "gest-winobias",
            "gest-templates",
            "gest-stereotypes-masked",
            "gest-stereotypes-causal",
        ],
    );
    // All eleven names are on the plane, all families in the legend, outliers in the boxes.
    let of = |name: &str| {
        &drawn
            .iter()
            .find(|figure| figure.name == name)
            .unwrap()
            .scene
    };
    let texts: Vec<&str> = of("gest-winobias")
        .marks
        .iter()
        .filter_map(|m| Some(area(&m.shape)?.0))
        .collect();
    for model in MASKED {
        assert!(texts.contains(&model), "{model}");
    }
    let families: Vec<&str> = of("gest-size")
        .explained
        .iter()
        .map(|(_, name)| name.as_str())
        .collect();
    for family in [
        "pythia", "gpt", "Llama", "phi", "xlm", "Mistral", "bert", "electra", "others",
    ] {
        assert!(families.contains(&family), "{family} of {families:?}");
    }
    let outlier = |mark: &super::scene::Mark| {
        mark.note
            .as_ref()
            .is_some_and(|n| n.text.contains(": rank "))
    };
    assert!(of("gest-ranks").marks.iter().any(outlier));
}

#[test]
fn translation_figures_of_gest() {
    let (mut rows, mut units) = (Vec::new(), Vec::new());
    for (number, system) in ["amazon_translate", "deepl", "google_translate", "nllb_3b"]
        .iter()
        .enumerate()
    {
        for (place, language) in LANGUAGES.iter().enumerate().skip(number % 2) {
            let unit = format!("lang:{language}");
            let f_s = 0.05 + 0.3 * spread(number, place);
            rows.push(row([system, &unit, "all"], "f_s", f_s, 0.03));
            rows.push(row(
                [system, &unit, "all"],
                "f_m",
                0.6 + 0.3 * spread(place, number),
                0.02,
            ));
            for id in 1..=16 {
                let p = 0.3 + 0.65 * spread(number * 9 + place, id);
                rows.push(row(
                    [system, &unit, &format!("stereotype:{id}")],
                    "p",
                    p,
                    0.04,
                ));
            }
            units.push(((*system).to_owned(), unit));
        }
    }
    ranks(&mut rows, &units, "all:translator");
    let drawn = draw("gest", &rows, &[]);
    check(
        &drawn,
        &["gest-plane", "gest-ranks", "gest-stereotypes-translation"],
    );
}

#[test]
fn slavic_figures_of_gest() {
    let mut rows = Vec::new();
    for (number, model) in MASKED[3..8].iter().enumerate() {
        for (place, language) in LANGUAGES.iter().enumerate() {
            let unit = format!("lang:{language}");
            rows.push(row(
                [model, &unit, "all"],
                "g_s",
                1.0 + 0.4 * spread(number, place),
                0.04,
            ));
            for id in 1..=16 {
                let q = 0.8 + 2.0 * spread(number * 9 + place, id);
                rows.push(row(
                    [model, &unit, &format!("stereotype:{id}")],
                    "q",
                    q,
                    0.1,
                ));
            }
        }
    }
    let drawn = draw("gest", &rows, &[]);
    // Nine languages, nine colours, a legend of nine.
    check(
        &drawn,
        &["gest-templates", "gest-stereotypes", "gest-stereotypes-sk"],
    );
    // Every panel has a title of its own, however long the name of its model is.
    let panels = drawn
        .iter()
        .find(|figure| figure.name == "gest-stereotypes");
    let marks = panels.unwrap().scene.marks.iter();
    let titles: Vec<&str> = marks
        .filter_map(|mark| Some(area(&mark.shape)?.0))
        .filter(|text| {
            LANGUAGES
                .iter()
                .any(|code| text.ends_with(&format!(" {code}")))
        })
        .collect();
    let distinct: BTreeSet<&str> = titles.iter().copied().collect();
    assert_eq!((titles.len(), distinct.len()), (45, 45), "{titles:?}");
}

#[test]
fn figures_of_unambiguous_gender() {
    let mut rows = Vec::new();
    let mut push = |place: [&str; 3], end: &str, seed: usize| {
        let correct = 0.2 + 0.6 * spread(seed, 1);
        let wrong = (1.0 - correct) * 0.8;
        for (metric, value) in [
            ("correct", correct),
            ("wrong", wrong),
            ("na", 1.0 - correct - wrong),
        ] {
            let metric = format!("{metric}{end}");
            rows.push(Row::new("unambiguous", place, &metric, value));
        }
    };
    for (number, language) in ["ru", "de", "be", "cs"].iter().enumerate() {
        for (place, code) in ["MM", "MF", "FF", "FM"].iter().enumerate() {
            let (unit, group) = (format!("lang:{language}"), format!("config:{code}"));
            push(["m2m_100_1.2B", &unit, &group], "", number * 4 + place);
        }
    }
    let names = [
        "avg",
        "editor",
        "accountant",
        "receptionist",
        "salesperson",
        "hairdresser",
        "soft-hearted",
    ];
    for (number, name) in names.iter().enumerate() {
        for (place, end) in ["_mm", "_mf", "_ff", "_fm"].iter().enumerate() {
            for (group, unit) in [
                ("occupation", "languages:mean"),
                ("figure3", "languages:sum"),
                ("position", "languages:sum"),
                ("figure6", "languages:sum"),
                ("figure7", "languages:sum"),
            ] {
                let group = format!("{group}:{name}");
                push(["m2m_100_1.2B", unit, &group], end, number * 4 + place);
            }
        }
    }
    for group in [
        "occupation:cook",
        "occupation:cook/MM",
        "occupation:cook/FM",
    ] {
        push(["m2m_100_1.2B", "lang:ru", group], "", 3);
    }
    let drawn = draw("unambiguous", &rows, &[]);
    // The paper leaves the cook out.
    let texts = drawn.iter().flat_map(|figure| &figure.scene.marks);
    assert!(
        texts
            .filter_map(|mark| area(&mark.shape))
            .all(|(text, _)| text != "cook")
    );
    let wanted = [
        "unambiguous-configurations",
        "unambiguous-occupations",
        "unambiguous-adjectives",
        "unambiguous-positions",
        "unambiguous-adjectives-on-occupation",
        "unambiguous-adjectives-elsewhere",
    ];
    check(&drawn, &wanted);
    // Three shares wherever the paper has three.
    for figure in drawn
        .iter()
        .filter(|figure| wanted.contains(&figure.name.as_str()))
    {
        let inks: BTreeSet<Ink> = figure.scene.explained.iter().map(|(ink, _)| *ink).collect();
        assert_eq!(
            inks,
            BTreeSet::from([Ink::Correct, Ink::Wrong, Ink::Inconclusive]),
            "{}",
            figure.name
        );
    }
}

#[test]
fn figures_of_wibemt() {
    let mut rows = Vec::new();
    for (number, system) in ["DeepL", "Microsoft", "Google"].iter().enumerate() {
        for (place, group) in ["adjective:F", "adjective:none", "adjective:M"]
            .iter()
            .enumerate()
        {
            for (metric, base) in [
                ("tfg", 35.0),
                ("tcg", 70.0),
                ("tcg_female", 60.0),
                ("tcg_male", 85.0),
            ] {
                let value = base + 10.0 * spread(number, place);
                rows.push(row([system, "lang:de", group], metric, value, 1.0));
            }
        }
    }
    check(
        &draw("wibemt", &rows, &[]),
        &["wibemt-feminine", "wibemt-correct"],
    );
}

#[test]
fn faults_are_found() {
    let mut scene = Scene::new(100.0, 40.0);
    scene.text(Ink::Text, Anchor::Start, (10.0, 20.0), "one");
    scene.text(Ink::Text, Anchor::Start, (14.0, 22.0), "two");
    scene.text(Ink::Text, Anchor::Start, (90.0, 20.0), "too long");
    for series in [0, 1] {
        let mark = scene.line(Ink::Series(series), (0.0, 0.0), (1.0, 1.0), 1.0);
        mark.says("a number".to_owned(), None);
    }
    scene.explain(Ink::Series(0), "first");
    let found = faults(&scene).join("\n");
    for fault in [
        "`two` lies on `one`",
        "`too long` is cut off",
        "Series(1) is not explained",
    ] {
        assert!(found.contains(fault), "{found}");
    }
    assert!(!found.contains("Series(0)"));
}
