//! Scores and views against the authors' own files, and the values of section 6 of the specification.

use std::collections::BTreeMap;

use crate::table_support::Answered;
use crate::unambiguous_support::{
    answered, author_file, file, options, s_items, shared, text, value,
};
use epicene_bench::Options;
use epicene_bench::unambiguous::labels::Grouping;
use epicene_bench::unambiguous::{LABELLED_ONLY, PICK};
use epicene_core::{Item, TextFile};

/// Languages of the visible pipeline.
fn languages() -> Vec<String> {
    let Some(directory) = shared("unambiguous/pipeline_14976") else {
        return Vec::new();
    };
    let mut found: Vec<String> = std::fs::read_dir(directory)
        .unwrap()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".result.gz").map(str::to_owned)
        })
        .collect();
    found.sort_unstable();
    found
}

fn pipeline_items() -> Vec<Item> {
    let mut items = s_items();
    items.truncate(14_976);
    items
}

fn with_inputs(inputs: Vec<(&str, TextFile)>) -> Options {
    let inputs = inputs
        .into_iter()
        .map(|(role, file)| (role.to_owned(), file));
    let mut options = options();
    options.inputs = inputs.collect();
    options
}

/// Counts of a line "key p p p correct wrong na total".
fn counts(line: &str) -> (String, [u64; 4]) {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (key, numbers) = words.split_at(words.len() - 4);
    let numbers: Vec<u64> = numbers.iter().map(|n| n.parse().unwrap()).collect();
    (key[..key.len() - 3].join(" "), numbers.try_into().unwrap())
}

#[test]
fn aligned_and_result_files_give_the_authors_scores() {
    let items = pipeline_items();
    let languages = languages();
    for language in &languages {
        let part = |kind: &str| text(&format!("pipeline_14976/{language}.{kind}.gz")).unwrap();
        let (aligned, results, scores) = (part("align"), part("result"), part("scores"));
        let by_results = answered(&items, language, &results.lines().collect::<Vec<_>>());
        let files = by_results.author_files(&options());
        let ours = author_file(&files, &format!("m2m.{language}.scores"));
        assert_eq!(ours.trim_end(), scores.trim_end(), "{language}, results");

        // As a file of its own, and as what the system is said to have answered.
        let role = format!("aligned:{language}");
        let given = with_inputs(vec![(&role, file("x.align", aligned.clone()))]);
        let placeholders = vec!["?"; items.len()];
        let by_aligned = answered(&items, language, &placeholders);
        let files = by_aligned.author_files(&given);
        assert_eq!(
            author_file(&files, &format!("m2m.{language}.scores")),
            ours,
            "{language}, align"
        );
        if language == "ru" {
            let by_answers = answered(&items, language, &aligned.lines().collect::<Vec<_>>());
            let files = by_answers.author_files(&options());
            assert_eq!(author_file(&files, "m2m.ru.scores"), ours);
        }
    }
}

/// Pharaoh links that lead to the words of the align files.
fn links(items: &[Item], tokens: &str, aligned: &str) -> String {
    let mut lines = String::new();
    for ((item, tokens), aligned) in items.iter().zip(tokens.lines()).zip(aligned.lines()) {
        let source: Vec<&str> = item.text.split(' ').collect();
        let target: Vec<&str> = tokens.split(' ').collect();
        let (mut i, mut j) = (0, 0);
        let mut links = Vec::new();
        for link in aligned.split(' ').filter(|link| !link.is_empty()) {
            let (word, rest) = link.split_once("->").unwrap();
            let found = rest.rsplit_once("->").unwrap().0;
            if source[i] != word {
                i = (i..source.len())
                    .find(|place| source[*place] == word)
                    .unwrap();
                j = 0;
            }
            j = (j..target.len())
                .find(|place| target[*place] == found)
                .unwrap_or_else(|| {
                    // The same source word again.
                    i = (i + 1..source.len())
                        .find(|place| source[*place] == word)
                        .unwrap();
                    target.iter().position(|other| *other == found).unwrap()
                });
            links.push(format!("{i}-{j}"));
            j += 1;
        }
        lines.push_str(&links.join(" "));
        lines.push('\n');
    }
    lines
}

