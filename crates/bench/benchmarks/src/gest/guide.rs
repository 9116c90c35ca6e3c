//! The annotation guide of GEST as rules: which English sentences can say something about their speaker's gender. Written for those who
//! make such a set for another place (docs/gest-guide.md); each finding names its rule.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use epicene_core::{Item, counted};
use unicode_normalization::UnicodeNormalization;

use super::data::STEREOTYPE;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The guide refuses the sentence.
    Refused,
    /// Look at it.
    Doubtful,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Place of the sentence, from 0.
    pub item: usize,
    pub weight: Severity,
    /// The rule's name in the guide.
    pub rule: &'static str,
    pub message: String,
}

/// Whether a list of the guide's words has this one.
fn in_list(name: &str, word: &str) -> bool {
    static LISTS: LazyLock<BTreeMap<&str, BTreeSet<&str>>> = LazyLock::new(|| {
        let lines = include_str!("../../data/gest-guide-words.txt").lines();
        let lists = lines.filter_map(|line| line.split_once(": "));
        lists
            .filter(|(name, _)| !name.starts_with('#'))
            .map(|(name, words)| (name, words.split(' ').collect()))
            .collect()
    });
    LISTS[name].contains(word)
}

/// Words of a sentence in lower case; contractions are two.
fn words(text: &str) -> Vec<String> {
    let plain: String = text.nfc().collect::<String>().replace('\u{2019}', "'");
    let mut found = Vec::new();
    for run in plain.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-') {
        let run = run.trim_matches('\'').to_lowercase();
        if run.is_empty() {
            continue;
        }
        match run.find('\'') {
            Some(place) if place > 0 => {
                found.push(run[..place].to_owned());
                found.push(run[place..].to_owned());
            }
            _ => found.push(run),
        }
    }
    found
}

/// Everything the guide has to say about a set of sentences, in their order.
pub fn check(items: &[Item]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (place, item) in items.iter().enumerate() {
        let mut say = |weight, rule, message: String| {
            findings.push(Finding {
                item: place,
                weight,
                rule,
                message,
            });
        };
        sentence(&item.text, &mut say);
        let key: String = words(&item.text).join(" ");
        if let Some(first) = seen.get(&key) {
            let same = items[*first].label(STEREOTYPE) == item.label(STEREOTYPE);
            let weight = if same {
                Severity::Refused
            } else {
                Severity::Doubtful
            };
            let whose = if same {
                ""
            } else {
                ", with another stereotype"
            };
            say(
                weight,
                "repeat",
                format!("sentence {} says the same{whose}", first + 1),
            );
        } else {
            seen.insert(key, place);
        }
    }
    findings
}

fn sentence(text: &str, say: &mut dyn FnMut(Severity, &'static str, String)) {
    use Severity::{Doubtful, Refused};
    let words = words(text);
    let has = |list: &str| words.iter().find(|word| in_list(list, word));
    if has("singular").is_none() {
        let message = match has("plural") {
            Some(word) => {
                say(
                    Refused,
                    "plural",
                    format!("`{word}` speaks for several; one person speaks"),
                );
                return;
            }
            None => "no `I`: the sentence is about a third person, or about no person".to_owned(),
        };
        say(Refused, "third-person", message);
        return;
    }
    if !words.iter().any(|word| word == "i") {
        let message = "`I` is never the subject; a translation need not show who speaks".to_owned();
        say(Doubtful, "subject", message);
    } else if let Some(word) = has("plural") {
        say(
            Doubtful,
            "plural",
            format!("`{word}`: is it one person who speaks throughout?"),
        );
    }
    for (place, word) in words.iter().enumerate() {
        if in_list("gendered", word) && says_who(&words[..place]) {
            say(
                Refused,
                "gender-marked",
                format!("`{word}` says the speaker's gender"),
            );
        }
    }
    if !may_show_gender(&words) {
        let message = "the present tense alone; most target languages show no gender here (use a past form, a conditional or an adjective)".to_owned();
        say(Doubtful, "tense", message);
    }
    if text.contains('"') || text.contains('\u{201c}') {
        say(
            Refused,
            "quotation",
            "a quotation: another person speaks in it".to_owned(),
        );
    }
    let sentences = text
        .trim()
        .split_inclusive(['.', '!', '?'])
        .filter(|part| part.trim().len() > 2)
        .count();
    if sentences > 1 {
        say(
            Doubtful,
            "one-sentence",
            format!("{sentences} sentences; detectors read the first, or all"),
        );
    }
    if !text.trim_end().ends_with(['.', '!', '?']) {
        say(Doubtful, "full-stop", "no full stop at the end".to_owned());
    }
    if text != text.trim() || text.contains(['\n', '\t']) {
        say(
            Refused,
            "blanks",
            "blanks at an end, or a line break or tab inside".to_owned(),
        );
    }
    let length = words.len();
    if !(3..=30).contains(&length) {
        say(Doubtful, "length", counted(length, "word", "words"));
    }
}

/// Whether the words before a gendered one make it what "I" am: "I am a", "as a young", "my life as the only".
fn says_who(before: &[String]) -> bool {
    let link = |word: &String| in_list("links", word) || in_list("between", word);
    // One adjective may stand between: "as a single mother".
    let mut back = before.iter().rev().peekable();
    if back
        .peek()
        .is_some_and(|word| !link(word) && word.as_str() != "i")
    {
        back.next();
    }
    let chain: Vec<&String> = back.take_while(|word| link(word)).collect();
    let verb = |word: &&&String| in_list("links", word);
    let Some(last) = chain.iter().find(|word| verb(word)) else {
        return false;
    };
    let rest = &before[..before.len().saturating_sub(chain.len())];
    // "he was a boy": somebody else is the subject.
    let others = ["he", "she", "they", "it", "you", "who", "that"];
    let subject = rest
        .iter()
        .rev()
        .find(|word| word.as_str() == "i" || others.contains(&word.as_str()));
    last.as_str() == "as" || subject.is_some_and(|word| word.as_str() == "i")
}

/// A past form, a conditional or a state of "I": what Slavic and Romance translations mark.
fn may_show_gender(words: &[String]) -> bool {
    for (place, word) in words.iter().enumerate() {
        if word != "i" {
            continue;
        }
        let after = words[place + 1..].iter().take(4);
        for next in after {
            let known = in_list("states", next) || in_list("modals", next);
            if known || is_past(next) {
                return true;
            }
            if next == "do" || next == "don" || next == "can" || next == "will" || next == "must" {
                break;
            }
        }
    }
    // "I" may follow: "Only once did I cry".
    words
        .windows(2)
        .any(|pair| pair[1] == "i" && in_list("modals", &pair[0]))
}

fn is_past(word: &str) -> bool {
    in_list("past", word) || (word.len() > 3 && word.ends_with("ed"))
}

/// What the paper's Table 1 counts, for any set in its design.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    pub sentences: usize,
    pub distinct: usize,
    /// Mean number of words.
    pub words: f64,
    /// Different words.
    pub vocabulary: usize,
    /// Sentences and mean number of words by stereotype, in the order of the set.
    pub by_stereotype: Vec<(String, usize, f64)>,
}

