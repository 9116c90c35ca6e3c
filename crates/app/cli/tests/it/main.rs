//! The integration tests of `epicene`: one binary, so that they are linked once.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod align;
mod apertium;
mod audit;
mod bad_input;
mod bbq;
mod cards;
mod chat_servers;
mod chat_services;
mod checkpoints;
mod comparable_runs;
mod custom;
mod data_sets;
mod dependencies;
mod docs_commands;
mod docs_readability;
mod exit_codes;
mod export;
#[cfg(unix)]
mod faults;
mod first_screens;
mod gate_examples;
mod gates_and_comparisons;
mod generate_text;
mod gest_mt;
mod gest_published;
mod inputs_as_claimed;
mod interrupted_runs;
mod into_english;
mod japanese;
mod judge;
mod language_packs;
mod long_texts;
mod mbe;
mod messages;
mod misleading;
mod mistakes;
mod names_of_systems;
mod old_names;
mod old_runs;
mod outside;
mod own_verdicts;
mod page_answers;
mod papers;
mod papers_clones;
mod releases;
mod remote_models;
mod report_page;
mod results;
mod run_integrity;
mod scale;
mod score;
mod sentences;
mod server_identity;
mod servers;
#[path = "../../../../../tests/shared_data.rs"]
mod shared_data;
mod support;
#[cfg(unix)]
mod terminal;
mod translators;
mod unambiguous;
mod verdicts;
mod view;
mod wibemt;
mod wrong_commands;
