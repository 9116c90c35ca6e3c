//! Answers in another order, language, sign or unit than the data are found, and published ones are not suspected.

use std::collections::BTreeMap;
use std::path::Path;

use crate::shared_files::{read_text, shared};
use crate::table_support::{Answered, card};
use epicene_bench::text_warnings::text_warnings;
use epicene_bench::translation_checks::{Look, look};
use epicene_bench::{AnswerFile, Benchmark, ColumnView, Options, Verdicts, gest::Gest, mbe::Mbe};
use epicene_core::{Answer, Item, ModelKind, Scorer, TextFile, Unit};
use rayon::prelude::*;
use serde_json::Value;

/// Numbers that are the same every time (splitmix64).
struct Lots(u64);

impl Lots {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % most as u64) as usize
    }

    /// So many of the lines, in their order.
    fn some(&mut self, of: usize, count: usize) -> Vec<usize> {
        let mut lines: Vec<usize> = (0..of).collect();
        for place in (1..of).rev() {
            lines.swap(place, self.below(place + 1));
        }
        lines.truncate(count);
        lines.sort_unstable();
        lines
    }
}

/// Translations of a set into one language, each beside its source.
struct Translated {
    set: &'static str,
    name: String,
    language: String,
    items: Vec<Item>,
    texts: Vec<String>,
}

impl Translated {
    fn new(
        set: &'static str,
        name: &str,
        language: &str,
        pairs: Vec<(String, String)>,
    ) -> Translated {
        let numbered = (1..).zip(&pairs);
        let items = numbered.map(|(line, (source, _))| Item::new(format!("{set}:{line}"), source));
        Translated {
            set,
            name: format!("{set} {name} {language}"),
            language: language.to_owned(),
            items: items.collect(),
            texts: pairs.iter().map(|(_, text)| text.clone()).collect(),
        }
    }

    fn look(&self, lines: &[usize], text: impl Fn(usize) -> String) -> Look {
        let items: Vec<Item> = lines.iter().map(|line| self.items[*line].clone()).collect();
        let answers = lines.iter().map(|line| Answer::Translation(text(*line)));
        look(&items, &answers.collect::<Vec<_>>(), &self.language, false)
    }

    fn all(&self) -> Vec<usize> {
        (0..self.texts.len()).collect()
    }

    /// What is said of the texts themselves, as the files have them.
    fn warnings(&self, lines: &[usize]) -> Vec<String> {
        let items: Vec<Item> = lines.iter().map(|line| self.items[*line].clone()).collect();
        let text = |line: &usize| Answer::Translation(self.texts[*line].clone());
        let answers = lines.iter().map(text).collect();
        let unit = format!("lang:{}", self.language);
        let answered = Answered::translations(&Gest, &items, ("x", &unit), answers);
        let view = ColumnView {
            table: &answered.table,
            place: 0,
        };
        let unread = Verdicts::new(lines.iter().map(|_| None).collect());
        text_warnings(&view, &unread)
    }

    /// The same with other texts.
    fn changed(&self, change: impl Fn(&str) -> String) -> Translated {
        let mut changed = Translated::new(self.set, &self.name, &self.language, Vec::new());
        changed.items = self.items.clone();
        changed.texts = self.texts.iter().map(|text| change(text.trim())).collect();
        changed
    }
}

fn is_noticed(look: &Look) -> bool {
    look.wrong.is_some() || !look.warnings.is_empty()
}

fn lines(path: &Path) -> Vec<String> {
    read_text(path).text.lines().map(str::to_owned).collect()
}

fn gest(root: &Path) -> Vec<Translated> {
    let sentences = read_text(&root.join("gest/gest.csv"));
    let items = Gest.items(&[sentences], &Options::default()).unwrap();
    let mut found = Vec::new();
    for system in ["amazon_translate", "deepl", "google_translate", "nllb_3b"] {
        let folder = root.join("gest/translations").join(system);
        let mut languages: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|one| one.unwrap())
            .collect();
        languages.sort_by_key(|one| one.file_name());
        for language in languages {
            let file = read_text(&language.path().join("translations.csv.gz"));
            let code = language.file_name().into_string().unwrap();
            let answers = epicene_bench::translations::answers(&file, &items, false).unwrap();
            let text = |answer: &Answer| answer.text().unwrap_or("").to_owned();
            let pairs = items.iter().zip(&answers);
            let pairs = pairs.map(|(item, answer)| (item.text.clone(), text(answer)));
            found.push(Translated::new("gest", system, &code, pairs.collect()));
        }
    }
    found
}

