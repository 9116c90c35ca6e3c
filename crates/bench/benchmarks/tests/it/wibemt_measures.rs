//! WiBeMT's challenge set and measures: every number of the specification's A3, A4, A6 and A7.

use std::collections::BTreeMap;

use crate::wibemt_support::{shared, text_file, unpacked};
use epicene_bench::wibemt::base::{BaseSentence, file_names, from_table, from_winobias};
use epicene_bench::wibemt::challenge::{
    adjectives, embedded_templates, paper_occupations, templates, write_extended_winobias,
    write_verb_sentences,
};
use epicene_bench::wibemt::measures::{Groups, group_rows};
use epicene_bench::wibemt::{Counts, published};
use epicene_core::Row;
use serde_json::Value;

fn rows(groups: &Groups) -> Vec<Row> {
    group_rows("x", "lang:de", groups).unwrap().0
}

fn value(rows: &[Row], group: &str, metric: &str) -> f64 {
    let mut found = rows
        .iter()
        .filter(|row| row.group == group && row.metric == metric);
    let row = found
        .next()
        .unwrap_or_else(|| panic!("no {group} {metric}"));
    assert!(found.next().is_none());
    if metric == "tfg" || metric == "tcg" {
        assert!(row.low.unwrap() <= row.value && row.value <= row.high.unwrap());
    }
    row.value
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{what}: {found}, expected {expected}"
    );
}

/// Table 3 of the paper, by system and adjective class.
fn table3() -> Option<BTreeMap<String, Groups>> {
    let path = shared("wibemt/table3_counts.json")?;
    let table: Value = serde_json::from_str(&unpacked(&path)).unwrap();
    let systems = table["systems"].as_array().unwrap();
    let by_system = systems.iter().enumerate().map(|(index, name)| {
        let groups = ["F", "M", "none"].map(|class| {
            let count = |cell: &str| table["counts"][class][cell][index].as_u64().unwrap();
            let counts = Counts {
                true_feminine: count("true_feminine"),
                false_masculine: count("false_masculine"),
                true_masculine: count("true_masculine"),
                false_feminine: count("false_feminine"),
                neutral: count("neutral"),
                wrong: count("wrong"),
                ..Counts::default()
            };
            (format!("adjective:{class}"), counts)
        });
        (name.as_str().unwrap().to_owned(), Groups::from(groups))
    });
    Some(by_system.collect())
}

#[test]
fn table_3_gives_every_verified_number() {
    let Some(systems) = table3() else { return };
    // %TFG F, M, none; chi2 F-none, M-none, F-M; %TCG F, M, none; by pronoun.
    let expected: [(&str, [f64; 9], [f64; 6]); 3] = [
        (
            "DeepL",
            [
                49.52, 44.60, 41.73, 66.32, 9.01, 147.62, 89.16, 88.77, 86.05,
            ],
            [89.6, 88.8, 84.0, 93.3, 78.2, 93.7],
        ),
        (
            "Microsoft",
            [
                42.51, 39.28, 35.79, 49.02, 13.26, 59.07, 84.02, 82.72, 78.41,
            ],
            [76.9, 90.9, 72.5, 92.5, 64.6, 91.6],
        ),
        (
            "Google",
            [
                40.13, 37.91, 33.19, 53.78, 25.08, 29.18, 78.54, 77.70, 72.25,
            ],
            [68.9, 87.9, 65.8, 89.3, 55.5, 88.9],
        ),
    ];
    for (system, numbers, by_pronoun) in expected {
        let groups = &systems[system];
        assert_eq!(groups["adjective:F"].total(), 31_680);
        assert_eq!(groups["adjective:M"].total(), 31_680);
        assert_eq!(groups["adjective:none"].total(), 3168);
        let rows = rows(groups);
        for (place, (group, metric)) in [
            ("adjective:F", "tfg"),
            ("adjective:M", "tfg"),
            ("adjective:none", "tfg"),
            ("H2a", "chi2"),
            ("H2b", "chi2"),
            ("H2c", "chi2"),
            ("adjective:F", "tcg"),
            ("adjective:M", "tcg"),
            ("adjective:none", "tcg"),
        ]
        .into_iter()
        .enumerate()
        {
            close(
                value(&rows, group, metric),
                numbers[place],
                0.0051,
                &format!("{system} {group}"),
            );
        }
        for (place, class) in ["F", "M", "none"].into_iter().enumerate() {
            let group = format!("adjective:{class}");
            let found = [
                value(&rows, &group, "tcg_female"),
                value(&rows, &group, "tcg_male"),
            ];
            for (found, expected) in found.into_iter().zip(&by_pronoun[2 * place..]) {
                close(
                    found,
                    *expected,
                    0.0501,
                    &format!("{system} {group} by pronoun"),
                );
            }
        }
        // What the specification's own recomputation stores, to its last digit.
        let stored: Value =
            serde_json::from_str(include_str!("../../data/published/wibemt.json")).unwrap();
        for (name, key) in [
            ("H2a", "H2a_F_vs_none"),
            ("H2b", "H2b_M_vs_none"),
            ("H2c", "H2c_F_vs_M"),
        ] {
            let stored = &stored["table3"][system][key];
            close(
                value(&rows, name, "chi2"),
                stored["chi2_yates"].as_f64().unwrap(),
                1e-6,
                key,
            );
            for (metric, cell) in [
                ("p_value", "p_yates"),
                ("p_bonferroni", "p_yates_bonferroni"),
            ] {
                let ratio = value(&rows, name, metric) / stored[cell].as_f64().unwrap();
                close(ratio, 1.0, 1e-9, cell);
            }
        }
    }
    assert_eq!(published::systems().len(), 3);
    assert_eq!(
        published::systems()[0].adjectives["F"],
        systems["DeepL"]["adjective:F"]
    );
}

