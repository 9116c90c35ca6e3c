//! Tokens, tags and alignments that somebody already has (specification, section 5): a file of result
//! tags, lines of `source->target->tag`, or tokens with tags and Pharaoh links.

use std::collections::BTreeMap;

use epicene_core::{Finding, InputError, Item, Language, TextFile, counted, there_are};
use epicene_lang::align::{Link, parse_links};
use epicene_lang::occupation::OccupationJudge;

use super::counts::tag;
use crate::inputs::Asking;
use crate::options::{DETECTOR, DetectorRules};

/// A target word that stands for a source word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aligned<'a> {
    /// Which run of source words it belongs to: a repeated word counts anew.
    pub source_place: usize,
    pub source: &'a str,
    pub target: &'a str,
    pub tag: Finding,
}

/// What is known about one language beside its translations.
#[derive(Debug, Clone, Copy)]
pub enum KnownResults<'a> {
    /// One tag a line.
    Results(&'a TextFile),
    /// One `source->target->tag` for every link.
    Aligned(&'a TextFile),
    /// Tokens, a tag for each, and links.
    Tagged {
        tokens: &'a TextFile,
        tags: &'a TextFile,
        links: &'a TextFile,
    },
    /// Links to the words of the translation.
    Links(&'a TextFile),
    /// Tokens and links to them.
    Tokens {
        tokens: &'a TextFile,
        links: &'a TextFile,
    },
}

/// Refuses files that do not belong together, or not to these items.
pub fn check_together(
    inputs: &BTreeMap<String, TextFile>,
    items: &[Item],
) -> Result<(), InputError> {
    let languages = inputs.keys().filter_map(|role| role.split_once(':'));
    for language in languages.filter_map(|(_, code)| Language::find(code)) {
        if let Some(given) = KnownResults::of(inputs, language)? {
            given.check(items)?;
        }
    }
    Ok(())
}

/// What links, tokens and a lexicon belong to.
pub const WITHOUT_TAGS: &str = "translations without given tags";
const JUDGED_HERE: &str = "languages that have a detector; tags (result:LANG) need none";

/// What a file belongs to that is not read beside the others of its language.
pub fn unread(role: &str, asking: &Asking<'_>, language: Option<Language>) -> Option<&'static str> {
    let language = language.expect("the role has a language");
    // Files that do not belong together have an error of their own.
    let given = KnownResults::of(&asking.options.inputs, language).ok()??;
    if !given.files().iter().any(|(read, _)| *read == role) {
        return Some(WITHOUT_TAGS);
    }
    let is_judged = given.has_tags() || OccupationJudge::of(language).is_some();
    (!is_judged).then_some(JUDGED_HERE)
}

/// The same of nouns for persons.
pub fn lexicon_unread(asking: &Asking<'_>, language: Option<Language>) -> Option<&'static str> {
    let language = language.expect("the role has a language");
    let given = KnownResults::of(&asking.options.inputs, language)
        .ok()
        .flatten();
    if asking.options.get(&DETECTOR) == DetectorRules::Published {
        Some("--detector epicene")
    } else if given.is_some_and(|given| given.has_tags()) {
        Some(WITHOUT_TAGS)
    } else if OccupationJudge::of(language).is_none() {
        Some(JUDGED_HERE)
    } else {
        None
    }
}

impl<'a> KnownResults<'a> {
    /// What the inputs hold for a language, `None` if nothing.
    pub fn of(
        inputs: &'a BTreeMap<String, TextFile>,
        language: Language,
    ) -> Result<Option<KnownResults<'a>>, InputError> {
        let find = |role: &str| inputs.get(&format!("{role}:{language}"));
        if let Some(file) = find("result") {
            return Ok(Some(KnownResults::Results(file)));
        }
        if let Some(file) = find("aligned") {
            return Ok(Some(KnownResults::Aligned(file)));
        }
        match (find("tok"), find("tag"), find("align")) {
            (Some(tokens), Some(tags), Some(links)) => Ok(Some(KnownResults::Tagged {
                tokens,
                tags,
                links,
            })),
            (Some(tokens), None, Some(links)) => Ok(Some(KnownResults::Tokens { tokens, links })),
            (None, None, Some(links)) => Ok(Some(KnownResults::Links(links))),
            (None, None, None) => Ok(None),
            (tokens, tags, _) => {
                let file = tokens.or(tags).map_or("", |file| file.path.as_str());
                let message = format!("tok:{language} and tag:{language} need align:{language}");
                Err(InputError::new(file, message)
                    .with_hint("tags belong to tokens, and links lead to them: give all three"))
            }
        }
    }

    /// Whether somebody else judged.
    pub fn has_tags(&self) -> bool {
        match self {
            KnownResults::Results(_) | KnownResults::Aligned(_) | KnownResults::Tagged { .. } => {
                true
            }
            KnownResults::Links(_) | KnownResults::Tokens { .. } => false,
        }
    }

    /// The files with the role of each.
    pub fn files(&self) -> Vec<(&'static str, &'a TextFile)> {
        match *self {
            KnownResults::Results(file) => vec![("result", file)],
            KnownResults::Aligned(file) => vec![("aligned", file)],
            KnownResults::Tagged {
                tokens,
                tags,
                links,
            } => vec![("tok", tokens), ("tag", tags), ("align", links)],
            KnownResults::Links(links) => vec![("align", links)],
            KnownResults::Tokens { tokens, links } => vec![("tok", tokens), ("align", links)],
        }
    }

    /// Refuses files that do not belong to these items, or not to each other.
    pub fn check(&self, items: &[Item]) -> Result<(), InputError> {
        self.check_lines(items.len())?;
        let lines = |file: &'a TextFile| file.text.lines();
        match *self {
            KnownResults::Tagged {
                tokens,
                tags,
                links,
            } => {
                let rows = lines(tokens).zip(lines(tags)).zip(lines(links));
                for (number, (item, ((tokens, tag), link))) in (1u64..).zip(items.iter().zip(rows))
                {
                    let source: Vec<&str> = item.text.split_whitespace().collect();
                    tagged(&source, tokens, tag, link)
                        .map_err(|fault| InputError::new(&tags.path, fault).at_line(number))?;
                }
            }
            KnownResults::Tokens { tokens, links } => {
                let rows = lines(tokens).zip(lines(links));
                for (number, (item, (tokens, link))) in (1u64..).zip(items.iter().zip(rows)) {
                    let words = |text: &str| text.split_whitespace().count();
                    within(link, words(&item.text), words(tokens))
                        .map_err(|fault| InputError::new(&links.path, fault).at_line(number))?;
                }
            }
            KnownResults::Results(_) | KnownResults::Aligned(_) | KnownResults::Links(_) => {}
        }
        Ok(())
    }

    /// Refuses files that do not have a line for each item.
    pub fn check_lines(&self, items: usize) -> Result<(), InputError> {
        for (role, file) in self.files() {
            let lines = file.text.lines().count();
            if lines != items {
                let message = format!(
                    "{}, the data has {}",
                    there_are(lines, "line", "lines"),
                    counted(items, "item", "items")
                );
                return Err(InputError::new(&file.path, message).with_hint(format!(
                    "a file `{role}` has one line for each sentence, in the order of the data"
                )));
            }
        }
        Ok(())
    }
}

/// Refuses a file that is not what its role says.
pub fn check(role: &str, file: &TextFile) -> Result<(), InputError> {
    for (index, line) in file.text.lines().enumerate() {
        let complain =
            |message: String| Err(InputError::new(&file.path, message).at_line(index as u64 + 1));
        let fault = match role {
            "result" => result(line).err(),
            "aligned" => aligned(line).err(),
            "tag" => line
                .split_whitespace()
                .find(|word| tag(word).is_none())
                .map(|word| format!("`{word}` is no value of Gender")),
            "align" => parse_links(line).err().map(|error| error.to_string()),
            _ => None,
        };
        if let Some(fault) = fault {
            return complain(fault);
        }
    }
    Ok(())
}

/// A line of a result file.
pub fn result(line: &str) -> Result<Finding, String> {
    let word = line.trim();
    tag(word).ok_or_else(|| format!("`{word}` is no value of Gender, `_` or `None`"))
}

/// A line of `source->target->tag` items, sorted by source, then target.
pub fn aligned(line: &str) -> Result<Vec<Aligned<'_>>, String> {
    let mut found: Vec<Aligned<'_>> = Vec::new();
    for item in line.split(' ').filter(|item| !item.trim().is_empty()) {
        let parts = item
            .split_once("->")
            .and_then(|(source, rest)| Some((source, rest.rsplit_once("->")?)));
        let Some((source, (target, tag))) = parts else {
            return Err(format!("`{item}` is not source->target->tag"));
        };
        let Some(finding) = super::counts::tag(tag.trim()) else {
            return Err(format!("`{tag}` in `{item}` is no value of Gender"));
        };
        let place = match found.last() {
            Some(last) if last.source == source => last.source_place,
            Some(last) => last.source_place + 1,
            None => 0,
        };
        found.push(Aligned {
            source_place: place,
            source,
            target,
            tag: finding,
        });
    }
    Ok(found)
}

/// A line of tokens, its tags and its links.
pub fn tagged<'a>(
    source: &[&'a str],
    tokens: &'a str,
    tags: &str,
    links: &str,
) -> Result<Vec<Aligned<'a>>, String> {
    let words: Vec<&str> = tokens.split_whitespace().collect();
    let tags: Vec<Finding> = tags
        .split_whitespace()
        .map(|word| tag(word).ok_or_else(|| format!("`{word}` is no value of Gender")))
        .collect::<Result<_, _>>()?;
    if words.len() != tags.len() {
        return Err(format!(
            "{} {}",
            counted(words.len(), "token has", "tokens have"),
            counted(tags.len(), "tag", "tags")
        ));
    }
    let links = within(links, source.len(), words.len())?;
    Ok(links
        .into_iter()
        .map(|link| Aligned {
            source_place: link.source as usize,
            source: source[link.source as usize],
            target: words[link.target as usize],
            tag: tags[link.target as usize],
        })
        .collect())
}

/// Links in ascending order, all of them between words that are there.
pub fn within(line: &str, source: usize, target: usize) -> Result<Vec<Link>, String> {
    let mut links = parse_links(line).map_err(|error| error.to_string())?;
    links.sort_unstable();
    let outside = |link: &&Link| link.source as usize >= source || link.target as usize >= target;
    match links.iter().find(outside) {
        Some(link) => Err(format!(
            "the link {link} leaves the sentence ({source} source words, {target} target words)"
        )),
        None => Ok(links),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_items_are_read() {
        let line = "A->Ein->Masc cook->Koch->Masc who->der->Masc can->kann->_ cook->kochen->_";
        let found = aligned(line).unwrap();
        let cooks: Vec<(usize, Finding)> = found
            .iter()
            .filter(|item| item.source == "cook")
            .map(|item| (item.source_place, item.tag))
            .collect();
        assert_eq!(cooks, [(1, Finding::Masculine), (4, Finding::Unmarked)]);
        for bad in ["a->b", "a->b->c", "word"] {
            assert!(aligned(bad).is_err(), "{bad}");
        }
        assert!(aligned("").unwrap().is_empty());
    }

    #[test]
    fn links_stay_inside_their_sentence() {
        let source = ["The", "cook"];
        let found = tagged(&source, "Der Koch", "Masc Masc", "1-1 0-0").unwrap();
        assert_eq!((found[1].source, found[1].target), ("cook", "Koch"));
        assert!(tagged(&source, "Der Koch", "Masc", "0-0").is_err());
        assert!(tagged(&source, "Der Koch", "Masc X", "0-0").is_err());
        let error = tagged(&source, "Der Koch", "Masc Masc", "2-0").unwrap_err();
        assert!(error.contains("2-0"), "{error}");
    }
}
