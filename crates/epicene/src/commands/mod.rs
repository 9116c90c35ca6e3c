//! One file for each command.

pub mod compare;
pub mod data;
pub mod demo;
pub mod items;
pub mod list;
pub mod merge;
pub mod report;
pub mod run;
pub mod show;
