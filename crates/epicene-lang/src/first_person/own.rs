//! The strict mode's "whose form is this?": what certainly belongs to a first-person word.
//!
//! Where `head` predicts what a parser would conclude, this refuses: a participle that another
//! auxiliary or an overt subject may claim, or that stands behind another clause, is nobody's.

use std::ops::Range;

use super::head::{self, Auxiliary, AuxiliaryKind};
use super::predicate::{Found, Predicate, adjective, agreeing_noun, predicate};
use super::sentence::{Kind, Sentence};
use super::tags::Tags;
use crate::Gender;

/// Clauses looked at behind the one of an auxiliary that has found nothing yet.
const CLAUSES_AHEAD: usize = 2;

/// The gender of the first-person auxiliary at `anchor`.
pub(crate) fn of_auxiliary(
    sentence: &Sentence,
    anchor: usize,
    auxiliary: Auxiliary,
) -> Option<Found> {
    let phrase = sentence.phrase(anchor);
    let other = match auxiliary.kind {
        AuxiliaryKind::Plain | AuxiliaryKind::CopulaOnly | AuxiliaryKind::Homonym => false,
        AuxiliaryKind::LeaningHomonym => !leans(sentence, anchor),
        AuxiliaryKind::AnyPerson => !beside_pronoun(sentence, anchor),
    };
    if other {
        return None;
    }
    let homonym = matches!(
        auxiliary.kind,
        AuxiliaryKind::Homonym | AuxiliaryKind::LeaningHomonym
    );
    let takes_participle = auxiliary.kind != AuxiliaryKind::CopulaOnly;
    if takes_participle && let Some(found) = participle(sentence, anchor, phrase.clone()) {
        return (!homonym || !is_claimed(sentence, anchor, found.token)).then_some(found);
    }
    if homonym && has_third(sentence, phrase.clone()) {
        return None;
    }
    let after = match predicate(sentence, anchor + 1, phrase.end, Tags::ADJ_MF) {
        Predicate::Nothing => coordinated(sentence, phrase.end, Tags::ADJ_MF),
        found => found,
    };
    let after = sure(sentence, after);
    let before = head::adjective_before(sentence, anchor, phrase.start);
    match (before, after) {
        // "Dober sem kuhar": one noun phrase around the copula.
        (Some(found), Predicate::Other(noun)) if head::agree(sentence, found.token, noun) => {
            return None;
        }
        (Some(found), _) | (None, Predicate::Gendered(found)) => return Some(found),
        (None, _) => {}
    }
    // "Som v práci a doma varila": the participle behind a conjunction.
    if !takes_participle {
        return None;
    }
    let clause = sentence.clause(anchor);
    let further = participle(sentence, anchor, phrase.end..clause.end);
    if let Some(found) = further {
        return unclaimed(sentence, found.token).then_some(found);
    }
    match after {
        Predicate::Nothing => behind_insertion(sentence, anchor),
        _ => None,
    }
}

/// The adjective that goes on after a conjunction: "jsem asertivní a silná".
fn coordinated(sentence: &Sentence, from: usize, forms: Tags) -> Predicate {
    let light = Tags::COORD | Tags::ADVERB;
    let first = (from..sentence.len()).find(|&index| !sentence.tags(index).any(light));
    match first {
        Some(first)
            if first > from
                && sentence.tokens[first].phrase == sentence.tokens[from].phrase
                && sentence.tags(first).any(forms) =>
        {
            adjective(sentence, first, forms)
        }
        _ => Predicate::Nothing,
    }
}