fn others(root: &Path) -> Vec<Translated> {
    let mut found = Vec::new();
    let english: Vec<String> = lines(&root.join("winomt/en_2019.tsv.gz"))
        .iter()
        .map(|line| line.split('\t').nth(2).unwrap().to_owned())
        .collect();
    for system in ["google", "systran"] {
        for code in ["ar", "de", "es", "fr", "he", "it", "ru", "uk"] {
            let path = root.join(format!("winomt/translations/{system}/en-{code}.txt.gz"));
            let table: BTreeMap<String, String> = lines(&path)
                .iter()
                .filter_map(|line| line.split_once(" ||| "))
                .map(|(from, to)| (from.to_owned(), to.to_owned()))
                .collect();
            let pairs = english
                .iter()
                .map(|from| (from.clone(), table[from].clone()));
            found.push(Translated::new("winomt", system, code, pairs.collect()));
        }
    }
    let sources = lines(&root.join("unambiguous/source_s_58032.tsv.gz"));
    for code in [
        "be", "ca", "de", "es", "fa", "hi", "hr", "lv", "pl", "ru", "sv", "zh",
    ] {
        let targets = lines(&root.join(format!("unambiguous/pipeline_14976/{code}.mt.gz")));
        let pairs = sources.iter().zip(targets).skip(7_000).take(4_000);
        let pairs = pairs.map(|(line, to)| (line.split('\t').next().unwrap().to_owned(), to));
        found.push(Translated::new("unambiguous", "m2m", code, pairs.collect()));
    }
    for system in ["deepl", "microsoft"] {
        let rows = lines(&root.join(format!("wibemt/verb_{system}_categorised.tsv.gz")));
        let pairs = rows.iter().map(|row| {
            let cells: Vec<&str> = row.split('\t').collect();
            (cells[1].to_owned(), cells[4].to_owned())
        });
        found.push(Translated::new("wibemt", system, "de", pairs.collect()));
    }
    for code in ["ar", "de", "es", "fr", "hi", "it", "pt", "ru"] {
        let path = |side: &str| {
            let name = format!("geneval-sentences-feminine-test.en_{code}.{side}.xz");
            root.join("mtgeneval/sentences/test").join(name)
        };
        let pairs = lines(&path("en")).into_iter().zip(lines(&path(code)));
        found.push(Translated::new(
            "mtgeneval",
            "references",
            code,
            pairs.collect(),
        ));
    }
    for code in ["es", "fr", "it"] {
        let rows = lines(&root.join(format!("gate/gate.{code}.jsonl.xz")));
        let rows = rows
            .iter()
            .map(|row| serde_json::from_str::<Value>(row).unwrap());
        let pairs = rows.filter_map(|row| {
            let variants = row.get("variants")?.as_object()?;
            let text = variants.values().next()?.as_str()?;
            Some((row["source"].as_str()?.to_owned(), text.to_owned()))
        });
        found.push(Translated::new("gate", "references", code, pairs.collect()));
    }
    found
}

