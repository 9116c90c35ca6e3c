//! One file for each command.

pub mod compare;
pub mod data;
pub mod demo;
pub mod detect;
pub mod experiment;
pub mod extract;
pub mod items;
pub mod list;
pub mod merge;
pub mod pairs;
pub mod report;
pub mod run;
pub mod show;
pub mod translate;
