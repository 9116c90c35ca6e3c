//! Languages in which the verb tells the person and an adjective beside it the gender: Romance, Greek.
//!
//! "Soy" and "είμαι" say "I am" and nothing of gender; "cansada", "κουρασμένη" say it, if they
//! agree with that "I" and not with a noun. So every verb that takes a predicate is asked whose it is
//! (`speaker.rs`, `open_form.rs`), and what it takes is read from there on (`complement.rs`, `nominal.rs`). Three
//! small rules stand beside that (`beside.rs`): "yo misma", "vivo sola", and a participle set apart by a comma.

mod beside;
mod complement;
mod depictive;
mod nominal;
mod open_form;
mod speaker;

use super::predicate::Found;
use super::sentence::{Kind, Sentence};
use super::tags::Tags;
use crate::Gender;
use complement::Shows;
use speaker::Tie;

/// What a rule of these languages looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Romance {
    /// The adjective or participle a verb of the speaker takes: "estoy cansada", "sono andata".
    Predicate,
    /// The same where the verb fits "I" and "he, she" alike and the sentence speaks of nobody at all:
    /// "estaba cansada". Only adjectives that are said of persons count.
    Open,
    /// The article of a predicate that has no other gender: "soy la mejor", "soy una artista".
    Article,
    /// A noun that has a form for women and one for men, both in common use: "soy ingeniera".
    Noun,
    /// "Yo misma", "de mí mismo".
    Myself,
    /// "Vivo sola", "da solo".
    Alone,
    /// A participle beside the clause of the speaker or at its end: "Armada de valor, salí", "Pasé el día acostada".
    Aside,
}

impl Romance {
    /// Every gender of the speaker that the rule finds in `sentence`.
    pub(crate) fn each(self, sentence: &Sentence, tell: &mut dyn FnMut(Found)) {
        match self {
            Romance::Predicate => complements(sentence, tell, |tie, shows, of_person| {
                shows == Shows::Predicate
                    && match tie {
                        Tie::Sure(_) => true,
                        Tie::Likely { .. } => of_person,
                        Tie::Open(_) => false,
                    }
            }),
            // Behind another sentence the subject may be whoever that spoke of: "Besé a mi mujer. Estaba dormida."
            Romance::Open if sentence.follows => {}
            Romance::Open => complements(sentence, tell, |tie, shows, of_person| {
                matches!(tie, Tie::Open(_)) && of_person && shows != Shows::Article
            }),
            Romance::Article => complements(sentence, tell, |tie, shows, of_person| {
                shows == Shows::Article && (tie.allows_nouns() || (of_person && tie.is_first()))
            }),
            Romance::Noun => {
                complements(sentence, tell, |tie, shows, of_person| {
                    shows == Shows::Noun && (tie.allows_nouns() || (of_person && tie.is_first()))
                });
                find(sentence, Tags::AS, tell, nominal::role);
                find(sentence, Tags::YOUTH, tell, nominal::youth);
            }
            Romance::Myself => find(sentence, Tags::SELF, tell, |sentence, index| {
                let mut before = index.checked_sub(1)?;
                // Greek "εγώ η ίδια".
                if sentence.tags(before).any(Tags::THE_M | Tags::THE_F) {
                    before = before.checked_sub(1)?;
                }
                let own = Tags::SPEAKER | Tags::ME_STRONG;
                if !sentence.tags(before).any(own) {
                    return None;
                }
                Some(gendered(sentence, index)?.at(before))
            }),
            Romance::Alone => find(sentence, Tags::ALONE, tell, beside::alone),
            Romance::Aside => {
                beside::aside(sentence).into_iter().for_each(&mut *tell);
                depictive::states(sentence, tell);
            }
        }
    }
}

