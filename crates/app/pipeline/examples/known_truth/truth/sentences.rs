//! Sentences whose gender is known: our mirrored ones (`crates/base/lang/tests`), written in both genders, and annotated
//! ones of the reference data. Without the reference data only ours are there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use epicene_bench::Options;
use epicene_core::{Item, Language, TextFile};
use epicene_io::input::read_text;

/// What a speaker says, by gender (masculine, feminine) and origin; `open` shows no gender.
#[derive(Default)]
pub struct Speakers {
    pub gendered: [Vec<Vec<String>>; 2],
    pub open: Vec<String>,
}

/// A person of an English sentence, with a translation for a man and one for a woman.
#[derive(Clone)]
pub struct Person {
    pub source: String,
    /// Index of the noun among the words between spaces.
    pub index: usize,
    pub noun: String,
    pub texts: [String; 2],
}

/// Translations of one source by the genders of its persons: `m`, `f`, `mf` …
pub type Variants = BTreeMap<String, String>;

fn own(part: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../base/lang/tests")
        .join(part)
}

/// The lines of a table of ours, without comments; none where there is no file.
fn table(part: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(own(part)).unwrap_or_default();
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| line.split('\t').map(str::to_owned).collect())
        .collect()
}

/// `{mude|müde}` stands for two wordings.
fn wordings(text: &str) -> [String; 2] {
    let mut both = [String::new(), String::new()];
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (choice, behind) = after.split_once('}').expect("a closing brace");
        let (one, other) = choice.split_once('|').expect("two wordings");
        both[0].extend([before, one]);
        both[1].extend([before, other]);
        rest = behind;
    }
    both.map(|text| (text + rest).replace(['[', ']'], ""))
}

/// Masculine and feminine, where the verdicts wanted are one of each.
fn mirrored(wanted: &str, text: &str) -> Option<[String; 2]> {
    let [first, second] = wordings(text);
    match wanted {
        "mf" => Some([first, second]),
        "fm" => Some([second, first]),
        _ => None,
    }
}

pub fn speakers(code: &str, data: Option<&Path>) -> Speakers {
    let mut speakers = Speakers::default();
    let mut add = |both: [Vec<String>; 2]| {
        for (all, own) in speakers.gendered.iter_mut().zip(both) {
            if !own.is_empty() {
                all.push(own);
            }
        }
    };
    let mut open = Vec::new();
    let mut pairs = [Vec::new(), Vec::new()];
    for line in table(&format!("mirrored/first_person/{code}.txt")) {
        match mirrored(&line[0], &line[1]) {
            Some([masculine, feminine]) => {
                pairs[0].push(masculine);
                pairs[1].push(feminine);
            }
            None if line[0].chars().all(|wanted| wanted == 'u') => open.extend(wordings(&line[1])),
            None => {}
        }
    }
    add(pairs);
    if let Some(data) = data {
        let mut gold = [Vec::new(), Vec::new()];
        let text = fs::read_to_string(data.join(format!("gold/first_person/{code}.tsv")));
        for line in text.unwrap_or_default().lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields[..] {
                [_, _, "m", "yes", text] => gold[0].push(text.to_owned()),
                [_, _, "f", "yes", text] => gold[1].push(text.to_owned()),
                [_, _, "none", "yes", text] => open.push(text.to_owned()),
                _ => {}
            }
        }
        add(gold);
        add(eurogest(code, data));
    }
    speakers.open = open;
    speakers
}

/// EuroGEST's pairs of what a man and a woman say.
fn eurogest(code: &str, data: &Path) -> [Vec<String>; 2] {
    let language = Language::find(code).expect("the registry has it");
    let name = language.name().to_lowercase();
    let file = data.join(format!("eurogest/sentences/{name}.csv.xz"));
    let mut pairs = [Vec::new(), Vec::new()];
    if !file.exists() {
        return pairs;
    }
    let text = read_text(&file).expect("a readable file").text;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let columns = ["Masculine", "Feminine"]
        .map(|name| header.iter().position(|own| own == name).expect("a column"));
    for record in reader.records() {
        let record = record.expect("a row");
        if columns
            .iter()
            .all(|column| !record[*column].trim().is_empty())
        {
            for (all, column) in pairs.iter_mut().zip(columns) {
                all.push(record[column].to_owned());
            }
        }
    }
    pairs
}

/// The text with its marks between spaces, as the grammar of Unambiguous writes it.
fn spaced(text: &str) -> String {
    let mut spaced = String::new();
    for letter in text.chars() {
        let mark = !letter.is_alphanumeric() && !matches!(letter, '-' | '\'' | '’' | ' ');
        if mark || letter == '\'' {
            spaced.push(' ');
        }
        spaced.push(letter);
        if mark {
            spaced.push(' ');
        }
    }
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.join(" ")
}

/// A person whose noun is one word that the source has once.
fn person(source: &str, noun: &str, texts: [String; 2]) -> Option<Person> {
    let (source, noun) = (spaced(source), noun.to_lowercase());
    let mut found = source
        .split(' ')
        .enumerate()
        .filter(|(_, word)| word.to_lowercase() == noun);
    let (index, _) = found.next()?;
    if found.next().is_some() || texts[0] == texts[1] {
        return None;
    }
    Some(Person {
        index,
        noun,
        texts,
        source: source.clone(),
    })
}

