//! Romance languages and Greek: verbs carry the person, what agrees with their subject the gender. One engine reads
//! them (`first_person/romance`); what tells them apart stands in their data files.

use super::Grammar;
use crate::first_person::romance::Romance;
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;
use crate::packed::Packed;

/// Languages with forms that fit "I" and "he, she" alike.
const OPEN: &[Line] = &[
    Line::romance("predicate", Romance::Predicate),
    Line::romance("open", Romance::Open),
    Line::romance("article", Romance::Article),
    Line::romance("noun", Romance::Noun),
    Line::romance("myself", Romance::Myself),
    Line::romance("alone", Romance::Alone),
    Line::romance("aside", Romance::Aside),
];

/// Languages whose verbs always tell the person.
const CLOSED: &[Line] = &[
    Line::romance("predicate", Romance::Predicate),
    Line::romance("article", Romance::Article),
    Line::romance("noun", Romance::Noun),
    Line::romance("myself", Romance::Myself),
    Line::romance("alone", Romance::Alone),
    Line::romance("aside", Romance::Aside),
];

/// "Moi-même" shows nothing.
const FRENCH: &[Line] = &[
    Line::romance("predicate", Romance::Predicate),
    Line::romance("article", Romance::Article),
    Line::romance("noun", Romance::Noun),
    Line::romance("alone", Romance::Alone),
    Line::romance("aside", Romance::Aside),
];

const fn grammar(code: &'static str, rules: &'static [Line], data: Packed) -> Grammar {
    Grammar::strict(code, Folding::Elided, rules, data)
}

/// Spanish: the verb tells the person, the predicate of "ser", "estar" and their like the gender.
///
/// Imperfect, conditional and subjunctive fit "I" and "he, she" alike ("estaba cansada"); they count only
/// where the sentence says "I" elsewhere and nobody else is its subject.
pub(crate) static ES: Grammar = grammar("es", OPEN, packed!("es/words.txt"));

/// French: the subject pronoun tells the person; predicates of "être" and its like, participles of tenses
/// made with "être", and participles behind a direct "me" ("ils m'ont choisie") tell the gender.
///
/// "Je me suis dit", "on m'a demandé": where "me" is a dative the participle agrees with nothing, so such verbs are
/// listed and say nothing in either form. Many adjectives are written alike (timide, calme, capable).
pub(crate) static FR: Grammar = grammar("fr", FRENCH, packed!("fr/words.txt"));

/// Italian: the verb tells the person; the predicate of "essere" and every participle of a tense made
/// with it ("sono andata", "mi sono alzato") tell the gender.
///
/// "Sono" is also "they are", but what they are stands in the plural.
pub(crate) static IT: Grammar = grammar("it", CLOSED, packed!("it/words.txt"));

/// Portuguese, European and Brazilian: the verb tells the person, the predicate of "ser", "estar", "ficar" and
/// their like the gender.
///
/// Imperfect, conditional and subjunctive fit "I" and "he, she" alike, as in Spanish. "A" is article, pronoun and
/// preposition; it counts as an article only before what can stand alone behind one ("sou a mais nova").
pub(crate) static PT: Grammar = grammar("pt", OPEN, packed!("pt/words.txt"));

/// Catalan: the verb tells the person, the predicate of "ser", "estar" and their like the gender.
///
/// The past is "vaig" with an infinitive ("vaig estar malalta"); imperfect and conditional fit "I" and "he,
/// she" alike and count only where the sentence says "I" elsewhere, or names nobody.
pub(crate) static CA: Grammar = grammar("ca", OPEN, packed!("ca/words.txt"));

/// Galician: the verb tells the person, the predicate of "ser", "estar", "quedar" and their like the gender.
///
/// Clitics are written with the verb ("síntome", "deixoume"). "Son" is also "they are", but what they are stands in
/// the plural; imperfect and conditional fit "I" and "he, she" alike, as in Spanish.
pub(crate) static GL: Grammar = grammar("gl", OPEN, packed!("gl/words.txt"));

/// Romanian: the verb tells the person, the predicate of "a fi" and its like the gender.
///
/// "Sunt" is also "they are", "eram" and "am fost" also "we were", but what they were stands in the plural. No tense
/// agrees with its subject ("am plecat"); names of professions are used in the masculine of women and say nothing.
pub(crate) static RO: Grammar = grammar("ro", CLOSED, packed!("ro/words.txt"));

/// Greek: every finite verb tells its person, the predicate of "είμαι" and its like the gender.
///
/// There is no infinitive, and no tense is made with a participle that agrees; a predicate of "με", in the
/// accusative, has -ο for a man and -η for a woman.
pub(crate) static EL: Grammar = grammar("el", CLOSED, packed!("el/words.txt"));
