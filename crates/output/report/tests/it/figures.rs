//! Every figure is drawn from rows by their names, shows every row it was given once, and says in words what
//! it shows. The drawings are left in the target directory for the eye.

use std::collections::{BTreeMap, BTreeSet};

use epicene_core::{Metric, Row};
use epicene_report::{Data, Entry, Figure, figures};

/// Metrics of benchmarks without a figure of their own.
const METRICS: &[Metric] = &[
    Metric::headline(
        "mbe",
        "preference for sentences about men",
        50.0,
        [
            "Prefers sentences about men",
            "Prefers sentences about women",
        ],
    ),
    Metric::headline(
        "ghat_s",
        "stereotype rate",
        1.0,
        ["Follows the stereotypes", "Runs against the stereotypes"],
    ),
];

fn row(place: [&str; 3], metric: &str, value: f64, half: f64, ideal: Option<f64>) -> Row {
    Row {
        low: Some(value - half),
        high: Some(value + half),
        n: Some(100),
        ideal,
        ..Row::new("b", place, metric, value)
    }
}

fn draw(benchmark: &str, rows: &[Row], published: &[Row]) -> Vec<Figure> {
    let labels: BTreeMap<String, String> = (1..=16)
        .map(|id| (format!("stereotype:{id}"), format!("{id} Name of it")))
        .collect();
    let entries = rows.iter().enumerate().map(|(index, row)| Entry {
        row,
        index: Some(index),
        system: &row.system,
    });
    let drawn = figures(&Data {
        benchmark,
        entries: entries.collect(),
        published,
        same_items: true,
        labels: &labels,
        metrics: METRICS,
        compared: &[],
        views: Vec::new(),
    });
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("figures");
    std::fs::create_dir_all(&directory).unwrap();
    for figure in &drawn {
        let path = directory.join(&figure.name);
        std::fs::write(path.with_extension("svg"), figure.svg()).unwrap();
        std::fs::write(path.with_extension("png"), figure.png().unwrap()).unwrap();
    }
    drawn
}

fn names(figures: &[Figure]) -> Vec<&str> {
    figures.iter().map(|figure| figure.name.as_str()).collect()
}

/// The rows a figure shows.
fn rows_shown(figure: &Figure) -> BTreeSet<usize> {
    let notes = figure
        .scene
        .marks
        .iter()
        .filter_map(|mark| mark.note.as_ref());
    notes.filter_map(|note| note.row).collect()
}

fn wave(seed: usize) -> f64 {
    ((seed * 37 % 101) as f64 / 101.0 - 0.5) * 0.3
}

#[test]
fn gest_of_models() {
    let mut rows = Vec::new();
    for (s, system) in ["first", "second<script>"].into_iter().enumerate() {
        for id in 1..=16 {
            let group = format!("stereotype:{id}");
            let q = 0.9 + f64::from(id) * 0.02 + wave(s + id as usize);
            rows.push(row([system, "all", &group], "q", q, 0.05, None));
        }
        for unit in ["template:1", "template:2", "all"] {
            rows.push(row(
                [system, unit, "all"],
                "g_s",
                1.1 + wave(s * 7),
                0.03,
                Some(1.0),
            ));
        }
    }
    for id in 1..=16 {
        let group = format!("stereotype:{id}");
        for (metric, shift) in [
            ("rank_low", -2.0),
            ("rank_q1", -1.0),
            ("rank_median", 0.0),
            ("rank_q3", 1.0),
            ("rank_high", 2.0),
            ("rank_mean", 0.2),
        ] {
            rows.push(Row::new(
                "gest",
                ["all", "all", &group],
                metric,
                f64::from(id) + shift,
            ));
        }
    }
    let published = [
        Row::new("gest", ["published:pythia-70m", "all", "all"], "g_s", 1.05),
        Row::new("gest", ["published:pythia-1b", "all", "all"], "g_s", 1.15),
        Row::new(
            "gest",
            ["published:pythia-70m", "all", "all"],
            "parameters",
            70e6,
        ),
    ];
    let drawn = draw("gest", &rows, &published);
    assert_eq!(
        names(&drawn),
        [
            "gest-stereotypes",
            "gest-ranks",
            "gest-templates",
            "gest-size"
        ]
    );
    assert_eq!(rows_shown(&drawn[0]).len(), 32);
    assert_eq!(rows_shown(&drawn[1]).len(), 96);
    assert_eq!(rows_shown(&drawn[2]).len(), 4);
    assert_eq!(rows_shown(&drawn[3]).len(), 2);
    for figure in &drawn {
        let svg = figure.svg();
        assert!(!svg.contains("<script>"), "{}", figure.name);
        assert!(svg.contains("role=\"img\"") && svg.contains("<desc"));
        assert!(figure.description.len() > 40, "{}", figure.description);
    }
    // Without published models there is nothing to stand among.
    assert!(!names(&draw("gest", &rows, &[])).contains(&"gest-size"));
}

