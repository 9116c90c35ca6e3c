//! Evidence beyond the noun phrase: words that name the sex, relative pronouns, predicates, pronouns.

use super::both_genders;
use super::cells::Cells;
use super::lexicon::Number;
use super::phrase::agreeing_before;
use super::view::{Kind, View};
use crate::occupation::{Genders, Role, both_forms};

/// How many words may stand between a subject and its verb.
const REACH: usize = 4;

/// "Frau Minister", "la femme médecin", "weiblicher Gast": a word beside the noun that names the sex.
pub(crate) fn sex(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let rules = &view.words.rules;
    let table = |at: usize| {
        rules
            .sexes
            .find(view.word(at))
            .map(|(cells, _)| (cells, at))
    };
    let mut before = noun.checked_sub(1);
    if let Some(at) = before
        && let Some(found) = table(at)
    {
        return Some(found);
    }
    // "M. Leblanc", "Sra. Rojas"
    if let Some(at) = noun.checked_sub(2)
        && view.word(noun - 1) == "."
        && let Some(cells) = rules.titles.word(view.word(at))
    {
        return Some((cells, at));
    }
    // One adjective may stand between.
    before = noun.checked_sub(2);
    if let Some(at) = before
        && view.words.rules.before.find(view.word(noun - 1)).is_some()
        && view.is_open(noun - 1)
        && let Some(found) = table(at)
    {
        return Some(found);
    }
    if let Some((cells, _)) = rules.sexes_after.find(view.word(noun + 1)) {
        return Some((cells, noun + 1));
    }
    one_of(view, noun)
}

/// "одна из психологов", "una de los médicos": the one who is picked out of several.
fn one_of(view: &View, noun: usize) -> Option<(Cells, usize)> {
    const OF: &[&str] = &[
        "из", "з", "із", "от", "z", "ze", "od", "iz", "de", "des", "d'", "del", "di", "dei",
        "degli", "delle", "dos", "das", "dels", "der", "dintre", "din", "από", "iš", "no",
    ];
    (noun.saturating_sub(4)..noun.saturating_sub(1)).find_map(|at| {
        let cells = view.words.rules.ones.word(view.word(at))?;
        let cells = Cells::new(cells.genders(), Number::EITHER);
        OF.contains(&view.word(at + 1)).then_some((cells, at))
    })
}

/// "Врач, которая", "врачу, обвиняемой": a relative pronoun or participle right behind the noun, maybe
/// behind a preposition. An article is one only behind a comma, and not before a noun.
pub(crate) fn relative(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let relatives = &view.words.rules.relatives;
    if relatives.is_empty() {
        return None;
    }
    // "Для политолога и географа, написавшей": two nouns for one person.
    let joined = matches!(
        view.word(noun + 1),
        "и" | "і" | "й" | "та" | "i" | "a" | "e" | "y" | "et" | "und"
    ) && view.is_person(noun + 2)
        && view.word(noun + 3) == ","
        && view.number != Number::PLURAL;
    let noun = if joined { noun + 2 } else { noun };
    let comma = view.word(noun + 1) == ",";
    let first = noun + 1 + usize::from(comma);
    for at in first..=first + 1 {
        let word = view.word(at);
        let found = if comma {
            relatives.find(word).map(|(cells, _)| cells)
        } else {
            relatives.word(word).filter(|_| !is_article(view, at))
        };
        let article = is_article(view, at) && view.is_capital(at + 1);
        if let Some(cells) = found.filter(|_| !article) {
            return Some((cells, at));
        }
        if !view.is_word(at) || view.is_person(at) {
            return None;
        }
    }
    behind_place(view, noun)
}

/// "Спикеру с третьего этажа, которая": a relative pronoun behind what a preposition adds to the noun, where nothing of
/// that could be meant.
fn behind_place(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let slavic = view.sentence.grammar.feminine_predicate_wins;
    if !slavic || !PREPOSITIONS.contains(&view.word(noun + 1)) {
        return None;
    }
    let comma = (noun + 3..=noun + 1 + REACH).find(|&at| !view.is_word(at))?;
    let relative = comma + 1;
    let cells = view.words.rules.relatives.word(view.word(relative))?;
    let stands_apart = |at: usize| {
        let noun = view.listed(at).or_else(|| view.by_ending(at));
        let adjective = agreeing_before(view, at - 1);
        noun.is_none_or(|noun| noun.kind != Kind::Person)
            && [noun.map(|noun| noun.cells), adjective]
                .into_iter()
                .flatten()
                .any(|shown| shown.and(cells).is_empty())
    };
    let apart = view.word(comma) == "," && stands_apart(comma - 1);
    apart.then_some((cells, relative))
}

