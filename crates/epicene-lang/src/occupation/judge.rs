//! From an aligned word to a verdict.

use std::fmt;

use super::both_forms;
use super::gender::{Genders, NounGender};
use super::languages::{self, CommonGender, Grammar};
use super::lexicon::{Lexicon, Role};
use super::phrase::{Agreement, agreement};
use super::sentence::{Noun, Sentence};
use super::token::{self, Token};
use crate::Evidence;

/// How much of the translation the judge looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JudgeMode {
    /// Grammatical gender of the aligned noun itself, whatever noun it is, as a tagger gives it.
    Published,
    /// What the whole noun phrase says about the person.
    Default,
}

/// The gender of an occupation noun, the rule that decided and the words it looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OccupationVerdict {
    /// `None`: nothing shows a gender.
    pub gender: Option<NounGender>,
    pub rule: &'static str,
    pub evidence: Vec<Evidence>,
}

/// Judge of one language. Shared: `for_language` always hands out the same one.
pub struct OccupationJudge {
    grammar: &'static Grammar,
    lexicon: &'static Lexicon,
}

impl fmt::Debug for OccupationJudge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "OccupationJudge({})", self.grammar.code)
    }
}

/// A finding inside the judge: gender, rule, up to two deciding words.
struct Finding {
    gender: Option<NounGender>,
    rule: &'static str,
    words: [Option<usize>; 2],
}

impl Finding {
    fn none(rule: &'static str) -> Finding {
        Finding {
            gender: None,
            rule,
            words: [None; 2],
        }
    }

    fn at(gender: Option<NounGender>, rule: &'static str, word: usize) -> Finding {
        Finding {
            gender,
            rule,
            words: [Some(word), None],
        }
    }

    fn with(mut self, other: Option<usize>) -> Finding {
        self.words[1] = other;
        self
    }
}

impl OccupationJudge {
    pub fn for_language(code: &str) -> Option<&'static OccupationJudge> {
        languages::ALL
            .iter()
            .find(|language| language.grammar.code.eq_ignore_ascii_case(code))
            .map(|language| language.judge())
    }

    /// Codes of the known languages, in alphabetical order.
    pub fn languages() -> Vec<&'static str> {
        languages::ALL
            .iter()
            .map(|language| language.grammar.code)
            .collect()
    }

    pub(crate) fn new(grammar: &'static Grammar, lexicon: &'static Lexicon) -> OccupationJudge {
        OccupationJudge { grammar, lexicon }
    }

    /// Code of the judge's language.
    pub fn language(&self) -> &'static str {
        self.grammar.code
    }

    /// English names of the occupations in the lexicon, in alphabetical order.
    pub fn occupations(&self) -> Vec<&str> {
        self.lexicon.occupations()
    }

    /// The occupation by its name in the lexicon; else without article and capitals, in another
    /// spelling, or as the singular of a plural.
    fn occupation(&self, name: &str) -> Option<u16> {
        if let Some(id) = self.lexicon.occupation(name) {
            return Some(id);
        }
        let name = name.trim().to_lowercase();
        let articles = ["the ", "an ", "a "];
        let bare = articles
            .iter()
            .find_map(|article| name.strip_prefix(article));
        let bare = bare.unwrap_or(&name).trim();
        let spelling = match bare {
            "adviser" => "advisor",
            "chief executive officer" => "ceo",
            "counsellor" => "counselor",
            "dietician" => "dietitian",
            "fire fighter" => "firefighter",
            "labourer" => "laborer",
            "salesman" | "saleswoman" | "salespeople" => "salesperson",
            "vet" => "veterinarian",
            other => other,
        };
        let known = |name: &str| self.lexicon.occupation(name);
        known(spelling)
            .or_else(|| known(spelling.strip_suffix('s')?))
            .or_else(|| known(&format!("{}y", spelling.strip_suffix("ies")?)))
    }

    /// Words of a sentence as the judge and the aligner see them, with their characters.
    pub fn tokens(&self, text: &str) -> Vec<Token> {
        token::tokens(text, self.grammar.elision)
    }

    /// `positions`: words of `tokens` that the aligner links to the English occupation,
    /// ascending, maybe none. `occupation`: the English noun in lower case, known or not.
    pub fn judge(
        &self,
        text: &str,
        tokens: &[Token],
        positions: &[usize],
        occupation: &str,
        mode: JudgeMode,
    ) -> OccupationVerdict {
        debug_assert!(tokens.last().is_none_or(|token| token.start <= text.len()));
        let sentence = Sentence::new(self.grammar, self.lexicon, mode, tokens);
        let occupation = self.occupation(occupation);
        let finding = match mode {
            JudgeMode::Published => published(&sentence, positions, occupation),
            JudgeMode::Default => whole_phrase(&sentence, positions, occupation),
        };
        let evidence = finding.words.into_iter().flatten();
        OccupationVerdict {
            gender: finding.gender,
            rule: finding.rule,
            evidence: evidence
                .filter_map(|at| tokens.get(at))
                .map(|token| Evidence {
                    text: token.text.clone(),
                    start: token.start,
                    end: token.end,
                })
                .collect(),
        }
    }

    /// Words that can translate the occupation according to the lexicon: heads of the terms.
    pub fn find(&self, tokens: &[Token], occupation: &str) -> Vec<usize> {
        let Some(id) = self.occupation(occupation) else {
            return Vec::new();
        };
        let sentence = Sentence::new(self.grammar, self.lexicon, JudgeMode::Default, tokens);
        find(&sentence, id)
    }
}

