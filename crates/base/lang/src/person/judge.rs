//! What a translation says about a person: the noun first, number before gender, then the evidence
//! around it by strength. What nothing shows stays unknown.

use super::both_genders::{self, Naming};
use super::cells::Cells;
use super::context;
use super::head::{head, neutral_head};
use super::lexicon::Number;
use super::phrase::{Shown, agreeing_before, is_feminine, shown};
use super::sex;
use super::view::{Kind, PersonNoun, View};
use crate::occupation::{BOTH_FORMS, Finding, Genders, INCLUSIVE, NOT_ALIGNED, NounGender, Role};

/// The gender of the person whose noun the aligner links to `positions`.
pub(crate) fn judge(view: &View, positions: &[usize]) -> Finding {
    let head = head(view, positions).map(|at| neutral_head(view, at).unwrap_or(at));
    let Some(at) = head else {
        if let Some(finding) = stands_alone(view, positions) {
            return finding;
        }
        if let (true, Some(at)) = (view.of_group, positions.first()) {
            return Finding::at(Some(NounGender::Common), COLLECTIVE, *at);
        }
        let rule = if positions.is_empty() {
            NOT_ALIGNED
        } else {
            "no person"
        };
        return Finding::none(rule);
    };
    if let Some(naming) = both_genders::named(view, at) {
        let rule = match naming {
            Naming::Forms => BOTH_FORMS,
            Naming::Inclusive => INCLUSIVE,
        };
        return Finding::at(Some(NounGender::Common), rule, at);
    }
    if names_group(view, at) {
        return Finding::at(Some(NounGender::Common), COLLECTIVE, at);
    }
    at_noun(view, at)
}

/// The rule where a group or an institution is spoken of, not its members.
const COLLECTIVE: &str = "collective noun";

/// "El jurado", "la fiscalía" for a jury and a prosecution: whatever gender the noun has, it is nobody's. A plural
/// names the members ("los jurados").
fn names_group(view: &View, at: usize) -> bool {
    let members = || {
        let noun = view.listed(at).filter(|noun| noun.kind == Kind::Person)?;
        Some(!noun.epicene && noun.cells.and(Cells::PLURALS) == noun.cells)
    };
    view.of_group && !members().unwrap_or(false)
}

/// What the noun at `at` and the words around it say, whatever stands elsewhere.
pub(super) fn at_noun(view: &View, at: usize) -> Finding {
    if let Some((gender, word)) = sex::named(view, at) {
        return Finding::at(Some(gender), "sex named", at).with(Some(word));
    }
    if view.is_name(at) {
        return named(view, at);
    }
    let term = view.term(at).map(|(noun, _)| noun);
    let noun = term
        .or_else(|| view.listed(at))
        .or_else(|| view.by_ending(at));
    let sex = context::sex(view, at);
    match noun {
        Some(noun) if noun.epicene => {
            match sex.and_then(|(cells, word)| Some((cells.single()?, word))) {
                Some((gender, word)) => Finding::at(Some(gender), "sex named", at).with(Some(word)),
                None => against_epicene(view, at, noun)
                    .unwrap_or_else(|| Finding::at(Some(NounGender::Common), "epicene noun", at)),
            }
        }
        Some(noun) => known(view, at, noun, sex),
        None => unknown(view, at, sex),
    }
}

/// "García", "Moreno": the ending of a name says nothing; a title or a verb that agrees does.
fn named(view: &View, at: usize) -> Finding {
    let titled = context::sex(view, at).map(|found| ("sex named", found));
    let said = || {
        let agrees = view.sentence.grammar.feminine_predicate_wins;
        let found = agrees.then(|| context::predicate(view, at)).flatten();
        // "García estaba cansada"
        let found = found.or_else(|| context::certain_predicate(view, at));
        found.map(|found| ("predicate", found))
    };
    titled
        .or_else(said)
        .and_then(|(rule, (cells, word))| {
            let gender = cells.preferring(view.number).single()?;
            Some(Finding::at(Some(gender), rule, at).with(Some(word)))
        })
        .unwrap_or_else(|| Finding::at(None, "name", at))
}

