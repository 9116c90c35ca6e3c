//! XLM and FlauBERT (`XLMTokenizer`, `FlaubertTokenizer`): words by Moses' rules, then pairs of `vocab.json` and `merges.txt`. There is no
//! `tokenizer.json` that does this: texts become pieces here, and the tokenizer that is built beside only frames and spells them.
//!
//! `transformers` reads every text of XLM as English, whatever a caller says, and so does epicene unless `EPICENE_XLM_LANGUAGE` names another
//! language. FlauBERT reads French.

mod characters;
mod pairs;
mod placed;
mod prefixes;
mod punctuation;
mod words;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use regex::Regex;
use serde_json::Value;
use tokenizers::Encoding;

use super::classes::check;
use super::old::{OldFiles, class_of, named, tokenizer_json, vocabulary};
use super::settings;
use epicene_checkpoint::{CheckpointError, Writer};
use pairs::Pairs;
use placed::{Placed, Rule, group};
use punctuation::Punctuation;
use words::Words;

/// The language of the texts of XLM.
pub const VARIABLE: &str = "EPICENE_XLM_LANGUAGE";

const XLM: &str = "XLMTokenizer";
const FLAUBERT: &str = "FlaubertTokenizer";
const VOCABULARY: &str = "vocab.json";
const MERGES: &str = "merges.txt";
const OTHER: &str = "tokenizer.json";

/// Settings that are looked at here.
const UNDERSTOOD: &[&str] = &[
    "bos_token",
    "do_lower_case",
    "do_lowercase",
    "do_lowercase_and_remove_accent",
    "split_special_tokens",
    "tokenizer_class",
];

/// Languages whose words other programs split, and which.
const ELSEWHERE: [(&str, &str); 3] = [("zh", "Jieba"), ("ja", "KyTea"), ("th", "PyThaiNLP")];

/// Texts to pieces.
#[derive(Debug)]
pub struct Pieces {
    family: Family,
    rules: Arc<Rules>,
    pairs: Pairs,
    ids: BTreeMap<String, u32>,
    unknown: u32,
    mask: Option<u32>,
    /// Added tokens, the longest first: they are found in a text before anything is done to it.
    added: Option<Regex>,
}

/// Moses' rules for a language.
#[derive(Debug)]
struct Rules {
    punctuation: Punctuation,
    words: Words,
}