/// The classes of a word behind the word `before`: no finite verb follows an article, a possessive or
/// a preposition, so what looks like one ("mi trabajo", "un paso") is a noun.
pub(crate) fn in_place(tags: Tags, before: Option<Tags>) -> Tags {
    let verb = Tags::FINITE | Tags::MAYBE_FINITE | Tags::LIVE | Tags::FEEL | Tags::AUX;
    // "He estado", but "mi estado", "buen estado".
    if tags.any(Tags::COPULA | Tags::LIVE) && tags.any(Tags::PARTICIPLE) {
        let has = verb
            | Tags::ADVERB
            | Tags::COPULA
            | Tags::CLITIC
            | Tags::SPEAKER
            | Tags::OTHER_SUBJECT
            | Tags::INFINITIVE
            | Tags::PURPOSE;
        return if before.is_some_and(|before| before.any(has)) {
            tags
        } else {
            Tags::THING
        };
    }
    // Nobody is called "am": Greek "παρόλα αυτά ήμουν". Galician "son" is a sound, too.
    let am = tags.any(Tags::COPULA) && tags.any(Tags::FINITE) && !tags.any(Tags::AUX);
    let Some(before) =
        before.filter(|_| tags.any(verb) && !am && !tags.any(Tags::INFINITIVE | Tags::CLITIC))
    else {
        return tags;
    };
    let opens = before.any(Tags::DETERMINER | Tags::PREPOSITION | Tags::A_M | Tags::A_F)
        || (before.any(Tags::COPULA) && before.any(Tags::INFINITIVE));
    let described = before.any(Tags::BEFORE)
        && before.any(Tags::ADJ_MF | Tags::ADJ_X)
        && tags.any(Tags::LIVE | Tags::THING);
    // "O trabalho" is the work, "o vejo" is "I see him".
    let clitic = before.any(Tags::CLITIC) && !tags.any(Tags::THING);
    let pronoun = before.any(Tags::OTHER_SUBJECT) && !before.any(Tags::DETERMINER);
    let adverb = before.any(Tags::ADVERB) && !before.any(Tags::DETERMINER);
    let light = Tags::SUBORD | Tags::SPEAKER;
    if adverb {
        return tags;
    }
    if !(opens || described) || clitic || pronoun || before.any(light) {
        return tags;
    }
    let rest = tags.without(verb | Tags::COPULA | Tags::ME);
    if rest.is_empty() { Tags::THING } else { rest }
}

/// What the verbs of the speaker take, as far as it is wanted.
fn complements(
    sentence: &Sentence,
    tell: &mut dyn FnMut(Found),
    wanted: impl Fn(Tie, Shows, bool) -> bool,
) {
    for index in 0..sentence.len() {
        let takes = Tags::COPULA | Tags::FEEL | Tags::LIVE;
        if sentence.tokens[index].kind != Kind::Word || !sentence.tags(index).any(takes) {
            continue;
        }
        let Some(tie) = speaker::of_verb(sentence, index) else {
            continue;
        };
        if speaker::has_object(sentence, index) || is_dative_passive(sentence, tie, index) {
            continue;
        }
        if let Some((found, shows)) = complement::of_verb(sentence, index)
            && wanted(
                tie,
                shows,
                is_said_of_persons(sentence, found.token)
                    || sentence.tags(tie.anchor()).any(Tags::WANTS)
                    || (sentence.tags(index).any(Tags::CONDITIONAL)
                        && tie.is_first()
                        && nominal::is_of_person(sentence, found.token))
                    || feels_unfit(sentence, index, found.token),
            )
        {
            tell(found.at(tie.anchor()));
        }
    }
}

/// "Il m'a été demandé", "mi-a fost furată bicicleta": to "me" it was done, and the participle agrees with what was.
fn is_dative_passive(sentence: &Sentence, tie: Tie, verb: usize) -> bool {
    let me = tie.anchor();
    let been = |at: usize| {
        let tags = tags_at(sentence, at);
        tags.any(Tags::COPULA) && tags.any(Tags::PARTICIPLE)
    };
    let has = |at: usize| {
        let tags = tags_at(sentence, at);
        tags.any(Tags::AUX | Tags::CLITIC | Tags::ADVERB) && !tags.any(Tags::FINITE)
    };
    let end = if been(verb) { verb } else { verb + 1 };
    me < verb
        && sentence.tags(me).any(Tags::ME)
        && !sentence.tags(me).any(Tags::SPEAKER | Tags::FINITE)
        && been(end)
        && (me + 1..end).all(has)
}

