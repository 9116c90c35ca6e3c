//! WiBeMT (WMT 2021) from github.com/JDtroles/WiBeMT: tables of sentences with a German translation (`…_Translator.txt`) and the
//! authors' label (`…_GenderCategorized.txt`), told by their columns. Verb sentences have id, sentence, verb, occupation; extended
//! WinoBias (EWB) gender, index, sentence, phrase, class, adjective, its class, id.

use std::collections::BTreeMap;
use std::path::Path;

use epicene_bench::published_tables::{number, published_tables};
use epicene_bench::wibemt::measures::group_rows;
use epicene_bench::wibemt::published::PublishedSystem;
use epicene_bench::wibemt::{Counts, base, challenge, occupations, published};
use epicene_core::{Row, Unit};
use epicene_report::{Data, Entry, figures};
use epicene_stats::{chi_square, pearson, spearman};

use super::checkout::plain_name;
use super::record::{Ours, Printed, Reason, Reproduced};
use super::{Workshop, find, value, words};
use crate::failure::Failure;
use crate::source;

const SYSTEMS: [&str; 3] = ["DeepL", "Microsoft", "Google"];
const LABELS: [&str; 4] = ["female", "male", "neutral", "wrong"];
/// The hypotheses with the classes of adjectives they compare.
const TESTS: [(&str, &str, &str); 3] = [
    ("H2a", "F", "none"),
    ("H2b", "M", "none"),
    ("H2c", "F", "M"),
];
/// A cell of Table 3: its name and its count.
type Cell = (&'static str, fn(&Counts) -> u64);
const COUNTS: [Cell; 6] = [
    ("true feminine", |counts| counts.true_feminine),
    ("false masculine", |counts| counts.false_masculine),
    ("true masculine", |counts| counts.true_masculine),
    ("false feminine", |counts| counts.false_feminine),
    ("neutral", |counts| counts.neutral),
    ("wrong", |counts| counts.wrong),
];

pub fn reproduce(workshop: &Workshop) -> Result<Reproduced, Failure> {
    let mut done = Reproduced::default();
    let tables = Tables::find(workshop)?;
    sets(workshop, &mut done)?;
    correlations(&mut done);
    let adjectives = adjectives(workshop, &tables, &mut done)?;
    table3(&adjectives, &mut done);
    hypotheses(&adjectives, &mut done);
    draw(workshop, &adjectives)?;
    verbs(workshop, &tables, &mut done)?;
    Ok(done)
}

/// The translators' files of a clone by system: with labels, or with translations alone.
#[derive(Default)]
struct Tables {
    verbs: BTreeMap<&'static str, String>,
    labelled: BTreeMap<&'static str, String>,
    translated: BTreeMap<&'static str, String>,
}

impl Tables {
    fn find(workshop: &Workshop) -> Result<Tables, Failure> {
        let mut tables = Tables::default();
        for path in workshop.checkout.all() {
            let name = plain_name(&path).to_lowercase();
            let system = SYSTEMS
                .into_iter()
                .find(|system| name.contains(&system.to_lowercase()));
            let named = [
                "ewb",
                "verb",
                "winobias",
                "categorized",
                "categorised",
                "translator",
            ];
            let table = [".txt", ".tsv"].iter().any(|ending| name.ends_with(ending));
            let (Some(system), true) = (system, table && named.iter().any(|n| name.contains(n)))
            else {
                continue;
            };
            let text = source::read(&path)?.text;
            let Some(first) = text.lines().find(|line| !line.trim().is_empty()) else {
                continue;
            };
            let cells: Vec<&str> = first.split('\t').collect();
            let label = cells
                .last()
                .is_some_and(|last| LABELS.contains(&last.trim()));
            let gendered = ["male", "female"].contains(&cells[0]);
            let table = match cells.len() {
                6 if label && cells[0].starts_with('V') => &mut tables.verbs,
                10 if label && gendered => &mut tables.labelled,
                9 if gendered => &mut tables.translated,
                _ => continue,
            };
            workshop.checkout.recognise();
            table.insert(system, path.display().to_string());
        }
        Ok(tables)
    }
}

/// Counts of a system by the class of the adjective, or the file that lacks.
type Adjectives = BTreeMap<&'static str, Result<BTreeMap<String, Counts>, String>>;

fn adjectives(
    workshop: &Workshop,
    tables: &Tables,
    done: &mut Reproduced,
) -> Result<Adjectives, Failure> {
    let mut found = Adjectives::new();
    for system in SYSTEMS {
        let lack = format!("Data/…/EWB_{system}_GenderCategorized.txt");
        let counts = match (tables.labelled.get(system), tables.translated.get(system)) {
            (Some(path), _) => Ok(by_label(Path::new(path))?),
            (None, Some(path)) => Ok(by_judge(workshop, done, system, path)?),
            (None, None) => {
                done.lacks(
                    &workshop.checkout.root().join(&lack),
                    format!("Table 3 of {system}"),
                );
                Err(lack)
            }
        };
        found.insert(system, counts);
    }
    Ok(found)
}

/// The counts of a system by class: the translator's, where all three are there, else Table 3's.
fn counts_of(adjectives: &Adjectives, printed: &PublishedSystem) -> BTreeMap<String, Counts> {
    let own = adjectives[printed.name.as_str()].as_ref().ok();
    let complete = own.filter(|own| own.len() == 3);
    complete.unwrap_or(&printed.adjectives).clone()
}

fn cells<'a>(path: &Path, number: usize, line: &'a str) -> Result<Vec<&'a str>, Failure> {
    let cells: Vec<&str> = line.split('\t').collect();
    if (9..=10).contains(&cells.len()) {
        Ok(cells)
    } else {
        let path = path.display();
        Err(Failure::input(format!(
            "{path}: line {}: there are {} cells, expected 9 or 10",
            number + 1,
            cells.len()
        )))
    }
}