/// An adjective right behind an oblique one is its noun ("velikih elektrana"), no predicate.
fn sure(sentence: &Sentence, predicate: Predicate) -> Predicate {
    let Predicate::Gendered(found) = predicate else {
        return predicate;
    };
    let tags = sentence.tags(found.token);
    if tags.is_own_past() {
        return predicate;
    }
    let next = sentence.tokens.get(found.token + 1);
    // "Jsem ta, která", "я такой", "я такой усталый", but not "ten nejlepší šéf", "такой ерунды".
    let pointing = tags.any(Tags::DETERMINER)
        && next.is_some_and(|next| {
            let goes_on = Tags::ADJ_MF | Tags::INS_MF | Tags::SUBORD;
            next.kind != Kind::Break && !next.tags.any(goes_on)
        });
    let light = Tags::DETERMINER | Tags::CLITIC | Tags::ADVERB | Tags::ADJ_MF;
    let before = found.token.checked_sub(1).map(|index| sentence.tags(index));
    let governed = before.is_some_and(|before| before.any(Tags::ADJ_X) && !before.any(light));
    // An instrumental behind a noun is its attribute: "w związku poligamicznym".
    let nouns = Tags::OBLIQUE | Tags::NOUN_M | Tags::NOUN_F;
    let postposed = !tags.any(Tags::ADJ_MF)
        && before.is_some_and(|before| before.any(nouns) && !before.any(light | Tags::INS_MF));
    match pointing || governed || postposed {
        true => Predicate::Other(found.token),
        false => predicate,
    }
}

fn gendered(predicate: Predicate) -> Option<Found> {
    match predicate {
        Predicate::Gendered(found) => Some(found),
        Predicate::Other(_) | Predicate::Nothing => None,
    }
}

/// Whether another finite verb takes the participle at `token`: "se je peljala sem", "nije morao
/// raditi sam", but not "što sam želio nije bilo važno".
fn is_claimed(sentence: &Sentence, anchor: usize, token: usize) -> bool {
    let phrase = sentence.phrase(token);
    (phrase.start..token).any(|index| {
        let tags = sentence.tags(index);
        tags.any(Tags::THIRD) && !tags.any(Tags::CLITIC) && (anchor > token || index > anchor)
    })
}

fn has_third(sentence: &Sentence, mut range: Range<usize>) -> bool {
    range.any(|index| {
        let tags = sentence.tags(index);
        tags.any(Tags::THIRD) && !tags.any(Tags::CLITIC)
    })
}

/// Whether a word stands before the clitic that can carry it: no clitic opens a clause or follows
/// "i", "a" or a preposition.
fn leans(sentence: &Sentence, anchor: usize) -> bool {
    let phrase = sentence.phrase(anchor);
    // The auxiliary stands before the pronouns of its cluster: "se Ana sam predala" is "alone".
    let opener = (phrase.start..anchor)
        .rev()
        .find(|&index| sentence.tags(index).any(Tags::SUBORD));
    let mut cluster = opener.unwrap_or(phrase.start)..anchor;
    if cluster.any(|index| {
        matches!(
            sentence.word(index),
            "se" | "ga" | "mu" | "joj" | "ih" | "ju"
        )
    }) {
        return false;
    }
    let mut before = (phrase.start..anchor).rev();
    let before = before.find(|&index| sentence.tokens[index].kind != Kind::Mark);
    before.is_some_and(|index| {
        let tags = sentence.tags(index);
        !(tags.any(Tags::COORD) && matches!(sentence.word(index), "i" | "a"))
            && !tags.any(Tags::PREPOSITION)
    })
}

/// Whether an auxiliary that fits every person is the speaker's: beside the pronoun; or in a
/// clause without a subject, "da bi ..." before a first-person clause, or "rad bi" in a sentence
/// that has one.
fn beside_pronoun(sentence: &Sentence, anchor: usize) -> bool {
    let clause = sentence.clause(anchor);
    let has = |tags: Tags| clause.clone().any(|index| sentence.tags(index).any(tags));
    if has_third(sentence, clause.clone()) || has(Tags::OTHER_SUBJECT) {
        return false;
    }
    let mut phrase = sentence.phrase(anchor);
    if phrase.any(|index| sentence.tags(index).any(Tags::SPEAKER)) {
        return true;
    }
    let subject = (clause.start..anchor)
        .chain(anchor + 1..clause.end)
        .any(|index| {
            let tags = sentence.tags(index);
            let prepositional = index > 0 && sentence.tags(index - 1).any(Tags::PREPOSITION);
            tags.any(Tags::NOUN_M | Tags::NOUN_F) && !prepositional
        });
    if subject {
        return false;
    }
    let own = |range: Range<usize>| {
        let mut range = range;
        range.any(|index| sentence.tags(index).any(Tags::OWN))
    };
    let purpose = clause.start == 0 && sentence.word(0) == "da" && clause.end < sentence.len();
    if purpose {
        return own(sentence.clause(clause.end));
    }
    let wish = clause
        .clone()
        .any(|index| matches!(sentence.word(index), "rad" | "rada"));
    wish && (own(0..clause.start) || own(clause.end..sentence.len()))
}

