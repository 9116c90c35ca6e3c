//! Words that speak of the speaker beside the clause's own predicate: "alone", and participles set apart by a comma.

use super::super::predicate::Found;
use super::super::sentence::{Kind, Sentence};
use super::super::tags::Tags;
use super::complement::opens_place;
use super::open_form::{context, has_subject, is_clitic};
use super::speaker::{Tie, controller};
use super::{depictive, gendered, is_end, nominal, tags_at};

/// "Alone" beside a verb of the speaker.
pub(super) fn alone(sentence: &Sentence, index: usize) -> Option<Found> {
    let found = gendered(sentence, index)?;
    let before = index.checked_sub(1)?;
    let previous = tags_at(sentence, before);
    let next = tags_at(sentence, index + 1);
    // "Ela julga-se sozinha, mas eu": the clause of somebody else.
    if sentence.word(before) == "se"
        && !(before > 0 && tags_at(sentence, before - 1).any(Tags::FINITE | Tags::INFINITIVE))
    {
        return None;
    }
    // Greek "μόνη μου": by myself.
    if next.any(Tags::ME) && next.any(Tags::MY) {
        return Some(found.at(index + 1));
    }
    // "Da sola", "tout seul": never "only".
    let sure = previous.any(Tags::ALONE) || !sentence.tags(index).any(Tags::ADVERB);
    // Greek "μένω μόνη τρία χρόνια".
    let timed = sentence
        .tokens
        .get(index + 1)
        .is_some_and(|token| token.kind == Kind::Number || token.tags.any(Tags::DETERMINER))
        && tags_at(sentence, index + 2).any(Tags::TIME);
    let ends = is_end(sentence, index + 1)
        || timed
        || (next.any(Tags::SUBORD | Tags::COORD | Tags::TIME | Tags::ADVERB)
            && !next.any(Tags::RELATIVE));
    let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::INFINITIVE | Tags::LIVE | Tags::FEEL;
    let after_verb = previous.any(verb | Tags::ADVERB | Tags::ALONE | Tags::CLITIC | Tags::SPEAKER);
    // Agreeing with a noun: "una mujer sola"; but "subí la caja sola".
    let noun = !previous.any(after_light()) && !previous.any(verb | Tags::SPEAKER);
    if noun {
        return depictive::alone(sentence, index, found);
    }
    let stands = if sure {
        ends || next.any(Tags::PREPOSITION | Tags::PURPOSE | Tags::CLITIC | Tags::AS)
    } else {
        // "Vivo solo para mis hijos": only.
        let inside = index + 1 < sentence.len()
            && matches!(
                sentence.word(index + 1),
                "en" | "em" | "na" | "no" | "nunha" | "numa"
            );
        let placed = (previous.any(Tags::LIVE) || previous.any(Tags::FEEL) && inside)
            && opens_place(sentence, index + 1)
            && !next.any(Tags::PURPOSE);
        after_verb && (ends || placed)
    };
    if !stands {
        return None;
    }
    if previous.any(Tags::SPEAKER) {
        return Some(found.at(before));
    }
    // "La dejé sola"; Catalan "prenc el sol".
    let object = before > 0
        && previous.any(Tags::LEAVES)
        && tags_at(sentence, before - 1).any(Tags::CLITIC)
        && !tags_at(sentence, before - 1).any(Tags::ME);
    if object || (previous.any(Tags::DETERMINER) && !previous.any(Tags::ADVERB)) {
        return None;
    }
    if let Some(tie) = controller(sentence, index) {
        return Some(found.at(tie.anchor()));
    }
    // "Da sola" is said of the subject, whatever verb that is.
    if previous.any(Tags::ALONE)
        && let Some(Tie::Likely { anchor, .. }) = context(sentence, index, false)
        && !has_subject(sentence, sentence.clause(index).start, index)
    {
        return Some(found.at(anchor));
    }
    None
}

fn after_light() -> Tags {
    Tags::ADVERB | Tags::ALONE | Tags::CLITIC | Tags::ME | Tags::PREPOSITION | Tags::COORD
}

/// A participle outside the clause of the speaker: before it, or, if it is said of persons only, behind.
pub(super) fn aside(sentence: &Sentence) -> Option<Found> {
    if sentence.len() == 0 {
        return None;
    }
    opening(sentence).or_else(|| closing(sentence))
}