/// A determiner.
pub(crate) fn is_article(view: &View, at: usize) -> bool {
    view.words.rules.determiners.word(view.word(at)).is_some()
        || matches!(view.sentence.role(at), Some(Role::Determiner(_)))
}

/// The verb or participle of which the noun is the subject; "stanco/a" says nothing.
pub(crate) fn predicate(view: &View, noun: usize) -> Option<(Cells, usize)> {
    // "Plesalka in pevec sta se poročila": the verb agrees with both.
    let joined = noun >= 2 && both_genders::is_and(view, noun - 1) && view.is_person(noun - 2);
    if joined {
        return None;
    }
    agreeing_verb(view, noun).filter(|&(_, at)| {
        let word = view.word(at);
        both_forms::first(word).is_none() && view.words.rules.adverbs.word(word).is_none()
    })
}

/// The participle or adjective right behind the noun's own copula, by an ending that nothing but such a word has:
/// it outweighs a masculine article.
pub(crate) fn certain_predicate(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let rules = &view.words.rules;
    let is_copula = |at: usize| {
        rules.copulas.word(view.word(at)).is_some() || view.sentence.role(at) == Some(Role::Copula)
    };
    if noun >= 2 && both_genders::is_and(view, noun - 1) || !is_subject(view, noun) {
        return None;
    }
    let skipped = |at: usize| {
        matches!(view.sentence.role(at), Some(Role::Skip))
            || rules.adverbs.word(view.word(at)).is_some()
    };
    let mut at = noun + 1;
    // "Pardo se fue temprano": he went.
    if view.sentence.grammar.code == "es" && view.word(at) == "se" {
        return None;
    }
    // "Le maire a été réélue": the perfect of the copula.
    let perfect = !is_copula(at) && is_copula(at + 1) && !is_article(view, at);
    at += usize::from(perfect && view.word(at).chars().count() < 6);
    while skipped(at) {
        at += 1;
    }
    if !is_copula(at) {
        return None;
    }
    // "È stata rieletta": the participle of the copula agrees, too.
    let mut participle = None;
    while is_copula(at) || skipped(at) {
        participle = participle.or_else(|| agreeing(view, at).filter(|_| is_copula(at - 1)));
        at += 1;
    }
    agreeing(view, at).or(participle)
}

/// Nothing before the noun phrase governs it: a noun behind a preposition is no subject.
pub(crate) fn is_subject(view: &View, noun: usize) -> bool {
    let prepositions = &view.words.rules.prepositions;
    let mut at = noun;
    while let Some(before) = at.checked_sub(1) {
        // A Portuguese "a" that opens the clause is the article.
        let article = is_article(view, before) && (before == 0 || !view.is_word(before - 1));
        if prepositions.word(view.word(before)).is_some() && !article {
            return false;
        }
        let within = is_article(view, before)
            || matches!(
                view.sentence.role(before),
                Some(Role::Adjective(_) | Role::Skip)
            )
            || agreeing_before(view, before).is_some() && view.is_open(before);
        if !within {
            break;
        }
        at = before;
    }
    // "Mașina avocatului": a noun right behind another is its genitive.
    let genitive = at == noun
        && noun > 0
        && !prepositions.is_empty()
        && view.is_open(noun - 1)
        && view.words.rules.sexes.find(view.word(noun - 1)).is_none();
    let form = view.listed(noun).or_else(|| view.by_ending(noun));
    let oblique = form.is_some_and(|form| form.citation.is_empty());
    !(view.sentence.grammar.endings_decide && oblique || genitive)
}

/// "Le professeur, fatiguée, est": a participle between commas.
pub(crate) fn apposed(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let at = noun + 2;
    let commas = view.word(noun + 1) == "," && view.word(noun + 3) == ",";
    if !commas || view.is_capital(at) || view.listed(at).is_some() {
        return None;
    }
    agreeing(view, at).or_else(|| Some((agreeing_before(view, at)?, at)))
}