/// Blocks of 100 to 1,000 lines that are a line or some lines off, in files of six benchmarks.
#[test]
fn finds_300_blocks_of_moved_lines() {
    let Some(root) = shared("") else { return };
    let files: Vec<Translated> = gest(&root).into_iter().chain(others(&root)).collect();
    let mut lots = Lots(37);
    let trials: Vec<(usize, usize, usize, usize, bool)> = (0..300)
        .map(|trial| {
            let file = lots.below(files.len());
            let count = files[file].texts.len();
            let length = 100 + lots.below(901.min(count - 99));
            let start = lots.below(count - length + 1);
            let by = if trial % 3 == 0 {
                2 + lots.below(40)
            } else {
                1
            };
            (file, start, length, by, trial % 2 == 0)
        })
        .collect();
    let missed: Vec<String> = trials
        .par_iter()
        .filter_map(|&(file, start, length, by, left)| {
            let file = &files[file];
            let moved = |line: usize| {
                let by = if left { by } else { length - by };
                let inside = (start..start + length).contains(&line);
                let from = if inside {
                    start + (line - start + by) % length
                } else {
                    line
                };
                file.texts[from].clone()
            };
            let look = file.look(&file.all(), moved);
            let what = format!("{}: {length} lines from {start} moved by {by}", file.name);
            (look.wrong.is_none()).then_some(what)
        })
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// The message names the lines.
#[test]
fn names_the_lines_of_a_moved_block() {
    let Some(root) = shared("") else { return };
    let file = &gest(&root)[0];
    let moved = |line: usize| {
        let from = if (400..1056).contains(&line) {
            line + 1
        } else {
            line
        };
        file.texts[from].clone()
    };
    let (message, _) = file.look(&file.all(), moved).wrong.unwrap();
    let named: Vec<usize> = message
        .split("gest:")
        .skip(1)
        .map(|rest| {
            rest.split(|c: char| !c.is_ascii_digit())
                .next()
                .unwrap()
                .parse()
                .unwrap()
        })
        .collect();
    assert!(message.contains("1 line further on"), "{message}");
    assert!(
        named[0].abs_diff(401) < 8 && named[1].abs_diff(1056) < 8,
        "{message}"
    );
}

/// Two languages in one file, in a block or line by line.
#[test]
fn finds_100_mixtures_of_two_languages() {
    let Some(root) = shared("") else { return };
    let files: Vec<Translated> = gest(&root).into_iter().chain(others(&root)).collect();
    let mut lots = Lots(38);
    let mut trials = Vec::new();
    while trials.len() < 100 {
        let (one, other) = (lots.below(files.len()), lots.below(files.len()));
        let fits =
            files[one].set == files[other].set && files[one].language != files[other].language;
        if fits {
            let count = files[one].texts.len();
            let share = 10 + lots.below(41);
            let length = count * share / 100;
            let start = lots.below(count - length + 1);
            let foreign = match trials.len() % 2 {
                0 => (start..start + length).collect(),
                _ => lots.some(count, length),
            };
            trials.push((one, other, foreign));
        }
    }
    let missed: Vec<String> = trials
        .par_iter()
        .filter_map(|(one, other, foreign)| {
            let (one, other) = (&files[*one], &files[*other]);
            let mixed = |line: usize| match foreign.binary_search(&line) {
                Ok(_) => other.texts[line.min(other.texts.len() - 1)].clone(),
                Err(_) => one.texts[line].clone(),
            };
            let what = format!(
                "{} with {} lines of {}",
                one.name,
                foreign.len(),
                other.name
            );
            (!is_noticed(&one.look(&one.all(), mixed))).then_some(what)
        })
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Published translations and 250 samples of them; as many of scores are below.
#[test]
fn published_translations_are_not_suspected() {
    let Some(root) = shared("") else { return };
    let files = gest(&root);
    assert_eq!(files.len(), 23);
    let files: Vec<Translated> = files.into_iter().chain(others(&root)).collect();
    let mut lots = Lots(39);
    let mut trials: Vec<(usize, Vec<usize>)> =
        (0..files.len()).map(|at| (at, files[at].all())).collect();
    for _ in 0..250 {
        let file = lots.below(files.len());
        let count = files[file].texts.len();
        let size = 60 + lots.below(count - 59);
        trials.push((file, lots.some(count, size)));
    }
    let suspected: Vec<String> = trials
        .par_iter()
        .filter_map(|(file, lines)| {
            let file = &files[*file];
            let look = file.look(lines, |line| file.texts[line].clone());
            let said = file.warnings(lines);
            // Short samples of other sets may not tell their language, and references copy some names: that is said.
            let is_gest = file.set == "gest" && (is_noticed(&look) || !said.is_empty());
            // Some references of MT-GenEval have the quotation marks of a CSV file.
            let quoted = |said: &String| file.set != "mtgeneval" && said.contains("quotation");
            let cut = |said: &String| said.contains("cut off") || quoted(said);
            let is_suspected = look.wrong.is_some() || is_gest || said.iter().any(cut);
            is_suspected.then(|| format!("{} {} lines: {look:?} {said:?}", file.name, lines.len()))
        })
        .collect();
    assert!(suspected.is_empty(), "{suspected:#?}");
}

/// The end of long texts is lost, or all are in quotation marks.
#[test]
fn cut_and_quoted_translations_are_said() {
    let Some(root) = shared("") else { return };
    let files: Vec<Translated> = gest(&root).into_iter().chain(others(&root)).collect();
    let missed: Vec<String> = files
        .par_iter()
        .enumerate()
        // Systran writes Hebrew without full stops.
        .filter(|(_, file)| !file.name.contains("systran he"))
        .flat_map_iter(|(number, file)| {
            let lines: Vec<usize> = (0..file.texts.len())
                .step_by((file.texts.len() / 400).max(1))
                .collect();
            let length = |line: &usize| file.texts[*line].trim().chars().count();
            let mut lengths: Vec<usize> = lines.iter().map(length).collect();
            lengths.sort_unstable();
            let most = lengths[lengths.len() * [0, 3, 5, 8, 9][number % 5] / 10].max(8);
            let quoted = file.changed(|text| format!("\"{text}\""));
            let letters = file.changed(|text| text.chars().take(most).collect());
            let bytes = file.changed(|text| text[..text.floor_char_boundary(most)].to_owned());
            let faults = [
                (quoted, "in quotation marks"),
                (letters, "look cut off"),
                (bytes, "look cut off"),
            ];
            let missed = faults.into_iter().filter_map(move |(changed, message)| {
                let said = changed.warnings(&lines).join(" ");
                let name = &file.name;
                (!said.contains(message)).then(|| format!("{name} {most}, {message}: {said}"))
            });
            missed.collect::<Vec<_>>()
        })
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Scores by template.
type Units = Vec<(Unit, Vec<f64>)>;

/// The published scores of every model.
struct Scores {
    items: Vec<Item>,
    models: BTreeMap<String, (ModelKind, Units)>,
}

impl Scores {
    fn published() -> Option<Scores> {
        let root = shared("gest")?;
        let options = Options::default();
        let items = Gest
            .items(&[read_text(&root.join("gest.csv"))], &options)
            .unwrap();
        let mut models = BTreeMap::new();
        for (name, kind) in [
            ("english_mlm", ModelKind::Masked),
            ("english_glm", ModelKind::Causal),
        ] {
            let file = read_text(&root.join(format!("predictions/{name}.csv.gz")));
            let files = [AnswerFile::Models {
                file,
                kind: Some(kind),
            }];
            for sheet in Gest.read_answers(&files, &items, &options).unwrap() {
                // It is in the files but in no table of the paper.
                if sheet.system == "Mistral-7B-Instruct-v0.1" {
                    continue;
                }
                let units = sheet.units.into_iter().map(|(unit, answers)| {
                    let score = |answer: &Answer| match answer {
                        Answer::Log10Ratio(score) => *score,
                        other => panic!("{other:?}"),
                    };
                    (unit, answers.iter().map(score).collect())
                });
                models.insert(sheet.system, (kind, units.collect()));
            }
        }
        Some(Scores { items, models })
    }

    /// What is said of one model's scores, changed column by column.
    fn odd(
        &self,
        model: &str,
        lines: &[usize],
        name: &str,
        change: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Option<String> {
        let items: Vec<Item> = lines.iter().map(|line| self.items[*line].clone()).collect();
        let (kind, units) = &self.models[model];
        let columns = units.iter().map(|(unit, scores)| {
            let own: Vec<f64> = lines.iter().map(|line| scores[*line]).collect();
            let answers = change(&own).into_iter().map(Answer::Log10Ratio);
            ((0, unit.clone(), Scorer::MaskedPair), answers.collect())
        });
        let columns: Vec<_> = columns.collect();
        let places: Vec<usize> = (0..columns.len()).collect();
        let answered = Answered::new(&Gest, &items, vec![card(name, *kind)], columns);
        Gest.odd_scores(&answered.table, &places)
    }
}

#[test]
fn finds_order_sign_and_unit_of_scores_in_33_of_33_models() {
    let Some(scores) = Scores::published() else {
        return;
    };
    let all: Vec<usize> = (0..scores.items.len()).collect();
    assert_eq!(scores.models.len(), 33);
    let columns: usize = scores.models.values().map(|(_, units)| units.len()).sum();
    assert_eq!(columns, 88);
    let rotated = |by: usize| {
        move |own: &[f64]| -> Vec<f64> {
            let mut own = own.to_vec();
            own.rotate_left(by);
            own
        }
    };
    let times = |factor: f64| {
        move |own: &[f64]| own.iter().map(|score| score * factor).collect::<Vec<f64>>()
    };
    let difference = |own: &[f64]| {
        let one = |score: &f64| (10f64.powf(*score) - 1.0) / (10f64.powf(*score) + 1.0);
        own.iter().map(one).collect::<Vec<f64>>()
    };
    type Change<'a> = (
        &'a str,
        Box<dyn Fn(&[f64]) -> Vec<f64> + Sync + 'a>,
        &'a str,
    );
    let faults: Vec<Change<'_>> = vec![
        ("rotated by 1", Box::new(rotated(1)), "1 row further on"),
        ("rotated by -1", Box::new(rotated(3_564)), "1 row before"),
        (
            "rotated by 100",
            Box::new(rotated(100)),
            "100 rows further on",
        ),
        (
            "reversed sign",
            Box::new(times(-1.0)),
            "sign looks reversed",
        ),
        (
            "natural logarithms",
            Box::new(times(std::f64::consts::LN_10)),
            "natural logarithms",
        ),
        (
            "base 2",
            Box::new(times(std::f64::consts::LOG2_10)),
            "base 2",
        ),
        (
            "differences",
            Box::new(difference),
            "differ from those published",
        ),
    ];
    let models: Vec<&String> = scores.models.keys().collect();
    let wrong: Vec<String> = models
        .par_iter()
        .flat_map_iter(|model| {
            let clean = scores.odd(model, &all, model, <[f64]>::to_vec);
            let clean = clean.map(|odd| format!("{model} as it is: {odd}"));
            let missed = faults.iter().filter_map(|(name, change, message)| {
                let odd = scores.odd(model, &all, model, change);
                let found = odd.as_ref().is_some_and(|odd| odd.contains(message));
                (!found).then(|| format!("{model} {name}: {odd:?}"))
            });
            clean.into_iter().chain(missed).collect::<Vec<_>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Order and sign do not need a name that is known.
    for (name, change, message) in faults.iter().take(4) {
        for model in &models {
            let odd = scores.odd(model, &all, "mine", change);
            assert!(
                odd.is_some_and(|odd| odd.contains(message)),
                "{model} {name}"
            );
        }
    }
}

/// Blocks of rows that were moved, in files of any name.
#[test]
fn finds_moved_rows_among_good_ones() {
    let Some(scores) = Scores::published() else {
        return;
    };
    let all: Vec<usize> = (0..scores.items.len()).collect();
    let mut lots = Lots(43);
    let mut missed = Vec::new();
    let mut tried = 0;
    for model in scores.models.keys() {
        // Phi-1 and the smallest Pythia hardly go with the others as they are.
        if ["phi-1", "pythia-70m"].contains(&model.as_str()) {
            continue;
        }
        tried += 1;
        let length = 300 + lots.below(1_000);
        let start = lots.below(all.len() - length);
        let by = 1 + lots.below(20);
        let block = |own: &[f64]| {
            let mut own = own.to_vec();
            own[start..start + length].rotate_left(by);
            own
        };
        if scores.odd(model, &all, "mine", block).is_none() {
            missed.push(format!("{model}: {length} rows from {start} by {by}"));
        }
    }
    assert_eq!(tried, 31);
    assert!(missed.is_empty(), "{missed:#?}");
}

/// 250 samples of the published scores.
#[test]
fn published_scores_are_not_suspected() {
    let Some(scores) = Scores::published() else {
        return;
    };
    let mut lots = Lots(40);
    let models: Vec<&String> = scores.models.keys().collect();
    for trial in 0..250 {
        let model = models[lots.below(models.len())];
        let count = scores.items.len();
        let size = 50 + lots.below(count - 49);
        let lines = lots.some(count, size);
        let name = if trial % 2 == 0 {
            model.as_str()
        } else {
            "mine"
        };
        let odd = scores.odd(model, &lines, name, <[f64]>::to_vec);
        assert_eq!(odd, None, "{model}, {size} rows");
    }
}

/// Likelihoods of male sentences before those of female ones, where the data has them after.
#[test]
fn finds_exchanged_halves_of_likelihoods() {
    let mut lots = Lots(41);
    let words = [
        "the", "and", "a", "to", "house", "river", "walked", "because", "evening", "slowly", "his",
        "her",
    ];
    let texts: Vec<String> = (0..240)
        .map(|_| {
            let length = 4 + lots.below(14);
            let chosen: Vec<&str> = (0..length)
                .map(|_| words[lots.below(words.len())])
                .collect();
            chosen.join(" ")
        })
        .collect();
    let gender = |line: usize| if line < 120 { "f" } else { "m" };
    let items: Vec<Item> = texts
        .iter()
        .enumerate()
        .map(|(line, text)| {
            Item::new(format!("mbe:{}:{line}", gender(line)), text)
                .with_label("gender", gender(line))
        })
        .collect();
    let likelihoods: Vec<f64> = texts
        .iter()
        .map(|text| -6.0 / (text.split(' ').count() as f64).sqrt() - lots.below(100) as f64 / 200.0)
        .collect();
    let odd = |by: usize| {
        let mut own = likelihoods.clone();
        own.rotate_left(by);
        let answers = own
            .into_iter()
            .map(|one| Answer::Likelihoods(vec![Some(one)]));
        let scorer: Scorer = "aula".parse().unwrap();
        let columns = vec![((0, Unit::named("method:aula"), scorer), answers.collect())];
        let answered = Answered::new(&Mbe, &items, vec![card("m", ModelKind::Masked)], columns);
        Mbe.odd_scores(&answered.table, &[0])
    };
    assert_eq!(odd(0), None);
    assert!(odd(120).is_some_and(|odd| odd.contains("120 rows")));
    assert!(odd(1).is_some_and(|odd| odd.contains("1 row further on")));
}

/// A file of scores as text.
fn score_file(text: &str) -> AnswerFile {
    AnswerFile::Models {
        file: TextFile {
            path: "scores.csv".to_owned(),
            name: "scores.csv".to_owned(),
            sha256: String::new(),
            text: text.to_owned(),
        },
        kind: Some(ModelKind::Masked),
    }
}

/// A table of translations with ids and sentences is about one of them, or it is refused.
#[test]
fn translations_whose_ids_contradict_their_sentences_are_refused() {
    let items = [Item::new("gest:1", "I ran."), Item::new("gest:2", "I sat.")];
    let read = |text: &str| {
        let file = score_file(text).file().clone();
        epicene_bench::translations::answers(&file, &items, false)
    };
    for good in [
        "id,from,to\n1,I ran.,A\n2,I sat.,B\n",
        "id,from,to\ngest:2,I sat.,B\ngest:1,I ran.,A\n",
        "id,from,to\n0,I ran.,A\n1,I sat.,B\n",
        "{\"id\": 1, \"from\": \"I ran.\", \"to\": \"A\"}\n{\"id\": 2, \"from\": \"I sat.\", \"to\": \"B\"}\n",
        "I ran. ||| A\nI sat. ||| B\nI ran. ||| A\n",
    ] {
        let found = read(good).unwrap();
        assert_eq!(found[0], Answer::Translation("A".to_owned()), "{good}");
    }
    for (bad, message) in [
        (
            "id,from,to\n2,I ran.,A\n1,I sat.,B\n",
            "2 rows have the id of another sentence",
        ),
        (
            "id,from,to\n1,I ran.,A\n1,I sat.,B\n",
            "1 row has the id of another sentence",
        ),
        (
            "{\"id\": \"gest:2\", \"from\": \"I ran.\", \"to\": \"A\"}\n{\"id\": 1, \"from\": \"I sat.\", \"to\": \"B\"}\n",
            "2 rows have the id of another sentence",
        ),
        (
            "I ran. ||| A\nI sat. ||| B\nI ran. ||| C\n",
            "has another translation above",
        ),
    ] {
        let error = read(bad).unwrap_err().to_string();
        assert!(error.contains(message), "{bad}: {error}");
    }
}

#[test]
fn scores_that_name_other_items_are_refused() {
    let items = [Item::new("gest:1", "I ran."), Item::new("gest:2", "I sat.")];
    let options = Options::default();
    let read = |text: &str| Gest.read_answers(&[score_file(text)], &items, &options);
    assert!(read("sentence,m_template-0\nI ran.,0.5\nI sat.,0.1\n").is_ok());
    let error = read("sentence,m_template-0\nI sat.,0.5\nI ran.,0.1\n")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("line 2 is about `I sat.`, the data has `I ran.`"),
        "{error}"
    );
}
