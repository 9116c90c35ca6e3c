//! One file for each command.

pub mod align;
pub mod cite;
pub mod compare;
pub mod completions;
pub mod data;
pub mod demo;
pub mod detect;
pub mod evidence;
pub mod experiment;
pub mod extract;
pub mod generate;
pub mod items;
pub mod judge;
pub mod list;
pub mod man;
pub mod merge;
pub mod pairs;
pub mod report;
pub mod run;
pub mod score;
pub mod show;
pub mod translate;
pub mod wordscore;
