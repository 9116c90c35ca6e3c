//! Hebrew and Arabic: what stands behind the pronoun, or behind "was", agrees with it; there is no present copula.

use super::Grammar;
use crate::first_person::agreement::{Agreement, Counted};
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

const RULES: &[Line] = &[
    Line::agreement("complement", Agreement::Complement(Counted::Forms)),
    Line::agreement("noun", Agreement::Complement(Counted::Persons)),
];

/// Hebrew: the present tense and adjectives agree with אני; past and future verbs show no gender.
///
/// Text without vowel points. Conjunctions are written with the next word (שאני, ואני), so the data
/// file lists the forms of "I" with them. A participle of a root in ה is spelt alike in both genders.
pub(crate) static HE: Grammar =
    Grammar::strict("he", Folding::Hebrew, RULES, packed!("he/words.txt"));

/// Arabic: adjectives, participles and nouns agree with أنا; verbs of the first person show no gender.
///
/// "كنت" is "I was" and "you were", "أصبحت" also "she became": the first counts unless a question or
/// another subject stands there, the second only behind a pronoun of the first person.
pub(crate) static AR: Grammar =
    Grammar::strict("ar", Folding::Arabic, RULES, packed!("ar/words.txt"));