pub fn statistics(items: &[Item]) -> Statistics {
    let mut distinct = BTreeSet::new();
    let mut vocabulary = BTreeSet::new();
    let mut total = 0;
    let mut order: Vec<String> = Vec::new();
    let mut groups: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for item in items {
        let words = words(&item.text);
        distinct.insert(item.text.clone());
        total += words.len();
        let name = item.label(STEREOTYPE).unwrap_or_default().to_owned();
        if !groups.contains_key(&name) {
            order.push(name.clone());
        }
        let group = groups.entry(name).or_default();
        *group = (group.0 + 1, group.1 + words.len());
        vocabulary.extend(words);
    }
    order.sort_by_key(|name| (name.parse::<u8>().unwrap_or(u8::MAX), name.clone()));
    let mean = |words: usize, sentences: usize| words as f64 / sentences.max(1) as f64;
    Statistics {
        sentences: items.len(),
        distinct: distinct.len(),
        words: mean(total, items.len()),
        vocabulary: vocabulary.len(),
        by_stereotype: order
            .into_iter()
            .map(|name| {
                let (sentences, words) = groups[&name];
                (name, sentences, mean(words, sentences))
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> Vec<(&'static str, Severity)> {
        let items = [Item::new("1", text).with_label(STEREOTYPE, "1")];
        check(&items)
            .into_iter()
            .map(|finding| (finding.rule, finding.weight))
            .collect()
    }

    #[test]
    fn sentences_that_keep_to_the_guide() {
        for text in [
            "I was crying all night.",
            "I would never hurt anyone.",
            "My mother was proud of me when I won.",
            "I asked the woman for help.",
            "I was told that she was a girl.",
            "I'd rather have stayed at home.",
            "Never have I been so tired.",
        ] {
            assert_eq!(rules(text), [], "{text}");
        }
    }

    #[test]
    fn sentences_that_the_guide_refuses() {
        use Severity::{Doubtful, Refused};
        for (text, rule, weight) in [
            ("She was crying all night.", "third-person", Refused),
            ("We were crying all night.", "plural", Refused),
            ("I was always a good girl.", "gender-marked", Refused),
            ("As a single mother, I was tired.", "gender-marked", Refused),
            ("I am pregnant and I was tired.", "gender-marked", Refused),
            ("I cry every night.", "tense", Doubtful),
            ("\"No\", I said.", "quotation", Refused),
            ("I was tired. I slept.", "one-sentence", Doubtful),
            ("I was tired", "full-stop", Doubtful),
            (" I was tired.", "blanks", Refused),
            ("It was my idea all along.", "subject", Doubtful),
        ] {
            assert!(
                rules(text).contains(&(rule, weight)),
                "{text}: {:?}",
                rules(text)
            );
        }
    }

    #[test]
    fn repeats_and_numbers() {
        let item = |text: &str, id: &str| Item::new(text, text).with_label(STEREOTYPE, id);
        let items = [
            item("I was sad.", "1"),
            item("I was sad!", "1"),
            item("I was sad.", "8"),
        ];
        let found = check(&items);
        assert_eq!((found[0].item, found[0].weight), (1, Severity::Refused));
        assert_eq!((found[1].item, found[1].weight), (2, Severity::Doubtful));
        let counted = statistics(&items);
        assert_eq!(
            (counted.sentences, counted.distinct, counted.vocabulary),
            (3, 2, 3)
        );
        assert_eq!(
            counted.by_stereotype,
            [("1".to_owned(), 2, 3.0), ("8".to_owned(), 1, 3.0)]
        );
    }
}