impl Rules {
    /// They are made once, since that takes longer than a hundred texts.
    fn of(language: &str) -> Arc<Rules> {
        static MADE: Mutex<BTreeMap<String, Arc<Rules>>> = Mutex::new(BTreeMap::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = made.entry(language.to_owned()).or_insert_with(|| {
            Arc::new(Rules {
                punctuation: Punctuation::new(language),
                words: Words::new(language),
            })
        });
        Arc::clone(rules)
    }
}

#[derive(Debug)]
enum Family {
    Xlm {
        /// Added tokens or any letter, where letters are made small before anything else.
        lowers_first: Option<Regex>,
        /// What becomes small letters without accents behind Moses' rules.
        accents: Option<Rule>,
        /// Letters of Romanian without their marks.
        romanian: Vec<Rule>,
    },
    Flaubert {
        quotes: Vec<Rule>,
        lowers: bool,
    },
}

/// Whether the files are of one of these classes, by name or by the model's type, and not a `tokenizer.json` of somebody's own.
pub fn is_meant(files: &OldFiles<'_>) -> Result<bool, CheckpointError> {
    if !matches!(class_of(files), Some(XLM | FLAUBERT)) {
        return Ok(false);
    }
    let is_there = |file| Ok::<_, CheckpointError>((files.read)(file)?.is_some());
    if !is_there(OTHER)? {
        return Ok(true);
    }
    let refuse = |problem: String| {
        Err(CheckpointError::Tokenizer {
            file: OTHER.to_owned(),
            problem,
        })
    };
    match files.class() {
        Some("PreTrainedTokenizerFast") => Ok(false),
        _ if is_there(VOCABULARY)? && is_there(MERGES)? => refuse(
            "it stands beside vocab.json and merges.txt, which alone XLM and FlauBERT read in `transformers`; take one or the other away"
                .to_owned(),
        ),
        Some(class) => refuse(format!(
            "{class} reads vocab.json and merges.txt instead, which are not both present"
        )),
        None => Ok(false),
    }
}

/// The `tokenizer.json` that frames and spells pieces, and what makes them.
pub fn open(
    files: &OldFiles<'_>,
    language: Option<&str>,
) -> Result<Option<(Vec<u8>, Pieces)>, CheckpointError> {
    let settings = files.settings;
    check(settings, UNDERSTOOD)?;
    settings.refuse("split_special_tokens")?;
    let Some(json) = tokenizer_json(files)? else {
        return Ok(None);
    };
    let broken = |problem: String| CheckpointError::Tokenizer {
        file: VOCABULARY.to_owned(),
        problem,
    };
    let state: Value = serde_json::from_slice(&json).map_err(|error| broken(error.to_string()))?;
    let mut ids = vocabulary(files)?;
    let unknown = named(files, "unk_token").unwrap_or_default();
    let unknown = *ids
        .get(&unknown)
        .ok_or_else(|| broken(format!("no token `{unknown}`")))?;
    let mut added = Added::default();
    for token in state["added_tokens"].as_array().into_iter().flatten() {
        added.take(token, &mut ids)?;
    }
    let merges = (files.read)(MERGES)?.unwrap_or_default();
    let merges = String::from_utf8(merges).map_err(|_| CheckpointError::Tokenizer {
        file: MERGES.to_owned(),
        problem: "not UTF-8".to_owned(),
    })?;
    let (family, language) = if class_of(files) == Some(FLAUBERT) {
        let family = Family::Flaubert {
            quotes: Rule::all(&[("``", "\""), ("''", "\"")]),
            lowers: settings.flag("do_lowercase", false)?,
        };
        (family, "fr")
    } else {
        let language = match language {
            None => "en",
            Some(language) => chosen(files, language)?,
        };
        (xlm(files, language, &added)?, language)
    };
    let mask = named(files, "mask_token").and_then(|mask| ids.get(&mask).copied());
    let pieces = Pieces {
        family,
        rules: Rules::of(language),
        pairs: Pairs::parse(&merges),
        ids,
        unknown,
        mask,
        added: added.longest_first(),
    };
    Ok(Some((json, pieces)))
}

/// Added tokens by their texts.
#[derive(Debug, Default)]
struct Added {
    special: Vec<String>,
    /// Those that are found in the text made small.
    normalized: Vec<String>,
    others: Vec<String>,
}

impl Added {
    fn take(
        &mut self,
        token: &Value,
        ids: &mut BTreeMap<String, u32>,
    ) -> Result<(), CheckpointError> {
        let flag = |field: &str| token[field].as_bool().unwrap_or(false);
        let (Some(text), Some(id)) = (token["content"].as_str(), token["id"].as_u64()) else {
            return Ok(());
        };
        if text.is_empty() {
            return Ok(());
        }
        if flag("single_word") {
            return Err(CheckpointError::Tokenizer {
                file: settings::FILE.to_owned(),
                problem: format!("`{text}` counts as a whole word only, which is not supported"),
            });
        }
        let id = u32::try_from(id).expect("it was made from such a number");
        ids.insert(text.to_owned(), id);
        let kind = match (flag("special"), flag("normalized")) {
            (true, _) => &mut self.special,
            (false, true) => &mut self.normalized,
            (false, false) => &mut self.others,
        };
        kind.push(text.to_owned());
        Ok(())
    }

    fn longest_first(mut self) -> Option<Regex> {
        let mut all = self.special;
        all.append(&mut self.normalized);
        all.append(&mut self.others);
        all.sort_by_key(|token| std::cmp::Reverse(token.len()));
        (!all.is_empty()).then(|| any_of(all.iter(), ""))
    }
}

fn any_of<'a>(tokens: impl Iterator<Item = &'a String>, more: &str) -> Regex {
    let tokens: Vec<String> = tokens.map(|token| regex::escape(token)).collect();
    Regex::new(&format!("({}){more}", tokens.join("|"))).expect("escaped texts are a pattern")
}

/// A language that somebody names for the texts.
fn chosen<'a>(files: &OldFiles<'_>, language: &'a str) -> Result<&'a str, CheckpointError> {
    let refuse = |problem: String| CheckpointError::Unreadable {
        file: VARIABLE.to_owned(),
        problem,
    };
    let other = ELSEWHERE.iter().find(|(name, _)| *name == language);
    if let Some((_, program)) = other {
        return Err(refuse(format!(
            "XLM splits words of `{language}` by {program}, which is not supported; unset it to read them as `transformers` does unasked, \
             as English, or split them yourself and ask through the Python package"
        )));
    }
    let stored = files.settings.stored("lang2id");
    let known = stored.or_else(|| files.config.stored("lang2id"));
    let is_known = match known.and_then(Value::as_object) {
        Some(known) if !known.is_empty() => known.contains_key(language),
        _ => (2..=3).contains(&language.len()) && language.chars().all(|c| c.is_ascii_lowercase()),
    };
    if !is_known {
        let problem = format!("`{language}` is no language of this checkpoint (`lang2id`)");
        return Err(refuse(problem));
    }
    files.config.remark(format!("language={language}"));
    Ok(language)
}