pub fn persons(code: &str, data: Option<&Path>) -> Vec<Person> {
    let mut persons: Vec<Person> = own_persons(code);
    let Some(data) = data else { return persons };
    let text = fs::read_to_string(data.join(format!("gold/persons/{code}.tsv")));
    let text = text.unwrap_or_default();
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    for pair in rows.chunks(2) {
        let [masculine, feminine] = pair else {
            continue;
        };
        assert!(masculine[7] == "m" && feminine[7] == "f", "{}", feminine[0]);
        let texts = [masculine[8].to_owned(), feminine[8].to_owned()];
        persons.extend(person(masculine[2], masculine[4], texts));
    }
    if rows.is_empty() {
        for item in gate_items(code, data) {
            persons.extend(person_of(&item));
        }
    }
    persons
}

/// The mirrored sentences about persons that have a source.
fn own_persons(code: &str) -> Vec<Person> {
    let sources = table("traps/persons/sources.txt");
    let sources: BTreeMap<&str, [&str; 2]> = sources
        .iter()
        .map(|line| (line[0].as_str(), [line[2].as_str(), line[3].as_str()]))
        .collect();
    let lines = table(&format!("traps/persons/{code}.txt"));
    let by_key = lines.iter().filter_map(|line| {
        let [noun, source] = sources[line[0].as_str()];
        person(source, noun, mirrored(&line[1], &line[2])?)
    });
    let mut persons: Vec<Person> = by_key.collect();
    for file in ["first", "second", "third"] {
        let lines = table(&format!("traps/persons/{file}.tsv"));
        let own = lines.iter().filter(|line| line[0] == code);
        persons.extend(
            own.filter_map(|line| person(&line[3], &line[2], mirrored(&line[4], &line[5])?)),
        );
    }
    persons
}

/// A source of GATE about one person who is named by one noun.
fn person_of(item: &Item) -> Option<Person> {
    const OTHERS: [&str; 20] = [
        "i", "we", "you", "they", "them", "me", "us", "who", "one", "those", "all", "both",
        "others", "anyone", "everyone", "someone", "many", "few", "some", "most",
    ];
    let label = |name: &str| item.label(name).expect("a label of GATE's");
    let variants: Variants = serde_json::from_str(label("variants")).ok()?;
    let texts = [variants.get("m")?.clone(), variants.get("f")?.clone()];
    let key = label("key_words");
    let noun = match key.split_once('[') {
        Some((_, rest)) => rest.split_once(']')?.0,
        None => key,
    };
    let one = noun.chars().all(char::is_alphabetic) && !key.contains('=');
    let named = one && !OTHERS.contains(&&*noun.to_lowercase());
    named.then(|| person(&item.text, noun, texts)).flatten()
}

fn items(benchmark: &str, code: &str, files: &[TextFile]) -> Vec<Item> {
    let mut options = Options::default();
    options.languages = vec![Language::find(code).expect("the registry has it")];
    let benchmark = epicene_bench::find(benchmark).expect("a benchmark");
    benchmark.items(files, &options).expect("its own data")
}

/// GATE's sources; none where a language has no file.
fn gate_items(code: &str, data: &Path) -> Vec<Item> {
    let file = data.join(format!("gate/gate.{code}.jsonl.xz"));
    if !file.exists() {
        return Vec::new();
    }
    items("gate", code, &[read_text(&file).expect("a readable file")])
}

/// Translations of the same source for every combination of genders, ours first.
pub fn variants(code: &str, data: Option<&Path>) -> Vec<Vec<Variants>> {
    let named = |[masculine, feminine]: [String; 2]| {
        Variants::from([("m".to_owned(), masculine), ("f".to_owned(), feminine)])
    };
    let mut all = vec![pairs_of_ours(code).into_iter().map(named).collect()];
    if let Some(data) = data {
        let gate = gate_items(code, data);
        let gold: Vec<Variants> = if gate.is_empty() {
            let persons = persons(code, Some(data)).into_iter();
            let gold = persons.skip(own_persons(code).len());
            gold.map(|person| named(person.texts)).collect()
        } else {
            let variants = gate.iter().map(|item| item.label("variants"));
            let read = |text: Option<&str>| serde_json::from_str(text.unwrap_or("")).ok();
            variants.filter_map(read).collect()
        };
        all.push(gold);
    }
    all.retain(|some| !some.is_empty());
    all
}

/// Masculine and feminine references of one source, ours first.
pub fn pairs(code: &str, data: Option<&Path>) -> Vec<Vec<[String; 2]>> {
    let mut all = vec![pairs_of_ours(code)];
    if let Some(data) = data {
        let stem = "mtgeneval/sentences/test/geneval-sentences";
        let read = |gender: &str| {
            let path = data.join(format!("{stem}-{gender}-test.en_{code}.{code}.xz"));
            let text = read_text(&path).expect("MT-GenEval's references").text;
            text.lines().map(str::to_owned).collect::<Vec<String>>()
        };
        let both = read("masculine").into_iter().zip(read("feminine"));
        all.push(
            both.map(|(masculine, feminine)| [masculine, feminine])
                .collect(),
        );
    }
    all.retain(|some| !some.is_empty());
    all
}

/// All mirrored sentences about persons, with a source or without.
fn pairs_of_ours(code: &str) -> Vec<[String; 2]> {
    let lines = table(&format!("mirrored/persons/{code}.txt"));
    let without = lines.iter().filter_map(|line| mirrored(&line[1], &line[2]));
    let with = own_persons(code).into_iter().map(|person| person.texts);
    without.chain(with).collect()
}