/// Whether a form can hardly speak of a thing.
fn is_said_of_persons(sentence: &Sentence, index: usize) -> bool {
    sentence
        .tags(index)
        .any(Tags::MIND | Tags::ALONE | Tags::YOUTH)
        || is_skill(sentence, index)
}

/// "Sentí que no era lo bastante buena": with no noun before it, only the one who felt can be meant.
fn feels_unfit(sentence: &Sentence, verb: usize, adjective: usize) -> bool {
    let start = open_form::start_of_clause(sentence, verb);
    let own = Tags::FINITE | Tags::MAYBE_FINITE | Tags::FEEL | Tags::ADVERB | Tags::SPEAKER;
    sentence.tags(adjective).any(Tags::SKILL)
        && start > 0
        && sentence.tags(start).any(Tags::RELATIVE)
        && sentence.tags(start - 1).any(Tags::FEEL)
        && (0..start).all(|other| tags_at(sentence, other).any(own))
        && (start..adjective).any(|other| tags_at(sentence, other).any(Tags::ADVERB))
}

/// "Buena en matemáticas", "la mejor en eso": only persons have skills. "Buena en verano" is no skill.
fn is_skill(sentence: &Sentence, index: usize) -> bool {
    let phrase = Tags::ADJ_MF | Tags::ADJ_X | Tags::THE_M | Tags::THE_F | Tags::DEGREE;
    let mut end = index;
    while tags_at(sentence, end).any(phrase) {
        end += 1;
    }
    let skilled = (index..end).any(|other| sentence.tags(other).any(Tags::SKILL));
    let field = tags_at(sentence, end + 1);
    let named = sentence
        .tokens
        .get(end + 1)
        .is_some_and(|token| token.kind == Kind::Word);
    skilled
        && tags_at(sentence, end).any(Tags::AT)
        && named
        && !field.any(Tags::TIME | Tags::ADVERB)
        && (field.any(Tags::MY) || !field.any(Tags::DETERMINER))
}

fn find(
    sentence: &Sentence,
    class: Tags,
    tell: &mut dyn FnMut(Found),
    rule: impl Fn(&Sentence, usize) -> Option<Found>,
) {
    for index in 0..sentence.len() {
        if sentence.tokens[index].kind == Kind::Word
            && sentence.tags(index).any(class)
            && let Some(found) = rule(sentence, index)
        {
            tell(found);
        }
    }
}

/// The form at `index`, if it shows one gender.
fn gendered(sentence: &Sentence, index: usize) -> Option<Found> {
    // A word written for both genders must be found to be reported as such.
    let gender = if sentence.tokens[index].both {
        Gender::Masculine
    } else {
        sentence.tags(index).gender()?
    };
    Some(Found::new(gender, index))
}

/// The tags of `index`, none past the end or for what is no word.
fn tags_at(sentence: &Sentence, index: usize) -> Tags {
    match sentence.tokens.get(index) {
        Some(token) if token.kind == Kind::Word => token.tags,
        _ => Tags::NONE,
    }
}

/// Whether nothing follows in the clause: the end, or a sign that ends it.
fn is_end(sentence: &Sentence, index: usize) -> bool {
    match sentence.tokens.get(index) {
        None => true,
        Some(token) => matches!(token.kind, Kind::Break | Kind::Mark),
    }
}

/// Whether a first-person clitic stands right before the verb.
fn near_me(sentence: &Sentence, verb: usize) -> bool {
    (verb.saturating_sub(3)..verb)
        .rev()
        .take_while(|&other| tags_at(sentence, other).any(Tags::CLITIC | Tags::ME | Tags::ADVERB))
        .any(|other| tags_at(sentence, other).any(Tags::ME))
}