/// "Toutes veulent", "ellas": a linked pronoun or article without a noun speaks for itself.
fn stands_alone(view: &View, positions: &[usize]) -> Option<Finding> {
    positions.iter().copied().find_map(|at| {
        let word = view.word(at);
        let rules = &view.words.rules;
        let cells = rules
            .pronouns
            .word(word)
            .or_else(|| rules.determiners.word(word))
            .or_else(|| match view.sentence.role(at) {
                Some(Role::Determiner(genders)) => Some(Cells::new(genders, Number::EITHER)),
                _ => None,
            })?;
        let gender = cells.preferring(view.number).single()?;
        Some(Finding::at(Some(gender), "pronoun", at))
    })
}

fn known(view: &View, at: usize, noun: PersonNoun, sex: Option<(Cells, usize)>) -> Finding {
    let around = shown(view, at);
    let agreed = noun.cells.and(around.cells);
    let rule = match noun.kind {
        Kind::Ending(_) => "ending",
        _ => "noun",
    };
    let possible = if agreed.is_empty() {
        noun.cells
    } else {
        agreed
    };
    let mut left = possible.preferring(view.number);
    // "Advokāti izgāja": the subject stands in the form dictionaries list, whatever its number.
    let citation = possible.and(noun.citation);
    // "Mokytojai daviau": the subject is the speaker.
    let other = view.words.rules.first_person.find(view.word(at + 1));
    if left.and(noun.citation).is_empty()
        && !citation.is_empty()
        && view.sentence.opens_clause(at)
        && other.is_none()
    {
        left = citation;
    }
    if noun.cells.single().is_none()
        && let Some((cells, word)) = sex
        && let Some(gender) = noun.cells.and(cells).single()
    {
        return Finding::at(Some(gender), "sex named", at).with(Some(word));
    }
    // "Odvjetnici su izašli": the number a verb or pronoun shows outweighs that of the English noun.
    if agreed.single().is_none() && left.single().is_some() {
        for (cells, word) in [context::relative(view, at), context::predicate(view, at)]
            .into_iter()
            .flatten()
        {
            let both = agreed.and(cells);
            if let Some(gender) = both
                .single()
                .filter(|_| !both.and(noun.citation).is_empty())
            {
                return Finding::at(Some(gender), "predicate", at).with(Some(word));
            }
        }
    }
    let Some(gender) = left.single() else {
        return open(view, at, left, noun.citation, sex, around.word);
    };
    // One letter makes no person: "Komitetas posėdžiavo" ends with a verb that an aligner may link.
    let bare = around.word.is_none() && context::is_subject(view, at) && !view.is_word(at + 1);
    if matches!(noun.kind, Kind::Ending(..2)) && bare && !view.sentence.opens_clause(at) {
        return Finding::at(None, "unknown word", at);
    }
    let narrowed = noun.cells.preferring(view.number).single() != Some(gender);
    let finding = if narrowed {
        Finding::at(Some(gender), "agreement", at).with(around.word)
    } else {
        Finding::at(Some(gender), rule, at)
    };
    match gender {
        NounGender::Masculine if is_place(view, at, noun) => Finding::at(None, "no subject", at),
        NounGender::Masculine => woman(view, at, noun, around, sex).unwrap_or(finding),
        NounGender::Feminine
            if view.sentence.grammar.feminine_article_wins
                && man(noun, around, view.sentence.grammar.articles) =>
        {
            Finding::at(Some(NounGender::Masculine), "masculine article", at).with(around.word)
        }
        _ => finding,
    }
}

/// Endings of the masculine instrumental in Slavic languages.
const INSTRUMENTAL: [&str; 5] = ["ом", "ем", "єм", "em", "om"];

/// "поваром": neither subject nor object.
pub(super) fn is_instrumental(view: &View, at: usize) -> bool {
    let noun = view.listed(at).or_else(|| view.by_ending(at));
    let ends = |ending: &&str| view.word(at).ends_with(*ending);
    noun.is_some_and(|noun| is_oblique(view, noun)) && INSTRUMENTAL.iter().any(ends)
}