#[test]
fn tokens_tags_and_links_give_the_same_tags() {
    let items = pipeline_items();
    for language in ["de", "ru", "ur"] {
        let kinds = ["tok", "tag", "align", "result"];
        let texts = kinds.map(|kind| text(&format!("pipeline_14976/{language}.{kind}.gz")));
        let [Some(tokens), Some(tags), Some(aligned), Some(results)] = texts else {
            return;
        };
        let links = links(&items, &tokens, &aligned);
        let roles = ["tok", "tag", "align"].map(|role| format!("{role}:{language}"));
        let given = with_inputs(vec![
            (&roles[0], file("x.tok", tokens)),
            (&roles[1], file("x.tag", tags)),
            (&roles[2], file("x.align", links)),
        ]);
        let placeholders = vec!["?"; items.len()];
        let by_tags = answered(&items, language, &placeholders);
        let by_results = answered(&items, language, &results.lines().collect::<Vec<_>>());
        let scores =
            |files: Vec<(String, String)>| author_file(&files, &format!("m2m.{language}.scores"));
        assert_eq!(
            scores(by_tags.author_files(&given)),
            scores(by_results.author_files(&options())),
            "{language}"
        );
    }
}

/// Russian on the whole of S.
fn russian() -> Option<(Vec<Item>, Answered)> {
    let results = text("s_m2m1.2B_ru.result.gz")?;
    let items = s_items();
    let answers = answered(&items, "ru", &results.lines().collect::<Vec<_>>());
    Some((items, answers))
}

/// In sentences "… who can cook" the authors name the occupation or "cook" by chance. Their totals
/// tell which; moving those sentences must make every row equal.
fn move_cooks(
    ours: &mut BTreeMap<String, [u64; 4]>,
    theirs: &BTreeMap<String, [u64; 4]>,
    grouping: Grouping,
    items: &[Item],
    outcomes: &[usize],
) {
    use epicene_bench::unambiguous::labels::FeatureSet;
    for (item, outcome) in items.iter().zip(outcomes) {
        if !item.text.ends_with("who can cook .") {
            continue;
        }
        let words: Vec<&str> = item.text.split(' ').collect();
        let occupation = words[3];
        let features = FeatureSet::parse(item.label("features").unwrap());
        let keys = grouping.keys(&features).join(" ");
        let ours_here = format!("occ={occupation} {keys}");
        let total =
            |rows: &BTreeMap<String, [u64; 4]>| rows.get(&ours_here).map_or(0, |row| row[3]);
        if occupation == "cook" || total(ours) == total(theirs) {
            continue;
        }
        for (name, sign) in [(occupation, -1i64), ("cook", 1)] {
            for key in [format!("occ={name}"), format!("occ={name} {keys}")] {
                let row = ours.entry(key).or_insert([0; 4]);
                row[*outcome] = row[*outcome].checked_add_signed(sign).unwrap();
                row[3] = row[3].checked_add_signed(sign).unwrap();
            }
        }
    }
    ours.retain(|_, row| row[3] > 0);
}

#[test]
fn every_view_is_the_authors() {
    for (model, result) in [("m2m_100_1.2B", "s_m2m1.2B_ru.result.gz")] {
        let (Some(analysis), Some(results)) =
            (text(&format!("analysis_s_{model}.tsv.gz")), text(result))
        else {
            return;
        };
        let items = s_items();
        let answers = answered(&items, "ru", &results.lines().collect::<Vec<_>>());
        let files = answers.author_files(&options());
        let verdicts = answers.verdicts(&options());
        let outcomes: Vec<usize> = verdicts[0]
            .cells
            .iter()
            .map(|verdict| {
                let outcome = verdict.as_ref().unwrap().outcome.unwrap();
                ["correct", "wrong", "inconclusive"]
                    .iter()
                    .position(|name| *name == outcome.name())
                    .unwrap()
            })
            .collect();
        for grouping in Grouping::ALL {
            let mut theirs: BTreeMap<String, [u64; 4]> = BTreeMap::new();
            for line in analysis.lines().skip(1) {
                let cells: Vec<&str> = line.split('\t').collect();
                if cells[0] == "ru" && cells[1] == grouping.name() {
                    let numbers: Vec<u64> = cells[3..].iter().map(|n| n.parse().unwrap()).collect();
                    theirs.insert(cells[2].to_owned(), numbers.try_into().unwrap());
                }
            }
            let name = format!("m2m.ru.{}.txt", grouping.name());
            let text = author_file(&files, &name);
            let mut ours: BTreeMap<String, [u64; 4]> = text.lines().map(counts).collect();
            for (key, row) in ours.iter().filter(|(key, _)| key.starts_with("all")) {
                assert_eq!(theirs.get(key), Some(row), "{} {key}", grouping.name());
            }
            move_cooks(&mut ours, &theirs, grouping, &items, &outcomes);
            assert_eq!(ours, theirs, "{}", grouping.name());
        }
    }
}

