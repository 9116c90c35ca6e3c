//! What a verb takes: the adjective or noun phrase behind it, or before it.

use super::super::predicate::Found;
use super::super::sentence::{Kind, Sentence};
use super::super::tags::Tags;
use super::{gendered, is_end, near_me, nominal, tags_at};

/// Which kind of word shows the gender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    Predicate,
    Article,
    Noun,
}

/// Adjectives whose masculine is an adverb beside other verbs than "to be". The feminine counts no more there, so that neither gender
/// is seen more often.
const ADVERBIAL: [&str; 24] = [
    "limpio", "limpia", "justo", "justa", "directo", "directa", "sano", "sana", "giusto", "giusta",
    "dritto", "dritta", "diritto", "diritta", "diretto", "diretta", "directe", "just", "net",
    "neta", "direto", "direta", "pulito", "pulita",
];

/// What the verb at `verb` says of its subject.
pub(super) fn of_verb(sentence: &Sentence, verb: usize) -> Option<(Found, Shows)> {
    let takes = sentence.tags(verb);
    let weak = !takes.any(Tags::COPULA | Tags::FEEL);
    // "Me puse el uniforme": not every verb that takes an adjective says what somebody is.
    let names = takes.any(Tags::COPULA | Tags::AS);
    match after(sentence, verb) {
        Reading::Shows(found, shows) => {
            let tags = sentence.tags(found.token);
            // "Camino tranquila", but "camino rápido", "juego limpio", "camino la calle".
            let loose = shows != Shows::Predicate
                || tags.any(Tags::BEFORE | Tags::ADVERB | Tags::GUESS | Tags::ALONE)
                || ADVERBIAL.contains(&sentence.word(found.token));
            let named = shows == Shows::Predicate || names;
            (named && !(weak && loose)).then_some((found, shows))
        }
        Reading::Nothing if !weak => before(sentence, verb).map(|found| (found, Shows::Predicate)),
        Reading::Nothing | Reading::Other => None,
    }
}

enum Reading {
    Shows(Found, Shows),
    /// Something without a gender of the speaker.
    Other,
    Nothing,
}