/// "Usé el mismo lápiz, convencida de que": behind a comma and before its own complement.
fn closing(sentence: &Sentence) -> Option<Found> {
    let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::AUX | Tags::COPULA;
    (1..sentence.len()).find_map(|index| {
        let tags = tags_at(sentence, index);
        if !tags.any(Tags::MIND | Tags::ADJ_MF) {
            return None;
        }
        let before = sentence.clause(index).start;
        // "…, sin miedo y decidida".
        let joined = sentence.tags(index - 1).any(Tags::COORD)
            && tags_at(sentence, before).any(Tags::PREPOSITION)
            && before > 0
            && sentence.word(before - 1) == ","
            && index <= before + 4;
        // "…, aunque cansada": behind the clause that it concedes.
        let opener = (index.saturating_sub(2)..index)
            .find(|&at| at > 0 && behind_concession(sentence, at) == Some(index))
            .filter(|&at| sentence.word(at - 1) == ",");
        let conceded = opener.is_some() && tags.any(Tags::ADJ_MF) && !tags.any(Tags::GUESS);
        let placed = (tags.any(Tags::MIND) || conceded)
            && (sentence.word(index - 1) == "," || joined || opener.is_some())
            && (is_end(sentence, index + 1)
                || tags_at(sentence, index + 1).any(Tags::PREPOSITION | Tags::SUBORD));
        if !placed {
            return None;
        }
        let main = opener.unwrap_or(if joined { before } else { index });
        let main = sentence.clause(main - 1);
        let others = main.clone().any(|other| {
            let tags = tags_at(sentence, other);
            sentence.tokens[other].kind == Kind::Name
                || (tags.any(Tags::OTHER_SUBJECT | Tags::NOUN_M | Tags::NOUN_F | Tags::COMMON)
                    && !tags.any(Tags::SPEAKER))
                // "Je l'ai vue arriver, fatiguée".
                || (tags.any(Tags::OBJECT) && is_clitic(sentence, other))
        });
        let first = main
            .clone()
            .find(|&other| tags_at(sentence, other).any(verb))?;
        let said = main
            .clone()
            .any(|other| tags_at(sentence, other).any(Tags::SPEAKER));
        let own = (tags_at(sentence, first).any(Tags::FINITE) || said) && !others;
        own.then(|| gendered(sentence, index))?
            .map(|found| found.at(first))
    })
}

/// Clauses between an opening adjective and the clause of the speaker: "Sérieuse, curieuse et motivée, je".
const CLAUSES_BETWEEN: usize = 4;

