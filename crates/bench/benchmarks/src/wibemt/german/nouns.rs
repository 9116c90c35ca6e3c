//! The list of German nouns, expanded to what the two ways of looking up need.

use std::collections::BTreeMap;

use super::super::label::Label;

/// What a word form says about the occupation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The noun itself, or its genitive.
    Noun(Label),
    /// A masculine noun with -n or -en: singular in the oblique cases, or plural.
    Oblique,
    /// A feminine plural.
    Plural,
    /// A nominalised adjective; with `true`, its form with -n.
    ByArticle(bool),
    /// A nominalised adjective after "ein": "Angestellter".
    Strong,
    /// A loan word that never changes.
    Loan,
}

pub struct Nouns {
    pub occupation: &'static str,
    pub feminine: Vec<String>,
    pub masculine: Vec<String>,
    pub neutral: Vec<String>,
    pub wrong: Vec<String>,
    /// Nominative after der and die.
    pub article: Vec<String>,
    pub loans: Vec<String>,
    /// Every form of every noun, for looking up words.
    pub forms: BTreeMap<String, Form>,
    /// What stands before -in in feminine nouns, for forms such as "Ärzt*in".
    pub stems: Vec<String>,
}

pub fn read() -> BTreeMap<&'static str, Nouns> {
    let table = include_str!("../../../data/wibemt/german-nouns.tsv").lines();
    let rows = table.filter(|line| !line.starts_with('#')).skip(1);
    rows.filter_map(|line| {
        let cells: Vec<&'static str> = line.split('\t').collect();
        let [
            occupation,
            pairs,
            feminine,
            masculine,
            neutral,
            wrong,
            article,
        ] = cells.as_slice()
        else {
            return None;
        };
        let nouns = Nouns::new(
            occupation,
            pairs,
            [feminine, masculine, neutral, wrong],
            article,
        );
        Some((*occupation, nouns))
    })
    .collect()
}

fn entries(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(", ").filter(|entry| !entry.is_empty())
}

impl Nouns {
    fn new(occupation: &'static str, pairs: &str, classes: [&str; 4], article: &str) -> Nouns {
        let [feminine, masculine, neutral, wrong] =
            classes.map(|cell| entries(cell).map(str::to_owned).collect::<Vec<_>>());
        let (loans, article): (Vec<&str>, Vec<&str>) =
            entries(article).partition(|entry| entry.starts_with('='));
        let mut nouns = Nouns {
            occupation,
            feminine,
            masculine,
            neutral,
            wrong,
            article: article.into_iter().map(str::to_owned).collect(),
            loans: loans.into_iter().map(|loan| loan[1..].to_owned()).collect(),
            forms: BTreeMap::new(),
            stems: Vec::new(),
        };
        for pair in entries(pairs) {
            let (masculine, feminine) = match pair.split_once('/') {
                Some((masculine, feminine)) => (masculine.to_owned(), feminine.to_owned()),
                None => (pair.to_owned(), format!("{pair}in")),
            };
            nouns.masculine.push(masculine);
            nouns.feminine.push(feminine);
        }
        nouns.feminine.dedup();
        nouns.collect_forms();
        nouns
    }

    fn collect_forms(&mut self) {
        let mut forms: Vec<(String, Form)> = Vec::new();
        let mut add = |form: String, what: Form| forms.push((form, what));
        // What is added first wins.
        for (words, label) in [
            (&self.feminine, Label::Female),
            (&self.masculine, Label::Male),
            (&self.neutral, Label::Neutral),
            (&self.wrong, Label::Wrong),
        ] {
            for word in words {
                add(word.clone(), Form::Noun(label));
            }
        }
        for loan in &self.loans {
            for ending in ["", "s"] {
                add(format!("{loan}{ending}"), Form::Loan);
            }
        }
        for noun in &self.article {
            add(noun.clone(), Form::ByArticle(false));
            add(format!("{noun}n"), Form::ByArticle(true));
            add(format!("{noun}r"), Form::Strong);
            add(format!("{noun}s"), Form::Noun(Label::Wrong));
        }
        for word in &self.masculine {
            match weak_ending(word) {
                Some(ending) => add(format!("{word}{ending}"), Form::Oblique),
                None => {
                    for ending in ["s", "es"] {
                        add(format!("{word}{ending}"), Form::Noun(Label::Male));
                    }
                }
            }
            if let Some(start) = word.strip_suffix("mann") {
                add(format!("{start}leute"), Form::Plural);
                add(format!("{start}männer"), Form::Plural);
            }
        }
        for word in &self.feminine {
            if word.ends_with("in") {
                add(format!("{word}nen"), Form::Plural);
            }
        }
        for word in &self.wrong {
            for ending in ["s", "in"] {
                add(format!("{word}{ending}"), Form::Noun(Label::Wrong));
            }
        }
        for (form, what) in forms {
            self.forms.entry(form).or_insert(what);
        }
        let stems = self
            .feminine
            .iter()
            .filter_map(|word| word.strip_suffix("in"));
        self.stems = stems.map(str::to_owned).collect();
        self.stems.extend(self.masculine.iter().cloned());
    }
}

/// The ending of a weak masculine noun in the oblique cases: "den Psychologen", "dem Studenten".
fn weak_ending(noun: &str) -> Option<&'static str> {
    const WEAK: [&str; 14] = [
        "ent", "ant", "ist", "dat", "kat", "let", "ekt", "nom", "graf", "graph", "urg", "eut",
        "yst", "loge",
    ];
    if noun.ends_with('e') {
        return Some("n");
    }
    if noun == "Bauer" {
        return Some("n");
    }
    WEAK.iter()
        .any(|ending| noun.ends_with(ending))
        .then_some("en")
}