/// Reads on from the verb.
fn after(sentence: &Sentence, verb: usize) -> Reading {
    let takes = sentence.tags(verb);
    // "Je me suis préparé un thé", but "je me sens préparé".
    let tense = takes.any(Tags::COPULA | Tags::AUX | Tags::LEAVES);
    let reflexive = tense && verb > 0 && near_me(sentence, verb);
    let mut described = false;
    // "Me vieron como": a noun with its article would be a simile.
    let mut likened = false;
    let mut index = verb + 1;
    while index < sentence.len() {
        let token = &sentence.tokens[index];
        match token.kind {
            Kind::Break => match after_comma(sentence, index, verb, described) {
                Some(next) => {
                    index = next;
                    continue;
                }
                None => break,
            },
            // A quotation ends behind what it says: "Nunca fui egoísta», afirma".
            Kind::Mark if described => break,
            Kind::Mark => {
                index += 1;
                continue;
            }
            Kind::Name | Kind::Number => return Reading::Other,
            Kind::Word => {}
        }
        let tags = token.tags;
        if tags.any(Tags::ALONE) && tags.any(Tags::ADVERB) && !stands_alone(sentence, index, takes)
        {
            index += 1;
            continue;
        }
        // "Fui yo misma": another rule's.
        if tags.any(Tags::SELF) && tags_at(sentence, index - 1).any(Tags::SPEAKER) {
            return Reading::Other;
        }
        // "No estoy nada convencida": not at all.
        let at_all = tags.any(Tags::OTHER_SUBJECT)
            && tags.any(Tags::ADVERB)
            && tags_at(sentence, index + 1).any(Tags::ADJ_MF);
        if at_all {
            index += 1;
            continue;
        }
        // "Pas du tout convaincue".
        if index + 1 < sentence.len()
            && sentence.word(index) == "du"
            && sentence.word(index + 1) == "tout"
        {
            index += 2;
            continue;
        }
        // "Estoy dead, totalmente agotada": a word of another language stands where an adjective would.
        let foreign = tags.is_empty()
            && index == verb + 1
            && takes.any(Tags::COPULA)
            && index + 1 < sentence.len()
            && sentence.word(index + 1) == ",";
        if foreign {
            described = true;
            index += 1;
            continue;
        }
        // "Me hizo algo malo"; a pronoun before a verb begins another clause.
        let pronoun = tags.any(Tags::CLITIC | Tags::ME) && !tags.any(Tags::THE_M | Tags::THE_F);
        if (tags.any(Tags::OTHER_SUBJECT) && !tags.any(Tags::SPEAKER | Tags::DETERMINER))
            || (pronoun && index > verb + 2)
        {
            break;
        }
        // Greek "με άφησε μόνο στο σπίτι", but "με θέλει μόνο για": alone, or only.
        let left = takes.any(Tags::LEAVES)
            && (is_end(sentence, index + 1) || tags_at(sentence, index + 1).any(Tags::PREPOSITION));
        if tags.any(Tags::INS_M) && tags.any(Tags::LEAVES) && !left {
            index += 1;
            continue;
        }
        // Greek "με κάνει ευτυχισμένο": a predicate of "me" stands in the accusative.
        if tags.any(Tags::INS_M) && takes.any(Tags::FEEL) && !takes.any(Tags::COPULA) {
            return adjective(sentence, index, reflexive);
        }
        let preposition = tags.any(Tags::PREPOSITION) && !is_end(sentence, index + 1);
        // Romanian "sunt frumos", but "mă simt prost".
        let listed = tags.any(Tags::MIND)
            && takes.any(Tags::COPULA)
            && !tags_at(sentence, index + 1).any(Tags::ADJ_MF | Tags::ADJ_X);
        let adverb = tags.any(Tags::ADVERB) && !tags.any(Tags::ALONE) && !listed;
        if tags.any(Tags::ADJ_MF) && !preposition && !adverb {
            // "Hacerme daño": a verb with "me" takes nouns, too.
            let sure = takes.any(Tags::COPULA) && !takes.any(Tags::AUX);
            // Romanian "aș fi plecat": a tense, and its participle agrees with nothing.
            let tense = takes.any(Tags::SUBJUNCTIVE) && tags.any(Tags::PARTICIPLE);
            if (tags.any(Tags::GUESS) && !sure) || (tense && takes.any(Tags::INFINITIVE)) {
                return Reading::Other;
            }
            return adjective(sentence, index, reflexive);
        }
        let article = Tags::THE_M | Tags::THE_F | Tags::A_M | Tags::A_F;
        // "Un poco cansada", "una muy buena amiga": the adjective decides.
        let measured =
            tags.any(Tags::A_M | Tags::A_F) && tags_at(sentence, index + 1).any(Tags::DEGREE);
        if tags.any(article) && !measured && !is_pronoun(sentence, index) {
            return match nominal::phrase(sentence, index) {
                Some((_, Shows::Noun)) if likened => Reading::Other,
                Some((found, shows)) => Reading::Shows(found, shows),
                None => Reading::Other,
            };
        }
        if tags.any(Tags::NOUN_M | Tags::NOUN_F) {
            return noun(sentence, index);
        }
        let before_adjective = tags_at(sentence, index + 1).any(Tags::ADJ_MF | Tags::ADJ_X);
        // "Me hizo sentir", "he sido".
        let is_nonfinite = tags.any(Tags::INFINITIVE) && tags.any(Tags::COPULA | Tags::FEEL);
        if tags.any(Tags::ADJ_X | Tags::COMMON) {
            described = true;
        } else if (index == verb + 1
            || index == verb + 2 && tags_at(sentence, verb + 1).any(Tags::ME))
            && tags.any(Tags::PREPOSITION)
            && takes.any(Tags::AS)
        {
            // "Me convertí en".
        } else if tags.any(Tags::AS) && takes.any(Tags::FEEL) {
            likened = true;
        } else if tags.any(Tags::PREPOSITION)
            && sentence.word(index) == "de"
            && before_adjective
            && tags_at(sentence, index - 1).any(Tags::DEGREE)
        {
            // Romanian "atât de".
        } else if tags.any(Tags::PREPOSITION | Tags::PURPOSE | Tags::AS) {
            match after_phrase(sentence, index) {
                Some(next) => {
                    index = next;
                    continue;
                }
                None => return Reading::Other,
            }
        } else if tags.any(Tags::SUBORD) && !(tags.any(Tags::DEGREE) && before_adjective) {
            break;
        } else if !tags.any(
            Tags::ADVERB | Tags::CLITIC | Tags::ME | Tags::COORD | Tags::SPEAKER | Tags::DEGREE,
        ) && !measured
            && !is_nonfinite
        {
            return Reading::Other;
        }
        index += 1;
    }
    if described {
        Reading::Other
    } else {
        Reading::Nothing
    }
}

