//! Lithuanian: the verb shows the person and never a gender; what describes its subject shows one.

use std::sync::OnceLock;

use super::Grammar;
use crate::first_person::agreement::Counted;
use crate::first_person::rules::{Line, Rule};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar = Grammar {
    code: "lt",
    name: "Lithuanian",
    folding: Folding::Plain,
    rules: RULES,
    data: include_str!("../../../data/lt/words.txt"),
    read: OnceLock::new(),
};

const RULES: &[Line] = &[
    Line::published("complement", Rule::Complement(Counted::Forms)),
    Line::published("participle", Rule::Participle),
    Line::published("alone", Rule::AloneBeside),
    Line::published("noun", Rule::Complement(Counted::Persons)),
    Line::published("role(kaip)", Rule::Role("kaip")),
];