/// The authors' labels, counted.
fn by_label(path: &Path) -> Result<BTreeMap<String, Counts>, Failure> {
    let file = source::read(path)?;
    let mut found: BTreeMap<String, Counts> = BTreeMap::new();
    for (number, line) in file.text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let cells = cells(path, number, line)?;
        let class = match cells[6] {
            "---" => "none",
            class => class,
        };
        let counts = found.entry(class.to_owned()).or_default();
        let feminine_pronoun = cells[0] == "female";
        let count = match (
            cells.get(9).map_or("", |label| label.trim()),
            feminine_pronoun,
        ) {
            ("female", true) => &mut counts.true_feminine,
            ("male", true) => &mut counts.false_masculine,
            ("male", false) => &mut counts.true_masculine,
            ("female", false) => &mut counts.false_feminine,
            ("neutral", _) => &mut counts.neutral,
            ("wrong", _) => &mut counts.wrong,
            (label, _) => {
                return Err(Failure::input(format!(
                    "{}: line {}: `{label}` is none of female, male, neutral, wrong",
                    path.display(),
                    number + 1
                )));
            }
        };
        *count += 1;
    }
    Ok(found)
}

/// Translations without labels, judged by epicene.
fn by_judge(
    workshop: &Workshop,
    done: &mut Reproduced,
    system: &'static str,
    path: &str,
) -> Result<BTreeMap<String, Counts>, Failure> {
    let rows = run(workshop, done, system, path)?;
    let german = Unit::into_language("de");
    let classes = ["F", "M", "none"].map(|class| {
        let group = format!("adjective:{class}");
        let of = |metric: &str| {
            let row = find(&rows, [system, &german, &group], metric);
            row.map_or(0, |row| row.value as u64)
        };
        let counts = Counts {
            true_feminine: of("true_feminine"),
            false_masculine: of("false_masculine"),
            true_masculine: of("true_masculine"),
            false_feminine: of("false_feminine"),
            neutral: of("neutral"),
            wrong: of("wrong"),
            ..Counts::default()
        };
        (class.to_owned(), counts)
    });
    Ok(classes.into_iter().collect())
}

