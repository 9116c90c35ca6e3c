//! The stored numbers of published systems by epicene's detector, recomputed from their translations. After a change of a
//! detector, `EPICENE_BLESS=1` writes the file anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::table_support::Answered;
use crate::unambiguous_support::{s_items, text};
use crate::wibemt_support::{shared, text_file, unpacked};
use epicene_bench::options::INTERVAL;
use epicene_bench::{AnswerFile, Benchmark, Options, find};
use epicene_core::{Answer, Item, Language, TextFile};

const HEAD: &str = "# Published systems by epicene's own detector, made from the translations that their papers published.\n\
# benchmark\tsystem\tlanguage\tgroup\tmetric\tvalue\n";

/// One system's translations into one language.
struct System {
    name: String,
    language: String,
    answered: Answered,
}

/// A file of translations, as the command line reads it.
fn of_file(
    benchmark: &'static dyn Benchmark,
    items: &[Item],
    file: TextFile,
    (name, language): (&str, &str),
) -> System {
    let given = AnswerFile::Translations {
        file,
        system: name.to_owned(),
        language: Language::find(language).unwrap(),
        allow_missing: false,
    };
    let sheets = benchmark.read_answers(&[given], items, &Options::default());
    let (_, answers) = sheets.unwrap()[0].units.remove(0);
    of_answers(benchmark, items, (name, language), answers)
}

fn of_answers(
    benchmark: &'static dyn Benchmark,
    items: &[Item],
    (name, language): (&str, &str),
    answers: Vec<Answer>,
) -> System {
    let unit = format!("lang:{language}");
    System {
        name: name.to_owned(),
        language: language.to_owned(),
        answered: Answered::translations(benchmark, items, (name, &unit), answers),
    }
}

fn items(benchmark: &dyn Benchmark, data: &str) -> Option<Vec<Item>> {
    let data = text_file(&shared(data)?);
    Some(benchmark.items(&[data], &Options::default()).unwrap())
}

/// Adds the lines of some systems. Rates are the published ones, whose formula ranks use.
fn add(lines: &mut String, benchmark: &str, systems: Vec<System>, kept: &[(&str, &str)]) {
    let options = Options::default()
        .drawing(2, 2)
        .with(&INTERVAL, "published");
    for system in systems {
        let measured = system.answered.measure(&options).unwrap();
        for (group, metric) in kept {
            let row = measured
                .rows
                .iter()
                .find(|row| (row.group.as_str(), row.metric.as_str()) == (*group, *metric))
                .unwrap_or_else(|| panic!("{benchmark} {} has no {metric}", system.name));
            let (name, language, value) = (&system.name, &system.language, row.value);
            writeln!(
                lines,
                "{benchmark}\t{name}\t{language}\t{group}\t{metric}\t{value:.6}"
            )
            .unwrap();
        }
    }
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn gest() -> Option<Vec<System>> {
    let benchmark = find("gest").unwrap();
    let items = items(benchmark, "gest/gest.csv")?;
    let mut systems = Vec::new();
    for system in subfolders(&shared("gest/translations")?) {
        for language in subfolders(&system) {
            let of = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
            let file = text_file(&language.join("translations.csv.gz"));
            let names = (&*of(&system), &*of(&language));
            systems.push(of_file(benchmark, &items, file, names));
        }
    }
    Some(systems)
}

fn winomt() -> Option<Vec<System>> {
    let benchmark = find("winomt").unwrap();
    // The stored translations were made of the sentences of 2019.
    let items = items(benchmark, "winomt/en_2019.tsv.gz")?;
    let mut systems = Vec::new();
    for name in ["google", "systran"] {
        for language in ["ar", "de", "es", "fr", "he", "it", "ru", "uk"] {
            let file = format!("winomt/translations/{name}/en-{language}.txt.gz");
            let file = text_file(&shared(&file)?);
            systems.push(of_file(benchmark, &items, file, (name, language)));
        }
    }
    Some(systems)
}

fn wibemt() -> Option<Vec<System>> {
    let benchmark = find("wibemt").unwrap();
    let items = items(benchmark, "wibemt/verb_sentences.tsv.gz")?;
    let mut systems = Vec::new();
    for (name, file) in [("DeepL", "deepl"), ("Microsoft", "microsoft")] {
        let file = unpacked(&shared(&format!("wibemt/verb_{file}_categorised.tsv.gz"))?);
        let answers = file.lines().zip(&items).map(|(line, item)| {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells[1], item.text);
            Answer::Translation(cells[4].to_owned())
        });
        let answers: Vec<Answer> = answers.collect();
        systems.push(of_answers(benchmark, &items, (name, "de"), answers));
    }
    Some(systems)
}

fn unambiguous() -> Option<Vec<System>> {
    let benchmark = find("unambiguous").unwrap();
    let mut items = s_items();
    items.truncate(14_976);
    let mut systems = Vec::new();
    for language in [
        "be", "ca", "de", "el", "es", "fr", "gl", "hi", "hr", "lv", "pl", "ro", "ru", "ur",
    ] {
        let translated = text(&format!("pipeline_14976/{language}.mt.gz"))?;
        let answers = translated
            .lines()
            .map(|line| Answer::Translation(line.to_owned()));
        let names = ("m2m_100_1.2B, 14,976 of S", language);
        systems.push(of_answers(benchmark, &items, names, answers.collect()));
    }
    Some(systems)
}

#[test]
fn stored_numbers_of_published_systems_are_those_of_the_detector() {
    let made = || Some((gest()?, winomt()?, wibemt()?, unambiguous()?));
    let Some((gest, winomt, wibemt, unambiguous)) = made() else {
        return;
    };
    assert_eq!((gest.len(), winomt.len(), wibemt.len()), (23, 16, 2));
    let mut lines = HEAD.to_owned();
    add(&mut lines, "gest", gest, &[("all", "f_s"), ("all", "f_m")]);
    let whole = [("all", "acc"), ("all", "delta_g"), ("all", "delta_s")];
    add(&mut lines, "winomt", winomt, &whole);
    let verbs = [("verb:F", "tfg"), ("verb:M", "tfg")];
    add(&mut lines, "wibemt", wibemt, &verbs);
    let whole = [("all", "correct"), ("all", "wrong"), ("all", "na")];
    add(&mut lines, "unambiguous", unambiguous, &whole);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data/published/by_epicene.tsv");
    if std::env::var_os("EPICENE_BLESS").is_some() {
        std::fs::write(&path, &lines).unwrap();
    }
    let stored = std::fs::read_to_string(&path).unwrap();
    for (stored, found) in stored.lines().zip(lines.lines()) {
        assert_eq!(stored, found, "EPICENE_BLESS=1 writes the file anew");
    }
    assert_eq!(stored.lines().count(), lines.lines().count());
}
