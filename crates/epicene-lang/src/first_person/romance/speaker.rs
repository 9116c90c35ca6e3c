//! Whose verb is it? Finds what ties a verb, or a word beside it, to the speaker.

use super::super::predicate::Found;
use super::super::sentence::{Kind, Sentence};
use super::super::tags::Tags;
use super::complement::opens_place;
use super::{gendered, is_end, near_me, tags_at};

/// How far before a verb its clitic may stand: "me voy a quedar", "no me he vuelto a sentir".
const CLITIC_REACH: usize = 6;
/// How many words a time phrase before the verb may have: "todos los santos días".
const TIME_REACH: usize = 4;

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
            // "Sono" is "they are", too.
            let others = other_pronoun_before(sentence, index)
                || (tags.any(Tags::AUX) && has_near_subject(sentence, index));
            return (!others).then_some(Tie::Sure(index));
        }
        if tags.any(Tags::MAYBE_FINITE)
            && let Some(tie) = of_open_form(sentence, index)
        {
            return Some(tie);
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
    for before in (clause.start..index).rev().take(CLITIC_REACH) {
        let tags = tags_at(sentence, before);
        if tags.any(Tags::ME) {
            return Some(before);
        }
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
        if tags.any(Tags::AUX) && !tags.any(Tags::DETERMINER | Tags::COPULA) {
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
    purpose |= sentence.tags(index).any(Tags::PURPOSE);
    if purpose || starts_clause(sentence, index) {
        return main_verb(sentence, index);
    }
    None
}

/// Whose role follows the "as" at `index`: the subject's, if no other person stands between.
pub(super) fn of_role(sentence: &Sentence, index: usize) -> Option<usize> {
    if let Some(tie) = controller(sentence, index) {
        return Some(tie.anchor());
    }
    let clause = sentence.clause(index);
    let person = Tags::KIN | Tags::NOUN_M | Tags::NOUN_F | Tags::COMMON | Tags::OTHER_SUBJECT;
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
    before.and_then(own).or_else(|| after.and_then(own))
}

/// What makes a form that fits "I" and "he, she" alike the speaker's: no other subject stands before it,
/// and the sentence speaks of "I" elsewhere, or of nobody.
fn of_open_form(sentence: &Sentence, index: usize) -> Option<Tie> {
    let start = start_of_clause(sentence, index);
    let pronoun = (start..index)
        .rev()
        .find(|&other| tags_at(sentence, other).any(Tags::SPEAKER | Tags::OTHER_SUBJECT));
    if let Some(pronoun) = pronoun
        && sentence.tags(pronoun).any(Tags::SPEAKER)
    {
        return Some(Tie::Sure(pronoun));
    }
    let wished =
        sentence.tags(index).any(Tags::SUBJUNCTIVE) && tags_at(sentence, start).any(Tags::RELATIVE);
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
    match when_young(sentence, index) {
        true => Some(Tie::Likely {
            anchor: index,
            aside,
        }),
        false => context(sentence, index, aside),
    }
}

/// Where the clause of `index` begins, with conjunctions under a preposition ("desde que").
fn start_of_clause(sentence: &Sentence, index: usize) -> usize {
    let clause = sentence.clause(index);
    (clause.start..index)
        .rev()
        .find(|&other| tags_at(sentence, other).any(Tags::SUBORD))
        .unwrap_or(clause.start)
}

/// "Cuando era pequeña", in a sentence that says "I" or "me" somewhere.
fn when_young(sentence: &Sentence, verb: usize) -> bool {
    let start = tags_at(sentence, start_of_clause(sentence, verb));
    let when = start.any(Tags::SUBORD) && !start.any(Tags::RELATIVE);
    let own = Tags::FINITE | Tags::SPEAKER | Tags::ME | Tags::MY;
    when && tags_at(sentence, verb + 1).any(Tags::YOUTH)
        && (0..sentence.len()).any(|other| tags_at(sentence, other).any(own))
}

/// Whether the clause of an open form names its subject: before its first verb, or behind the
/// conjunction that joins it to that.
fn has_open_subject(sentence: &Sentence, start: usize, verb: usize) -> bool {
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
fn has_subject(sentence: &Sentence, start: usize, verb: usize) -> bool {
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
fn has_near_subject(sentence: &Sentence, verb: usize) -> bool {
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
fn context(sentence: &Sentence, index: usize, aside: bool) -> Option<Tie> {
    let likely = Tie::Likely {
        anchor: index,
        aside,
    };
    let mut weak = false;
    let mut others = false;
    for other in (0..sentence.len()).filter(|&other| other != index) {
        let token = &sentence.tokens[other];
        if token.kind == Kind::Name {
            others |= other < index;
            continue;
        }
        let tags = tags_at(sentence, other);
        if tags.any(Tags::FINITE | Tags::SPEAKER) {
            return Some(likely);
        }
        weak |= tags.any(Tags::ME | Tags::MY | Tags::ME_STRONG);
        others |= other < index && tags.any(Tags::OTHER_SUBJECT | Tags::AUX | Tags::KIN);
    }
    match (weak, others) {
        (true, false) => Some(likely),
        // What nobody knows may be a name: "Monfreid era".
        (false, false) => (0..index)
            .all(|other| !sentence.tags(other).is_empty() || is_end(sentence, other))
            .then_some(Tie::Open(index)),
        (_, true) => None,
    }
}

/// Whether the clause that starts at `start` hangs on the noun before it: "la casa que era".
fn is_relative(sentence: &Sentence, start: usize) -> bool {
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
fn is_seen(sentence: &Sentence, start: usize) -> bool {
    let opens = tags_at(sentence, start).any(Tags::RELATIVE);
    let before = (start.saturating_sub(5)..start).rev();
    opens
        && before
            .take_while(|&other| !is_end(sentence, other))
            .any(|other| tags_at(sentence, other).any(Tags::SEES))
}

/// Whether a word that may be article or pronoun is a pronoun, because a verb follows.
fn is_clitic(sentence: &Sentence, index: usize) -> bool {
    let verb = Tags::COPULA | Tags::FINITE | Tags::MAYBE_FINITE | Tags::AUX | Tags::FEEL;
    sentence.tags(index).any(Tags::CLITIC)
        && tags_at(sentence, index + 1).any(verb | Tags::CLITIC | Tags::ME)
}

/// The last word of a time phrase that begins at `from`: "todos los días".
fn time_phrase(sentence: &Sentence, from: usize, end: usize) -> Option<usize> {
    (from..end.min(from + TIME_REACH)).find(|&index| tags_at(sentence, index).any(Tags::TIME))
}

/// "Alone" beside a verb of the speaker.
pub(super) fn alone(sentence: &Sentence, index: usize) -> Option<Found> {
    let found = gendered(sentence, index)?;
    let before = index.checked_sub(1)?;
    let previous = tags_at(sentence, before);
    let next = tags_at(sentence, index + 1);
    // Greek "μόνη μου": by myself.
    if next.any(Tags::ME) && next.any(Tags::MY) {
        return Some(found.at(index + 1));
    }
    // "Da sola", "tout seul": never "only".
    let sure = previous.any(Tags::ALONE) || !sentence.tags(index).any(Tags::ADVERB);
    let ends = is_end(sentence, index + 1)
        || (next.any(Tags::SUBORD | Tags::COORD | Tags::TIME | Tags::ADVERB)
            && !next.any(Tags::RELATIVE));
    let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::INFINITIVE | Tags::LIVE | Tags::FEEL;
    let after_verb = previous.any(verb | Tags::ADVERB | Tags::ALONE | Tags::CLITIC | Tags::SPEAKER);
    let stands = match sure {
        true => ends || next.any(Tags::PREPOSITION | Tags::PURPOSE | Tags::CLITIC | Tags::AS),
        false => {
            let placed = previous.any(Tags::LIVE) && opens_place(sentence, index + 1);
            after_verb && (ends || placed)
        }
    };
    if !stands {
        return None;
    }
    if previous.any(Tags::SPEAKER) {
        return Some(found.at(before));
    }
    // Agreeing with a noun: "una mujer sola". The word before must be a verb or light.
    let noun = !previous.any(after_light()) && !previous.any(verb);
    if noun {
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
        let placed = tags.any(Tags::MIND)
            && sentence.word(index - 1) == ","
            && (is_end(sentence, index + 1)
                || tags_at(sentence, index + 1).any(Tags::PREPOSITION | Tags::SUBORD));
        if !placed {
            return None;
        }
        let main = sentence.clause(index - 1);
        let others = main.clone().any(|other| {
            let tags = tags_at(sentence, other);
            sentence.tokens[other].kind == Kind::Name
                || (tags.any(Tags::OTHER_SUBJECT | Tags::NOUN_M | Tags::NOUN_F | Tags::COMMON)
                    && !tags.any(Tags::SPEAKER))
        });
        let first = main
            .clone()
            .find(|&other| tags_at(sentence, other).any(verb))?;
        let own = tags_at(sentence, first).any(Tags::FINITE) && !others;
        own.then(|| gendered(sentence, index))?
            .map(|found| found.at(first))
    })
}

fn opening(sentence: &Sentence) -> Option<Found> {
    let clause = sentence.clause(0);
    let verb = Tags::FINITE
        | Tags::MAYBE_FINITE
        | Tags::AUX
        | Tags::COPULA
        | Tags::SPEAKER
        | Tags::OTHER_SUBJECT;
    let index = (clause.start..clause.end)
        .find(|&index| !tags_at(sentence, index).any(Tags::ADVERB) || is_end(sentence, index))?;
    let tags = tags_at(sentence, index);
    let found = gendered(sentence, index)?;
    let opens = tags.any(Tags::MIND | Tags::PARTICIPLE)
        && tags.any(Tags::ADJ_MF)
        && !tags.any(Tags::BEFORE | Tags::ADVERB | Tags::COMMON);
    let next = tags_at(sentence, index + 1);
    let goes_on = next.any(Tags::PREPOSITION | Tags::AS)
        || (is_end(sentence, index + 1) && tags.any(Tags::PARTICIPLE));
    if !opens
        || !goes_on
        || clause.end >= sentence.len()
        || (index..clause.end).any(|other| tags_at(sentence, other).any(verb))
    {
        return None;
    }
    let main = sentence.clause(clause.end);
    let light = Tags::ADVERB | Tags::CLITIC | Tags::ME;
    let first = main.clone().find(|&other| {
        !tags_at(sentence, other).any(light) || tags_at(sentence, other).any(verb)
    })?;
    let own = tags_at(sentence, first).any(Tags::FINITE | Tags::SPEAKER);
    own.then(|| found.at(first))
}