fn translates(sentence: &Sentence, at: usize, id: u16) -> bool {
    sentence.term(at, Some(id)).is_some()
        || sentence
            .noun(at, Some(id))
            .is_some_and(|noun| noun.translates)
}

fn find(sentence: &Sentence, id: u16) -> Vec<usize> {
    (0..sentence.len())
        .filter(|&at| translates(sentence, at, id))
        .collect()
}

/// The tag a morphological tagger would give to the last aligned word (spec 5.4).
fn published(sentence: &Sentence, positions: &[usize], occupation: Option<u16>) -> Finding {
    let Some(at) = last_noun(sentence, positions, occupation) else {
        return Finding::none("not aligned");
    };
    if let Some(noun) = sentence.noun(at, occupation) {
        if let Some(gender) = noun.genders.single() {
            return invented(sentence, at, noun)
                .unwrap_or_else(|| Finding::at(Some(gender), "noun", at));
        }
        if noun.genders.is_epicene() {
            return Finding::at(None, "common gender", at);
        }
        let fallback = match sentence.grammar.common_gender {
            CommonGender::Unmarked if noun.genders.is_loan() => Some(NounGender::Masculine),
            CommonGender::Unmarked => return Finding::at(None, "common gender", at),
            CommonGender::Fixed(gender) => return Finding::at(Some(gender), "common gender", at),
            CommonGender::Agreement { otherwise } => otherwise,
        };
        let around = agreement(sentence, at);
        return match narrowed(sentence, at, noun.genders, around) {
            Some((gender, word)) => Finding::at(Some(gender), "agreement", at).with(word),
            None => match noun.citation.single() {
                Some(gender) => Finding::at(Some(gender), "dictionary form", at),
                None => Finding::at(fallback, "common gender", at),
            },
        };
    }
    other_word(sentence, at)
}

/// "эта повара": an oblique form of a masculine noun after a feminine article is a feminine noun
/// that dictionaries do not have.
fn invented(sentence: &Sentence, at: usize, noun: Noun) -> Option<Finding> {
    if !noun.citation.is_empty() || noun.genders.single() != Some(NounGender::Masculine) {
        return None;
    }
    let around = agreement(sentence, at);
    (around.genders == Genders::F)
        .then(|| Finding::at(Some(NounGender::Feminine), "feminine article", at).with(around.word))
}

/// The head of an aligned term ("femme de ménage"), else the last aligned noun, else the last word
/// that translates the occupation or can be a noun, else the noun
/// nearest to the aligned function words, else the last word.
fn last_noun(sentence: &Sentence, positions: &[usize], occupation: Option<u16>) -> Option<usize> {
    let aligned = || positions.iter().copied().filter(|&at| at < sentence.len());
    let fits = |&at: &usize| occupation.is_some_and(|id| translates(sentence, at, id));
    let can_be_noun =
        |&at: &usize| sentence.is_word(at) && sentence.role(at).is_none() || agent(sentence, at);
    let listed = |at: &usize| can_be_noun(at) && sentence.noun(*at, None).is_some();
    let term = |&at: &usize| occupation.is_some_and(|id| sentence.term(at, Some(id)).is_some());
    aligned()
        .rfind(term)
        .or_else(|| aligned().rfind(|at| !sentence.grammar.head_final && listed(at)))
        .or_else(|| aligned().rfind(fits))
        .or_else(|| Some(modified(sentence, positions, aligned().rfind(can_be_noun)?)))
        .or_else(|| neighbour(sentence, aligned().next_back()?))
        .or_else(|| aligned().next_back())
}

/// Where modifiers stand before their noun, the noun behind aligned modifiers.
fn modified(sentence: &Sentence, positions: &[usize], at: usize) -> usize {
    if !sentence.grammar.head_final {
        return at;
    }
    let is_noun = |at: usize| sentence.role(at).is_none() && sentence.noun(at, None).is_some();
    // "बालों वाली बहन"
    let agreeing = matches!(sentence.role(at + 1), Some(Role::Adjective(_)));
    if agreeing && positions.contains(&(at + 1)) && is_noun(at + 2) {
        return at + 2;
    }
    let modifier = agent(sentence, at) || sentence.noun(at, None).is_none();
    // A verb ends the sentence, a head does not.
    if modifier && is_noun(at + 1) && sentence.is_word(at + 2) {
        at + 1
    } else {
        at
    }
}