/// A word that can be nothing but a participle or adjective, by at least two letters of its ending.
fn agreeing(view: &View, at: usize) -> Option<(Cells, usize)> {
    let rules = &view.words.rules;
    let word = view.word(at);
    let (cells, letters) = if rules.predicates.is_empty() {
        let (genders, letters) = view.sentence.lexicon.predicate_suffixes.find(word)?;
        (Cells::new(genders, Number::EITHER), letters)
    } else {
        rules.predicates.find(word)?
    };
    // "stata eletta" are two participles, "fiera sorella" is an adjective before its noun.
    let behind = view.listed(at + 1).filter(|noun| noun.kind == Kind::Person);
    let attribute = view.is_open(at + 1)
        && (behind.is_some_and(|noun| noun.cells.single().is_some())
            && rules.predicates.find(view.word(at + 1)).is_none()
            && view
                .sentence
                .lexicon
                .predicate_suffixes
                .find(view.word(at + 1))
                .is_none()
            || rules.humans.word(view.word(at + 1)).is_some());
    // French "fatigué" is no less certain than "fatiguée".
    let certain = (letters >= 2 || word.ends_with('é'))
        && view.is_word(at)
        && !is_article(view, at)
        && rules.adverbs.word(word).is_none()
        && both_forms::first(word).is_none()
        && !attribute;
    certain.then_some((cells, at))
}

fn agreeing_verb(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let rules = &view.words.rules;
    if rules.predicates.is_empty() {
        let read = view.sentence.grammar.context?;
        let (genders, word) = read(&view.sentence, noun)?;
        return Some((Cells::new(genders, Number::EITHER), word));
    }
    if !rules.copulas.is_empty() {
        return behind_copula(view, noun);
    }
    if view.sentence.grammar.head_final {
        return ends_clause(view, noun);
    }
    let verb = |at: usize| {
        // "je njena mlajša sestra": what agrees with a noun behind it.
        let attribute = is_article(view, at)
            || agreeing_before(view, at).is_some_and(|cells| names_sex(view, at + 1, cells));
        let open = view.is_word(at) && view.listed(at).is_none() && !attribute;
        let (cells, _) = rules.predicates.find(view.word(at)).filter(|_| open)?;
        (cells != Cells::ALL).then_some((cells, at))
    };
    // A form that can only be a nominative depends on nothing before it.
    let form = view.listed(noun).or_else(|| view.by_ending(noun));
    let consonant = !view.word(noun).ends_with([
        'а', 'я', 'ы', 'и', 'і', 'у', 'ю', 'е', 'о', 'a', 'y', 'i', 'u', 'e', 'o', 'é', 'í', 'ů',
        'ę', 'ą',
    ]);
    let subject = form.is_some_and(|form| {
        form.citation == form.cells && (consonant || form.cells.single().is_none())
    });
    if noun > 0 && !subject && governed(view, noun - 1) {
        return None;
    }
    for at in noun + 1..view.len().min(noun + 1 + REACH) {
        if !view.is_word(at) {
            break;
        }
        if let Some(found) = verb(at) {
            return Some(found);
        }
        let other = view.listed(at).filter(|noun| noun.kind == Kind::Person);
        // "Офицер полиции определила": a group behind the noun is its genitive.
        if other.is_some_and(|noun| !noun.citation.is_empty() && !noun.epicene) {
            return None;
        }
    }
    // "сказала врач", "не забыла ли врач"
    let before = noun.checked_sub(1)?;
    // Croatian "vidio je susjeda".
    let particle = matches!(
        view.word(before),
        "ли" | "же" | "бы" | "by" | "li" | "би" | "je" | "је"
    );
    // "Vidio je susjedu": only what may be a subject has a verb.
    let object = form.is_some_and(|form| form.citation.is_empty());
    if particle && object {
        return None;
    }
    let verb_at = before.checked_sub(usize::from(particle))?;
    // "Мэр поблагодарила повара": the verb has its subject before it.
    let is_subject = |at: usize| {
        let person = view.listed(at).filter(|noun| noun.kind == Kind::Person);
        person.is_some_and(|noun| !noun.citation.is_empty())
    };
    let owned = (0..verb_at)
        .rev()
        .take(REACH)
        .take_while(|&at| view.is_word(at))
        .any(is_subject);
    verb(verb_at).filter(|_| !owned)
}