/// A run of a translator's table: sentences in the layout of `data make wibemt`, translations beside their sentences.
fn run(
    workshop: &Workshop,
    done: &mut Reproduced,
    system: &'static str,
    path: &str,
) -> Result<Vec<Row>, Failure> {
    let file = source::read(Path::new(path))?;
    let (mut data, mut answers) = (String::new(), String::new());
    for (number, line) in file.text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let cells = cells(Path::new(path), number, line)?;
        data += &(cells[..8].join("\t") + "\n");
        answers += &format!("{}\t{}\n", cells[2], cells[8]);
    }
    let data = workshop.write(&format!("ewb_{system}.tsv"), &data)?;
    let answers = workshop.write(&format!("ewb_{system}_de.tsv"), &answers)?;
    let mut line = words(&["wibemt", "--lang", "de", "--interval", "published"]);
    line.extend(words(&["--data", &data, "--column", "1,2"]));
    line.extend(words(&["--mt", &format!("{system}=file:{answers}")]));
    workshop.rows(done, "judged", &line)
}

/// Figures 3 and 4 from the counts that their numbers come from.
fn draw(workshop: &Workshop, adjectives: &Adjectives) -> Result<(), Failure> {
    let Some(drawn) = &workshop.figures else {
        return Ok(());
    };
    let mut rows = Vec::new();
    for printed in published::systems() {
        let counts = counts_of(adjectives, printed).into_iter();
        let groups = counts.map(|(class, counts)| (format!("adjective:{class}"), counts));
        let german = Unit::into_language("de");
        rows.extend(group_rows(&printed.name, &german, &groups.collect())?.0);
    }
    let entries = rows.iter().enumerate().map(|(index, row)| Entry {
        row,
        index: Some(index),
        system: &row.system,
    });
    let made = figures(&Data {
        benchmark: "wibemt",
        entries: entries.collect(),
        published: &[],
        same_items: true,
        labels: &BTreeMap::new(),
        metrics: &[],
        compared: &[],
        views: Vec::new(),
    });
    let made = made.into_iter().map(|figure| ("adjectives", figure));
    drawn.borrow_mut().extend(made);
    Ok(())
}

fn table3(adjectives: &Adjectives, done: &mut Reproduced) {
    for printed in published::systems() {
        let own = &adjectives[printed.name.as_str()];
        for class in ["F", "M", "none"] {
            let row = format!("{}, adjective {class}", printed.name);
            for (column, count) in COUNTS {
                let ours = match own {
                    Ok(counts) => Ours::of(counts.get(class).map(|c| count(c) as f64)),
                    Err(path) => Ours::NoFile(path.clone()),
                };
                let number = Printed::fixed(count(&printed.adjectives[class]) as f64, 0);
                // The authors decided by hand where their list did not.
                let by_hand = Some(Reason::HumanLabelsUnpublished);
                done.record("Table 3", (&row, column), number, ours, by_hand);
            }
        }
    }
}