/// The participle of `range` nearest to `anchor`.
fn participle(sentence: &Sentence, anchor: usize, range: Range<usize>) -> Option<Found> {
    let token = range
        .filter(|&index| index != anchor && sentence.tags(index).is_own_past())
        .filter(|&index| !is_noun(sentence, index))
        .min_by_key(|&index| {
            let doubt = index < anchor && !head::opens_phrase(sentence, index);
            (
                sentence.crossings(index, anchor),
                doubt,
                index.abs_diff(anchor),
            )
        })?;
    head::own_past(sentence, token)
}

/// A noun that ends like a participle: after a preposition, or in -la after its attribute ("mého
/// anděla", "тази раздяла", but "co vtipného řekl").
pub(crate) fn is_noun(sentence: &Sentence, index: usize) -> bool {
    let tags = sentence.tags(index);
    let Some(before) = index.checked_sub(1).map(|before| sentence.tags(before)) else {
        return false;
    };
    if !tags.any(Tags::PAST_MF | Tags::FIRST_M) {
        return false;
    }
    let pronoun = Tags::ADVERB | Tags::CLITIC;
    let determined = before.any(Tags::DETERMINER)
        && !before.any(pronoun)
        && sentence.tokens[index - 1].kind == Kind::Word;
    let negated = sentence.word(index).starts_with("ne");
    before.any(Tags::PREPOSITION) && !before.any(pronoun)
        || (before.any(Tags::GENITIVE) || determined) && tags.any(Tags::PAST_F) && !negated
}

/// Whether no other subject or auxiliary stands in the phrase of `token`.
fn unclaimed(sentence: &Sentence, token: usize) -> bool {
    let others = Tags::AUX | Tags::OTHER_SUBJECT | Tags::THIRD;
    let mut phrase = sentence.phrase(token);
    phrase.all(|index| !sentence.tags(index).any(others))
}

/// The participle behind an inserted clause: "ja som si v tichu, ktoré nastalo, pomyslel".
fn behind_insertion(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let clause = sentence.clause(anchor);
    if sentence.tags(clause.start).any(Tags::SUBORD) {
        return None;
    }
    let mut end = clause.end;
    for _ in 0..CLAUSES_AHEAD {
        if end >= sentence.len() || sentence.word(end - 1) != "," {
            return None;
        }
        let clause = sentence.clause(end);
        if clause.clone().any(|index| is_quotation(sentence, index)) {
            return None;
        }
        let opens = sentence.tags(clause.start);
        if !opens.any(Tags::SUBORD | Tags::PREPOSITION | Tags::COORD) {
            let subject = Tags::AUX | Tags::OTHER_SUBJECT | Tags::THIRD | Tags::SPEAKER;
            if clause
                .clone()
                .any(|index| sentence.tags(index).any(subject))
            {
                return None;
            }
            let own = |index| head::own_past(sentence, index);
            let Some(found) = clause.clone().find_map(own) else {
                end = clause.end;
                continue;
            };
            // A noun that could be the subject of this verb.
            let nouns = subject_of(found.gender);
            let named = clause
                .clone()
                .any(|index| index != found.token && sentence.tags(index).any(nouns));
            return (!named).then_some(found);
        }
        if clause
            .clone()
            .any(|index| sentence.tags(index).any(Tags::OWN))
        {
            return None;
        }
        end = clause.end;
    }
    None
}