/// Groups of the authors' labels of one system's verb sentences.
fn verb_groups(system: &str) -> Option<Groups> {
    let path = shared(&format!("wibemt/verb_{system}_categorised.tsv.gz"))?;
    let mut groups = Groups::new();
    for line in unpacked(&path).lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let (id, label) = (cells[0], cells[5].parse().unwrap());
        for group in [
            format!("verb:{}", &id[1..2]),
            format!("third:{}", &id[7..8]),
        ] {
            groups.entry(group).or_default().add(label, None);
        }
    }
    Some(groups)
}

#[test]
fn verb_sentences_give_every_verified_number() {
    let (Some(deepl), Some(microsoft)) = (verb_groups("deepl"), verb_groups("microsoft")) else {
        return;
    };
    let four = |counts: Counts| [counts.female, counts.male, counts.neutral, counts.wrong];
    assert_eq!(four(deepl["verb:F"]), [242, 1784, 30, 23]);
    assert_eq!(four(deepl["verb:M"]), [135, 1905, 23, 16]);
    assert_eq!(four(microsoft["verb:F"]), [149, 1840, 8, 82]);
    assert_eq!(four(microsoft["verb:M"]), [104, 1893, 15, 67]);
    let (deepl, microsoft) = (rows(&deepl), rows(&microsoft));
    for (rows, group, metric, expected, tolerance) in [
        (&deepl, "verb:F", "tfg", 11.9, 0.0501),
        (&deepl, "verb:M", "tfg", 6.6, 0.0501),
        (&deepl, "H1", "chi2", 33.66, 0.0051),
        (&microsoft, "verb:F", "tfg", 7.5, 0.0501),
        (&microsoft, "verb:M", "tfg", 5.2, 0.0501),
        (&microsoft, "H1", "chi2", 8.36, 0.0051),
        (&microsoft, "H1", "p_value", 0.0038, 0.000_051),
        (&deepl, "third:F", "tfg", 25.1, 0.0501),
        (&deepl, "third:F-N", "chi2", 351.6, 0.0501),
        (&deepl, "third:F-M", "chi2", 306.5, 0.0501),
        (&microsoft, "third:F", "tfg", 19.0, 0.0501),
        (&microsoft, "third:F-N", "chi2", 258.4, 0.0501),
        (&microsoft, "third:F-M", "chi2", 281.8, 0.0501),
    ] {
        close(
            value(rows, group, metric),
            expected,
            tolerance,
            &format!("{group} {metric}"),
        );
    }
    for (rows, group, counts) in [
        (&deepl, "third:F", [337.0, 1003.0]),
        (&deepl, "third:N", [13.0, 1361.0]),
        (&deepl, "third:M", [27.0, 1325.0]),
        (&microsoft, "third:F", [248.0, 1060.0]),
        (&microsoft, "third:N", [5.0, 1314.0]),
        (&microsoft, "third:M", [0.0, 1359.0]),
    ] {
        assert_eq!(
            [value(rows, group, "female"), value(rows, group, "male")],
            counts,
            "{group}"
        );
    }
    // H1 is a single comparison.
    assert!(
        !deepl
            .iter()
            .any(|row| row.group == "H1" && row.metric == "p_bonferroni")
    );
}

/// Swapping the genders of all translations mirrors %TFG and leaves chi-square as it is.
#[test]
fn swapped_genders_mirror_the_measure() {
    let counts = |female, male| Counts {
        female,
        male,
        ..Counts::default()
    };
    let groups = |swap: bool| {
        let pair = |a, b| if swap { counts(b, a) } else { counts(a, b) };
        Groups::from([
            ("verb:F".to_owned(), pair(30, 70)),
            ("verb:M".to_owned(), pair(12, 88)),
        ])
    };
    let (ours, swapped) = (rows(&groups(false)), rows(&groups(true)));
    for group in ["verb:F", "verb:M"] {
        close(
            value(&ours, group, "tfg") + value(&swapped, group, "tfg"),
            100.0,
            1e-9,
            group,
        );
    }
    close(
        value(&ours, "H1", "chi2"),
        value(&swapped, "H1", "chi2"),
        1e-9,
        "chi2",
    );
    close(
        value(&ours, "H1", "delta_tfg"),
        -value(&swapped, "H1", "delta_tfg"),
        1e-9,
        "delta",
    );
}

