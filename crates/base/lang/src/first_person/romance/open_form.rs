//! Forms that fit "I" and "he, she" alike ("estaba", "seria", "quería"), and who else could be their subject.

use super::super::sentence::{Kind, Sentence};
use super::super::tags::Tags;
use super::speaker::Tie;
use super::{is_end, near_me, tags_at};

/// How many words a time phrase before the verb may have: "todos los santos días".
const TIME_REACH: usize = 4;

/// What makes a form that fits "I" and "he, she" alike the speaker's: no other subject stands before it,
/// and the sentence speaks of "I" elsewhere, or of nobody.
pub(super) fn of_open_form(sentence: &Sentence, index: usize) -> Option<Tie> {
    let start = start_of_clause(sentence, index);
    let pronoun = (start..index)
        .rev()
        .find(|&other| tags_at(sentence, other).any(Tags::SPEAKER | Tags::OTHER_SUBJECT));
    if let Some(pronoun) = pronoun
        && sentence.tags(pronoun).any(Tags::SPEAKER)
    {
        return Some(Tie::Sure(pronoun));
    }
    if let Some(me) = told(sentence, start, index) {
        return Some(Tie::Sure(me));
    }
    // "Quiero que sea": somebody else; "puede que esté": nobody yet.
    let maybe = start > 0 && tags_at(sentence, start - 1).any(Tags::IMPERSONAL);
    let wished = sentence.tags(index).any(Tags::SUBJUNCTIVE)
        && tags_at(sentence, start).any(Tags::RELATIVE)
        && !maybe;
    if wished
        || is_relative(sentence, start)
        || is_seen(sentence, start)
        || has_open_subject(sentence, start, index)
    {
        return None;
    }
    // "Me era difícil": the speaker is not the subject.
    let dative = index > start && tags_at(sentence, index - 1).any(Tags::ME);
    if dative && !sentence.tags(index).any(Tags::FEEL) {
        return None;
    }
    let opening = tags_at(sentence, start);
    let since = start > 0 && tags_at(sentence, start - 1).any(Tags::PREPOSITION);
    let aside = opening.any(Tags::SUBORD) && (!opening.any(Tags::RELATIVE) || since);
    if when_young(sentence, index) {
        Some(Tie::Likely {
            anchor: index,
            aside,
        })
    } else {
        context(sentence, index, aside)
    }
}

/// The "me" who was told to be something ("me pidió que fuera puntual") or what "I" was, by several who are not
/// its subject ("me decían que era lista", "me decían lo lista que era").
fn told(sentence: &Sentence, start: usize, verb: usize) -> Option<usize> {
    let opens = tags_at(sentence, start).any(Tags::RELATIVE);
    if !opens || has_open_subject(sentence, start + 1, verb) {
        return None;
    }
    let how = Tags::EXCLAIMS | Tags::ADJ_MF | Tags::ADVERB;
    let teller = (0..start)
        .rev()
        .find(|&other| !tags_at(sentence, other).any(how))?;
    let tags = tags_at(sentence, teller);
    let mine = tags.any(Tags::TELLS)
        && (tags.any(Tags::THEY) || sentence.tags(verb).any(Tags::SUBJUNCTIVE));
    let me = teller.checked_sub(1)?;
    (mine && tags_at(sentence, me).any(Tags::ME)).then_some(me)
}

/// Where the clause of `index` begins, with conjunctions under a preposition ("desde que").
pub(super) fn start_of_clause(sentence: &Sentence, index: usize) -> usize {
    let clause = sentence.clause(index);
    (clause.start..index)
        .rev()
        .find(|&other| tags_at(sentence, other).any(Tags::SUBORD))
        .unwrap_or(clause.start)
}

/// "Cuando era pequeña", in a sentence that says "I" or "me" somewhere.
pub(super) fn when_young(sentence: &Sentence, verb: usize) -> bool {
    let opening = start_of_clause(sentence, verb);
    let start = tags_at(sentence, opening);
    // "Desde que era niña".
    let since = opening > 0 && tags_at(sentence, opening - 1).any(Tags::PREPOSITION);
    let when = start.any(Tags::SUBORD) && (!start.any(Tags::RELATIVE) || since);
    let own = Tags::FINITE | Tags::SPEAKER | Tags::ME | Tags::MY;
    when && tags_at(sentence, verb + 1).any(Tags::YOUTH)
        && (0..sentence.len()).any(|other| tags_at(sentence, other).any(own))
}

/// Whether the clause of an open form names its subject: before its first verb, or behind the
/// conjunction that joins it to that.
pub(super) fn has_open_subject(sentence: &Sentence, start: usize, verb: usize) -> bool {
    let finite = Tags::FINITE | Tags::MAYBE_FINITE | Tags::AUX;
    let first = (start..verb).find(|&other| tags_at(sentence, other).any(finite));
    let joint = (start..verb)
        .rev()
        .find(|&other| tags_at(sentence, other).any(Tags::COORD));
    match (first, joint) {
        (Some(first), Some(joint)) if first < joint => {
            has_subject(sentence, start, first) || has_subject(sentence, joint + 1, verb)
        }
        _ => has_subject(sentence, start, verb),
    }
}