#[test]
fn many_systems_are_a_strip() {
    let mut rows = Vec::new();
    for system in 0..30 {
        for id in 1..=16 {
            let group = format!("stereotype:{id}");
            let name = format!("system {system}");
            let p = 0.6 + wave(system + id as usize);
            rows.push(row([&name, "lang:sk", &group], "p", p, 0.05, None));
        }
        let name = format!("system {system}");
        let place = [&*name, "lang:sk", "all"];
        rows.push(row(place, "f_s", 0.2 + wave(system) / 2.0, 0.02, Some(0.0)));
        rows.push(row(place, "f_m", 0.7 + wave(system * 3), 0.02, Some(0.5)));
    }
    let drawn = draw("gest", &rows, &[]);
    assert_eq!(
        names(&drawn),
        ["gest-stereotypes-translation", "gest-plane"]
    );
    assert_eq!(rows_shown(&drawn[0]).len(), 480);
    assert_eq!(rows_shown(&drawn[1]).len(), 60, "both coordinates");
}

#[test]
fn wibemt() {
    let mut rows = Vec::new();
    for (s, system) in ["deepl", "apertium"].into_iter().enumerate() {
        for (g, group) in [
            "verb:F",
            "verb:M",
            "adjective:F",
            "adjective:M",
            "adjective:none",
        ]
        .into_iter()
        .enumerate()
        {
            let place = [system, "lang:de", group];
            rows.push(row(
                place,
                "tfg",
                40.0 + 60.0 * wave(g + s * 3),
                2.0,
                Some(50.0),
            ));
            if group.starts_with("adjective") {
                rows.push(row(place, "tcg", 80.0, 2.0, Some(100.0)));
                rows.push(row(
                    place,
                    "tcg_female",
                    70.0 + 40.0 * wave(g),
                    2.0,
                    Some(100.0),
                ));
                rows.push(row(
                    place,
                    "tcg_male",
                    85.0 + 40.0 * wave(g),
                    2.0,
                    Some(100.0),
                ));
            }
        }
        for n in 0..40 {
            let group = format!("occupation:occ{n}");
            let tfg = 30.0 + 150.0 * wave(n + s);
            rows.push(row(
                [system, "lang:de", &group],
                "tfg",
                tfg.max(0.0),
                3.0,
                Some(50.0),
            ));
        }
    }
    let published: Vec<Row> = (0..40)
        .map(|n| {
            let group = format!("occupation:occ{n}");
            let score = -0.9 + f64::from(n) * 0.045;
            Row::new(
                "wibemt",
                ["published:scores", "all", &group],
                "score",
                score,
            )
        })
        .collect();
    let drawn = draw("wibemt", &rows, &published);
    assert_eq!(
        names(&drawn),
        ["wibemt-feminine", "wibemt-correct", "wibemt-scores"]
    );
    assert_eq!(rows_shown(&drawn[0]).len(), 10);
    assert_eq!(rows_shown(&drawn[1]).len(), 12);
    assert_eq!(rows_shown(&drawn[2]).len(), 80);
}