#[test]
fn reference_values_of_the_pipeline() {
    let items = pipeline_items();
    for (language, expected) in [
        ("de", [11_095, 3_687, 194]),
        ("es", [10_069, 2_606, 2_301]),
        ("fr", [8_803, 3_986, 2_187]),
        ("ru", [9_259, 5_129, 588]),
    ] {
        let Some(results) = text(&format!("pipeline_14976/{language}.result.gz")) else {
            return;
        };
        let answers = answered(&items, language, &results.lines().collect::<Vec<_>>());
        let files = answers.author_files(&options());
        let simple = author_file(&files, &format!("m2m.{language}.simple.txt"));
        let rows: BTreeMap<String, [u64; 4]> = simple.lines().map(counts).collect();
        assert_eq!(rows["all"][..3], expected, "{language}");
        if language == "ru" {
            assert_eq!(rows["all CLUE_M OCC_M"][..3], [3_627, 15, 198]);
            assert_eq!(rows["all CLUE_M OCC_F"][..3], [3_185, 421, 42]);
            assert_eq!(rows["all CLUE_F OCC_F"][..3], [1_635, 1_921, 92]);
            assert_eq!(rows["all CLUE_F OCC_M"][..3], [812, 2_772, 256]);
        }
    }
}

#[test]
fn reference_values_of_s() {
    let Some((_, answers)) = russian() else {
        return;
    };
    let rows = answers.measure(&options()).unwrap().rows;
    let close = |group: &str, metric: &str, expected: f64| {
        let unit = if group.contains("figure") {
            "languages:sum"
        } else {
            "lang:ru"
        };
        let found = value(&rows, unit, group, metric);
        assert!(
            (found - expected).abs() < 5e-5,
            "{group} {metric}: {found}, not {expected}"
        );
    };
    close("all", "correct", 34_942.0 / 58_032.0);
    close("all", "wrong", 21_821.0 / 58_032.0);
    close("all", "na", 1_269.0 / 58_032.0);
    close("config:FM", "correct", 2_690.0 / 14_880.0);
    close("no-adjective/FF", "correct", 817.0 / 2_584.0);
    close("no-adjective/FM", "correct", 180.0 / 2_720.0);
    close("no-adjective/MF", "correct", 2_047.0 / 2_584.0);
    close("no-adjective", "delta_f_rounded", 0.25);
    close("figure3:feminine", "correct_ff", 394.0 / 722.0);
    close("figure3:feminine", "wrong_ff", 326.0 / 722.0);
    close("figure3:feminine", "na_ff", 2.0 / 722.0);
    for (figure, [mm, mf, ff, fm]) in [
        ("figure3:avg", [0.9441, 0.8685, 0.4523, 0.2005]),
        ("figure6:avg", [0.9853, 0.8830, 0.4243, 0.1469]),
        ("figure7:avg", [0.9172, 0.8590, 0.4705, 0.2355]),
    ] {
        close(figure, "correct_mm", mm);
        close(figure, "correct_mf", mf);
        close(figure, "correct_ff", ff);
        close(figure, "correct_fm", fm);
    }
    // Women are helped by a feminine stereotype far more than men by a masculine one.
    assert!(value(&rows, "lang:ru", "all", "p_delta_f_greater") < 0.05);
}

#[test]
fn the_verb_cook_decides_unless_told_otherwise() {
    let items: Vec<Item> = s_items()
        .into_iter()
        .filter(|item| item.text == "He is a baker who can cook .")
        .collect();
    let line = "He->Он->Masc is->является->_ baker->пекарем->Masc cook->готовить->_";
    let answers = answered(&items, "ru", &[line]);
    let na = |options: Options| {
        let rows = answers.measure(&options).unwrap().rows;
        value(&rows, "lang:ru", "all", "na")
    };
    assert_eq!(na(options()), 1.0);
    for pick in ["first", "any-gendered"] {
        assert_eq!(na(options().with(&PICK, pick)), 0.0, "{pick}");
    }
    assert_eq!(na(options().with(&LABELLED_ONLY, "true")), 0.0);
}