/// Whether the form is no subject in the number of the English noun: "повара" is one only in the plural.
fn is_oblique(view: &View, noun: PersonNoun) -> bool {
    let form = noun.cells.preferring(view.number);
    view.sentence.grammar.endings_decide && noun.citation.and(form).is_empty()
}

/// "Pekara se zatvorila": the genitive of a man looks like the name of his trade's place, and nothing else can be the subject.
fn is_place(view: &View, at: usize, noun: PersonNoun) -> bool {
    let subject = is_oblique(view, noun) && view.sentence.opens_clause(at);
    let said = subject.then(|| context::predicate(view, at)).flatten();
    // "Pekara je bila zatvorena": what agrees goes on to the end.
    let feminine = |at: usize| {
        let said = view.words.rules.predicates.find(view.word(at));
        said.is_some_and(|(cells, _)| is_feminine(cells.preferring(view.number)))
    };
    said.is_some_and(|(cells, word)| {
        let mut rest = (word + 1..view.len()).take_while(|&at| view.is_word(at));
        is_feminine(cells.preferring(view.number)) && rest.all(feminine)
    })
}

/// A masculine noun that names a woman: "la médico", "Frau Minister", "врач сказала".
fn woman(
    view: &View,
    at: usize,
    noun: PersonNoun,
    around: Shown,
    sex: Option<(Cells, usize)>,
) -> Option<Finding> {
    let grammar = view.sentence.grammar;
    let finding = |rule, word| Finding::at(Some(NounGender::Feminine), rule, at).with(word);
    if let Some((_, word)) = sex.filter(|(cells, _)| is_feminine(*cells)) {
        return Some(finding("sex named", Some(word)));
    }
    let contradicts = around.certain
        && is_feminine(around.cells)
        && around
            .cells
            .share_number(noun.cells.preferring(view.number));
    // "справа лікаря": what stands before a genitive does not agree with it, unless it is an article
    // ("эта повара").
    let oblique = is_oblique(view, noun);
    // An instrumental or dative has its adjective right before it: "с молодой врачом".
    let ends = |ending: &&str| view.word(at).ends_with(*ending);
    let instrumental = INSTRUMENTAL.iter().any(ends) && oblique;
    let before = at.checked_sub(1).filter(|&before| {
        let word = view.word(before);
        instrumental && (word.ends_with("ой") || word.ends_with("ей")) && view.is_open(before)
    });
    if let Some(before) = before.filter(|&before| agreeing_before(view, before).is_some()) {
        return Some(finding("feminine article", Some(before)));
    }
    let instrumental = instrumental && around.word.is_some_and(|word| word + 1 == at);
    let article = |at: usize| matches!(view.sentence.role(at), Some(Role::Determiner(_)));
    if grammar.feminine_article_wins
        && contradicts
        && (!oblique || instrumental || around.word.is_some_and(article))
    {
        return Some(finding("feminine article", around.word));
    }
    // "Burundier, die": what agrees with the noun in another number does not contradict it.
    let fits = |(cells, _): &(Cells, usize)| {
        is_feminine(cells.preferring(view.number))
            && noun.cells.and(*cells).is_empty()
            && cells.share_number(noun.cells.preferring(view.number))
    };
    if let Some((_, word)) = context::relative(view, at).filter(fits) {
        return Some(finding("feminine pronoun", Some(word)));
    }
    // "minister je prišla": a dual that looks the same does not count beside one person.
    let said = |(cells, _): &(Cells, usize)| {
        let [noun, said] = [noun.cells, *cells].map(|cells| cells.preferring(view.number));
        is_feminine(said) && noun.and(said).is_empty() && noun.share_number(said)
    };
    if grammar.feminine_predicate_wins
        && !oblique
        && let Some((_, word)) = context::predicate(view, at).filter(said)
    {
        return Some(finding("feminine predicate", Some(word)));
    }
    // "Le professeur est arrivée", "le professeur, fatiguée,"
    let behind = || context::certain_predicate(view, at).or_else(|| context::apposed(view, at));
    let woman = |(cells, _): &(Cells, usize)| {
        is_feminine(cells.preferring(view.number))
            && cells.share_number(noun.cells.preferring(view.number))
    };
    if let Some((_, word)) = behind().filter(woman) {
        return Some(finding("feminine predicate", Some(word)));
    }
    if grammar.feminine_predicate_wins
        && let Some((_, word)) = context::pronoun_behind(view, at).filter(fits)
    {
        return Some(finding("feminine pronoun", Some(word)));
    }
    None
}