#[test]
fn unambiguous() {
    let mut rows = Vec::new();
    let outcomes = [("correct", 1.0), ("wrong", 0.0), ("na", 0.0)];
    for (l, language) in ["lang:de", "lang:ru", "lang:he"].into_iter().enumerate() {
        for (c, configuration) in ["MM", "MF", "FF", "FM"].into_iter().enumerate() {
            let correct = 0.9 - 0.15 * c as f64 - 0.05 * l as f64;
            let shares = [correct, 0.95 - correct, 0.05];
            for ((metric, ideal), share) in outcomes.into_iter().zip(shares) {
                let group = format!("config:{configuration}");
                rows.push(row(
                    ["m2m", language, &group],
                    metric,
                    share,
                    0.01,
                    Some(ideal),
                ));
            }
        }
    }
    for (w, (word, codes)) in [
        ("occupation:nurse", ["mf", "ff"]),
        ("occupation:sheriff", ["mm", "fm"]),
        ("figure3:pretty", ["mm", "ff"]),
    ]
    .into_iter()
    .enumerate()
    {
        for (c, code) in codes.into_iter().enumerate() {
            let value = 0.9 - 0.3 * c as f64 + wave(w) / 3.0;
            let metric = format!("correct_{code}");
            rows.push(Row::new(
                "unambiguous",
                ["m2m", "languages:mean", word],
                &metric,
                value,
            ));
        }
    }
    let drawn = draw("unambiguous", &rows, &[]);
    assert_eq!(
        names(&drawn),
        [
            "unambiguous-configurations",
            "unambiguous-occupations",
            "unambiguous-adjectives"
        ]
    );
    assert_eq!(rows_shown(&drawn[0]).len(), 36);
    assert_eq!(rows_shown(&drawn[1]).len(), 4);
    assert_eq!(rows_shown(&drawn[2]).len(), 2);
    // Invented occupations have triggers alone.
    let mut rows = Vec::new();
    for unit in ["lang:de", "lang:ru", "languages:mean"] {
        for (group, correct) in [("trigger:M", 0.9), ("trigger:F", 0.4)] {
            for (metric, share) in [("correct", correct), ("wrong", 0.9 - correct), ("na", 0.1)] {
                rows.push(Row::new("unambiguous", ["m2m", unit, group], metric, share));
            }
        }
    }
    let drawn = draw("unambiguous", &rows, &[]);
    assert_eq!(names(&drawn), ["unambiguous-invented"]);
    assert_eq!(rows_shown(&drawn[0]).len(), 18);
}

/// Stereotypes of a user's own say whom they are about; languages of a model have a chart each.
#[test]
fn own_stereotypes_and_languages() {
    let mut rows = Vec::new();
    for (group, about) in [("stereotype:Carers", 0.0), ("stereotype:Farmers", 1.0)] {
        rows.push(Row::new("gest", ["all", "all", group], "about_men", about));
        for system in ["first", "second"] {
            for unit in ["lang:cs", "lang:pl"] {
                rows.push(row(
                    [system, unit, group],
                    "q",
                    1.0 + about / 4.0,
                    0.05,
                    None,
                ));
            }
        }
        for metric in ["rank_low", "rank_q1", "rank_median", "rank_q3", "rank_high"] {
            rows.push(Row::new("gest", ["all", "all", group], metric, 1.0 + about));
        }
    }
    let drawn = draw("gest", &rows, &[]);
    assert_eq!(
        names(&drawn),
        [
            "gest-stereotypes",
            "gest-stereotypes-cs",
            "gest-stereotypes-pl",
            "gest-ranks"
        ]
    );
    assert_eq!(rows_shown(&drawn[0]).len(), 8);
    assert_eq!(rows_shown(&drawn[1]).len(), 4);
    assert!(drawn[0].svg().contains("Farmers"));
}

#[test]
fn word_scores() {
    let mut rows = Vec::new();
    let words = ["nurse", "baker", "teacher", "guard", "sheriff", "mover"];
    for (place, word) in words.iter().enumerate() {
        let group = format!("word:{word}");
        let of = |metric, value| Row::new("wordscore", ["vectors", "all", &group], metric, value);
        rows.push(of("score", place as f64 / 3.0 - 0.9));
        rows.push(of("percent_women", 90.0 - 15.0 * place as f64));
    }
    let drawn = draw("wordscore", &rows, &[]);
    assert_eq!(names(&drawn), ["word-scores", "word-scores-women"]);
    assert_eq!(rows_shown(&drawn[0]).len(), 6);
    assert_eq!(rows_shown(&drawn[1]).len(), 6);
}