/// Whether a noun phrase or a pronoun between `start` and `verb` can be the subject.
pub(super) fn has_subject(sentence: &Sentence, start: usize, verb: usize) -> bool {
    let mut under = false;
    let mut index = start;
    while index < verb {
        let token = &sentence.tokens[index];
        let tags = token.tags;
        if token.kind == Kind::Name {
            if !under {
                return true;
            }
            under = false;
        } else if token.kind == Kind::Word {
            if tags.any(Tags::OTHER_SUBJECT) && !under {
                return true;
            }
            if tags.any(Tags::PREPOSITION) {
                under = true;
            } else if tags.any(Tags::DETERMINER) && !is_clitic(sentence, index) {
                if !under {
                    match time_phrase(sentence, index, verb) {
                        Some(end) => index = end,
                        None => return true,
                    }
                }
            } else if tags.any(Tags::GUESS) || !tags.any(Tags::ADVERB | Tags::ADJ_MF | Tags::ADJ_X)
            {
                under = false;
            }
        }
        index += 1;
    }
    false
}

/// The same for a form that is first person beside third person plural: only what stands between it and
/// the verb or conjunction before can be its subject, and with "mi" before it there is none.
pub(super) fn has_near_subject(sentence: &Sentence, verb: usize) -> bool {
    if verb > 0 && near_me(sentence, verb) {
        return false;
    }
    let clause = sentence.clause(verb);
    let cuts = Tags::COORD | Tags::SUBORD | Tags::EXCLAIMS | Tags::FINITE | Tags::RELATIVE;
    let start = (clause.start..verb)
        .rev()
        .find(|&other| tags_at(sentence, other).any(cuts))
        .map_or(clause.start, |cut| cut + 1);
    has_subject(sentence, start, verb)
}

/// Of whom the sentence speaks outside `index`. "Me" and "my" are enough only if nobody else is its
/// subject before.
pub(super) fn context(sentence: &Sentence, index: usize, aside: bool) -> Option<Tie> {
    let likely = Tie::Likely {
        anchor: index,
        aside,
    };
    let start = start_of_clause(sentence, index);
    // "Como estaba enferma, le llevé sopa".
    let opening = tags_at(sentence, start);
    let joined = start.checked_sub(1).is_some_and(|before| {
        tags_at(sentence, before).any(Tags::ADVERB | Tags::AS | Tags::SUBORD | Tags::PREPOSITION)
    });
    let aside = aside || opening.any(Tags::AS) || opening.any(Tags::RELATIVE) && joined;
    if is_reported(sentence, start, index) || is_found(sentence, index) {
        return None;
    }
    let end = sentence.clause(index).end;
    let mut own = false;
    let mut weak = false;
    let mut others = false;
    // Somebody who may be the subject, though no subject is named: "la llamé y estaba", "como estaba enferma, le llevé".
    let mut staged = false;
    for other in (0..sentence.len()).filter(|&other| other != index) {
        let token = &sentence.tokens[other];
        // "Aunque estaba cansado, mi padre": whoever stands behind may be meant, too.
        let near = other < index || (aside && !is_under_preposition(sentence, other));
        if token.kind == Kind::Name {
            others |= near;
            continue;
        }
        let tags = tags_at(sentence, other);
        own |= tags.any(Tags::FINITE | Tags::SPEAKER);
        weak |= tags.any(Tags::ME | Tags::MY | Tags::ME_STRONG);
        let third = other < index && tags.any(Tags::AUX) && !tags.any(Tags::THEY);
        others |= third || (near && tags.any(Tags::OTHER_SUBJECT | Tags::KIN));
        let pronoun = tags.any(Tags::CLITIC)
            && !tags.any(Tags::ME | Tags::REFLEXIVE | Tags::ADVERB | Tags::PREPOSITION)
            && !tags.any(Tags::SUBORD | Tags::IRREALIS)
            && (!tags.any(Tags::DETERMINER) || is_clitic(sentence, other));
        // Portuguese "vi-a ontem": cut from its verb, with no space between.
        let enclitic = tags.any(Tags::OBJECT)
            && other > 0
            && tags_at(sentence, other - 1).any(Tags::FINITE)
            && token.start <= sentence.tokens[other - 1].end + 1
            && !tags_at(sentence, other + 1).any(Tags::THING | Tags::NOUN_M | Tags::NOUN_F)
            && is_enclitic(sentence, other);
        let pronoun = pronoun || enclitic;
        let before = other < index || (aside && other >= end);
        staged |= before && (pronoun || tags.any(Tags::KIN));
        // "Estaba agotada, lo noté": what the speaker notices is somebody else's.
        staged |= other >= end && tags.any(Tags::SEES) && is_end(sentence, other + 1);
        // "Enamorada de mí".
        let of_me = tags.any(Tags::ME_STRONG) && !tags_at(sentence, other + 1).any(Tags::SELF);
        staged |= (index..end).contains(&other) && of_me;
    }
    if own {
        return (!staged).then_some(likely);
    }
    match (weak, others) {
        // "Aunque estaba cansada, me hizo la cena": what was done to "me" was done by another.
        (true, false) => (!aside && !staged).then_some(likely),
        // What nobody knows may be a name: "Monfreid era".
        // "Si hubiera estado despierta, habría oído": both clauses have one subject.
        (false, false) if staged => None,
        (false, false) if aside && !opening.any(Tags::IRREALIS) && end < sentence.len() => None,
        (false, false) => (0..index)
            .all(|other| {
                let tags = sentence.tags(other);
                // Galician "Vina onte; estaba esgotada": a verb with its object, by its ending an adjective.
                let guessed = tags.any(Tags::GUESS) && !tags.any(Tags::ADVERB);
                let known = !tags.is_empty() && !guessed;
                known || is_end(sentence, other)
            })
            .then_some(Tie::Open(index)),
        (_, true) => None,
    }
}