/// "estas miembros", "una pequeña genio": an epicene noun whose article shows another gender than its own.
fn against_epicene(view: &View, at: usize, noun: PersonNoun) -> Option<Finding> {
    let around = shown(view, at);
    let contradicts = view.sentence.grammar.feminine_article_wins
        && around.certain
        && noun.cells.and(around.cells).is_empty()
        && around.cells.share_number(noun.cells);
    if let Some(gender) = around.cells.single().filter(|_| contradicts) {
        return Some(Finding::at(Some(gender), "agreement", at).with(around.word));
    }
    // "Le témoin est tombée malade"
    let (cells, word) = context::certain_predicate(view, at)?;
    let other = noun.cells.and(cells).is_empty() && cells.share_number(noun.cells);
    let gender = cells.single().filter(|_| other)?;
    Some(Finding::at(Some(gender), "predicate", at).with(Some(word)))
}

/// A noun that only looks feminine ("un poeta", "le vandale"): an ending against a masculine article.
fn man(noun: PersonNoun, around: Shown, articles: bool) -> bool {
    matches!(noun.kind, Kind::Ending(letters) if articles || letters <= 2)
        && around.certain
        && around.cells.genders() == Genders::M
        && around.cells.share_number(noun.cells)
}

/// A noun whose form leaves the gender open: evidence outside the phrase, then the dictionary form.
fn open(
    view: &View,
    at: usize,
    left: Cells,
    citation: Cells,
    sex: Option<(Cells, usize)>,
    narrowed: Option<usize>,
) -> Finding {
    let evidence = [
        ("sex named", sex),
        ("relative pronoun", context::relative(view, at)),
        ("predicate", context::predicate(view, at)),
    ];
    for (rule, found) in evidence {
        if let Some((cells, word)) = found
            && let Some(gender) = left.and(cells).preferring(view.number).single()
        {
            return Finding::at(Some(gender), rule, at).with(Some(word));
        }
    }
    // Latvian "skolotāja dēls": a noun before the one that it owns is its genitive, though the nominative of a woman ends alike.
    let owned = view.listed(at + 1).filter(|noun| {
        noun.kind == Kind::Person && !noun.citation.is_empty() && view.sentence.opens_clause(at)
    });
    if let Some(gender) = owned.and_then(|_| left.without(citation).single()) {
        return Finding::at(Some(gender), "genitive", at).with(Some(at + 1));
    }
    let listed = left.and(citation).preferring(view.number);
    if let Some(gender) = listed.single() {
        return Finding::at(Some(gender), "dictionary form", at).with(narrowed);
    }
    if let Some((cells, word)) = context::pronoun(view, at)
        && let Some(gender) = left.and(cells).single()
    {
        return Finding::at(Some(gender), "pronoun", at).with(Some(word));
    }
    // "Die Studierenden": German plurals of adjectives and participles name people of any gender.
    let several = left.and(Cells::PLURALS) == left && left.genders() == Genders::C;
    if several && view.sentence.grammar.compounds {
        return Finding::at(Some(NounGender::Common), "neutral plural", at);
    }
    if view.is_masculine_of_pair(at) {
        return Finding::at(Some(NounGender::Masculine), "masculine of a pair", at);
    }
    Finding::at(None, "common gender", at)
}

/// A noun that no lexicon and no ending knows.
fn unknown(view: &View, at: usize, sex: Option<(Cells, usize)>) -> Finding {
    let around = shown(view, at);
    if let Some(gender) = around.cells.preferring(view.number).single() {
        return Finding::at(Some(gender), "agreement", at).with(around.word);
    }
    let left = around.cells.and(Cells::new(Genders::C, Number::EITHER));
    let finding = open(view, at, left, Cells::ALL, sex, None);
    match finding.gender {
        Some(_) => finding,
        None => Finding::at(None, "unknown word", at),
    }
}