fn xlm(files: &OldFiles<'_>, language: &str, added: &Added) -> Result<Family, CheckpointError> {
    let lowers = files
        .settings
        .flag("do_lowercase_and_remove_accent", true)?;
    if lowers {
        // Version 4 makes the text small before the words are split as well, so that no full stop stands before a capital.
        files.config.remark_writer();
    }
    let lowers_first = lowers && files.config.writer() == Writer::Four;
    let romanian: &[(&str, &str)] = match language {
        "ro" => &[
            ("[ŞȘ]", "S"),
            ("[şș]", "s"),
            ("[ŢȚ]", "T"),
            ("[ţț]", "t"),
            ("[ĂÂ]", "A"),
            ("[ăâ]", "a"),
            ("Î", "I"),
            ("î", "i"),
        ],
        _ => &[],
    };
    let kept = added.special.iter().chain(&added.normalized);
    Ok(Family::Xlm {
        lowers_first: lowers_first.then(|| any_of(kept, "|(.)")),
        accents: lowers.then(|| Rule::new(r"\p{Mn}", "")),
        romanian: Rule::all(romanian),
    })
}

impl Pieces {
    pub fn mask(&self) -> Option<u32> {
        self.mask
    }

    pub fn unknown(&self) -> u32 {
        self.unknown
    }

    /// The tokens of a text, each with its place in it, without a frame.
    pub fn encoding(&self, text: &str) -> Encoding {
        let mut found = Found::default();
        let mut text = Placed::new(text);
        if let Family::Xlm {
            lowers_first: Some(letters),
            ..
        } = &self.family
        {
            text.rewrite(letters, |source, found, written| {
                let range = group(found, 0);
                let place = source.place(range.clone());
                let is_kept = found.get(1).is_some();
                for letter in source.text()[range].chars() {
                    if is_kept {
                        written.push(letter, place);
                    } else {
                        let small = letter.to_lowercase();
                        small.for_each(|small| written.push(small, place));
                    }
                }
            });
        }
        let mut rest = 0;
        let added = self.added.iter();
        for token in added.flat_map(|added| added.find_iter(text.text())) {
            self.add(text.part(rest..token.start()), &mut found);
            found.push(
                self.ids[token.as_str()],
                token.as_str(),
                text.place(token.range()),
            );
            rest = token.end();
        }
        self.add(text.part(rest..text.text().len()), &mut found);
        found.encoding()
    }

    /// The pieces of a text without added tokens.
    fn add(&self, mut text: Placed, found: &mut Found) {
        if let Family::Flaubert { quotes, lowers } = &self.family {
            for rule in quotes {
                rule.apply(&mut text);
            }
            text.compose();
            if *lowers {
                text.lowercase();
            }
        }
        self.rules.punctuation.normalize(&mut text);
        if let Family::Xlm { romanian, .. } = &self.family {
            for rule in romanian {
                rule.apply(&mut text);
            }
        }
        for mut word in self.rules.words.of(&mut text) {
            if let Family::Xlm {
                accents: Some(accents),
                ..
            } = &self.family
            {
                word.lowercase();
                word.decompose();
                accents.apply(&mut word);
                word.lowercase();
            }
            for piece in self.pairs.of(word.text()) {
                let place = word.place(piece.clone());
                let end = if piece.end == word.text().len() {
                    pairs::END
                } else {
                    ""
                };
                let spelled = format!("{}{end}", &word.text()[piece]);
                let id = self.ids.get(&spelled).copied();
                found.push(id.unwrap_or(self.unknown), &spelled, place);
            }
        }
    }
}

/// Tokens as the library wants them.
#[derive(Debug, Default)]
struct Found {
    ids: Vec<u32>,
    tokens: Vec<String>,
    places: Vec<(usize, usize)>,
}

impl Found {
    fn push(&mut self, id: u32, token: &str, place: (usize, usize)) {
        self.ids.push(id);
        self.tokens.push(token.to_owned());
        self.places.push(place);
    }

    fn encoding(self) -> Encoding {
        let count = self.ids.len();
        Encoding::new(
            self.ids,
            vec![0; count],
            self.tokens,
            vec![None; count],
            self.places,
            vec![0; count],
            vec![1; count],
            Vec::new(),
            Default::default(),
        )
    }
}