/// "Motivée par ce poste, je", "Étudiante en droit, je", "Sérieuse et motivée, je".
fn opening(sentence: &Sentence) -> Option<Found> {
    let mut clause = sentence.clause(0);
    // "Dynamique, sérieuse et organisée, je": what has one form for both says nothing yet.
    let open = |at: usize| is_end(sentence, at) || tags_at(sentence, at).any(Tags::ADJ_X);
    // "Bien que fatiguée, je": a concession needs no verb.
    let conceded = behind_concession(sentence, 0);
    if let Some(first) = conceded {
        clause = first..sentence.clause(first).end;
    } else if clause.end < sentence.len() && clause.clone().all(open) {
        clause = sentence.clause(clause.end);
    }
    // "Dynamique et motivée": the first that is said of persons only.
    let loose = |index: usize, tags: Tags| {
        tags.any(Tags::ADJ_MF)
            && !tags.any(Tags::GUESS | Tags::BEFORE | Tags::ADVERB | Tags::COMMON)
            && (conceded.is_some() || is_joined_with_complement(sentence, index))
    };
    let person = |tags: Tags| {
        tags.any(Tags::MIND | Tags::PARTICIPLE | Tags::STATE)
            && tags.any(Tags::ADJ_MF)
            && !tags.any(Tags::BEFORE | Tags::ADVERB | Tags::COMMON)
    };
    let light = Tags::ADVERB | Tags::DEGREE | Tags::ADJ_X | Tags::ADJ_MF | Tags::COORD;
    // "De nature curieuse, je".
    let by_nature = clause.len() > 2
        && matches!(sentence.word(clause.start), "de" | "di")
        && matches!(
            sentence.word(clause.start + 1),
            "nature" | "natura" | "caractère" | "tempérament" | "carattere" | "indole"
        );
    // "Titulaire d'un master et désireuse de".
    let held = tags_at(sentence, clause.start)
        .any(Tags::ADJ_X | Tags::COMMON)
        .then(|| {
            let joint = clause
                .clone()
                .find(|&at| tags_at(sentence, at).any(Tags::COORD))?;
            tags_at(sentence, clause.start + 1)
                .any(Tags::PREPOSITION)
                .then_some(joint + 1)
        })
        .flatten();
    let from = held.unwrap_or(clause.start + 2 * usize::from(by_nature));
    let index = (from..clause.end).find(|&index| {
        let tags = tags_at(sentence, index);
        let noun = tags.any(Tags::NOUN_M | Tags::NOUN_F);
        person(tags) || loose(index, tags) || noun || !tags.any(light) || is_end(sentence, index)
    })?;
    let tags = tags_at(sentence, index);
    let noun = tags.any(Tags::NOUN_M | Tags::NOUN_F);
    // "Mère de deux enfants, je"; not "Monsieur de la Tour, je".
    let counted = sentence.tokens.get(index + 2).is_some_and(|token| {
        token.kind == Kind::Number
            || token.tags.any(Tags::DETERMINER)
                && !token.tags.any(Tags::THE_M | Tags::THE_F | Tags::MY)
    });
    let sex = nominal::sex_of(sentence, index)
        .filter(|_| counted && tags_at(sentence, index + 1).any(Tags::PREPOSITION));
    let opens = noun || sex.is_some() || person(tags) || loose(index, tags);
    let next = tags_at(sentence, index + 1);
    let alone = is_end(sentence, index + 1);
    let goes_on = next.any(Tags::PREPOSITION | Tags::AS | Tags::COORD)
        // Greek "κουρασμένη να περιμένω".
        || !alone && tags.any(Tags::PARTICIPLE | Tags::MIND) && sentence.word(index + 1) == "να"
        // "Conscient des exigences".
        || tags.any(Tags::MIND) && next.any(Tags::DETERMINER)
        || noun && next.any(Tags::ADJ_MF | Tags::ADJ_X)
        || alone && !noun;
    // Greek "κουρασμένη να περιμένω": the verb is of the speaker as well.
    let waits = !alone && sentence.word(index + 1) == "να";
    // "Ancienne élève de votre école": the noun is alike in both genders, its adjective is not.
    let common = tags.any(Tags::COMMON)
        && index > from
        && tags_at(sentence, index - 1).any(Tags::BEFORE)
        && tags_at(sentence, index - 1).any(Tags::ADJ_MF)
        && next.any(Tags::PREPOSITION);
    if !(common || opens && goes_on) || !waits && has_verb(sentence, clause.clone()) {
        return None;
    }
    let found = if common {
        gendered(sentence, index - 1)?
    } else if let Some(gender) = sex {
        Found::new(gender, index)
    } else if noun {
        nominal::mobile(sentence, index)?
    } else {
        gendered(sentence, index)?
    };
    if sentence.word(clause.end - 1) != "," {
        return None;
    }
    let anchor = main_clause(sentence, clause.end)?;
    // "Tranquila, yo me encargo" speaks to somebody: a bare adjective needs its "I".
    let sure = !alone
        || conceded.is_some()
        || tags.any(Tags::PARTICIPLE)
        || (tags_at(sentence, anchor).any(Tags::SPEAKER) && !tags.any(Tags::ADDRESS))
        || sentence
            .clause(clause.end)
            .all(|at| !tags_at(sentence, at).any(Tags::FINITE));
    (sure && !(alone && tags.any(Tags::ADDRESS))).then(|| found.at(anchor))
}

/// Whether an adjective behind "and" has a complement: "dynamique et fière de".
fn is_joined_with_complement(sentence: &Sentence, index: usize) -> bool {
    tags_at(sentence, index + 1).any(Tags::PREPOSITION)
        && index > 0
        && tags_at(sentence, index - 1).any(Tags::COORD)
}

/// The first word behind "although" at `start`, with no more than light words between: "bien que", "aunque", "αν και".
fn behind_concession(sentence: &Sentence, start: usize) -> Option<usize> {
    if start >= sentence.len() || !tags_at(sentence, start).any(Tags::CONCESSION) {
        return None;
    }
    // "Bien que", not "bien sûr".
    if sentence.word(start) == "bien" && !tags_at(sentence, start + 1).any(Tags::RELATIVE) {
        return None;
    }
    let light = Tags::SUBORD | Tags::COORD | Tags::RELATIVE | Tags::ADVERB | Tags::PREPOSITION;
    (start + 1..sentence.len().min(start + 4)).find(|&at| {
        let tags = tags_at(sentence, at);
        !tags.any(light) || tags.any(Tags::ADJ_MF)
    })
}

