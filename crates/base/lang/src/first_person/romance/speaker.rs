//! Whose verb is it? Finds what ties a verb, or a word beside it, to the speaker.

use super::super::sentence::{Kind, Sentence};
use super::super::tags::Tags;
use super::beside::own_start;
use super::open_form::{has_near_subject, is_relative, of_open_form, start_of_clause};
use super::{is_end, tags_at};

/// How far before a verb its clitic may stand: "me voy a quedar", "no me he vuelto a sentir".
const CLITIC_REACH: usize = 6;

/// Words between a role and the verb of the speaker: "en calidad de directora general de la empresa firmo".
const ROLE_REACH: usize = 7;

/// What ties a verb to the speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tie {
    /// The word that does, the verb itself included.
    Sure(usize),
    /// The form fits "I" and "he, she" alike; the sentence says "I" elsewhere. `aside`: in a clause like
    /// "cuando era", whose subject is mostly that of the sentence.
    Likely { anchor: usize, aside: bool },
    /// The form fits "I" and "he, she" alike, and the sentence speaks of nobody.
    Open(usize),
}

impl Tie {
    pub(super) fn anchor(self) -> usize {
        match self {
            Tie::Sure(anchor) | Tie::Likely { anchor, .. } | Tie::Open(anchor) => anchor,
        }
    }

    /// Whether a noun or an article may show the gender: things have them, too.
    pub(super) fn allows_nouns(self) -> bool {
        match self {
            Tie::Sure(_) => true,
            Tie::Likely { aside, .. } => aside,
            Tie::Open(_) => false,
        }
    }

    /// Whether the sentence says "I" at all.
    pub(super) fn is_first(self) -> bool {
        !matches!(self, Tie::Open(_))
    }
}

/// What makes the verb at `index` the speaker's.
pub(super) fn of_verb(sentence: &Sentence, index: usize) -> Option<Tie> {
    let tags = sentence.tags(index);
    if tags.any(Tags::COPULA | Tags::LIVE) {
        if tags.any(Tags::FINITE) {
            // "Sono" is "they are", too; but what several are is no singular ("il bambino non sono riuscita").
            let participle = Tags::PARTICIPLE | Tags::MIND;
            let next = tags_at(sentence, index + 1);
            let alone = next.any(Tags::ADJ_MF) && next.any(participle) && !next.any(Tags::GUESS);
            let others = other_pronoun_before(sentence, index)
                || (tags.any(Tags::AUX) && !alone && has_near_subject(sentence, index));
            return (!others).then_some(Tie::Sure(index));
        }
        if tags.any(Tags::MAYBE_FINITE)
            && let Some(tie) = of_open_form(sentence, index)
        {
            return Some(tie);
        }
        // Greek "έχω γίνει": a form that makes a tense, and "he, she" elsewhere.
        if tags.any(Tags::WITH_I) && tags.any(Tags::INFINITIVE) && tags.any(Tags::AUX) {
            return finite_before(sentence, index).map(Tie::Sure);
        }
        if tags.any(Tags::WITH_I)
            && let Some(speaker) = speaker_before(sentence, index)
        {
            return Some(Tie::Sure(speaker));
        }
        if tags.any(Tags::INFINITIVE)
            && let Some(tie) = controller(sentence, index)
        {
            return Some(tie);
        }
    }
    if tags.any(Tags::FEEL) {
        // "La question que vous m'avez posée": the participle agrees with the noun.
        let start = start_of_clause(sentence, index);
        let object = tags.any(Tags::AUX)
            && tags_at(sentence, start).any(Tags::EXCLAIMS)
            && is_relative(sentence, start);
        return clitic(sentence, index).filter(|_| !object).map(Tie::Sure);
    }
    None
}