/// Figures 3 and 4 and the tests of H2, from the translators' files, or from the counts that Table 3 prints.
fn hypotheses(adjectives: &Adjectives, done: &mut Reproduced) {
    let tables = published_tables("wibemt");
    let paper = &tables["paper_values"];
    for printed in published::systems() {
        let own = counts_of(adjectives, printed);
        let counts = |class: &str| own[class];
        let system = printed.name.as_str();
        let classes = ["F", "M", "none"];
        let same = classes
            .into_iter()
            .all(|class| counts(class) == printed.adjectives[class]);
        // From the paper's own counts another number is its slip; from ours, people decided differently.
        let why = Some(if same {
            Reason::PaperContradictsItself
        } else {
            Reason::HumanLabelsUnpublished
        });
        for class in classes {
            let (feminine, classified) = (counts(class).feminine(), counts(class).classified());
            let share = 100.0 * feminine as f64 / classified as f64;
            let number = Printed::fixed(number(&paper["tfg"][class][system]), 1);
            let cell = (format!("{system}, adjective {class}"), "%TFG");
            done.record("Figure 3", cell, number, Ours::Value(share), why);
        }
        for (name, one, other) in TESTS {
            let table = [one, other].map(|class| {
                let feminine = counts(class).feminine();
                [feminine, counts(class).classified() - feminine]
            });
            let test = chi_square(&table, true).ok();
            let printed = Printed::fixed(number(&paper[name][system]), 1);
            // DeepL's H2b: no test of Table 3's counts gives 9.1.
            let cell = (system, format!("{name} chi2"));
            let ours = Ours::of(test.as_ref().map(|test| test.statistic));
            done.record("Section 3", cell, printed, ours, why);
            if (system, name) == ("DeepL", "H2b") {
                let printed = Printed::fixed(number(&paper[name]["p_DeepL"]), 3);
                let ours = Ours::of(test.map(|test| (3.0 * test.p_value).min(1.0)));
                done.record("Section 3", (system, "H2b p"), printed, ours, why);
            }
        }
        let order = ["F", "F", "M", "M", "none", "none"].into_iter();
        for (place, class) in order.enumerate() {
            let (counts, feminine) = (counts(class), place % 2 == 0);
            let (right, wrong) = if feminine {
                (counts.true_feminine, counts.false_masculine)
            } else {
                (counts.true_masculine, counts.false_feminine)
            };
            let share = 100.0 * right as f64 / (right + wrong) as f64;
            let printed = number(&paper["figure4_tcg_rounded_1dp"][system][place]);
            let pronoun = if feminine { "feminine" } else { "masculine" };
            let cell = (
                format!("{system}, adjective {class}, {pronoun} pronoun"),
                "%TCG",
            );
            let printed = Printed::fixed(printed, 1);
            done.record("Figure 4", cell, printed, Ours::Value(share), why);
        }
    }
    if adjectives.values().any(Result::is_err) {
        done.note("Figures 3 and 4 and H2 come from the counts that Table 3 prints where a translator's file is missing.");
    }
}

/// The paper calls the correlation strong and prints no number.
fn correlations(done: &mut Reproduced) {
    let known: Vec<(f64, f64)> = occupations::scored()
        .filter_map(|occupation| Some((occupation.score?, occupation.percent_women?)))
        .collect();
    let (scores, women): (Vec<f64>, Vec<f64>) = known.into_iter().unzip();
    let r = pearson(&scores, &women).ok().map(|found| found.r);
    let rho = spearman(&scores, &women).ok().map(|found| found.r);
    let row = "66 occupations, score and % women";
    done.compute("Section 2.2", (row, "Pearson r"), r);
    done.compute("Section 2.2", (row, "Spearman rho"), rho);
}

fn sets(workshop: &Workshop, done: &mut Reproduced) -> Result<(), Failure> {
    let templates = challenge::embedded_templates()?;
    let verbs = challenge::write_verb_sentences(
        &templates,
        &challenge::paper_occupations(),
        &mut std::io::sink(),
    )?;
    let costs = "Section 2.2, size of the extended WinoBias";
    let names = ["winobias_base_3168.tsv", "en.txt", "aggregates/en.txt"];
    let made = match workshop.need(&names, costs, done) {
        Some(file) => {
            let sentences = base::from_table(&source::read(Path::new(&file))?)?;
            let adjectives = challenge::adjectives();
            let sink = &mut std::io::sink();
            Some(challenge::write_extended_winobias(
                &sentences,
                &adjectives,
                sink,
            )?)
        }
        None => None,
    };
    let absent = || Ours::NoFile(names[0].to_owned());
    let of = |count: Option<u64>| count.map_or_else(absent, |count| Ours::Value(count as f64));
    for (column, printed, ours) in [
        ("verb sentences", 4158.0, Some(verbs)),
        ("extended WinoBias", 66_528.0, made),
        ("together", 70_686.0, made.map(|made| made + verbs)),
    ] {
        let printed = Printed::fixed(printed, 0);
        done.record(
            "Section 2.2",
            ("sentences", column),
            printed,
            of(ours),
            None,
        );
    }
    Ok(())
}