fn is_quotation(sentence: &Sentence, index: usize) -> bool {
    sentence.tokens[index].kind == Kind::Mark
        && matches!(
            sentence.word(index),
            "\"" | "„" | "“" | "”" | "«" | "»" | "‚" | "‘" | "’" | "›" | "‹"
        )
}

fn subject_of(gender: Gender) -> Tags {
    match gender {
        Gender::Masculine => agreeing_noun(Tags::ADJ_M),
        Gender::Feminine => agreeing_noun(Tags::ADJ_F),
    }
}

/// The gender of the pronoun "I" at `anchor`.
pub(crate) fn of_subject(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let clause = sentence.clause(anchor);
    // "как и я": somebody is like the speaker.
    let before = (clause.start..anchor)
        .rev()
        .find(|&index| !sentence.tags(index).any(Tags::COORD));
    let compared = before.is_some_and(|index| sentence.tags(index).any(Tags::COMPARISON));
    let Some(found) = head::of_subject(sentence, anchor).filter(|&found| {
        !is_noun(sentence, found.token)
            && gendered(sure(sentence, Predicate::Gendered(found))).is_some()
    }) else {
        let verb = Tags::PAST_MF | Tags::PAST_X | Tags::OWN | Tags::MAYBE_FINITE | Tags::INFINITIVE;
        let said = clause
            .clone()
            .any(|index| index != anchor && sentence.tags(index).any(verb | Tags::ADJ_MF));
        return match said || compared {
            true => None,
            false => behind_insertion(sentence, anchor),
        };
    };
    if compared && sentence.tokens[found.token].phrase != sentence.tokens[anchor].phrase {
        return None;
    }
    if clause.contains(&found.token) {
        return Some(found);
    }
    // Behind an insertion that has no verb of its own in the first person.
    let near = sentence.tokens[found.token].clause - sentence.tokens[anchor].clause;
    let between = clause.end..sentence.clause(found.token).start;
    let verb = Tags::OWN | Tags::MAYBE_FINITE;
    let bare = between.clone().all(|index| !sentence.tags(index).any(verb));
    let quoted = (anchor..found.token).any(|index| is_quotation(sentence, index));
    let nouns = subject_of(found.gender);
    let named = sentence
        .clause(found.token)
        .any(|index| index < found.token && sentence.tags(index).any(nouns | Tags::SUBORD));
    (usize::from(near) <= CLAUSES_AHEAD && bare && !named && !quoted).then_some(found)
}

/// Whether the word at `index` puts its phrase in the first person: listed, or ending so and not
/// standing where a noun would.
fn is_first(sentence: &Sentence, index: usize) -> bool {
    let tags = sentence.tags(index);
    if tags.any(Tags::OWN) {
        return true;
    }
    // Croatian "mogu" is "they can" too: nothing that could be a subject stands before it.
    if sentence.word(index) == "mogu" {
        let light = Tags::ADVERB | Tags::CLITIC | Tags::SUBORD | Tags::COORD | Tags::SPEAKER;
        let mut before = sentence.clause(index).start..index;
        return before.all(|at| {
            let relative = sentence.word(at).starts_with("koj");
            sentence.tokens[at].kind == Kind::Mark || sentence.tags(at).any(light) && !relative
        });
    }
    let nominal =
        Tags::PREPOSITION | Tags::ADJ_X | Tags::DETERMINER | Tags::GENITIVE | Tags::INS_MF;
    tags.any(Tags::MAYBE_FINITE)
        && !sentence.word(index).ends_with(['у', 'ю'])
        && !(index > 0 && sentence.tags(index - 1).any(nominal))
        && sentence.tokens[index].kind == Kind::Word
}