/// Whether the participle or adjective of the verb at `index`, which has "me" before it, speaks of an object instead: "je me la
/// suis achetée", "la casa che mi sono comprata", "me la imagino dormida".
pub(super) fn has_object(sentence: &Sentence, index: usize) -> bool {
    let verb =
        Tags::AUX | Tags::COPULA | Tags::FEEL | Tags::FINITE | Tags::MAYBE_FINITE | Tags::LIVE;
    let cluster = Tags::CLITIC | Tags::ME | Tags::ADVERB;
    let start = (index.saturating_sub(CLITIC_REACH)..index)
        .rev()
        .take_while(|&at| {
            let tags = tags_at(sentence, at);
            tags.any(cluster) || tags.any(verb) && !tags.any(Tags::SPEAKER)
        })
        .last()
        .unwrap_or(index);
    let has = |tags: Tags| (start..index).any(|at| tags_at(sentence, at).any(tags));
    // Italian "me la sono cavata".
    if !has(Tags::ME | Tags::ME_STRONG) {
        // Catalan "la vaig trobar adormida".
        let found = tags_at(sentence, index + 1);
        return has(Tags::OBJECT)
            && found.any(Tags::INFINITIVE | Tags::FEEL)
            && !found.any(Tags::COPULA | Tags::ADJ_MF);
    }
    // "Em va semblar cansada": to "me" it seemed so.
    let seems = |at: usize| {
        let tags = tags_at(sentence, at);
        tags.any(Tags::DATIVE) && tags.any(Tags::COPULA | Tags::FEEL)
    };
    let own = has(Tags::FINITE) || sentence.tags(index).any(Tags::FINITE);
    if has(Tags::OBJECT) || !own && (index..index + 2).any(seems) {
        return true;
    }
    // Where participles agree with their object, "me" is marked as a reflexive.
    let opening = start_of_clause(sentence, index);
    has(Tags::REFLEXIVE)
        && tags_at(sentence, opening).any(Tags::EXCLAIMS | Tags::RELATIVE)
        && !sentence.tags(index).any(Tags::LEAVES)
        && is_relative(sentence, opening)
}

/// The "I" before a verb, with nothing but particles and pronouns between.
fn speaker_before(sentence: &Sentence, index: usize) -> Option<usize> {
    let light = Tags::CLITIC | Tags::ME | Tags::ADVERB;
    let clause = sentence.clause(index);
    let before = (clause.start..index)
        .rev()
        .find(|&other| !tags_at(sentence, other).any(light))?;
    tags_at(sentence, before)
        .any(Tags::SPEAKER)
        .then_some(before)
}

/// The verb of the speaker before the form at `index` that makes a tense with it.
fn finite_before(sentence: &Sentence, index: usize) -> Option<usize> {
    let clause = sentence.clause(index);
    // "Θέλω να γίνει": behind a particle it is somebody else's verb.
    let particle = |word: &str| matches!(word, "να" | "ας" | "θα" | "μην" | "μη");
    let light = Tags::ADVERB | Tags::CLITIC;
    let before = (clause.start..index)
        .rev()
        .find(|&other| particle(sentence.word(other)) || !tags_at(sentence, other).any(light))?;
    let own = tags_at(sentence, before).any(Tags::FINITE) && !particle(sentence.word(before));
    own.then_some(before)
}

/// The "me" of the verb at `index`: in it, before it, or behind it.
fn clitic(sentence: &Sentence, index: usize) -> Option<usize> {
    if sentence.tags(index).any(Tags::ME) {
        return Some(index);
    }
    if tags_at(sentence, index + 1).any(Tags::ME) {
        return Some(index + 1);
    }
    let between = Tags::CLITIC
        | Tags::ADVERB
        | Tags::AUX
        | Tags::COPULA
        | Tags::FEEL
        | Tags::INFINITIVE
        | Tags::PREPOSITION
        | Tags::FINITE
        | Tags::MAYBE_FINITE;
    let clause = sentence.clause(index);
    let mut theirs = false;
    for before in (clause.start..index).rev().take(CLITIC_REACH) {
        let tags = tags_at(sentence, before);
        if tags.any(Tags::ME) {
            // Romanian "m-a trezit speriată" may speak of whoever did it; "m-a lăsat singură" does not.
            let made = !theirs || sentence.tags(index).any(Tags::LEAVES);
            return made.then_some(before);
        }
        theirs |= tags.any(Tags::AUX) && tags.any(Tags::THIRD);
        if !tags.any(between) {
            return None;
        }
    }
    None
}