fn verbs(workshop: &Workshop, tables: &Tables, done: &mut Reproduced) -> Result<(), Failure> {
    let mut line = words(&["wibemt", "--lang", "de", "--column", "2,5"]);
    line.extend(words(&["--interval", "published"]));
    let sentences = workshop.checkout.file(&["verb_sentences.tsv"]);
    // A translator's table begins with the sentences.
    let data = sentences.map(|path| path.display().to_string());
    if let Some(data) = data.or_else(|| tables.verbs.values().next().cloned()) {
        line.extend(words(&["--data", &data]));
    }
    for system in SYSTEMS {
        match tables.verbs.get(system) {
            Some(file) => line.extend(words(&["--mt", &format!("{system}=file:{file}")])),
            None => {
                let lack = format!("Data/…/Verb_{system}_GenderCategorized.txt");
                let path = workshop.checkout.root().join(lack);
                done.lacks(&path, format!("Section 3, H1 and thirds of {system}"));
            }
        }
    }
    let rows = if tables.verbs.is_empty() {
        Vec::new()
    } else {
        workshop.rows(done, "verbs", &line)?
    };
    let german = Unit::into_language("de");
    let ours = |system: &str, group: &str, metric: &str| {
        if tables.verbs.contains_key(system) {
            Ours::of(find(&rows, [system, &german, group], metric).and_then(value))
        } else {
            Ours::NoFile(format!("Data/…/Verb_{system}_GenderCategorized.txt"))
        }
    };
    let paper = &published_tables("wibemt")["paper_values"];
    for system in SYSTEMS {
        let h1 = &paper["H1"][system];
        for (key, group, metric, decimals) in [
            ("tfg_F", "verb:F", "tfg", 1),
            ("tfg_M", "verb:M", "tfg", 1),
            ("chi2", "H1", "chi2", 1),
            ("p", "H1", "p_value", 3),
        ] {
            let printed = match &h1[key] {
                serde_json::Value::String(text) => Printed::text(text),
                serde_json::Value::Null => continue,
                printed => Printed::fixed(number(printed), decimals),
            };
            let column = format!("H1 {}", key.replace("tfg_", "%TFG, verbs "));
            let ours = ours(system, group, metric);
            done.record("Section 3", (system, column), printed, ours, None);
        }
        let share = &paper["verb_by_occupation_group"]["feminine_pct"][system];
        let printed = Printed::fixed(number(share), 1);
        let cell = (system, "%TFG, feminine occupations");
        done.record(
            "Section 3",
            cell,
            printed,
            ours(system, "third:F", "tfg"),
            None,
        );
        let whole = &paper["all_verb_sentences_tfg"][system];
        if !whole.is_null() {
            let printed = Printed::fixed(number(whole), 1);
            let cell = (system, "%TFG, all verb sentences");
            done.record(
                "Section 3",
                cell,
                printed,
                ours(system, "part:verb", "tfg"),
                None,
            );
        }
    }
    // The paper names the smallest and the largest test of occupation thirds over its systems.
    let tests: Vec<f64> = ["third:F-N", "third:F-M"]
        .iter()
        .flat_map(|group| rows.iter().filter(move |row| row.group == *group))
        .filter(|row| row.metric == "chi2")
        .map(|row| row.value)
        .collect();
    let lacking = SYSTEMS.into_iter().find(|s| !tables.verbs.contains_key(s));
    for (place, column) in ["smallest", "largest"].into_iter().enumerate() {
        let ours = match lacking {
            Some(system) => Ours::NoFile(format!("Data/…/Verb_{system}_GenderCategorized.txt")),
            None => {
                let pick = [f64::min, f64::max][place];
                Ours::of(tests.iter().copied().reduce(pick))
            }
        };
        let range = &paper["verb_by_occupation_group"]["chi2_range"];
        let printed = Printed::fixed(number(&range[place]), 0);
        let cell = ("chi2 of occupation thirds", column);
        done.record("Section 3", cell, printed, ours, None);
    }
    Ok(())
}
