//! Lithuanian: the verb shows the person and never a gender; what describes its subject shows one.
//!
//! Adjectives and participles behind `esu`, `buvau`, `jaučiuosi`, half-participles (`dirbdama`) and
//! past participles (`įėjusi`) anywhere in the sentence, `pats` and `vienas` beside the verb, nouns.

use super::Grammar;
use crate::first_person::agreement::{Agreement, Counted};
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("lt", "Lithuanian"),
    Folding::Plain,
    STRICT,
    include_str!("../../../data/lt/words.txt"),
);

const STRICT: &[Line] = &[
    Line::agreement("complement", Agreement::Complement(Counted::Forms)),
    Line::agreement("participle", Agreement::Participle),
    Line::agreement("alone", Agreement::Alone),
    Line::agreement("depictive", Agreement::Depictive),
    Line::agreement("noun", Agreement::Complement(Counted::Persons)),
    Line::agreement("role(kaip)", Agreement::Role("kaip")),
];