/// Whether the phrase of `index`, or the rest of its clause where the phrase has no verb, is in
/// the first person singular and has no other subject.
pub(crate) fn is_own(sentence: &Sentence, index: usize) -> bool {
    let other = |index: usize| {
        let tags = sentence.tags(index);
        tags.any(Tags::OTHER_SUBJECT) || (tags.any(Tags::THIRD) && !tags.any(Tags::CLITIC))
    };
    let phrase = sentence.phrase(index);
    if phrase.clone().any(other) {
        return false;
    }
    if phrase
        .clone()
        .any(|place| place != index && is_first(sentence, place))
    {
        return true;
    }
    let clause = sentence.clause(index);
    let verb = Tags::PAST_MF | Tags::PAST_X | Tags::AUX;
    !phrase.clone().any(|index| sentence.tags(index).any(verb))
        && !clause.clone().any(other)
        && clause
            .clone()
            .any(|place| place != index && sentence.tags(place).any(Tags::OWN))
}

/// Whether `index` stands in a Bulgarian "да"-clause whose verb may be in the first person, behind
/// a clause that is: "реших да построя къщата сам", not "искам да дойде сама".
fn is_own_infinitive(sentence: &Sentence, index: usize) -> bool {
    let clause = sentence.clause(index);
    if clause.start == 0 || sentence.word(clause.start) != "да" {
        return false;
    }
    let light = Tags::CLITIC | Tags::ADVERB;
    let verb = (clause.start + 1..clause.end).find(|&at| !sentence.tags(at).any(light));
    // The third person of the verbs in -ам ends in -а too.
    const THIRD: [&str; 6] = ["ва", "ира", "жда", "ща", "яга", "чва"];
    let first = verb.is_some_and(|at| {
        let word = sentence.word(at);
        word.ends_with(['а', 'я', 'м']) && !THIRD.iter().any(|ending| word.ends_with(ending))
    });
    let other = Tags::OTHER_SUBJECT | Tags::THIRD;
    first
        && !clause.clone().any(|at| sentence.tags(at).any(other))
        && sentence
            .clause(clause.start - 1)
            .any(|at| sentence.tags(at).any(Tags::OWN))
}

/// An adjective that opens the sentence before a first-person clause: "Облечена в кожа, излязох".
pub(crate) fn adjunct(sentence: &Sentence) -> Option<Found> {
    let first = (0..sentence.len()).find(|&index| sentence.tokens[index].kind != Kind::Mark)?;
    let clause = sentence.clause(first);
    let verb = Tags::OWN | Tags::AUX | Tags::THIRD | Tags::PAST_MF | Tags::PAST_X;
    if clause.end == sentence.len() || clause.clone().any(|at| sentence.tags(at).any(verb)) {
        return None;
    }
    let next = sentence.clause(clause.end);
    let has = |tags: Tags| next.clone().any(|at| sentence.tags(at).any(tags));
    if !has(Tags::OWN) || has(Tags::OTHER_SUBJECT) || !sentence.tags(first).any(Tags::ADJ_MF) {
        return None;
    }
    gendered(adjective(sentence, first, Tags::ADJ_MF))
}

/// "Sám", "rád", "один" of the speaker: in an own phrase, and no attribute of a noun after it.
pub(crate) fn own_word(sentence: &Sentence, token: usize, gender: Gender) -> Option<Found> {
    let found = Some(Found::new(gender, token));
    let before = token.checked_sub(1).map(|index| sentence.tags(index));
    if before.is_some_and(|tags| tags.any(Tags::SPEAKER)) {
        return found;
    }
    // "v sebe sama" is an object, "niekoľko rád" and "за один" are something else.
    let object = token > 0 && matches!(sentence.word(token - 1), "sebe" | "seba" | "sebou");
    let counted = Tags::PREPOSITION | Tags::DETERMINER;
    let light = Tags::CLITIC | Tags::ADVERB;
    let other = before.is_some_and(|tags| tags.any(counted) && !tags.any(light));
    if object
        || other
        || !(is_own(sentence, token)
            || is_experiencer(sentence, token)
            || before_first_person(sentence, token)
            || is_own_infinitive(sentence, token))
    {
        return None;
    }
    if sentence.tags(token).any(Tags::GOVERNS) {
        return found;
    }
    let next = token + 1;
    // The numeral "один" counts a noun unless nothing follows that it could count.
    if sentence.tags(token).any(Tags::DETERMINER)
        && let Some(after) = sentence.tokens.get(next)
    {
        let free = Tags::OWN | Tags::INFINITIVE | Tags::PREPOSITION | Tags::COORD;
        let place = matches!(
            sentence.word(next),
            "дома" | "вдома" | "тут" | "здесь" | "там"
        );
        if after.kind != Kind::Break && !after.tags.any(free) && !place {
            return None;
        }
    }
    let noun = next < sentence.clause(token).end && {
        let tags = sentence.tags(next);
        let verb = Tags::OWN | Tags::PAST_MF | Tags::MAYBE_FINITE | Tags::INFINITIVE | Tags::CLITIC;
        let other = Tags::ADVERB | Tags::AUX | Tags::COORD | Tags::SUBORD;
        let of_them = matches!(
            sentence.word(next),
            "з" | "із" | "зі" | "из" | "од" | "od" | "izmed"
        );
        of_them
            || (tags.any(subject_of(gender) | Tags::ADJ_MF)
                && !tags.any(verb | other | Tags::PREPOSITION))
    };
    found.filter(|_| !noun)
}

