//! Hindi: the verb at the end of the clause agrees with मैं in nearly every tense.
//!
//! `हूँ` and the future in -ऊँगा are first person by themselves. In the perfective of transitive verbs
//! the subject takes ने and the verb agrees with the object, so मैंने says nothing of the speaker.

use super::Grammar;
use crate::first_person::agreement::{Agreement, Counted};
use crate::first_person::rules::{Rule, RuleEntry};
use crate::first_person::script::Folding;

pub(crate) static GRAMMAR: Grammar =
    Grammar::strict("hi", Folding::Devanagari, STRICT, packed!("hi/words.txt"));

const STRICT: &[RuleEntry] = &[
    RuleEntry::strict("inflected", Rule::Inflected),
    RuleEntry::agreement("verb", Agreement::VerbFinal(Counted::Forms)),
    RuleEntry::agreement("noun", Agreement::VerbFinal(Counted::Persons)),
];
