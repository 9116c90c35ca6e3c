//! Lithuanian and Latvian: the verb shows the person and never a gender; what describes its subject shows one.

use super::Grammar;
use crate::first_person::agreement::{Agreement, Counted};
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

/// The rules, with the name of the one for "as" and its word.
const fn rules(role: &'static str, word: &'static str) -> [Line; 6] {
    [
        Line::agreement("complement", Agreement::Complement(Counted::Forms)),
        Line::agreement("participle", Agreement::Participle),
        Line::agreement("alone", Agreement::Alone),
        Line::agreement("depictive", Agreement::Depictive),
        Line::agreement("noun", Agreement::Complement(Counted::Persons)),
        Line::agreement(role, Agreement::Role(word)),
    ]
}

/// Adjectives and participles behind `esu`, `buvau`, `jaučiuosi`, half-participles (`dirbdama`) and past participles
/// (`įėjusi`) anywhere in the sentence, `pats` and `vienas` beside the verb, nouns.
pub(crate) static LT: Grammar = Grammar::strict(
    "lt",
    Folding::Plain,
    const { &rules("role(kaip)", "kaip") },
    packed!("lt/words.txt"),
);

/// The perfect is made with a participle (`esmu strādājusi`), so most past tenses show the speaker. The conditional
/// `būtu` has no person: there only `es` says whose it is.
pub(crate) static LV: Grammar = Grammar::strict(
    "lv",
    Folding::Plain,
    const { &rules("role(kā)", "kā") },
    packed!("lv/words.txt"),
);