/// Whether "you", "they" stand right before a form that is not theirs alone: "loro sono".
fn other_pronoun_before(sentence: &Sentence, index: usize) -> bool {
    let clause = sentence.clause(index);
    let light = Tags::CLITIC | Tags::ADVERB;
    let before = (clause.start..index)
        .rev()
        .find(|&other| !tags_at(sentence, other).any(light));
    before.is_some_and(|other| {
        let tags = tags_at(sentence, other);
        tags.any(Tags::OTHER_SUBJECT) && !tags.any(Tags::SPEAKER)
    })
}

/// What says that the subject of the infinitive (or gerund, or participle) at `index` is the speaker:
/// "quiero ser", "me gusta estar", "tengo que ser", "para ser …, trabajo".
pub(super) fn controller(sentence: &Sentence, index: usize) -> Option<Tie> {
    if sentence.tags(index).any(Tags::ME) {
        return Some(Tie::Sure(index));
    }
    let clause = sentence.clause(index);
    let mut purpose = false;
    let mut impersonal = false;
    for before in (clause.start..index).rev() {
        let tags = tags_at(sentence, before);
        let person = Tags::KIN | Tags::NOUN_M | Tags::NOUN_F | Tags::COMMON | Tags::OTHER_SUBJECT;
        let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::AUX;
        if tags.any(Tags::SPEAKER | Tags::FINITE | Tags::ME) {
            return Some(Tie::Sure(before));
        }
        if sentence.tokens[before].kind == Kind::Name || tags.any(person) {
            return None;
        }
        // "Me gustaría ser", "me ha gustado ser".
        if tags.any(verb) && before > clause.start && tags_at(sentence, before - 1).any(Tags::ME) {
            return Some(Tie::Sure(before - 1));
        }
        if tags.any(Tags::MAYBE_FINITE) {
            return match of_open_form(sentence, before)? {
                Tie::Likely { anchor, .. } if tags.any(Tags::WANTS) => Some(Tie::Sure(anchor)),
                tie => Some(tie),
            };
        }
        purpose |= tags.any(Tags::PURPOSE);
        // "Mi sueño es ser …"
        if tags.any(Tags::MY) && impersonal {
            return Some(Tie::Sure(before));
        }
        // French "pense" is "I think" behind "je" and "he, she thinks" elsewhere.
        let with_i = before > clause.start && tags_at(sentence, before - 1).any(Tags::SPEAKER);
        let nonfinite = tags.any(Tags::INFINITIVE | Tags::PURPOSE);
        if tags.any(Tags::AUX)
            && !tags.any(Tags::DETERMINER | Tags::COPULA)
            && !with_i
            && !nonfinite
        {
            return None;
        }
        if tags.any(Tags::COPULA) && !tags.any(Tags::INFINITIVE) {
            impersonal = true;
        }
    }
    // "Tengo que ser": the conjunction belongs to the verb right before it.
    let opens = sentence.tags(clause.start).any(Tags::SUBORD);
    if let Some(verb) = clause.start.checked_sub(1)
        && opens
        && !impersonal
    {
        let tags = tags_at(sentence, verb);
        if tags.any(Tags::FINITE) {
            return Some(Tie::Sure(verb));
        }
        if tags.any(Tags::MAYBE_FINITE)
            && let Some(tie) = of_open_form(sentence, verb)
        {
            return Some(tie);
        }
    }
    // "Estar sola no me conviene": what pleases or harms "me" is what "I" do.
    if index == clause.start {
        let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::AUX | Tags::ME;
        let first = (index + 1..clause.end).find(|&other| tags_at(sentence, other).any(verb));
        if let Some(first) = first.filter(|&first| tags_at(sentence, first).any(Tags::ME)) {
            return Some(Tie::Sure(first));
        }
    }
    purpose |= sentence.tags(index).any(Tags::PURPOSE);
    if purpose || starts_clause(sentence, index) {
        return main_verb(sentence, index);
    }
    None
}