/// The adjective at `index`, unless it is the attribute of a noun behind it.
fn adjective(sentence: &Sentence, index: usize, reflexive: bool) -> Reading {
    let tags = sentence.tags(index);
    let next = tags_at(sentence, index + 1);
    // French "je me suis dit", "je me suis cassé la jambe": the participle agrees with nothing.
    let object = tags.any(Tags::GOVERNS) && next.any(Tags::DETERMINER | Tags::THING);
    // "Je me suis pris un mur", "je me suis vu refuser": an object or a verb behind it makes "me" a dative.
    let timed = super::open_form::time_phrase(sentence, index + 1, sentence.len()).is_some();
    let dative = (index.saturating_sub(5)..index)
        .any(|at| tags_at(sentence, at).any(Tags::ME) && tags_at(sentence, at).any(Tags::DATIVE));
    let taken = tags.any(Tags::PARTICIPLE)
        && dative
        && (next.any(Tags::DETERMINER) && !next.any(Tags::PREPOSITION) && !timed
            || next.any(Tags::INFINITIVE) && !next.any(Tags::PREPOSITION | Tags::ADVERB));
    if reflexive && (tags.any(Tags::DATIVE) || object || taken) {
        return Reading::Other;
    }
    // Romanian "sunt suficient de puternică", "fizic slabă": an adverb looks like a masculine.
    let adverbial = tags.any(Tags::ADJ_M)
        && !tags.any(Tags::MIND | Tags::DATIVE)
        && !sentence.word(index).ends_with('ς');
    if adverbial && !sentence.tokens[index].both {
        let skipped = usize::from(next.any(Tags::PREPOSITION) && next.any(Tags::YOUTH));
        let further = tags_at(sentence, index + 1 + skipped);
        if further.any(Tags::ADJ_F) && !further.any(Tags::ADVERB | Tags::GUESS | Tags::THING) {
            return adjective(sentence, index + 1 + skipped, reflexive);
        }
    }
    if next.any(Tags::NOUN_M | Tags::NOUN_F) && tags.any(Tags::BEFORE) {
        return noun(sentence, index + 1);
    }
    let common = next.any(Tags::COMMON);
    let attribute = Tags::BEFORE | Tags::GUESS;
    if tags.any(attribute) && !common && is_noun(sentence, index + 1) {
        return Reading::Other;
    }
    match gendered(sentence, index) {
        Some(found) => Reading::Shows(found, Shows::Predicate),
        None => Reading::Other,
    }
}

fn noun(sentence: &Sentence, index: usize) -> Reading {
    match nominal::mobile(sentence, index) {
        Some(found) => Reading::Shows(found, Shows::Noun),
        None => Reading::Other,
    }
}

/// Whether the word at `index` can only be a noun: nothing else is known of it.
pub(super) fn is_noun(sentence: &Sentence, index: usize) -> bool {
    let Some(token) = sentence.tokens.get(index) else {
        return false;
    };
    let known = Tags::PREPOSITION
        | Tags::PURPOSE
        | Tags::AS
        | Tags::ADVERB
        | Tags::COORD
        | Tags::SUBORD
        | Tags::RELATIVE
        | Tags::CLITIC
        | Tags::ME
        | Tags::FINITE
        | Tags::MAYBE_FINITE
        | Tags::COPULA
        | Tags::AUX
        | Tags::FEEL
        | Tags::INFINITIVE
        | Tags::SPEAKER
        | Tags::OTHER_SUBJECT
        | Tags::DETERMINER
        | Tags::TIME
        | Tags::DEGREE
        | Tags::ADJ_M
        | Tags::ADJ_F
        | Tags::ADJ_X;
    match token.kind {
        Kind::Name => true,
        Kind::Word => token.tags.any(Tags::THING | Tags::GUESS) || !token.tags.any(known),
        Kind::Number | Kind::Break | Kind::Mark => false,
    }
}

/// Whether "solo" here is "alone" and not "only".
fn stands_alone(sentence: &Sentence, index: usize, verb: Tags) -> bool {
    let next = tags_at(sentence, index + 1);
    let placed = verb.any(Tags::LIVE | Tags::FEEL) && opens_place(sentence, index + 1);
    // "Estar solo no me asusta", but "estoy solo algo cansada".
    let light = verb.any(Tags::COPULA)
        && next.any(Tags::ADVERB)
        && !next.any(Tags::DEGREE)
        && !tags_at(sentence, index + 2).any(Tags::ADJ_MF | Tags::ADJ_X | Tags::DETERMINER);
    let stands = placed || light || next.any(Tags::COORD | Tags::SUBORD | Tags::TIME);
    is_end(sentence, index + 1) || (stands && !next.any(Tags::PURPOSE | Tags::RELATIVE))
}

/// Whether the preposition at `index` says where or when: "solo en casa", "solo de noche"; but "solo de paso".
pub(super) fn opens_place(sentence: &Sentence, index: usize) -> bool {
    let tags = tags_at(sentence, index);
    let ago =
        index + 1 < sentence.len() && matches!(sentence.word(index + 1), "hai" | "hace" | "há");
    let time = ago || tags_at(sentence, index + 1).any(Tags::TIME);
    tags.any(Tags::PREPOSITION) && (!tags.any(Tags::YOUTH) || time)
}