/// Whether the clause at `start` says what the speaker thinks, knows or asks: "creo que estaba", "no sé si estaba". Whoever feels
/// speaks of themselves: "sentí que estaba".
fn is_reported(sentence: &Sentence, start: usize, verb: usize) -> bool {
    let opening = tags_at(sentence, start);
    let Some(before) = start.checked_sub(1).filter(|_| start < verb) else {
        return false;
    };
    let governor = tags_at(sentence, before);
    let complement = opening.any(Tags::RELATIVE) || opening.any(Tags::IRREALIS);
    complement
        && governor.any(Tags::FINITE)
        && !governor.any(Tags::FEEL | Tags::WANTS | Tags::COPULA)
}

/// Whether the speaker came and found it so: "cuando me levanté, ya estaba vestida".
fn is_found(sentence: &Sentence, verb: usize) -> bool {
    let already = verb
        .checked_sub(1)
        .is_some_and(|at| tags_at(sentence, at).any(Tags::ALREADY));
    already && (0..verb).any(|at| tags_at(sentence, at).any(Tags::FINITE))
}

/// "Con mi madre", "amb algú".
fn is_under_preposition(sentence: &Sentence, index: usize) -> bool {
    let before = |steps: usize| {
        let at = index.checked_sub(steps);
        at.map_or(Tags::NONE, |at| tags_at(sentence, at))
    };
    before(1).any(Tags::PREPOSITION)
        || (before(1).any(Tags::DETERMINER) && before(2).any(Tags::PREPOSITION))
}

/// Whether the clause that starts at `start` hangs on the noun before it: "la casa que era".
pub(super) fn is_relative(sentence: &Sentence, start: usize) -> bool {
    let Some(before) = start.checked_sub(1) else {
        return false;
    };
    if !tags_at(sentence, start).any(Tags::RELATIVE) {
        return false;
    }
    let verb = Tags::FINITE
        | Tags::MAYBE_FINITE
        | Tags::AUX
        | Tags::COPULA
        | Tags::FEEL
        | Tags::INFINITIVE
        | Tags::ADVERB
        | Tags::PREPOSITION
        | Tags::SUBORD
        | Tags::COORD
        | Tags::ADJ_MF
        | Tags::ADJ_X;
    let tags = tags_at(sentence, before);
    // "Por lo que": no noun.
    let so = tags.any(Tags::EXCLAIMS)
        && before > 0
        && tags_at(sentence, before - 1).any(Tags::PREPOSITION);
    !so && (tags.any(Tags::GUESS | Tags::THING) || !tags.any(verb))
}

/// Whether the clause that starts at `start` says what the speaker perceived of somebody: "vi que
/// estaba triste", "vi lo triste que estaba".
pub(super) fn is_seen(sentence: &Sentence, start: usize) -> bool {
    let opens = tags_at(sentence, start).any(Tags::RELATIVE);
    let before = (start.saturating_sub(5)..start).rev();
    opens
        && before
            .take_while(|&other| !is_end(sentence, other))
            .any(|other| {
                // Catalan "fer veure que": to pretend.
                let pretends = other > 0 && sentence.word(other - 1) == "fer";
                tags_at(sentence, other).any(Tags::SEES) && !pretends
            })
}

/// Whether a word that may be article or pronoun is a pronoun, because a verb follows.
pub(super) fn is_clitic(sentence: &Sentence, index: usize) -> bool {
    let verb = Tags::COPULA | Tags::FINITE | Tags::MAYBE_FINITE | Tags::AUX | Tags::FEEL;
    sentence.tags(index).any(Tags::CLITIC)
        && tags_at(sentence, index + 1).any(verb | Tags::CLITIC | Tags::ME)
}

/// The last word of a time phrase that begins at `from`: "todos los días".
pub(super) fn time_phrase(sentence: &Sentence, from: usize, end: usize) -> Option<usize> {
    (from..end.min(from + TIME_REACH)).find(|&index| tags_at(sentence, index).any(Tags::TIME))
}

/// Whether a pronoun is written onto the verb before it, behind a hyphen: a space would make it an article.
fn is_enclitic(sentence: &Sentence, index: usize) -> bool {
    let next = tags_at(sentence, index + 1);
    next.any(Tags::ADVERB | Tags::TIME | Tags::PREPOSITION) || is_end(sentence, index + 1)
}