/// "बेचने वाला": an agreeing word that makes a noun of the verb before it.
fn agent(sentence: &Sentence, at: usize) -> bool {
    matches!(sentence.role(at), Some(Role::Adjective(_)))
        && at > 0
        && sentence.role(at - 1) == Some(Role::Stop)
}

/// The noun that belongs to an aligned dash, article or particle: behind an article, else right
/// before, else the nearest. No noun near: a pronoun or "one of them".
fn neighbour(sentence: &Sentence, at: usize) -> Option<usize> {
    const REACH: usize = 3;
    let open = |at: usize| sentence.is_word(at) && sentence.role(at).is_none();
    let is_noun = |&at: &usize| open(at) && sentence.noun(at, None).is_some();
    let shows_gender = |&at: &usize| match sentence.role(at) {
        Some(Role::Determiner(genders) | Role::Adjective(genders)) => genders.single().is_some(),
        _ => false,
    };
    let before = at.checked_sub(1).filter(|&at| open(at));
    let mut behind = None;
    match sentence.role(at) {
        // "बालों वाली बहन", "बालों वाली": else an agreeing word speaks for itself.
        Some(Role::Adjective(_)) => {
            let head = Some(at + 1).filter(|_| sentence.grammar.head_final);
            return head.filter(is_noun).or(before.filter(is_noun));
        }
        Some(Role::Determiner(_)) if before.is_none_or(|at| !is_noun(&at)) => {
            let phrase = || (at + 1..=at + REACH).take_while(|&at| open(at));
            if let Some(noun) = phrase().find(is_noun) {
                return Some(noun);
            }
            behind = phrase().next();
        }
        _ => {}
    }
    let nearest = |fits: &dyn Fn(&usize) -> bool| {
        (1..=REACH).find_map(|distance| {
            let left = at.checked_sub(distance).filter(fits);
            left.or_else(|| Some(at + distance).filter(fits))
        })
    };
    before
        .or(behind)
        .or_else(|| nearest(&is_noun))
        .or_else(|| nearest(&shows_gender))
}

/// A word that is no listed noun: its own class or ending, or its neighbours'.
fn other_word(sentence: &Sentence, at: usize) -> Finding {
    let word = sentence.word(at);
    match sentence.role(at) {
        Some(Role::Determiner(genders) | Role::Adjective(genders))
            if sentence.mode == JudgeMode::Published =>
        {
            return Finding::at(genders.single(), "agreeing word", at);
        }
        Some(Role::Determiner(_)) => return Finding::at(None, "no noun", at),
        Some(Role::Stop | Role::Copula | Role::Dative | Role::Skip) => {
            return Finding::at(None, "no noun", at);
        }
        _ => {}
    }
    if !sentence.is_word(at) {
        return Finding::at(None, "no noun", at);
    }
    let around = match sentence.grammar.common_gender {
        CommonGender::Fixed(_) if sentence.mode == JudgeMode::Published => Agreement::open(),
        _ => agreement(sentence, at),
    };
    if let Some((genders, _)) = sentence.lexicon.suffixes.find(word) {
        let contradicted = sentence.grammar.feminine_article_wins
            && around.genders == Genders::F
            && !(sentence.grammar.endings_decide && sentence.mode == JudgeMode::Published);
        match genders.single() {
            Some(NounGender::Masculine) if contradicted => {}
            Some(gender) => return Finding::at(Some(gender), "suffix", at),
            None => {
                let unmarked = sentence.grammar.common_gender == CommonGender::Unmarked;
                if unmarked && sentence.mode == JudgeMode::Published {
                    return Finding::at(None, "common gender", at);
                }
            }
        }
    }
    if let Some(gender) = around.genders.single() {
        return Finding::at(Some(gender), "agreement", at).with(around.word);
    }
    for endings in [
        &sentence.lexicon.adjective_suffixes,
        &sentence.lexicon.weak_suffixes,
    ] {
        let Some((genders, _)) = endings.find(word) else {
            continue;
        };
        if let Some(gender) = genders.and(around.genders).single() {
            return Finding::at(Some(gender), "weak suffix", at).with(around.word);
        }
    }
    Finding::at(None, "unknown word", at)
}

