//! What a language looks like: its script, its letters, its commonest words.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::OnceLock;

use epicene_core::{Language, Script};

/// Share of a text's words that a list of function words makes up, roughly, in any language.
const LISTED: f64 = 0.45;
/// Words beyond the lists, all alike.
const UNLISTED: f64 = (1.0 - LISTED) / 20_000.0;
/// What a letter costs that the language does not write.
const FOREIGN_LETTER: f64 = 4.0;
/// What a word of another script costs.
const FOREIGN_SCRIPT: f64 = 7.0;

/// One or several languages that a file does not tell apart.
#[derive(Debug)]
pub struct Profile {
    pub codes: Vec<&'static str>,
    pub scripts: Vec<Script>,
    /// `None` where the script alone tells.
    letters: Option<BTreeSet<char>>,
    words: BTreeMap<&'static str, f64>,
}

impl Profile {
    pub fn stands_for(&self, code: &str) -> bool {
        self.codes.contains(&code)
    }

    /// Log-probability of a word that is not among its commonest.
    fn of_spelling(&self, word: &Spelling) -> f64 {
        let own_script = word.scripts.iter().all(|one| self.scripts.contains(one));
        // Japanese is hardly written without a kana.
        let kanaless = self.scripts.contains(&Script::Hiragana) && !word.has_kana();
        let foreign = kanaless || !self.writes(word);
        let penalty = match (own_script, foreign) {
            (false, _) => FOREIGN_SCRIPT,
            (true, true) => FOREIGN_LETTER,
            (true, false) => 0.0,
        };
        UNLISTED.ln() - penalty * word.length()
    }

    /// Whether a word is among the commonest.
    pub fn lists(&self, word: &str) -> bool {
        self.words.contains_key(word)
    }

    /// Whether all of a word's letters are the language's own.
    fn writes(&self, word: &Spelling) -> bool {
        match &self.letters {
            Some(letters) => word.letters.iter().all(|letter| letters.contains(letter)),
            // A profile without letters and of the Latin script has a-z alone.
            None => word.is_ascii || !self.scripts.contains(&Script::Latin),
        }
    }
}

/// What was found of words, which come again, and of spellings, which most words of a language have in common.
#[derive(Default)]
pub struct Seen {
    words: HashMap<String, Vec<f64>>,
    spellings: HashMap<Spelling, Vec<f64>>,
}

impl Seen {
    /// Log-probability of a word in small letters under every profile.
    pub fn of_word(&mut self, word: &str) -> &[f64] {
        // Asked for twice: the borrow of a first answer would outlive the insertion.
        if !self.words.contains_key(word) {
            let of_spelling = self.spellings.entry(Spelling::of(word));
            let mut found = of_spelling
                .or_insert_with_key(|spelling| {
                    let all = profiles().iter();
                    all.map(|profile| profile.of_spelling(spelling)).collect()
                })
                .clone();
            for (place, known) in listed().get(word).into_iter().flatten() {
                found[*place] = *known;
            }
            self.words.insert(word.to_owned(), found);
        }
        &self.words[word]
    }
}

/// The profiles that list a word, in their order, with its log-probability there.
fn listed() -> &'static HashMap<&'static str, Vec<(usize, f64)>> {
    static LISTED: OnceLock<HashMap<&'static str, Vec<(usize, f64)>>> = OnceLock::new();
    LISTED.get_or_init(|| {
        let mut listed: HashMap<&'static str, Vec<(usize, f64)>> = HashMap::new();
        for (place, profile) in profiles().iter().enumerate() {
            for (word, known) in &profile.words {
                listed.entry(word).or_default().push((place, *known));
            }
        }
        listed
    })
}

/// What every profile asks of a word.
#[derive(PartialEq, Eq, Hash)]
struct Spelling {
    /// Each once.
    scripts: Vec<Script>,
    is_ascii: bool,
    /// Those beyond a-z, each once and in order.
    letters: Vec<char>,
    /// Letters of scripts that write several words in one run, as Chinese and Japanese do.
    unspaced: usize,
}

impl Spelling {
    fn of(text: &str) -> Spelling {
        let mut scripts = Vec::new();
        let mut unspaced = 0;
        for script in text.chars().filter_map(Script::of) {
            let several = matches!(script, Script::Han | Script::Hiragana | Script::Katakana);
            unspaced += usize::from(several);
            if !scripts.contains(&script) {
                scripts.push(script);
            }
        }
        let beyond = |letter: &char| !letter.is_ascii() && letter.is_alphabetic();
        let mut letters: Vec<char> = text.chars().filter(beyond).collect();
        letters.sort_unstable();
        letters.dedup();
        Spelling {
            scripts,
            is_ascii: text.is_ascii(),
            letters,
            unspaced,
        }
    }

    /// How many words it is.
    fn length(&self) -> f64 {
        (self.unspaced as f64 / 2.0).max(1.0)
    }

    fn has_kana(&self) -> bool {
        let mut kana = [Script::Hiragana, Script::Katakana].iter();
        kana.any(|kana| self.scripts.contains(kana))
    }
}

/// A script by its ISO 15924 code.
fn script(code: &str) -> Script {
    let mut known = Language::all().flat_map(|language| language.scripts());
    let found = known.find(|script| script.code() == code);
    *found.expect("the data file names scripts that a language is written in")
}

/// Every profile, in the order of the data file.
pub fn profiles() -> &'static [Profile] {
    static PROFILES: OnceLock<Vec<Profile>> = OnceLock::new();
    PROFILES.get_or_init(|| {
        let text = include_str!("../../data/identify/profiles.txt");
        let mut lines = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let mut profiles = Vec::new();
        while let Some(codes) = lines.next() {
            let mut next = || {
                lines
                    .next()
                    .expect("a profile of the data file has four lines")
            };
            let scripts = next().split_whitespace().map(script).collect();
            let letters = Some(next()).filter(|letters| *letters != "-");
            profiles.push(Profile {
                codes: codes.split_whitespace().collect(),
                scripts,
                letters: letters.map(|letters| letters.chars().collect()),
                words: weights(next()),
            });
        }
        profiles
    })
}

/// Words by their rank, as Zipf found them.
fn weights(list: &'static str) -> BTreeMap<&'static str, f64> {
    let mut words: Vec<&str> = Vec::new();
    for word in list.split_whitespace().filter(|word| *word != "-") {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let weight = |rank: usize| 1.0 / (rank as f64 + 5.0);
    let total: f64 = (0..words.len()).map(weight).sum();
    words
        .into_iter()
        .enumerate()
        .map(|(rank, word)| (word, (LISTED * weight(rank) / total).ln()))
        .collect()
}