#[test]
fn the_original_templates_give_the_original_sentences_byte_for_byte() {
    let (Some(table), Some(sentences)) = (
        shared("wibemt/verb_templates.tsv"),
        shared("wibemt/verb_sentences.tsv.gz"),
    ) else {
        return;
    };
    let mut written = Vec::new();
    let templates = templates(&text_file(&table)).unwrap();
    assert_eq!(
        write_verb_sentences(&templates, &paper_occupations(), &mut written).unwrap(),
        4158
    );
    assert!(String::from_utf8(written).unwrap() == unpacked(&sentences));
}

#[test]
fn our_own_sentences_have_the_papers_verbs_and_no_gender() {
    let templates = embedded_templates().unwrap();
    let verbs = |class: char| -> Vec<&str> {
        let of_class = templates.iter().filter(|t| t.class.letter() == class);
        of_class.map(|template| template.verb.as_str()).collect()
    };
    assert_eq!((verbs('F').len(), verbs('M').len()), (21, 21));
    if let Some(path) = shared("wibemt/selected_words.tsv") {
        for line in unpacked(&path).lines().skip(1) {
            let cells: Vec<&str> = line.split('\t').collect();
            let number: usize = cells[2].parse().unwrap();
            let class = cells[1].chars().next().unwrap();
            let ours = match cells[0] {
                "verb" => verbs(class)[number - 1],
                _ => {
                    let of_class: Vec<_> = adjectives()
                        .into_iter()
                        .filter(|(c, _)| c.letter() == class)
                        .collect();
                    of_class[number - 1].1
                }
            };
            assert_eq!(ours, cells[3]);
        }
    }
    for template in &templates {
        let words: Vec<String> = template
            .text
            .to_lowercase()
            .split([' ', '.'])
            .map(str::to_owned)
            .collect();
        for gendered in [
            "he", "she", "his", "her", "him", "himself", "herself", "man", "woman",
        ] {
            assert!(!words.contains(&gendered.to_owned()), "{}", template.text);
        }
        assert!(template.text.starts_with("The {occ} "));
    }
    let mut written = Vec::new();
    assert_eq!(
        write_verb_sentences(&templates, &paper_occupations(), &mut written).unwrap(),
        4158
    );
    let text = String::from_utf8(written).unwrap();
    assert!(text.starts_with("VF01OccF01\tThe nurse crochets a small blanket.\tcrochet\tnurse\n"));
}

#[test]
fn winobias_becomes_the_base_and_the_base_66528_sentences() {
    let Some(reference) = shared("wibemt/winobias_base_3168.tsv.gz") else {
        return;
    };
    let mut base: Vec<BaseSentence> = Vec::new();
    for name in file_names() {
        let path = shared(&format!("winobias/{name}.gz")).unwrap();
        base.extend(from_winobias(&text_file(&path)).unwrap());
    }
    let stored = from_table(&text_file(&reference)).unwrap();
    assert_eq!((base.len(), stored.len()), (3168, 3168));
    let count = |gender: &str| {
        stored
            .iter()
            .filter(|sentence| sentence.gender == gender)
            .count()
    };
    assert_eq!((count("female"), count("male")), (1582, 1586));
    let differing: Vec<_> = base
        .iter()
        .zip(&stored)
        .filter(|(ours, theirs)| ours != theirs)
        .collect();
    // The 2019 state differs in the baker and mover pair.
    assert_eq!(differing.len(), 2, "{differing:?}");
    assert!(
        differing
            .iter()
            .all(|(ours, _)| ours.text.contains("mover"))
    );

    let mut written = Vec::new();
    assert_eq!(
        write_extended_winobias(&stored, &adjectives(), &mut written).unwrap(),
        66_528
    );
    let text = String::from_utf8(written).unwrap();
    let lines: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(lines.len() + 4158, 70_686);
    let class = |class: &str| lines.iter().filter(|cells| cells[6] == class).count();
    assert_eq!(
        (class("F"), class("M"), class("---")),
        (31_680, 31_680, 3168)
    );
    assert_eq!(
        lines[0].join("|"),
        "female|1|The developer argued with the designer because she did not like the design.|The developer|M|---|---|00001deMNaNa"
    );
    assert_eq!(
        lines[1][2],
        "The sassy developer argued with the designer because she did not like the design."
    );
    assert_eq!(lines[1][7], "00002deMsaF");
    assert!(
        lines
            .iter()
            .all(|cells| !cells[2].contains("  ") && cells[3].split(' ').count() >= 2)
    );
    let an = |text: &str| lines.iter().any(|cells| cells[2].contains(text));
    assert!(an("an alluring assistant") && an("a sassy assistant") && an("an eminent housekeeper"));
    assert!(an("the wiry physician") && an("the sassy construction worker"));
    // Every sentence with an adjective has it before the occupation of its phrase.
    for cells in lines.iter().filter(|cells| cells[5] != "---") {
        let noun = cells[3].split_once(' ').unwrap().1;
        assert!(
            cells[2].contains(&format!("{} {noun}", cells[5])),
            "{cells:?}"
        );
    }
}