/// The one gender that noun and agreeing words leave, with the word that narrowed.
fn narrowed(
    sentence: &Sentence,
    at: usize,
    noun: Genders,
    around: Agreement,
) -> Option<(NounGender, Option<usize>)> {
    if let Some(gender) = noun.and(around.genders).single() {
        return Some((gender, around.word));
    }
    let (genders, word) = sentence
        .grammar
        .context
        .and_then(|read| read(sentence, at))?;
    let gender = noun.and(genders).single()?;
    Some((gender, Some(word)))
}

/// What the noun phrase says about the person.
fn whole_phrase(sentence: &Sentence, positions: &[usize], occupation: Option<u16>) -> Finding {
    let Some(at) = head(sentence, positions, occupation) else {
        return Finding::none("not aligned");
    };
    if both_forms::named(sentence, at, occupation) {
        return Finding::at(Some(NounGender::Common), "both forms", at);
    }
    let term = occupation.and_then(|id| sentence.term(at, Some(id)));
    let forms = match term.or_else(|| sentence.term(at, None)) {
        Some(term) => Some((term.genders, term.genders)),
        None => sentence
            .noun(at, occupation)
            .map(|noun| (noun.genders, noun.citation)),
    };
    let Some((genders, citation)) = forms else {
        return other_word(sentence, at);
    };
    if genders.is_epicene() {
        return Finding::at(Some(NounGender::Common), "epicene noun", at);
    }
    match genders.single() {
        Some(NounGender::Masculine) => woman(sentence, at)
            .unwrap_or_else(|| Finding::at(Some(NounGender::Masculine), "noun", at)),
        Some(gender) => Finding::at(Some(gender), "noun", at),
        None => match narrowed(sentence, at, genders, agreement(sentence, at)) {
            Some((gender, word)) => Finding::at(Some(gender), "agreement", at).with(word),
            None => match citation.single() {
                Some(gender) => Finding::at(Some(gender), "dictionary form", at),
                None => Finding::at(None, "common gender", at),
            },
        },
    }
}

/// A masculine noun that names a woman: "la médico", "врач сказала".
fn woman(sentence: &Sentence, at: usize) -> Option<Finding> {
    let finding = |rule| Finding::at(Some(NounGender::Feminine), rule, at);
    if sentence.grammar.feminine_article_wins {
        let around = agreement(sentence, at);
        if around.genders == Genders::F {
            return Some(finding("feminine article").with(around.word));
        }
    }
    if sentence.grammar.feminine_predicate_wins {
        let (genders, word) = sentence
            .grammar
            .context
            .and_then(|read| read(sentence, at))?;
        if genders == Genders::F {
            return Some(finding("feminine predicate").with(Some(word)));
        }
    }
    None
}

/// The word to judge: an aligned translation of the occupation, else an aligned noun, else a
/// translation elsewhere in the sentence, else what an aligned article belongs to.
fn head(sentence: &Sentence, positions: &[usize], occupation: Option<u16>) -> Option<usize> {
    let aligned = || positions.iter().copied().filter(|&at| at < sentence.len());
    if let Some(id) = occupation {
        if let Some(at) = aligned().find(|&at| translates(sentence, at, id)) {
            return Some(at);
        }
        let found = find(sentence, id);
        let in_term = found.iter().copied().find(|&head| {
            sentence.term(head, Some(id)).is_some_and(|term| {
                let span = head - term.before.len()..=head + term.after.len();
                aligned().any(|at| span.contains(&at))
            })
        });
        if in_term.is_some() {
            return in_term;
        }
        if let Some(at) = person(sentence, positions) {
            return Some(at);
        }
        let near = |at: &usize| aligned().map(|to| to.abs_diff(*at)).min().unwrap_or(0);
        if let Some(at) = found.into_iter().min_by_key(near) {
            return Some(at);
        }
    }
    let is_noun = |&at: &usize| {
        sentence.role(at).is_none() && sentence.is_word(at) && sentence.noun(at, None).is_some()
    };
    if let Some(at) = aligned().find(is_noun) {
        return Some(at);
    }
    if let Some(at) = aligned().find(|&at| sentence.role(at).is_none() && sentence.is_word(at)) {
        return Some(at);
    }
    // Only function words are aligned: the noun an article stands before.
    let article = aligned().find(|&at| matches!(sentence.role(at), Some(Role::Determiner(_))));
    let noun =
        article.and_then(|from| (from + 1..sentence.len().min(from + 4)).find(|at| is_noun(at)));
    noun.or_else(|| aligned().next_back())
}

/// An aligned noun that is in the lexicon as no occupation at all ("mujer").
fn person(sentence: &Sentence, positions: &[usize]) -> Option<usize> {
    positions.iter().copied().find(|&at| {
        sentence.role(at).is_none()
            && sentence
                .lexicon
                .readings(sentence.word(at))
                .is_some_and(|readings| readings.iter().all(|reading| reading.occupation.is_none()))
    })
}