fn has_verb(sentence: &Sentence, mut range: std::ops::Range<usize>) -> bool {
    let verb = Tags::FINITE
        | Tags::MAYBE_FINITE
        | Tags::AUX
        | Tags::COPULA
        | Tags::SPEAKER
        | Tags::OTHER_SUBJECT;
    range.any(|other| {
        let tags = tags_at(sentence, other);
        // "Ravie de vous rencontrer".
        let object = tags.any(Tags::CLITIC) && tags_at(sentence, other + 1).any(Tags::INFINITIVE);
        tags.any(verb) && !object && !tags.any(Tags::ADJ_MF | Tags::NOUN_M | Tags::NOUN_F)
    })
}

/// The word of the speaker that opens the first clause from `start` on that has a verb.
fn main_clause(sentence: &Sentence, start: usize) -> Option<usize> {
    let mut start = start;
    for _ in 0..CLAUSES_BETWEEN {
        if start >= sentence.len() {
            return None;
        }
        if let Some(anchor) = own_start(sentence, start) {
            return Some(anchor);
        }
        let clause = sentence.clause(start);
        let inner = Tags::ADJ_MF | Tags::ADJ_X | Tags::COORD | Tags::ADVERB | Tags::PREPOSITION;
        if !tags_at(sentence, start).any(inner) || has_verb(sentence, clause.clone()) {
            return None;
        }
        start = clause.end;
    }
    None
}

/// The word of the speaker that opens the clause at `start`: its verb or "I", behind light words only.
pub(super) fn own_start(sentence: &Sentence, start: usize) -> Option<usize> {
    if start >= sentence.len() {
        return None;
    }
    let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::AUX | Tags::COPULA;
    let light = Tags::ADVERB | Tags::CLITIC | Tags::ME;
    let first = sentence.clause(start).find(|&other| {
        let tags = tags_at(sentence, other);
        !tags.any(light) || tags.any(verb | Tags::SPEAKER | Tags::OTHER_SUBJECT)
    })?;
    // "Mi candido", "us aconsello": a verb that no list knows.
    let unknown = (tags_at(sentence, first).any(Tags::GUESS) || sentence.tags(first).is_empty())
        && sentence.tokens[first].kind == Kind::Word;
    let word = sentence.word(first);
    // "Como directora, firmo esta carta".
    let transitive = word.ends_with('o') && tags_at(sentence, first + 1).any(Tags::DETERMINER);
    // Romanian "semnez", "sfătuiesc", Galician "aconséllolle".
    // Spanish "apagué", Portuguese "desliguei".
    let ends = ["ez", "esc", "é", "ei", "ín"]
        .iter()
        .any(|ending| word.ends_with(ending));
    let own = tags_at(sentence, first).any(Tags::FINITE | Tags::SPEAKER);
    // Italian "consegno sempre un lavoro": not Spanish "hizo", "puso", which are somebody else's.
    const THIRD: [&str; 10] = [
        "uvo", "iso", "izo", "uso", "ijo", "ujo", "ajo", "ino", "upo", "udo",
    ];
    let third = THIRD.iter().any(|end| word.ends_with(end));
    // "Vi saluto", which ends like a participle.
    let with_pronoun = first > start
        && tags_at(sentence, first - 1).any(Tags::ME | Tags::CLITIC)
        && !tags_at(sentence, first - 1).any(Tags::DETERMINER | Tags::THE_M)
        && word.ends_with('o')
        && (!third || word.ends_with("ino"))
        && (unknown || tags_at(sentence, first).any(Tags::PARTICIPLE));
    let governs =
        Tags::ADVERB | Tags::ADJ_MF | Tags::ADJ_X | Tags::GUESS | Tags::DETERMINER | Tags::THING;
    let next = sentence.tokens.get(first + 1);
    let transitive = transitive
        || word.ends_with('o')
            && !third
            && next.is_some_and(|next| {
                next.kind == Kind::Word && (next.tags.any(governs) || next.tags.is_empty())
            });
    // Galician "escríbolles".
    let enclitic = ["olle", "olles", "ovos"]
        .iter()
        .any(|ending| word.ends_with(ending));
    (own || enclitic || with_pronoun || unknown && (transitive || ends)).then_some(first)
}
