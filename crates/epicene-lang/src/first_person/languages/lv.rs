//! Latvian: the verb shows the person and never a gender; what describes its subject shows one.
//!
//! The perfect is made with a participle (`esmu strādājusi`), so most past tenses show the speaker.
//! The conditional `būtu` has no person: there only `es` says whose it is.

use super::Grammar;
use crate::first_person::agreement::{Agreement, Counted};
use crate::first_person::rules::Line;
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar::strict(
    ("lv", "Latvian"),
    Folding::Plain,
    STRICT,
    include_str!("../../../data/lv/words.txt"),
);

const STRICT: &[Line] = &[
    Line::agreement("complement", Agreement::Complement(Counted::Forms)),
    Line::agreement("participle", Agreement::Participle),
    Line::agreement("alone", Agreement::Alone),
    Line::agreement("depictive", Agreement::Depictive),
    Line::agreement("noun", Agreement::Complement(Counted::Persons)),
    Line::agreement("role(kā)", Agreement::Role("kā")),
];