#[test]
fn winomt_and_the_fifty_line() {
    let mut rows = Vec::new();
    for (s, system) in ["google", "opus"].into_iter().enumerate() {
        let place = [system, "lang:de", "all"];
        rows.push(row(place, "acc", 0.6 + wave(s), 0.02, Some(1.0)));
        rows.push(row(place, "delta_g", 0.1 + wave(s), 0.02, Some(0.0)));
        rows.push(row(place, "delta_s", 0.2 + wave(s), 0.02, Some(0.0)));
    }
    assert_eq!(
        names(&draw("winomt", &rows, &[])),
        ["winomt-accuracy", "winomt-differences"]
    );
    let rows = [row(["bert", "aula", "all"], "mbe", 54.0, 1.5, Some(50.0))];
    assert_eq!(names(&draw("mbe", &rows, &[])), ["mbe-mbe"]);
    let rows = [row(
        ["bert", "split:type1-dev", "all"],
        "ghat_s",
        1.4,
        0.1,
        Some(1.0),
    )];
    assert_eq!(names(&draw("winobias", &rows, &[])), ["winobias-ghat-s"]);
    assert!(draw("winobias", &[], &[]).is_empty());
}

#[test]
fn chat_framing() {
    let mut rows = Vec::new();
    for (s, system) in ["m-1", "random:1"].into_iter().enumerate() {
        for (u, unit) in ["choice:1", "choice:2", "completion:1", "character:1"]
            .into_iter()
            .enumerate()
        {
            let place = [system, unit, "all"];
            rows.push(row(place, "s", 0.2 + wave(s + u), 0.05, Some(0.0)));
            rows.push(row(place, "refused", 0.05 * u as f64, 0.01, Some(0.0)));
            rows.push(row(place, "unreadable", 0.1, 0.01, Some(0.0)));
        }
        let place = [system, "all", "all"];
        rows.push(row(place, "s", 0.25, 0.1, Some(0.0)));
        rows.push(row(place, "framing_low", 0.1, 0.0, None));
        rows.push(row(place, "framing_high", 0.4, 0.0, None));
        rows.push(row(place, "framing_spread", 0.3, 0.1, Some(0.0)));
    }
    let drawn = draw("gest-chat", &rows, &[]);
    assert_eq!(names(&drawn), ["chat-framing", "chat-refusals"]);
    // Every wording and the pooled rate, of both systems.
    assert_eq!(rows_shown(&drawn[0]).len(), 10);
    assert_eq!(rows_shown(&drawn[1]).len(), 16);
    assert!(drawn[0].description.contains("m-1 from 0.100 to 0.400"));
}

/// Every cell is drawn with its n, and the worst is named.
#[test]
fn cells_of_mittens() {
    let mut rows = Vec::new();
    for (number, language) in ["ar", "fi", "tr"].into_iter().enumerate() {
        for (place, set) in ["coref:synthetic", "synthbio"].into_iter().enumerate() {
            for gender in ["feminine", "masculine"] {
                let group = format!("lang:{language}+set:{set}+gender:{gender}");
                let value = if number == 1 && place == 0 { 0.5 } else { 1.0 };
                let value = if gender == "feminine" { value } else { 1.0 };
                let place = ["nmt", "lang:en", &group];
                rows.push(row(place, "accuracy", value, 0.1, Some(1.0)));
            }
        }
    }
    let drawn = draw("mittens", &rows, &[]);
    assert_eq!(names(&drawn), ["mittens-cells-1"]);
    assert_eq!(rows_shown(&drawn[0]).len(), 12);
    assert!(
        drawn[0]
            .caption
            .contains("fi coref:synthetic, feminine: 0.50 of 100"),
        "{}",
        drawn[0].caption
    );
    assert!(drawn[0].svg().contains("n 100"));
}
