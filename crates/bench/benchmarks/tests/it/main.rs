//! The integration tests of `epicene-bench`: one binary, so that they are linked once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod answer_identity;
mod bbq;
mod chat_measures;
mod chat_reading;
mod chat_systems;
mod directions;
mod eurogest_published;
mod gate_published;
mod gest_properties;
mod gest_slavic;
mod into_english;
mod mbe_extraction;
mod mbe_score;
mod mbe_support;
mod metric_ranges;
mod mtgeneval_published;
mod options;
mod own_baselines;
mod quality;
mod sentence_pairs;
#[path = "../../../../../tests/shared_data.rs"]
mod shared_data;
mod shared_files;
mod table_support;
mod unambiguous_published;
mod unambiguous_sets;
mod unambiguous_support;
mod verdicts_counted;
mod wibemt_german;
mod wibemt_measures;
mod wibemt_support;
mod winogender;
mod winomt_published;