/// A noun for a man, a woman or a relative, maybe behind an adjective.
fn names_sex(view: &View, at: usize, shown: Cells) -> bool {
    // "uspokoiła studentkę": a verb and its object, since the object is no nominative.
    let is_noun = |at: usize| match view.listed(at).filter(|noun| noun.kind == Kind::Person) {
        Some(noun) => !noun.citation.and(shown).is_empty(),
        None => view.words.rules.humans.word(view.word(at)).is_some(),
    };
    is_noun(at) || agreeing_before(view, at).is_some() && is_noun(at + 1)
}

/// "vos compatriotes sont venues": the agreeing words behind a copula, the last of a chain ("è sempre
/// stata onesta"), but no adjective in front of a noun ("es su guapa hermana").
fn behind_copula(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let rules = &view.words.rules;
    let is_copula = |at: usize| rules.copulas.word(view.word(at)).is_some();
    let copula = (noun + 1..view.len().min(noun + 2 + REACH))
        .take_while(|&at| view.is_word(at) && (at <= noun + 1 || !view.is_person(at)))
        .find(|&at| is_copula(at))?;
    let mut found = None;
    for at in copula + 1..view.len().min(copula + 6) {
        if !view.is_word(at) {
            break;
        }
        // "étaient particulièrement ravies"
        let adverb = view.word(at).ends_with("ment") || view.word(at).ends_with("mente");
        if is_copula(at) || adverb && view.is_word(at + 1) {
            continue;
        }
        if matches!(
            view.sentence.role(at),
            Some(Role::Determiner(_) | Role::Dative)
        ) {
            break;
        }
        // "L'artiste est partie" is no part.
        if at > copula + 1 && view.listed(at).is_some_and(|noun| noun.kind == Kind::Thing) {
            return None;
        }
        match rules.predicates.find(view.word(at)) {
            Some((cells, _)) if cells != Cells::ALL => match found {
                Some((known, _)) if cells.and(known).is_empty() => break,
                _ => found = Some((cells, at)),
            },
            _ if found.is_some() => break,
            _ => {}
        }
    }
    found
}

/// "प्राध्यापक थे", "शिक्षक के रूप में काम करती हैं": the verb at the end, where the noun can be its subject or
/// says as what the subject acts.
fn ends_clause(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let mut at = noun + 1;
    let mut own = true;
    while view.is_word(at) {
        let word = view.word(at);
        let next = view.word(at + 1);
        if matches!((word, next), ("के", "रूप" | "तौर") | ("کے", "طور")) {
            at += 3;
            continue;
        }
        // Only right behind the noun: "देर से आया" says when.
        if own
            && matches!(
                word,
                "ने" | "को"
                    | "का"
                    | "की"
                    | "के"
                    | "से"
                    | "نے"
                    | "کو"
                    | "کا"
                    | "کی"
                    | "کے"
                    | "سے"
            )
        {
            return None;
        }
        own = false;
        if let Some(cells) = view
            .words
            .rules
            .predicates
            .find(word)
            .map(|(cells, _)| cells)
        {
            return Some((cells, at));
        }
        if view
            .listed(at)
            .is_some_and(|noun| noun.kind == Kind::Person)
        {
            return None;
        }
        at += 1;
    }
    None
}

/// The word before belongs to another phrase that the noun depends on: a preposition, or a noun of
/// which it is a genitive.
fn governed(view: &View, at: usize) -> bool {
    match view.sentence.role(at) {
        Some(Role::Dative) => true,
        Some(Role::Stop) => {
            view.words.rules.predicates.find(view.word(at)).is_none() && {
                // Prepositions are short; conjunctions and adverbs do not govern.
                PREPOSITIONS.contains(&view.word(at))
            }
        }
        Some(_) => false,
        None => {
            view.is_open(at)
                && agreeing_before(view, at).is_none()
                && view.words.rules.predicates.find(view.word(at)).is_none()
        }
    }
}

