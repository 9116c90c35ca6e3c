//! The integration tests of `epicene-lang`: one binary, so that they are linked once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod conllu_primitives;
mod conllu_reader;
mod conllu_rule_order;
mod conllu_special_rules;
mod conllu_support;
mod conllu_treebanks;
mod damaged_files;
mod english;
mod fast_align;
mod first_person;
mod first_person_accuracy;
mod first_person_gest;
mod identify;
mod mirrored;
mod occupation_accuracy;
mod occupation_fixtures;
mod occupation_robustness;
mod person_accuracy;
mod person_fixtures;
mod person_traps;
#[path = "../../../../../tests/shared_data.rs"]
mod shared_data;
mod speaker;
mod support;