/// Whether the article-like word at `index` is a pronoun: a verb follows.
fn is_pronoun(sentence: &Sentence, index: usize) -> bool {
    let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::AUX | Tags::COPULA | Tags::INFINITIVE;
    let next = tags_at(sentence, index + 1);
    sentence.tags(index).any(Tags::CLITIC)
        && next.any(verb)
        && !next.any(Tags::ADJ_MF | Tags::COMMON)
}

/// Where reading goes on after a comma: in an enumeration of adjectives ("fuerte, segura"), or
/// behind a short insertion ("estoy, por supuesto, cansada").
fn after_comma(sentence: &Sentence, comma: usize, verb: usize, described: bool) -> Option<usize> {
    if sentence.word(comma) != "," {
        return None;
    }
    if described {
        let light = Tags::ADVERB | Tags::COORD | Tags::DEGREE;
        let next = (comma + 1..sentence.len()).find(|&index| {
            let tags = tags_at(sentence, index);
            !tags.any(light) || tags.any(Tags::ADJ_MF)
        })?;
        let tags = tags_at(sentence, next);
        let adjective = tags.any(Tags::ADJ_MF | Tags::ADJ_X) && !tags.any(Tags::GUESS);
        return adjective.then_some(next);
    }
    if comma != verb + 1 {
        return None;
    }
    let light =
        Tags::ADVERB | Tags::PREPOSITION | Tags::THING | Tags::TIME | Tags::DETERMINER | Tags::MY;
    let close = (comma + 1..sentence.len().min(comma + 7))
        .find(|&index| !tags_at(sentence, index).any(light))?;
    (sentence.word(close) == ",").then_some(close + 1)
}

/// Where reading goes on behind a prepositional phrase: right behind a fixed one ("en realidad",
/// "por fin"), else at an adjective that a conjunction joins to the predicate.
fn after_phrase(sentence: &Sentence, preposition: usize) -> Option<usize> {
    let next = tags_at(sentence, preposition + 1);
    if next.any(Tags::ADVERB) && !next.any(Tags::BEFORE) {
        return Some(preposition + 2);
    }
    // "Soy amable con todos y muy atenta"; not "vivo en una casa vieja y sucia".
    let clause_end = sentence.clause(preposition).end;
    let joint = (preposition + 1..clause_end).find(|&index| {
        let tags = tags_at(sentence, index);
        tags.any(Tags::COORD | Tags::FINITE | Tags::MAYBE_FINITE | Tags::AUX)
    })?;
    if !tags_at(sentence, joint).any(Tags::COORD) {
        return None;
    }
    let inside = preposition..joint;
    // "De mal humor y agotada": what stands before its noun is no neighbour of the next adjective.
    let attribute = |index: usize| {
        let tags = tags_at(sentence, index);
        let before = tags.any(Tags::BEFORE) && index + 1 < joint;
        tags.any(Tags::ADJ_MF) && !before && !tags.any(Tags::ADVERB)
    };
    if inside.into_iter().any(attribute) {
        return None;
    }
    let light = Tags::ADVERB | Tags::DEGREE;
    let first = (joint + 1..clause_end).find(|&index| {
        let tags = tags_at(sentence, index);
        !tags.any(light) || tags.any(Tags::ADJ_MF)
    })?;
    let tags = tags_at(sentence, first);
    (tags.any(Tags::ADJ_MF) && !tags.any(Tags::ADVERB | Tags::GUESS)).then_some(first)
}

/// An adjective before its verb: "lo cansada que estoy", "πόσο αυστηρή είμαι".
fn before(sentence: &Sentence, verb: usize) -> Option<Found> {
    let light = Tags::CLITIC | Tags::ME | Tags::RELATIVE | Tags::SPEAKER;
    let mut index = verb.checked_sub(1)?;
    while tags_at(sentence, index).any(light)
        || (tags_at(sentence, index).any(Tags::ADVERB)
            && !tags_at(sentence, index).any(Tags::ADJ_MF))
    {
        index = index.checked_sub(1)?;
    }
    let tags = tags_at(sentence, index);
    if !tags.any(Tags::ADJ_MF) || tags.any(Tags::ADVERB | Tags::DETERMINER | Tags::GUESS) {
        return None;
    }
    let opening = Tags::ADVERB | Tags::DEGREE | Tags::COORD | Tags::SUBORD | Tags::EXCLAIMS;
    let opens = match index.checked_sub(1) {
        None => true,
        Some(before) => is_end(sentence, before) || tags_at(sentence, before).any(opening),
    };
    opens.then(|| gendered(sentence, index))?
}