/// Whether "rád" stands right before its verb, and that ends like a first person: "Rád štípu dříví".
fn before_first_person(sentence: &Sentence, token: usize) -> bool {
    let light = Tags::CLITIC | Tags::ADVERB;
    let clause = sentence.clause(token);
    let other = Tags::OTHER_SUBJECT | Tags::THIRD | Tags::PAST_MF | Tags::PAST_X;
    let verb = (token + 1..clause.end).find(|&index| !sentence.tags(index).any(light));
    sentence.tags(token).any(Tags::GOVERNS)
        && !clause.clone().any(|index| sentence.tags(index).any(other))
        && verb.is_some_and(|index| {
            sentence.tokens[index].kind == Kind::Word
                && sentence.word(index).ends_with(['u', 'm'])
                && !sentence.tags(index).any(Tags::PREPOSITION)
        })
}

/// Whether the clause has an infinitive whose subject is the speaker as an object: "baví mě být sama".
fn is_experiencer(sentence: &Sentence, token: usize) -> bool {
    let clause = sentence.clause(token);
    let has = |tags: Tags| clause.clone().any(|index| sentence.tags(index).any(tags));
    let modal = clause.clone().any(|index| {
        let tags = sentence.tags(index);
        tags.any(Tags::THIRD) && !tags.any(Tags::AUX)
    });
    has(Tags::ME) && has(Tags::INFINITIVE) && !has(Tags::PAST_MF | Tags::OTHER_SUBJECT) && !modal
}

/// The adjective of a first-person verb of feeling at `anchor`.
pub(crate) fn of_feeling(sentence: &Sentence, anchor: usize, forms: Tags) -> Option<Found> {
    let phrase = sentence.phrase(anchor);
    let tags = sentence.tags(anchor);
    let reflexive = phrase
        .clone()
        .any(|index| sentence.tags(index).any(Tags::REFLEXIVE));
    if tags.any(Tags::CONSIDER) && !reflexive {
        return None;
    }
    if phrase
        .clone()
        .any(|index| sentence.tags(index).any(Tags::OTHER_SUBJECT))
    {
        return None;
    }
    let after = predicate(sentence, anchor + 1, phrase.end, forms);
    if let Predicate::Gendered(found) = sure(sentence, after) {
        // "чувствую себя слепой" is an instrumental.
        let tags = sentence.tags(found.token);
        let instrumental = forms.any(Tags::INS_MF) && tags.any(Tags::INS_F);
        return Some(match instrumental {
            true => Found::new(Gender::Feminine, found.token),
            false => found,
        });
    }
    // "Смятам се за умна".
    if tags.any(Tags::CONSIDER)
        && let Some(as_what) = phrase.clone().find(|&index| sentence.word(index) == "за")
    {
        let light = Tags::ADVERB;
        let first = (as_what + 1..phrase.end).find(|&at| !sentence.tags(at).any(light))?;
        return match sentence.tags(first).any(forms) {
            true => gendered(adjective(sentence, first, forms)),
            false => None,
        };
    }
    // "Sama se cítím", "Silná zostanem".
    let before = (phrase.start..anchor).rev().find(|&index| {
        let light = Tags::CLITIC | Tags::ADVERB | Tags::AUX | Tags::SPEAKER;
        !sentence.tags(index).any(light)
    })?;
    match sentence.tags(before).any(Tags::ADJ_MF)
        && !head::under_preposition(sentence, before, phrase.start)
    {
        true => gendered(adjective(sentence, before, Tags::ADJ_MF)),
        false => None,
    }
}

