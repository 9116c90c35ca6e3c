//! "Alone", "gladly", "one": words that agree with the speaker wherever they stand in its clause.

use super::clause::subject_of;
use crate::Gender;
use crate::first_person::predicate::Found;
use crate::first_person::sentence::{Kind, Sentence};
use crate::first_person::tags::Tags;

/// Whether the word at `index` puts its phrase in the first person: listed, or ending so and not
/// standing where a noun would.
pub(crate) fn is_first(sentence: &Sentence, index: usize) -> bool {
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

/// Whether `index` is the second of two things the speaker compares: "живея с други, отколкото сам".
fn is_rather(sentence: &Sentence, index: usize) -> bool {
    const THAN: [&str; 8] = [
        "отколкото",
        "než",
        "nežli",
        "niż",
        "чем",
        "ніж",
        "чым",
        "nego",
    ];
    let Some(than) = index
        .checked_sub(1)
        .filter(|&at| THAN.contains(&sentence.word(at)))
    else {
        return false;
    };
    let start = sentence.clause(than).start;
    let before = match start.checked_sub(1) {
        Some(last) if start == than => sentence.clause(last),
        _ => start..than,
    };
    let has = |tags: Tags| before.clone().any(|at| sentence.tags(at).any(tags));
    has(Tags::OWN) && !has(Tags::OTHER_SUBJECT | Tags::THIRD)
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
    let other = before.is_some_and(|tags| {
        let gladly = sentence.tags(token).any(Tags::GOVERNS);
        tags.any(counted) && (gladly && !tags.any(Tags::CLITIC) || !tags.any(light))
    });
    if object
        || other
        || !(is_own(sentence, token)
            || is_experiencer(sentence, token)
            || before_first_person(sentence, token)
            || is_own_infinitive(sentence, token)
            || is_rather(sentence, token))
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
        of_them && sentence.tags(token).any(Tags::DETERMINER)
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

/// "Désolée, je…", "آسف على التأخير", "Рада знакомству": a word that opens the sentence and speaks of whoever says it.
pub(super) fn bare(sentence: &Sentence, tell: &mut dyn FnMut(Found)) {
    let light = Tags::ADVERB | Tags::DEGREE | Tags::COORD;
    let Some(index) = (0..sentence.len()).find(|&at| {
        sentence.tokens[at].kind == Kind::Word && !sentence.tags(at).any(light)
            || sentence.tags(at).any(Tags::BARE)
    }) else {
        return;
    };
    let tags = sentence.tags(index);
    let clause = sentence.clause(index);
    let Some(gender) = tags.gender().filter(|_| tags.any(Tags::BARE)) else {
        return;
    };
    let theirs = Tags::OTHER_SUBJECT | Tags::THIRD | Tags::AUX | Tags::NEGATION;
    let others = clause.clone().any(|at| {
        at != index && sentence.tags(at).any(theirs) && !sentence.tags(at).any(Tags::OWN)
    });
    let asked = sentence.word(clause.end - 1) == "?";
    // "Désolée, dit-elle": whoever is quoted may be anybody.
    let quoted = clause.end < sentence.len()
        && sentence.clause(clause.end).len() < QUOTED
        && sentence
            .clause(clause.end)
            .any(|at| sentence.tags(at).any(Tags::OTHER_SUBJECT | Tags::THIRD));
    let noun = index + 1 < clause.end && {
        let next = &sentence.tokens[index + 1];
        next.kind == Kind::Name || next.tags.any(subject_of(gender) | Tags::ADJ_MF)
    };
    if !others && !asked && !quoted && !noun {
        tell(Found::new(gender, index));
    }
}

/// Words of a clause that only says who speaks, at most: "dit-elle".
const QUOTED: usize = 4;

/// Whether the clause has an infinitive whose subject is the speaker as an object: "baví mě být sama".
pub(crate) fn is_experiencer(sentence: &Sentence, token: usize) -> bool {
    let clause = sentence.clause(token);
    let has = |tags: Tags| clause.clone().any(|index| sentence.tags(index).any(tags));
    let modal = clause.clone().any(|index| {
        let tags = sentence.tags(index);
        tags.any(Tags::THIRD) && !tags.any(Tags::AUX)
    });
    has(Tags::ME) && has(Tags::INFINITIVE) && !has(Tags::PAST_MF | Tags::OTHER_SUBJECT) && !modal
}