/// A preposition of a language whose verbs agree with their subject.
pub(crate) fn is_preposition(word: &str) -> bool {
    PREPOSITIONS.contains(&word)
}

/// Prepositions of the languages whose verbs agree with their subject.
const PREPOSITIONS: &[&str] = &[
    "в",
    "во",
    "на",
    "с",
    "со",
    "к",
    "ко",
    "о",
    "об",
    "за",
    "под",
    "над",
    "при",
    "про",
    "по",
    "у",
    "от",
    "до",
    "из",
    "для",
    "без",
    "между",
    "перед",
    "через",
    "w",
    "we",
    "na",
    "z",
    "ze",
    "do",
    "od",
    "za",
    "pod",
    "nad",
    "przy",
    "przez",
    "o",
    "po",
    "u",
    "k",
    "ke",
    "s",
    "se",
    "v",
    "ve",
    "při",
    "pro",
    "před",
    "i̇z",
    "sa",
    "kod",
    "med",
    "pri",
    "iz",
    "ob",
    "з",
    "зі",
    "до",
    "від",
    "із",
    "да",
    "ад",
    "без",
    "със",
    "към",
    "след",
];

/// The only gender that personal pronouns of the sentence have, where no other person is named.
pub(crate) fn pronoun(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let pronouns = &view.words.rules.pronouns;
    if pronouns.is_empty() {
        return None;
    }
    let mut found: Option<(Cells, usize)> = None;
    for at in 0..view.len() {
        if at == noun {
            continue;
        }
        if let Some(cells) = pronouns.word(view.word(at)) {
            match found {
                None => found = Some((cells, at)),
                Some((known, _)) if known.and(cells).is_empty() => return None,
                Some(_) => {}
            }
        } else if view.is_person(at) {
            return None;
        }
    }
    found
}

/// "Хирурга и платить ей": a feminine pronoun soon behind the noun, nothing between that it could speak of, and
/// nobody else before: of two persons a pronoun may mean either.
pub(crate) fn pronoun_behind(view: &View, noun: usize) -> Option<(Cells, usize)> {
    let pronouns = &view.words.rules.pronouns;
    let woman = Cells::new(Genders::F, Number::SINGULAR);
    // "Ольга" opens a sentence as any word does; what ends like her may be a name.
    let is_named = |at: usize| match at {
        0 => view.is_open(0) && view.word(0).ends_with(['а', 'я', 'a']),
        _ => view.is_capital(at),
    };
    let alone = (0..noun).all(|at| {
        let person = view.listed(at).filter(|noun| noun.kind == Kind::Person);
        person.is_none()
            && pronouns
                .word(view.word(at))
                .is_none_or(|cells| cells.and(woman).is_empty())
            && !is_named(at)
    });
    if !alone {
        return None;
    }
    if let Some(at) = opens_next(view, noun) {
        return pronouns.word(view.word(at)).map(|cells| (cells, at));
    }
    for at in noun + 1..view.len().min(noun + 1 + REACH) {
        // "С дизайнером, потому что она": another clause speaks of anybody.
        if !view.is_word(at) {
            return None;
        }
        if let Some(cells) = pronouns.word(view.word(at)) {
            return Some((cells, at));
        }
        let infinitive = view.word(at).ends_with("ть") || view.word(at).ends_with("ться");
        if view.is_open(at) && !infinitive {
            return None;
        }
    }
    None
}

/// "Наняли фотографа, и она": the pronoun that the next clause begins with, where nothing before the noun could be the
/// subject that it takes up ("фирма ищет хирурга, и она").
fn opens_next(view: &View, noun: usize) -> Option<usize> {
    let subject = |at: usize| {
        let governed = at > 0 && PREPOSITIONS.contains(&view.word(at - 1));
        view.is_open(at) && view.word(at).ends_with(['а', 'я', 'a']) && !governed
    };
    if view.word(noun + 1) != "," || (0..noun).any(subject) {
        return None;
    }
    let joined = matches!(
        view.word(noun + 2),
        "и" | "а" | "і" | "й" | "та" | "i" | "a"
    );
    let at = noun + 2 + usize::from(joined);
    matches!(view.word(at), "она" | "вона" | "яна" | "ona" | "тя").then_some(at)
}