/// Whose role follows the "as" at `index`: the subject's, if no other person stands between.
/// `noun`: the role.
pub(super) fn of_role(sentence: &Sentence, index: usize, noun: usize) -> Option<usize> {
    if let Some(tie) = controller(sentence, index) {
        return Some(tie.anchor());
    }
    let clause = sentence.clause(index);
    let person = Tags::KIN | Tags::NOUN_M | Tags::NOUN_F | Tags::COMMON | Tags::OTHER_SUBJECT;
    // "Como maestra, enseño": set apart before the clause of the speaker.
    let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::AUX | Tags::COPULA | Tags::INFINITIVE;
    let opens = clause
        .clone()
        .take_while(|&other| other < index)
        .all(|other| {
            let light = Tags::ADVERB | Tags::COORD | Tags::PREPOSITION | Tags::MY;
            tags_at(sentence, other).any(light)
        });
    let end = sentence.clause(noun).end;
    if opens
        && end < sentence.len()
        && sentence.word(end - 1) == ","
        && !(index + 1..end).any(|other| tags_at(sentence, other).any(verb))
    {
        return own_start(sentence, end);
    }
    // "In qualità di direttrice ho gestito": no comma, but the verb of the speaker comes first.
    if opens {
        let other = Tags::AUX | Tags::OTHER_SUBJECT | Tags::KIN | Tags::SUBORD;
        return (noun + 1..end.min(noun + ROLE_REACH))
            .find(|&at| {
                let tags = tags_at(sentence, at);
                tags.any(Tags::FINITE | Tags::SPEAKER | other) || is_end(sentence, at)
            })
            .filter(|&at| tags_at(sentence, at).any(Tags::FINITE | Tags::SPEAKER));
    }
    for before in (clause.start..index).rev() {
        let tags = tags_at(sentence, before);
        let other = tags.any(person | Tags::AUX) && !tags.any(Tags::ADVERB);
        if sentence.tokens[before].kind == Kind::Name || other {
            return None;
        }
        if tags.any(Tags::FINITE) {
            return Some(before);
        }
    }
    None
}

/// Whether only light words stand between the start of the clause and `index`.
fn starts_clause(sentence: &Sentence, index: usize) -> bool {
    let light =
        Tags::ADVERB | Tags::CLITIC | Tags::PREPOSITION | Tags::COORD | Tags::INFINITIVE | Tags::AS;
    let clause = sentence.clause(index);
    let bare = index == clause.start && !sentence.tags(index).any(Tags::AS);
    !bare && (clause.start..index).all(|other| tags_at(sentence, other).any(light))
}

/// The verb of the speaker in the clause next to that of `index`: "Siendo niña, vivía", "trabajo, para ser".
fn main_verb(sentence: &Sentence, index: usize) -> Option<Tie> {
    let clause = sentence.clause(index);
    let own = |range: std::ops::Range<usize>| {
        let mut tie = None;
        for other in range {
            let tags = tags_at(sentence, other);
            if tie.is_some() {
                break;
            }
            if tags.any(Tags::OTHER_SUBJECT) && !tags.any(Tags::SPEAKER) {
                return None;
            }
            if tags.any(Tags::FINITE | Tags::SPEAKER | Tags::ME) {
                tie = Some(Tie::Sure(other));
            } else if tags.any(Tags::MAYBE_FINITE) {
                tie = Some(of_open_form(sentence, other)?);
            } else if tags.any(Tags::AUX) {
                return None;
            }
        }
        tie
    };
    let after = (clause.end < sentence.len()).then(|| sentence.clause(clause.end));
    let before = clause
        .start
        .checked_sub(1)
        .map(|last| sentence.clause(last));
    // "Essendo curiosa, suono": a verb that no list knows.
    let unknown = || own_start(sentence, clause.end).map(Tie::Sure);
    let follows = after.clone().filter(|next| next.start == clause.end);
    before
        .and_then(own)
        .or_else(|| after.and_then(own))
        .or_else(|| follows.and_then(|_| unknown()))
}