/// The participle of a word with a first-person ending at `anchor`: behind it, else before it.
pub(crate) fn of_carrier(sentence: &Sentence, anchor: usize) -> Option<Found> {
    let clause = sentence.clause(anchor);
    let behind = (anchor + 1..clause.end).find_map(|index| head::own_past(sentence, index));
    behind.or_else(|| {
        let phrase = sentence.phrase(anchor);
        let mut before = (phrase.start..anchor).rev();
        before.find_map(|index| head::own_past(sentence, index))
    })
}

/// The adjective of an infinitive "to be" at `anchor` whose subject is the speaker.
pub(crate) fn of_copula(sentence: &Sentence, anchor: usize, forms: Tags) -> Option<Found> {
    let phrase = sentence.phrase(anchor);
    // "Хочу любить и быть любимым": the verb may stand before a conjunction.
    let verb = Tags::PAST_MF | Tags::PAST_X | Tags::OTHER_SUBJECT;
    let start = match phrase.clone().any(|index| sentence.tags(index).any(verb)) {
        true => phrase.start,
        false => sentence.clause(anchor).start,
    };
    let own = (start..phrase.end).any(|index| {
        let tags = sentence.tags(index);
        tags.any(Tags::OWN) || sentence.word(index) == "mogu" && is_first(sentence, index)
    });
    if !(own || is_experiencer(sentence, anchor)) || has_third(sentence, phrase.clone()) && own {
        return None;
    }
    // "nikomu nedovolím byť dominantný": somebody else's infinitive.
    let another = (phrase.start..anchor).any(|index| {
        let tags = sentence.tags(index);
        let speakers = Tags::ME | Tags::REFLEXIVE | Tags::AUX | Tags::ADVERB;
        tags.any(Tags::OTHER_SUBJECT) || tags.any(Tags::PERSON) && !tags.any(speakers)
    });
    if another {
        return None;
    }
    own_predicate(sentence, anchor, forms)
}

/// The adjective of a future "to be" at `anchor`, which is in the first person.
pub(crate) fn own_predicate(sentence: &Sentence, anchor: usize, forms: Tags) -> Option<Found> {
    let found = head::of_infinitive(sentence, anchor, forms)?;
    // "Буду слепой": a masculine nominative or a feminine instrumental.
    let tags = sentence.tags(found.token);
    let open = forms.any(Tags::INS_MF) && tags.any(Tags::ADJ_M) && tags.any(Tags::INS_F);
    let next = sentence.tokens.get(found.token + 1);
    match open {
        // "быть такой решительной"
        true if next.is_some_and(|next| next.tags.any(Tags::INS_F)) => {
            Some(Found::new(Gender::Feminine, found.token + 1))
        }
        true => None,
        false => gendered(sure(sentence, Predicate::Gendered(found))),
    }
}

/// Whether "sam" at `token` is "alone" beside another first-person auxiliary: "kad sam dugo sam".
pub(crate) fn is_alone(sentence: &Sentence, token: usize) -> bool {
    let auxiliary = |index: usize| {
        let tags = sentence.tags(index);
        tags.any(Tags::FIRST) && tags.any(Tags::AUX)
    };
    sentence.clause(token).start < token
        && (sentence.clause(token).start..token).any(auxiliary)
        && !has_third(sentence, sentence.phrase(token))
}
